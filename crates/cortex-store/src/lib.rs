//! The store of one repository: facts, Merkle pages, snapshots and small named values in a redb
//! database. The only crate that names `redb`.
//!
//! Owns: tables, checks of everything read, locking among processes, crash safety, repair,
//! migration, collection of what is no longer reachable; and the Merkle maps themselves.
//! Must not know: C#. Keys and values are bytes.

mod batch;
mod block;
mod cache;
mod compact;
mod damage;
mod error;
mod gc;
mod keys;
mod link;
mod lock;
mod log;
mod memory;
pub mod merkle;
mod number;
mod reader;
mod snapshot;
mod stats;
mod store;
mod tables;
#[cfg(test)]
mod tests;
mod waiting;
mod watch;

pub use batch::{Batch, BatchPages};
pub use cache::Cache;
pub use damage::is_panic_contained;
pub use error::{Notice, StoreError};
pub use gc::{Collected, Retain, Retention};
pub use keys::{FactsKey, SnapshotId, SnapshotKey};
pub use lock::GcDeferral;
pub use memory::Memory;
pub use snapshot::Snapshot;
pub use stats::{Stats, Usage};
pub use store::{GcClaim, Hold, OpenOptions, Store, require_writable};
