//! The first lines: what was compared, how much changed, what the answer could not look at.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_wire::{DiffContext, FileNote, Frameworks, ProjectDamage, ProvenPart, SideEntry};

use super::plan::{Alone, Frame, Item, Role, Section, Stage, Text, Total, counted, grouped};
use crate::{
    More, RenderOptions,
    edit::difference,
    text::{prose, span},
};

/// So many lines of the message of the only commit are told below its subject.
const N_BODY: usize = 12;

/// So many of them come before all else, and more where they are short.
const N_FIRST: usize = 3;

/// A line of many takes a character for so many tokens of the budget, and those that come first together one for so many.
const TOKENS_PER_CHAR: usize = 25;
const TOKENS_PER_CHAR_OF_ALL: usize = 7;

/// How many paths a line names.
const N_PATHS: usize = 4;

/// So many places that mean something else are told.
const N_ELSEWHERE: usize = 8;

/// What of the change is proven, and what nobody who reads the diff sees.
fn proven(proof: &ProvenPart) -> Vec<String> {
    let all = proof.proven + proof.to_read;
    let of = counted(all as usize, "changed declaration", "changed declarations");
    let mut lines = vec![format!(
        "- proven to mean the same: {} of {of}",
        grouped(proof.proven as usize)
    )];
    let n = proof.total_elsewhere as usize;
    if n > 0 {
        let places = counted(n, "place", "places");
        lines.push(format!(
            "- unchanged text that means something else: {places}"
        ));
        let told = proof.elsewhere.iter().take(N_ELSEWHERE);
        lines.extend(told.map(|it| format!("  - {}", difference(it))));
        if n > N_ELSEWHERE {
            lines.push(format!("  - … {} more", n - N_ELSEWHERE));
        }
    }
    lines
}

/// The first line, the fullest form first.
pub(crate) fn titles(answer: &DiffContext) -> Vec<String> {
    let range = &answer.range;
    let totals = answer.totals;
    let size = format!(
        "{}, +{} -{}",
        counted(totals.files, "file", "files"),
        grouped(totals.added),
        grouped(totals.deleted)
    );
    let mut full = format!(
        "# diff-context {}: {} → {}",
        span(&range.spec),
        side(&range.old),
        side(&range.new)
    );
    if range.n_commits > 0 {
        full.push_str(&format!(
            ", {}",
            counted(range.n_commits, "commit", "commits")
        ));
    }
    full.push_str(&format!(", {size}"));
    if let Some(scope) = &range.scope {
        full.push_str(&format!(" in {}", span(&shortened(scope))));
    }
    if range.n_outside > 0 {
        let n = counted(range.n_outside, "changed file", "changed files");
        full.push_str(&format!(", {n} outside it"));
    }
    let types = counted(answer.types.len(), "type", "types");
    vec![
        full,
        format!("# {types} changed, {size}"),
        format!("{types} changed"),
    ]
}

/// So much of a scope is told.
const MAX_SCOPE: usize = 120;

fn shortened(scope: &str) -> String {
    match scope.char_indices().nth(MAX_SCOPE) {
        None => scope.to_owned(),
        Some((end, _)) => format!("{}…", &scope[..end]),
    }
}

/// The lines beneath it.
pub(crate) fn section<'a>(
    answer: &DiffContext,
    n_max: usize,
    options: &RenderOptions<'_>,
) -> Section<'a> {
    let range = &answer.range;
    let mut lines = Vec::new();
    for commit in range.commits.iter().take(n_max) {
        lines.push((
            format!("- {} {}", short(&commit.id), prose(&commit.subject)),
            Some((COMMITS, 1)),
        ));
    }
    let mut n_body = 0;
    if let [only] = range.commits.as_slice() {
        let body = message(&only.body, options);
        n_body = body.len();
        let told = body.into_iter().take(N_BODY);
        lines.extend(told.map(|text| (format!("  {text}"), Some((MESSAGE, 1)))));
    }
    let first_other = lines.len();
    let has_body = range.commits.len() == 1 && first_other > 1;
    if let Some(proof) = &answer.proof {
        lines.extend(proven(proof).into_iter().map(|text| (text, None)));
    }
    if !range.paths.is_empty() {
        let paths: Vec<String> = range.paths.iter().map(|path| span(path)).collect();
        lines.push((format!("- only {}", paths.join(" ")), None));
    }
    let first_note = lines.len();
    for (text, paths) in notes(&answer.notes).into_iter().take(n_max) {
        let line = format!(
            "- understood only in part, {}: {}",
            prose(text),
            some(&paths, "files")
        );
        lines.push((line, Some((NOTES, paths.len()))));
    }
    let first_framework = lines.len();
    if let Some(text) = damage(&answer.damage, options) {
        lines.push((text, None));
    }
    for text in frameworks(&answer.frameworks) {
        lines.push((text, None));
    }
    let n_lines = lines.len();
    // What limits or weakens the answer comes before the first commits, all else after them.
    let n_first = n_first(&lines[..first_other], options);
    let n_notes = first_note + (first_framework - first_note).min(3);
    let first = (first_other..n_notes)
        .chain(first_framework..n_lines)
        .chain(0..n_first);
    let rest = (n_notes..first_framework).chain(n_first..first_other);
    let stages = vec![
        Stage::all(first.map(|i| i as u32).collect()),
        Stage {
            items: rest.map(|i| i as u32).collect(),
            percent: 40,
            ..Stage::default()
        },
    ];
    Section {
        frame: Frame::Bare,
        stages,
        items: lines
            .into_iter()
            .enumerate()
            .map(|(i, (text, counts))| Item {
                text: Text::Line(text),
                // A message is cut at its end.
                role: match i {
                    0 if has_body => Role::Parent {
                        alone: Alone::Shown,
                        below: n_body,
                    },
                    1.. if has_body && i < first_other => Role::Child(0),
                    _ => Role::Single,
                },
                counts,
            })
            .collect(),
        totals: vec![
            Total {
                one: "commit",
                many: "commits",
                n: range.n_commits.max(range.commits.len()),
            },
            Total {
                one: "note",
                many: "notes",
                n: answer.notes.len(),
            },
            // What is cut of it says so itself.
            Total {
                one: "line of the message",
                many: "lines of the message",
                n: 0,
            },
        ],
        ..Section::default()
    }
}

/// How lines of messages begin that say nothing of the change: who worked on it, and what git wrote.
const TRAILERS: [&str; 5] = [
    "Co-authored-by:",
    "Signed-off-by:",
    "Merge branch",
    "Merge remote-tracking",
    "(cherry picked",
];

/// Whether a line of a message says something of the change.
fn says_something(text: &str) -> bool {
    let text = text.trim_start_matches(['*', '-', ' ']);
    !text.is_empty() && !TRAILERS.iter().any(|start| text.starts_with(start))
}

/// How many of the lines about commits come before all else.
fn n_first(lines: &[(String, Option<(u8, usize)>)], options: &RenderOptions<'_>) -> usize {
    let mut n_chars = 0;
    let short = lines.iter().skip(1).take_while(|(text, _)| {
        n_chars += text.len();
        n_chars <= options.budget / TOKENS_PER_CHAR_OF_ALL
    });
    lines.len().min(1 + short.count().max(N_FIRST))
}

/// The lines of a message that say something, each once; of many, their beginnings.
fn message(body: &str, options: &RenderOptions<'_>) -> Vec<String> {
    let lines = saying_lines(body);
    let n_chars = match lines.len() > N_FIRST {
        true => options.budget / TOKENS_PER_CHAR,
        false => usize::MAX,
    };
    let lines = lines.into_iter();
    let told = lines.map(|text| prose(&beginning(text, n_chars)).to_string());
    told.collect()
}

/// The lines of a message that say something. What says the same in capitals, as another point of a list or with a full stop
/// is told once: merged branches bring a line for each commit.
fn saying_lines(body: &str) -> Vec<&str> {
    let mut told = BTreeSet::new();
    let lines = body.lines().map(str::trim);
    let lines = lines.filter(|it| {
        let words = it.trim_matches(['*', '-', '.', ' ']).to_lowercase();
        says_something(it) && told.insert(words)
    });
    lines.collect()
}

/// The first characters of a long text.
fn beginning(text: &str, n_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(n_chars) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

const COMMITS: u8 = 0;
const NOTES: u8 = 1;
const MESSAGE: u8 = 2;

/// Files by what is the matter with them, in the order of their first.
fn notes(notes: &[FileNote]) -> Vec<(&str, Vec<&str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut by_text: BTreeMap<&str, usize> = BTreeMap::new();
    for note in notes {
        let group = *by_text.entry(&note.text).or_insert(groups.len());
        if group == groups.len() {
            groups.push((&note.text, Vec::new()));
        }
        groups[group].1.push(note.path.as_str());
    }
    groups
}

/// The first paths, and how many more there are.
fn some(paths: &[&str], word: &str) -> String {
    let shown: Vec<String> = paths.iter().take(N_PATHS).map(|path| span(path)).collect();
    let mut out = shown.join(" ");
    if paths.len() > N_PATHS {
        let n = paths.len() - N_PATHS;
        let word = match n {
            1 => word.trim_end_matches('s'),
            _ => word,
        };
        out.push_str(&format!(" and {} more {word}", grouped(n)));
    }
    out
}

/// One short line on what may be missing in the answer because it could not be read or bound.
fn damage(projects: &[ProjectDamage], options: &RenderOptions<'_>) -> Option<String> {
    if projects.is_empty() {
        return None;
    }
    let sum = |count: fn(&ProjectDamage) -> u64| projects.iter().map(count).sum::<u64>() as usize;
    let mut parts = Vec::new();
    let unbound = sum(|it| it.unbound);
    if unbound > 0 {
        let names = counted(sum(|it| it.names), "name", "names");
        parts.push(format!("{} of {names} unresolved", grouped(unbound)));
    }
    let files = sum(|it| it.degraded_files + it.skipped_files);
    if files > 0 {
        parts.push(format!(
            "{} parsed only in part",
            counted(files, "file", "files")
        ));
    }
    let packages = projects.iter().flat_map(|it| &it.missing_packages);
    let packages: BTreeSet<&str> = packages.map(String::as_str).collect();
    if !packages.is_empty() {
        let number = counted(packages.len(), "package", "packages");
        parts.push(format!("{number} missing"));
    }
    if parts.is_empty() {
        parts.push("unreadable assemblies".to_owned());
    }
    let place = match projects {
        [only] => span(only.project.as_str()),
        several => counted(several.len(), "project", "projects"),
    };
    Some(format!(
        "- results may be incomplete in {place}: {} ({})",
        parts.join(", "),
        span(&options.more(More::ProjectStatus))
    ))
}

/// One line for each set of frameworks, the one of most projects first.
fn frameworks(entries: &[Frameworks]) -> Vec<String> {
    let mut sets: BTreeMap<(&str, &[String]), Vec<&str>> = BTreeMap::new();
    for entry in entries {
        sets.entry((&entry.active, &entry.others))
            .or_default()
            .push(entry.project.as_str());
    }
    let mut sets: Vec<_> = sets.into_iter().collect();
    sets.sort_by_key(|(_, projects)| std::cmp::Reverse(projects.len()));
    let is_one = sets.len() == 1;
    sets.into_iter()
        .map(|((active, others), projects)| {
            let mut text = format!("- target framework {}", prose(active));
            // Which projects have it matters where others have another one.
            let projects_named = match is_one && projects.len() > 2 {
                true => counted(projects.len(), "project", "projects"),
                false => some(&projects, "projects"),
            };
            match others {
                [] => text.push_str(&format!(" of {projects_named}")),
                others => text.push_str(&format!(
                    " ({projects_named} also {} {})",
                    if projects.len() == 1 {
                        "targets"
                    } else {
                        "target"
                    },
                    prose(&others.join(", "))
                )),
            }
            text
        })
        .collect()
}

fn side(side: &SideEntry) -> String {
    match (&side.commit, side.kind) {
        (Some(commit), cortex_wire::SideKind::Commit) => short(commit),
        (Some(commit), kind) => format!("{} over {}", words(kind), short(commit)),
        (None, kind) => words(kind),
    }
}

/// The first characters of an id: enough for people.
fn short(id: &str) -> String {
    prose(id.get(..9).unwrap_or(id))
}

/// A kind of side for people.
fn words(kind: cortex_wire::SideKind) -> String {
    kind.word().replace('-', " ")
}

#[cfg(test)]
mod tests {
    use super::{beginning, saying_lines, says_something};

    #[test]
    fn trailers_and_rules_say_nothing() {
        for text in [
            "",
            "---------",
            "* Merge branch 'main' into x",
            "Co-authored-by: A <a@b>",
        ] {
            assert!(!says_something(text), "{text}");
        }
        assert!(says_something("* Remove the guard"));
    }

    #[test]
    fn lines_that_repeat_are_told_once() {
        let body = "* Fix tests\n\n* Add a guard.\n* fix tests\n- Add a guard";
        assert_eq!(saying_lines(body), ["* Fix tests", "* Add a guard."]);
    }

    #[test]
    fn a_long_text_is_told_by_its_beginning() {
        assert_eq!(beginning("äöü", 2), "äö…");
        assert_eq!(beginning("äöü", 3), "äöü");
        assert_eq!(beginning("äöü", usize::MAX), "äöü");
    }
}
