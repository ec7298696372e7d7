//! Which unchanged files may bind otherwise because members of types changed.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{EdgeKind, EdgeKinds, RepoPath, TypeKey};
use rustc_hash::FxHashSet;

use crate::{
    IndexError, Snapshot,
    records::{FileSummary, MemberSymbol, TypeSymbols},
    update::{inputs::Inputs, invalidate::Unit, rebind::Rebound},
};

/// What a change of symbols reaches.
#[derive(Default)]
pub(super) struct Affected {
    /// Files to bind again.
    pub(super) units: BTreeSet<Unit>,
    /// Types whose implementations may be others now: those that changed and what derives from them.
    pub(super) family: BTreeSet<TypeKey>,
}

/// Members of these names are used without being named (`foreach`, collection initialisers, queries,
/// `await`, patterns, ranges, string handlers).
const PATTERN: &[&str] = &[
    "GetEnumerator",
    "GetAsyncEnumerator",
    "MoveNext",
    "MoveNextAsync",
    "Current",
    "GetAwaiter",
    "GetResult",
    "IsCompleted",
    "Dispose",
    "DisposeAsync",
    "Deconstruct",
    "Add",
    "Count",
    "Length",
    "Slice",
    "Item",
    "Invoke",
    "Select",
    "SelectMany",
    "Where",
    "Join",
    "GroupJoin",
    "GroupBy",
    "OrderBy",
    "OrderByDescending",
    "ThenBy",
    "ThenByDescending",
    "Cast",
    "AppendLiteral",
    "AppendFormatted",
    "GetPinnableReference",
];

pub(super) fn find(
    base: &Snapshot,
    inputs: &Inputs,
    rebound: &Rebound,
    new: &BTreeMap<TypeKey, TypeSymbols>,
) -> Result<Affected, IndexError> {
    let mut out = Affected::default();
    let empty = TypeSymbols::default();
    for &key in rebound.types.keys() {
        let before = base.symbols(key)?;
        let after = new.get(&key).unwrap_or(&empty);
        if before.header == after.header && before.members == after.members {
            continue;
        }
        let change = SymbolChange::between(&before, after);
        let family = family(base, key)?;
        if change.reaches_extensions(rebound, base, key)? {
            for name in &change.names {
                add(base.files_mentioning(name)?, inputs, &mut out.units);
            }
        }
        if change.is_hidden || !change.names.is_empty() {
            let mut close: BTreeMap<RepoPath, FileSummary> = BTreeMap::new();
            for &member in &family {
                for file in base.referrers(member, None)? {
                    close.insert(file.path.clone(), file);
                }
            }
            if change.is_hidden {
                add(close.into_values().collect(), inputs, &mut out.units);
            } else {
                for name in &change.names {
                    let mentioning = base.files_mentioning(name)?.into_iter();
                    let both = mentioning.filter(|file| close.contains_key(&file.path));
                    add(both.collect(), inputs, &mut out.units);
                }
            }
        }
        out.family.extend(family);
    }
    Ok(out)
}

/// What differs between the symbols of one type.
struct SymbolChange {
    /// Simple names of members that differ.
    names: BTreeSet<String>,
    /// Whether something differs that is used without being named.
    is_hidden: bool,
}

impl SymbolChange {
    fn between(before: &TypeSymbols, after: &TypeSymbols) -> Self {
        let old: BTreeSet<&MemberSymbol> = before.members.iter().collect();
        let new: BTreeSet<&MemberSymbol> = after.members.iter().collect();
        let names: BTreeSet<String> = old
            .symmetric_difference(&new)
            .map(|member| member.simple_name().to_owned())
            .collect();
        let is_hidden = before.header != after.header
            || names.iter().any(|name| {
                PATTERN.contains(&name.as_str()) || name.starts_with('#') || name.starts_with("op_")
            });
        Self { names, is_hidden }
    }

    /// Whether one of the members is, or was, an extension member.
    fn reaches_extensions(
        &self,
        rebound: &Rebound,
        base: &Snapshot,
        key: TypeKey,
    ) -> Result<bool, IndexError> {
        for name in &self.names {
            let is_now = rebound
                .view
                .extensions
                .get(name.as_str())
                .is_some_and(|types| types.contains(&key));
            if is_now || base.extension_types(name)?.contains(&key) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A type and what derives from it or implements it, transitively, on the old side.
fn family(base: &Snapshot, key: TypeKey) -> Result<Vec<TypeKey>, IndexError> {
    let derives = |kinds: EdgeKinds| {
        kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
    };
    let mut found = vec![key];
    let mut seen: FxHashSet<TypeKey> = found.iter().copied().collect();
    let mut next = 0;
    while let Some(&key) = found.get(next) {
        next += 1;
        for (user, kinds) in base.dependents(key)? {
            if derives(kinds) && seen.insert(user) {
                found.push(user);
            }
        }
    }
    Ok(found)
}

fn add(files: Vec<FileSummary>, inputs: &Inputs, units: &mut BTreeSet<Unit>) {
    for file in files {
        if inputs.changed.contains_key(&file.path) {
            continue;
        }
        for project in &file.projects {
            if let Some(&project) = inputs.new.by_path.get(project) {
                units.insert(Unit {
                    path: file.path.clone(),
                    project,
                    blob: file.blob,
                });
            }
        }
    }
}
