//! The ids of all outline files of a snapshot: kept beside it, and brought up to date by what differs.
//!
//! With them a check compares ids with ids: no outline is written, and no committed file is read.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_bind::TypeNode;
use cortex_derived::{
    DerivedError,
    kept::{self, Derived, Part, Parts, View, WHOLE},
    source::Source,
};
use cortex_index::{Differing, IndexError, Snapshot};
use cortex_model::{BlobId, Hash, ObjectId, RepoPath, TypeKey};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    sheet::{SheetReader, is_public, n_together},
    text::{FORMAT, outline_text},
};

/// The outline file of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The type.
    pub key: TypeKey,
    /// The assembly that declares it.
    assembly: Arc<str>,
    /// Whether other assemblies see it.
    pub is_public: bool,
    /// The id that git gives to its outline.
    pub blob: BlobId,
    /// What stands for the paths of its files.
    files: Vec<u64>,
}

/// The outline files of all types of a snapshot, by key.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OutlineTable {
    /// By key.
    pub rows: Vec<Row>,
}

impl OutlineTable {
    /// The outline file of a type.
    pub fn row(&self, key: TypeKey) -> Option<&Row> {
        self.position(key).map(|at| &self.rows[at])
    }

    /// Where the row of a type is.
    pub fn position(&self, key: TypeKey) -> Option<usize> {
        self.rows.binary_search_by_key(&key, |row| row.key).ok()
    }
}

/// The outline files of a snapshot: O(its size) the first time, then O(what differs) once for each snapshot.
///
/// # Errors
/// Those of reading the snapshot and its texts.
pub fn outlines(source: Source<'_>) -> Result<Arc<OutlineTable>, DerivedError> {
    kept::get::<OutlineTable, OutlineTable>(source)
}

impl Derived for OutlineTable {
    const NAME: &'static str = "outlines";
    const VERSION: u32 = FORMAT * 100 + 2;
    const N_SLOTS: u8 = 6;
    type Source<'a> = Source<'a>;

    fn read(source: Source<'_>) -> Result<Self, DerivedError> {
        let all = source.snapshot().types()?;
        let rows = rows_of(&source, all)?;
        Ok(Self { rows })
    }

    fn update(
        kept: &Parts<'_>,
        source: Source<'_>,
        differing: &Differing,
    ) -> Result<Option<Self>, DerivedError> {
        let Some(old) = Self::open(kept) else {
            return Ok(None);
        };
        let files: FxHashSet<u64> = differing.files.iter().map(file_number).collect();
        let is_touched = |row: &Row| {
            differing.types.contains(&row.key) || row.files.iter().any(|it| files.contains(it))
        };
        let mut again: Vec<TypeKey> = differing.types.iter().copied().collect();
        let (touched, mut rows): (Vec<Row>, Vec<Row>) =
            old.rows.into_iter().partition(|row| is_touched(row));
        again.extend(touched.iter().map(|row| row.key));
        again.sort_unstable();
        again.dedup();
        let mut nodes = Vec::with_capacity(again.len());
        for key in again {
            if let Some(node) = source.snapshot().type_node(key)? {
                nodes.push((key, node));
            }
        }
        rows.extend(rows_of(&source, nodes)?);
        rows.sort_unstable_by_key(|row| row.key);
        Ok(Some(Self { rows }))
    }

    fn parts(&self) -> Vec<Part<'_>> {
        vec![Part::in_place(WHOLE, encode(&self.rows))]
    }
}

impl View<Self> for OutlineTable {
    const NAME: &'static str = "outlines";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        let rows = decode(&parts.get(WHOLE)?)?;
        Some(Self { rows })
    }

    fn of(all: Self) -> Self {
        all
    }

    fn n_bytes(&self) -> usize {
        self.rows.len() * (size_of::<Row>() + 8)
    }
}

/// What stands for a path.
fn file_number(path: &RepoPath) -> u64 {
    Hash::of(path.as_str().as_bytes()).to_u64()
}

/// The rows of types, by key.
fn rows_of(
    source: &Source<'_>,
    mut nodes: Vec<(TypeKey, TypeNode)>,
) -> Result<Vec<Row>, DerivedError> {
    // Types of one file one after another, files in the order in which the store reads them fastest.
    nodes.sort_by_cached_key(|(key, node)| {
        let first = node.parts.first();
        (first.map(|part| Snapshot::stored_order(&part.path)), *key)
    });
    let interrupt = &source.index.interrupt;
    let chunks = nodes.par_chunks(n_together(nodes.len())).map(|nodes| {
        let mut reader = SheetReader::new(source.snapshot(), source.blobs());
        let mut out = Vec::with_capacity(nodes.len());
        for (key, node) in nodes {
            interrupt.check().map_err(IndexError::from)?;
            if let Some(sheet) = reader.read(*key, node)? {
                let text = outline_text(&sheet);
                out.push(Row {
                    key: *key,
                    assembly: sheet.assembly.as_str().into(),
                    is_public: is_public(node),
                    blob: source.index.repo.blob_id(text.as_bytes())?,
                    files: sheet.files.iter().map(file_number).collect(),
                });
            }
        }
        Ok(out)
    });
    let chunks = chunks.collect::<Result<Vec<_>, DerivedError>>()?;
    let mut rows: Vec<Row> = chunks.into_iter().flatten().collect();
    rows.sort_unstable_by_key(|row| row.key);
    Ok(rows)
}

/// How many bytes an id has; the names of assemblies with their number; then for each row its key, which assembly, whether
/// it is public, the id, and the files with their number. Lengths and numbers have 4 bytes, the lowest first.
fn encode(rows: &[Row]) -> Vec<u8> {
    let n_id = rows.first().map_or(20, |row| row.blob.0.as_slice().len());
    let mut out = Vec::with_capacity(1 + rows.len() * (14 + 4 + 1 + n_id + 4 + 8));
    out.push(n_id as u8);
    let names: BTreeSet<&str> = rows.iter().map(|row| &*row.assembly).collect();
    let numbers: FxHashMap<&str, u32> = names.iter().copied().zip(0..).collect();
    out.extend_from_slice(&(names.len() as u32).to_le_bytes());
    for name in names {
        out.extend_from_slice(&(name.len() as u32).to_le_bytes());
        out.extend_from_slice(name.as_bytes());
    }
    for row in rows {
        out.extend_from_slice(row.key.as_bytes());
        out.extend_from_slice(&numbers[&*row.assembly].to_le_bytes());
        out.push(u8::from(row.is_public));
        out.extend_from_slice(row.blob.0.as_slice());
        out.extend_from_slice(&(row.files.len() as u32).to_le_bytes());
        for file in &row.files {
            out.extend_from_slice(&file.to_le_bytes());
        }
    }
    out
}

fn decode(bytes: &[u8]) -> Option<Vec<Row>> {
    let (&n_id, rest) = bytes.split_first()?;
    let (n_names, mut rest) = number(rest)?;
    let mut names: Vec<Arc<str>> = Vec::new();
    for _ in 0..n_names {
        let (n_bytes, tail) = number(rest)?;
        let (name, tail) = tail.split_at_checked(n_bytes as usize)?;
        names.push(str::from_utf8(name).ok()?.into());
        rest = tail;
    }
    let mut rows = Vec::with_capacity(rest.len() / (14 + 4 + 1 + usize::from(n_id) + 4 + 8));
    while !rest.is_empty() {
        let (key, tail) = rest.split_first_chunk::<14>()?;
        let (assembly, tail) = number(tail)?;
        let (&is_public, tail) = tail.split_first()?;
        let (id, tail) = tail.split_at_checked(usize::from(n_id))?;
        let (n_files, tail) = number(tail)?;
        let n_bytes = (n_files as usize).checked_mul(8)?;
        let (files, tail) = tail.split_at_checked(n_bytes)?;
        let numbers = files.chunks_exact(8);
        rows.push(Row {
            key: TypeKey::from_bytes(*key),
            assembly: names.get(assembly as usize)?.clone(),
            is_public: is_public != 0,
            blob: BlobId(ObjectId::from_slice(id)?),
            files: numbers
                .map(|it| it.try_into().map_or(0, u64::from_le_bytes))
                .collect(),
        });
        rest = tail;
    }
    Some(rows)
}

fn number(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*number), rest))
}

/// The names of outline files, in the order of the rows: the short id of the type, longer where another type has it too,
/// with the assembly where several declare the type. As answers show ids.
pub fn file_stems(rows: &[Row]) -> Vec<String> {
    let mut out = Vec::with_capacity(rows.len());
    let mut twins: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        let (mut chars, mut has_twin) = (8, false);
        let neighbors = [at.checked_sub(1), Some(at + 1)];
        for other in neighbors
            .into_iter()
            .flatten()
            .filter_map(|at| rows.get(at))
        {
            let pairs = row.key.bare().iter().zip(other.key.bare());
            match pairs.take_while(|(a, b)| a == b).count() {
                10 => has_twin = true,
                8.. => chars = chars.max(16),
                5.. => chars = chars.max(12),
                _ => {}
            }
        }
        let mut stem = row.key.short_id(chars);
        if has_twin {
            stem.push('@');
            stem.push_str(&file_safe(&row.assembly));
            let same = twins.entry(stem.to_ascii_lowercase()).or_default();
            same.push(at);
        }
        out.push(stem);
    }
    // Names of assemblies that differ by case alone would be one file where case does not matter.
    for at in twins.into_values().filter(|same| same.len() > 1).flatten() {
        let id = out[at].split('@').next().unwrap_or_default();
        out[at] = format!("{id}@{}", case_safe(&rows[at].assembly));
    }
    out
}

/// As [`file_safe`], with other names for assemblies that differ by case alone also where case does not matter.
fn case_safe(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in file_safe(name).chars() {
        match c.is_ascii_uppercase() {
            true => out.push_str(&format!("%{:02x}", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

/// A name of an assembly as part of a file's name on every system.
fn file_safe(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_' => out.push(byte.into()),
            byte => out.push_str(&format!("%{byte:02x}")),
        }
    }
    out
}
