//! One file for each command: arguments in, answer on standard output, exit code out.

pub(crate) mod api;
pub(crate) mod areas;
pub(crate) mod calls;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod cycles;
pub(crate) mod daemon;
pub(crate) mod deps;
pub(crate) mod diff_context;
pub(crate) mod edit;
pub(crate) mod export;
pub(crate) mod export_context;
pub(crate) mod gc;
pub(crate) mod guide;
pub(crate) mod history;
pub(crate) mod index;
pub(crate) mod install_hooks;
pub(crate) mod manual;
pub(crate) mod map;
pub(crate) mod mcp;
pub(crate) mod outline;
pub(crate) mod pack;
pub(crate) mod prove;
pub(crate) mod relatives;
pub(crate) mod resolve;
pub(crate) mod scope;
pub(crate) mod search;
pub(crate) mod source;
pub(crate) mod status;
pub(crate) mod tests;
pub(crate) mod unused;
pub(crate) mod usages;
pub(crate) mod window;

use std::io::{ErrorKind, IsTerminal, Read, Write};

use cortex_context::RenderOptions;
use cortex_look::{Drawing, GraphFormat, draw};
use cortex_wire::Envelope;
use serde::Serialize;

use crate::{
    arguments::{GraphLookFormat, Look, LookFormat},
    failure::{Failure, with_context},
    harmless::{in_json, in_text},
    pager, paint,
    session::Session,
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

/// The same, in colors where they are wanted: text of the form that has headings and indented lines.
pub(crate) fn print_lines(text: &str) -> Result<(), Failure> {
    let fitted = terminal_width().map(|width| paint::fitted(text, width));
    let text = fitted.as_deref().unwrap_or(text);
    if !paint::is_wanted() {
        return print_long(text);
    }
    let text = paint::painted(&in_text(text));
    if pager::page(&text) {
        return Ok(());
    }
    print(&text)
}

/// How many columns the terminal has that the answer goes to; none where it goes elsewhere.
fn terminal_width() -> Option<usize> {
    let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(std::io::stdout())?;
    (width >= MIN_WIDTH).then_some(usize::from(width))
}

/// Lines are not cut to terminals with fewer columns.
const MIN_WIDTH: u16 = 40;

/// Prints a patch, in colors where they are wanted.
pub(crate) fn print_patch(text: &str) -> Result<(), Failure> {
    if !paint::is_wanted() {
        return print_exact(text);
    }
    let text = paint::patch(&in_text(text));
    if pager::page(&text) {
        return Ok(());
    }
    print(&text)
}

/// Prints an answer that is JSON already.
pub(crate) fn print_json_text(text: &str) -> Result<(), Failure> {
    print(&in_json(text))
}

/// Prints an answer with its envelope as JSON.
pub(crate) fn print_envelope<A: Serialize>(envelope: &Envelope<A>) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(envelope);
    let json = json.expect("plain data with text keys has a JSON form");
    print_json_text(&format!("{json}\n"))
}

/// Prints what a program reads: every byte of it, a harmless text on a terminal.
pub(crate) fn print_exact(text: &str) -> Result<(), Failure> {
    if std::io::stdout().is_terminal() {
        print_text(text)
    } else {
        print(text)
    }
}

/// The same of bytes that need not be text.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    if std::io::stdout().is_terminal() {
        print_text(&String::from_utf8_lossy(bytes))
    } else {
        write(bytes)
    }
}

/// How an answer of the group "look" is written.
pub(crate) struct Writers<T> {
    /// For people.
    pub(crate) text: fn(&Envelope<T>, &RenderOptions<'_>) -> String,
    /// Within a budget.
    pub(crate) markdown: fn(&Envelope<T>, &RenderOptions<'_>) -> String,
}

/// Prints an answer of the group "look" in the form that the arguments choose.
pub(crate) fn print_look<T: Serialize>(
    session: &Session<'_>,
    envelope: &Envelope<T>,
    format: LookFormat,
    look: &Look,
    writers: &Writers<T>,
) -> Result<(), Failure> {
    if format != LookFormat::Json {
        session.warn(envelope);
    }
    let phrase = session.phrase();
    let options = look.render(&phrase);
    match format {
        LookFormat::Text => {
            let text = (writers.text)(envelope, &options);
            match look.budget {
                Some(_) => print_lines(&cortex_context::cut_text(text, &options)),
                None => print_lines(&text),
            }
        }
        LookFormat::Md => print_long(&(writers.markdown)(envelope, &options)),
        LookFormat::Json => print_envelope(envelope),
    }
}

/// The same for an answer that is a graph.
pub(crate) fn print_graph_look<T: Serialize>(
    session: &Session<'_>,
    envelope: &Envelope<T>,
    format: GraphLookFormat,
    look: &Look,
    writers: &Writers<T>,
    drawing: impl FnOnce(&T) -> Drawing,
) -> Result<(), Failure> {
    let print = |format| print_look(session, envelope, format, look, writers);
    let format = match format {
        GraphLookFormat::Text => return print(LookFormat::Text),
        GraphLookFormat::Md => return print(LookFormat::Md),
        GraphLookFormat::Json => return print(LookFormat::Json),
        GraphLookFormat::Mermaid => GraphFormat::Mermaid,
        GraphLookFormat::Dot => GraphFormat::Dot,
        GraphLookFormat::Graphml => GraphFormat::GraphMl,
    };
    session.warn(envelope);
    print_text(&draw(&drawing(&envelope.answer), format))
}

/// A scope as the arguments write it; `-` stands for standard input.
pub(crate) fn scope_text(scope: Option<&str>) -> Result<Option<String>, Failure> {
    if scope != Some("-") {
        return Ok(scope.map(str::to_owned));
    }
    let text = standard_input();
    Ok(Some(with_context(text, || {
        "read a scope from standard input".to_owned()
    })?))
}

/// Standard input may be endless: no list or scope of more bytes is read.
const MAX_INPUT: u64 = 16 << 20;

/// The text of standard input.
pub(crate) fn standard_input() -> std::io::Result<String> {
    let mut text = String::new();
    let input = std::io::stdin().lock();
    input.take(MAX_INPUT + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_INPUT {
        let message = format!("it has more than {} MiB", MAX_INPUT >> 20);
        return Err(std::io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}

/// A closed pipe is the reader's choice, not an error.
fn print(text: &str) -> Result<(), Failure> {
    write(text.as_bytes())
}

fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => with_context(result, || "write the answer".to_owned()),
    }
}
