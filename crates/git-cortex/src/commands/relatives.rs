//! `git cortex implementations`, `git cortex overrides` and `git cortex hierarchy`.

use std::process::ExitCode;

use cortex_look::draw_relatives;
use cortex_wire::Kinship;

use crate::{
    arguments::{self, Global, GraphLookFormat, Look},
    commands::{Writers, print_graph_look},
    failure::Failure,
    session,
};

pub(crate) fn implementations(
    global: &Global,
    options: &arguments::Implementations,
) -> Result<ExitCode, Failure> {
    let kinship = Kinship::Implementations;
    run(
        global,
        &options.symbol,
        kinship,
        &options.look,
        options.format,
    )
}

pub(crate) fn overrides(
    global: &Global,
    options: &arguments::Overrides,
) -> Result<ExitCode, Failure> {
    let kinship = Kinship::Overrides;
    run(
        global,
        &options.symbol,
        kinship,
        &options.look,
        options.format,
    )
}

pub(crate) fn hierarchy(
    global: &Global,
    options: &arguments::Hierarchy,
) -> Result<ExitCode, Failure> {
    let kinship = Kinship::Hierarchy;
    run(
        global,
        &options.symbol,
        kinship,
        &options.look,
        options.format,
    )
}

fn run(
    global: &Global,
    symbol: &str,
    kinship: Kinship,
    look: &Look,
    format: GraphLookFormat,
) -> Result<ExitCode, Failure> {
    let (answer, index) = session::look(global, look, |view| {
        cortex_look::relatives(view, symbol, kinship)
    })?;
    let writers = Writers {
        text: cortex_context::relatives_text,
        markdown: cortex_context::relatives_markdown,
        json: cortex_context::json,
    };
    print_graph_look(&answer, format, look, &writers, draw_relatives)?;
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}
