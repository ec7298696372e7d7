//! Who depends on what changed: the lines that use it, then types ring by ring.

pub(crate) mod actions;
mod alike_tokens;
mod applied;
pub(crate) mod around;
pub(crate) mod branches;
mod callers;
mod calling;
pub(crate) mod climb;
pub(crate) mod close;
pub(crate) mod columns;
mod conditions;
mod copies;
mod counterparts;
pub(crate) mod dangling;
mod declared;
mod deserialized;
pub(crate) mod dispatch;
pub(crate) mod documented;
pub(crate) mod enumerations;
mod file_lines;
pub(crate) mod generic_callers;
pub(crate) mod handed;
pub(crate) mod handlers;
mod inherited;
pub(crate) mod lagging;
pub(crate) mod left_names;
pub(crate) mod left_values;
pub(crate) mod lines;
pub(crate) mod literals;
pub(crate) mod mentions;
pub(crate) mod names;
mod near_copies;
pub(crate) mod nearby_documentation;
pub(crate) mod next;
mod no_longer_used;
pub(crate) mod opened;
pub(crate) mod other_files;
pub(crate) mod procedures;
pub(crate) mod promises;
pub(crate) mod razor;
pub(crate) mod registrations;
pub(crate) mod requests;
pub(crate) mod rings;
mod routines;
pub(crate) mod siblings;
mod string_places;
pub(crate) mod strings;
pub(crate) mod symbols;
mod type_tests;
mod unnamed_uses;
mod unset;
pub(crate) mod uses;
mod written_data;

use crate::{
    diff_context::{blobs::Reader, compared::Compared, question::UseLines},
    impact::{
        actions::Actions, names::ChangedNames, next::Member, rings::Rings, symbols::ChangedSymbol,
    },
    propagation::Propagation,
};
use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_wire::{Impact, ImpactedType, TypeRef};

use std::collections::BTreeSet;

use cortex_bind::TypeNode;
use cortex_index::{Snapshot, TypeHeader};
use cortex_model::{ChangeClass, Modifier, TypeKey, TypeKind};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Types listed beyond the direct users.
const MAX_FURTHER: usize = 400;

/// So many types are read by one thread.
const N_TOGETHER: usize = 32;

/// Finds the uses of changed symbols, and follows the dependents of every type whose users may notice. With the actions
/// that run changed members. `names`: what changed files name, where these are few; `exchanged`: members whose types are
/// registered otherwise.
pub(crate) fn impact(
    compared: &Compared,
    (changed, names): (&[ChangedType], Option<&ChangedNames>),
    (mut symbols, exchanged): (Vec<ChangedSymbol>, &[Member]),
    propagation: &Propagation<'_>,
    reader: &mut Reader<'_>,
    wanted: UseLines,
) -> Result<(Impact, Actions), QueryError> {
    let sources: Vec<&ChangedType> = changed
        .iter()
        .filter(|ty| {
            matches!(
                ty.class,
                ChangeClass::Structure | ChangeClass::Removed | ChangeClass::PublicBehavior
            ) && !only_grew(ty)
        })
        .collect();
    let Rings {
        reached,
        degrees,
        n_cut,
    } = Rings::around(compared, &sources)?;
    let beside = beside(compared, changed, names, &symbols, reader)?;
    // These are the same code: callers run it, or another one, in the place of what they ran.
    let exchanged = registrations::exchanged_symbols(compared, exchanged, &symbols)?;
    symbols.extend(exchanged);
    let lines::Told {
        symbols,
        n_inside,
        next,
        actions,
    } = lines::uses(compared, symbols, reader, wanted)?;
    let mut names: FxHashMap<TypeKey, String> = changed
        .iter()
        .map(|ty| (ty.key, ty.node().fqn.clone()))
        .collect();

    // Nearest first, then those that others depend on most.
    let mut ranked: Vec<_> = reached.iter().map(|(&key, reach)| (key, reach)).collect();
    ranked.sort_by_key(|(key, reach)| {
        let weight = degrees.get(key).copied().unwrap_or(0);
        (
            reach.distance,
            !reach.kinds.is_structural(),
            std::cmp::Reverse(weight),
            *key,
        )
    });
    let mut impact = Impact {
        symbols,
        next,
        n_beyond: n_cut,
        unfollowed_actions: actions.unfollowed,
        n_routes: actions.routes.len().min(requests::MAX_ACTIONS) + actions.n_gone,
        ..beside
    };
    let mut heads = heads(&compared.new, reached.keys().copied().collect())?;
    for (key, reach) in ranked {
        let Some((header, id)) = heads.remove(&key) else {
            continue;
        };
        let is_test = compared.is_of_tests(&header.project);
        let shown = reach.distance == 1 || impact.further.len() < MAX_FURTHER;
        impact.n_beyond += usize::from(!shown);
        if !shown {
            continue;
        }
        let ty = TypeRef {
            name: header.fqn,
            id,
            kind: header.kind,
        };
        names.entry(key).or_insert_with(|| ty.name.clone());
        let entry = ImpactedType {
            ty,
            distance: reach.distance,
            via: names.get(&reach.via).cloned().unwrap_or_default(),
            kinds: reach.kinds.iter().collect(),
            project: header.project,
            is_test,
            n_uses: n_inside.get(&key).copied().unwrap_or(0),
            propagated: propagation.reaching(key)?,
        };
        match reach.distance {
            1 => impact.direct.push(entry),
            _ => impact.further.push(entry),
        }
    }
    Ok((impact, actions))
}

/// What stands beside the changed symbols and does not use them.
fn beside(
    compared: &Compared,
    changed: &[ChangedType],
    names: Option<&ChangedNames>,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Impact, QueryError> {
    let mut out = Impact {
        lagging: lagging::lagging_users(compared, symbols, reader)?,
        inherited: inherited::inherited(compared, symbols)?,
        no_longer_used: no_longer_used::no_longer_used(compared, changed, symbols)?,
        type_tests: type_tests::type_tests(compared, changed, reader)?,
        deserialized: deserialized::deserialized(compared, symbols, reader)?,
        registrations: lines::registrations(compared, changed, reader)?,
        left_routines: routines::left(compared, reader.source())?,
        ..Impact::default()
    };
    if let Some(names) = names {
        out.written_data = written_data::written_data(compared, names, symbols, reader)?;
        out.unset = unset::unset(compared, names, symbols, reader)?;
        out.counterparts = counterparts::counterparts(compared, names, symbols, reader)?;
        out.conditions = conditions::conditions(compared, symbols, reader)?;
        out.copies = copies::copies(compared, symbols, reader)?;
        out.near_copies = near_copies::near_copies(compared, symbols, reader)?;
        out.outside_services = registrations::outside_services(compared, reader)?;
        out.run_routines = routines::run(compared, names, symbols, reader.source())?;
    }
    Ok(out)
}

/// Whether all that differs of a type are members that it has more: nobody who depends on it notices. Who implements an
/// interface or derives from a class with new abstract members does.
fn only_grew(ty: &ChangedType) -> bool {
    let (Some(old), Some(new)) = (&ty.old, &ty.new) else {
        return false;
    };
    let members = |node: &TypeNode| -> BTreeSet<String> {
        let all = node.members.iter();
        all.map(|member| node.full_member_signature(member))
            .collect()
    };
    let (before, after) = (members(old), members(new));
    ty.class == ChangeClass::Structure
        && old.full_signature() == new.full_signature()
        && old.kind != TypeKind::Interface
        && !old.modifiers.contains(Modifier::Abstract)
        && before.is_subset(&after)
        && before.len() < after.len()
}

/// The heads of types with their ids as users see them. `keys`: ascending, as the store keeps them.
fn heads(
    snapshot: &Snapshot,
    keys: Vec<TypeKey>,
) -> Result<FxHashMap<TypeKey, (TypeHeader, String)>, QueryError> {
    let read = keys.into_par_iter().with_min_len(N_TOGETHER).map(|key| {
        let header = snapshot.type_header(key)?;
        let told = header.map(|header| Ok((key, (header, snapshot.display_id(key)?))));
        told.transpose()
    });
    read.filter_map(Result::transpose).collect()
}
