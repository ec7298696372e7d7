//! The bound graph's values: types with their members, hashes and outgoing edges.

use std::fmt::Write;

use cortex_model::{
    Accessibility, ByteRange, DeclKind, Hash, Hasher, Modifiers, RepoPath, ShortHash, TypeKey,
    TypeKind,
};
use serde::{Deserialize, Serialize};

use crate::{
    member::{AttributeNode, MemberNode, TypeParamNode, TypeShape, write_modifiers},
    outside::{TypeText, full, short},
};

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
    /// Its base list as bound, each base once; sorted where it has several parts.
    pub base_list: Vec<TypeText>,
    /// What its declarations say besides: each text once; sorted where it has several parts.
    pub shapes: Vec<TypeShape>,
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
    /// The project that sees it so, where that is not the project of the type: variants of one assembly have
    /// files, and stretches of files, of their own.
    pub project: Option<RepoPath>,
}

impl TypeNode {
    /// The project whose facts and bindings speak of a declaration.
    pub fn project_of<'a>(&'a self, part: &'a PartRef) -> &'a RepoPath {
        part.project.as_ref().unwrap_or(&self.project)
    }

    /// The project whose facts and bindings speak of the declarations in a file.
    pub fn project_in(&self, path: &RepoPath) -> &RepoPath {
        let part = self.parts.iter().find(|part| part.path == *path);
        part.map_or(&self.project, |part| self.project_of(part))
    }

    /// Its own signature as people read it: accessibility, modifiers, kind, name, bases, attributes, type parameters
    /// with constraints; types of this repository as bound, types from outside by their names.
    pub fn signature(&self) -> String {
        short(&self.marked_signature()).into_owned()
    }

    /// Its own signature as bound: the same with the namespaces of types from outside.
    pub fn full_signature(&self) -> String {
        full(&self.marked_signature())
    }

    pub(crate) fn marked_signature(&self) -> String {
        let mut out = format!("{} ", self.head());
        // A delegate is written as a method is: `delegate int N.D(string)`.
        let called = self.shapes.iter().find(|_| self.kind == TypeKind::Delegate);
        if let Some(ty) = called.and_then(|shape| shape.ty.as_ref()) {
            let _ = write!(out, "{} ", ty.marked());
        }
        out.push_str(&self.fqn);
        if let Some(shape) = called {
            out.push_str(&shape.params_text());
        }
        if !self.base_list.is_empty() {
            let bases: Vec<&str> = self.base_list.iter().map(TypeText::marked).collect();
            let _ = write!(out, " : {}", bases.join(", "));
        }
        for shape in &self.shapes {
            let text = match called {
                Some(_) => shape.text_beside_call(),
                None => shape.marked(),
            };
            if !text.is_empty() {
                let _ = write!(out, " {text}");
            }
        }
        out
    }

    /// Of a delegate, its return type and its parameters in parentheses.
    pub fn call(&self) -> Option<(String, String)> {
        let shape = (self.shapes.iter()).find(|_| self.kind == TypeKind::Delegate)?;
        let ty = shape.ty.as_ref()?.short().into_owned();
        Some((ty, short(&shape.params_text()).into_owned()))
    }

    /// What stands before the name in its signature: `public sealed class`.
    pub fn head(&self) -> String {
        let mut out = format!("{} ", self.accessibility);
        write_modifiers(&mut out, self.modifiers);
        out.push_str(self.kind.name());
        out
    }

    /// Whether both have the same [`TypeNode::signature`].
    pub fn has_signature_of(&self, other: &Self) -> bool {
        self.marked_signature() == other.marked_signature()
    }

    /// The attributes of its declarations.
    pub fn attributes(&self) -> impl Iterator<Item = &AttributeNode> {
        self.shapes.iter().flat_map(|shape| &shape.attributes)
    }

    /// Its own type parameters, with the constraints that any of its declarations gives them.
    pub fn type_params(&self) -> Vec<&TypeParamNode> {
        let mut out: Vec<&TypeParamNode> = Vec::new();
        for (at, param) in
            (self.shapes.iter()).flat_map(|shape| shape.type_params.iter().enumerate())
        {
            match out.get_mut(at) {
                Some(known) if known.constraints.is_empty() => *known = param,
                Some(_) => {}
                None => out.push(param),
            }
        }
        out
    }

    /// The signature of a member as people read it: types of this repository fully qualified as bound, types from
    /// outside by their names, modifiers sorted, parameter names and default values left out. A finalizer is told
    /// apart from a constructor by its `~`.
    pub fn member_signature(&self, member: &MemberNode) -> String {
        short(&self.marked_member_signature(member)).into_owned()
    }

    /// The canonical signature of a member, which its id is made of: the same with every type fully qualified.
    pub fn full_member_signature(&self, member: &MemberNode) -> String {
        full(&self.marked_member_signature(member))
    }

    /// The hash of what others can see of its shape. Written anew each time: O(members).
    pub fn structure(&self) -> Hash {
        let mut hasher = Hasher::new("structure-v2");
        hasher.field(self.marked_signature().as_bytes());
        for member in self
            .members
            .iter()
            .filter(|it| it.accessibility.is_visible())
        {
            hasher
                .field(self.marked_member_signature(member).as_bytes())
                .field(member.marked_shape().as_bytes());
        }
        hasher.finish()
    }

    pub(crate) fn marked_member_signature(&self, member: &MemberNode) -> String {
        let tilde = match member.kind {
            DeclKind::Finalizer => "~",
            _ => "",
        };
        format!(
            "{} {}{}.{tilde}{}{}",
            member.accessibility,
            member.marked_head(),
            self.fqn,
            member.name,
            member.marked_tail()
        )
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
    /// Tokens of its body and of default values of its parameters; 0 for none.
    pub impl_hash: u64,
    /// Whether it has a body, accessors or an initial value.
    pub has_body: bool,
    /// Whether code of it runs when it is used: it has a body, or one of its accessors has.
    pub has_code: bool,
    /// Words of its documentation; 0 for none.
    pub doc_hash: u64,
}

/// The hashes of a type beside that of its structure, which [`TypeNode::structure`] computes: 64 bits of each, as they
/// are made of hashes of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TypeHashes {
    /// Bodies of visible members.
    pub public_impl: u64,
    /// Bodies and signatures of the others.
    pub internal_impl: u64,
    /// Both in one.
    pub implementation: ShortHash,
    /// Documentation text.
    pub docs: u64,
    /// The text of its declarations, comments and white space included: nothing but "did it change at all" is asked
    /// of it.
    pub text: u64,
}

impl TypeHashes {
    pub(crate) fn new(public: Hash, internal: Hash, docs: Hash, text: Hash) -> Self {
        let mut implementation = Hasher::new("impl-v1");
        implementation
            .field(public.as_bytes())
            .field(internal.as_bytes());
        Self {
            public_impl: public.to_u64(),
            internal_impl: internal.to_u64(),
            implementation: implementation.finish().shortened(),
            docs: docs.to_u64(),
            text: text.to_u64(),
        }
    }

    /// What is shown of the hash of its documentation.
    pub fn documentation(&self) -> ShortHash {
        let [a, b, c, d, e, ..] = self.docs.to_be_bytes();
        ShortHash::from_bytes([a, b, c, d, e])
    }
}

// One stretch of bytes without a word about its parts.
impl Serialize for TypeHashes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = [0; HASH_BYTES];
        let numbers = [self.public_impl, self.internal_impl, self.docs, self.text];
        for (to, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            to.copy_from_slice(&number.to_be_bytes());
        }
        bytes[32..].copy_from_slice(self.implementation.as_bytes());
        serde_bytes::serialize(&bytes, serializer)
    }
}

impl<'de> Deserialize<'de> for TypeHashes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes: [u8; HASH_BYTES] = serde_bytes::deserialize(deserializer)?;
        let number = |at: usize| {
            let bytes = bytes[8 * at..].first_chunk();
            u64::from_be_bytes(*bytes.expect("there are four numbers"))
        };
        let implementation = bytes.last_chunk().expect("it is longer");
        Ok(Self {
            public_impl: number(0),
            internal_impl: number(1),
            docs: number(2),
            text: number(3),
            implementation: ShortHash::from_bytes(*implementation),
        })
    }
}

const HASH_BYTES: usize = 4 * 8 + ShortHash::LEN;
