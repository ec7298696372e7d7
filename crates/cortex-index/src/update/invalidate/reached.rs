//! Which files a change of names, members or bases reaches.

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::{GlobalUsing, Universe};
use cortex_model::{BlobId, EdgeKind, RepoPath, TypeKey};
use cortex_syntax::{Sections, UsingKind};
use rustc_hash::FxHashSet;

use super::{
    super::inputs::Inputs,
    Unit,
    names::{changed_members, mentions},
};
use crate::{IndexError, facts::FactsSource, view::View};

/// Finds unchanged units that declare parts of types.
pub(super) struct Partners<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) seen: FxHashSet<Unit>,
}

impl Partners<'_> {
    /// Units not seen before, sorted.
    pub(super) fn of(
        &mut self,
        view: &View,
        keys: impl IntoIterator<Item = TypeKey>,
    ) -> Result<Vec<Unit>, IndexError> {
        let mut out = Vec::new();
        let Some(base) = &view.base else {
            return Ok(out);
        };
        for key in keys {
            let Some(node) = view.old_node(key)? else {
                continue;
            };
            let new = &self.inputs.new;
            for part in &node.parts {
                let (blob, projects) = match self.inputs.changed.get(&part.path) {
                    Some(changed) => match &changed.new {
                        Some(state) => (state.blob, state.projects.clone()),
                        None => continue,
                    },
                    None => match base.file(&part.path)? {
                        Some(file) => {
                            let known = file
                                .projects
                                .iter()
                                .filter_map(|path| new.by_path.get(path).copied());
                            (file.blob, known.collect())
                        }
                        None => continue,
                    },
                };
                // Projects of one assembly name share their types.
                for project in projects
                    .into_iter()
                    .filter(|&it| new.records[it].project.assembly == node.assembly)
                {
                    let unit = Unit {
                        path: part.path.clone(),
                        project,
                        blob,
                    };
                    if self.seen.insert(unit.clone()) {
                        out.push(unit);
                    }
                }
            }
        }
        out.sort();
        Ok(out)
    }
}

/// Collects the unchanged files that must be bound again.
pub(super) struct Affected<'a> {
    pub(super) inputs: &'a Inputs,
    pub(super) units: &'a mut BTreeSet<Unit>,
}

impl Affected<'_> {
    pub(super) fn add(
        &mut self,
        files: impl Iterator<Item = (RepoPath, BlobId, Vec<RepoPath>)>,
        only: Option<&BTreeSet<usize>>,
    ) {
        for (path, blob, projects) in files {
            if self.inputs.changed.contains_key(&path) {
                continue;
            }
            for project in projects
                .iter()
                .filter_map(|project| self.inputs.new.by_path.get(project))
            {
                if only.is_none_or(|only| only.contains(project)) {
                    self.units.insert(Unit {
                        path: path.clone(),
                        project: *project,
                        blob,
                    });
                }
            }
        }
    }
}

/// Adds the files that mention one of these names, and all files of a project whose global usings do.
pub(super) fn add_mentioning(
    base: &crate::Snapshot,
    inputs: &Inputs,
    names: &BTreeSet<String>,
    units: &mut BTreeSet<Unit>,
) -> Result<(), IndexError> {
    let rescoped: BTreeSet<usize> = (inputs.new.scopes.iter().enumerate())
        .filter(|(_, scope)| scope.usings.iter().any(|using| mentions(using, names)))
        .map(|(project, _)| project)
        .collect();
    let mut add_files = Affected { inputs, units };
    for name in names {
        add_files.add(
            base.files_mentioning(name)?
                .into_iter()
                .map(|file| (file.path, file.blob, file.projects)),
            None,
        );
    }
    if !rescoped.is_empty() {
        let files = base
            .files()?
            .into_iter()
            .map(|file| (file.path, file.blob, file.projects));
        add_files.add(files, Some(&rescoped));
    }
    Ok(())
}

/// Whether one of these types, or a base of one before or now, declares a nested type.
pub(super) fn any_nested_type(view: &View, types: Vec<TypeKey>) -> Result<bool, IndexError> {
    let outers: FxHashSet<TypeKey> = view
        .changed
        .values()
        .flatten()
        .filter_map(|symbol| symbol.outer)
        .collect();
    let mut seen: FxHashSet<TypeKey> = types.iter().copied().collect();
    let mut queue = types;
    while let Some(key) = queue.pop() {
        let node = view.old_node(key)?;
        let old_bases = node
            .as_ref()
            .map(|node| node.bases.as_slice())
            .unwrap_or_default();
        let had = match &view.base {
            Some(base) if node.is_some() => base
                .edges(key)?
                .source
                .iter()
                .any(|edge| edge.kinds.contains(EdgeKind::Nested)),
            _ => false,
        };
        if had || outers.contains(&key) {
            return Ok(true);
        }
        queue.extend(
            old_bases
                .iter()
                .chain(view.bases(key).iter())
                .filter(|&&base| seen.insert(base)),
        );
    }
    Ok(false)
}

/// Files in which a member that appeared or vanished may hide a using alias, with the names of such
/// members: files with parts of the member's type, or of one derived from it, that mention the name.
pub(super) fn hidden_aliases(
    base: &crate::Snapshot,
    inputs: &Inputs,
    view: &View,
    touched: &BTreeSet<TypeKey>,
) -> Result<BTreeMap<Unit, BTreeSet<Box<str>>>, IndexError> {
    let mut out: BTreeMap<Unit, BTreeSet<Box<str>>> = BTreeMap::new();
    for &key in touched {
        let Some(node) = view.old_node(key)? else {
            continue;
        };
        let names = changed_members(view, key, Some(&node));
        let mut mentioning = Vec::new();
        for name in names {
            let files = base.files_mentioning(&name)?;
            mentioning.push((name, files));
        }
        mentioning.retain(|(_, files)| !files.is_empty());
        if mentioning.is_empty() {
            continue;
        }
        let mut family: FxHashSet<TypeKey> = FxHashSet::default();
        let mut queue = vec![key];
        while let Some(key) = queue.pop() {
            if family.insert(key) {
                queue.extend(base.derived_types(key)?);
            }
        }
        let mut search = Partners {
            inputs,
            seen: FxHashSet::default(),
        };
        let parts: BTreeSet<Unit> = search.of(view, family)?.into_iter().collect();
        // One part, the changed file itself, is the usual case.
        if parts
            .iter()
            .all(|unit| inputs.changed.contains_key(&unit.path))
        {
            continue;
        }
        for (name, files) in mentioning {
            for unit in &parts {
                if files
                    .binary_search_by(|file| file.path.cmp(&unit.path))
                    .is_ok()
                {
                    out.entry(unit.clone()).or_default().insert(name.clone());
                }
            }
        }
    }
    Ok(out)
}

/// Whether one of these names is an alias in a unit.
pub(super) fn has_alias(
    unit: &Unit,
    names: &BTreeSet<Box<str>>,
    inputs: &Inputs,
    facts: &FactsSource<'_, '_>,
) -> bool {
    let is_global = |using: &GlobalUsing| matches!(using, GlobalUsing::Alias(alias, _) if names.contains(alias.as_str()));
    if inputs.new.scopes[unit.project].usings.iter().any(is_global) {
        return true;
    }
    let facts = facts
        .get(unit.blob, inputs.new.sets[unit.project])
        .facts(Sections::Declarations);
    facts.usings.iter().any(
        |using| matches!(using.kind, UsingKind::Alias(alias) if names.contains(facts.name(alias))),
    )
}
