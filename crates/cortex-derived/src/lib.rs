//! What must be read from a whole snapshot, kept for each snapshot and brought up to date by what differs.
//!
//! Owns: names, words, dependencies, who runs whom, areas; how each is read, kept and brought from one snapshot to
//! another. Must not know: questions, rendering.

pub mod areas;
pub(crate) mod blocks;
pub mod contents;
pub mod current;
pub mod dependencies;
pub mod dispatch;
pub mod doc_ids;
pub mod error;
pub mod files;
pub mod kept;
pub mod limits;
pub mod names;
pub mod outside;
pub mod reach;
pub mod source;
pub mod target;
pub mod words;

pub use error::DerivedError;
pub use limits::Limits;
pub use target::Target;
