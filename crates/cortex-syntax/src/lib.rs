//! One C# source text to facts: decoding, preprocessing, parsing, declarations, references.
//!
//! Facts are a pure function of bytes and parse options. Must not know: git, other files, the store.
//! The parser's types do not leave this crate.

mod arena;
mod bodies;
pub mod body;
mod crefs;
mod declarations;
mod docs;
mod encode;
mod excess;
mod extract;
mod facts;
mod generics;
mod identifiers;
mod kind;
mod names;
mod part;
mod references;
pub mod text;
mod types;

pub use body::{
    Bodies, BodyChildren, BodyId, BodyKind, BodyNode, LiteralKind, Op, body_flags, ref_kind,
};
pub use encode::{DecodeError, Sections, decode_facts, encode_facts, is_neutral, is_project_wide};
pub use excess::Excess;
pub use extract::{Extractor, ParseOptions, extract, file_hash};
pub use facts::{
    Accessor, AccessorKind, AttributeTarget, AttributeUse, Constraint, CrefSignature, Decl, DeclId,
    FACTS_VERSION, FileFacts, Inactive, NameId, NameSegment, Param, RefContext, RefId, Reference,
    TypeParam, TypeSyntax, Using, UsingKind, Variance,
};
pub use identifiers::{
    DeclaredName, Identifier, Identifiers, Link, LinkKind, Position as IdentifierPosition,
};
pub use part::Part;
