//! What is made of snapshots and kept beside them from process to process, and how far it still holds.
//!
//! Must not know: what is made.

use std::{borrow::Cow, collections::BTreeSet};

use cortex_model::{Hasher, RepoPath, TypeKey};
use cortex_store::{
    Memory, StoreError,
    merkle::{self, MapRoot},
};
use serde::{Deserialize, Serialize};

use crate::{
    IndexError, Snapshot, keys,
    records::{FileSummary, decode, encode},
    snapshot::differing_records,
};

/// The namespace of what is kept: by what it is.
pub(crate) const DERIVED: &str = "derived";

/// More is never kept.
const MAX_BYTES: usize = 256 << 20;

/// What is written often is compressed fast.
const LEVEL: i32 = 1;

/// In place of a length: what follows is not compressed.
const IN_PLACE: u32 = u32::MAX;

/// In place of a length: the value is in pieces under names of their own. What follows is their tag, how many bytes
/// the pieces have in all, and how many of these bytes are unpacked, or [`IN_PLACE`].
const IN_PIECES: u32 = u32::MAX - 1;

/// What is longer is cut into pieces of so many bytes: the database rounds the room of a value up to a power of two and
/// reads all of it. With key, checksum and tag a piece takes eight pages of the database.
const PIECE: usize = 8 * 4096 - 192;

/// How a value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Compressed as a whole.
    Packed,
    /// As it is: it is short, or its parts are compressed already.
    InPlace,
}

/// The types, files, names and projects that something was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Origin {
    tables: MapRoot,
    files: MapRoot,
    uses: MapRoot,
    projects: MapRoot,
    users: MapRoot,
}

impl Origin {
    /// What tells it from others.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(self)
    }
}

/// What differs between an origin and a snapshot.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differing {
    /// Types of which anything differs, came or is gone.
    pub types: BTreeSet<TypeKey>,
    /// Types that depend on other types than before, or otherwise; those of `types` may do as well.
    pub edges: BTreeSet<TypeKey>,
    /// The same of files, or of what their names mean.
    pub files: BTreeSet<RepoPath>,
    /// Types on which others depend than before, or otherwise.
    pub dependents: BTreeSet<TypeKey>,
}

impl Snapshot {
    /// What would be read of it.
    pub fn origin(&self) -> Origin {
        let roots = &self.record.roots;
        Origin {
            tables: roots.tables,
            files: roots.files,
            uses: roots.uses,
            projects: roots.projects,
            users: roots.users,
        }
    }

    /// Values that were decoded before, kept as long as the store is open.
    pub fn memory(&self) -> &Memory {
        self.store.memory()
    }

    /// What differs from an origin, projects left out; `None` where it is collected. O(what differs).
    pub fn since(&self, origin: &Origin) -> Result<Option<Differing>, IndexError> {
        match self.differing_from(origin) {
            Err(IndexError::Store(StoreError::DamagedPage(_))) => Ok(None),
            result => result.map(Some),
        }
    }

    fn differing_from(&self, origin: &Origin) -> Result<Differing, IndexError> {
        let roots = &self.record.roots;
        let mut out = Differing::default();
        let mut failed = Ok(());
        for differing in differing_records(&self.store, origin.tables, roots.tables)? {
            let (key, sides) = (differing.key, [&differing.before, &differing.after]);
            let [before, after] = sides.map(|side| side.as_ref().map(|it| (&it.node, &it.symbols)));
            if before != after {
                out.types.insert(key);
            }
            let [before, after] = sides.map(|side| side.as_ref().map(|it| &it.written));
            if before != after {
                out.edges.insert(key);
            }
        }
        merkle::diff(
            origin.files,
            roots.files,
            &*self.store,
            &mut |_, before, after| {
                for value in before.into_iter().chain(after) {
                    match decode::<FileSummary>(value, "file") {
                        Ok(file) => _ = out.files.insert(file.path),
                        Err(error) => failed = Err(error),
                    }
                }
            },
        )?;
        merkle::diff(origin.users, roots.users, &*self.store, &mut |key, _, _| {
            out.dependents.extend(keys::target_of_dependent(key));
        })?;
        let mut files = BTreeSet::new();
        merkle::diff(origin.uses, roots.uses, &*self.store, &mut |key, _, _| {
            files.insert(keys::file_of_uses(key).to_vec());
        })?;
        failed?;
        for key in files {
            // A file that is gone differs by itself.
            if let Some(value) = merkle::get(roots.files, &key, &*self.store)? {
                out.files
                    .insert(decode::<FileSummary>(&value, "file")?.path);
            }
        }
        Ok(out)
    }

    /// What was kept under a name, with what it was made of; `None` where there is nothing sound.
    pub fn kept(&self, name: &str) -> Option<(Origin, Vec<u8>)> {
        let mut bytes = self.store.name(DERIVED, name).ok()??;
        let (len, rest) = bytes.split_first_chunk()?;
        let (origin, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        let origin = decode(origin, "origin").ok()?;
        let (len, rest) = rest.split_first_chunk()?;
        let value = match u32::from_le_bytes(*len) {
            IN_PIECES => {
                let pieces = Pieces::from_bytes(rest)?;
                let packed = self.joined(name, &pieces)?;
                match pieces.len {
                    IN_PLACE => packed,
                    len => unpack(&packed, len)?,
                }
            }
            IN_PLACE => {
                let start = bytes.len() - rest.len();
                bytes.drain(..start);
                bytes
            }
            len => unpack(rest, len)?,
        };
        Some((origin, value))
    }

    /// What pieces have in all.
    fn joined(&self, name: &str, pieces: &Pieces) -> Option<Vec<u8>> {
        let n_bytes = pieces.n_bytes as usize;
        if n_bytes > MAX_BYTES {
            return None;
        }
        let mut out = Vec::with_capacity(n_bytes);
        for nth in 0..pieces.n() {
            let piece = self.store.name(DERIVED, &piece_name(name, nth)).ok()??;
            let (tag, bytes) = piece.split_first_chunk()?;
            // Another process may have kept another value meanwhile.
            if *tag != pieces.tag || bytes.len() > n_bytes - out.len() {
                return None;
            }
            out.extend_from_slice(bytes);
        }
        (out.len() == n_bytes).then_some(out)
    }

    /// Keeps values that were made of the snapshot, in place of what was kept under these names. Where the store
    /// cannot be written they will be made again.
    pub fn keep(&self, values: &[(&str, &[u8])]) {
        let values: Vec<_> = (values.iter())
            .map(|&(name, value)| (name, value, Form::Packed))
            .collect();
        self.keep_as(&values);
    }

    /// The same, each value in a form.
    pub fn keep_as(&self, values: &[(&str, &[u8], Form)]) {
        let _ = self.try_keep(values);
    }

    fn try_keep(&self, values: &[(&str, &[u8], Form)]) -> Result<(), StoreError> {
        let mut batch = self.store.begin_write()?;
        for &(name, value, form) in values {
            if value.len() > MAX_BYTES {
                continue;
            }
            let (len, packed) = match form {
                Form::InPlace => (IN_PLACE, Cow::Borrowed(value)),
                Form::Packed => match zstd::bulk::compress(value, LEVEL) {
                    Ok(packed) => (value.len() as u32, Cow::Owned(packed)),
                    Err(_) => continue,
                },
            };
            let origin = encode(&self.origin());
            let mut bytes = (origin.len() as u32).to_le_bytes().to_vec();
            bytes.extend_from_slice(&origin);
            let mut n_pieces = 0;
            if packed.len() > PIECE {
                let pieces = Pieces::of(&origin, &packed, len);
                bytes.extend_from_slice(&IN_PIECES.to_le_bytes());
                bytes.extend_from_slice(&pieces.to_bytes());
                n_pieces = pieces.n();
                for (nth, piece) in packed.chunks(PIECE).enumerate() {
                    let piece = [pieces.tag.as_slice(), piece].concat();
                    batch.put_name(DERIVED, &piece_name(name, nth), &piece);
                }
            } else {
                bytes.extend_from_slice(&len.to_le_bytes());
                bytes.extend_from_slice(&packed);
            }
            for nth in n_pieces..self.n_pieces(name) {
                batch.delete_name(DERIVED, &piece_name(name, nth));
            }
            batch.put_name(DERIVED, name, &bytes);
        }
        batch.commit()
    }

    /// How many pieces there are of what is kept under a name.
    fn n_pieces(&self, name: &str) -> usize {
        let known = || -> Option<usize> {
            let bytes = self.store.name(DERIVED, name).ok()??;
            let (len, rest) = bytes.split_first_chunk()?;
            let (_, rest) = rest.split_at_checked(u32::from_le_bytes(*len) as usize)?;
            let (len, rest) = rest.split_first_chunk()?;
            (u32::from_le_bytes(*len) == IN_PIECES).then_some(())?;
            Some(Pieces::from_bytes(rest)?.n())
        };
        known().unwrap_or(0)
    }
}

fn unpack(packed: &[u8], len: u32) -> Option<Vec<u8>> {
    let len = len as usize;
    if len > MAX_BYTES {
        return None;
    }
    zstd::bulk::decompress(packed, len).ok()
}

/// A value that is kept in pieces.
struct Pieces {
    /// Begins each piece, so that those of another value are told apart.
    tag: [u8; 8],
    n_bytes: u32,
    /// How long it is unpacked, or [`IN_PLACE`].
    len: u32,
}

impl Pieces {
    const LEN: usize = 16;

    fn of(origin: &[u8], packed: &[u8], len: u32) -> Self {
        let mut hasher = Hasher::new("derived-pieces-v1");
        hasher.field(origin).field(packed);
        let hash = hasher.finish();
        let tag = hash.as_bytes().first_chunk().copied();
        Self {
            tag: tag.unwrap_or_default(),
            n_bytes: packed.len() as u32,
            len,
        }
    }

    fn n(&self) -> usize {
        (self.n_bytes as usize).div_ceil(PIECE)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.tag.to_vec();
        out.extend_from_slice(&self.n_bytes.to_le_bytes());
        out.extend_from_slice(&self.len.to_le_bytes());
        out
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (tag, rest) = bytes.split_first_chunk()?;
        let (n_bytes, rest) = rest.split_first_chunk()?;
        let len = rest.first_chunk()?;
        (bytes.len() == Self::LEN).then_some(Self {
            tag: *tag,
            n_bytes: u32::from_le_bytes(*n_bytes),
            len: u32::from_le_bytes(*len),
        })
    }
}

/// The name of a piece.
fn piece_name(name: &str, nth: usize) -> String {
    format!("{name}#{nth:04}")
}

/// The name of the value that a piece is of; the name itself where it is that of a value.
pub(crate) fn value_name(name: &str) -> &str {
    name.split('#').next().unwrap_or(name)
}
