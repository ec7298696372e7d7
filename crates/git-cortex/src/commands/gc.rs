//! `git cortex gc`.

use std::process::ExitCode;

use cortex_wire::GcRequest;

use crate::{
    arguments::{self, Global, ReportFormat},
    commands::{print_envelope, print_text},
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
    let envelope = session.ask("gc", cortex_service::gc, &request)?;
    if options.format == ReportFormat::Json {
        print_envelope(&envelope)?;
        return Ok(ExitCode::SUCCESS);
    }
    let answer = &envelope.answer;
    if options.all && !answer.irreplaceable.is_empty() && !global.quiet {
        let kinds = answer.irreplaceable.iter();
        let list: Vec<String> = kinds
            .map(|(kind, number)| format!("{kind} ({number})"))
            .collect();
        anstream::eprintln!(
            "note: kept data that cannot be computed again: {}; do not delete `{}`",
            in_text(&list.join(", ")),
            in_text(&answer.folder)
        );
    }
    print_text(&cortex_context::gc_text(answer))?;
    Ok(ExitCode::SUCCESS)
}
