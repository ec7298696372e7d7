//! `git cortex deps`, and how the graph of an answer is printed.

use std::process::ExitCode;

use cortex_look::{GraphFormat, TypeGraph, export_graph};
use cortex_service::ServiceError;
use cortex_wire::{DepsDirection, DepsRequest};

use crate::{
    arguments::{self, Global, GraphLookFormat, LookFormat},
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
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
        ..DepsRequest::new(options.symbol.as_str())
    };
    let drawing = graph_format(options.format);
    let answer = if let Some(format) = drawing {
        let found = session.ask_here("deps", cortex_service::deps_with_graph, &request)?;
        session.warn(&found);
        print_graph(&found.answer.1, format)?;
        found.answer.0
    } else {
        let envelope = session.ask("deps", cortex_service::deps, &request)?;
        let writers = Writers {
            text: cortex_context::deps_text,
            markdown: cortex_context::deps_markdown,
        };
        let format = look_format(options.format);
        print_look(&session, &envelope, format, &options.look, &writers)?;
        envelope.answer
    };
    session.settle();
    let is_lost = answer.path.as_ref().is_some_and(|path| {
        path.is_reversed || path.steps.is_empty() && path.to != answer.subject.resolved.path
    });
    Ok(match is_lost {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

/// The drawing that a format is, if it is one.
pub(super) fn graph_format(format: GraphLookFormat) -> Option<GraphFormat> {
    match format {
        GraphLookFormat::Text | GraphLookFormat::Md | GraphLookFormat::Json => None,
        GraphLookFormat::Mermaid => Some(GraphFormat::Mermaid),
        GraphLookFormat::Dot => Some(GraphFormat::Dot),
        GraphLookFormat::Graphml => Some(GraphFormat::GraphMl),
    }
}

/// The same of a format that is no drawing.
pub(super) fn look_format(format: GraphLookFormat) -> LookFormat {
    match format {
        GraphLookFormat::Md => LookFormat::Md,
        GraphLookFormat::Json => LookFormat::Json,
        _ => LookFormat::Text,
    }
}

/// Prints a graph for the tools of graphs.
pub(super) fn print_graph(graph: &TypeGraph, format: GraphFormat) -> Result<(), Failure> {
    let mut out = Vec::new();
    let written = export_graph(graph, format, &mut out);
    written.map_err(ServiceError::from)?;
    print_text(&String::from_utf8_lossy(&out))
}
