//! Step 2: names whose meaning may have changed, and the files to bind again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_bind::{
    DeclaredType, FileScope, GlobalUsing, TypeSymbol, Universe, bind_bases, declared_types,
};
use cortex_model::{BlobId, DeclKind, EdgeKind, EdgeKinds, Modifier, RepoPath, TypeKey};
use cortex_semantics::operator_name;
use cortex_syntax::{FileFacts, Sections, UsingKind};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Change, Progress, Stage,
    inputs::{Inputs, Projects},
};
use crate::{
    IndexError,
    facts::FactsSource,
    view::{View, has_simple_name},
};

/// One file inside one project.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Unit {
    pub(super) path: RepoPath,
    pub(super) project: usize,
    pub(super) blob: BlobId,
}

/// What has to be bound again, and against what.
pub(super) struct Scope {
    pub(super) view: View,
    /// Units whose references are bound again, sorted.
    pub(super) units: Vec<Unit>,
    /// Units that only contribute parts to types of `keys`, sorted.
    pub(super) partners: Vec<Unit>,
    /// Types to merge again, with how many declarations each has now.
    pub(super) keys: FxHashMap<TypeKey, u32>,
}

pub(super) fn invalidate(
    change: &Change<'_>,
    inputs: &mut Inputs,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<Scope, IndexError> {
    let mut view = View::over(change.base.clone());
    let before = declared(&units_of(inputs, Side::Old), &inputs.old, facts);
    let mut after_units = units_of(inputs, Side::New);
    let n_changed = after_units.len();
    let mut touched: FxHashSet<TypeKey> = before.iter().flat_map(|unit| unit.keys()).collect();
    let mut after = declared(&after_units, &inputs.new, facts);
    touched.extend(after.iter().flat_map(|unit| unit.keys()));
    // Other declarations of the touched types stand in files that did not change.
    let mut partners = Partners {
        inputs: &*inputs,
        seen: after_units.iter().cloned().collect(),
    };
    let more = partners.of(&view, touched.iter().copied())?;
    fetch(&more, inputs, facts, progress)?;
    after.extend(declared(&more, &inputs.new, facts));
    after_units.extend(more);

    for &key in &touched {
        view.changed.insert(key, None);
        view.members.insert(key, FxHashSet::default());
        view.units.insert(key, Vec::new());
    }
    merge_declared(&after_units, &after, &mut view);
    view.index_names();
    view.count_namespaces()?;
    let names = changed_names(&mut view, &touched)?;

    let mut units: BTreeSet<Unit> = after_units[..n_changed].iter().cloned().collect();
    let mut add_files = Affected {
        inputs: &*inputs,
        units: &mut units,
    };
    if let Some(base) = &change.base {
        if !inputs.rescoped.is_empty() {
            let rescoped = inputs.rescoped.iter().copied().collect();
            let files = base
                .files()?
                .into_iter()
                .map(|file| (file.path, file.blob, file.projects));
            add_files.add(files, Some(&rescoped));
        }
        add_mentioning(base, inputs, &names, &mut units)?;
        let hidden = hidden_aliases(base, inputs, &view, &touched)?;
        let wanted: Vec<Unit> = hidden.keys().cloned().collect();
        fetch(&wanted, inputs, facts, progress)?;
        let hides = hidden
            .into_iter()
            .filter(|(unit, names)| has_alias(unit, names, inputs, facts));
        units.extend(hides.map(|(unit, _)| unit));
    }
    bind_until_stable(change, inputs, facts, progress, view, units)
}

/// Binds base lists; where a type's bases changed, its derived types are bound again as well.
fn bind_until_stable(
    change: &Change<'_>,
    inputs: &Inputs,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
    mut view: View,
    mut units: BTreeSet<Unit>,
) -> Result<Scope, IndexError> {
    let mut keys: FxHashMap<TypeKey, u32>;
    let mut partners: Vec<Unit>;
    let mut known: BTreeMap<Unit, DeclaredBases> = BTreeMap::new();
    loop {
        let wanted: Vec<Unit> = units
            .iter()
            .filter(|unit| !known.contains_key(unit))
            .cloned()
            .collect();
        fetch(&wanted, inputs, facts, progress)?;
        known.extend(bases_of(&wanted, inputs, facts, &view));
        let touched: BTreeSet<TypeKey> = (view.changed.keys().copied())
            .chain(
                units
                    .iter()
                    .flat_map(|unit| known[unit].iter().map(|(key, _)| *key)),
            )
            .collect();
        let mut search = Partners {
            inputs,
            seen: units.iter().cloned().collect(),
        };
        partners = search.of(&view, touched.iter().copied())?;
        let wanted: Vec<Unit> = partners
            .iter()
            .filter(|unit| !known.contains_key(unit))
            .cloned()
            .collect();
        fetch(&wanted, inputs, facts, progress)?;
        known.extend(bases_of(&wanted, inputs, facts, &view));
        partners.sort();

        keys = touched.iter().map(|&key| (key, 0)).collect();
        let mut bases: FxHashMap<TypeKey, Vec<TypeKey>> = FxHashMap::default();
        let mut in_order: Vec<&Unit> = units.iter().chain(&partners).collect();
        in_order.sort();
        let mut variants = Variants::default();
        for (unit, (key, found)) in in_order
            .iter()
            .flat_map(|unit| known[*unit].iter().map(move |found| (*unit, found)))
        {
            if let Some(count) = keys.get_mut(key) {
                *count += 1;
                if !variants.counts(*key, unit) {
                    continue;
                }
                let all = bases.entry(*key).or_default();
                found.iter().for_each(|base| {
                    if !all.contains(base) {
                        all.push(*base);
                    }
                });
            }
        }
        let mut derived = BTreeSet::new();
        // Bases that a type gained or lost.
        let mut exchanged: Vec<TypeKey> = Vec::new();
        for (&key, now) in &bases {
            if let Some(node) = view.old_node(key)?.filter(|node| node.bases != *now) {
                derived.insert(key);
                exchanged.extend(now.iter().filter(|base| !node.bases.contains(base)));
                exchanged.extend(node.bases.iter().filter(|base| !now.contains(base)));
            }
        }
        view.bases = bases
            .into_iter()
            .map(|(key, bases)| (key, Arc::from(bases)))
            .collect();
        let brings_types = any_nested_type(&view, exchanged)?;
        view.take_failure()?;
        let Some(base) = &change.base else { break };
        let count = units.len();
        let mut queue: Vec<TypeKey> = derived.into_iter().collect();
        let mut seen: FxHashSet<TypeKey> = queue.iter().copied().collect();
        while let Some(key) = queue.pop() {
            queue.extend(
                derived_types(base, key)?
                    .into_iter()
                    .filter(|&user| seen.insert(user)),
            );
        }
        let mut search = Partners {
            inputs,
            seen: units.iter().cloned().collect(),
        };
        units.extend(search.of(&view, seen.iter().copied())?);
        if brings_types {
            // `Derived.Nested` and `using static Derived` may mean something else in any file.
            let mut names = BTreeSet::new();
            for key in seen {
                if let Some(node) = view.old_node(key)? {
                    names.insert(simple_name(&node.fqn).to_owned());
                }
            }
            add_mentioning(base, inputs, &names, &mut units)?;
        }
        if units.len() == count {
            break;
        }
    }
    Ok(Scope {
        view,
        units: units.into_iter().collect(),
        partners,
        keys,
    })
}

#[derive(Clone, Copy)]
enum Side {
    Old,
    New,
}

/// The changed files of one side inside their projects, sorted.
fn units_of(inputs: &Inputs, side: Side) -> Vec<Unit> {
    let mut units = Vec::new();
    for (path, file) in &inputs.changed {
        let state = match side {
            Side::Old => &file.old,
            Side::New => &file.new,
        };
        if let Some(state) = state {
            let unit = |&project: &usize| Unit {
                path: path.clone(),
                project,
                blob: state.blob,
            };
            units.extend(state.projects.iter().map(unit));
        }
    }
    units
}

pub(super) fn fetch(
    units: &[Unit],
    inputs: &Inputs,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<(), IndexError> {
    facts.fetch(
        units
            .iter()
            .map(|unit| (unit.blob, inputs.new.sets[unit.project]))
            .collect(),
        progress,
    )
}

/// The types that a unit declares, with the simple names of their members.
struct DeclaredUnit {
    types: Vec<(TypeSymbol, Vec<Box<str>>)>,
    /// Names of extension members, with the types that declare them.
    extensions: Vec<(Box<str>, TypeKey)>,
}

impl DeclaredUnit {
    fn keys(&self) -> impl Iterator<Item = TypeKey> + '_ {
        self.types.iter().map(|(symbol, _)| symbol.key)
    }
}

/// Adds the declarations of types that are in `view.changed` already.
fn merge_declared(units: &[Unit], declared: &[DeclaredUnit], view: &mut View) {
    let mut in_order: Vec<(&Unit, &DeclaredUnit)> = units.iter().zip(declared).collect();
    in_order.sort_by_key(|(unit, _)| *unit);
    let mut variants = Variants::default();
    for (unit, declared) in in_order {
        for (symbol, members) in &declared.types {
            let Some(slot) = view.changed.get_mut(&symbol.key) else {
                continue;
            };
            if !variants.counts(symbol.key, unit) {
                continue;
            }
            match slot {
                // One part may say the accessibility for all (C# specification, §15.2.7).
                Some(known) => known.accessibility = known.accessibility.max(symbol.accessibility),
                none => *none = Some(symbol.clone()),
            }
            view.members
                .entry(symbol.key)
                .or_default()
                .extend(members.iter().cloned());
            let units = view.units.entry(symbol.key).or_default();
            let place = (unit.path.clone(), unit.project);
            if units.last() != Some(&place) {
                units.push(place);
            }
        }
        for (name, key) in &declared.extensions {
            if view.changed.contains_key(key) {
                view.extensions
                    .entry(name.clone())
                    .or_default()
                    .insert(*key);
            }
        }
    }
}

/// Which unit speaks for a type where several projects of one assembly name compile the same file:
/// the first, as in [`cortex_bind::merge_parts`].
#[derive(Default)]
struct Variants<'a> {
    latest: FxHashMap<TypeKey, &'a Unit>,
}

impl<'a> Variants<'a> {
    /// Whether a unit's declarations of a type count. Ask in the order of units.
    fn counts(&mut self, key: TypeKey, unit: &'a Unit) -> bool {
        match self.latest.get(&key) {
            Some(latest) if latest.path == unit.path => latest.project == unit.project,
            _ => {
                self.latest.insert(key, unit);
                true
            }
        }
    }
}

fn declared(units: &[Unit], projects: &Projects, facts: &FactsSource<'_, '_>) -> Vec<DeclaredUnit> {
    let each = units.par_iter().map(|unit| {
        let stored = facts
            .get(unit.blob, projects.sets[unit.project])
            .facts(Sections::Declarations);
        let types = types_of(&stored, unit, projects);
        DeclaredUnit {
            extensions: extension_members(&stored, &types),
            types: member_names(&stored, types),
        }
    });
    each.collect()
}

pub(super) fn types_of(facts: &FileFacts, unit: &Unit, projects: &Projects) -> Vec<DeclaredType> {
    let project = &projects.records[unit.project].project;
    declared_types(facts, &unit.path, &project.path, &project.assembly)
}

fn member_names(facts: &FileFacts, types: Vec<DeclaredType>) -> Vec<(TypeSymbol, Vec<Box<str>>)> {
    let mut type_of_decl: Vec<Option<usize>> = Vec::with_capacity(facts.decls.len());
    let mut names: Vec<Vec<Box<str>>> = vec![Vec::new(); types.len()];
    let mut next = 0;
    for (id, decl) in facts.decls.iter().enumerate() {
        let mut ty = decl.parent.and_then(|parent| type_of_decl[parent as usize]);
        if types.get(next).is_some_and(|ty| ty.decl as usize == id) {
            ty = Some(next);
            next += 1;
            if let (Some(params), Some(ty)) = (&decl.params, ty)
                && decl
                    .kind
                    .type_kind()
                    .is_some_and(|kind| kind.name().starts_with("record"))
            {
                names[ty].extend(params.iter().map(|param| Box::from(facts.name(param.name))));
            }
        } else if let Some(ty) = ty
            && decl.kind.is_member()
            && has_simple_name(decl.kind)
            && decl.bases.is_empty()
        {
            names[ty].push(facts.name(decl.name).into());
        }
        type_of_decl.push(ty);
    }
    types.into_iter().map(|ty| ty.symbol).zip(names).collect()
}

/// Names of a file's extension members, with the types that declare them: methods whose first parameter
/// has `this`, and what extension blocks declare.
fn extension_members(facts: &FileFacts, types: &[DeclaredType]) -> Vec<(Box<str>, TypeKey)> {
    let mut found = Vec::new();
    let mut type_of_decl: Vec<Option<TypeKey>> = Vec::with_capacity(facts.decls.len());
    let mut next = types.iter().peekable();
    for (id, decl) in facts.decls.iter().enumerate() {
        let around = decl.parent.and_then(|parent| type_of_decl[parent as usize]);
        let own = next.next_if(|ty| ty.decl as usize == id);
        let ty = own.map(|ty| ty.symbol.key).or(around);
        type_of_decl.push(ty);
        let first = decl.params.as_ref().and_then(|params| params.first());
        let is_classic = decl.kind == DeclKind::Method
            && first.is_some_and(|param| param.modifiers.contains(Modifier::This));
        let in_block = decl.kind.is_member()
            && decl
                .parent
                .is_some_and(|parent| facts.decls[parent as usize].kind == DeclKind::Extension);
        if let Some(ty) = ty.filter(|_| is_classic || in_block) {
            let token = facts.name(decl.name);
            let n_params = decl.params.as_ref().map_or(0, Vec::len);
            let name = match decl.kind {
                DeclKind::Operator => operator_name(token, n_params).unwrap_or(token),
                _ => token,
            };
            found.push((name.into(), ty));
        }
    }
    found
}

/// The types that a unit declares, in order, with the source bases that it names.
type DeclaredBases = Vec<(TypeKey, Vec<TypeKey>)>;

/// The source bases of each type that a unit declares.
fn bases_of(
    units: &[Unit],
    inputs: &Inputs,
    facts: &FactsSource<'_, '_>,
    view: &View,
) -> Vec<(Unit, DeclaredBases)> {
    let each = units.par_iter().map(|unit| {
        let stored = facts
            .get(unit.blob, inputs.new.sets[unit.project])
            .facts(Sections::All);
        let types = types_of(&stored, unit, &inputs.new);
        let scope = FileScope {
            facts: &stored,
            path: &unit.path,
            project: &inputs.new.scopes[unit.project],
        };
        let bases = bind_bases(scope, &types, view);
        (
            unit.clone(),
            types.iter().map(|ty| ty.symbol.key).zip(bases).collect(),
        )
    });
    each.collect()
}

/// Finds unchanged units that declare parts of types.
struct Partners<'a> {
    inputs: &'a Inputs,
    seen: FxHashSet<Unit>,
}

impl Partners<'_> {
    /// Units not seen before, sorted.
    fn of(
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
struct Affected<'a> {
    inputs: &'a Inputs,
    units: &'a mut BTreeSet<Unit>,
}

impl Affected<'_> {
    fn add(
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
fn add_mentioning(
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
fn any_nested_type(view: &View, types: Vec<TypeKey>) -> Result<bool, IndexError> {
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
fn hidden_aliases(
    base: &crate::Snapshot,
    inputs: &Inputs,
    view: &View,
    touched: &FxHashSet<TypeKey>,
) -> Result<BTreeMap<Unit, BTreeSet<Box<str>>>, IndexError> {
    let mut out: BTreeMap<Unit, BTreeSet<Box<str>>> = BTreeMap::new();
    for &key in touched {
        let Some(node) = view.old_node(key)? else {
            continue;
        };
        let names = changed_members(view, key, Some(&node));
        if names.is_empty() {
            continue;
        }
        let mut family: FxHashSet<TypeKey> = FxHashSet::default();
        let mut queue = vec![key];
        while let Some(key) = queue.pop() {
            if family.insert(key) {
                queue.extend(derived_types(base, key)?);
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
        for name in names {
            let mentioning = base.files_mentioning(&name)?;
            for unit in &parts {
                if mentioning
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
fn has_alias(
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

/// The types whose base list names a type, in a snapshot.
fn derived_types(base: &crate::Snapshot, key: TypeKey) -> Result<Vec<TypeKey>, IndexError> {
    let derives = |kinds: &EdgeKinds| {
        kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
    };
    let dependents = base.dependents(key)?.into_iter();
    Ok(dependents
        .filter(|(_, kinds)| derives(kinds))
        .map(|(user, _)| user)
        .collect())
}

/// The simple name at the end of a canonical name.
fn simple_name(fqn: &str) -> &str {
    let name = fqn.rsplit(['+', '.']).next().unwrap_or(fqn);
    name.split('`').next().unwrap_or(name)
}

/// Simple names that may mean something else than before.
fn changed_names(
    view: &mut View,
    touched: &FxHashSet<TypeKey>,
) -> Result<BTreeSet<String>, IndexError> {
    let mut names = BTreeSet::new();
    if view.base.is_none() {
        namespace_changes(view, &[], &mut names)?;
        names.clear();
        return Ok(names);
    }
    let mut vanished = Vec::new();
    for &key in touched {
        let old_node = view.old_node(key)?;
        let old = match &old_node {
            Some(node) => {
                let base = view.base.as_ref().expect("there is an old node");
                base.types_named(simple_name(&node.fqn))?
                    .into_iter()
                    .find(|symbol| symbol.key == key)
            }
            None => None,
        };
        let new = view.changed.get(&key).cloned().flatten();
        if old != new {
            for symbol in old.iter().chain(&new) {
                names.insert(symbol.name().to_owned());
                if let Some(short) = symbol.name().strip_suffix("Attribute") {
                    names.insert(short.to_owned());
                }
            }
        }
        if let (Some(old), None) = (&old, &new) {
            vanished.push(old.clone());
        }
        member_changes(view, key, old_node.as_deref(), &mut names);
    }
    namespace_changes(view, &vanished, &mut names)?;
    view.take_failure()?;
    Ok(names)
}

/// A member hides a type of its name; only such members matter to what a name means.
fn member_changes(
    view: &View,
    key: TypeKey,
    old: Option<&cortex_bind::TypeNode>,
    names: &mut BTreeSet<String>,
) {
    for name in changed_members(view, key, old) {
        if !view.types_named(&name).is_empty() || view.has_namespace(&name) {
            names.insert(name.into());
        }
    }
}

/// Simple names of members that a type has now and had not, or the other way round.
fn changed_members(
    view: &View,
    key: TypeKey,
    old: Option<&cortex_bind::TypeNode>,
) -> Vec<Box<str>> {
    let empty = FxHashSet::default();
    let now = view.members.get(&key).unwrap_or(&empty);
    let before: FxHashSet<&str> = old
        .iter()
        .flat_map(|node| &node.members)
        .filter(|member| has_simple_name(member.kind) && !member.name.contains('.'))
        .map(|member| member.name.as_str())
        .collect();
    let appeared = now
        .iter()
        .map(|name| &**name)
        .filter(|name| !before.contains(name));
    let gone = before.iter().copied().filter(|name| !now.contains(*name));
    appeared.chain(gone).map(Box::from).collect()
}

/// Works out which namespaces appeared and vanished, innermost first.
fn namespace_changes(
    view: &mut View,
    vanished: &[TypeSymbol],
    names: &mut BTreeSet<String>,
) -> Result<(), IndexError> {
    let is_outermost = |symbol: &&TypeSymbol| symbol.outer.is_none() && symbol.namespace_len > 0;
    let mut present: FxHashMap<String, u32> = FxHashMap::default();
    for symbol in view.changed.values().flatten().filter(is_outermost) {
        *present.entry(symbol.namespace().to_owned()).or_default() += 1;
    }
    let mut touched: BTreeSet<(std::cmp::Reverse<usize>, String)> = BTreeSet::new();
    let rank = |namespace: &str| {
        (
            std::cmp::Reverse(namespace.split('.').count()),
            namespace.to_owned(),
        )
    };
    touched.extend(present.keys().map(|namespace| rank(namespace)));
    touched.extend(
        vanished
            .iter()
            .filter(is_outermost)
            .map(|symbol| rank(symbol.namespace())),
    );
    let mut child_exists: FxHashMap<String, bool> = FxHashMap::default();
    while let Some((_, namespace)) = touched.pop_first() {
        let has_types = present.contains_key(&namespace);
        let has_child = child_exists.remove(&namespace).unwrap_or(false);
        let mut existed = false;
        let mut remains = false;
        if let Some(base) = &view.base {
            for entry in base.namespace_entries(&namespace)? {
                existed = true;
                remains |= match entry
                    .get(10..)
                    .and_then(|key| key.try_into().ok())
                    .map(TypeKey::from_bytes)
                {
                    Some(key) => !view.changed.contains_key(&key),
                    None => !view.namespaces.iter().any(|(child, exists)| {
                        !exists && crate::keys::namespace_child(&namespace, child) == entry
                    }),
                };
            }
        }
        let exists = has_types || has_child || remains;
        if exists != existed || view.base.is_none() {
            view.namespaces.insert(namespace.clone(), exists);
            names.insert(
                namespace
                    .rsplit('.')
                    .next()
                    .unwrap_or(&namespace)
                    .to_owned(),
            );
            if let Some(end) = namespace.rfind('.') {
                let parent = &namespace[..end];
                *child_exists.entry(parent.to_owned()).or_default() |= exists;
                touched.insert(rank(parent));
            }
        }
    }
    Ok(())
}

/// Whether a project-wide alias or static using names something whose meaning may have changed.
fn mentions(using: &GlobalUsing, names: &BTreeSet<String>) -> bool {
    let target = match using {
        GlobalUsing::Namespace(_) => return false,
        GlobalUsing::Static(target) | GlobalUsing::Alias(_, target) => target,
    };
    target
        .split('.')
        .any(|segment| names.contains(segment.split('`').next().unwrap_or(segment)))
}

/// Reports progress of binding, now and then.
pub(super) fn report(progress: &dyn Progress, done: usize, total: usize) {
    if done.is_multiple_of(64) || done == total {
        progress.report(Stage::Bind, done, total);
    }
}
