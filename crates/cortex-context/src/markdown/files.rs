//! Files that are not told by the types in them, and committed context that became stale.

mod carried;
mod long_lines;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashSet},
    fmt::Write,
};

use cortex_wire::{
    ChangedFile, CodeLine, CodeLineKind, CodePlace, DiffContext, FileKind, FileStatus,
};

use self::carried::Carried;
use super::{
    impact::listed,
    places::in_members,
    plan::{Alone, Item, Role, Section, Stage, Tail, Text, Total, counted, grouped},
};
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
                || file.status == FileStatus::ModeChanged
                || file.kind == FileKind::Binary
        })
        .collect();
    // What was there and differs has users.
    rest.sort_by_key(|file| (weight(file), file.status != FileStatus::Modified));
    let mut items: Vec<Item<'a>> = Vec::new();
    for change in answer.projects.iter().take(n_max) {
        items.push(single(
            format!("{}: {}", line(change.path.as_str()), line(&change.text)),
            0,
        ));
    }
    let n_files = rest.len();
    let mut heads: Vec<u32> = (0..items.len() as u32).collect();
    let [mut first_lines, mut more_lines, mut last_lines] = [Vec::new(), Vec::new(), Vec::new()];
    let mut places = Vec::new();
    let mut told = HashSet::new();
    let carried = Carried::between(&rest[..rest.len().min(n_max)]);
    for (nth, file) in rest.iter().take(n_max).enumerate() {
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
        let around = around(file).into_iter().chain(carried.row(nth));
        let around = around.map(|text| (text, 0));
        let lines = changed_lines(file, &|text| carried.has(nth, text), &mut told);
        for (text, weight) in lines.into_iter().chain(around) {
            match weight {
                0 => first_lines.push(items.len() as u32),
                OF_PROSE => last_lines.push(items.len() as u32),
                _ => more_lines.push(items.len() as u32),
            }
            items.push(Item {
                text: Text::Line(text),
                role: Role::FreeChild(parent),
                counts: None,
            });
        }
    }
    Section {
        heading: "Other files",
        stages: vec![
            Stage::all(heads),
            Stage::all(first_lines),
            Stage::all(more_lines),
            Stage {
                items: last_lines,
                percent: 60,
                ..Stage::default()
            },
        ],
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

/// Rows for what has to do with a changed file: the files beside it, and the strings that name it.
fn around(file: &ChangedFile) -> Vec<String> {
    let mut out = Vec::new();
    if !file.beside.is_empty() {
        let names = file.beside.iter().map(|it| line(it.file_name()));
        let names = listed(&names.collect::<Vec<_>>(), ", ");
        out.push(format!("  beside it, unchanged: {names}"));
    }
    if !file.same_section.is_empty() {
        let paths = file.same_section.iter().map(|it| line(it.as_str()));
        let paths = listed(&paths.collect::<Vec<_>>(), ", ");
        out.push(format!("  the same section, unchanged: {paths}"));
    }
    if !file.named_at.is_empty() {
        let places: Vec<&CodePlace> = file.named_at.iter().collect();
        out.push(format!("  named at {}", in_members(&places)));
    }
    out
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

/// Formats that say what a database does.
const DATABASE: [&str; 1] = ["sql"];

/// Where a file stands: what runs first, what changes nothing last.
fn weight(file: &ChangedFile) -> u8 {
    if LOCKS.contains(&file.path.file_name()) {
        4
    } else if has_format(file, &PROSE) {
        2
    } else if file.kind == FileKind::Text && changes_nothing(file) {
        3
    } else if has_format(file, &DATABASE) {
        0
    } else {
        1
    }
}

/// Whether the lines of a text are the same but for white space, or all of them.
fn changes_nothing(file: &ChangedFile) -> bool {
    let is_alone = file.added + file.deleted == 0 && file.old_mode == file.new_mode;
    let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let of_side = |kind| {
        let lines = lines.clone().filter(move |it| it.kind == kind);
        let text = lines.flat_map(|it| it.text.chars());
        text.filter(|c| !c.is_whitespace()).collect::<String>()
    };
    is_alone
        || !file.hunks.is_empty() && of_side(CodeLineKind::Added) == of_side(CodeLineKind::Removed)
}

fn has_format(file: &ChangedFile, formats: &[&str]) -> bool {
    (formats.iter()).any(|it| file.path.extension().eq_ignore_ascii_case(it))
}

/// A line without the white space around it, and without a mark of the encoding.
fn plain(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

/// So many changed lines of a file are shown.
const MAX_LINES: usize = 12;

/// So many unchanged lines around a changed one are shown where there is room.
const N_AROUND: usize = 2;

/// So many of a file that says what a database does.
const MAX_OF_DATABASE: usize = 16;

/// Words with which lines of SQL begin that say which rows are taken or changed, and what of the database.
const STATEMENTS: [&str; 39] = [
    "ADD", "ALTER", "AND", "CASE", "CROSS", "DEFAULT", "DELETE", "DROP", "ELSE", "EXEC", "EXECUTE",
    "FROM", "FULL", "GROUP", "HAVING", "IF", "INNER", "INSERT", "JOIN", "LEFT", "MERGE", "NOT",
    "ON", "OR", "ORDER", "OUTER", "RETURN", "RIGHT", "SELECT", "SET", "THROW", "TOP", "TRUNCATE",
    "UNION", "UPDATE", "USING", "WHEN", "WHERE", "WITH",
];

/// Lines of SQL that say nothing of their own.
const FRAMES: [&str; 8] = [
    "AS",
    "BEGIN",
    "END",
    "GO",
    "(",
    ")",
    "SET NOCOUNT ON",
    "SELECT",
];

/// How little a line of SQL says: the conditions of a statement say more than its columns. Heads of definitions stand among
/// the changes of the database.
fn weight_in_sql(text: &str) -> u8 {
    let text = text.trim().trim_end_matches([';', ',']).trim();
    if text.is_empty()
        || text.starts_with("--")
        || FRAMES.iter().any(|it| it.eq_ignore_ascii_case(text))
    {
        return 2;
    }
    let is_statement = |word: &str| STATEMENTS.iter().any(|it| it.eq_ignore_ascii_case(word));
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let starts = words.next().is_some_and(is_statement);
    match starts && words.filter(|word| !word.is_empty()).all(is_statement) {
        // A keyword alone stands on its line where what it is about follows.
        true => 2,
        false => u8::from(!starts),
    }
}

/// Formats of which changed lines say little about what runs.
const PROSE: [&str; 3] = ["md", "txt", "rst"];

/// How little a line of prose says.
const OF_PROSE: u8 = 3;

/// The changed lines of a short change, with their signs and how little they say, in their order; of many those that say
/// most; of other formats than SQL with unchanged lines around them. `is_carried`: whether a line stands in another file on
/// the other side; `told`: lines of SQL that earlier files showed, which are not shown again, such as those of a migration.
fn changed_lines(
    file: &ChangedFile,
    is_carried: &dyn Fn(&str) -> bool,
    told: &mut HashSet<String>,
) -> Vec<(String, u8)> {
    let is_text = matches!(
        file.kind,
        FileKind::Text | FileKind::Project | FileKind::Source
    );
    let is_written = !file.is_generated && !LOCKS.contains(&file.path.file_name());
    let is_wanted = is_text && is_written;
    let hunks = file.hunks.iter().filter(|_| is_wanted);
    let lines = hunks.flat_map(|hunk| {
        // A comma more or less follows from the line behind it.
        let bare = |code: &CodeLine| plain(&code.text).trim_end_matches(',').to_owned();
        let of_side = |kind| {
            let lines = hunk.lines.iter().filter(move |it| it.kind == kind);
            lines.map(bare).collect::<HashSet<String>>()
        };
        let sides = [CodeLineKind::Removed, CodeLineKind::Added].map(of_side);
        let lines = hunk.lines.iter().filter_map(move |code| {
            let is_on_both = sides.iter().all(|side| side.contains(&bare(code)));
            let sign = match code.kind {
                CodeLineKind::Removed if is_on_both => return None,
                CodeLineKind::Added if !is_on_both => '+',
                CodeLineKind::Removed => '-',
                CodeLineKind::Added | CodeLineKind::Context => ' ',
            };
            Some((sign, plain(&code.text)))
        });
        lines.filter(|(_, text)| !text.is_empty())
    });
    let lines = lines.filter(|(sign, text)| *sign == ' ' || !is_carried(text));
    let lines: Vec<(char, &str)> = lines.collect();
    let parts = long_lines::differing(&lines);
    let lines = lines.iter().zip(&parts);
    let lines: Vec<(char, &str)> = lines.map(|(it, part)| (it.0, &**part)).collect();
    let is_prose = has_format(file, &PROSE);
    let shown = |(sign, text): (char, &str)| format!("  {sign} {}", line(text));
    if !has_format(file, &DATABASE) {
        let kept = match is_prose {
            true => of_prose(&lines),
            false => with_context(&lines),
        };
        let weight = |least: u8| if is_prose { OF_PROSE } else { least };
        let n_changed = |lines: &[(char, &str)]| lines.iter().filter(|it| it.0 != ' ').count();
        let n_more = n_changed(&lines) - n_changed(&kept);
        let kept = kept
            .into_iter()
            .map(|it| (shown(it), weight(u8::from(it.0 == ' '))));
        let more = (n_more > 0).then(|| {
            format!(
                "  … {}",
                counted(n_more, "more changed line", "more changed lines")
            )
        });
        return kept.chain(more.map(|text| (text, weight(0)))).collect();
    }
    let changed = lines.into_iter().filter(|(sign, _)| *sign != ' ');
    let bare = |(sign, text): (char, &str)| format!("{sign}{}", text.trim_end_matches([';', ',']));
    let changed: Vec<(char, &str)> = changed.filter(|it| !told.contains(&bare(*it))).collect();
    told.extend(changed.iter().copied().map(bare));
    let says = |at: &usize| weight_in_sql(changed[*at].1);
    let mut chosen: Vec<usize> = (0..changed.len()).filter(|at| says(at) < 2).collect();
    chosen.sort_by_key(says);
    chosen.truncate(MAX_OF_DATABASE);
    chosen.sort_unstable();
    let chosen = chosen.into_iter();
    chosen.map(|at| (shown(changed[at]), says(&at))).collect()
}

/// The changed lines of a document; of many the headings, then the first others.
fn of_prose<'t>(lines: &[(char, &'t str)]) -> Vec<(char, &'t str)> {
    let changed: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].0 != ' ').collect();
    let (headings, others): (Vec<usize>, Vec<usize>) =
        (changed.into_iter()).partition(|&at| lines[at].1.starts_with('#'));
    let kept = headings.into_iter().chain(others).take(MAX_LINES);
    let kept: BTreeSet<usize> = kept.collect();
    kept.into_iter().map(|at| lines[at]).collect()
}

/// The changed lines, of many the first ones of both sides, with what stands around these and has a word.
fn with_context<'t>(lines: &[(char, &'t str)]) -> Vec<(char, &'t str)> {
    let says = |at: usize| {
        let text = lines[at].1;
        text.contains(char::is_alphanumeric) && !text.starts_with("</")
    };
    let of_side = |wanted: char| {
        let all = (0..lines.len()).filter(|&at| lines[at].0 == wanted);
        all.collect::<Vec<usize>>()
    };
    let mut sides = ['-', '+'].map(of_side);
    if sides.iter().map(Vec::len).sum::<usize>() > MAX_LINES {
        sides
            .iter_mut()
            .for_each(|side| side.retain(|&at| says(at)));
        // What one side does not need the other one may have.
        let n_least = sides.each_ref().map(|side| side.len().min(MAX_LINES / 2));
        sides[0].truncate(MAX_LINES - n_least[1]);
        sides[1].truncate(MAX_LINES - n_least[0].min(sides[0].len()));
    }
    let kept: BTreeSet<usize> = sides.into_iter().flatten().collect();
    let is_near = |at: usize| {
        let around = at.saturating_sub(N_AROUND)..=at + N_AROUND;
        kept.range(around).next().is_some()
    };
    (0..lines.len())
        .filter(|&at| kept.contains(&at) || lines[at].0 == ' ' && says(at) && is_near(at))
        .map(|at| lines[at])
        .collect()
}

/// The percentages of all space that the section may take at first and then: changes of a database are told by their lines
/// alone.
pub(crate) fn shares(answer: &DiffContext) -> [usize; 2] {
    match answer.files.iter().any(|file| has_format(file, &DATABASE)) {
        true => [8, 14],
        false => [3, 5],
    }
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

#[cfg(test)]
mod tests {
    use super::{MAX_LINES, with_context};

    #[test]
    fn of_many_changed_lines_both_sides_have_some() {
        let gone: Vec<String> = (0..15)
            .map(|n| format!("<data name=\"gone{n}\">"))
            .collect();
        let mut lines: Vec<(char, &str)> = vec![(' ', "before")];
        lines.extend(
            gone.iter()
                .flat_map(|it| [('-', it.as_str()), ('-', "</data>")]),
        );
        lines.extend([('+', "<data name=\"new\">"), ('+', "</data>"), (' ', "}")]);
        let kept = with_context(&lines);
        let n_of = |sign| kept.iter().filter(|it| it.0 == sign).count();
        assert_eq!(
            (n_of('-'), n_of('+'), n_of(' ')),
            (MAX_LINES - 1, 1, 1),
            "{kept:?}"
        );
        // Of few lines all are kept.
        let few = [('-', "}"), ('+', "</data>")];
        assert_eq!(with_context(&few), few);
    }
}
