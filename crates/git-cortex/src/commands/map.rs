//! `git cortex map`.

use std::process::ExitCode;

use cortex_wire::MapRequest;

use crate::{
    arguments::{self, DEFAULT_BUDGET, Global, Look, LookFormat, MapDocs},
    commands::{Writers, outline::members_shown, print_look},
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
    let writers = Writers {
        text: cortex_context::map_text,
        markdown: cortex_context::map_markdown,
    };
    print_look(&session, &envelope, options.format, &options.look, &writers)?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}

/// How many types are worth reading: more than a budget can hold are not shown.
pub(super) fn n_types(look: &Look, format: LookFormat) -> usize {
    match format {
        LookFormat::Json => look.limit,
        LookFormat::Text | LookFormat::Md => look
            .limit
            .min(look.budget.unwrap_or(DEFAULT_BUDGET) / MIN_TOKENS + 1),
    }
}
