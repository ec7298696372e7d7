//! Who runs what changed through other members, step by step.
//!
//! Owns: the climb from members to those that use them, by name and by what they override and implement, and its
//! bounds. Must not know: what changed, what is looked for among the members.

use crate::{
    diff_context::compared::Compared,
    impact::{
        actions::{Users, names_what_runs},
        next::{Member, is_constructor},
        promises::promises,
        uses::{Objects, Want, Wanted, find},
    },
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;

use std::collections::{BTreeMap, BTreeSet};

use cortex_index::Snapshot;
use cortex_model::{EdgeKind, TypeKey};

/// So many steps are climbed.
const MAX_STEPS: usize = 4;

/// So many files are read.
const MAX_FILES: usize = 400;

/// What more members use is not followed: it says little about who runs what changed.
const MAX_USERS: usize = 8;

/// The same of constructors: whoever makes an object runs them, whatever else they are there for.
const MAX_CREATORS: usize = 40;

/// Where so few files name a contract of many types, these choose what runs.
const MAX_DISPATCHERS: usize = 3;

/// What is called through a contract of more types says little about which of them runs.
const MAX_BELOW: usize = 4;

/// A member that runs a changed one.
#[derive(Clone)]
pub(crate) struct Runs {
    pub(crate) member: Member,
    /// The objects on which it does.
    pub(crate) objects: Objects,
    /// The changed one, by index.
    pub(crate) symbol: usize,
}

/// The members above some others.
#[derive(Default)]
pub(crate) struct Above {
    /// Nearest first.
    pub(crate) members: Vec<Runs>,
    /// Who uses whom among these and those below them.
    pub(crate) users: Users,
    /// Whether the bounds ended the climb before it was done.
    pub(crate) is_cut: bool,
}

/// The product members that run some others, which are not among them. What more files use than are left to read, or
/// very many members, is passed over.
pub(crate) fn climb(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    from: &[Runs],
) -> Result<Above, QueryError> {
    let mut known: BTreeSet<Member> = from.iter().map(|it| it.member).collect();
    let mut out = Above::default();
    let mut n_left = MAX_FILES;
    let mut ring = from.to_vec();
    for _ in 0..MAX_STEPS {
        if ring.is_empty() {
            return Ok(out);
        }
        let (wanted, has_passed) = wanted(compared, ids, &ring, (&mut n_left, &mut out.users))?;
        let (next, has_left) = step(compared, ids, &ring, &wanted, (&mut known, &mut out.users))?;
        out.is_cut |= has_passed || has_left;
        ring = next;
        out.members.extend(ring.iter().cloned());
    }
    out.is_cut |= !ring.is_empty();
    Ok(out)
}

/// What is looked for to find the users of some members, and whether some are passed over. `users`: takes in that there are
/// some which are not followed.
fn wanted(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    ring: &[Runs],
    (n_left, users): (&mut usize, &mut Users),
) -> Result<(Wanted, bool), QueryError> {
    let mut out = Wanted::new();
    let mut is_cut = false;
    for (at, runs) in ring.iter().enumerate() {
        let (key, tag) = runs.member;
        let Some(id) = ids.of(key, Some(tag))? else {
            continue;
        };
        let named = Named {
            member: (key, tag),
            contracts: &contracts(compared, ids, key, &id)?,
            objects: &runs.objects,
            with_dispatchers: true,
        };
        let is_passed = !want_users(ids.snapshot(), &named, at, n_left, &mut out)?;
        is_cut |= is_passed;
        let mut contracts = named.contracts.iter();
        let is_open = |it: &Contract| it.says.is_wide();
        if is_passed || contracts.any(is_open) {
            users.entry(runs.member).or_default().insert(None);
        }
    }
    Ok((out, is_cut))
}

/// A member whose users are looked for.
pub(super) struct Named<'a> {
    pub(super) member: Member,
    /// What it overrides and implements.
    pub(super) contracts: &'a [Contract],
    /// The objects on which it leads to what changed: users of others are none.
    pub(super) objects: &'a Objects,
    /// Whether the few places that call one of many implementations count as users of each.
    pub(super) with_dispatchers: bool,
}

/// Adds what is looked for to find the users of a member, by its own name and through what it overrides and implements.
/// `symbol`: what the wants are about. `n_left`: how many files may still be read; `false` where these would be more.
pub(super) fn want_users(
    snapshot: &Snapshot,
    of: &Named<'_>,
    symbol: usize,
    n_left: &mut usize,
    out: &mut Wanted,
) -> Result<bool, QueryError> {
    let (key, tag) = of.member;
    let mut named: Vec<(Member, bool)> = vec![((key, tag), false)];
    let contracts = of.contracts.iter();
    let contracts = contracts.filter(|it| match it.says {
        SaysWhatRuns::AnyOfFew | SaysWhatRuns::ByTypes => true,
        SaysWhatRuns::OneOfMany => of.with_dispatchers,
        SaysWhatRuns::Nothing => false,
    });
    named.extend(contracts.map(|it| (it.member, it.says == SaysWhatRuns::ByTypes)));
    let mut n_files = 0;
    for &((key, tag), _) in &named {
        n_files += snapshot.referrers(key, Some(&[tag]))?.len();
    }
    let Some(left) = n_left.checked_sub(n_files) else {
        return Ok(false);
    };
    *n_left = left;
    let objects: Vec<Option<TypeKey>> = match of.objects {
        Objects::Any => vec![None],
        Objects::Of(types) => types.iter().copied().map(Some).collect(),
    };
    for ((named, of_named), is_wide) in named {
        let wants = objects.iter().map(|&on| Want {
            runs: (named != key).then_some(on.unwrap_or(key)),
            on,
            narrow: is_wide.then_some(named),
            ..Want::of(Some(of_named), symbol)
        });
        out.entry(named).or_default().extend(wants);
    }
    Ok(true)
}

/// How much a call of a contract says of which implementation runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SaysWhatRuns {
    /// Few types of the product implement it.
    AnyOfFew,
    /// Many do, and the types that it is constructed with tell them apart.
    ByTypes,
    /// Many do, and few files call it: that is what they are there for.
    OneOfMany,
    /// Many do.
    Nothing,
}

impl SaysWhatRuns {
    /// Whether a call says nothing of which of many types runs.
    pub(super) fn is_wide(self) -> bool {
        matches!(self, Self::OneOfMany | Self::Nothing)
    }
}

/// A member that another one overrides or implements.
pub(super) struct Contract {
    pub(super) member: Member,
    pub(super) says: SaysWhatRuns,
}

/// The members that one overrides and implements. `id`: its documentation id.
pub(super) fn contracts(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    key: TypeKey,
    id: &str,
) -> Result<Vec<Contract>, QueryError> {
    let snapshot: &Snapshot = ids.snapshot();
    let promises = promises(ids, key, &[id])?.into_iter();
    let contracts = promises.map(|(_, promise)| {
        let says = match says_what_runs(compared, snapshot, promise.ty)? {
            true => SaysWhatRuns::AnyOfFew,
            false => {
                let header = snapshot.type_header(promise.ty)?;
                let is_generic = header.is_some_and(|it| it.fqn.contains('`'));
                let named = |tag| snapshot.referrers(promise.ty, Some(&[tag]));
                match is_generic {
                    true => SaysWhatRuns::ByTypes,
                    false if named(promise.tag)?.len() <= MAX_DISPATCHERS => {
                        SaysWhatRuns::OneOfMany
                    }
                    false => SaysWhatRuns::Nothing,
                }
            }
        };
        let member = (promise.ty, promise.tag);
        Ok(Contract { member, says })
    });
    contracts.collect()
}

/// Whether few types of the product derive from one or implement it, so that a call of its members may well be one of any
/// of them.
pub(super) fn says_what_runs(
    compared: &Compared,
    snapshot: &Snapshot,
    contract: TypeKey,
) -> Result<bool, QueryError> {
    let mut n_below = 0;
    for (below, kinds) in snapshot.dependents(contract)? {
        let is_below = kinds.contains(EdgeKind::Inherits) || kinds.contains(EdgeKind::Implements);
        if !is_below {
            continue;
        }
        let header = snapshot.type_header(below)?;
        n_below += usize::from(header.is_some_and(|it| !compared.is_of_tests(&it.project)));
        if n_below > MAX_BELOW {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The product members around the uses of what is wanted that are not known yet, by member, and whether members with
/// too many of them were left. `ring`: what the wants are about.
fn step(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    ring: &[Runs],
    wanted: &Wanted,
    (known, users_of): (&mut BTreeSet<Member>, &mut Users),
) -> Result<(Vec<Runs>, bool), QueryError> {
    let mut places = find(ids.snapshot(), wanted)?;
    places.retain_runnable(compared, ids)?;
    let mut users: BTreeMap<usize, BTreeMap<Member, Objects>> = BTreeMap::new();
    for place in &places.found {
        let project = &places.files[place.file as usize].projects[place.project as usize];
        if compared.is_of_tests(project) || !names_what_runs(place.role) {
            continue;
        }
        if let Some((key, Some(tag))) = place.inside {
            let of_member = users.entry(place.want.symbol).or_default();
            let objects = Objects::at(place);
            let objects = match of_member.remove(&(key, tag)) {
                Some(known) => known.or(objects),
                None => objects,
            };
            of_member.insert((key, tag), objects);
        } else {
            // Statements of no member run it.
            let ring = ring[place.want.symbol].member;
            users_of.entry(ring).or_default().insert(None);
        }
    }
    let mut has_left = false;
    let mut out = Vec::new();
    for (at, of_member) in users {
        let (key, tag) = ring[at].member;
        let id = ids.of(key, Some(tag))?;
        let most = match id.is_some_and(|id| is_constructor(&id)) {
            true => MAX_CREATORS,
            false => MAX_USERS,
        };
        if of_member.len() > most {
            has_left = true;
            users_of.entry((key, tag)).or_default().insert(None);
            continue;
        }
        let all = of_member.keys().map(|user| Some(*user));
        users_of.entry(ring[at].member).or_default().extend(all);
        let new = of_member.into_iter();
        let new = new.filter(|(member, _)| known.insert(*member));
        out.extend(new.map(|(member, objects)| Runs {
            member,
            objects,
            symbol: ring[at].symbol,
        }));
    }
    Ok((out, has_left))
}
