//! `git cortex cycles`.

use std::process::ExitCode;

use clap::{CommandFactory, error::ErrorKind as UsageError};
use cortex_look::{CyclesOptions, GraphWanted};
use cortex_wire::CyclesBy;

use crate::{
    arguments::{self, Arguments, By, Global},
    commands::{
        Writers,
        deps::{graph_wanted, print_with_graph},
    },
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Cycles) -> Result<ExitCode, Failure> {
    let graph = graph_wanted(options.format);
    if graph == GraphWanted::Yes && options.by != By::Type {
        let message = "graphs are of types; choose another form, or --by type";
        let error = Arguments::command().error(UsageError::ArgumentConflict, message);
        return Ok(arguments::refuse(&error));
    }
    let wanted = CyclesOptions {
        by: match options.by {
            By::Type => CyclesBy::Type,
            By::Namespace => CyclesBy::Namespace,
            By::Project => CyclesBy::Project,
        },
        symbol: options.symbol.clone(),
        graph,
    };
    let ((answer, graph), index) = session::look(global, &options.look, |view| {
        cortex_look::cycles(view, &wanted)
    })?;
    let writers = Writers {
        text: cortex_context::cycles_text,
        markdown: cortex_context::cycles_markdown,
        json: cortex_context::json,
    };
    print_with_graph(&answer, &graph, options.format, &options.look, &writers)?;
    session::settle(&index, global);
    Ok(if options.exit_code && answer.n_cycles > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
