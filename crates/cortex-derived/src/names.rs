//! The names of all types and members of a snapshot with where they are declared, kept from question to question.
//!
//! Owns: what is known of a name, how that is brought from one snapshot to the next. Must not know: which names a
//! question looks for.
//!
//! It is kept twice: for the last commit and for the last work tree that was asked about. Another snapshot has it
//! brought up to date by what differs, which gives the same as reading all of it.

pub mod code;
pub mod inactive;
pub(crate) mod read;
#[cfg(test)]
mod tests;
pub mod unbound;

use crate::{DerivedError, names::code::NameTable, source::Source};

use std::collections::BTreeSet;

use cortex_index::{Differing, Snapshot, SnapshotId};
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

/// Under these names tables are kept.
const COMMIT: &str = "names-commit";
const OVERLAY: &str = "names-overlay";

/// The names of a snapshot: O(its size) the first time, then O(what differs) once for each snapshot, and a hundredth
/// of the first time where nothing does.
pub fn names(source: &Source<'_>) -> Result<NameTable, DerivedError> {
    let snapshot = source.snapshot();
    let own = match snapshot.id() {
        SnapshotId::Overlay(_) => OVERLAY,
        SnapshotId::Empty | SnapshotId::Commit(_) => COMMIT,
    };
    let origin = snapshot.origin();
    let mut stale = None;
    for slot in [own, if own == COMMIT { OVERLAY } else { COMMIT }] {
        let Some((found, bytes)) = snapshot.kept(slot) else {
            continue;
        };
        let Some(table) = NameTable::decode(bytes) else {
            continue;
        };
        if found == origin {
            return Ok(table);
        }
        if stale.is_none()
            && let Some(differing) = snapshot.since(&found)?
        {
            stale = Some((table, differing));
        }
    }
    let rows = match stale {
        Some((table, differing)) => updated(source, &table, &differing)?,
        None => read::all(source)?,
    };
    let bytes = code::encode(&rows);
    snapshot.keep(&[(own, &bytes)]);
    NameTable::decode(bytes)
        .ok_or_else(|| DerivedError::Index(cortex_index::IndexError::Damaged { what: "names" }))
}

/// The names of a snapshot where they are kept already.
pub fn kept_names(snapshot: &Snapshot) -> Option<NameTable> {
    let origin = snapshot.origin();
    [COMMIT, OVERLAY].into_iter().find_map(|slot| {
        let (_, bytes) = snapshot.kept(slot).filter(|(found, _)| *found == origin)?;
        NameTable::decode(bytes)
    })
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
