//! What documentation comments say, as plain data.
//!
//! Owns: sections, paragraphs, lists and the symbols that are named in them; what is inherited from where.
//! Must not know: how documentation is rendered.

mod comment;
mod crefs;
mod inherit;
mod parse;
#[cfg(test)]
mod tests;

use cortex_index::MemberTag;
use cortex_model::TypeKey;
pub use cortex_wire::{
    DocBlock, DocInline, DocItem, DocListKind, DocNote, DocSection, DocSectionKind, Documentation,
};

pub(crate) use inherit::Reader;

/// A symbol of this repository.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DocTarget {
    /// The type.
    pub key: TypeKey,
    /// Which of its members.
    pub member: Option<MemberTag>,
}
