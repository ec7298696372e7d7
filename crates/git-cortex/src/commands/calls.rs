//! `git cortex callers` and `git cortex callees`.

use std::process::ExitCode;

use cortex_look::{Family, draw_calls};
use cortex_wire::Direction;

use crate::{
    arguments::{self, Global, GraphLookFormat, Look},
    commands::{Writers, print_graph_look},
    failure::Failure,
    session,
};

pub(crate) fn callers(global: &Global, options: &arguments::Callers) -> Result<ExitCode, Failure> {
    run(
        global,
        &options.symbol,
        Direction::Callers,
        (options.depth, options.with_overrides),
        &options.look,
        options.format,
    )
}

pub(crate) fn callees(global: &Global, options: &arguments::Callees) -> Result<ExitCode, Failure> {
    run(
        global,
        &options.symbol,
        Direction::Callees,
        (options.depth, options.with_overrides),
        &options.look,
        options.format,
    )
}

fn run(
    global: &Global,
    symbol: &str,
    direction: Direction,
    (depth, with_overrides): (u32, bool),
    look: &Look,
    format: GraphLookFormat,
) -> Result<ExitCode, Failure> {
    let family = if with_overrides {
        Family::WithOverrides
    } else {
        Family::Alone
    };
    let (answer, index) = session::look(global, look, |view| {
        cortex_look::calls(view, symbol, direction, depth, family)
    })?;
    let writers = Writers {
        text: cortex_context::calls_text,
        markdown: cortex_context::calls_markdown,
        json: cortex_context::json,
    };
    print_graph_look(&answer, format, look, &writers, draw_calls)?;
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}
