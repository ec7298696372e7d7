//! What entries of the store are called, and the bytes of those names.

use cortex_model::{BlobId, Hash, ObjectId};

/// The name of the facts of one text: all that they are a function of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactsKey {
    /// The version of the program part that computes facts.
    pub version: u32,
    /// A digest of the options that it was given.
    pub options: u64,
    /// The text.
    pub blob: BlobId,
}

impl FactsKey {
    const HEAD: usize = 12;

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let blob = self.blob.0;
        let mut bytes = Vec::with_capacity(Self::HEAD + blob.as_slice().len());
        bytes.extend_from_slice(&self.version.to_be_bytes());
        bytes.extend_from_slice(&self.options.to_be_bytes());
        bytes.extend_from_slice(blob.as_slice());
        bytes
    }
}

/// What a snapshot is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SnapshotId {
    /// The tree of a commit.
    Commit(ObjectId),
    /// A work tree over a commit, by the digest of both.
    Overlay(Hash),
}

/// The name of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SnapshotKey {
    /// What it is of.
    pub id: SnapshotId,
    /// The digest of the configuration that it was made with.
    pub config: Hash,
}

impl SnapshotKey {
    const COMMIT: u8 = 1;
    const OVERLAY: u8 = 2;

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(65);
        match &self.id {
            SnapshotId::Commit(id) => {
                bytes.push(Self::COMMIT);
                bytes.extend_from_slice(id.as_slice());
            }
            SnapshotId::Overlay(digest) => {
                bytes.push(Self::OVERLAY);
                bytes.extend_from_slice(digest.as_bytes());
            }
        }
        bytes.extend_from_slice(self.config.as_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&kind, rest) = bytes.split_first()?;
        let (id, config) = rest.split_last_chunk::<32>()?;
        let id = match kind {
            Self::COMMIT => SnapshotId::Commit(ObjectId::from_slice(id)?),
            Self::OVERLAY => SnapshotId::Overlay(Hash::from_bytes(id.try_into().ok()?)),
            _ => return None,
        };
        Some(Self {
            id,
            config: Hash::from_bytes(*config),
        })
    }
}

/// The key of a named value: a namespace and a name in it. Namespaces have no NUL.
pub(crate) fn name_key(namespace: &str, name: &str) -> Vec<u8> {
    let mut key = Vec::with_capacity(namespace.len() + 1 + name.len());
    key.extend_from_slice(namespace.as_bytes());
    key.push(0);
    key.extend_from_slice(name.as_bytes());
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshot_keys_round_trip_in_both_object_formats() {
        for len in [20, 32] {
            let id = ObjectId::from_slice(&vec![7; len]).expect("a length of ids");
            for id in [SnapshotId::Commit(id), SnapshotId::Overlay(Hash::of(b"x"))] {
                let config = Hash::of(b"config");
                let key = SnapshotKey { id, config };
                assert_eq!(SnapshotKey::from_bytes(&key.to_bytes()), Some(key));
            }
        }
        assert_eq!(SnapshotKey::from_bytes(b"short"), None);
    }
}
