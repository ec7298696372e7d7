//! `git cortex mcp`.

use std::{process::ExitCode, sync::Arc};

use cortex_mcp::{HttpOptions, Options, POLL, Toolset, WorkspaceNow, serve_http, serve_stdio};
use cortex_service::{NoWatcher, RequestContext};
use cortex_watch::Watched;

use crate::{
    arguments::{
        Global,
        serve::{Mcp, Toolsets},
    },
    commands::print_text,
    failure::{Failure, with_context},
    session::{place, workspace},
};

pub(crate) fn run(global: &Global, given: &Mcp) -> Result<ExitCode, Failure> {
    let (start, of_process) = place(global)?;
    let watched = Watched::new(start, of_process);
    let options = Options {
        toolset: match given.toolsets {
            Toolsets::Default => Toolset::Default,
            Toolsets::All => Toolset::All,
        },
        folder: global.directory.clone(),
        timeout: global.timeout,
        poll: POLL,
    };
    let workspace_now = Arc::new(move || watched.current());
    if given.http {
        return serve(global, given, workspace_now, options);
    }
    with_context(serve_stdio(workspace_now, options), || {
        "serve over standard input and output".to_owned()
    })?;
    Ok(ExitCode::SUCCESS)
}

fn serve(
    global: &Global,
    given: &Mcp,
    workspace_now: WorkspaceNow,
    options: Options,
) -> Result<ExitCode, Failure> {
    let token_file = match &given.token_file {
        Some(path) => global.directory.join(path),
        None => {
            let context = RequestContext::new(&global.directory, &NoWatcher);
            workspace(global)?.index_folder(&context)?.join("mcp-token")
        }
    };
    let shown = token_file.display().to_string();
    let http = HttpOptions {
        port: given.port,
        token_file,
    };
    let listening = |url: &str| {
        // Whoever started it reads the first two lines, and may close the stream then.
        let _ = print_text(&format!(
            "{url}\nAuthorization: Bearer, with the token in {shown}\n"
        ));
    };
    with_context(serve_http(workspace_now, options, &http, listening), || {
        format!("serve over HTTP on port {}", given.port)
    })?;
    Ok(ExitCode::SUCCESS)
}
