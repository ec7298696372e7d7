//! `git cortex deps`, and how the graph of an answer is printed.

use std::process::ExitCode;

use cortex_look::{DepsDirection, DepsOptions, GraphFormat, GraphWanted, TypeGraph, export_graph};

use crate::{
    arguments::{self, Global, GraphLookFormat, Look, LookFormat},
    commands::{Writers, print_look, print_text},
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Deps) -> Result<ExitCode, Failure> {
    let wanted = DepsOptions {
        direction: match (options.out, options.into) {
            (true, _) => DepsDirection::Out,
            (_, true) => DepsDirection::In,
            _ => DepsDirection::Both,
        },
        path_to: options.path_to.clone(),
        graph: graph_wanted(options.format),
    };
    let ((answer, graph), index) = session::look(global, &options.look, |view| {
        cortex_look::deps(view, &options.symbol, &wanted)
    })?;
    let writers = Writers {
        text: cortex_context::deps_text,
        markdown: cortex_context::deps_markdown,
        json: cortex_context::json,
    };
    print_with_graph(&answer, &graph, options.format, &options.look, &writers)?;
    session::settle(&index, global);
    let is_lost = answer.path.as_ref().is_some_and(|path| {
        path.is_reversed || path.steps.is_empty() && path.to != answer.subject.resolved.path
    });
    Ok(if is_lost {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

pub(super) fn graph_wanted(format: GraphLookFormat) -> GraphWanted {
    match format {
        GraphLookFormat::Text | GraphLookFormat::Md | GraphLookFormat::Json => GraphWanted::No,
        GraphLookFormat::Mermaid | GraphLookFormat::Dot | GraphLookFormat::Graphml => {
            GraphWanted::Yes
        }
    }
}

/// Prints an answer, or its graph for the tools of graphs.
pub(super) fn print_with_graph<T>(
    answer: &T,
    graph: &TypeGraph,
    format: GraphLookFormat,
    look: &Look,
    writers: &Writers<T>,
) -> Result<(), Failure> {
    let format = match format {
        GraphLookFormat::Text => return print_look(answer, LookFormat::Text, look, writers),
        GraphLookFormat::Md => return print_look(answer, LookFormat::Md, look, writers),
        GraphLookFormat::Json => return print_look(answer, LookFormat::Json, look, writers),
        GraphLookFormat::Mermaid => GraphFormat::Mermaid,
        GraphLookFormat::Dot => GraphFormat::Dot,
        GraphLookFormat::Graphml => GraphFormat::GraphMl,
    };
    let mut out = Vec::new();
    export_graph(graph, format, &mut out)?;
    print_text(&String::from_utf8_lossy(&out))
}
