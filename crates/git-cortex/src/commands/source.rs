//! `git cortex source`.

use std::process::ExitCode;

use cortex_wire::SourceRequest;

use crate::{
    arguments::{self, Global},
    commands::{Writers, print_look},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Source) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = SourceRequest {
        context: options.context,
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
        ..SourceRequest::new(options.symbol.as_str())
    };
    let envelope = session.ask("source", cortex_service::source, &request)?;
    let writers = Writers {
        text: cortex_context::source_text,
        markdown: cortex_context::source_markdown,
    };
    print_look(&session, &envelope, options.format, &options.look, &writers)?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}
