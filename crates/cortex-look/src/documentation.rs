//! What documentation comments say, as plain data.
//!
//! Owns: sections, paragraphs, lists and the symbols that are named in them; what is inherited from where.
//! Must not know: how documentation is rendered.

pub(crate) mod comment;
pub(crate) mod crefs;
pub(crate) mod inherit;
pub(crate) mod parse;
#[cfg(test)]
mod tests;

use cortex_index::MemberTag;
use cortex_model::TypeKey;

/// A symbol of this repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DocTarget {
    /// The type.
    pub key: TypeKey,
    /// Which of its members.
    pub member: Option<MemberTag>,
}
