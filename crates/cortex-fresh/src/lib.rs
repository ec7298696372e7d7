//! Committed context: outlines of types as files, and whether they still say what the sources say.
//!
//! Owns: the bytes of the files under `.context`, what each depends on, how they are written, and the check that
//! compares them with the sources. Must not know: how a verdict is rendered, exit statuses.

pub mod aliases;
pub mod check;
pub mod committed;
pub mod configured;
pub mod error;
pub mod export;
pub mod outline;
mod overdue;
pub mod pack;
pub mod pins;
pub mod policy;
mod reasons;
pub mod selection;
pub mod semantics;
pub mod window;
pub mod write;

pub use check::{CheckOptions, Checked, check, fixes};
pub use error::FreshError;
pub use export::export_context;
pub use policy::Policy;
pub use write::Writes;
