//! Facts and projects to the declared types of a repository: pure and deterministic.
//!
//! Owns: which types the headers of declarations name, canonical signatures, hashes of types.
//! Must not know: IO, git, the store.

mod detail;
mod file;
mod graph;
mod headers;
mod main_part;
mod member;
mod merge;
mod outside;
mod renamed;
mod scope;
mod signature;
mod speakers;
mod symbol;

pub use detail::member_detail;
pub use file::{BoundFile, BoundPart, bind_bases, bind_file};
pub use graph::{MemberDetail, PartRef, TypeHashes, TypeNode};
pub use headers::{Bound, Universe, bind_headers};
pub use main_part::main_part;
pub use member::{AccessorNode, AttributeNode, MemberNode, ParamNode, TypeParamNode, TypeShape};
pub use merge::merge_parts;
pub use outside::{
    NoOutside, Outside, OutsideDefinition, OutsideType, TypeText, WrittenName, push_namespace,
};
pub use renamed::NameOf;
pub use scope::{FileScope, GlobalUsing, InternalsVisible, ProjectScope};
pub use speakers::Speakers;
pub use symbol::{DeclaredType, TypeSymbol, declared_types, type_key};

/// The version of binding and of every hash made here; part of every snapshot key.
pub const BIND_VERSION: u32 = 14;
