//! Edits: what they change, what they refuse, and that they can be taken back.

mod laws;
mod members;
mod patches;
mod renames;
mod short_proof;
mod signatures;
mod usings;
mod world;
