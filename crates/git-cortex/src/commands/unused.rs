//! `git cortex unused`.

use std::process::ExitCode;

use cortex_wire::{UnusedRequest, UnusedWhat};

use crate::{
    arguments::{self, Global, What},
    commands::{Writers, print_look},
    failure::Failure,
    session::Session,
};

pub(crate) fn run(global: &Global, options: &arguments::Unused) -> Result<ExitCode, Failure> {
    let session = Session::new(global)?;
    let request = UnusedRequest {
        what: match options.what {
            What::Types => UnusedWhat::Types,
            What::Members => UnusedWhat::Members,
            What::All => UnusedWhat::All,
        },
        all: options.all,
        at: options.look.at.clone(),
        filter: options.look.filter()?,
        limit: options.look.limit,
    };
    let envelope = session.ask("unused", cortex_service::unused, &request)?;
    let writers = Writers {
        text: cortex_context::unused_text,
        markdown: cortex_context::unused_markdown,
    };
    print_look(&session, &envelope, options.format, &options.look, &writers)?;
    session.settle();
    Ok(ExitCode::SUCCESS)
}
