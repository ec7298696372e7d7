//! The files that a change reaches: those that changed, those that declare a type which differs, and those that
//! declare one that depends on such a type, directly or through others. Nothing is cut.

use crate::{QueryError, scope::git};

use std::collections::BTreeSet;

use cortex_git::RangeSpec;
use cortex_index::{Index, Progress};
use cortex_model::{ChangeClass, RepoPath, TypeKey};

pub(crate) fn reached(
    index: &Index,
    range: &RangeSpec,
    progress: &dyn Progress,
) -> Result<BTreeSet<RepoPath>, QueryError> {
    let mut files = git::changed(index, range)?;
    let resolved = index.repo.resolve_range(range)?;
    let (old, _) = index.side(resolved.old, progress)?;
    let (new, _) = index.side(resolved.new, progress)?;
    let (old, new) = (&old.snapshot, &new.snapshot);
    let mut seen: BTreeSet<TypeKey> = BTreeSet::new();
    let mut open: Vec<TypeKey> = Vec::new();
    for ty in crate::follow::differing::differing_types(old, new)? {
        let parts = &ty.node().parts;
        files.extend(parts.iter().map(|part| part.path.clone()));
        let is_noticed = matches!(
            ty.class,
            ChangeClass::Structure | ChangeClass::Removed | ChangeClass::PublicBehavior
        );
        if !is_noticed || !seen.insert(ty.key) {
            continue;
        }
        open.push(ty.key);
        // Those who use a removed type knew it on the old side.
        if ty.new.is_none() {
            for (user, _) in old.dependents(ty.key)? {
                if seen.insert(user) {
                    open.push(user);
                }
            }
        }
    }
    while let Some(key) = open.pop() {
        for (user, _) in new.dependents(key)? {
            if seen.insert(user) {
                open.push(user);
            }
        }
    }
    for key in seen {
        if let Some(header) = new.type_header(key)? {
            files.extend(header.parts.into_iter().map(|part| part.path));
        }
    }
    Ok(files)
}
