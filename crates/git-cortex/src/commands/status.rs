//! `git cortex status`.

use std::process::ExitCode;

use cortex_context::ProjectsShown;
use cortex_wire::StatusRequest;

use crate::{
    arguments::{self, Global, ReportFormat},
    commands::{print_envelope, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Status) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = StatusRequest {
        at: options.at.clone(),
    };
    let envelope = session.ask("status", cortex_service::status, &request)?;
    match options.format {
        ReportFormat::Json => print_envelope(&envelope)?,
        ReportFormat::Text => {
            let projects = match options.projects {
                true => ProjectsShown::Listed,
                false => ProjectsShown::Counted,
            };
            print_text(&cortex_context::status_text(&envelope.answer, projects))?;
        }
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}
