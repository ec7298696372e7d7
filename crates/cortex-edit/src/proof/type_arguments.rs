//! The files that may have an edited type as a type argument which it no longer can be: what decides that need not be
//! named there.

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::{FileSummary, Symbols};
use cortex_model::{RepoPath, TypeKey};
use cortex_semantics::{ArgumentTraits, TypeOrigin};
use cortex_syntax::Sections;

use super::{NewSide, OldSide};
use crate::{EditError, plan::Plan};

/// The files of the old side that have to do with types which differ in what type arguments may be. O(types in edited
/// files) where none does.
///
/// # Errors
/// Those of the index.
pub(super) fn files_concerned(
    (old, new): (&OldSide<'_>, &NewSide<'_>),
    plan: &Plan,
) -> Result<Vec<FileSummary>, EditError> {
    let snapshot = &old.side.snapshot;
    let mut next: Vec<RepoPath> = plan.files.keys().cloned().collect();
    let mut read: BTreeSet<RepoPath> = next.iter().cloned().collect();
    let mut types = BTreeSet::new();
    let mut out = Vec::new();
    // A struct holds what its fields hold, which other files declare.
    while let Some(path) = next.pop() {
        let declared = declared_in(old.symbols, &path)?;
        let before = traits_of(old.symbols, &declared)?;
        let after = traits_of(new.symbols, &declared)?;
        for (key, traits) in before {
            let is_same = after.get(&key).is_none_or(|after| *after == traits);
            if is_same || !types.insert(key) {
                continue;
            }
            for file in snapshot.referrers(key, None)? {
                if read.insert(file.path.clone()) {
                    next.push(file.path.clone());
                }
                out.push(file);
            }
        }
    }
    Ok(out)
}

/// The traits of types of a side.
fn traits_of(
    symbols: &Symbols,
    types: &BTreeSet<TypeKey>,
) -> Result<BTreeMap<TypeKey, ArgumentTraits>, EditError> {
    let traits = symbols.read(|c| {
        let found = types.iter().filter_map(|&key| {
            let ty = c.source_type(key)?;
            Some((key, c.argument_traits(ty)))
        });
        Ok(found.collect())
    })?;
    Ok(traits)
}

/// The types that a file declares.
fn declared_in(symbols: &Symbols, path: &RepoPath) -> Result<BTreeSet<TypeKey>, EditError> {
    let mut out = BTreeSet::new();
    for project in symbols.projects_of(path)? {
        let Some(facts) = symbols.facts(path, project, Sections::All)? else {
            continue;
        };
        let unit = cortex_index::unit_key(&(path.clone(), project));
        let keys = symbols.read(|c| {
            let unit = c.unit_id(&unit);
            let types = (0..facts.decls.len() as u32).filter_map(|it| c.type_of_decl(unit, it));
            let keys = types.filter_map(|ty| match c.def(ty).origin {
                TypeOrigin::Source { key, .. } => Some(key),
                TypeOrigin::External { .. } => None,
            });
            Ok(keys.collect::<Vec<TypeKey>>())
        })?;
        out.extend(keys);
    }
    Ok(out)
}
