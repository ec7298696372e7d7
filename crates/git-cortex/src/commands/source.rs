//! `git cortex source`.

use std::process::ExitCode;

use crate::{
    arguments::{self, Global},
    commands::{Writers, print_look},
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Source) -> Result<ExitCode, Failure> {
    let (answer, index) = session::look(global, &options.look, |view| {
        cortex_look::source(view, &options.symbol, options.context)
    })?;
    let writers = Writers {
        text: cortex_context::source_text,
        markdown: cortex_context::source_markdown,
        json: cortex_context::json,
    };
    print_look(&answer, options.format, &options.look, &writers)?;
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}
