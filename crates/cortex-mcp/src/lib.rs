//! Every operation as tools, resources and prompts of the Model Context Protocol.
//!
//! Owns: which tools there are, what of an operation each offers, how answers and errors read for an agent.
//! Must not know: how operations answer, arguments of a command line, terminals.

mod answer;
mod ask;
mod http;
mod page;
mod prompts;
mod resources;
mod schema;
mod server;
mod tools;
mod words;

use std::time::Duration;

use rmcp::{ServiceExt, transport::stdio_pipes};

pub use ask::WorkspaceNow;
pub use http::{HttpOptions, serve_http};
pub use server::Server;
pub use tools::Toolset;

/// How a server answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which tools it offers.
    pub toolset: Toolset,
    /// The folder that relative paths of requests start from.
    pub folder: std::path::PathBuf,
    /// How long one request may take; as long as its operation needs by default.
    pub timeout: Option<Duration>,
    /// How often resources with subscriptions are looked at.
    pub poll: Duration,
}

/// How often resources with subscriptions are looked at by default.
pub const POLL: Duration = Duration::from_secs(1);

/// Serves one client over standard input and output, until it closes them.
///
/// # Errors
/// Where the streams fail, or the client does not speak the protocol.
pub fn serve_stdio(workspace: WorkspaceNow, options: Options) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let result = runtime.block_on(async {
        let server = Server::new(workspace, options);
        let running = match server.serve(stdio_pipes()).await {
            Ok(running) => running,
            // Whoever closes the streams before a word was said wants nothing.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(std::io::Error::other(error)),
        };
        running.waiting().await.map_err(std::io::Error::other)?;
        Ok(())
    });
    // A read of standard input that nobody ends must not keep the process.
    runtime.shutdown_background();
    result
}
