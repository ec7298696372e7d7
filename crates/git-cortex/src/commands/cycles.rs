//! `git cortex cycles`.

use std::process::ExitCode;

use cortex_wire::{CyclesBy, CyclesRequest};

use crate::{
    arguments::{self, By, Global},
    commands::{
        Writers,
        deps::{is_graph, print_with_graph},
    },
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Cycles) -> Result<ExitCode, Failure> {
    let graph = is_graph(options.format);
    if graph && options.by != By::Type {
        let message = "graphs are of types; choose another form, or --by type";
        return Err(Failure::usage(message));
    }
    let session = Session::new(global)?;
    let request = CyclesRequest {
        by: match options.by {
            By::Type => CyclesBy::Type,
            By::Namespace => CyclesBy::Namespace,
            By::Project => CyclesBy::Project,
        },
        symbol: options.symbol.clone(),
        graph,
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
    };
    let envelope = session.ask("cycles", cortex_service::cycles, &request)?;
    let writers = Writers {
        text: cortex_context::cycles_text,
        markdown: cortex_context::cycles_markdown,
    };
    let answer = &envelope.answer;
    let shown = (&envelope, &answer.graph);
    print_with_graph(&session, shown, options.format, &options.look, &writers)?;
    session.settle();
    Ok(match options.exit_code && answer.n_cycles > 0 {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}
