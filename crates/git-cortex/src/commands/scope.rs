//! `git cortex scope`.

use std::process::ExitCode;

use cortex_wire::{
    Envelope, LineRange, MissingNames, ScopeDescribeRequest, ScopeFilesRequest, ScopeListRequest,
    ScopeResolveRequest, ScopeValidateRequest,
};
use serde::Serialize;

use crate::{
    arguments::{
        Global, ReportFormat,
        scope::{Choice, Lines, Missing, Scope, ScopeCommand},
    },
    commands::{print_bytes, print_envelope, print_text, scope_text},
    failure::Failure,
    harmless::in_text,
    session::Session,
};

/// How many files an answer in JSON has unless the arguments say otherwise.
const PAGE: usize = 1_000;

pub(crate) fn run(global: &Global, options: &Scope) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let format = options.format;
    match &options.command {
        ScopeCommand::List { at } => {
            let request = ScopeListRequest { at: at.clone() };
            let envelope = session.ask("scope-list", cortex_service::scope_list, &request)?;
            print(&session, &envelope, format, cortex_context::scope_list_text)?;
            if format == ReportFormat::Text && !global.quiet {
                for message in &envelope.answer.diagnostics {
                    anstream::eprintln!("warning: {}", in_text(message));
                }
            }
        }
        ScopeCommand::Validate { pattern } => {
            let request = ScopeValidateRequest::new(pattern.as_str());
            let envelope =
                session.ask("scope-validate", cortex_service::scope_validate, &request)?;
            print(
                &session,
                &envelope,
                format,
                cortex_context::scope_validate_text,
            )?;
        }
        ScopeCommand::Describe { scope } => {
            let request = ScopeDescribeRequest::new(read(scope)?);
            let envelope =
                session.ask("scope-describe", cortex_service::scope_describe, &request)?;
            print(
                &session,
                &envelope,
                format,
                cortex_context::scope_describe_text,
            )?;
        }
        ScopeCommand::Resolve(choice) => {
            let request = ScopeResolveRequest {
                at: choice.at.clone(),
                missing: choice.missing.map(missing),
                open: choice.open.clone(),
                current: choice.current.clone(),
                selection: selection(choice),
                ..ScopeResolveRequest::new(read(&choice.scope)?)
            };
            let envelope = session.ask("scope-resolve", cortex_service::scope_resolve, &request)?;
            print(
                &session,
                &envelope,
                format,
                cortex_context::scope_resolve_text,
            )?;
        }
        ScopeCommand::Files {
            choice,
            contains,
            offset,
            limit,
            null,
        } => {
            let request = ScopeFilesRequest {
                at: choice.at.clone(),
                missing: choice.missing.map(missing),
                open: choice.open.clone(),
                current: choice.current.clone(),
                selection: selection(choice),
                contains: contains.clone(),
                offset: *offset,
                limit: limit.or((format == ReportFormat::Json).then_some(PAGE)),
                ..ScopeFilesRequest::new(read(&choice.scope)?)
            };
            let envelope = session.ask("scope-files", cortex_service::scope_files, &request)?;
            if *null && format == ReportFormat::Text {
                session.warn(&envelope);
                print_bytes(&cortex_context::scope_files_null(&envelope.answer))?;
            } else {
                print(
                    &session,
                    &envelope,
                    format,
                    cortex_context::scope_files_text,
                )?;
            }
            session.settle();
            return Ok(match envelope.answer.contains {
                Some(false) => ExitCode::FAILURE,
                _ => ExitCode::SUCCESS,
            });
        }
    }
    session.settle();
    Ok(ExitCode::SUCCESS)
}

/// Prints an answer; warnings are part of one in JSON.
fn print<A: Serialize>(
    session: &Session<'_>,
    envelope: &Envelope<A>,
    format: ReportFormat,
    text: fn(&A) -> String,
) -> Result<(), Failure> {
    match format {
        ReportFormat::Json => print_envelope(envelope),
        ReportFormat::Text => {
            session.warn(envelope);
            print_text(&text(&envelope.answer))
        }
    }
}

/// A scope as written; `-` stands for standard input.
fn read(scope: &str) -> Result<String, Failure> {
    Ok(scope_text(Some(scope))?.unwrap_or_default())
}

fn missing(missing: Missing) -> MissingNames {
    match missing {
        Missing::Fail => MissingNames::Fail,
        Missing::Empty => MissingNames::Empty,
        Missing::Skip => MissingNames::Skip,
    }
}

fn selection(choice: &Choice) -> Vec<LineRange> {
    let lines = choice.selection.iter();
    lines
        .map(|Lines { path, first, last }| LineRange::new(path.as_str(), *first, *last))
        .collect()
}
