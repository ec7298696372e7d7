//! The history of a symbol as text, and as Markdown within a budget.
//!
//! Owns: what one entry says, in which lines. Must not know: how commits are walked.

mod lines;
#[cfg(test)]
mod tests;

use cortex_wire::Parents;
use cortex_wire::SymbolHistory;

use crate::{
    More, RenderOptions,
    markdown::{
        fit::{Fit, Grant},
        plan::{Alone, Frame, Item, Plan, Role, Section, Stage, Text, Total, counted, grouped},
    },
    text::{line, prose, span},
};

const HEADER: usize = 0;
const ENTRIES: usize = 1;

const GRANTS: [Grant; 2] = [Grant::of(HEADER, 30), Grant::of(ENTRIES, 100)];

/// How many lines each entry may have before others have theirs.
const FIRST_LINES: usize = 6;

/// Renders a history as Markdown of at most `options.budget` tokens: all entries in a line each first, then what
/// happened in them, the newest first.
///
/// Equal answers and options give equal bytes. Cost: each considered line is counted once, the whole text a few
/// times.
pub fn history_markdown(answer: &SymbolHistory, options: &RenderOptions<'_>) -> String {
    // No line has fewer tokens on average: what lies beyond could not be shown.
    let n_max = options.budget / 6 + 1;
    let header: Vec<String> = (header(answer, options).into_iter())
        .map(|text| format!("- {}", prose(&text)))
        .collect();
    let name = span(&answer.symbol.path);
    let n_changes = counted(answer.entries.len(), "change", "changes");
    let plan = Plan {
        titles: vec![
            format!(
                "# history {name}: {} {}, {n_changes} in {}",
                answer.symbol.kind,
                id(answer),
                n_commits(answer)
            ),
            format!("# history {name}: {n_changes}"),
            n_changes,
        ],
        sections: vec![
            Section {
                frame: Frame::Bare,
                stages: vec![Stage::all((0..header.len() as u32).collect())],
                items: header
                    .into_iter()
                    .map(|text| Item {
                        text: Text::Line(text),
                        role: Role::Single,
                        counts: None,
                    })
                    .collect(),
                ..Section::default()
            },
            entries(answer, n_max),
        ],
        all_items: None,
        yields: None,
    };
    Fit::new(&plan, options).render(&GRANTS, &GRANTS)
}

/// Renders all of a history as text for people.
pub fn history_text(answer: &SymbolHistory, options: &RenderOptions<'_>) -> String {
    let mut out = format!(
        "{}: {} {}, {} in {}\n",
        line(&answer.symbol.path),
        answer.symbol.kind,
        id(answer),
        counted(answer.entries.len(), "change", "changes"),
        n_commits(answer)
    );
    for text in header(answer, options) {
        out.push_str(&format!("  {}\n", line(&text)));
    }
    for entry in &answer.entries {
        out.push_str(&format!("\n{}\n", lines::title(entry)));
        for (text, _) in lines::details(entry) {
            out.push_str(&format!("  {text}\n"));
        }
    }
    out
}

/// The entries: a line for each, lines of what happened beneath.
fn entries<'a>(answer: &SymbolHistory, n_max: usize) -> Section<'a> {
    let mut items = Vec::new();
    let (mut titles, mut first, mut more) = (Vec::new(), Vec::new(), Vec::new());
    let mut n_lines = 0;
    for entry in &answer.entries {
        let details = lines::details(entry);
        let n_below: usize = details.iter().map(|(_, n)| n).sum();
        n_lines += n_below;
        if items.len() >= n_max {
            continue;
        }
        let parent = items.len() as u32;
        titles.push(parent);
        items.push(Item {
            text: Text::Line(lines::title(entry)),
            role: Role::Parent {
                alone: Alone::Shown,
                below: n_below,
            },
            counts: Some((0, 1)),
        });
        for (nth, (text, n)) in details.into_iter().enumerate() {
            let stage = if nth < FIRST_LINES {
                &mut first
            } else {
                &mut more
            };
            stage.push(items.len() as u32);
            items.push(Item {
                text: Text::Line(format!("  {text}")),
                role: Role::Child(parent),
                counts: (n > 0).then_some((1, n)),
            });
        }
    }
    Section {
        heading: "Changes",
        note: lines::legend(answer),
        items,
        stages: vec![
            Stage {
                items: titles.clone(),
                percent: 60,
                ..Stage::default()
            },
            Stage::all(first),
            Stage::all(titles),
            Stage::all(more),
        ],
        totals: vec![
            Total {
                one: "change",
                many: "changes",
                n: answer.entries.len(),
            },
            Total {
                one: "line",
                many: "lines",
                n: n_lines,
            },
        ],
        ..Section::default()
    }
}

/// What one must know to read the entries rightly.
fn header(answer: &SymbolHistory, options: &RenderOptions<'_>) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(was) = &answer.redirected_from {
        out.push(format!("{was} was renamed to this symbol"));
    }
    if answer.is_guess {
        out.push(crate::look::no_such_symbol(&answer.asked));
    }
    if !answer.exists {
        out.push("it no longer exists".to_owned());
    }
    if let Some(drift) = answer.drift.as_ref().filter(|drift| drift.is_over) {
        let changes = counted(drift.n_changes, "internal change", "internal changes");
        out.push(match &drift.since {
            Some(since) => format!("{changes} since {}, the last public change", short(since)),
            None => format!("{changes}, no public change"),
        });
    }
    let oldest = short(&answer.range.oldest);
    match answer.existed_before {
        Some(true) if answer.gap.is_some() => out.push(format!(
            "it already existed at {oldest}, the oldest commit searched"
        )),
        Some(true) => out.push("it already existed before these commits".to_owned()),
        None => out.push("older changes were not searched for".to_owned()),
        Some(false) => {}
    }
    if let Some(gap) = &answer.gap {
        let end = match &gap.commit {
            Some(commit) => format!("{} and older commits are not indexed", short(commit)),
            None => "this is a shallow clone".to_owned(),
        };
        out.push(format!(
            "{end}, so only {} searched; to search more, run `{}`",
            match answer.range.n_commits {
                1 => "1 commit was".to_owned(),
                n => format!("{} commits were", grouped(n)),
            },
            options.more(More::OlderCommits(&gap.fill))
        ));
    }
    out
}

fn n_commits(answer: &SymbolHistory) -> String {
    let range = &answer.range;
    let n = counted(range.n_commits, "commit", "commits");
    let which = match (&range.spec, range.parents) {
        (Some(spec), Parents::First) => format!("of {}, first parents", line(spec)),
        (Some(spec), _) => format!("of {}", line(spec)),
        (None, _) => "of HEAD, first parents".to_owned(),
    };
    format!("{n} {which}")
}

fn id(answer: &SymbolHistory) -> String {
    let symbol = &answer.symbol;
    match &symbol.member_id {
        Some(member) => format!("{}_{member}", symbol.type_id),
        None => symbol.type_id.clone(),
    }
}

/// A commit's id as people write it.
fn short(id: &str) -> &str {
    id.get(..9).unwrap_or(id)
}

/// A number of things that are not listed.
fn more(n: usize) -> String {
    format!("… {} more", grouped(n))
}
