//! Code of the product that asks whether an object is of a type which a changed type newly derives from, or no longer does:
//! objects of the changed type go another way there.
//!
//! Owns: what asks for a type. Must not know: who makes such objects.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_index::Snapshot;
use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_model::TypeKey;
use cortex_wire::{Role, TypeTest, What};

use super::{
    file_lines::FileLines,
    uses::{Want, Wanted, find},
};
use crate::diff_context::{blobs::Reader, compared::Compared};

/// So many bases are looked at.
const MAX_BASES: usize = 16;

/// More places say that the whole repository asks for it.
const MAX_PLACES: usize = 40;

/// The places by changed type and base. Reads the bindings of the files that name such bases.
pub(super) fn type_tests(
    compared: &Compared,
    changed: &[ChangedType],
    reader: &mut Reader<'_>,
) -> Result<Vec<TypeTest>, QueryError> {
    let mut asked: Vec<(String, TypeKey, What)> = Vec::new();
    for ty in changed {
        let (Some(old), Some(new)) = (&ty.old, &ty.new) else {
            continue;
        };
        if old.bases == new.bases || compared.is_of_tests(&new.project) {
            continue;
        }
        let before = ancestors(&compared.old, &old.bases)?;
        let after = ancestors(&compared.new, &new.bases)?;
        let sides = [
            (&after, &before, What::Added),
            (&before, &after, What::Removed),
        ];
        for (these, others, what) in sides {
            let alone = these.difference(others);
            asked.extend(alone.map(|base| (new.fqn.clone(), *base, what)));
        }
    }
    asked.truncate(MAX_BASES);
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let mut wanted = Wanted::new();
    for (at, (_, base, _)) in asked.iter().enumerate() {
        wanted.entry(*base).or_default().push(Want::of(None, at));
    }
    let places = find(&compared.new, &wanted)?;
    let mut ids = DocIds::new(&compared.new);
    let mut lines = FileLines::default();
    let mut found: BTreeMap<usize, BTreeSet<_>> = BTreeMap::new();
    for found_at in places.found.iter().filter(|it| asks_for_type(it.role)) {
        let file = &places.files[found_at.file as usize];
        if !compared.is_of_tests(&file.projects[usize::from(found_at.project)]) {
            let place = lines.place(reader, &mut ids, &places, found_at)?;
            found.entry(found_at.want.symbol).or_default().insert(place);
        }
    }
    let mut out = Vec::new();
    for (at, places) in found {
        let (ty, base, what) = &asked[at];
        if let Some(header) = compared.new.type_header(*base)?
            && places.len() <= MAX_PLACES
        {
            out.push(TypeTest {
                ty: ty.clone(),
                base: header.fqn,
                what: *what,
                places: places.into_iter().collect(),
            });
        }
    }
    Ok(out)
}

/// Whether a place asks whether an object is of the type that it names.
fn asks_for_type(role: Role) -> bool {
    matches!(
        role,
        Role::Pattern | Role::Catch | Role::Cast | Role::Typeof
    )
}

/// The types of the repository that a type derives from, directly or through others.
fn ancestors(snapshot: &Snapshot, bases: &[TypeKey]) -> Result<BTreeSet<TypeKey>, QueryError> {
    let mut out = BTreeSet::new();
    let mut left = bases.to_vec();
    while let Some(base) = left.pop() {
        if out.insert(base)
            && let Some(node) = snapshot.type_node(base)?
        {
            left.extend(node.bases);
        }
    }
    Ok(out)
}
