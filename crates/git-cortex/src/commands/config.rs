//! `git cortex config`.

use std::process::ExitCode;

use cortex_wire::ConfigRequest;

use crate::{
    arguments::{self, Global, ReportFormat},
    commands::{print_envelope, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Config) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = ConfigRequest {
        key: options.key.clone(),
    };
    let envelope = session.ask("config", cortex_service::config, &request)?;
    match options.format {
        ReportFormat::Text => print_text(&cortex_context::config_text(&envelope.answer))?,
        ReportFormat::Json => print_envelope(&envelope)?,
    }
    Ok(ExitCode::SUCCESS)
}
