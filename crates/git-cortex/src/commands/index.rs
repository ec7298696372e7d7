//! `git cortex index`.

use std::process::ExitCode;

use cortex_wire::IndexRequest;

use crate::{
    arguments::{self, Global, ReportFormat},
    commands::{print_envelope, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Index) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = IndexRequest {
        revisions: options.revisions.clone(),
        history: options.history.clone(),
        first_parent: options.first_parent,
        max_count: options.max_count,
        fresh: options.fresh,
    };
    let envelope = session.ask("index", cortex_service::index, &request)?;
    match options.format {
        ReportFormat::Json => print_envelope(&envelope)?,
        ReportFormat::Text => {
            let text = cortex_context::index_text(&envelope.answer, session.elapsed());
            print_text(&text)?;
        }
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}
