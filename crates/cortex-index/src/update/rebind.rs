//! Step 3: files bound again, in parallel, and their types merged.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use cortex_bind::{BoundPart, FileScope, TypeNode, bind_file, merge_parts};
use cortex_model::{RepoPath, TypeKey};
use cortex_semantics::{Compilation, OutsideNames, ProjectId, UnitKey};
use cortex_syntax::Sections;
use rayon::prelude::*;

use super::{
    Progress,
    bodies::{reader, world},
    inputs::Inputs,
    invalidate::{Scope, Unit, report, types_of},
};
use crate::{
    IndexError,
    facts::FactsSource,
    packed::{Packed, Spill},
    records::encode,
    view::View,
};

/// What binding found.
pub(super) struct Rebound {
    pub(super) view: View,
    /// Units whose type names were bound again, sorted.
    pub(super) units: Vec<Unit>,
    /// Types to write, by key; `None` for those that no declaration is left of.
    pub(super) types: BTreeMap<TypeKey, Option<Merged>>,
}

/// A merged type, encoded: a cold index has too many to keep as values.
pub(super) struct Merged {
    /// The file of its first declaration.
    pub(super) path: RepoPath,
    pub(super) bytes: Packed,
    pub(super) members: u64,
}

impl Merged {
    fn new(node: TypeNode, spill: &Arc<Spill>) -> Self {
        Self {
            path: (node.parts.first()).map_or_else(|| RepoPath::from(""), |part| part.path.clone()),
            bytes: spill.put(encode(&node)),
            members: node.members.len() as u64,
        }
    }
}

/// This many files share a compilation, which knows types from outside.
const CHUNK: usize = 400;

/// The types that one file declares: merged where it has all their declarations, parts otherwise.
type Declared = (Vec<(TypeKey, Merged)>, Vec<BoundPart>);

fn bind_units(
    inputs: &Inputs,
    scope: &Scope,
    facts: &FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Vec<Declared> {
    let total = scope.units.len() + scope.partners.len();
    let done = AtomicUsize::new(0);
    let read = reader(&scope.view, inputs, facts);
    let world = world(&scope.view, inputs, &read);
    let bind = |outside: &OutsideNames<'_, '_>, unit: &Unit| {
        let stored = facts.get(unit.blob, inputs.new.sets[unit.project]);
        let stored = Arc::new(stored.facts(Sections::All));
        let types = types_of(&stored, unit, &inputs.new);
        let project = &inputs.new.scopes[unit.project];
        let key = UnitKey {
            path: unit.path.clone(),
            project: ProjectId::new(unit.project),
        };
        let bound = bind_file(
            FileScope {
                facts: &stored,
                path: &unit.path,
                project,
            },
            &types,
            &scope.view,
            &outside.in_file(&key, stored.clone()),
        );
        let (mut single, mut several) = (Vec::new(), Vec::new());
        for mut part in bound.parts {
            // All parts together decide the accessibility.
            if let Some(Some(symbol)) = scope.view.changed.get(&part.symbol.key) {
                part.symbol.accessibility = symbol.accessibility;
            }
            match scope.keys.get(&part.symbol.key) {
                Some(1) => single.push((
                    part.symbol.key,
                    Merged::new(
                        merge_parts(vec![part], &project.assembly, &|_| 0),
                        &facts.spill,
                    ),
                )),
                Some(_) => several.push(part),
                None => {}
            }
        }
        report(progress, done.fetch_add(1, Ordering::Relaxed) + 1, total);
        (single, several)
    };
    // Neighbors of one project have most names in common.
    let mut units: Vec<&Unit> = scope.units.iter().chain(&scope.partners).collect();
    units.sort_by(|a, b| (a.project, &a.path).cmp(&(b.project, &b.path)));
    units
        .par_chunks(CHUNK)
        .flat_map_iter(|units| {
            let compilation = Compilation::new(&world);
            let outside = OutsideNames::new(&compilation);
            let bound = units.iter().map(|unit| bind(&outside, unit));
            bound.collect::<Vec<_>>()
        })
        .collect()
}

pub(super) fn rebind(
    inputs: &Inputs,
    scope: Scope,
    facts: &FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<Rebound, IndexError> {
    let found = bind_units(inputs, &scope, facts, progress);
    scope.view.take_failure()?;

    let mut types: BTreeMap<TypeKey, Option<Merged>> =
        scope.keys.keys().map(|&key| (key, None)).collect();
    let mut parts: BTreeMap<TypeKey, Vec<BoundPart>> = BTreeMap::new();
    for (single, several) in found {
        types.extend(single.into_iter().map(|(key, merged)| (key, Some(merged))));
        several
            .into_iter()
            .for_each(|part| parts.entry(part.symbol.key).or_default().push(part));
    }
    let merged: Vec<_> = parts
        .into_par_iter()
        .map(|(key, parts)| {
            let project = inputs.new.by_path.get(&parts[0].symbol.project).copied();
            let assembly = project.map_or("", |project| {
                inputs.new.records[project].project.assembly.as_str()
            });
            (
                key,
                Some(Merged::new(
                    merge_parts(parts, assembly, &|project| inputs.new.rank(project)),
                    &facts.spill,
                )),
            )
        })
        .collect();
    types.extend(merged);
    Ok(Rebound {
        view: scope.view,
        units: scope.units,
        types,
    })
}
