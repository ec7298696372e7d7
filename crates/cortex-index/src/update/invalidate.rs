//! Step 2: names whose meaning may have changed, and the files to bind again.

mod declared;
mod names;
mod reached;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_model::{BlobId, RepoPath, TypeKey, simple_name};
use rustc_hash::{FxHashMap, FxHashSet};

use self::{
    declared::{DeclaredBases, bases_of, declare_all, merge_declared, speakers},
    names::changed_names,
    reached::{Affected, Partners, add_mentioning, any_nested_type, has_alias, hidden_aliases},
};
use super::{Change, Progress, Stage, inputs::Inputs};
use crate::{IndexError, Snapshot, facts::FactsSource, view::View};

pub(super) use self::declared::types_of;

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

/// What the changed files declare, over what the base has.
pub(super) struct Declarations {
    pub(super) view: View,
    /// The types that a changed file declares, before or after.
    touched: BTreeSet<TypeKey>,
    /// The changed files.
    units: BTreeSet<Unit>,
}

pub(super) fn declare(
    change: &Change<'_>,
    inputs: &mut Inputs,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<Declarations, IndexError> {
    let mut view = View::over(change.base.clone());
    let before = declare_all(&units_of(inputs, Side::Old), &inputs.old, facts);
    let mut after_units = units_of(inputs, Side::New);
    let n_changed = after_units.len();
    let mut touched: BTreeSet<TypeKey> = before.iter().flat_map(|unit| unit.keys()).collect();
    let mut after = declare_all(&after_units, &inputs.new, facts);
    touched.extend(after.iter().flat_map(|unit| unit.keys()));
    // Other declarations of the touched types stand in files that did not change.
    let mut partners = Partners {
        inputs: &*inputs,
        seen: after_units.iter().cloned().collect(),
    };
    let more = partners.of(&view, touched.iter().copied())?;
    fetch(&more, inputs, facts, progress)?;
    after.extend(declare_all(&more, &inputs.new, facts));
    after_units.extend(more);

    for &key in &touched {
        view.changed.insert(key, None);
        view.members.insert(key, FxHashSet::default());
        view.units.insert(key, Vec::new());
    }
    merge_declared(&after_units, &after, &inputs.new, &mut view);
    view.index_names();
    view.count_namespaces()?;
    Ok(Declarations {
        view,
        touched,
        units: after_units.into_iter().take(n_changed).collect(),
    })
}

pub(super) fn invalidate(
    change: &Change<'_>,
    inputs: &mut Inputs,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<Scope, IndexError> {
    let Declarations {
        mut view,
        touched,
        mut units,
    } = declare(change, inputs, facts, progress)?;
    let names = changed_names(&mut view, &touched)?;

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
    let mut known: BTreeMap<Unit, DeclaredBases> = BTreeMap::new();
    loop {
        let mut read =
            |wanted: Vec<Unit>, view: &View, known: &mut BTreeMap<Unit, DeclaredBases>| {
                fetch(&wanted, inputs, facts, progress)?;
                known.extend(bases_of(&wanted, inputs, facts, view));
                Ok::<(), IndexError>(())
            };
        read(unread(&units, &known), &view, &mut known)?;
        let declared = units.iter().flat_map(|unit| &known[unit]);
        let touched: BTreeSet<TypeKey> = (view.changed.keys().copied())
            .chain(declared.map(|(key, _)| *key))
            .collect();
        let mut partners = Partners {
            inputs,
            seen: units.iter().cloned().collect(),
        }
        .of(&view, touched.iter().copied())?;
        read(unread(&partners, &known), &view, &mut known)?;
        partners.sort();

        let mut in_order: Vec<&Unit> = units.iter().chain(&partners).collect();
        in_order.sort();
        let (keys, bases) = merge_bases(&touched, &in_order, &known, inputs);
        let (rebased, exchanged) = exchanged_bases(&view, &bases)?;
        view.bases = bases
            .into_iter()
            .map(|(key, bases)| (key, Arc::from(bases)))
            .collect();
        let brings_types = any_nested_type(&view, exchanged)?;
        view.take_failure()?;

        // A type may mean something else in all types below those whose bases changed.
        let count = units.len();
        if let Some(base) = &change.base {
            let affected = with_derived(base, rebased)?;
            let mut search = Partners {
                inputs,
                seen: units.iter().cloned().collect(),
            };
            units.extend(search.of(&view, affected.iter().copied())?);
            if brings_types {
                // `Derived.Nested` and `using static Derived` may mean something else in any file.
                let mut names = BTreeSet::new();
                for key in affected {
                    if let Some(node) = view.old_node(key)? {
                        names.insert(simple_name(&node.fqn).to_owned());
                    }
                }
                add_mentioning(base, inputs, &names, &mut units)?;
            }
        }
        if units.len() == count {
            return Ok(Scope {
                view,
                units: units.into_iter().collect(),
                partners,
                keys,
            });
        }
    }
}

/// The units whose base lists are not known yet.
fn unread<'a>(
    units: impl IntoIterator<Item = &'a Unit>,
    known: &BTreeMap<Unit, DeclaredBases>,
) -> Vec<Unit> {
    let units = units.into_iter();
    units
        .filter(|unit| !known.contains_key(unit))
        .cloned()
        .collect()
}

/// How many declarations each touched type has, and the bases that these name together.
fn merge_bases(
    touched: &BTreeSet<TypeKey>,
    units: &[&Unit],
    known: &BTreeMap<Unit, DeclaredBases>,
    inputs: &Inputs,
) -> (FxHashMap<TypeKey, u32>, BTreeMap<TypeKey, Vec<TypeKey>>) {
    let mut counts: FxHashMap<TypeKey, u32> = touched.iter().map(|&key| (key, 0)).collect();
    let mut bases: BTreeMap<TypeKey, Vec<TypeKey>> = BTreeMap::new();
    let declarations = || {
        let units = units.iter();
        let all = units.flat_map(|unit| known[*unit].iter().map(move |found| (*unit, found)));
        all.filter(|(_, (key, _))| touched.contains(key))
    };
    let speakers = speakers(
        declarations().map(|(unit, (key, _))| (*key, unit)),
        &inputs.new,
    );
    for (unit, (key, found)) in declarations() {
        if let Some(count) = counts.get_mut(key) {
            *count += 1;
            if !speakers[key].counts(&unit.path, inputs.new.ranks[unit.project]) {
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
    (counts, bases)
}

/// The types whose bases differ from those of the older snapshot, and the bases that they gained or lost.
fn exchanged_bases(
    view: &View,
    bases: &BTreeMap<TypeKey, Vec<TypeKey>>,
) -> Result<(Vec<TypeKey>, Vec<TypeKey>), IndexError> {
    let (mut rebased, mut exchanged) = (Vec::new(), Vec::new());
    for (&key, now) in bases {
        if let Some(node) = view.old_node(key)?.filter(|node| node.bases != *now) {
            rebased.push(key);
            exchanged.extend(now.iter().filter(|base| !node.bases.contains(base)));
            exchanged.extend(node.bases.iter().filter(|base| !now.contains(base)));
        }
    }
    Ok((rebased, exchanged))
}

/// Some types and all that derive from them in the older snapshot.
fn with_derived(base: &Snapshot, mut queue: Vec<TypeKey>) -> Result<BTreeSet<TypeKey>, IndexError> {
    let mut seen: BTreeSet<TypeKey> = queue.iter().copied().collect();
    while let Some(key) = queue.pop() {
        let derived = base.derived_types(key)?.into_iter();
        queue.extend(derived.filter(|&key| seen.insert(key)));
    }
    Ok(seen)
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

/// Reports progress of binding, now and then.
pub(super) fn report(progress: &dyn Progress, done: usize, total: usize) {
    if done.is_multiple_of(64) || done == total {
        progress.report(Stage::Bind, done, total);
    }
}
