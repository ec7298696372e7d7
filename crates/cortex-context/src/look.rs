//! Answers of the group "look" as text for people, and as Markdown within a budget. Their JSON is the answer itself.
//!
//! Owns: what every one of these answers shows alike. Must not know: how answers are found.

mod calls;
mod code;
mod deps;
mod list;
mod map;
mod outline;
mod relatives;
mod resolve;
mod search;
mod usages;

use cortex_query::{Resolved, Subject};

use crate::{
    documentation::DocStyle,
    markdown::plan::counted,
    text::{line, span},
};

pub use calls::{calls_markdown, calls_text};
pub use code::{source_markdown, source_text};
pub use deps::{
    cycles_markdown, cycles_text, deps_markdown, deps_text, unused_markdown, unused_text,
};
pub use map::{map_json, map_markdown, map_text};
pub use outline::{outline_json, outline_markdown, outline_text};
pub use relatives::{relatives_markdown, relatives_text};
pub use resolve::{resolve_markdown, resolve_text};
pub use search::{search_markdown, search_text};
pub use usages::{usages_markdown, usages_text};

/// The symbol that an answer is about, for people: `Ns.Type: class T_7XPKJFH2`.
fn title_text(resolved: &Resolved) -> String {
    format!(
        "{}: {} {}",
        line(&resolved.path),
        resolved.kind,
        resolved.id()
    )
}

/// The same as the title of a Markdown answer of a command.
fn title_markdown(command: &str, resolved: &Resolved) -> String {
    let name = span(&resolved.path);
    format!("# {command} {name}: {} {}", resolved.kind, resolved.id())
}

/// What must be known of how the symbol was found, in lines without marks.
fn notes(subject: &Subject) -> Vec<String> {
    let was = subject.redirected_from.iter();
    let was = was.map(|was| format!("{was} is called so now"));
    let others = (subject.others > 0).then(|| {
        let n = counted(subject.others, "other symbol is", "other symbols are");
        format!("{n} called so, too; this is the likeliest")
    });
    was.chain(others).collect()
}

/// A type's or member's name without its namespace: ``Ns.Outer`1+Inner`` is `Outer.Inner`.
fn short_type(name: &str) -> String {
    let (types, rest) = name.split_at(name.find(['(', '[']).unwrap_or(name.len()));
    let outer = types.split(['+', '`']).next().unwrap_or(types);
    let start = outer.rfind('.').map_or(0, |dot| dot + 1);
    let mut out = String::new();
    let mut chars = types[start..].chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '+' => out.push('.'),
            '`' => while chars.next_if(char::is_ascii_digit).is_some() {},
            _ => out.push(c),
        }
    }
    out + rest
}

/// Type and member of a documentation id: `Order.Submit`; of a type its name.
pub(crate) fn short(id: &str) -> &str {
    let (kind, path) = id.split_once(':').unwrap_or(("", id));
    let end = path.find(['(', '~']).unwrap_or(path.len());
    let mut dots = path[..end].rmatch_indices('.');
    if kind != "T" {
        dots.next();
    }
    let start = dots.next().map_or(0, |(at, _)| at + 1);
    &path[start..end]
}

/// A line of a list.
fn bullet(text: &str, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown => format!("- {text}"),
        DocStyle::Text => format!("  {text}"),
    }
}

/// What is written as in sources.
fn code(text: &str, style: DocStyle) -> String {
    match style {
        DocStyle::Markdown => span(text),
        DocStyle::Text => line(text).into_owned(),
    }
}
