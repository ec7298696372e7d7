//! What became of types and members from one snapshot to another.
//!
//! Owns: which types differ, which member of one side is which of the other, renames. Must not know: what is told of
//! it.

pub mod differing;
pub(crate) mod gathered;
pub mod overloads;
pub mod pairing;
pub mod place;
pub(crate) mod redirect;
pub mod renames;
pub mod track;
