//! `git cortex export-context`.

use std::process::ExitCode;

use cortex_wire::{ExportContextRequest, ExportedTypes, OutlineSelection, ResolveRequest};

use crate::{
    arguments::{Global, ReportFormat, fresh::ExportContext},
    commands::{print_envelope, print_text},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &ExportContext) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = ExportContextRequest {
        selection: selection(&session, options)?,
        aliases: options.aliases,
        dry_run: options.dry_run,
    };
    let operation = cortex_service::export_context;
    let envelope = session.ask("export-context", operation, &request)?;
    match options.format {
        ReportFormat::Json => print_envelope(&envelope)?,
        ReportFormat::Text => {
            print_text(&cortex_context::export_context_text(&envelope.answer))?;
        }
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}

/// What the arguments select; `None` for what is recorded.
fn selection(
    session: &Session<'_>,
    options: &ExportContext,
) -> Result<Option<OutlineSelection>, Failure> {
    let is_default =
        options.types.is_empty() && !options.public && !options.all && options.scope.is_none();
    if is_default {
        return Ok(None);
    }
    let mut only = Vec::with_capacity(options.types.len());
    for symbol in &options.types {
        let request = ResolveRequest::new(symbol.as_str());
        let found = session.ask("resolve", cortex_service::resolve, &request)?;
        let symbol_ref = found.answer.subject.resolved;
        if symbol_ref.member_id.is_some() {
            let path = &symbol_ref.path;
            return Err(Failure::usage(format!(
                "failed to select `{symbol}`: {path} is a member; outlines are of types"
            )));
        }
        only.push(symbol_ref.path);
    }
    Ok(Some(OutlineSelection {
        types: match options.all {
            true => ExportedTypes::All,
            false => ExportedTypes::Public,
        },
        scope: options.scope.clone(),
        only,
    }))
}
