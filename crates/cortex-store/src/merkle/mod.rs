//! Merkle maps: ordered persistent maps from byte keys to byte values whose pages are named by
//! their hashes.
//!
//! The pages are a pure function of the content: maps with equal content have equal roots whatever
//! the order of their updates, maps share the pages in which they agree, and the difference of two
//! maps is a walk over differing pages.
//!
//! The shape is a trie over the nibbles of the keys. A subtree of at most [`PAGE_TARGET`] bytes is
//! a leaf. A larger one is an inner page with the common prefix of its keys and one slot for each
//! way to go on; neighboring slots that fit together share a leaf, filled from the left, so that
//! leaves are half full at worst in all but odd cases. Each such decision needs only the weights of
//! the slots, which the inner page keeps.
//!
//! Must not know: where pages are kept, what keys and values mean.

mod diff;
mod memory;
mod nibbles;
mod node;
mod page;
mod read;
#[cfg(test)]
mod tests;
mod update;

use std::fmt;
use std::sync::Arc;

use cortex_model::Hash;
use serde::{Deserialize, Serialize};

use crate::StoreError;

pub use diff::{DifferenceVisitor, diff};
pub use memory::MemoryPages;
pub(crate) use page::similar_first;
pub use page::{Malformed, check_page};
pub use read::{EntryVisitor, Walk, get, len, scan_prefix, walk_pages};
pub use update::update;

/// The longest key. Keys that may be longer (paths) are cut and hashed by whoever makes them.
pub const MAX_KEY_BYTES: usize = 64;

/// Entries of at most this size in sum are one leaf (uncompressed; long keys count less, as
/// neighbors share their beginnings).
pub const PAGE_TARGET: u64 = 4096;

/// The name of a page: the first 16 bytes of the SHA-256 of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageHash([u8; Self::LEN]);

impl PageHash {
    /// Its length in bytes.
    pub const LEN: usize = 16;

    /// The name of a page with these bytes.
    pub fn of(page: &[u8]) -> Self {
        let hash = Hash::of(page);
        let (head, _) = hash
            .as_bytes()
            .split_first_chunk()
            .expect("a SHA-256 has 32 bytes");
        Self(*head)
    }

    /// Takes a hash as its bytes.
    pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(bytes)
    }

    /// The bytes of the hash.
    pub const fn as_bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }
}

impl fmt::Display for PageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for PageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for PageHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_bytes::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for PageHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde_bytes::deserialize(deserializer).map(Self)
    }
}

/// A map: the hash of its root page. Equal roots are equal maps and the other way round.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct MapRoot(Option<PageHash>);

impl MapRoot {
    /// The map without entries.
    pub const EMPTY: Self = Self(None);

    /// Takes a map by its root page, `None` for the empty one.
    pub const fn new(page: Option<PageHash>) -> Self {
        Self(page)
    }

    /// The root page, `None` for the empty map.
    pub const fn page(self) -> Option<PageHash> {
        self.0
    }
}

/// Where pages come from.
pub trait PageSource {
    /// The bytes of a page, checked against its hash; [`StoreError::DamagedPage`] if it is not
    /// there or does not match.
    fn page(&self, hash: PageHash) -> Result<Arc<[u8]>, StoreError>;
}

/// Where new pages go.
pub trait PageSink {
    /// Takes a page. The same page may come more than once.
    fn put(&mut self, hash: PageHash, bytes: Vec<u8>);
}

/// One change of a map: the key, and its new value or `None` to delete it.
pub type Change = (Vec<u8>, Option<Vec<u8>>);
