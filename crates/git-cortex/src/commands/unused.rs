//! `git cortex unused`.

use std::process::ExitCode;

use cortex_look::{UnusedListed, UnusedOptions, UnusedWhat};

use crate::{
    arguments::{self, Global, What},
    commands::{Writers, print_look},
    failure::Failure,
    session,
};

pub(crate) fn run(global: &Global, options: &arguments::Unused) -> Result<ExitCode, Failure> {
    let wanted = UnusedOptions {
        what: match options.what {
            What::Types => UnusedWhat::Types,
            What::Members => UnusedWhat::Members,
            What::All => UnusedWhat::All,
        },
        listed: if options.all {
            UnusedListed::All
        } else {
            UnusedListed::Certain
        },
    };
    let (answer, index) = session::look(global, &options.look, |view| {
        cortex_look::unused(view, &wanted)
    })?;
    let writers = Writers {
        text: cortex_context::unused_text,
        markdown: cortex_context::unused_markdown,
        json: cortex_context::json,
    };
    print_look(&answer, options.format, &options.look, &writers)?;
    session::settle(&index, global);
    Ok(ExitCode::SUCCESS)
}
