//! `git cortex implementations`, `git cortex overrides` and `git cortex hierarchy`.

use std::{io::IsTerminal, process::ExitCode};

use cortex_look::draw_relatives;
use cortex_wire::{Envelope, RelativesAnswer, RelativesRequest};

use crate::{
    arguments::{self, Global, GraphLookFormat, Look},
    commands::{Writers, print_graph_look},
    failure::Failure,
    paint,
    session::Session,
};

pub(crate) fn implementations(
    global: &Global,
    options: &arguments::Implementations,
) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = request(&options.symbol, &options.look)?;
    let envelope = session.ask("implementations", cortex_service::implementations, &request)?;
    print(&session, &envelope, options.format, &options.look)
}

pub(crate) fn overrides(
    global: &Global,
    options: &arguments::Overrides,
) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = request(&options.symbol, &options.look)?;
    let envelope = session.ask("overrides", cortex_service::overrides, &request)?;
    print(&session, &envelope, options.format, &options.look)
}

pub(crate) fn hierarchy(
    global: &Global,
    options: &arguments::Hierarchy,
) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = request(&options.symbol, &options.look)?;
    let envelope = session.ask("hierarchy", cortex_service::hierarchy, &request)?;
    print(&session, &envelope, options.format, &options.look)
}

fn request(symbol: &str, look: &Look) -> Result<RelativesRequest, Failure> {
    Ok(RelativesRequest {
        at: look.at.clone(),
        filter: look.filter()?,
        limit: look.limit,
        ..RelativesRequest::new(symbol)
    })
}

fn print(
    session: &Session<'_>,
    envelope: &Envelope<RelativesAnswer>,
    format: GraphLookFormat,
    look: &Look,
) -> Result<ExitCode, Failure> {
    let writers = Writers {
        text: match std::io::stdout().is_terminal() {
            true => {
                |answer, options| paint::trees(&cortex_context::relatives_text(answer, options))
            }
            false => cortex_context::relatives_text,
        },
        markdown: cortex_context::relatives_markdown,
    };
    print_graph_look(session, envelope, format, look, &writers, draw_relatives)?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}
