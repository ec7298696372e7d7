//! Edits: what they change, what they refuse, and that they can be taken back.

mod laws;
mod members;
mod renames;
mod world;
