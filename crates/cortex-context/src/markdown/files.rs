//! Files that are not told by the types in them, and committed context that became stale.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
    fmt::Write,
};

use cortex_wire::{ChangedFile, CodeLine, CodeLineKind, DiffContext, FileKind};

use super::plan::{Alone, Item, Role, Section, Stage, Tail, Text, Total, counted, grouped};
use crate::text::line;

/// The section of other files: changes of projects in words, then the rest as a list.
pub(crate) fn section<'a>(answer: &'a DiffContext, n_max: usize) -> Section<'a> {
    let mut told: HashSet<&str> = HashSet::new();
    for change in &answer.types {
        told.extend(
            change
                .files
                .iter()
                .chain(&change.moved_from)
                .map(|path| path.as_str()),
        );
    }
    told.extend(answer.projects.iter().map(|change| change.path.as_str()));
    let mut rest: Vec<&'a ChangedFile> = answer
        .files
        .iter()
        .filter(|file| {
            !told.contains(file.path.as_str())
                || file.status == cortex_wire::FileStatus::ModeChanged
                || file.kind == FileKind::Binary
        })
        .collect();
    rest.sort_by_key(|file| LOCKS.contains(&file.path.file_name()));
    let mut items: Vec<Item<'a>> = Vec::new();
    for change in answer.projects.iter().take(n_max) {
        items.push(single(
            format!("{}: {}", line(change.path.as_str()), line(&change.text)),
            0,
        ));
    }
    let n_files = rest.len();
    let mut heads: Vec<u32> = (0..items.len() as u32).collect();
    let mut lines = Vec::new();
    let mut places = Vec::new();
    for file in rest.iter().take(n_max) {
        let parent = items.len() as u32;
        heads.push(parent);
        places.push(items.len());
        items.push(Item {
            role: Role::Parent {
                alone: Alone::Shown,
                below: 0,
            },
            ..single(file_line(file), 1)
        });
        for text in changed_lines(file) {
            lines.push(items.len() as u32);
            items.push(Item {
                text: Text::Line(text),
                role: Role::Child(parent),
                counts: None,
            });
        }
    }
    Section {
        heading: "Other files",
        stages: vec![Stage::all(heads), Stage::all(lines)],
        items,
        totals: vec![
            Total {
                one: "project change",
                many: "project changes",
                n: answer.projects.len(),
            },
            Total {
                one: "file",
                many: "files",
                n: n_files,
            },
        ],
        tail: Some(Box::new(Summary {
            files: rest,
            items: places,
        })),
        ..Section::default()
    }
}

/// Names of files that tools write from others: they say little of how a program runs.
const LOCKS: [&str; 6] = [
    "packages.lock.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "project.assets.json",
];

/// So many changed lines of a file are shown, the first ones.
const MAX_LINES: usize = 12;

/// Formats of which changed lines say little about what runs.
const PROSE: [&str; 3] = ["md", "txt", "rst"];

/// The changed lines of a short change, with their signs.
fn changed_lines(file: &ChangedFile) -> impl Iterator<Item = String> {
    let is_prose = PROSE
        .iter()
        .any(|it| file.path.extension().eq_ignore_ascii_case(it));
    let hunks = file
        .hunks
        .iter()
        .filter(move |_| matches!(file.kind, FileKind::Text | FileKind::Project) && !is_prose);
    let lines = hunks.flat_map(|hunk| {
        // A comma more or less follows from the line behind it.
        let bare = |code: &CodeLine| code.text.trim().trim_end_matches(',').to_owned();
        let of_side = |kind| {
            let lines = hunk.lines.iter().filter(move |it| it.kind == kind);
            lines.map(bare).collect::<HashSet<String>>()
        };
        let sides = [CodeLineKind::Removed, CodeLineKind::Added].map(of_side);
        let lines = hunk.lines.iter();
        lines.filter(move |code| !sides.iter().all(|side| side.contains(&bare(code))))
    });
    let changed = lines.filter_map(|code| {
        let sign = match code.kind {
            CodeLineKind::Context => return None,
            CodeLineKind::Added => '+',
            CodeLineKind::Removed => '-',
        };
        let text = code.text.trim();
        (!text.is_empty()).then(|| format!("  {sign} {}", line(text)))
    });
    changed.take(MAX_LINES)
}

/// How many folders a summary names.
const N_FOLDERS: usize = 8;

/// Sums up the files that were not taken, by their first folder.
struct Summary<'a> {
    files: Vec<&'a ChangedFile>,
    /// Their items, as far as they have one.
    items: Vec<usize>,
}

impl Tail for Summary<'_> {
    fn lines(&self, is_taken: &dyn Fn(usize) -> bool) -> Vec<String> {
        let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
        let mut n_left = 0;
        for (i, file) in self.files.iter().enumerate() {
            if !self.items.get(i).is_some_and(|&item| is_taken(item)) {
                let folder = file
                    .path
                    .as_str()
                    .split_once('/')
                    .map_or(".", |(folder, _)| folder);
                *folders.entry(folder).or_default() += 1;
                n_left += 1;
            }
        }
        if n_left == 0 {
            return Vec::new();
        }
        let mut folders: Vec<_> = folders.into_iter().collect();
        folders.sort_by_key(|&(_, n)| Reverse(n));
        let named: Vec<String> = folders
            .iter()
            .take(N_FOLDERS)
            .map(|(folder, n)| format!("{}/ {}", line(folder), grouped(*n)))
            .collect();
        vec![
            format!("… {}", counted(n_left, "more file", "more files")),
            format!("  {}", named.join(", ")),
        ]
    }
}

/// The section of committed context that became stale.
pub(crate) fn stale<'a>(answer: &DiffContext, n_max: usize) -> Section<'a> {
    let items: Vec<Item<'a>> = answer
        .stale
        .iter()
        .take(n_max)
        .map(|entry| {
            single(
                format!("{}: {}", line(entry.path.as_str()), line(&entry.reason)),
                0,
            )
        })
        .collect();
    Section {
        heading: "Stale",
        stages: vec![Stage::all((0..items.len() as u32).collect())],
        items,
        totals: vec![Total {
            one: "stale file",
            many: "stale files",
            n: answer.stale.len(),
        }],
        ..Section::default()
    }
}

fn single<'a>(text: String, total: u8) -> Item<'a> {
    Item {
        text: Text::Line(text),
        role: Role::Single,
        counts: Some((total, 1)),
    }
}

fn file_line(file: &ChangedFile) -> String {
    let mut out = format!("{} ", file.status.word().replace('-', " "));
    if let Some(old) = &file.old_path {
        let _ = write!(out, "{} → ", line(old.as_str()));
    }
    out.push_str(&line(file.path.as_str()));
    if file.old_mode != 0 && file.new_mode != 0 && file.old_mode != file.new_mode {
        let _ = write!(out, ", mode {:06o} → {:06o}", file.old_mode, file.new_mode);
    }
    match file.kind {
        FileKind::Binary => out.push_str(", binary"),
        FileKind::Submodule => {
            let short = |id: &Option<String>| {
                id.as_deref().map_or("nothing".to_owned(), |id| {
                    line(id.get(..9).unwrap_or(id)).into_owned()
                })
            };
            let _ = write!(
                out,
                ", submodule {} → {}",
                short(&file.blobs.0),
                short(&file.blobs.1)
            );
        }
        FileKind::Source | FileKind::Project | FileKind::Text if file.added + file.deleted > 0 => {
            let _ = write!(out, " +{} -{}", grouped(file.added), grouped(file.deleted));
        }
        FileKind::Source | FileKind::Project | FileKind::Text => {}
    }
    out
}
