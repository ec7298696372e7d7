//! The first lines: what was compared, how much changed, what the answer could not look at.

use std::collections::BTreeMap;

use cortex_query::{DiffContext, Frameworks, SideEntry};

use super::plan::{Frame, Item, Role, Section, Stage, Text, Total, counted, grouped};
use crate::text::{prose, span};

/// How many projects a line about target frameworks names.
const N_PROJECTS: usize = 4;

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
    let types = counted(answer.types.len(), "type", "types");
    vec![
        full,
        format!("# {types} changed, {size}"),
        format!("{types} changed"),
    ]
}

/// The lines beneath it.
pub(crate) fn section<'a>(answer: &DiffContext, n_max: usize) -> Section<'a> {
    let range = &answer.range;
    let mut lines = Vec::new();
    for commit in range.commits.iter().take(n_max) {
        lines.push((
            format!("- {} {}", short(&commit.id), prose(&commit.subject)),
            Some((COMMITS, 1)),
        ));
    }
    let first_other = lines.len();
    if !range.paths.is_empty() {
        let paths: Vec<String> = range.paths.iter().map(|path| span(path)).collect();
        lines.push((format!("- only {}", paths.join(" ")), None));
    }
    let first_note = lines.len();
    for note in answer.notes.iter().take(n_max) {
        let text = format!(
            "- not understood as a whole: {}: {}",
            span(note.path.as_str()),
            prose(&note.text)
        );
        lines.push((text, Some((NOTES, 1))));
    }
    let first_framework = lines.len();
    for text in frameworks(&answer.frameworks) {
        lines.push((text, None));
    }
    let n_lines = lines.len();
    // What limits or weakens the answer comes before the first commits, those before the others.
    let n_first = first_other.min(3);
    let order = (first_other..first_note)
        .chain(first_note..first_framework.min(first_note + 3))
        .chain(first_framework..n_lines)
        .chain(0..n_first)
        .chain(first_framework.min(first_note + 3)..first_framework)
        .chain(n_first..first_other)
        .map(|i| i as u32);
    Section {
        frame: Frame::Bare,
        stages: vec![Stage::all(order.collect())],
        items: lines
            .into_iter()
            .map(|(text, counts)| Item {
                text: Text::Line(text),
                role: Role::Single,
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
        ],
        ..Section::default()
    }
}

const COMMITS: u8 = 0;
const NOTES: u8 = 1;

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
    sets.into_iter()
        .map(|((active, others), projects)| {
            let mut text = format!("- looked at {}", prose(active));
            if !others.is_empty() {
                text.push_str(&format!(", not {}", prose(&others.join(", "))));
            }
            let shown: Vec<String> = projects
                .iter()
                .take(N_PROJECTS)
                .map(|path| span(path))
                .collect();
            text.push_str(&format!(", of {}", shown.join(" ")));
            if projects.len() > N_PROJECTS {
                text.push_str(&format!(
                    " and {} more projects",
                    grouped(projects.len() - N_PROJECTS)
                ));
            }
            text
        })
        .collect()
}

fn side(side: &SideEntry) -> String {
    match (&side.commit, side.kind) {
        (Some(commit), "commit") => short(commit),
        (Some(commit), kind) => format!("{kind} over {}", short(commit)),
        (None, kind) => kind.to_owned(),
    }
}

/// The first characters of an id: enough for people.
fn short(id: &str) -> String {
    prose(id.get(..9).unwrap_or(id))
}
