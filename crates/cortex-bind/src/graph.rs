//! The bound graph's values: types with their members, hashes and outgoing edges.

use cortex_model::{
    Accessibility, ByteRange, DeclKind, Hash, Modifiers, RepoPath, TypeKey, TypeKind,
};
use cortex_syntax::DeclId;
use serde::{Deserialize, Serialize};

/// A type of a snapshot: all its partial declarations merged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TypeNode {
    /// Canonical name: ``Ns.Outer`1+Inner`2``.
    pub fqn: String,
    /// Kind of type.
    pub kind: TypeKind,
    /// Its own generic parameters, those of outer types not counted.
    pub arity: u32,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// The most restricted accessibility on the way in from outside.
    pub effective: Accessibility,
    /// Union over its declarations.
    pub modifiers: Modifiers,
    /// Path of the project that compiles it.
    pub project: RepoPath,
    /// Name of the assembly that it is compiled into.
    pub assembly: String,
    /// Its declarations, by path, then position.
    pub parts: Vec<PartRef>,
    /// Its own signature as bound: modifiers, kind, generic parameters, bases, constraints, attributes.
    pub signature: String,
    /// Base types declared in source, in order.
    pub bases: Vec<TypeKey>,
    /// Members in canonical order: kind, signature, position.
    pub members: Vec<MemberNode>,
    /// See [`TypeHashes`].
    pub hashes: TypeHashes,
    /// Whether a declaration of it stands in a file that did not parse as a whole.
    pub degraded: bool,
}

/// One declaration of a type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PartRef {
    /// The file.
    pub path: RepoPath,
    /// The declaration's bytes, attributes included, documentation excluded.
    pub range: ByteRange,
    /// The declaration's documentation; empty where there is none.
    pub doc_range: ByteRange,
    /// The 1-based line of its name.
    pub line: u32,
}

/// A member of a type: what a snapshot keeps of it. The rest stands in the facts of its file, see
/// [`crate::member_detail`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemberNode {
    /// What it declares.
    pub kind: DeclKind,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// Modifiers and type as bound, each followed by a space: what stands before the name.
    pub head: String,
    /// Its simple name; with the interface before it for an explicit implementation.
    pub name: String,
    /// Parameter types and generic arity: what stands after the name.
    pub tail: String,
    /// Attributes, generic constraints, accessors and whatever else others can see that the
    /// signature leaves out.
    pub shape: String,
    /// Index into [`TypeNode::parts`].
    pub part: u32,
    /// Its declaration in the facts of that part's file.
    pub decl: DeclId,
    /// Whether a primary constructor makes it: `decl` is then the type's.
    pub primary: bool,
}

impl TypeNode {
    /// The canonical signature of a member.
    pub fn member_signature(&self, member: &MemberNode) -> String {
        let MemberNode {
            accessibility,
            head,
            name,
            tail,
            ..
        } = member;
        format!("{accessibility} {head}{}.{name}{tail}", self.fqn)
    }
}

/// What the facts of a member's file say about it beyond its signature.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemberDetail {
    /// Parameter names and default values: an API note, not structure.
    pub params: String,
    /// The declaration's bytes.
    pub range: ByteRange,
    /// Its documentation; empty where there is none.
    pub doc_range: ByteRange,
    /// The 1-based line of its name.
    pub line: u32,
    /// Tokens of its body; 0 for none.
    pub impl_hash: u64,
    /// Words of its documentation; 0 for none.
    pub doc_hash: u64,
}

/// The hashes of a type, whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TypeHashes {
    /// What others can see of its shape.
    pub structure: Hash,
    /// Bodies of visible members.
    pub public_impl: Hash,
    /// Bodies and signatures of the others.
    pub internal_impl: Hash,
    /// Documentation text.
    pub docs: Hash,
    /// The text of its declarations, comments and white space included; 64 bits, as nothing but
    /// "did it change at all" is asked of it.
    pub text: u64,
}

impl TypeHashes {
    /// Either of the two implementation hashes.
    pub fn implementation(&self) -> Hash {
        let mut hasher = cortex_model::Hasher::new("impl-v1");
        hasher
            .field(self.public_impl.as_bytes())
            .field(self.internal_impl.as_bytes());
        hasher.finish()
    }
}
