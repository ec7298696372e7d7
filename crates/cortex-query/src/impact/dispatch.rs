//! What changed members override and implement, and what overrides and implements them.

use std::collections::BTreeSet;

use cortex_index::{Implementation, ImplementationKind, MemberTag};
use cortex_model::{EdgeKind, TypeKey};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{QueryError, answer::ViaRelation, doc_ids::DocIds};

/// What stands above and below changed members of one type.
#[derive(Default)]
pub(super) struct Dispatch {
    /// What a member overrides or implements in this repository, directly or through others: the index of the
    /// member, then type and tag and id of what is above.
    pub(super) above: Vec<(usize, TypeKey, MemberTag, String, ViaRelation)>,
    /// Ids of members that override or implement it.
    pub(super) below: Vec<(usize, String)>,
}

/// Looks for what stands above and below `members` of a type, given by their ids. Reads the symbols of the type
/// and of all types derived from it.
pub(super) fn dispatch(
    ids: &mut DocIds<'_>,
    key: TypeKey,
    members: &FxHashMap<&str, usize>,
) -> Result<Dispatch, QueryError> {
    let mut out = Dispatch::default();
    let (mut above, mut below) = (BTreeSet::new(), BTreeSet::new());
    for ty in with_subtypes(ids, key)? {
        let Some(own) = ids.ty(ty)? else { continue };
        for found in &own.symbols.implementations {
            if let Some(&at) = members.get(&*found.member) {
                climb(ids, ty, at, found, &mut above)?;
            }
            if let Some(&at) = members.get(&*found.of) {
                below.insert((at, found.member.to_string()));
            }
        }
    }
    out.above.extend(above);
    out.below.extend(below);
    Ok(out)
}

type Above = BTreeSet<(usize, TypeKey, MemberTag, String, ViaRelation)>;

/// Adds what a member overrides or implements, and what that overrides.
fn climb(
    ids: &mut DocIds<'_>,
    ty: TypeKey,
    at: usize,
    first: &Implementation,
    above: &mut Above,
) -> Result<(), QueryError> {
    let bases = bases(ids, ty)?;
    let mut todo = vec![(first.of.clone(), first.how)];
    while let Some((of, how)) = todo.pop() {
        for &base in &bases {
            let Some(own) = ids.ty(base)? else { continue };
            let Some(tag) = own.tag_of(&of) else { continue };
            let relation = match how {
                ImplementationKind::Override => ViaRelation::Override,
                ImplementationKind::Interface => ViaRelation::Interface,
            };
            if above.insert((at, base, tag, of.to_string(), relation)) {
                let further = own.symbols.implementations.iter();
                let further = further.filter(|it| it.member == of);
                todo.extend(further.map(|it| (it.of.clone(), it.how)));
            }
        }
    }
    Ok(())
}

/// The types of this repository that a type derives from, itself not counted.
fn bases(ids: &DocIds<'_>, key: TypeKey) -> Result<Vec<TypeKey>, QueryError> {
    let mut seen: FxHashSet<TypeKey> = FxHashSet::from_iter([key]);
    let (mut todo, mut out) = (vec![key], Vec::new());
    while let Some(at) = todo.pop() {
        let edges = ids.snapshot().symbols(at)?.signature;
        let is_base = |kinds: cortex_model::EdgeKinds| {
            kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
        };
        for edge in edges.source.iter().filter(|edge| is_base(edge.kinds)) {
            if seen.insert(edge.target) {
                out.push(edge.target);
                todo.push(edge.target);
            }
        }
    }
    out.sort_unstable();
    Ok(out)
}

/// A type and those that derive from it.
fn with_subtypes(ids: &DocIds<'_>, key: TypeKey) -> Result<Vec<TypeKey>, QueryError> {
    let mut seen: FxHashSet<TypeKey> = FxHashSet::from_iter([key]);
    let (mut todo, mut out) = (vec![key], vec![key]);
    while let Some(at) = todo.pop() {
        for (user, kinds) in ids.snapshot().dependents(at)? {
            let derives =
                kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements);
            if derives && seen.insert(user) {
                out.push(user);
                todo.push(user);
            }
        }
    }
    Ok(out)
}
