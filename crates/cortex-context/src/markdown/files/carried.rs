//! Lines that went from one file to another: a type that has a file of its own now.
//!
//! Owns: what counts as that. Must not know: how lines are shown.

use std::collections::HashSet;

use cortex_wire::{ChangedFile, CodeLineKind};

use super::plain;
use crate::{markdown::plan::counted, text::line};

/// So many lines are hardly written again by chance.
const MIN_LINES: usize = 5;

/// So many files are compared with each other.
const MAX_FILES: usize = 40;

/// For each file, by its place, the lines of it that another file has on the other side.
pub(super) struct Carried<'a>(Vec<Option<Part<'a>>>);

struct Part<'a> {
    lines: HashSet<&'a str>,
    file: &'a ChangedFile,
    other: &'a ChangedFile,
    is_gone: bool,
}

impl Part<'_> {
    fn has(&self, text: &str) -> bool {
        self.lines.contains(text) || !text.contains(char::is_alphanumeric)
    }
}

impl<'a> Carried<'a> {
    /// Of files that lost most of what another one has newly, or have newly most of what another one lost.
    pub(super) fn between(files: &[&'a ChangedFile]) -> Self {
        let n_files = files.len().min(MAX_FILES);
        let of_side = |kind| -> Vec<HashSet<&'a str>> {
            let files = files[..n_files].iter();
            files.map(|file| lines_of(file, kind)).collect()
        };
        let [gone, new] = [CodeLineKind::Removed, CodeLineKind::Added].map(of_side);
        let mut out: Vec<Option<Part<'a>>> = files.iter().map(|_| None).collect();
        for (from, gone) in gone.iter().enumerate() {
            for (to, new) in new.iter().enumerate().filter(|(to, _)| *to != from) {
                let both: HashSet<&str> = gone.intersection(new).copied().collect();
                let least = gone.len().min(new.len());
                if both.len() < MIN_LINES || both.len() * 5 < least * 4 {
                    continue;
                }
                for (at, other, is_gone) in [(from, to, true), (to, from, false)] {
                    out[at] = out[at].take().or_else(|| {
                        Some(Part {
                            lines: both.clone(),
                            file: files[at],
                            other: files[other],
                            is_gone,
                        })
                    });
                }
            }
        }
        Self(out)
    }

    /// Whether a line of a file, without white space around it, is one of these, or says nothing beside them.
    pub(super) fn has(&self, file: usize, text: &str) -> bool {
        let part = self.0.get(file).and_then(Option::as_ref);
        part.is_some_and(|part| part.has(text))
    }

    /// Says how many lines of a file these are, and where they are or were.
    pub(super) fn row(&self, file: usize) -> Option<String> {
        let part = self.0.get(file)?.as_ref()?;
        let kind = match part.is_gone {
            true => CodeLineKind::Removed,
            false => CodeLineKind::Added,
        };
        let all = part.file.hunks.iter().flat_map(|hunk| &hunk.lines);
        let all = all.filter(|line| line.kind == kind && part.has(plain(&line.text)));
        let lines = counted(all.count(), "line", "lines");
        let other = line(part.other.path.as_str());
        Some(match part.is_gone {
            true => format!("  … {lines}, now in {other}"),
            false => format!("  … {lines} that {other} had"),
        })
    }
}

/// The lines of one side that say something.
fn lines_of(file: &ChangedFile, kind: CodeLineKind) -> HashSet<&str> {
    let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let lines = lines.filter(|line| line.kind == kind);
    lines
        .map(|line| plain(&line.text))
        .filter(|text| text.chars().filter(|c| c.is_alphanumeric()).count() > 2)
        .collect()
}
