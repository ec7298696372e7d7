//! `git cortex usages`.

use std::process::ExitCode;

use cortex_wire::UsagesRequest;

use crate::{
    arguments::{self, Global},
    commands::{Writers, print_look},
    failure::Failure,
    paint,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Usages) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = UsagesRequest {
        with_overrides: options.with_overrides,
        roles: options.roles.clone(),
        mentions: options.mentions,
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
        ..UsagesRequest::new(options.symbol.as_str())
    };
    let envelope = session.ask("usages", cortex_service::usages, &request)?;
    let path = &envelope.answer.subject.resolved.path;
    let name = path.split('(').next().unwrap_or(path);
    let name = name.rsplit('.').next().unwrap_or(name);
    paint::highlight([name.split('<').next().unwrap_or(name).to_owned()]);
    let writers = Writers {
        text: cortex_context::usages_text,
        markdown: cortex_context::usages_markdown,
    };
    print_look(&session, &envelope, options.format, &options.look, &writers)?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}
