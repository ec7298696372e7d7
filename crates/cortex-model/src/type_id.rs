//! Identities of types and members.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Hash, TypeKind, base32};

/// The full identity of a type inside a snapshot: what short ids are cut from.
///
/// The first ten bytes come from SHA-256(`FQN|Kind|Arity`) and are what a `TypeId` shows; the last
/// four tell apart declarations of one name in several assemblies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeKey([u8; 14]);

impl TypeKey {
    /// The key of a type by its canonical name (``Ns.Outer`1+Inner`2``), kind, own arity and assembly.
    pub fn new(fqn: &str, kind: TypeKind, arity: u32, assembly: &str) -> Self {
        let bare = Hash::of(format!("{fqn}|{}|{arity}", kind.name()).as_bytes());
        let assembly = Hash::of(assembly.as_bytes());
        let mut key = [0; 14];
        key[..10].copy_from_slice(&bare.as_bytes()[..10]);
        key[10..].copy_from_slice(&assembly.as_bytes()[..4]);
        Self(key)
    }

    /// Takes a key as its 14 bytes.
    pub const fn from_bytes(bytes: [u8; 14]) -> Self {
        Self(bytes)
    }

    /// All 14 bytes.
    pub const fn as_bytes(&self) -> &[u8; 14] {
        &self.0
    }

    /// The ten bytes that do not depend on the assembly.
    pub fn bare(&self) -> &[u8] {
        &self.0[..10]
    }

    /// The id shown to users: `T_` and `chars` (8, 12 or 16) Base32 characters.
    pub fn short_id(&self, chars: usize) -> String {
        format!("T_{}", base32(self.bare(), chars))
    }
}

impl fmt::Display for TypeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short_id(8))
    }
}

impl fmt::Debug for TypeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.short_id(16))
    }
}

impl Serialize for TypeKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_bytes(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for TypeKey {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_bytes::deserialize(deserializer).map(Self)
    }
}

/// The six characters that tell a member apart within its type, cut from its canonical signature.
pub fn member_short_id(signature: &str) -> String {
    base32(Hash::of(signature.as_bytes()).as_bytes(), 6)
}
