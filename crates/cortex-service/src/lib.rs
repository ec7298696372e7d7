//! Every operation of the product: from a request to its answer in an envelope.
//!
//! Owns: what a repository keeps between requests, what one request brings, the registry of operations, the codes of
//! errors. Must not know: arguments of a command line, terminals, rendering.

mod access;
mod config;
mod context;
mod error;
mod frameworks;
mod look;
mod memo;
mod operations;
mod reference;
mod registry;
mod scopes;
mod workspace;

pub use config::{DaemonUse, KEYS, bytes_of};
pub use context::{
    Caller, CancelToken, Event, NoWatcher, RequestContext, Stage, StoreEvent, TimingShown, Watcher,
};
pub use error::ServiceError;
pub use operations::*;
pub use reference::reference;
pub use registry::{Cost, Example, Hints, OPERATIONS, Operation, OperationSpec, answer, operation};
pub use workspace::{Current, Freshness, Variables, Workspace, WorkspaceOptions};
