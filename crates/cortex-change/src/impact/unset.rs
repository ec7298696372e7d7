//! Code that sets the properties which changed code sets, but not the one that changed code newly sets beside them.
//!
//! Owns: which code does the same. Must not know: who reads what is set.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_model::{Accessibility, TypeKey, simple_name};
use cortex_wire::{CodePlace, Role, UnsetMember};
use rustc_hash::FxHashSet;

use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        declared::{self, declared},
        file_lines::FileLines,
        names::ChangedNames,
        next::Member,
        symbols::{ChangedSymbol, changed_members},
        uses::{Found, Places, Want, Wanted, find},
    },
};

/// What more members set is set everywhere: it tells nobody's purpose.
const MAX_SETTERS: usize = 12;

/// What more files name is what the whole repository is about.
const MAX_FILES: usize = 80;

/// So many members are looked for.
const MAX_ASKED: usize = 60;

/// More places do so for reasons of their own.
const MAX_PLACES: usize = 8;

/// So many rows are told.
const MAX_TOLD: usize = 4;

/// What a changed member newly sets of a type, and what it sets beside that.
#[derive(Default)]
struct Set {
    fresh: BTreeSet<Member>,
    beside: BTreeSet<Member>,
}

/// The properties and fields of the product that changed lines of a member newly set beside others of the same type, which
/// were there, with the unchanged members of other types that set most of those and not these; fewest places first.
/// Reads the bindings of the files that name them.
pub(super) fn unset(
    compared: &Compared,
    names: &ChangedNames,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<UnsetMember>, QueryError> {
    let told = changed_members(symbols);
    let sets = sets(names, &told);
    let mut wanted = Wanted::new();
    let mut asked: Vec<Member> = Vec::new();
    for set in sets.values() {
        for &member in set.fresh.iter().chain(&set.beside) {
            let (key, tag) = member;
            if asked.len() < MAX_ASKED
                && !asked.contains(&member)
                && compared.new.referrers(key, Some(&[tag]))?.len() <= MAX_FILES
            {
                let want = Want::of(Some(tag), asked.len());
                wanted.entry(key).or_default().push(want);
                asked.push(member);
            }
        }
    }
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let places = find(&compared.new, &wanted)?;
    let setters = Setters::of(compared, &asked, &places);
    let mut ids = DocIds::new(&compared.new);
    let mut lines = FileLines::default();
    let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
    for (&(by, ty), set) in &sets {
        let Some((beside, others)) = setters.alike((by, ty), set, &told) else {
            continue;
        };
        for fresh in &set.fresh {
            let Some(known) = setters.of.get(fresh) else {
                continue;
            };
            let without = others.iter().filter(|(user, _)| !known.contains_key(*user));
            let without: Vec<&Found> = without.map(|(_, found)| *found).collect();
            if !(1..=MAX_PLACES).contains(&without.len()) {
                continue;
            }
            let Some(name) = name(compared, &mut ids, *fresh)? else {
                continue;
            };
            let row = rows.entry(name).or_default();
            row.by.extend(ids.of(by.0, Some(by.1))?);
            for &member in &beside {
                row.beside.extend(declared::simple_name(&mut ids, member)?);
            }
            for found in without {
                let place = lines.place(reader, &mut ids, &places, found)?;
                row.places.insert(place);
            }
        }
    }
    Ok(told_together(rows))
}

/// What is told of a property or field.
#[derive(Default, PartialEq, Eq)]
struct Row {
    by: BTreeSet<String>,
    beside: BTreeSet<String>,
    places: BTreeSet<CodePlace>,
}

/// Those of one type that the same code sets, and the same code does not, share a row. By type and name before.
fn told_together(rows: BTreeMap<(String, String), Row>) -> Vec<UnsetMember> {
    let mut together: Vec<(String, Vec<String>, Row)> = Vec::new();
    for ((ty, member), row) in rows {
        let same = together.iter_mut();
        let mut same = same.filter(|(known, _, of)| *known == ty && *of == row);
        match same.next() {
            Some((_, members, _)) => members.push(member),
            None => together.push((ty, vec![member], row)),
        }
    }
    together.sort_by_key(|(_, _, row)| row.places.len());
    together.truncate(MAX_TOLD);
    let told = together.into_iter().map(|(ty, members, row)| UnsetMember {
        ty,
        members,
        by: row.by.into_iter().collect(),
        beside: row.beside.into_iter().collect(),
        places: row.places.into_iter().collect(),
    });
    told.collect()
}

/// What changed members newly set, by themselves and the type that has it.
fn sets(names: &ChangedNames, told: &FxHashSet<Member>) -> BTreeMap<(Member, TypeKey), Set> {
    let before: FxHashSet<(Member, Member)> = (names.old.iter())
        .filter(|it| it.is_written)
        .map(|it| (it.by, it.what))
        .collect();
    let mut out: BTreeMap<(Member, TypeKey), Set> = BTreeMap::new();
    let writes = names.new.iter().filter(|it| it.is_written);
    for name in writes.filter(|it| told.contains(&it.by) && it.by.0 != it.what.0) {
        let set = out.entry((name.by, name.what.0)).or_default();
        match name.is_changed && !before.contains(&(name.by, name.what)) {
            true => set.fresh.insert(name.what),
            false => set.beside.insert(name.what),
        };
    }
    out.retain(|_, set| {
        set.fresh.retain(|it| !set.beside.contains(it));
        !set.fresh.is_empty() && !set.beside.is_empty()
    });
    out
}

/// Which members of the product set what was asked for, each with its first place.
struct Setters<'p> {
    of: BTreeMap<Member, BTreeMap<Member, &'p Found>>,
}

impl<'p> Setters<'p> {
    fn of(compared: &Compared, asked: &[Member], places: &'p Places) -> Self {
        let mut of: BTreeMap<Member, BTreeMap<Member, &Found>> =
            asked.iter().map(|it| (*it, BTreeMap::new())).collect();
        for found in &places.found {
            let file = &places.files[found.file as usize];
            let project = &file.projects[usize::from(found.project)];
            let Some((key, Some(tag))) = found.inside else {
                continue;
            };
            let is_set = found.role == Role::Write;
            if is_set && !compared.is_of_tests(project) {
                let users = of.entry(asked[found.want.symbol]).or_default();
                users.entry((key, tag)).or_insert(found);
            }
        }
        Self { of }
    }

    /// The members that few set and a changed one sets, and the unchanged members of other types that set most of them.
    fn alike(
        &self,
        (by, ty): (Member, TypeKey),
        set: &Set,
        told: &FxHashSet<Member>,
    ) -> Option<(Vec<Member>, BTreeMap<Member, &'p Found>)> {
        let few = |it: &&Member| {
            let setters = self.of.get(it);
            setters.is_some_and(|setters| (2..=MAX_SETTERS).contains(&setters.len()))
        };
        let beside: Vec<Member> = set.beside.iter().filter(few).copied().collect();
        let mut shared: BTreeMap<Member, (usize, &Found)> = BTreeMap::new();
        for member in &beside {
            for (&user, &found) in &self.of[member] {
                let is_other = user != by && user.0 != ty && !told.contains(&user);
                if is_other {
                    shared.entry(user).or_insert((0, found)).0 += 1;
                }
            }
        }
        let others = shared.into_iter();
        let others = others.filter(|(_, (n, _))| n * 2 > beside.len());
        let others: BTreeMap<Member, &Found> = others.map(|(user, (_, it))| (user, it)).collect();
        (!others.is_empty()).then_some((beside, others))
    }
}

/// The names of the type of a member of the product and of itself, where others may set it.
fn name(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    (key, tag): Member,
) -> Result<Option<(String, String)>, QueryError> {
    let declared = declared(ids, key, Some(tag))?;
    Ok(declared.and_then(|it| {
        let member = it.member?;
        let is_seen = member.accessibility != Accessibility::Private;
        let is_told = is_seen && !compared.is_of_tests(&it.node.project);
        is_told.then(|| (it.node.fqn.clone(), simple_name(&member.name).to_owned()))
    }))
}
