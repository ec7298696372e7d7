//! What in a repository can be reached, used or called.

use cortex_index::MemberTag;
use cortex_model::TypeKey;

/// A member of a type of a snapshot, or the type itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// A type: any of its members.
    Type(TypeKey),
    /// A member.
    Member(TypeKey, MemberTag),
}

impl Target {
    /// The type that it is or that declares it.
    pub fn key(self) -> TypeKey {
        match self {
            Self::Type(key) | Self::Member(key, _) => key,
        }
    }
}
