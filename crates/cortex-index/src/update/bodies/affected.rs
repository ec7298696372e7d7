//! Which unchanged files may bind otherwise because members of types changed.

mod family;

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::{EdgeKind, RepoPath, TypeKey};
use rustc_hash::FxHashSet;

use self::family::Family;
use crate::{
    IndexError, Snapshot,
    bindings::{HiddenUse, is_used_unnamed},
    records::{FileSummary, MemberSymbol, TypeSymbols},
    update::{inputs::Inputs, invalidate::Unit, rebind::Rebound},
};

/// Reads the symbols of types on the new side.
pub(super) type ReadSymbols<'a> = dyn Fn(&[TypeKey]) -> Vec<(TypeKey, TypeSymbols)> + 'a;

/// The files that a change of symbols reaches. `symbols`: those of the types whose declarations or bases
/// changed; those of types that derive from changed ones are added, and read by `read`.
pub(super) fn find(
    base: &Snapshot,
    inputs: &Inputs,
    rebound: &Rebound,
    symbols: &mut BTreeMap<TypeKey, TypeSymbols>,
    read: &ReadSymbols<'_>,
) -> Result<BTreeSet<Unit>, IndexError> {
    let mut units = BTreeSet::new();
    let empty = TypeSymbols::default();
    let mut queue: Vec<TypeKey> = rebound.types.keys().copied().collect();
    // Types whose users were all added, with those of whatever derives from them.
    let mut finished: FxHashSet<TypeKey> = FxHashSet::default();
    while let Some(key) = queue.pop() {
        let before = base.symbols(key)?;
        let after = symbols.get(&key).unwrap_or(&empty);
        let has_other_tags = !before.retagged().eq(after.retagged());
        if before.header == after.header && before.members == after.members && !has_other_tags {
            continue;
        }
        let change = SymbolChange::between(&before, after);
        for name in change.extensions(rebound, base, key)? {
            add(base.files_mentioning(name)?, inputs, &mut units);
            if let Some(hidden) = HiddenUse::of(name) {
                add(base.referrers(hidden.key(), None)?, inputs, &mut units);
            }
        }
        // A new head changes everything in the family: in a long chain of bases, each family is part of the next.
        let is_new_head = before.header != after.header;
        let family = match is_new_head {
            true => Family::naming(base, key, &finished)?,
            false => Family::derived(base, key)?,
        };
        let close = || {
            let mut reach = family.keys();
            if is_new_head {
                reach.extend(nested(base, key)?);
            }
            referrers(base, reach)
        };
        // Whoever uses a member that has another tag now has to say so.
        if change.is_hidden || has_other_tags {
            add(close()?.into_values().collect(), inputs, &mut units);
        } else {
            let mut mentioning = Vec::new();
            for name in &change.names {
                mentioning.extend(base.files_mentioning(name)?);
            }
            if !mentioning.is_empty() {
                let close = close()?;
                mentioning.retain(|file| close.contains_key(&file.path));
                add(mentioning, inputs, &mut units);
            }
        }
        if is_new_head {
            finished.extend(family.keys());
        }
        // What they override, hide and implement may be something else.
        let unread = match change.inherited() {
            Some(names) => family.concerned(base, names)?,
            None => family.keys(),
        };
        let unread: Vec<TypeKey> = unread
            .into_iter()
            .filter(|key| !symbols.contains_key(key))
            .collect();
        for (key, found) in read(&unread) {
            symbols.insert(key, found);
            queue.push(key);
        }
    }
    Ok(units)
}

/// What differs between the symbols of one type.
struct SymbolChange {
    /// Simple names of members that differ.
    names: BTreeSet<String>,
    /// Simple names of all members where the head of the type differs, else of those that differ.
    concerned: BTreeSet<String>,
    /// Whether something differs that is used without being named.
    is_hidden: bool,
    /// Whether only members differ, and only such whose names stand wherever they are declared.
    is_written: bool,
}

impl SymbolChange {
    fn between(before: &TypeSymbols, after: &TypeSymbols) -> Self {
        // Code that does not compile may declare a member twice, which is another thing than once.
        let mut counts: BTreeMap<&MemberSymbol, i32> = BTreeMap::new();
        for (members, by) in [(&before.members, 1), (&after.members, -1)] {
            for member in members {
                *counts.entry(member).or_default() += by;
            }
        }
        let all: BTreeSet<String> = names_of(counts.keys().copied());
        let differing: Vec<&MemberSymbol> = counts
            .into_iter()
            .filter(|&(_, count)| count != 0)
            .map(|(member, _)| member)
            .collect();
        let names = names_of(differing.iter().copied());
        let is_new_head = before.header != after.header;
        let is_written =
            |it: &MemberSymbol| !it.simple_name().starts_with("op_") && !is_indexer(it);
        Self {
            is_hidden: is_new_head || differing.iter().any(|it| is_unnamed(it)),
            is_written: !is_new_head && differing.iter().all(|it| is_written(it)),
            concerned: if is_new_head { all } else { names.clone() },
            names,
        }
    }

    /// The names of the members that differ, if only types that have to do with these names can inherit
    /// something else.
    fn inherited(&self) -> Option<&BTreeSet<String>> {
        self.is_written.then_some(&self.names)
    }

    /// The names of those members that are, or were, extension members.
    fn extensions(
        &self,
        rebound: &Rebound,
        base: &Snapshot,
        key: TypeKey,
    ) -> Result<Vec<&str>, IndexError> {
        let mut found = Vec::new();
        for name in &self.concerned {
            let is_now = rebound
                .view
                .extensions
                .get(name.as_str())
                .is_some_and(|types| types.contains(&key));
            if is_now || base.extension_types(name)?.contains(&key) {
                found.push(name.as_str());
            }
        }
        Ok(found)
    }
}

fn names_of<'a>(members: impl Iterator<Item = &'a MemberSymbol>) -> BTreeSet<String> {
    members.map(|it| it.simple_name().to_owned()).collect()
}

/// Whether a member may be used without being named.
fn is_unnamed(member: &MemberSymbol) -> bool {
    let name = member.simple_name();
    // The method of a collection builder may have any name.
    let may_build = || member.id.contains("System.ReadOnlySpan{");
    is_used_unnamed(name) || name.starts_with('#') || is_indexer(member) || may_build()
}

fn is_indexer(member: &MemberSymbol) -> bool {
    member.id.starts_with("P.") && member.id.ends_with(')')
}

/// The types inside a type, transitively, on the old side.
fn nested(base: &Snapshot, key: TypeKey) -> Result<Vec<TypeKey>, IndexError> {
    let mut found = vec![key];
    let mut next = 0;
    while let Some(&key) = found.get(next) {
        next += 1;
        let edges = base.written(key)?.source;
        let inside = edges
            .iter()
            .filter(|edge| edge.kinds.contains(EdgeKind::Nested));
        found.extend(inside.map(|edge| edge.target));
    }
    Ok(found)
}

/// The files that mean one of these types or a member of it, or have a value of it, on the old side.
fn referrers(
    base: &Snapshot,
    types: Vec<TypeKey>,
) -> Result<BTreeMap<RepoPath, FileSummary>, IndexError> {
    let mut files = BTreeMap::new();
    for key in types {
        for file in base.referrers(key, None)? {
            files.insert(file.path.clone(), file);
        }
    }
    Ok(files)
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
