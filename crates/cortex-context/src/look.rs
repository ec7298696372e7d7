//! Answers of the group "look" as text for people, and as Markdown within a budget. Their JSON is the answer itself.
//!
//! Owns: what every one of these answers shows alike. Must not know: how answers are found.

mod resolve;

use cortex_query::{Resolved, Subject};

use crate::text::{line, prose, span};

pub use resolve::{resolve_markdown, resolve_text};

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
    was.map(|was| format!("{} is called so now", prose(was)))
        .collect()
}
