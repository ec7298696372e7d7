//! `git cortex usages`.

use std::process::ExitCode;

use cortex_look::Family;

use crate::{
    arguments::{self, Global},
    commands::{Writers, print_look},
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Usages) -> Result<ExitCode, Failure> {
    let family = if options.with_overrides {
        Family::WithOverrides
    } else {
        Family::Alone
    };
    let (answer, index) = session::look(global, &options.look, |view| {
        cortex_look::usages(view, &options.symbol, family)
    })?;
    let writers = Writers {
        text: cortex_context::usages_text,
        markdown: cortex_context::usages_markdown,
        json: cortex_context::json,
    };
    print_look(&answer, options.format, &options.look, &writers)?;
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}
