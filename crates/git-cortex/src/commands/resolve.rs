//! `git cortex resolve`.

use std::process::ExitCode;

use crate::{
    arguments::{self, Global},
    commands::{Writers, print_look},
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Resolve) -> Result<ExitCode, Failure> {
    let (answer, index) = session::look(global, &options.look, |view| {
        cortex_look::resolve_symbol(view, &options.symbol)
    })?;
    let writers = Writers {
        text: cortex_context::resolve_text,
        markdown: cortex_context::resolve_markdown,
        json: cortex_context::json,
    };
    print_look(&answer, options.format, &options.look, &writers)?;
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}
