//! Members that implement or override what changed ones do, and did not change.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use cortex_derived::doc_ids::DocIds;
use cortex_index::Snapshot;
use cortex_look::QueryError;
use cortex_model::TypeKey;
use cortex_wire::{MemberChangeKind, NamedRoutine};
use rustc_hash::FxHashSet;

use crate::{
    database::behind::Files,
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        dispatch::{Hierarchy, implementers},
        next::Member,
        procedures::{MemberStrings, Naming, Procedures, unchanged_routines},
        promises::promises,
        symbols::ChangedSymbol,
    },
};

/// A member that implements or overrides something; tests last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Sibling {
    pub(crate) is_test: bool,
    /// Its documentation id.
    pub(crate) id: String,
    ty: TypeKey,
}

impl Sibling {
    /// The routines of a database that it names and that did not change; nothing of tests. Reads the files of its type where
    /// there are files of SQL.
    pub(super) fn routines(
        &self,
        ids: &mut DocIds<'_>,
        files: Files<'_>,
        strings: &mut MemberStrings<'_>,
    ) -> Result<Vec<NamedRoutine>, QueryError> {
        if self.is_test || files.is_empty()? {
            return Ok(Vec::new());
        }
        let header = ids.snapshot().type_header(self.ty)?;
        let owner = header.map_or_else(String::new, |header| header.fqn);
        unchanged_routines(ids, (self.ty, &self.id, &owner), files, strings)
    }
}

/// The siblings of changed members by index, product before tests. `contracts`: the changed member
/// by index, and what it overrides or implements.
///
/// Implementations of other constructions of a generic type (`IQuery<int>` and `IQuery<string>`) are none, nor are those
/// that name a stored procedure which changed as well: what these do changed without them.
pub(crate) fn siblings(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    hierarchy: &mut Hierarchy,
    contracts: &[(usize, TypeKey, String)],
    symbols: &[ChangedSymbol],
    source: BlobSource<'_>,
) -> Result<BTreeMap<usize, Vec<Sibling>>, QueryError> {
    let snapshot = ids.snapshot();
    let procedures = Procedures::of(compared, source)?;
    let mut strings = MemberStrings::new(compared, source);
    let changed: FxHashSet<&str> = symbols.iter().map(|symbol| symbol.id.as_str()).collect();
    let mut known: BTreeMap<(TypeKey, &str), Vec<Sibling>> = BTreeMap::new();
    let mut out: BTreeMap<usize, BTreeSet<Sibling>> = BTreeMap::new();
    for (at, base, to) in contracts {
        let symbol = &symbols[*at];
        if matches!(
            symbol.change,
            MemberChangeKind::Added | MemberChangeKind::Removed | MemberChangeKind::Registered
        ) {
            continue;
        }
        let found = match known.entry((*base, to.as_str())) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let mut all = Vec::new();
                for (ty, id) in implementers(ids, hierarchy, *base, to)? {
                    let is_changed = changed.contains(id.as_str())
                        || procedures.are_named_in(&mut strings, ids, (ty, &id))?;
                    if !is_changed {
                        let header = snapshot.type_header(ty)?;
                        let is_test = header.is_some_and(|it| compared.is_of_tests(&it.project));
                        all.push(Sibling { is_test, id, ty });
                    }
                }
                entry.insert(all)
            }
        };
        let constructions = Constructions::new(snapshot, *base, symbol.key)?;
        let of_symbol = out.entry(*at).or_default();
        for sibling in found {
            if constructions.may_be_of(snapshot, sibling.ty)? {
                of_symbol.insert(sibling.clone());
            }
        }
    }
    let is_above = |at: usize, id: &str| contracts.iter().any(|it| it.0 == at && it.2 == id);
    let siblings = |(at, all): (usize, BTreeSet<Sibling>)| {
        let all = all.into_iter();
        (at, all.filter(|it| !is_above(at, &it.id)).collect())
    };
    Ok(out.into_iter().map(siblings).collect())
}

/// Adds to the strings that name changed routines the members that override or implement what the members around these do
/// and did not change: they may do the same by other means. `changed`: documentation ids.
pub(crate) fn tell_beside_routines(
    named: &mut [Naming],
    compared: &Compared,
    changed: &FxHashSet<&str>,
    source: BlobSource<'_>,
) -> Result<(), QueryError> {
    if named.is_empty() {
        return Ok(());
    }
    let snapshot = &compared.new;
    let mut ids = DocIds::new(snapshot);
    let mut hierarchy = Hierarchy::default();
    let procedures = Procedures::of(compared, source)?;
    let mut strings = MemberStrings::new(compared, source);
    // One string may name many routines by their ends.
    let mut known: BTreeMap<Member, Vec<String>> = BTreeMap::new();
    for naming in named {
        let (Some(inside), Some(member)) = (&naming.told.inside, naming.member) else {
            continue;
        };
        if let Some(siblings) = known.get(&member) {
            naming.told.siblings.clone_from(siblings);
            continue;
        }
        let mut siblings = BTreeSet::new();
        for (_, promise) in promises(&mut ids, member.0, &[inside])? {
            let constructions = Constructions::new(snapshot, promise.ty, member.0)?;
            let Some(of) = ids.of(promise.ty, Some(promise.tag))? else {
                continue;
            };
            for (ty, id) in implementers(&ids, &mut hierarchy, promise.ty, &of)? {
                let header = snapshot.type_header(ty)?;
                let is_product = header.is_some_and(|it| !compared.is_of_tests(&it.project));
                if id != *inside
                    && is_product
                    && !changed.contains(id.as_str())
                    && constructions.may_be_of(snapshot, ty)?
                    && !procedures.are_named_in(&mut strings, &mut ids, (ty, &id))?
                {
                    siblings.insert(id);
                }
            }
        }
        naming.told.siblings = Vec::from_iter(siblings);
        known.insert(member, naming.told.siblings.clone());
    }
    Ok(())
}

/// The constructions of a generic type that another one and its bases name as bases.
struct Constructions {
    /// The generic type without its arity; `None` where constructions decide nothing.
    name: Option<String>,
    named: BTreeSet<String>,
}

impl Constructions {
    fn new(snapshot: &Snapshot, base: TypeKey, ty: TypeKey) -> Result<Self, QueryError> {
        let base = snapshot.type_header(base)?;
        let name = base.and_then(|base| {
            let (name, arity) = base.fqn.split_once('`')?;
            arity.parse::<u32>().ok().map(|_| name.to_owned())
        });
        let mut out = Self {
            name,
            named: BTreeSet::new(),
        };
        out.named = out.of(snapshot, ty)?;
        Ok(out)
    }

    /// Whether another type may have one of the same constructions as its base.
    fn may_be_of(&self, snapshot: &Snapshot, ty: TypeKey) -> Result<bool, QueryError> {
        if self.named.is_empty() {
            return Ok(true);
        }
        let named = self.of(snapshot, ty)?;
        Ok(named.is_empty() || !named.is_disjoint(&self.named))
    }

    /// Those of a type and of all its bases; of types with type parameters none, which may be constructed as any.
    fn of(&self, snapshot: &Snapshot, ty: TypeKey) -> Result<BTreeSet<String>, QueryError> {
        let mut out = BTreeSet::new();
        let Some(name) = self.name.as_deref() else {
            return Ok(out);
        };
        let mut seen: BTreeSet<TypeKey> = BTreeSet::from([ty]);
        let mut todo = vec![ty];
        while let Some(at) = todo.pop() {
            let Some(header) = snapshot.type_header(at)? else {
                continue;
            };
            if !header.fqn.contains('`') {
                let bases = header.base_list.iter().map(ToString::to_string);
                out.extend(bases.filter(|base| base.split('<').next() == Some(name)));
            }
            let bases = header.bases.into_iter();
            todo.extend(bases.filter(|base| seen.insert(*base)));
        }
        Ok(out)
    }
}
