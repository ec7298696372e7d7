//! Who calls a member, and whom it calls.

use std::collections::BTreeMap;

use cortex_wire::{CallEdge, CallItem, CallsAnswer, Direction, Envelope, Role};

use super::{
    About, folded::folded, list::List, notes, parts, short, through_note, title_markdown,
    title_text, usages::doubts,
};
use crate::{
    RenderOptions,
    markdown::plan::{counted, grouped},
    text::{line, prose, span},
};

/// Text for people: the nearest first, each with the places of its calls.
pub fn calls_text(envelope: &Envelope<CallsAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut out = format!("{}\n", title_text(&answer.subject, about));
    for note in header(answer, about, options) {
        out.push_str(&format!("  {}\n", line(&note)));
    }
    let edges = by_item(answer);
    for ring in answer.items.chunk_by(|a, b| a.depth == b.depth) {
        let depth = ring[0].depth as usize;
        let steps = counted(depth, "step away", "steps away");
        out.push_str(&format!("\n{steps}\n"));
        let (items, folded) = folded(answer, ring, &edges, options);
        for item in items {
            out.push_str(&format!("  {}\n", line(&entry(item))));
            for note in item_notes(answer, item, options) {
                out.push_str(&format!("    {}\n", line(&note)));
            }
            for edge in edges.get(item.doc_id.as_str()).into_iter().flatten() {
                out.push_str(&format!("    {}\n", line(&call(answer, edge))));
                for site in &edge.sites {
                    let text = format!("{}:{}:{} {}", site.file, site.line, site.column, site.text);
                    out.push_str(&format!("      {}\n", line(&text)));
                }
            }
        }
        for group in folded {
            out.push_str(&format!("  {}\n", line(&group.heading)));
            for row in group.rows {
                out.push_str(&format!("    {}\n", line(&row)));
            }
        }
    }
    if answer.items.len() < answer.total {
        let n = answer.total - answer.items.len();
        let total = answer.total;
        out.push_str(&format!(
            "\n… and {} more ({})\n",
            grouped(n),
            options.more_items(total)
        ));
    }
    out
}

/// Markdown of at most `options.budget` tokens.
pub fn calls_markdown(envelope: &Envelope<CallsAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let resolved = &answer.subject.resolved;
    let command = word(answer);
    let (one, many) = nouns(answer.direction);
    let edges = by_item(answer);
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for ring in answer.items.chunk_by(|a, b| a.depth == b.depth) {
        let (items, folded) = folded(answer, ring, &edges, options);
        for item in items {
            let mut lines: Vec<String> = (item_notes(answer, item, options).iter())
                .map(|note| prose(note))
                .collect();
            for edge in edges.get(item.doc_id.as_str()).into_iter().flatten() {
                let sites: Vec<String> = (edge.sites.iter())
                    .map(|site| span(&format!("{}:{}", site.file, site.line)))
                    .collect();
                lines.push(format!(
                    "{} {}",
                    prose(&call(answer, edge)),
                    sites.join(" ")
                ));
            }
            groups.push((prose(&entry(item)), lines));
        }
        for group in folded {
            let rows = group.rows.iter().map(|row| prose(row)).collect();
            groups.push((prose(&group.heading), rows));
        }
    }
    groups.retain(|(_, lines)| !lines.is_empty());
    // Calls between members that are asked for have no line, and what the limit cut is not known.
    let total = groups.iter().map(|(_, lines)| lines.len()).sum::<usize>() + answer.total
        - answer.items.len();
    List {
        titles: vec![
            title_markdown(command, &answer.subject, about),
            format!("# {command} {}", span(&resolved.path)),
            counted(answer.total, one, many),
        ],
        notes: header(answer, about, options)
            .iter()
            .map(|note| prose(note))
            .collect(),
        groups,
        noun: ("call", "calls"),
        total,
        all_items: (answer.items.len() < answer.total).then_some(answer.total),
    }
    .render(options)
}

fn word(answer: &CallsAnswer) -> &'static str {
    match answer.direction {
        Direction::Callers => "callers",
        Direction::Callees => "callees",
    }
}

fn nouns(direction: Direction) -> (&'static str, &'static str) {
    match direction {
        Direction::Callers => ("caller", "callers"),
        Direction::Callees => ("callee", "callees"),
    }
}

fn header(answer: &CallsAnswer, about: About<'_>, options: &RenderOptions<'_>) -> Vec<String> {
    let mut out = notes(&answer.subject);
    let (one, many) = nouns(answer.direction);
    out.push(counted(answer.total, one, many));
    out.extend(through_note(&answer.through, options));
    out.extend(doubts(&answer.not_known, answer.total));
    if about.limits.timed_out {
        out.push(super::out_of_time(options));
    }
    out
}

/// The calls by which each item was reached: of a caller what it calls, of a callee who calls it.
fn by_item(answer: &CallsAnswer) -> BTreeMap<&str, Vec<&CallEdge>> {
    let mut out: BTreeMap<&str, Vec<&CallEdge>> = BTreeMap::new();
    for edge in &answer.edges {
        let item = match answer.direction {
            Direction::Callers => &edge.from,
            Direction::Callees => &edge.to,
        };
        out.entry(item).or_default().push(edge);
    }
    out
}

fn entry(item: &CallItem) -> String {
    let name = short(&item.doc_id);
    let test = if item.test { " (test)" } else { "" };
    let only = super::only_in(&item.frameworks);
    match &item.at {
        Some(at) => format!("{} {name}{test} {}:{}{only}", item.kind, at.file, at.line),
        None => format!("{} {}{only}", item.kind, item.doc_id),
    }
}

/// What must be known of an item beside its calls.
fn item_notes(answer: &CallsAnswer, item: &CallItem, options: &RenderOptions<'_>) -> Vec<String> {
    let mut out: Vec<String> = outside(answer, item).into_iter().collect();
    out.extend(through_note(&item.through, options));
    out
}

/// How an item is reached that is reached by what the answer may not speak of.
fn outside(answer: &CallsAnswer, item: &CallItem) -> Option<String> {
    if item.through_outside == 0 {
        return None;
    }
    let n = counted(item.through_outside, "member", "members");
    Some(match answer.direction {
        Direction::Callers => format!("calls {n} outside the filter"),
        Direction::Callees => format!("called by {n} outside the filter"),
    })
}

/// What a caller does with a member.
fn active(role: Role) -> &'static str {
    match role {
        Role::Call => "calls",
        Role::Read => "reads",
        Role::Write => "writes",
        Role::Creation => "creates",
        Role::Index => "indexes",
        Role::Foreach => "iterates",
        Role::Dispose => "disposes",
        Role::Deconstruct => "deconstructs",
        Role::Conversion | Role::Cast => "converts with",
        Role::Operator => "applies",
        Role::Await => "awaits",
        Role::Nameof => "names",
        Role::Attribute => "applies",
        _ => "uses",
    }
}

/// What is done with a callee.
pub(super) fn passive(role: Role) -> &'static str {
    match role {
        Role::Call => "called",
        Role::Read => "read",
        Role::Write => "written",
        Role::Creation => "created",
        Role::Index => "indexed",
        Role::Foreach => "iterated",
        Role::Dispose => "disposed",
        Role::Deconstruct => "deconstructed",
        Role::Operator | Role::Attribute => "applied",
        Role::Await => "awaited",
        Role::Nameof => "named",
        _ => "used",
    }
}

fn call(answer: &CallsAnswer, edge: &CallEdge) -> String {
    let mut out = match answer.direction {
        Direction::Callers => {
            let verbs = super::joined(edge.contexts.iter().map(|role| active(*role)));
            format!("{verbs} {}", short(&edge.to))
        }
        Direction::Callees => {
            let verbs = super::joined(edge.contexts.iter().map(|role| passive(*role)));
            format!("{verbs} by {}", short(&edge.from))
        }
    };
    if let Some(via) = &edge.via {
        out.push_str(&format!(" through {}", short(via)));
    }
    if edge.n_sites > edge.sites.len() && !edge.sites.is_empty() {
        out.push_str(&format!(", {} places", grouped(edge.n_sites)));
    }
    out + &super::only_in(&edge.frameworks)
}
