//! Symbols that a query finds.

use cortex_wire::{Envelope, SearchAnswer, SymbolItem};

use super::{About, limits_markdown, limits_text, list::List, out_of_time, parts};
use crate::{
    RenderOptions,
    markdown::plan::{counted, grouped},
    text::{line, prose, span},
};

/// Text for people: one symbol a line, the best first.
pub fn search_text(envelope: &Envelope<SearchAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let mut out = format!("{}\n", line(&title(answer, about)));
    for note in notes(answer, about, options) {
        out.push_str(&format!("  {}\n", line(&note)));
    }
    for item in &answer.items {
        out.push_str(&format!("  {}\n", line(&entry(item))));
    }
    if !answer.suggestions.is_empty() {
        out.push_str("closest names\n");
    }
    for item in &answer.suggestions {
        let text = format!("{} {} {}", item.kind, item.qualified_name, item.id);
        out.push_str(&format!("  {}\n", line(&text)));
    }
    if answer.items.len() < answer.total {
        let total = answer.total;
        let n = grouped(total - answer.items.len());
        out.push_str(&format!(
            "  … and {n} more ({})\n",
            options.more_items(total)
        ));
    }
    out
}

/// Markdown of at most `options.budget` tokens.
pub fn search_markdown(envelope: &Envelope<SearchAnswer>, options: &RenderOptions<'_>) -> String {
    let (answer, about) = parts(envelope);
    let count = counted(answer.total, "symbol", "symbols");
    let lines = answer.items.iter().map(|item| {
        let place = place(item).map(|place| format!(" {}", span(&place)));
        let name = span(&item.qualified_name);
        format!("{} {name}{}", item.kind, place.unwrap_or_default())
    });
    let near = answer.suggestions.iter();
    let near = near.map(|it| format!("{} {} {}", it.kind, span(&it.qualified_name), it.id));
    let near: Vec<String> = near.collect();
    let mut notes: Vec<String> = notes(answer, about, options)
        .iter()
        .map(|note| prose(note))
        .collect();
    if !near.is_empty() {
        notes.push(format!("closest names: {}", near.join(", ")));
    }
    let limits = limits_markdown(about.limited_to);
    List {
        titles: vec![
            format!("# search symbols {}: {count}{limits}", span(&answer.query)),
            format!("# {count}"),
            count,
        ],
        notes,
        groups: vec![(String::new(), lines.collect())],
        noun: ("symbol", "symbols"),
        total: answer.total,
        all_items: (answer.items.len() < answer.total).then_some(answer.total),
    }
    .render(options)
}

/// What may be missing, and why.
fn notes(answer: &SearchAnswer, about: About<'_>, options: &RenderOptions<'_>) -> Vec<String> {
    let over = about.limits.timed_out.then(|| out_of_time(options));
    answer.diagnostics.iter().cloned().chain(over).collect()
}

fn title(answer: &SearchAnswer, about: About<'_>) -> String {
    format!(
        "{}: {}{}{}",
        answer.query,
        counted(answer.total, "symbol", "symbols"),
        limits_text(about.limited_to),
        super::united(about)
    )
}

fn entry(item: &SymbolItem) -> String {
    let place = place(item);
    format!(
        "{} {} {}",
        item.kind,
        item.qualified_name,
        place.unwrap_or_default()
    )
}

fn place(item: &SymbolItem) -> Option<String> {
    match (&item.file, item.line, item.column, &item.assembly) {
        (Some(file), Some(line), Some(column), _) => {
            let only = super::only_in(&item.frameworks);
            Some(format!("{file}:{line}:{column}{only}"))
        }
        (_, _, _, Some(assembly)) => Some(format!("in {assembly}")),
        _ => None,
    }
}
