//! One place that names a namespace: how much of the name is written there, and what is written afterwards.
//!
//! Must not know: which places there are.

use cortex_model::{ByteRange, RepoPath};

use crate::{
    identifier::bare,
    proof::PlaceBefore,
    text_edit::{StartIs, TextEdit},
};
use std::collections::BTreeSet;

/// A place that names a namespace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Occurrence {
    /// The last part of the name.
    pub(super) range: ByteRange,
    what: What,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum What {
    /// A declaration of the namespace.
    Declaration,
    /// A use of it.
    Use,
    /// A use of a namespace inside of this one.
    Other(String),
}

/// The new name of a namespace.
pub(super) struct NewName<'n> {
    /// The old name.
    pub(super) old: &'n str,
    /// The new one, as code writes its parts.
    pub(super) new: &'n [String],
    /// Whether it is written from `global::` on.
    pub(super) is_global: bool,
    /// Whether it stands in a using directive.
    pub(super) is_directive: bool,
}

impl Occurrence {
    /// A declaration.
    pub(super) fn declaration(range: ByteRange) -> Self {
        let what = What::Declaration;
        Self { range, what }
    }

    /// A use.
    pub(super) fn of(range: ByteRange) -> Self {
        let what = What::Use;
        Self { range, what }
    }

    /// A use of a namespace that stays, by the namespace around that.
    pub(super) fn other(range: ByteRange, parent: &str) -> Self {
        let what = What::Other(parent.to_owned());
        Self { range, what }
    }

    /// Whether the whole name that it is in has one of some places.
    pub(super) fn has_place_of(
        &self,
        text: &str,
        path: &RepoPath,
        places: &BTreeSet<PlaceBefore>,
    ) -> bool {
        let Some(written) = Written::before(text, self.range) else {
            return false;
        };
        let behind = &text[self.range.end as usize..];
        let is_part =
            |it: char| matches!(it, '_' | '@' | '.') || it.is_alphanumeric() || it.is_whitespace();
        let end = behind.find(|it| !is_part(it)).unwrap_or(behind.len());
        let end = self.range.end + end as u32;
        let of_name = (path.clone(), written.start)..(path.clone(), end);
        self.what != What::Declaration && places.range(of_name).next().is_some()
    }

    /// The edits that write the new name. `is_inside`: whether the place is inside of the namespace.
    ///
    /// # Errors
    /// Why the new name cannot stand there.
    pub(super) fn edits(
        &self,
        text: &str,
        name: &NewName<'_>,
        is_inside: &dyn Fn() -> bool,
    ) -> Result<Vec<TextEdit>, String> {
        let unread = || "the parts of the name are not together".to_owned();
        let written = Written::before(text, self.range).ok_or_else(unread)?;
        if let What::Other(parent) = &self.what {
            // Behind a dot or an alias it is found as before.
            let is_relative = written.parts.len() == 1 && !written.is_qualified;
            let start = self.range.start;
            return Ok(match is_relative && is_inside() {
                true => vec![new_text(start, start, format!("{parent}."))],
                false => Vec::new(),
            });
        }
        let old: Vec<&str> = name.old.split('.').collect();
        let from_end = written.parts.iter().rev().zip(old.iter().rev());
        let n_written = from_end
            .take_while(|(part, old)| bare(&text[part.as_usize()]) == **old)
            .count();
        // The part of the name that is written first, and how many parts both names begin with.
        let first = old.len() - n_written;
        let same = old.iter().zip(name.new);
        let same = same.take_while(|(old, new)| **old == bare(new)).count();
        let same = same.min(old.len() - 1).min(name.new.len() - 1);
        // An expression has its type where it starts.
        let is_whole = |start: u32| match start == written.start && !name.is_directive {
            true => LastPart::MayStartExpression,
            false => LastPart::Compared,
        };
        let is_declared = self.what == What::Declaration;
        if first <= same && (is_declared || !name.is_global) {
            let at = written.parts.len() - n_written + (same - first);
            let start = written.parts[at].start;
            return Ok(replaced(
                text,
                (start, self.range),
                ("", &name.new[same..]),
                is_whole(start),
            ));
        }
        if is_declared {
            let around = old[..first].join(".");
            return Err(format!("it is declared inside of `namespace {around}`"));
        }
        let prefix =
            match name.is_global || written.is_qualified && written.parts.len() == n_written {
                true => "global::",
                false => "",
            };
        let start = written.start;
        Ok(replaced(
            text,
            (start, self.range),
            (prefix, name.new),
            is_whole(start),
        ))
    }
}

/// What is decided at the last part of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastPart {
    /// Which namespace the name means.
    Compared,
    /// Something about an expression as well, where the name has no other part.
    MayStartExpression,
}

/// The edits that write a name from `start` on. The last part takes the place of the last part.
fn replaced(
    text: &str,
    (start, last): (u32, ByteRange),
    (prefix, new): (&str, &[String]),
    last_part: LastPart,
) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let Some((new_last, before)) = new.split_last() else {
        return edits;
    };
    let mut before: String = before.iter().map(|part| format!("{part}.")).collect();
    before.insert_str(0, prefix);
    let is_alone = before.is_empty() && start == last.start;
    if last_part == LastPart::MayStartExpression && !is_alone {
        let all = new_text(start, last.end, format!("{before}{new_last}"));
        return vec![all];
    }
    if text[start as usize..last.start as usize] != before {
        edits.push(new_text(start, last.start, before));
    }
    if text[last.as_usize()] != **new_last {
        edits.push(TextEdit {
            range: last,
            text: new_last.clone(),
            start: StartIs::Kept,
        });
    }
    edits
}

fn new_text(start: u32, end: u32, text: String) -> TextEdit {
    TextEdit {
        range: ByteRange { start, end },
        text,
        start: StartIs::New,
    }
}

/// A dotted name up to one of its parts.
struct Written {
    /// Where it starts, `global::` or an alias included.
    start: u32,
    /// Its parts.
    parts: Vec<ByteRange>,
    /// Whether `::` stands before the first one.
    is_qualified: bool,
}

impl Written {
    /// Reads the name that ends with a part; `None` where something else stands between its parts.
    fn before(text: &str, last: ByteRange) -> Option<Self> {
        let is_part = |it: char| it == '_' || it == '@' || it.is_alphanumeric();
        let mut parts = vec![last];
        let mut start = last.start;
        loop {
            let before = text[..start as usize].trim_end();
            let (rest, is_qualified) = match before.strip_suffix("::") {
                Some(rest) => (rest, true),
                None => match before.strip_suffix('.') {
                    Some(rest) if !rest.ends_with('.') => (rest, false),
                    _ => break,
                },
            };
            let rest = rest.trim_end();
            let part = ByteRange {
                start: rest.trim_end_matches(is_part).len() as u32,
                end: rest.len() as u32,
            };
            if part.start == part.end {
                return None;
            }
            start = part.start;
            if is_qualified {
                parts.reverse();
                return Some(Self {
                    start,
                    parts,
                    is_qualified,
                });
            }
            parts.push(part);
        }
        parts.reverse();
        Some(Self {
            start,
            parts,
            is_qualified: false,
        })
    }
}
