//! The tables of the database, schema 1, and the seals on small values.
//!
//! Bulk values (facts, pages) are not values of a B-tree, where each would round up to whole
//! 4 KiB pages, but stretches of one log that is cut into chunks; their tables locate them.
//! Everything that is read is checked: pages by their hash, all else by a checksum over the key and
//! the value, as redb verifies nothing when it reads.

use redb::TableDefinition;
use xxhash_rust::xxh3::Xxh3;

use crate::merkle::PageHash;

/// The version of what this file describes.
pub(crate) const SCHEMA: u32 = 1;

/// A table by byte strings.
pub(crate) type TableOf<V> = TableDefinition<'static, &'static [u8], V>;

/// Facts key → the page that holds the value, sealed.
pub(crate) const FACTS: TableDefinition<'_, &[u8], &[u8; FactsAt::LEN]> =
    TableDefinition::new("facts");
/// Page hash → where the page is.
pub(crate) const PAGES: TableDefinition<'_, &[u8; 16], &[u8; PageAt::LEN]> =
    TableDefinition::new("pages");
/// Chunk number → its bytes; all chunks but the last are full.
pub(crate) const LOG: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("log");
/// Snapshot key → sealed times and value.
pub(crate) const SNAPSHOTS: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("snapshots");
/// Namespace, NUL, name → sealed value. The same in all schemas: what is newer or older is told by it.
pub(crate) const NAMES: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("names");

/// The namespace of the store's own values.
pub(crate) const META: &str = "meta";
/// The version of the tables.
pub(crate) const META_SCHEMA: &str = "schema";
/// Changes whenever something that a reader may rely on was taken away.
pub(crate) const META_EPOCH: &str = "epoch";
/// How many snapshots the last collection left.
pub(crate) const META_KEPT: &str = "kept";
/// What they took, about.
pub(crate) const META_KEPT_BYTES: &str = "kept-bytes";

/// A stretch of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Stretch {
    pub(crate) offset: u64,
    pub(crate) len: u32,
}

impl Stretch {
    const LEN: usize = 10;

    fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        // Six bytes of offset are 256 TiB.
        bytes[..6].copy_from_slice(&self.offset.to_le_bytes()[..6]);
        bytes[6..].copy_from_slice(&self.len.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let [a, b, c, d, e, f, len @ ..] = *bytes;
        Self {
            offset: u64::from_le_bytes([a, b, c, d, e, f, 0, 0]),
            len: u32::from_le_bytes(len),
        }
    }
}

/// The page that holds a facts value. Facts are stored as pages are: named by their hash, many to a
/// compressed block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FactsAt {
    pub(crate) page: PageHash,
}

impl FactsAt {
    pub(crate) const LEN: usize = 8 + PageHash::LEN;

    /// The page's hash with a checksum over it and the key before it.
    pub(crate) fn to_bytes(self, key: &[u8]) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[..8].copy_from_slice(&checksum(key, self.page.as_bytes()).to_le_bytes());
        bytes[8..].copy_from_slice(self.page.as_bytes());
        bytes
    }

    /// `None` if the checksum does not match.
    pub(crate) fn from_bytes(key: &[u8], bytes: &[u8; Self::LEN]) -> Option<Self> {
        let page = unseal(key, bytes)?.try_into().ok()?;
        Some(Self {
            page: PageHash::from_bytes(page),
        })
    }
}

/// Where a page is: the block that it is stored in, and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PageAt {
    pub(crate) block: Stretch,
    pub(crate) index: u8,
}

impl PageAt {
    pub(crate) const LEN: usize = Stretch::LEN + 1;

    pub(crate) fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [self.index; Self::LEN];
        bytes[..Stretch::LEN].copy_from_slice(&self.block.to_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let (block, index) = bytes.split_first_chunk().expect("11 bytes are 10 and 1");
        Self {
            block: Stretch::from_bytes(block),
            index: index[0],
        }
    }
}

/// The checksum of a value under its key: a value that is found under a damaged key is damaged.
pub(crate) fn checksum(key: &[u8], value: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(&(key.len() as u64).to_le_bytes());
    hasher.update(key);
    hasher.update(value);
    hasher.digest()
}

/// Puts the checksum before a value.
pub(crate) fn seal(key: &[u8], value: &[u8]) -> Vec<u8> {
    let mut sealed = Vec::with_capacity(8 + value.len());
    sealed.extend_from_slice(&checksum(key, value).to_le_bytes());
    sealed.extend_from_slice(value);
    sealed
}

/// Takes the checksum off a value; `None` if it does not match.
pub(crate) fn unseal<'v>(key: &[u8], sealed: &'v [u8]) -> Option<&'v [u8]> {
    let (sum, value) = sealed.split_first_chunk()?;
    (u64::from_le_bytes(*sum) == checksum(key, value)).then_some(value)
}
