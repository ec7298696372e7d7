//! Bases and derived types, overridden and overriding members, implementations.

use std::collections::BTreeMap;

use cortex_wire::{Envelope, Kinship, RelativeEntry, RelativesAnswer};

use super::{About, list::List, notes, parts, short, title_markdown, title_text};
use crate::{
    More, RenderOptions,
    markdown::plan::{counted, grouped},
    text::{line, prose, span},
};

/// Text for people: what is above, then what is below.
pub fn relatives_text(envelope: &Envelope<RelativesAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut out = format!("{}\n", title_text(&answer.subject, about));
    for note in header(answer, about, options) {
        out.push_str(&format!("  {}\n", line(&note)));
    }
    for (title, entries, n) in directions(answer) {
        if entries.is_empty() {
            continue;
        }
        out.push_str(&format!("\n{title}\n"));
        for (depth, entry) in tree(entries) {
            let indent = "  ".repeat(depth);
            out.push_str(&format!("{indent}{}\n", line(&tell(answer, entry))));
        }
        if entries.len() < n {
            out.push_str(&format!(
                "  … and {} more ({})\n",
                grouped(n - entries.len()),
                options.more_items(n)
            ));
        }
    }
    out
}

/// Markdown of at most `options.budget` tokens, as the answer of a command.
pub fn relatives_markdown(
    envelope: &Envelope<RelativesAnswer>,
    options: &RenderOptions<'_>,
) -> String {
    let (answer, about) = parts(envelope);
    let command = match answer.kinship {
        Kinship::Implementations => "implementations",
        Kinship::Overrides => "overrides",
        Kinship::Hierarchy => "hierarchy",
    };
    let resolved = &answer.subject.resolved;
    let groups = directions(answer).into_iter().map(|(title, entries, _)| {
        let lines = entries.iter().map(|entry| prose(&tell(answer, entry)));
        (title.to_owned(), lines.collect())
    });
    let total = answer.n_up + answer.n_down;
    let count = counted(total, "relative", "relatives");
    let is_cut = answer.up.len() + answer.down.len() < total;
    List {
        titles: vec![
            title_markdown(command, &answer.subject, about),
            format!("# {command} {}", span(&resolved.path)),
            count,
        ],
        notes: header(answer, about, options)
            .iter()
            .map(|note| prose(note))
            .collect(),
        groups: groups
            .filter(|(_, lines): &(_, Vec<_>)| !lines.is_empty())
            .collect(),
        noun: ("relative", "relatives"),
        total,
        all_items: is_cut.then_some(answer.n_up.max(answer.n_down)),
    }
    .render(options)
}

/// Entries each behind the one that is a step nearer, with their depth, from 1.
fn tree(entries: &[RelativeEntry]) -> Vec<(usize, &RelativeEntry)> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); entries.len()];
    let mut roots: Vec<usize> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        // What is nearer comes before.
        let nearer = entry.nearer.as_deref().and_then(|id| known.get(id));
        match nearer {
            Some(&nearer) => below[nearer].push(at),
            None => roots.push(at),
        }
        known.entry(&entry.doc_id).or_insert(at);
    }
    let mut out = Vec::with_capacity(entries.len());
    let mut open: Vec<(usize, usize)> = roots.iter().rev().map(|&at| (1, at)).collect();
    while let Some((depth, at)) = open.pop() {
        out.push((depth, &entries[at]));
        open.extend(below[at].iter().rev().map(|&at| (depth + 1, at)));
    }
    out
}

fn directions(answer: &RelativesAnswer) -> [(&'static str, &[RelativeEntry], usize); 2] {
    let is_type = answer.subject.resolved.kind.is_type();
    let (up, down) = match (answer.kinship, is_type) {
        (Kinship::Implementations, _) => ("Base types", "Implementations"),
        (_, true) => ("Base types", "Derived types"),
        (Kinship::Overrides, false) => ("Overridden members", "Overrides"),
        (Kinship::Hierarchy, false) => {
            ("Overridden or implemented", "Overrides and implementations")
        }
    };
    [
        (up, &answer.up, answer.n_up),
        (down, &answer.down, answer.n_down),
    ]
}

fn header(answer: &RelativesAnswer, about: About<'_>, options: &RenderOptions<'_>) -> Vec<String> {
    let mut out = notes(&answer.subject);
    out.push(counts(answer));
    if answer.n_implements > 0 {
        let n = counted(answer.n_implements, "member", "members");
        out.push(format!(
            "implements {n} of interfaces (see {})",
            options.more(More::Hierarchy)
        ));
    }
    if answer.n_implementations > 0 {
        let n = counted(
            answer.n_implementations,
            "member implements",
            "members implement",
        );
        out.push(format!(
            "{n} it (see {})",
            options.more(More::Implementations)
        ));
    }
    if about.limits.timed_out {
        out.push(super::out_of_time(options));
    }
    out
}

/// How many relatives there are, in the terms of types or of members.
fn counts(answer: &RelativesAnswer) -> String {
    let is_type = answer.subject.resolved.kind.is_type();
    let down = match (answer.kinship, is_type) {
        (Kinship::Implementations, _) => ("implementation", "implementations"),
        (_, true) => ("derived type", "derived types"),
        (Kinship::Overrides, false) => ("override", "overrides"),
        (Kinship::Hierarchy, false) => (
            "overriding or implementing member",
            "overriding or implementing members",
        ),
    };
    let down = counted(answer.n_down, down.0, down.1);
    let up = match (answer.kinship, is_type) {
        (Kinship::Implementations, _) => return down,
        (_, true) => ("base type", "base types"),
        (Kinship::Overrides, false) => ("overridden member", "overridden members"),
        (Kinship::Hierarchy, false) => (
            "overridden or implemented member",
            "overridden or implemented members",
        ),
    };
    format!("{}, {down}", counted(answer.n_up, up.0, up.1))
}

/// A relative that the answer may not name.
const OUTSIDE: &str = "a symbol outside the filter";

fn tell(answer: &RelativesAnswer, entry: &RelativeEntry) -> String {
    let mut out = format!("{} {}", entry.kind, name(&entry.doc_id));
    let own = answer.subject.resolved.doc_id.as_deref();
    let is_up = answer.up.iter().any(|it| std::ptr::eq(it, entry));
    let is_direct = own.is_some() && own == entry.nearer.as_deref();
    let relation = entry.relation;
    match (&entry.nearer, is_direct) {
        (_, true) if relation == cortex_wire::Relation::Inherits => {}
        (_, true) => out.push_str(&format!(" ({relation})")),
        (Some(nearer), false) if is_up => {
            out.push_str(&format!(" ({} {relation} it)", short(nearer)));
        }
        (Some(nearer), false) => out.push_str(&format!(" ({relation} {})", short(nearer))),
        (None, false) if is_up => {
            out.push_str(&format!(" ({OUTSIDE} {relation} it)"));
        }
        (None, false) => out.push_str(&format!(" ({relation} {OUTSIDE})")),
    }
    if let Some(inside) = &entry.inside {
        out.push_str(&format!(" in {}", short(inside)));
    }
    match (&entry.at, &entry.assembly) {
        (Some(at), _) => out.push_str(&format!(" {}:{}", at.file, at.line)),
        (None, Some(assembly)) => out.push_str(&format!(" in {assembly}")),
        (None, None) => {}
    }
    out + &super::only_in(&entry.frameworks)
}

/// A documentation id without its letter.
fn name(id: &str) -> &str {
    id.split_once(':').map_or(id, |(_, name)| name)
}
