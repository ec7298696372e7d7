//! One file for each command: arguments in, answer on standard output, exit code out.

pub(crate) mod api;
pub(crate) mod areas;
pub(crate) mod calls;
pub(crate) mod config;
pub(crate) mod cycles;
pub(crate) mod deps;
pub(crate) mod diff_context;
pub(crate) mod export;
pub(crate) mod gc;
pub(crate) mod history;
pub(crate) mod index;
pub(crate) mod manual;
pub(crate) mod map;
pub(crate) mod outline;
pub(crate) mod relatives;
pub(crate) mod resolve;
pub(crate) mod scope;
pub(crate) mod search;
pub(crate) mod source;
pub(crate) mod status;
pub(crate) mod tests;
pub(crate) mod unused;
pub(crate) mod usages;

use std::{
    io::{ErrorKind, IsTerminal, Write},
    process::ExitCode,
};

use anyhow::Context;
use cortex_context::RenderOptions;
use cortex_look::{Drawing, GraphFormat, draw};

use crate::{
    arguments::{GraphLookFormat, Look, LookFormat},
    failure::Failure,
    harmless::{in_json, in_text},
    pager, paint,
};

/// Prints an answer for people.
pub(crate) fn print_text(text: &str) -> Result<(), Failure> {
    print(&in_text(text))
}

/// Prints an answer for people that may be longer than a screen: in their pager, where one is wanted.
pub(crate) fn print_long(text: &str) -> Result<(), Failure> {
    let text = in_text(text);
    if pager::page(&text) {
        return Ok(());
    }
    print(&text)
}

/// The same, in colours where they are wanted: text of the form that has headings and indented lines.
pub(crate) fn print_lines(text: &str) -> Result<(), Failure> {
    if !paint::is_wanted() {
        return print_long(text);
    }
    let text = paint::painted(&in_text(text));
    if pager::page(&text) {
        return Ok(());
    }
    print(&text)
}

/// Prints an answer that is JSON already.
pub(crate) fn print_json_text(text: &str) -> Result<(), Failure> {
    print(&in_json(text))
}

/// Prints a value as JSON.
pub(crate) fn print_json(value: &serde_json::Value) -> Result<ExitCode, Failure> {
    print_json_text(&format!("{value:#}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints what a program reads: every byte of it, a harmless text on a terminal.
pub(crate) fn print_exact(text: &str) -> Result<(), Failure> {
    if std::io::stdout().is_terminal() {
        print_text(text)
    } else {
        print(text)
    }
}

/// How an answer of the group "look" is written.
pub(crate) struct Writers<T> {
    /// For people.
    pub(crate) text: fn(&T, &RenderOptions<'_>) -> String,
    /// Within a budget.
    pub(crate) markdown: fn(&T, &RenderOptions<'_>) -> String,
    /// All of it.
    pub(crate) json: fn(&T) -> String,
}

/// Prints an answer of the group "look" in the form that is asked for.
pub(crate) fn print_look<T>(
    answer: &T,
    format: LookFormat,
    look: &Look,
    writers: &Writers<T>,
) -> Result<(), Failure> {
    match format {
        LookFormat::Text => print_lines(&(writers.text)(answer, &look.render())),
        LookFormat::Md => print_long(&(writers.markdown)(answer, &look.render())),
        LookFormat::Json => print_json_text(&(writers.json)(answer)),
    }
}

/// The same for an answer that is a graph.
pub(crate) fn print_graph_look<T>(
    answer: &T,
    format: GraphLookFormat,
    look: &Look,
    writers: &Writers<T>,
    drawing: impl FnOnce(&T) -> Drawing,
) -> Result<(), Failure> {
    let format = match format {
        GraphLookFormat::Text => return print_look(answer, LookFormat::Text, look, writers),
        GraphLookFormat::Md => return print_look(answer, LookFormat::Md, look, writers),
        GraphLookFormat::Json => return print_look(answer, LookFormat::Json, look, writers),
        GraphLookFormat::Mermaid => GraphFormat::Mermaid,
        GraphLookFormat::Dot => GraphFormat::Dot,
        GraphLookFormat::Graphml => GraphFormat::GraphMl,
    };
    print_text(&draw(&drawing(answer), format))
}

/// A closed pipe is the reader's choice, not an error.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result.context("write the answer")?),
    }
}

/// A count with its noun: "1 file", "2 files".
pub(crate) fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {noun}s"),
    }
}
