//! What types were called in the last commits.

use std::collections::BTreeMap;

use cortex_git::{RenameOptions, Side, find_renames};
use cortex_index::{Index, IndexedSide, Progress};
use cortex_model::TypeKey;

use crate::{
    QueryError,
    aliases::Alias,
    follow::{differing::differing_types, renames},
};

/// So many commits back.
const MAX_BACK: usize = 100;

/// The types that were called otherwise in the last commits of the first-parent line, by former id; a name that is
/// taken again is no former one. Indexes these commits. A history that ends early, as in a shallow clone, is followed
/// as far as it goes.
///
/// # Errors
/// Those of indexing and reading the commits.
pub fn renamed_types(
    index: &Index,
    side: &IndexedSide,
    progress: &dyn Progress,
) -> Result<Vec<Alias>, QueryError> {
    let Some(start) = side.commit else {
        return Ok(Vec::new());
    };
    // What a former type is today.
    let mut today: BTreeMap<TypeKey, (String, TypeKey)> = BTreeMap::new();
    let mut newer: Option<IndexedSide> = None;
    for id in index.repo.first_parents(start).take(MAX_BACK) {
        let Ok(id) = id else { break };
        let tree = index.repo.commit(id)?.tree;
        let at = Side::Commit { commit: id, tree };
        let (older, _) = index.side(at, progress)?;
        step(index, &older, newer.as_ref().unwrap_or(side), &mut today)?;
        newer = Some(older);
    }
    let mut out = Vec::new();
    for (key, (was, now)) in today {
        let is_taken = side.snapshot.type_header(key)?.is_some();
        if let Some(header) = side.snapshot.type_header(now)?.filter(|_| !is_taken) {
            out.push(Alias {
                id: key.short_id(8),
                was,
                now: header.fqn,
            });
        }
    }
    out.sort();
    Ok(out)
}

/// Notes what types were called before a step.
fn step(
    index: &Index,
    older: &IndexedSide,
    newer: &IndexedSide,
    today: &mut BTreeMap<TypeKey, (String, TypeKey)>,
) -> Result<(), QueryError> {
    if older.snapshot.has_types_of(&newer.snapshot) {
        return Ok(());
    }
    let changed = differing_types(&older.snapshot, &newer.snapshot)?;
    let is_gone = |ty: &&crate::follow::differing::ChangedType| ty.new.is_none();
    if !changed.iter().any(|ty| is_gone(&ty)) || changed.iter().all(|ty| ty.old.is_some()) {
        return Ok(());
    }
    let files = match (&newer.overlay, older.commit, newer.commit) {
        (Some(overlay), ..) => overlay.changes.clone(),
        (None, Some(old), Some(new)) => {
            let tree = |id| index.repo.commit(id).map(|commit| Some(commit.tree));
            index.repo.diff_trees(tree(old)?, tree(new)?)?
        }
        _ => Vec::new(),
    };
    let mut blobs = index.blobs(newer);
    let files = find_renames(files, &mut *blobs, &RenameOptions::default()).changes;
    let pairs = renames::find(&changed, &files);
    for ty in changed.iter().filter(is_gone) {
        let Some(new) = pairs.new_of(ty.key) else {
            continue;
        };
        // What it became may have been renamed later.
        let now = today.get(&new).map_or(new, |(_, now)| *now);
        let was = ty.node().fqn.clone();
        today.entry(ty.key).or_insert((was, now));
    }
    Ok(())
}
