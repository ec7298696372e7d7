//! Outlines as committed files: one file for each type, a function of the type's declarations alone.
//!
//! Owns: what an outline says, its bytes, the ids that git gives to these. Must not know: which outlines a repository
//! commits.
//!
//! An outline shows declarations as the source writes them, not as names resolve, and no line numbers. So it changes
//! exactly when a declaration, its documentation, its file or its assembly does, and no change of one type can make
//! the outline of another stale.

pub mod sheet;
pub mod table;
pub mod text;
