//! The names of a snapshot that could not be bound, with where they stand, kept from question to question.
//!
//! Must not know: what a question makes of them.

use crate::{
    DerivedError,
    kept::{self, Derived, Part, Parts, View, WHOLE},
    source::Source,
};

use std::{collections::BTreeMap, sync::Arc};

use cortex_index::{Differing, FileSummary};
use cortex_model::{Hash, RepoPath};
use cortex_syntax::text::decode;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// By file, each name's hash and its first byte; once where several projects compile the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct UnboundNames(BTreeMap<RepoPath, Vec<(u32, u32)>>);

/// So many places of one name are its first ones.
const MAX_FIRST: usize = 4;

/// So many files are read by one thread with one reader.
const N_TOGETHER: usize = 64;

impl UnboundNames {
    /// The places of a name, by file and offset. A few others may be among them.
    pub fn of<'n>(&'n self, name: &str) -> impl Iterator<Item = (&'n RepoPath, u32)> {
        let wanted = hash(name);
        self.0.iter().flat_map(move |(path, all)| {
            let fitting = all.iter().filter(move |(hash, _)| *hash == wanted);
            fitting.map(move |(_, offset)| (path, *offset))
        })
    }

    /// The first places of each of some names. A few others may be among them.
    pub fn first_of<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
    ) -> BTreeMap<String, Vec<(RepoPath, u32)>> {
        let mut by_hash: FxHashMap<u32, Vec<&str>> = FxHashMap::default();
        for name in names {
            by_hash.entry(hash(name)).or_default().push(name);
        }
        let mut out: BTreeMap<String, Vec<(RepoPath, u32)>> = BTreeMap::new();
        for (path, all) in &self.0 {
            for (hash, offset) in all {
                for &name in by_hash.get(hash).into_iter().flatten() {
                    let places = out.entry(name.to_owned()).or_default();
                    if places.len() < MAX_FIRST {
                        places.push((path.clone(), *offset));
                    }
                }
            }
        }
        out
    }
}

/// The names of a snapshot that could not be bound: O(its size) the first time, then O(what differs) once for each
/// snapshot.
///
/// # Errors
/// Those of reading the snapshot and its texts.
pub fn unbound_names(source: Source<'_>) -> Result<Arc<UnboundNames>, DerivedError> {
    kept::get::<UnboundNames, UnboundNames>(source)
}

impl Derived for UnboundNames {
    const NAME: &'static str = "unbound";
    const VERSION: u32 = 2;
    type Source<'a> = Source<'a>;

    fn read(source: Source<'_>) -> Result<Self, DerivedError> {
        let mut out = Self::default();
        out.add(&source, &source.snapshot().files()?)?;
        Ok(out)
    }

    fn update(
        kept: &Parts<'_>,
        source: Source<'_>,
        differing: &Differing,
    ) -> Result<Option<Self>, DerivedError> {
        let Some(mut out) = <Self as View<Self>>::open(kept) else {
            return Ok(None);
        };
        let mut files = Vec::with_capacity(differing.files.len());
        for path in &differing.files {
            out.0.remove(path);
            files.extend(source.snapshot().file(path)?);
        }
        out.add(&source, &files)?;
        Ok(Some(out))
    }

    fn parts(&self) -> Vec<Part<'_>> {
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        vec![Part::packed(WHOLE, bytes)]
    }
}

impl View<Self> for UnboundNames {
    const NAME: &'static str = "unbound";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        serde_json::from_slice(&parts.get(WHOLE)?).ok()
    }

    fn of(all: Self) -> Self {
        all
    }

    fn n_bytes(&self) -> usize {
        self.0.values().map(|names| 64 + names.len() * 8).sum()
    }
}

impl UnboundNames {
    /// Adds files, of which there are none yet.
    fn add(&mut self, source: &Source<'_>, files: &[FileSummary]) -> Result<(), DerivedError> {
        let read = files
            .par_chunks(N_TOGETHER)
            .map(|files| read(source, files));
        for found in read.collect::<Result<Vec<_>, DerivedError>>()? {
            self.0.extend(found);
        }
        Ok(())
    }
}

type OfFile = (RepoPath, Vec<(u32, u32)>);

fn read(source: &Source<'_>, files: &[FileSummary]) -> Result<Vec<OfFile>, DerivedError> {
    let mut reader = source.blobs();
    let mut out = Vec::new();
    for file in files {
        let mut offsets = Vec::new();
        for project in &file.projects {
            let bindings = source.snapshot().bindings(&file.path, project)?;
            let decls = bindings.decls.iter();
            offsets.extend(decls.flat_map(|decl| decl.unbound.iter().map(|it| it.offset)));
        }
        if offsets.is_empty() {
            continue;
        }
        offsets.sort_unstable();
        offsets.dedup();
        let bytes = reader.read_blob(file.blob)?;
        let text = decode(&bytes);
        let names = offsets
            .into_iter()
            .map(|offset| (hash(word(text.as_bytes(), offset)), offset));
        out.push((file.path.clone(), names.collect()));
    }
    Ok(out)
}

/// The identifier at an offset, without `@`; empty for another token.
pub fn word(text: &[u8], offset: u32) -> &str {
    let rest = text.get(offset as usize..).unwrap_or_default();
    let rest = rest.strip_prefix(b"@").unwrap_or(rest);
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let len = rest.iter().take_while(|&&b| is_part(b)).count();
    std::str::from_utf8(&rest[..len]).unwrap_or_default()
}

pub(crate) fn hash(name: &str) -> u32 {
    let hash = Hash::of(name.as_bytes());
    let bytes = hash.as_bytes();
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}
