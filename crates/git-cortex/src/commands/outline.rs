//! `git cortex outline`.

use std::process::ExitCode;

use cortex_wire::{DocsShown, MembersShown, OutlineRequest};

use crate::{
    arguments::{self, Docs, Global, Members},
    commands::{Writers, print_look},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Outline) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = OutlineRequest {
        members: members_shown(options.members),
        depth: options.depth,
        docs: match options.docs {
            Docs::None => DocsShown::None,
            Docs::First => DocsShown::First,
            Docs::Full => DocsShown::Full,
        },
        source: options.source,
        top: options.top,
        types: Some(super::map::n_types(&options.look, options.format)),
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
        ..OutlineRequest::new(options.what.as_str())
    };
    let envelope = session.ask("outline", cortex_service::outline, &request)?;
    let writers = Writers {
        text: cortex_context::outline_text,
        markdown: cortex_context::outline_markdown,
    };
    print_look(&session, &envelope, options.format, &options.look, &writers)?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}

pub(super) fn members_shown(members: Members) -> MembersShown {
    match members {
        Members::Public => MembersShown::Public,
        Members::All => MembersShown::All,
    }
}
