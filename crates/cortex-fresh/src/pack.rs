//! Packs: outlines of several types in one file, dependencies first, within a token budget.
//!
//! Owns: which types a filter selects, what completes them, what goes where the budget is short, the bytes of a pack.
//! Must not know: how a pack is shown.

pub mod build;
pub mod files;
pub mod filter;
pub mod manifest;
pub mod universe;
