//! `git cortex callers` and `git cortex callees`.

use std::process::ExitCode;

use cortex_look::draw_calls;
use cortex_wire::{CallsAnswer, CallsRequest};

use crate::{
    arguments::{self, Global, GraphLookFormat, Look},
    commands::{Writers, print_graph_look},
    failure::Failure,
    session::Session,
};

pub(crate) fn callers(global: &Global, options: &arguments::Callers) -> Result<ExitCode, Failure> {
    let request = CallsRequest {
        depth: options.depth,
        with_overrides: options.with_overrides,
        ..request(&options.symbol, &options.look)?
    };
    let session = Session::new(global)?;
    let envelope = session.ask("callers", cortex_service::callers, &request)?;
    print(&session, &envelope, options.format, &options.look)
}

pub(crate) fn callees(global: &Global, options: &arguments::Callees) -> Result<ExitCode, Failure> {
    let request = CallsRequest {
        depth: options.depth,
        with_overrides: options.with_overrides,
        ..request(&options.symbol, &options.look)?
    };
    let session = Session::new(global)?;
    let envelope = session.ask("callees", cortex_service::callees, &request)?;
    print(&session, &envelope, options.format, &options.look)
}

fn request(symbol: &str, look: &Look) -> Result<CallsRequest, Failure> {
    Ok(CallsRequest {
        at: look.at.clone(),
        filter: look.filter()?,
        limit: look.limit,
        ..CallsRequest::new(symbol)
    })
}

fn print(
    session: &Session<'_>,
    envelope: &cortex_wire::Envelope<CallsAnswer>,
    format: GraphLookFormat,
    look: &Look,
) -> Result<ExitCode, Failure> {
    let writers = Writers {
        text: cortex_context::calls_text,
        markdown: cortex_context::calls_markdown,
    };
    print_graph_look(session, envelope, format, look, &writers, draw_calls)?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}
