//! `git cortex deps`, and how the graph of an answer is printed.

use std::process::ExitCode;

use cortex_query::{GraphFormat, QueryError, TypeGraph, export_graph};
use cortex_service::ServiceError;
use cortex_wire::{DepsDirection, DepsRequest, Envelope};
use serde::Serialize;

use crate::{
    arguments::{self, Global, GraphLookFormat, Look, LookFormat},
    commands::{Writers, print_look, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Deps) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = DepsRequest {
        direction: match (options.out, options.into) {
            (true, _) => DepsDirection::Out,
            (_, true) => DepsDirection::In,
            _ => DepsDirection::Both,
        },
        path_to: options.path_to.clone(),
        graph: is_graph(options.format),
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
        ..DepsRequest::new(options.symbol.as_str())
    };
    let envelope = session.ask("deps", cortex_service::deps, &request)?;
    let writers = Writers {
        text: cortex_context::deps_text,
        markdown: cortex_context::deps_markdown,
    };
    let answer = &envelope.answer;
    let shown = (&envelope, &answer.graph);
    print_with_graph(&session, shown, options.format, &options.look, &writers)?;
    session.settle();
    let is_lost = answer.path.as_ref().is_some_and(|path| {
        path.is_reversed || path.steps.is_empty() && path.to != answer.subject.resolved.path
    });
    Ok(match is_lost {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// Whether a format is a drawing of a graph.
pub(super) fn is_graph(format: GraphLookFormat) -> bool {
    match format {
        GraphLookFormat::Text | GraphLookFormat::Md | GraphLookFormat::Json => false,
        GraphLookFormat::Mermaid | GraphLookFormat::Dot | GraphLookFormat::Graphml => true,
    }
}

/// Prints an answer, or its graph for the tools of graphs.
pub(super) fn print_with_graph<T: Serialize>(
    session: &Session<'_>,
    (envelope, graph): (&Envelope<T>, &TypeGraph),
    format: GraphLookFormat,
    look: &Look,
    writers: &Writers<T>,
) -> Result<(), Failure> {
    let look_format = match format {
        GraphLookFormat::Text => LookFormat::Text,
        GraphLookFormat::Md => LookFormat::Md,
        GraphLookFormat::Json => LookFormat::Json,
        GraphLookFormat::Mermaid => return print_graph(graph, GraphFormat::Mermaid),
        GraphLookFormat::Dot => return print_graph(graph, GraphFormat::Dot),
        GraphLookFormat::Graphml => return print_graph(graph, GraphFormat::GraphMl),
    };
    print_look(session, envelope, look_format, look, writers)
}

fn print_graph(graph: &TypeGraph, format: GraphFormat) -> Result<(), Failure> {
    let mut out = Vec::new();
    let written = export_graph(graph, format, &mut out);
    written.map_err(|error: QueryError| ServiceError::from(error))?;
    print_text(&String::from_utf8_lossy(&out))
}
