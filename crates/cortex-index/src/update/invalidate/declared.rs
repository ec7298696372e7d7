//! What the files in play declare: types with the names of their members, and the bases that they name.

use cortex_bind::{DeclaredType, FileScope, Speakers, TypeSymbol, bind_bases, declared_types};
use cortex_model::{DeclKind, Modifier, RepoPath, TypeKey};
use cortex_semantics::operator_name;
use cortex_syntax::{FileFacts, Sections};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    super::inputs::{Inputs, Projects},
    Unit,
};
use crate::{facts::FactsSource, view::View};

/// The types that a unit declares, with the simple names of their members.
pub(super) struct DeclaredUnit {
    pub(super) types: Vec<(TypeSymbol, Vec<Box<str>>)>,
    /// Names of extension members, with the types that declare them.
    pub(super) extensions: Vec<(Box<str>, TypeKey)>,
}

impl DeclaredUnit {
    pub(super) fn keys(&self) -> impl Iterator<Item = TypeKey> + '_ {
        self.types.iter().map(|(symbol, _)| symbol.key)
    }
}

/// Adds the declarations of types that are in `view.changed` already.
pub(super) fn merge_declared(
    units: &[Unit],
    declared: &[DeclaredUnit],
    projects: &Projects,
    view: &mut View,
) {
    let mut in_order: Vec<(&Unit, &DeclaredUnit)> = units.iter().zip(declared).collect();
    in_order.sort_by_key(|(unit, _)| *unit);
    let declarations = in_order.iter().flat_map(|&(unit, declared)| {
        let keys = declared.keys().filter(|key| view.changed.contains_key(key));
        keys.map(move |key| (key, unit))
    });
    let speakers = speakers(declarations, projects);
    for (unit, declared) in in_order {
        let rank = projects.ranks[unit.project];
        for (symbol, members) in &declared.types {
            let Some(slot) = view.changed.get_mut(&symbol.key) else {
                continue;
            };
            let units = view.units.entry(symbol.key).or_default();
            let place = (unit.path.clone(), unit.project);
            if units.last() != Some(&place) {
                units.push(place);
            }
            let speakers = &speakers[&symbol.key];
            if !speakers.counts(&unit.path, rank) {
                continue;
            }
            match slot {
                Some(known) => {
                    // One part may say the accessibility for all (C# specification, §15.2.7).
                    known.accessibility = known.accessibility.max(symbol.accessibility);
                    if rank == speakers.leader() {
                        known.project = symbol.project.clone();
                    }
                }
                none => *none = Some(symbol.clone()),
            }
            view.members
                .entry(symbol.key)
                .or_default()
                .extend(members.iter().cloned());
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

/// Who speaks for each type that units declare.
pub(super) fn speakers<'a>(
    declarations: impl Iterator<Item = (TypeKey, &'a Unit)>,
    projects: &Projects,
) -> FxHashMap<TypeKey, Speakers<'a>> {
    let mut by_type: FxHashMap<TypeKey, Vec<(&RepoPath, u32)>> = FxHashMap::default();
    for (key, unit) in declarations {
        let declaration = (&unit.path, projects.ranks[unit.project]);
        by_type.entry(key).or_default().push(declaration);
    }
    let each = by_type.into_iter();
    each.map(|(key, declarations)| (key, Speakers::of(declarations)))
        .collect()
}

pub(super) fn declare_all(
    units: &[Unit],
    projects: &Projects,
    facts: &FactsSource<'_, '_>,
) -> Vec<DeclaredUnit> {
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

pub(in super::super) fn types_of(
    facts: &FileFacts,
    unit: &Unit,
    projects: &Projects,
) -> Vec<DeclaredType> {
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
            && decl.kind.has_simple_name()
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
pub(super) type DeclaredBases = Vec<(TypeKey, Vec<TypeKey>)>;

/// The source bases of each type that a unit declares.
pub(super) fn bases_of(
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
