//! What changed members override and implement, and what overrides and implements them.

use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::ViaRelation;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use cortex_index::{Implementation, ImplementationKind, MemberTag, Snapshot};
use cortex_model::{EdgeKind, EdgeKinds, TypeKey};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

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
    derived.cover(ids.snapshot(), key)?;
    let has_twin = has_twin(ids.snapshot(), key)?;
    // Most derived types have nothing to do with these members: only what names one is looked at.
    let members: BTreeMap<&str, usize> = members.iter().map(|(id, at)| (*id, *at)).collect();
    for (id, at) in members {
        for (ty, found) in derived.that_have(id) {
            if !has_twin || bases.is_below(ids, *ty, key)? {
                let bases = bases.of(ids, *ty)?;
                climb(ids, &bases, at, found, &mut above)?;
            }
        }
        for (ty, found) in derived.that_are_for(id) {
            if !has_twin || bases.is_below(ids, *ty, key)? {
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
    let Some(all) = few_subtypes(ids.snapshot(), key)? else {
        return Ok(Vec::new());
    };
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

impl Hierarchy {
    /// Whether a type is another one or derives from it.
    pub(crate) fn is_below(
        &mut self,
        ids: &mut DocIds<'_>,
        ty: TypeKey,
        key: TypeKey,
    ) -> Result<bool, QueryError> {
        self.bases.is_below(ids, ty, key)
    }
}

/// What types override and implement.
#[derive(Default)]
struct Derived {
    by_type: FxHashMap<TypeKey, Vec<Implementation>>,
    // Types that were read with all that derive from them.
    covered: FxHashSet<TypeKey>,
    // Of covered types: what they override and implement, by the ids of their own members and of what these are for.
    by_member: FxHashMap<Box<str>, Vec<(TypeKey, Implementation)>>,
    by_contract: FxHashMap<Box<str>, Vec<(TypeKey, Implementation)>>,
}

impl Derived {
    /// Reads what is missing. `keys`: ascending, as the store keeps them.
    fn read(&mut self, snapshot: &Snapshot, keys: &[TypeKey]) -> Result<(), QueryError> {
        let missing = keys.iter().filter(|key| !self.by_type.contains_key(key));
        let missing: Vec<TypeKey> = missing.copied().collect();
        let read = missing.par_iter().with_min_len(N_TOGETHER);
        let read = read.map(|&key| Ok((key, snapshot.implementations(key)?)));
        let read = read.collect::<Result<Vec<_>, QueryError>>()?;
        self.by_type.extend(read);
        Ok(())
    }

    fn of(&self, key: TypeKey) -> &[Implementation] {
        self.by_type
            .get(&key)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Reads a type and all that derive from it. O(types that were not read with an earlier one).
    fn cover(&mut self, snapshot: &Snapshot, key: TypeKey) -> Result<(), QueryError> {
        let mut ring = Vec::from_iter(self.covered.insert(key).then_some(key));
        while !ring.is_empty() {
            self.read(snapshot, &ring)?;
            for &ty in &ring {
                for found in self.by_type.get(&ty).into_iter().flatten() {
                    let member = self.by_member.entry(found.member.clone()).or_default();
                    member.push((ty, found.clone()));
                    let contract = self.by_contract.entry(found.of.clone()).or_default();
                    contract.push((ty, found.clone()));
                }
            }
            ring = subtypes_of(snapshot, &ring)?;
            ring.retain(|ty| self.covered.insert(*ty));
        }
        Ok(())
    }

    /// What covered types override or implement with a member.
    fn that_have(&self, id: &str) -> &[(TypeKey, Implementation)] {
        self.by_member
            .get(id)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// What of covered types overrides or implements a member.
    fn that_are_for(&self, id: &str) -> &[(TypeKey, Implementation)] {
        self.by_contract
            .get(id)
            .map(Vec::as_slice)
            .unwrap_or_default()
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

    /// Whether a type is another one or derives from it.
    fn is_below(
        &mut self,
        ids: &mut DocIds<'_>,
        ty: TypeKey,
        key: TypeKey,
    ) -> Result<bool, QueryError> {
        let mut seen: FxHashSet<TypeKey> = FxHashSet::from_iter([ty]);
        let mut todo = vec![ty];
        while let Some(at) = todo.pop() {
            if at == key {
                return Ok(true);
            }
            let direct = self.direct(ids, at)?;
            todo.extend(direct.iter().copied().filter(|base| seen.insert(*base)));
        }
        Ok(false)
    }

    fn direct(&mut self, ids: &mut DocIds<'_>, key: TypeKey) -> Result<Rc<[TypeKey]>, QueryError> {
        if let Some(known) = self.direct.get(&key) {
            return Ok(known.clone());
        }
        // The edges of bases lead to their type arguments as well.
        let header = ids.snapshot().type_header(key)?;
        let found: Rc<[TypeKey]> = header.map(|it| it.bases).unwrap_or_default().into();
        self.direct.insert(key, found.clone());
        Ok(found)
    }
}

/// A type and those that derive from it, by key; `None` where these are very many.
pub(super) fn few_subtypes(
    snapshot: &Snapshot,
    key: TypeKey,
) -> Result<Option<Vec<TypeKey>>, QueryError> {
    let mut seen: BTreeSet<TypeKey> = BTreeSet::from([key]);
    let mut ring = vec![key];
    while !ring.is_empty() {
        ring = subtypes_of(snapshot, &ring)?;
        ring.retain(|ty| seen.insert(*ty));
        if seen.len() > MAX_SUBTYPES {
            return Ok(None);
        }
    }
    Ok(Some(seen.into_iter().collect()))
}

/// Whether a type of another project has the same name, so that its members have the same ids.
fn has_twin(snapshot: &Snapshot, key: TypeKey) -> Result<bool, QueryError> {
    let Some(header) = snapshot.type_header(key)? else {
        return Ok(false);
    };
    let name = header.fqn.rsplit(['.', '+']).next().unwrap_or_default();
    let name = name.split('`').next().unwrap_or_default();
    let same = snapshot.types_named(name)?;
    Ok(same.iter().any(|it| it.key != key && it.fqn == header.fqn))
}

/// The types that derive from some types directly, by key.
fn subtypes_of(snapshot: &Snapshot, keys: &[TypeKey]) -> Result<Vec<TypeKey>, QueryError> {
    let users = keys.par_iter().with_min_len(N_TOGETHER);
    let users = users.map(|&at| Ok(snapshot.dependents(at)?));
    let users = users.collect::<Result<Vec<_>, QueryError>>()?;
    let derives = |kinds: EdgeKinds| {
        kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements)
    };
    let derived = (users.into_iter().flatten()).filter(|(_, kinds)| derives(*kinds));
    let mut derived: Vec<TypeKey> = derived.map(|(user, _)| user).collect();
    derived.sort_unstable();
    derived.dedup();
    Ok(derived)
}
