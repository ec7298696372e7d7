//! What changed members override and implement, and what overrides and implements them.

use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::ViaRelation;

use std::{collections::BTreeSet, rc::Rc};

use cortex_index::{Implementation, ImplementationKind, MemberTag, Snapshot};
use cortex_model::{EdgeKind, EdgeKinds, TypeKey};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// So many types are read by one thread.
const N_TOGETHER: usize = 32;

/// What stands above and below changed members of one type.
#[derive(Default)]
pub(crate) struct Dispatch {
    /// What a member overrides or implements in this repository, directly or through others: the index of the
    /// member, then type and tag and id of what is above.
    pub(crate) above: Vec<(usize, TypeKey, MemberTag, String, ViaRelation)>,
    /// Ids of members that override or implement it.
    pub(crate) below: Vec<(usize, String)>,
}

/// Looks for what stands above and below `members` of a type, given by their ids. Reads what the type and all
/// types derived from it implement.
pub(crate) fn dispatch(
    ids: &mut DocIds<'_>,
    hierarchy: &mut Hierarchy,
    key: TypeKey,
    members: &FxHashMap<&str, usize>,
) -> Result<Dispatch, QueryError> {
    let mut out = Dispatch::default();
    let Hierarchy { bases, derived } = hierarchy;
    let (mut above, mut below) = (BTreeSet::new(), BTreeSet::new());
    let all = with_subtypes(ids, key)?;
    derived.read(ids.snapshot(), &all)?;
    for ty in all {
        // Most derived types have nothing to do with these members: their names are not read.
        for found in derived.of(ty) {
            if let Some(&at) = members.get(&*found.member) {
                let bases = bases.of(ids, ty)?;
                climb(ids, &bases, at, found, &mut above)?;
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

/// A contract with more types below it is the whole repository's: nobody looks at all that implement it.
const MAX_SUBTYPES: usize = 400;

/// Members that override or implement a member of a type, directly or through others, with their types; nothing
/// where very many types derive from it.
pub(crate) fn implementers(
    ids: &DocIds<'_>,
    hierarchy: &mut Hierarchy,
    key: TypeKey,
    id: &str,
) -> Result<Vec<(TypeKey, String)>, QueryError> {
    let all = with_subtypes(ids, key)?;
    if all.len() > MAX_SUBTYPES {
        return Ok(Vec::new());
    }
    let derived = &mut hierarchy.derived;
    derived.read(ids.snapshot(), &all)?;
    let mut names: BTreeSet<&str> = BTreeSet::from([id]);
    let mut found: BTreeSet<(TypeKey, &str)> = BTreeSet::new();
    // An override of an override may come before that.
    loop {
        let n_known = found.len();
        for &ty in &all {
            for it in derived.of(ty) {
                if names.contains(&*it.of) {
                    found.insert((ty, &it.member));
                    names.insert(&it.member);
                }
            }
        }
        if found.len() == n_known {
            break;
        }
    }
    let found = found.into_iter();
    Ok(found.map(|(ty, member)| (ty, member.to_owned())).collect())
}

type Above = BTreeSet<(usize, TypeKey, MemberTag, String, ViaRelation)>;

/// Adds what a member overrides or implements, and what that overrides.
fn climb(
    ids: &mut DocIds<'_>,
    bases: &[TypeKey],
    at: usize,
    first: &Implementation,
    above: &mut Above,
) -> Result<(), QueryError> {
    let mut todo = vec![(first.of.clone(), first.how)];
    while let Some((of, how)) = todo.pop() {
        for &base in bases {
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

/// What was read of bases and derived types, of one snapshot.
#[derive(Default)]
pub(crate) struct Hierarchy {
    bases: Bases,
    derived: Derived,
}

/// What types and their bases override and implement.
#[derive(Default)]
struct Derived(FxHashMap<TypeKey, Vec<Implementation>>);

impl Derived {
    /// Reads what is missing. `keys`: ascending, as the store keeps them.
    fn read(&mut self, snapshot: &Snapshot, keys: &[TypeKey]) -> Result<(), QueryError> {
        let missing = keys.iter().filter(|key| !self.0.contains_key(key));
        let missing: Vec<TypeKey> = missing.copied().collect();
        let read = missing.par_iter().with_min_len(N_TOGETHER);
        let read = read.map(|&key| Ok((key, snapshot.implementations(key)?)));
        let read = read.collect::<Result<Vec<_>, QueryError>>()?;
        self.0.extend(read);
        Ok(())
    }

    fn of(&self, key: TypeKey) -> &[Implementation] {
        self.0.get(&key).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The types of this repository that types derive from, themselves not counted.
#[derive(Default)]
struct Bases {
    direct: FxHashMap<TypeKey, Rc<[TypeKey]>>,
    all: FxHashMap<TypeKey, Rc<[TypeKey]>>,
}

impl Bases {
    /// All of one type, sorted.
    fn of(&mut self, ids: &mut DocIds<'_>, key: TypeKey) -> Result<Rc<[TypeKey]>, QueryError> {
        if let Some(known) = self.all.get(&key) {
            return Ok(known.clone());
        }
        let mut seen: BTreeSet<TypeKey> = BTreeSet::new();
        let mut todo = vec![key];
        while let Some(at) = todo.pop() {
            for &base in &*self.direct(ids, at)? {
                if seen.insert(base) {
                    todo.push(base);
                }
            }
        }
        seen.remove(&key);
        let found: Rc<[TypeKey]> = seen.into_iter().collect();
        self.all.insert(key, found.clone());
        Ok(found)
    }

    fn direct(&mut self, ids: &mut DocIds<'_>, key: TypeKey) -> Result<Rc<[TypeKey]>, QueryError> {
        if let Some(known) = self.direct.get(&key) {
            return Ok(known.clone());
        }
        let own = ids.ty(key)?;
        let edges = own.iter().flat_map(|own| &own.symbols.signature.source);
        let bases = edges.filter(|edge| {
            edge.kinds.contains(EdgeKind::Inherits) || edge.kinds.contains(EdgeKind::Implements)
        });
        let found: Rc<[TypeKey]> = bases.map(|edge| edge.target).collect();
        self.direct.insert(key, found.clone());
        Ok(found)
    }
}

/// A type and those that derive from it, by key.
fn with_subtypes(ids: &DocIds<'_>, key: TypeKey) -> Result<Vec<TypeKey>, QueryError> {
    let snapshot = ids.snapshot();
    let mut seen: BTreeSet<TypeKey> = BTreeSet::from([key]);
    let mut ring = vec![key];
    while !ring.is_empty() {
        let users = ring.par_iter().with_min_len(N_TOGETHER);
        let users = users.map(|&at| Ok(snapshot.dependents(at)?));
        let users = users.collect::<Result<Vec<_>, QueryError>>()?;
        let derives = |kinds: EdgeKinds| {
            kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
        };
        let users = users.into_iter().flatten();
        let derived = users.filter(|(_, kinds)| derives(*kinds));
        let new = derived.filter(|(user, _)| seen.insert(*user));
        ring = new.map(|(user, _)| user).collect();
        ring.sort_unstable();
    }
    Ok(seen.into_iter().collect())
}
