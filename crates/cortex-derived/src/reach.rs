//! Who runs whom: the members and tests of a snapshot as a graph.
//!
//! Owns: what decides about calls, and the graph that it makes. Must not know: which tests are asked for, in which order.
//! How it is found is told in `docs/tests.md`.

pub mod build;
pub mod code;
pub mod digest;
pub mod digests;
pub mod frameworks;
pub mod graph;
pub mod kept;
pub mod services;
