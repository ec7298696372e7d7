//! What types derive from and what derives from them; what members override and implement, and what overrides and
//! implements them.
//!
//! Must not know: what is asked of a family.

use crate::QueryError;
use cortex_derived::{doc_ids::DocIds, target::Target};

use cortex_wire::FamilyRelation;
use std::collections::BTreeSet;

use cortex_index::{Implementation, ImplementationKind, MemberTag, Snapshot};
use cortex_model::{Accessibility, EdgeKind, EdgeKinds, TypeKey};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// A member of the family of another one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Relative {
    /// How many steps away.
    pub(crate) depth: u32,
    pub(crate) relation: FamilyRelation,
    pub(crate) doc_id: String,
    /// The member that it overrides or implements, or is overridden or implemented by: one step nearer.
    pub(crate) nearer: String,
    /// `None` for one from outside of the repository.
    pub(crate) target: Option<Target>,
    /// The type in which the two come together.
    pub(crate) at: TypeKey,
}

/// Whether a dependency is on a base, or on an argument of one.
pub(crate) fn derives(kinds: EdgeKinds) -> bool {
    kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
}

/// Whether a call of a member of the family may run the one in question.
pub(crate) fn is_above(relation: FamilyRelation) -> bool {
    matches!(
        relation,
        FamilyRelation::Overridden | FamilyRelation::Implemented
    )
}

/// So many types are read by one thread.
const N_TOGETHER: usize = 32;

/// The types that have a type, or an argument of a base, among their bases, it itself first; by steps, then key.
pub(crate) fn subtypes(snapshot: &Snapshot, key: TypeKey) -> Result<Vec<TypeKey>, QueryError> {
    let mut seen: FxHashSet<TypeKey> = FxHashSet::from_iter([key]);
    let mut out = vec![key];
    let mut ring = vec![key];
    while !ring.is_empty() {
        let users = ring.par_iter().with_min_len(N_TOGETHER);
        let users = users.map(|&at| Ok(snapshot.dependents(at)?));
        let users = users.collect::<Result<Vec<_>, QueryError>>()?;
        let users = users.into_iter().flatten();
        let derived = users.filter(|(_, kinds)| derives(*kinds));
        let new = derived.filter(|(user, _)| seen.insert(*user));
        ring = new.map(|(user, _)| user).collect();
        ring.sort_unstable();
        out.extend(&ring);
    }
    Ok(out)
}

/// The types of the repository that a type has among its bases or their arguments, itself first; by steps.
fn supertypes(ids: &mut DocIds<'_>, key: TypeKey) -> Result<Vec<TypeKey>, QueryError> {
    let mut out = vec![key];
    let mut seen: FxHashSet<TypeKey> = FxHashSet::from_iter([key]);
    let mut at = 0;
    while at < out.len() {
        if let Some(own) = ids.ty(out[at])? {
            let edges = own.symbols.signature.source.iter();
            let bases = edges.filter(|edge| derives(edge.kinds));
            out.extend(
                bases
                    .map(|edge| edge.target)
                    .filter(|base| seen.insert(*base)),
            );
        }
        at += 1;
    }
    Ok(out)
}

/// The types of the repository that a type derives from or implements, the nearest first.
pub(crate) fn bases(ids: &mut DocIds<'_>, key: TypeKey) -> Result<Vec<TypeKey>, QueryError> {
    let mut out: Vec<TypeKey> = Vec::new();
    let mut at = key;
    let mut n_seen = 0;
    loop {
        let header = ids.snapshot().type_header(at)?;
        for base in header.map(|it| it.bases).unwrap_or_default() {
            if base != key && !out.contains(&base) {
                out.push(base);
            }
        }
        let Some(&next) = out.get(n_seen) else {
            return Ok(out);
        };
        at = next;
        n_seen += 1;
    }
}

/// The members that are above and below some: what they override and implement, directly or through others, and what
/// overrides and implements them. By steps, then relation and id.
pub(crate) fn relatives(
    ids: &mut DocIds<'_>,
    targets: &[Target],
) -> Result<Vec<Relative>, QueryError> {
    related(ids, targets, Directions::Both)
}

/// What some members override and implement, directly or through others. By steps, then relation and id.
pub(crate) fn above_of(
    ids: &mut DocIds<'_>,
    targets: &[Target],
) -> Result<Vec<Relative>, QueryError> {
    related(ids, targets, Directions::Above)
}

/// Where relatives are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Directions {
    Above,
    Both,
}

fn related(
    ids: &mut DocIds<'_>,
    targets: &[Target],
    directions: Directions,
) -> Result<Vec<Relative>, QueryError> {
    let mut out: BTreeSet<Relative> = BTreeSet::new();
    for &target in targets {
        let Target::Member(key, tag) = target else {
            continue;
        };
        if let Some(id) = ids.of(key, Some(tag))? {
            let types = match is_inherited(ids, key, tag)? {
                true => subtypes(ids.snapshot(), key)?,
                false => vec![key],
            };
            let below = Below::read(ids.snapshot(), types)?;
            above(ids, &id, &below.of_member(&id), &mut out)?;
            if directions == Directions::Both {
                below.collect(ids, &id, &mut out)?;
            }
        }
    }
    let mut seen: FxHashSet<String> = FxHashSet::default();
    out.retain(|it| seen.insert(it.doc_id.clone()));
    Ok(out.into_iter().collect())
}

/// Whether types below the one that declares a member may override it or implement something with it: all but private
/// members. What implements a member of an interface by its name may do so again where a type below lists the interface.
fn is_inherited(ids: &mut DocIds<'_>, key: TypeKey, tag: MemberTag) -> Result<bool, QueryError> {
    let Some(own) = ids.ty(key)? else {
        return Ok(true);
    };
    let member = own.index(tag).map(|at| &own.symbols.members[at]);
    Ok(member.is_none_or(|member| {
        member.accessibility != Accessibility::Private || member.id.contains('#')
    }))
}

/// Adds what a member overrides and implements, and what these do.
fn above(
    ids: &mut DocIds<'_>,
    id: &str,
    start: &[(TypeKey, &Implementation)],
    out: &mut BTreeSet<Relative>,
) -> Result<(), QueryError> {
    let mut seen: FxHashSet<String> = FxHashSet::from_iter([id.to_owned()]);
    let mut todo: Vec<(u32, TypeKey, Implementation)> = (start.iter())
        .map(|(ty, it)| (1, *ty, (*it).clone()))
        .collect();
    let mut at = 0;
    while at < todo.len() {
        let (depth, ty, found) = todo[at].clone();
        at += 1;
        if !seen.insert(found.of.to_string()) {
            continue;
        }
        let target = declared(ids, ty, &found.of)?;
        out.insert(Relative {
            depth,
            relation: match found.how {
                ImplementationKind::Override => FamilyRelation::Overridden,
                ImplementationKind::Interface => FamilyRelation::Implemented,
            },
            doc_id: found.of.to_string(),
            nearer: found.member.to_string(),
            target,
            at: ty,
        });
        if let Some(Target::Member(owner, _)) = target
            && let Some(own) = ids.ty(owner)?
        {
            let further = own.symbols.implementations.iter();
            let further = further.filter(|it| it.member == found.of);
            todo.extend(further.map(|it| (depth + 1, owner, it.clone())));
        }
    }
    Ok(())
}

/// What some types override and implement: one and those below it.
struct Below {
    types: Vec<(TypeKey, Vec<Implementation>)>,
}

impl Below {
    fn read(snapshot: &Snapshot, types: Vec<TypeKey>) -> Result<Self, QueryError> {
        let read = types.par_iter().with_min_len(N_TOGETHER);
        let read = read.map(|&key| Ok((key, snapshot.implementations(key)?)));
        Ok(Self {
            types: read.collect::<Result<_, QueryError>>()?,
        })
    }

    /// What a member overrides and implements, in its type or one below.
    fn of_member(&self, id: &str) -> Vec<(TypeKey, &Implementation)> {
        let all = self.types.iter();
        all.flat_map(|(ty, all)| all.iter().map(move |it| (*ty, it)))
            .filter(|(_, it)| *it.member == *id)
            .collect()
    }

    /// Adds what overrides and implements a member, and what overrides that.
    fn collect(
        &self,
        ids: &mut DocIds<'_>,
        id: &str,
        out: &mut BTreeSet<Relative>,
    ) -> Result<(), QueryError> {
        let mut by_of: FxHashMap<&str, Vec<(TypeKey, &Implementation)>> = FxHashMap::default();
        for (ty, all) in &self.types {
            for found in all {
                by_of.entry(&found.of).or_default().push((*ty, found));
            }
        }
        let mut seen: FxHashSet<&str> = FxHashSet::from_iter([id]);
        let mut todo: Vec<(u32, &str)> = vec![(0, id)];
        let mut at = 0;
        while at < todo.len() {
            let (depth, of) = todo[at];
            at += 1;
            for &(ty, found) in by_of.get(of).into_iter().flatten() {
                if !seen.insert(&found.member) {
                    continue;
                }
                out.insert(Relative {
                    depth: depth + 1,
                    relation: match found.how {
                        ImplementationKind::Override => FamilyRelation::Override,
                        ImplementationKind::Interface => FamilyRelation::Implementation,
                    },
                    doc_id: found.member.to_string(),
                    nearer: of.to_owned(),
                    target: declared(ids, ty, &found.member)?,
                    at: ty,
                });
                todo.push((depth + 1, &found.member));
            }
        }
        Ok(())
    }
}

/// The member of this id, declared by a type or by a base of it.
fn declared(ids: &mut DocIds<'_>, ty: TypeKey, id: &str) -> Result<Option<Target>, QueryError> {
    if let Some(tag) = ids.ty(ty)?.and_then(|own| own.tag_of(id)) {
        return Ok(Some(Target::Member(ty, tag)));
    }
    for base in supertypes(ids, ty)? {
        if let Some(tag) = ids.ty(base)?.and_then(|own| own.tag_of(id)) {
            return Ok(Some(Target::Member(base, tag)));
        }
    }
    Ok(None)
}
