//! Who uses the members that use what changed: the next ring, member by member.
//!
//! Must not know: what changed.

use crate::{
    diff_context::compared::Compared,
    impact::{
        actions::names_what_runs,
        climb::{Contract, Named, SaysWhatRuns, contracts, want_users},
        uses::{Objects, Want, Wanted, find},
    },
};
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_wire::{NextUser, Role};

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use cortex_index::{MemberTag, Snapshot};
use cortex_model::TypeKey;

/// So many direct users are followed.
const MAX_FOLLOWED: usize = 64;

/// So many files are read for them.
const MAX_FILES: usize = 400;

/// A member by its type and tag.
pub(crate) type Member = (TypeKey, MemberTag);

/// A member that uses what changed, on some objects.
pub(crate) type User = (Member, Objects);

/// More members that call a contract of many types say little of one implementation.
const MAX_CALLERS: usize = 6;

/// So many overloads that call each other are followed one behind the other.
const MAX_OVERLOADS: usize = 4;

/// While so few users were found, who uses these is looked for as well, in so many rings.
const MAX_FEW: usize = 12;
const MAX_RINGS: usize = 4;

/// The product members that use some others, by how often, then by name; while these are few, behind them those that use
/// these, ring by ring. `direct`: the members that are followed, the most important first; those that very much uses are
/// passed over. `known`: members that need not be told.
///
/// Whoever calls a member through another overload of its name calls the member: users of such an overload are told
/// with it. So are those of constructors of derived types, which call those of the base.
pub(crate) fn next_users(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    direct: &[User],
    known: &BTreeSet<Member>,
) -> Result<Vec<NextUser>, QueryError> {
    let mut walk = Walk {
        compared,
        known: known.clone(),
        n_left: MAX_FILES,
        found: Vec::new(),
    };
    let mut ring: Vec<User> = direct.iter().take(MAX_FOLLOWED).cloned().collect();
    let mut users: Vec<User> = Vec::new();
    for _ in 0..MAX_OVERLOADS {
        if ring.is_empty() {
            break;
        }
        let found = walk.step(ids, &ring)?;
        ring = found.overloads;
        users.extend(found.others);
    }
    let mut out = in_order(std::mem::take(&mut walk.found));
    for _ in 0..MAX_RINGS {
        if out.len() > MAX_FEW || users.is_empty() {
            break;
        }
        walk.known.extend(users.iter().map(|(member, _)| *member));
        let found = walk.step(ids, &users)?;
        users = found.overloads.into_iter().chain(found.others).collect();
        out.extend(in_order(std::mem::take(&mut walk.found)));
    }
    Ok(out)
}

/// By how often they use something, then by name. A file that several projects compile has each of its members once for
/// each.
fn in_order(mut users: Vec<NextUser>) -> Vec<NextUser> {
    users.sort_by(|a, b| (b.n_uses, &a.id, &a.through).cmp(&(a.n_uses, &b.id, &b.through)));
    users.dedup_by(|a, b| (&a.id, &a.through) == (&b.id, &b.through));
    users
}

/// What a member uses something on, and where: files, their projects and offsets.
type Users = (Objects, BTreeSet<(u32, u16, u32)>);

/// The users of some members.
struct Step {
    /// Those that are overloads of what they use.
    overloads: Vec<User>,
    others: Vec<User>,
}

struct Walk<'c> {
    compared: &'c Compared,
    /// Members that are told already, or were followed.
    known: BTreeSet<Member>,
    /// How many files may still be read.
    n_left: usize,
    found: Vec<NextUser>,
}

impl Walk<'_> {
    /// Finds the users of some members.
    fn step(&mut self, ids: &mut DocIds<'_>, members: &[User]) -> Result<Step, QueryError> {
        let snapshot: &Snapshot = ids.snapshot();
        let mut followed: Vec<(Member, String)> = Vec::new();
        let mut open: Vec<(Contract, usize)> = Vec::new();
        let mut wanted = Wanted::new();
        for ((key, tag), objects) in members {
            let (key, tag) = (*key, *tag);
            let Some(id) = ids.of(key, Some(tag))? else {
                continue;
            };
            let symbol = followed.len();
            let contracts = contracts(self.compared, ids, key, &id)?;
            let named = Named {
                member: (key, tag),
                contracts: &contracts,
                objects,
                with_dispatchers: false,
            };
            if !want_users(snapshot, &named, symbol, &mut self.n_left, &mut wanted)? {
                continue;
            }
            followed.push(((key, tag), id));
            let wide = contracts.into_iter();
            let wide = wide.filter(|it| it.says.is_wide());
            open.extend(wide.map(|it| (it, symbol)));
        }
        let mut places = find(snapshot, &wanted)?;
        places.retain_runnable(self.compared, ids)?;
        let mut found: BTreeMap<(usize, Member), Users> = BTreeMap::new();
        for place in &places.found {
            let project = &places.files[place.file as usize].projects[place.project as usize];
            let Some((key, Some(tag))) = place.inside else {
                continue;
            };
            let followed = followed[place.want.symbol].0;
            if !names_what_runs(place.role) {
                continue;
            }
            let is_told = self.known.contains(&(key, tag)) || followed == (key, tag);
            if !is_told && !self.compared.is_of_tests(project) {
                let at = (place.file, place.project, place.offset);
                let objects = Objects::at(place);
                match found.entry((place.want.symbol, (key, tag))) {
                    Entry::Vacant(entry) => _ = entry.insert((objects, BTreeSet::from([at]))),
                    Entry::Occupied(mut entry) => {
                        let (known, places) = entry.get_mut();
                        *known = std::mem::replace(known, Objects::Any).or(objects);
                        places.insert(at);
                    }
                }
            }
        }
        let (mut overloads, mut others) = (Vec::new(), Vec::new());
        for ((at, user), (objects, places)) in found {
            let Some(id) = ids.of(user.0, Some(user.1))? else {
                continue;
            };
            let (member, through) = &followed[at];
            let is_overload = user.0 == member.0 && name(&id) == name(through);
            if !is_overload && !is_base_call(snapshot, (user.0, &id), (member.0, through))? {
                others.push((user, objects));
            } else if self.known.insert(user) {
                overloads.push((user, objects));
            }
            self.found.push(NextUser {
                id,
                through: through.clone(),
                n_uses: places.len(),
                contract: None,
            });
        }
        let dispatchers = self.callers_of_contracts(ids, &open, &followed)?;
        others.extend(dispatchers.into_iter().map(|it| (it, Objects::Any)));
        Ok(Step { overloads, others })
    }

    /// Finds the product members that call contracts which say nothing of what runs, where these are few, and gives those
    /// that choose what runs. `open`: each with what implements it, an index into `followed`.
    fn callers_of_contracts(
        &mut self,
        ids: &mut DocIds<'_>,
        open: &[(Contract, usize)],
        followed: &[(Member, String)],
    ) -> Result<Vec<Member>, QueryError> {
        let snapshot: &Snapshot = ids.snapshot();
        let mut asked: Vec<(&Contract, &str)> = Vec::new();
        let mut wanted = Wanted::new();
        for (contract, by) in open {
            let (key, tag) = contract.member;
            let n_files = snapshot.referrers(key, Some(&[tag]))?.len();
            if n_files <= self.n_left {
                self.n_left -= n_files;
                let want = Want::of(Some(tag), asked.len());
                wanted.entry(key).or_default().push(want);
                asked.push((contract, &followed[*by].1));
            }
        }
        let places = find(snapshot, &wanted)?;
        let mut callers: Vec<BTreeMap<Member, usize>> = vec![BTreeMap::new(); asked.len()];
        for place in &places.found {
            let project = &places.files[place.file as usize].projects[place.project as usize];
            let Some((key, Some(tag))) = place.inside else {
                continue;
            };
            let is_known = self.known.contains(&(key, tag));
            if place.role == Role::Call && !is_known && !self.compared.is_of_tests(project) {
                *(callers[place.want.symbol].entry((key, tag))).or_default() += 1;
            }
        }
        let mut dispatchers = Vec::new();
        for ((contract, through), callers) in asked.into_iter().zip(callers) {
            if callers.len() > MAX_CALLERS {
                continue;
            }
            if contract.says == SaysWhatRuns::OneOfMany {
                dispatchers.extend(callers.keys().copied());
            }
            let (key, tag) = contract.member;
            let contract = ids.of(key, Some(tag))?;
            for (caller, n_uses) in callers {
                self.found
                    .extend(ids.of(caller.0, Some(caller.1))?.map(|id| NextUser {
                        id,
                        through: through.to_owned(),
                        n_uses,
                        contract: contract.clone(),
                    }));
            }
        }
        Ok(dispatchers)
    }
}

/// Whether a constructor uses one of the base of its type: all objects of the type run that.
fn is_base_call(
    snapshot: &Snapshot,
    (of, user): (TypeKey, &str),
    (base, used): (TypeKey, &str),
) -> Result<bool, QueryError> {
    let are_constructors = [user, used].iter().all(|id| is_constructor(id));
    Ok(are_constructors && (snapshot.type_node(of)?).is_some_and(|it| it.bases.contains(&base)))
}

/// Whether a documentation id is that of a constructor.
pub(super) fn is_constructor(id: &str) -> bool {
    name(id).ends_with(".#ctor")
}

/// A documentation id without what tells overloads apart.
fn name(id: &str) -> &str {
    let id = id.split(['(', '~']).next().unwrap_or(id);
    id.split("``").next().unwrap_or(id)
}
