//! One file for each command of `cargo xtask`.

pub(crate) mod bench;
pub(crate) mod corpus;
pub(crate) mod demo;
pub(crate) mod edits;
pub(crate) mod fuzz;
pub(crate) mod generate;
pub(crate) mod histories;
pub(crate) mod impact;
pub(crate) mod install;
pub(crate) mod laws;
pub(crate) mod proptest;
pub(crate) mod run;
pub(crate) mod safe_search;
pub(crate) mod snapshots;
pub(crate) mod test;
