//! `git cortex areas`.

use std::process::ExitCode;

use cortex_wire::AreasRequest;

use crate::{
    arguments::{Global, ReportFormat, search::Areas},
    commands::{print_envelope, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &Areas) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = AreasRequest {
        sample_limit: Some(options.sample_limit),
        exclude_dirs: options.exclude_dirs.clone(),
        at: options.at.clone(),
    };
    let envelope = session.ask("areas", cortex_service::areas, &request)?;
    match options.format {
        ReportFormat::Json => print_envelope(&envelope)?,
        ReportFormat::Text => print_text(&cortex_context::areas_text(&envelope.answer))?,
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}
