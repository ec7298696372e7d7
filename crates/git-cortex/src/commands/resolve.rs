//! `git cortex resolve`.

use std::process::ExitCode;

use cortex_wire::ResolveRequest;

use crate::{
    arguments::{self, Global},
    commands::{Writers, print_look},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Resolve) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = ResolveRequest {
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
        ..ResolveRequest::new(options.symbol.as_str())
    };
    let envelope = session.ask("resolve", cortex_service::resolve, &request)?;
    let writers = Writers {
        text: cortex_context::resolve_text,
        markdown: cortex_context::resolve_markdown,
    };
    print_look(&session, &envelope, options.format, &options.look, &writers)?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}
