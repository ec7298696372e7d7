//! The names of all types and members of a snapshot with where they are declared, kept from question to question.
//!
//! Owns: what is known of a name, how that is brought from one snapshot to the next. Must not know: which names a
//! question looks for.
//!
//! A snapshot of which it is not kept has that of another one brought up to date by what differs, which gives the same
//! as reading all of it.

pub mod code;
pub mod inactive;
pub(crate) mod read;
#[cfg(test)]
mod tests;
pub mod unbound;

pub use read::{has_name, last_part};

use crate::{
    DerivedError,
    kept::{self, Derived, Part, Parts, View},
    names::code::NameTable,
    source::Source,
};

use std::{collections::BTreeSet, sync::Arc};

use cortex_index::{Differing, IndexError, Snapshot};
use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKey, TypeKind};

/// A type with its members that have names of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TypeRow {
    pub(crate) key: TypeKey,
    /// Canonical name.
    pub(crate) fqn: String,
    pub(crate) kind: TypeKind,
    pub(crate) accessibility: Accessibility,
    pub(crate) project: RepoPath,
    pub(crate) at: Spot,
    /// How many types depend on it.
    pub(crate) fan_in: u32,
    pub(crate) members: Vec<MemberRow>,
}

/// A member with a name of its own: no constructor, operator or indexer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MemberRow {
    /// The simple name.
    pub(crate) name: String,
    pub(crate) kind: DeclKind,
    pub(crate) accessibility: Accessibility,
    /// Which of the members of its type it is.
    pub(crate) at: u32,
    pub(crate) spot: Spot,
}

/// Where a name stands: 1-based, columns in UTF-16 units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    pub(crate) path: RepoPath,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Derived for NameTable {
    const NAME: &'static str = "names";
    const VERSION: u32 = code::VERSION;
    const N_SLOTS: u8 = 3;
    type Source<'a> = Source<'a>;

    fn read(source: Source<'_>) -> Result<Self, DerivedError> {
        of_rows(&read::all(&source)?)
    }

    fn update(
        kept: &Parts<'_>,
        source: Source<'_>,
        differing: &Differing,
    ) -> Result<Option<Self>, DerivedError> {
        let Some(table) = Self::open(kept) else {
            return Ok(None);
        };
        of_rows(&updated(&source, &table, differing)?).map(Some)
    }

    fn parts(&self) -> Vec<Part<'_>> {
        self.parts()
    }
}

impl View<Self> for NameTable {
    const NAME: &'static str = "names";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        Self::open(parts)
    }

    fn of(all: Self) -> Self {
        all
    }

    fn n_bytes(&self) -> usize {
        self.n_bytes()
    }
}

fn of_rows(rows: &[TypeRow]) -> Result<NameTable, DerivedError> {
    let table = NameTable::decode(code::encode(rows));
    table.ok_or(DerivedError::Index(IndexError::Damaged { what: "names" }))
}

/// The names of a snapshot: O(its size) the first time, then O(what differs) once for each snapshot, and a hundredth
/// of the first time where nothing does.
///
/// # Errors
/// Those of reading the snapshot and its texts.
pub fn names(source: Source<'_>) -> Result<Arc<NameTable>, DerivedError> {
    kept::get::<NameTable, NameTable>(source)
}

/// The names of a snapshot where they are kept already.
pub fn kept_names(snapshot: &Snapshot) -> Option<Arc<NameTable>> {
    kept::find::<NameTable, NameTable>(snapshot)
}

/// The rows of a snapshot from those of another one.
fn updated(
    source: &Source<'_>,
    table: &NameTable,
    differing: &Differing,
) -> Result<Vec<TypeRow>, DerivedError> {
    let mut rows = table.rows();
    // Where a text differs, everything in it may stand elsewhere.
    let moved = (rows.iter()).filter(|row| {
        differing.files.contains(&row.at.path)
            || (row.members.iter()).any(|it| differing.files.contains(&it.spot.path))
    });
    let mut keys: BTreeSet<TypeKey> = moved.map(|row| row.key).collect();
    keys.extend(&differing.types);
    rows.retain(|row| !keys.contains(&row.key));
    for row in &mut rows {
        if differing.dependents.contains(&row.key) {
            row.fan_in = source.snapshot().dependents(row.key)?.len() as u32;
        }
    }
    let keys: Vec<TypeKey> = keys.into_iter().collect();
    rows.extend(read::some(source, &keys)?);
    sort(&mut rows);
    Ok(rows)
}

pub(crate) fn sort(rows: &mut [TypeRow]) {
    rows.sort_by(|a, b| (&a.fqn, a.key).cmp(&(&b.fqn, b.key)));
}
