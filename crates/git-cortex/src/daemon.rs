//! Asking a daemon instead of the index, where one runs for this repository.

use std::{sync::Arc, time::Duration};

use cortex_daemon::{Client, Context, Place, environment_digest};
use cortex_service::{DaemonUse, RequestContext, TimingShown, Workspace, operation};
use serde_json::{Value, json};

use crate::{commands::daemon::spawn, failure::Failure};

/// What a request is about.
pub(crate) struct Asked<'a> {
    /// The repository.
    pub(crate) workspace: &'a Workspace,
    /// What the request brings.
    pub(crate) context: &'a RequestContext<'a>,
    /// How long it may take.
    pub(crate) timeout: Option<Duration>,
}

/// The daemon's answer as JSON; `None` where none runs, where it is of another version or environment, or where the
/// request is not one that only reads.
pub(crate) fn ask(
    asked: &Asked<'_>,
    name: &str,
    mut request: Value,
) -> Option<Result<Value, Failure>> {
    let wanted = asked.workspace.daemon_use(asked.context).ok()?;
    if wanted == DaemonUse::Off || !operation(name)?.hints.read_only {
        return None;
    }
    let folder = asked.workspace.index_folder(asked.context).ok()?;
    let place = Place::of(&folder.canonicalize().unwrap_or(folder));
    if !place.address.exists() {
        if wanted == DaemonUse::Auto {
            // For the next command; this one does not wait for it.
            let _ = spawn(&asked.context.folder, None);
        }
        return None;
    }
    let mut client = Client::connect(&place)?;
    let welcome = client.welcome();
    let environment = environment_digest(&(Arc::new(|name: &str| std::env::var_os(name)) as _));
    if welcome.version != env!("CARGO_PKG_VERSION") || welcome.environment != environment {
        return None;
    }
    let context = Context {
        folder: Some(asked.context.folder.canonicalize().ok()?),
        tfm: asked.context.tfm.clone(),
        timeout_millis: asked
            .timeout
            .and_then(|it| u64::try_from(it.as_millis()).ok()),
        timing: asked.context.timing == TimingShown::Yes,
        agent: false,
        progress_token: None,
    };
    request["$context"] = json!(context);
    // A connection that breaks leaves the question to this process.
    let reply = client.request(name, &request, &asked.context.cancel).ok()?;
    Some(reply.map_err(|error| Failure::from(*error)))
}
