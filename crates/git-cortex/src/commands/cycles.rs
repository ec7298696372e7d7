//! `git cortex cycles`.

use std::process::ExitCode;

use cortex_wire::{CyclesBy, CyclesRequest};

use crate::{
    arguments::{self, By, Global},
    commands::{
        Writers,
        deps::{graph_format, look_format, print_graph},
        print_look,
    },
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Cycles) -> Result<ExitCode, Failure> {
    let drawing = graph_format(options.format);
    if drawing.is_some() && options.by != By::Type {
        let message = "failed to draw the cycles: mermaid, dot and graphml need --by type";
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
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
    };
    let answer = if let Some(format) = drawing {
        let found = session.ask_here("cycles", cortex_service::cycles_with_graph, &request)?;
        session.warn(&found);
        print_graph(&found.answer.1, format)?;
        found.answer.0
    } else {
        let envelope = session.ask("cycles", cortex_service::cycles, &request)?;
        let writers = Writers {
            text: cortex_context::cycles_text,
            markdown: cortex_context::cycles_markdown,
        };
        let format = look_format(options.format);
        print_look(&session, &envelope, format, &options.look, &writers)?;
        envelope.answer
    };
    session.settle();
    Ok(match options.exit_code && answer.n_cycles > 0 {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}
