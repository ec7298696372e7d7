//! Who calls a member, and whom it calls.

use std::collections::BTreeMap;

use cortex_wire::{CallEdge, CallItem, CallsAnswer, Direction, Envelope, Role};

use super::{
    About, inactive_note, list::List, notes, parts, short, through_note, title_markdown, title_text,
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
    let mut depth = 0;
    let edges = by_item(answer);
    for item in &answer.items {
        if item.depth != depth {
            depth = item.depth;
            out.push_str(&format!(
                "\n{}\n",
                counted(depth as usize, "step away", "steps away")
            ));
        }
        out.push_str(&format!("  {}\n", line(&entry(item))));
        if let Some(note) = outside(answer, item) {
            out.push_str(&format!("    {note}\n"));
        }
        for edge in edges.get(item.doc_id.as_str()).into_iter().flatten() {
            out.push_str(&format!("    {}\n", line(&call(answer, edge))));
            for site in &edge.sites {
                let text = format!("{}:{}:{} {}", site.file, site.line, site.column, site.text);
                out.push_str(&format!("      {}\n", line(&text)));
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
    let edges = by_item(answer);
    let groups = answer.items.iter().map(|item| {
        let lines = edges.get(item.doc_id.as_str()).into_iter().flatten();
        let note = outside(answer, item);
        let lines = lines.map(|edge| {
            let sites: Vec<String> = (edge.sites.iter())
                .map(|site| span(&format!("{}:{}", site.file, site.line)))
                .collect();
            format!("{} {}", prose(&call(answer, edge)), sites.join(" "))
        });
        (prose(&entry(item)), note.into_iter().chain(lines).collect())
    });
    let groups = groups.filter(|(_, lines): &(String, Vec<String>)| !lines.is_empty());
    let hidden = answer.items.iter().filter(|it| it.through_outside > 0);
    let total = edges.values().map(Vec::len).sum::<usize>() + hidden.count();
    List {
        titles: vec![
            title_markdown(command, &answer.subject, about),
            format!("# {command} {}", span(&resolved.path)),
            counted(total, "call", "calls"),
        ],
        notes: header(answer, about, options)
            .iter()
            .map(|note| prose(note))
            .collect(),
        groups: groups.collect(),
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

fn header(answer: &CallsAnswer, about: About<'_>, options: &RenderOptions<'_>) -> Vec<String> {
    let mut out = notes(&answer.subject);
    let (one, many) = match answer.direction {
        Direction::Callers => ("caller", "callers"),
        Direction::Callees => ("callee", "callees"),
    };
    out.push(counted(answer.total, one, many));
    out.extend(through_note(&answer.through, options));
    out.extend(inactive_note(answer.inactive, &answer.inactive_places));
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
fn passive(role: Role) -> &'static str {
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
