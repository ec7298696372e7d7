//! `git cortex prove`.

use std::process::ExitCode;

use cortex_wire::ProveRequest;

use crate::{
    arguments::{self, Global, ReportFormat},
    commands::{edit::read, print_envelope, print_long},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Prove) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = ProveRequest {
        revisions: options.revisions.clone(),
        cached: options.cached,
        paths: options.paths.clone(),
        merge: options.merge,
        patch: match &options.patch {
            Some(file) => Some(read(file, "the patch")?),
            None => None,
        },
    };
    let envelope = session.ask("prove", cortex_service::prove, &request)?;
    match options.format {
        ReportFormat::Text => print_long(&cortex_context::prove_text(&envelope.answer))?,
        ReportFormat::Json => print_envelope(&envelope)?,
    }
    session.settle();
    Ok(match envelope.answer.is_proven {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
