//! `git cortex gc`.

use std::process::ExitCode;

use cortex_wire::GcRequest;

use crate::{
    arguments::{self, Global},
    commands::print_text,
    failure::Failure,
    harmless::in_text,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Gc) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = GcRequest {
        all: options.all,
        days: options.days,
        max_bytes: options.max_size,
    };
    let answer = session.ask("gc", cortex_service::gc, &request)?.answer;
    if options.all && !answer.irreplaceable.is_empty() && !global.quiet {
        let kinds = answer.irreplaceable.iter();
        let list: Vec<String> = kinds
            .map(|(kind, number)| format!("{kind} ({number})"))
            .collect();
        anstream::eprintln!(
            "note: what cannot be computed again stays: {}; deleting `{}` would lose it",
            in_text(&list.join(", ")),
            in_text(&answer.folder)
        );
    }
    print_text(&cortex_context::gc_text(&answer))?;
    Ok(ExitCode::SUCCESS)
}
