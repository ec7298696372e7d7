//! `git cortex mcp`.

use std::{process::ExitCode, sync::Arc};

use cortex_mcp::{Options, POLL, Toolset, serve_stdio};
use cortex_watch::Watched;

use crate::{
    arguments::{
        Global,
        serve::{Mcp, Toolsets},
    },
    failure::{Failure, with_context},
    session::place,
};

pub(crate) fn run(global: &Global, options: &Mcp) -> Result<ExitCode, Failure> {
    let (start, given) = place(global)?;
    let watched = Watched::new(start, given);
    let options = Options {
        toolset: match options.toolsets {
            Toolsets::Default => Toolset::Default,
            Toolsets::All => Toolset::All,
        },
        folder: global.directory.clone(),
        timeout: global.timeout,
        poll: POLL,
    };
    with_context(
        serve_stdio(Arc::new(move || watched.workspace()), options),
        || "serve over standard input and output".to_owned(),
    )?;
    Ok(ExitCode::SUCCESS)
}
