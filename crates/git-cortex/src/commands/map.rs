//! `git cortex map`.

use std::process::ExitCode;

use cortex_wire::{Envelope, MapAnswer, MapRequest};
use serde::Serialize;

use crate::{
    arguments::{self, Global, Look, LookFormat, MapDocs},
    commands::{outline::members_shown, print_envelope, print_lines, print_long},
    failure::Failure,
    session::Session,
};

/// No type has fewer tokens on average, its members counted.
const MIN_TOKENS: usize = 40;

pub(crate) fn run(global: &Global, options: &arguments::Map) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = MapRequest {
        focus: options.focus.clone(),
        members: members_shown(options.members),
        docs: options.docs == MapDocs::First,
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: n_types(&options.look, options.format),
    };
    let envelope = session.ask("map", cortex_service::map, &request)?;
    print(
        &session,
        (&envelope, &envelope.answer),
        options.format,
        &options.look,
    )?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}

/// How many types are worth reading: more than a budget can hold are not shown.
pub(super) fn n_types(look: &Look, format: LookFormat) -> usize {
    match format {
        LookFormat::Json => look.limit,
        LookFormat::Text | LookFormat::Md => look.limit.min(look.budget / MIN_TOKENS + 1),
    }
}

pub(super) fn print<A: Serialize>(
    session: &Session<'_>,
    (envelope, answer): (&Envelope<A>, &MapAnswer),
    format: LookFormat,
    look: &Look,
) -> Result<(), Failure> {
    if format != LookFormat::Json {
        session.warn(envelope);
    }
    match format {
        LookFormat::Text => print_lines(&cortex_context::map_text(answer, &look.render())),
        LookFormat::Md => print_long(&cortex_context::map_markdown(answer, &look.render())),
        LookFormat::Json => print_envelope(envelope),
    }
}
