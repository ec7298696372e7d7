//! Unchanged code of the product that does what changed code does: it names the same members of the repository, and may
//! have to take along what that newly does.
//!
//! Owns: what counts as the same. Must not know: who calls the changed code.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_index::MemberDetails;
use cortex_look::QueryError;
use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKey};
use cortex_wire::Counterpart;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    climb::says_what_runs,
    declared::simple_name,
    dispatch::{Hierarchy, implementers},
    file_lines::FileLines,
    names::{ChangedNames, Name},
    next::Member,
    promises::promises,
    symbols::{ChangedSymbol, changed_members},
    uses::{Found, Places, Want, Wanted, find},
};
use crate::{
    contracts::is_written,
    diff_context::{blobs::Reader, compared::Compared},
};

/// So many lines apart, two names belong to one step.
const MAX_APART: u32 = 8;

/// What more files name than this says little of one change: what stays beside a new step, and the step.
const MAX_FILES: usize = 24;
const MAX_FILES_OF_STEP: usize = 60;

/// The same of what is asked before a step: much code asks it for other reasons.
const MAX_FILES_OF_GUARD: usize = 200;

/// So many names are looked at, and so many of them looked for.
const MAX_LOOKED_AT: usize = 600;
const MAX_ASKED: usize = 160;

/// More members without a step may well do without it: where several changed members got it, and where one did.
const MAX_WITHOUT: usize = 8;
const MAX_WITHOUT_ONE: usize = 3;

/// What so few members name goes with a step that one of them got.
const FEW: usize = 4;

/// What more members call than this says nothing of two that call it.
const MAX_CALLERS: usize = 10;

/// Two members do alike where what both call is called by so few: the sum of one part of the callers of each.
const MIN_ALIKE: f64 = 0.34;

/// The same of two types, of which so many members are called by both.
const MIN_OF_TYPE: usize = 3;
const MIN_ALIKE_TYPES: f64 = 1.0;

/// So many members that do as one new one does are told.
const MAX_ALIKE: usize = 3;

/// So many of each kind are told.
const MAX_TOLD: usize = 3;

/// A step that changed code newly takes, and what it takes it beside: both are members that it names.
type Step = (Member, Member);

/// Finds the code that lacks what changed code newly does beside the same, then the code that calls what new code calls
/// together. Of both the closest ones. Reads the bindings of the files that name such members.
pub(super) fn counterparts(
    compared: &Compared,
    names: &ChangedNames,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<Counterpart>, QueryError> {
    let mut changes = Changes::of(names, symbols);
    changes.leave_out_overloads(compared, names)?;
    let steps = changes.steps();
    let mut ids = DocIds::new(&compared.new);
    let same = Same::of(compared, &mut ids, &changes, &steps)?;
    let asked = asked(compared, &mut ids, &changes, (&steps, &same))?;
    let mut wanted = Wanted::new();
    for (at, ((key, tag), _)) in asked.iter().enumerate() {
        let want = Want::of(Some(*tag), at);
        wanted.entry(*key).or_default().push(want);
    }
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let places = find(&compared.new, &wanted)?;
    let users = Users::of(compared, &asked, &places, same);
    let mut tell = Teller {
        ids,
        places: &places,
        lines: FileLines::default(),
        reader,
    };
    let mut out = Vec::new();
    for lacking in without_step(&changes, &steps, &users) {
        out.push(tell.counterpart(lacking)?);
    }
    let alike = alike(&changes, &users);
    let known: BTreeSet<TypeKey> = alike.iter().flat_map(Draft::types).collect();
    let mut of_types = alike_types(&changes, &users);
    of_types.retain(|it| it.types().all(|ty| !known.contains(&ty)));
    for alike in alike.into_iter().chain(of_types) {
        out.push(tell.counterpart(alike)?);
    }
    Ok(out)
}

/// What changed members of the product name.
struct Changes<'n> {
    members: BTreeMap<Member, Changed<'n>>,
}

/// What a changed member names.
#[derive(Default)]
struct Changed<'n> {
    /// What it names newly, on changed lines.
    fresh: Vec<&'n Name>,
    /// What it named before and names still.
    kept: Vec<&'n Name>,
}

impl<'n> Changes<'n> {
    fn of(names: &'n ChangedNames, symbols: &[ChangedSymbol]) -> Self {
        let before = names.before();
        let told = changed_members(symbols);
        let mut members: BTreeMap<Member, Changed<'_>> = BTreeMap::new();
        for name in names.new.iter().filter(|it| told.contains(&it.by)) {
            let changed = members.entry(name.by).or_default();
            match before.contains(&(name.by, name.what)) {
                true => changed.kept.push(name),
                false if name.is_changed && !name.is_written => changed.fresh.push(name),
                false => {}
            }
        }
        Self { members }
    }

    /// Takes no overload of what a member named before for something new.
    fn leave_out_overloads(
        &mut self,
        compared: &Compared,
        names: &ChangedNames,
    ) -> Result<(), QueryError> {
        let fresh = self.members.values().flat_map(|it| &it.fresh);
        let types: FxHashSet<TypeKey> = fresh.map(|it| it.what.0).collect();
        let [mut old, mut new] = [&compared.old, &compared.new].map(DocIds::new);
        let mut before: FxHashSet<(Member, TypeKey, String)> = FxHashSet::default();
        for name in names.old.iter().filter(|it| types.contains(&it.what.0)) {
            if let Some(simple) = simple_name(&mut old, name.what)? {
                before.insert((name.by, name.what.0, simple));
            }
        }
        for (by, changed) in &mut self.members {
            let mut left = Vec::new();
            for name in &changed.fresh {
                let simple = simple_name(&mut new, name.what)?;
                let known = simple.map(|simple| (*by, name.what.0, simple));
                if !known.is_some_and(|it| before.contains(&it)) {
                    left.push(*name);
                }
            }
            changed.fresh = left;
        }
        Ok(())
    }

    /// What is newly named beside what was there, with the members that do so.
    fn steps(&self) -> BTreeMap<Step, BTreeSet<Member>> {
        let mut out: BTreeMap<Step, BTreeSet<Member>> = BTreeMap::new();
        for (&by, changed) in &self.members {
            for fresh in &changed.fresh {
                let is_near = |kept: &&&Name| kept.line.abs_diff(fresh.line) <= MAX_APART;
                for kept in changed.kept.iter().filter(is_near) {
                    out.entry((fresh.what, kept.what)).or_default().insert(by);
                }
            }
        }
        out
    }
}

/// The members of contracts that changed members and steps implement, and, of steps that are such members, the few that
/// implement them: who names one runs the other.
struct Same(BTreeMap<Member, BTreeSet<Member>>);

impl Same {
    fn of(
        compared: &Compared,
        ids: &mut DocIds<'_>,
        changes: &Changes<'_>,
        steps: &BTreeMap<Step, BTreeSet<Member>>,
    ) -> Result<Self, QueryError> {
        let mut out: BTreeMap<Member, BTreeSet<Member>> = BTreeMap::new();
        let mut hierarchy = Hierarchy::default();
        let steps: BTreeSet<Member> = steps.keys().map(|(step, _)| *step).collect();
        let members: BTreeSet<Member> = changes.members.keys().copied().collect();
        for &(key, tag) in members.union(&steps).take(MAX_LOOKED_AT) {
            let Some(id) = ids.of(key, Some(tag))? else {
                continue;
            };
            let mut same: BTreeSet<Member> = BTreeSet::new();
            for (_, promise) in promises(ids, key, &[&id])? {
                same.insert((promise.ty, promise.tag));
            }
            // Of what many types implement, nobody knows which runs.
            if steps.contains(&(key, tag)) && says_what_runs(compared, &compared.new, key)? {
                for (ty, id) in implementers(ids, &mut hierarchy, key, &id)? {
                    let header = compared.new.type_header(ty)?;
                    let is_product = header.is_some_and(|it| !compared.is_of_tests(&it.project));
                    let tag = ids.ty(ty)?.and_then(|own| own.tag_of(&id));
                    same.extend(tag.filter(|_| is_product).map(|tag| (ty, tag)));
                }
            }
            if !same.is_empty() {
                out.insert((key, tag), same);
            }
        }
        Ok(Self(out))
    }

    fn all(&self, member: Member) -> impl Iterator<Item = Member> {
        let others = self.0.get(&member).into_iter().flatten();
        std::iter::once(member).chain(others.copied())
    }
}

/// What naming a member means, and who may name it.
#[derive(Clone, Copy)]
struct Naming {
    kind: Kind,
    /// Whether its type alone sees it.
    is_private: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Something runs.
    Does,
    /// Something is chosen: a constant, or a value of an enum.
    Chooses,
    /// What an object holds is read.
    Reads,
    /// The same of a `bool`, which decides something.
    Asks,
}

/// The members whose users tell of counterparts: those that few files name, the changed members themselves among them.
fn asked(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    changes: &Changes<'_>,
    (steps, same): (&BTreeMap<Step, BTreeSet<Member>>, &Same),
) -> Result<Vec<(Member, Naming)>, QueryError> {
    let mut candidates: BTreeMap<Member, usize> = BTreeMap::new();
    let mut add = |member, max: usize| {
        let limit = candidates.entry(member).or_insert(max);
        *limit = max.max(*limit);
    };
    for (step, beside) in steps.keys() {
        for step in same.all(*step) {
            add(step, MAX_FILES_OF_STEP);
        }
        add(*beside, MAX_FILES);
    }
    // One name alone says nothing, neither of a member nor of a type.
    let mut of_types: BTreeMap<TypeKey, BTreeSet<Member>> = BTreeMap::new();
    for (by, changed) in &changes.members {
        let fresh = changed.fresh.iter().map(|it| it.what);
        of_types.entry(by.0).or_default().extend(fresh);
    }
    for fresh in of_types.into_values().filter(|it| it.len() > 1) {
        fresh.into_iter().for_each(|it| add(it, MAX_FILES));
    }
    for by in changes.members.keys() {
        for by in same.all(*by) {
            add(by, MAX_FILES_OF_STEP);
        }
    }
    let mut details = MemberDetails::new(&compared.new);
    let mut out = Vec::new();
    for (member, max) in candidates.into_iter().take(MAX_LOOKED_AT) {
        let (key, tag) = member;
        let Some(naming) = kind(ids, &mut details, member)? else {
            continue;
        };
        let max = match naming.kind {
            Kind::Asks => max.max(MAX_FILES_OF_GUARD),
            _ => max,
        };
        if compared.new.referrers(key, Some(&[tag]))?.len() <= max {
            out.push((member, naming));
        }
        if out.len() == MAX_ASKED {
            break;
        }
    }
    Ok(out)
}

/// `None` for constructors, and for fields: those of a type's own hold what it works with.
fn kind(
    ids: &mut DocIds<'_>,
    details: &mut MemberDetails<'_>,
    (key, tag): Member,
) -> Result<Option<Naming>, QueryError> {
    let snapshot = ids.snapshot();
    let Some(own) = ids.ty(key)? else {
        return Ok(None);
    };
    let (Some(at), Some(node)) = (own.index(tag), snapshot.type_node(key)?) else {
        return Ok(None);
    };
    let written = written_members(&node, &own);
    let Some(at) = written.iter().position(|written| *written == Some(at)) else {
        return Ok(None);
    };
    let member = &node.members[at];
    let kind = match member.kind {
        DeclKind::Method => Some(Kind::Does),
        DeclKind::Constant | DeclKind::EnumMember => Some(Kind::Chooses),
        DeclKind::Property if !is_written(member) && details.of(&node)?[at].has_code => {
            Some(Kind::Does)
        }
        DeclKind::Property => {
            let is_bool = (member.ty.as_ref()).is_some_and(|ty| ty.to_string() == "bool");
            Some(if is_bool { Kind::Asks } else { Kind::Reads })
        }
        _ => None,
    };
    Ok(kind.map(|kind| Naming {
        kind,
        is_private: member.accessibility == Accessibility::Private,
    }))
}

/// Who of the product names the members that were asked for, each with its first place.
struct Users<'p> {
    of: FxHashMap<Member, (Naming, BTreeMap<Member, &'p Found>)>,
    same: Same,
}

impl<'p> Users<'p> {
    fn of(compared: &Compared, asked: &[(Member, Naming)], places: &'p Places, same: Same) -> Self {
        let mut users = vec![BTreeMap::new(); asked.len()];
        for found in &places.found {
            let file = &places.files[found.file as usize];
            let project: &RepoPath = &file.projects[usize::from(found.project)];
            let Some((key, Some(tag))) = found.inside else {
                continue;
            };
            if !compared.is_of_tests(project) {
                users[found.want.symbol].entry((key, tag)).or_insert(found);
            }
        }
        let of = asked.iter().zip(users);
        let of = of.map(|(&(member, naming), users)| (member, (naming, users)));
        Self {
            of: of.collect(),
            same,
        }
    }

    /// `None` where too much of the repository names it.
    fn naming(&self, member: Member) -> Option<&BTreeMap<Member, &'p Found>> {
        self.of.get(&member).map(|(_, users)| users)
    }

    /// What naming a member means; `None` where too much of the repository names it.
    fn kind(&self, member: Member) -> Option<Kind> {
        self.of.get(&member).map(|(naming, _)| naming.kind)
    }

    /// Whether a member may be named in another one.
    fn may_name(&self, member: Member, user: Member) -> bool {
        let is_private = self
            .of
            .get(&member)
            .is_some_and(|(naming, _)| naming.is_private);
        !is_private || member.0 == user.0
    }

    /// As [`Users::naming`], but `None` for what an object holds.
    fn doing(&self, member: Member) -> Option<&BTreeMap<Member, &'p Found>> {
        let (naming, users) = self.of.get(&member)?;
        (naming.kind != Kind::Reads).then_some(users)
    }

    fn has(&self, member: Member, user: Member) -> bool {
        self.naming(member)
            .is_some_and(|users| users.contains_key(&user))
    }

    /// Whether a member names another one, what that implements, or what implements it.
    fn runs(&self, member: Member, user: Member) -> bool {
        self.same.all(member).any(|it| self.has(it, user))
    }
}

/// Counterparts before they are described.
struct Draft<'p> {
    shared: Vec<Member>,
    adds: Vec<Member>,
    by: BTreeSet<Member>,
    n_with: usize,
    places: Vec<&'p Found>,
}

impl Draft<'_> {
    /// The types with the unchanged code.
    fn types(&self) -> impl Iterator<Item = TypeKey> {
        let around = self.places.iter().filter_map(|it| it.inside);
        around.map(|(key, _)| key)
    }
}

/// The members that name what a step was newly taken beside, and not the step. Of a step beside several members the one
/// that most changed members and fewest others name.
fn without_step<'p>(
    changes: &Changes<'_>,
    steps: &BTreeMap<Step, BTreeSet<Member>>,
    users: &Users<'p>,
) -> Vec<Draft<'p>> {
    // How many members take the step, whether what it is beside is of another type, and how many do not take it.
    type Rank = (Reverse<usize>, bool, usize);
    let mut best: BTreeMap<Member, (Rank, Draft<'p>)> = BTreeMap::new();
    for (&(step, beside), by) in steps {
        let (Some(_), Some(all)) = (users.doing(step), users.doing(beside)) else {
            continue;
        };
        if users.kind(beside) == Some(Kind::Asks) {
            continue;
        }
        // Values of one enum stand side by side for being its values.
        if step.0 == beside.0
            && users.kind(step) == Some(Kind::Chooses)
            && users.kind(beside) == Some(Kind::Chooses)
        {
            continue;
        }
        // What one member does where it names a constant is no rule for all that name it.
        if by.len() == 1 && users.kind(beside) == Some(Kind::Chooses) {
            continue;
        }
        let unchanged = all.iter().filter(|(user, _)| {
            let is_other = **user != step && **user != beside;
            !changes.members.contains_key(*user) && is_other && users.may_name(step, **user)
        });
        let (with, without): (Vec<_>, Vec<_>) =
            unchanged.partition(|(user, _)| users.runs(step, **user));
        // Who calls changed code takes the step there.
        let without = without.into_iter();
        let without = without.filter(|(user, _)| !by.iter().any(|it| users.runs(*it, **user)));
        let places: Vec<&Found> = without.map(|(_, found)| *found).collect();
        // What is asked is a rule only where others ask it there as well.
        let is_rule = match users.kind(step) == Some(Kind::Asks) {
            true => !with.is_empty(),
            false => by.len() > 1 || !with.is_empty() || all.len() <= FEW,
        };
        let is_done =
            users.kind(beside) == Some(Kind::Chooses) && users.kind(step) != Some(Kind::Chooses);
        let max = match by.len() {
            1 => MAX_WITHOUT_ONE,
            // Nor is what few members do there.
            n if is_done => n,
            _ => MAX_WITHOUT,
        };
        if places.is_empty() || places.len() > max || !is_rule {
            continue;
        }
        // What the type of the step has beside it is nearer to it than what helps everybody.
        let rank = (Reverse(by.len()), step.0 != beside.0, places.len());
        if best.get(&step).is_some_and(|(known, _)| *known <= rank) {
            continue;
        }
        let draft = Draft {
            shared: vec![beside],
            adds: vec![step],
            by: by.clone(),
            n_with: with.len(),
            places,
        };
        best.insert(step, (rank, draft));
    }
    let mut drafts: Vec<_> = best.into_values().collect();
    drafts.sort_by_key(|(rank, _)| *rank);
    // Steps that the same code lacks are one row.
    let mut out: Vec<Draft<'p>> = Vec::new();
    for (_, draft) in drafts {
        let place = |it: &&Found| (it.file, it.offset);
        let same = out.iter_mut().find(|known| {
            known.by == draft.by
                && known
                    .places
                    .iter()
                    .map(place)
                    .eq(draft.places.iter().map(place))
        });
        match same {
            Some(known) => known.adds.extend(draft.adds),
            None => out.push(draft),
        }
    }
    out.truncate(MAX_TOLD);
    out
}

/// The members that call together what new code calls together, where few others call it.
fn alike<'p>(changes: &Changes<'_>, users: &Users<'p>) -> Vec<Draft<'p>> {
    let mut out: Vec<(f64, Draft<'p>)> = Vec::new();
    for (&by, changed) in &changes.members {
        let fresh: BTreeSet<Member> = changed.fresh.iter().map(|it| it.what).collect();
        let mut found: BTreeMap<Member, (f64, Vec<Member>)> = BTreeMap::new();
        for &what in fresh.iter().filter(|it| !changes.members.contains_key(it)) {
            let callers = users.naming(what).filter(|it| it.len() <= MAX_CALLERS);
            for &caller in callers.into_iter().flat_map(BTreeMap::keys) {
                let is_other = !changes.members.contains_key(&caller)
                    && !fresh.contains(&caller)
                    && !users.has(by, caller);
                if is_other {
                    let (worth, shared) = found.entry(caller).or_default();
                    *worth += 1.0 / users.naming(what).map_or(1, BTreeMap::len) as f64;
                    shared.push(what);
                }
            }
        }
        let found = found.into_iter();
        let mut found: Vec<_> = found
            .filter(|(_, (worth, shared))| shared.len() > 1 && *worth >= MIN_ALIKE)
            .collect();
        found.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.0.cmp(&b.0)));
        found.truncate(MAX_ALIKE);
        let Some((_, (worth, shared))) = found.first().cloned() else {
            continue;
        };
        let same = found.iter().filter(|(_, (_, it))| *it == shared);
        let places = same.filter_map(|(caller, _)| users.naming(shared[0])?.get(caller).copied());
        out.push((
            worth,
            Draft {
                places: places.collect(),
                shared,
                adds: Vec::new(),
                by: BTreeSet::from([by]),
                n_with: 0,
            },
        ));
    }
    out.sort_by(|a, b| b.0.total_cmp(&a.0));
    out.truncate(MAX_TOLD);
    out.into_iter().map(|(_, draft)| draft).collect()
}

/// The types whose members call what the members of one changed type newly call, where few others call it: a new command is
/// written like one that is there, though in other methods.
fn alike_types<'p>(changes: &Changes<'_>, users: &Users<'p>) -> Vec<Draft<'p>> {
    let mut fresh: BTreeMap<TypeKey, BTreeMap<Member, Member>> = BTreeMap::new();
    for (&by, changed) in &changes.members {
        for name in &changed.fresh {
            fresh
                .entry(by.0)
                .or_default()
                .entry(name.what)
                .or_insert(by);
        }
    }
    let changed: BTreeSet<TypeKey> = changes.members.keys().map(|(key, _)| *key).collect();
    let mut out: Vec<(f64, Draft<'p>)> = Vec::new();
    for named in fresh.values() {
        let mut found: BTreeMap<TypeKey, (f64, BTreeMap<Member, Member>)> = BTreeMap::new();
        for &what in named.keys().filter(|it| !changed.contains(&it.0)) {
            let callers = users
                .naming(what)
                .filter(|it| users.kind(what) == Some(Kind::Does) && it.len() <= MAX_CALLERS);
            let callers = callers.into_iter().flat_map(BTreeMap::keys);
            let callers: Vec<Member> = callers.copied().collect();
            let types: BTreeSet<TypeKey> = callers.iter().map(|(key, _)| *key).collect();
            for caller in callers.iter().filter(|it| !changed.contains(&it.0)) {
                let (worth, shared) = found.entry(caller.0).or_default();
                if shared.insert(what, *caller).is_none() {
                    *worth += 1.0 / types.len() as f64;
                }
            }
        }
        let alike = found.into_values();
        let alike = alike
            .filter(|(worth, shared)| shared.len() >= MIN_OF_TYPE && *worth >= MIN_ALIKE_TYPES);
        let Some((worth, shared)) = alike.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            continue;
        };
        let places = shared
            .iter()
            .filter_map(|(what, by)| users.naming(*what)?.get(by).copied());
        let mut members = BTreeSet::new();
        let places: Vec<&Found> = places.filter(|it| members.insert(it.inside)).collect();
        out.push((
            worth,
            Draft {
                by: shared.keys().map(|what| named[what]).collect(),
                shared: shared.into_keys().collect(),
                adds: Vec::new(),
                n_with: 0,
                places,
            },
        ));
    }
    out.sort_by(|a, b| b.0.total_cmp(&a.0));
    out.truncate(MAX_TOLD);
    out.into_iter().map(|(_, draft)| draft).collect()
}

/// Describes counterparts.
struct Teller<'t, 's, 'r> {
    ids: DocIds<'s>,
    places: &'t Places,
    lines: FileLines,
    reader: &'t mut Reader<'r>,
}

impl Teller<'_, '_, '_> {
    fn counterpart(&mut self, draft: Draft<'_>) -> Result<Counterpart, QueryError> {
        let mut places = BTreeSet::new();
        for found in draft.places {
            places.insert((self.lines).place(self.reader, &mut self.ids, self.places, found)?);
        }
        Ok(Counterpart {
            shared: self.described(draft.shared)?,
            adds: self.described(draft.adds)?,
            by: self.described(draft.by)?,
            n_with: draft.n_with,
            places: places.into_iter().collect(),
        })
    }

    fn described(
        &mut self,
        members: impl IntoIterator<Item = Member>,
    ) -> Result<Vec<String>, QueryError> {
        let mut out = Vec::new();
        for (key, tag) in members {
            out.extend(self.ids.of(key, Some(tag))?);
        }
        out.sort();
        Ok(out)
    }
}
