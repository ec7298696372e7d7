//! Properties and fields that changed code gives another value or no value any longer, with who else of the product gives
//! them one and who reads them; and constants and values of enums that it names newly or no longer, with who else names them.
//!
//! Owns: which of them are told. Must not know: who calls the changed code.

mod accessors;

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_git::ReadBlob;
use cortex_look::{QueryError, unused::is_called_by_name};
use cortex_model::{Accessibility, DeclKind};
use cortex_syntax::text::decode;
use cortex_wire::{DataChange, MemberChangeKind, Role, UseSide, WrittenData};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        branches::tells_apart,
        declared::declared,
        file_lines::FileLines,
        names::{ChangedNames, Name},
        next::{Member, is_constructor},
        promises::{outside, promises},
        symbols::ChangedSymbol,
        uses::{Found, Places, Want, Wanted, find},
    },
    reading::ChangedLines,
    routes::is_controller,
};

/// What more files name is what the whole repository is about.
const MAX_FILES: usize = 60;

/// What more lines name says little of one change: of what is assigned, of constants, and of methods.
const MAX_PLACES: usize = 30;
const MAX_NAMED: usize = 20;
const MAX_CALLS: usize = 6;

/// What more places give a value has no value of its own.
const MAX_WRITERS: usize = 12;

/// So many members are looked at.
const MAX_ASKED: usize = 80;

/// So many are told.
const MAX_TOLD: usize = 14;

/// So many of them that changed code does the same with.
const MAX_OF_KIND: usize = 5;

/// A member with what changed lines do with it.
struct Candidate {
    what: Member,
    by: Member,
    change: DataChange,
}

/// A member as it is told.
struct Described {
    ty: String,
    name: String,
    doc_id: String,
    kind: DeclKind,
}

/// The unchanged properties and fields of the product that changed lines of the product assign, and that other code of it
/// assigns or reads: those that got another value there, those that got none any longer, then those that few lines name.
/// `symbols`: what changed. Reads the bindings of the files that name such members.
pub(crate) fn written_data(
    compared: &Compared,
    names: &ChangedNames,
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<WrittenData>, QueryError> {
    let of_side = |side| -> FxHashSet<Member> {
        let symbols = symbols.iter().filter(|it| it.side == side);
        symbols
            .filter_map(|it| Some((it.key, it.member?)))
            .collect()
    };
    let (gone, told) = (of_side(UseSide::Old), of_side(UseSide::New));
    let mut ids = DocIds::new(&compared.new);
    let mut old_ids = DocIds::new(&compared.old);
    let mut wanted = Wanted::new();
    let mut asked: Vec<(Candidate, Described)> = Vec::new();
    let added = symbols.iter();
    let added = added.filter(|it| it.change == MemberChangeKind::Added);
    let added: FxHashSet<Member> = added.filter_map(|it| Some((it.key, it.member?))).collect();
    let before = names.before();
    let of_gone = |by: &Member| gone.contains(by) && !told.contains(by);
    for candidate in candidates_that_ran(compared, &mut old_ids, names, of_gone)? {
        let (key, tag) = candidate.what;
        let is_by_changed = told.contains(&candidate.by)
            || candidate.change.is_told_of_gone() && gone.contains(&candidate.by);
        let is_new = matches!(candidate.change, DataChange::NewlyRead | DataChange::Called);
        // All that new code reads is new to it.
        let is_known = is_new
            && (before.contains(&(candidate.by, candidate.what)) || added.contains(&candidate.by));
        if told.contains(&candidate.what) || !is_by_changed || is_known {
            continue;
        }
        let Some(described) = described(compared, &mut ids, candidate.what, candidate.change)?
        else {
            continue;
        };
        if compared.new.referrers(key, Some(&[tag]))?.len() <= MAX_FILES {
            let want = Want::of(Some(tag), asked.len());
            wanted.entry(key).or_default().push(want);
            asked.push((candidate, described));
        }
        if asked.len() == MAX_ASKED {
            break;
        }
    }
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let places = find(&compared.new, &wanted)?;
    let mut lines = FileLines::default();
    let uses = uses(compared, &places, &told, asked.len());
    let accessors: Vec<BTreeSet<Member>> = (asked.iter().zip(&uses))
        .map(|((candidate, _), uses)| accessors::of(candidate, uses.values().copied()))
        .collect();
    let mut through = accessors::users(compared, &accessors, &told)?;
    let mut out = Vec::new();
    for (nth, ((candidate, described), mut uses)) in asked.into_iter().zip(uses).enumerate() {
        let (max_places, is_data) = match candidate.change {
            change if change.is_of_methods() => (MAX_CALLS, false),
            change if change.is_of_constants() => (MAX_NAMED, false),
            _ => (MAX_PLACES, true),
        };
        let only_comparisons = candidate.change.is_of_constants() && uses.len() > max_places;
        if only_comparisons {
            keep_compared(reader, &places, &mut uses)?;
        } else if is_data && uses.len() > max_places {
            // Who decides what much code reads is told all the same.
            uses.retain(|_, found| found.role == Role::Write);
        }
        if uses.len() > max_places {
            continue;
        }
        let (mut writers, mut readers) = (BTreeSet::new(), BTreeSet::new());
        for found in uses.into_values() {
            let place = lines.place(reader, &mut ids, &places, found)?;
            match found.role {
                Role::Write => writers.insert(place),
                _ => readers.insert(place),
            };
        }
        if candidate.change == DataChange::NewlyRead {
            // What a value is decides about who newly reads it; who else reads it does not.
            readers.clear();
        }
        if writers.is_empty() && readers.is_empty() || writers.len() > MAX_WRITERS {
            continue;
        }
        // A constant has a name for one thing, a value of an enum tells many apart.
        let is_value = described.kind == DeclKind::EnumMember;
        out.push((
            is_value,
            WrittenData {
                doc_id: described.doc_id,
                ty: described.ty,
                member: described.name,
                by: match told.contains(&candidate.by) {
                    true => ids.of(candidate.by.0, Some(candidate.by.1))?,
                    false => old_ids.of(candidate.by.0, Some(candidate.by.1))?,
                }
                .unwrap_or_default(),
                change: candidate.change,
                only_comparisons,
                writers: writers.into_iter().collect(),
                readers: readers.into_iter().collect(),
                read_through: through.tell(&accessors[nth], (&mut ids, &mut lines), reader)?,
            },
        ));
    }
    Ok(a_few_of_each(out))
}

/// The candidates but for those of members that are gone and that nothing ran. `of_gone`: whether a member is gone.
fn candidates_that_ran(
    compared: &Compared,
    old_ids: &mut DocIds<'_>,
    names: &ChangedNames,
    of_gone: impl Fn(&Member) -> bool,
) -> Result<Vec<Candidate>, QueryError> {
    let mut out = candidates(names);
    let by_gone = out.iter().map(|it| it.by).filter(|by| of_gone(by));
    let never_run = never_run(compared, old_ids, by_gone.collect())?;
    out.retain(|it| !never_run.contains(&it.by));
    Ok(out)
}

/// The members of the older side among some that nothing ran: no code named them but their own, and they neither implement nor
/// override anything. Reads the bindings of the files that name them.
fn never_run(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    members: BTreeSet<Member>,
) -> Result<BTreeSet<Member>, QueryError> {
    let mut asked: Vec<Member> = Vec::new();
    let mut wanted = Wanted::new();
    for (key, tag) in members {
        if !is_called_unseen(ids, (key, tag))? {
            let want = Want::of(Some(tag), asked.len());
            wanted.entry(key).or_default().push(want);
            asked.push((key, tag));
        }
    }
    let mut out: BTreeSet<Member> = asked.iter().copied().collect();
    if !out.is_empty() {
        for found in find(&compared.old, &wanted)?.found {
            let (key, tag) = asked[found.want.symbol];
            if found.inside != Some((key, Some(tag))) {
                out.remove(&(key, tag));
            }
        }
    }
    Ok(out)
}

/// Whether something may run a member that no code names: it is no method, implements or overrides something, or a framework
/// calls it.
fn is_called_unseen(ids: &mut DocIds<'_>, (key, tag): Member) -> Result<bool, QueryError> {
    let id = ids.of(key, Some(tag))?.unwrap_or_default();
    if !id.starts_with("M:")
        || is_constructor(&id)
        || !promises(ids, key, &[&id])?.is_empty()
        || outside(ids, key, &id)?.is_some()
    {
        return Ok(true);
    }
    let Some(member) = declared(ids, key, Some(tag))? else {
        return Ok(true);
    };
    // Frameworks call what is marked for them or has a name that they know.
    let by_frameworks = member
        .member
        .is_none_or(|it| !it.attributes.is_empty() || is_called_by_name(&it));
    Ok(by_frameworks || is_controller(&member.node))
}

/// The data in the order of what is told, of each kind a few, so that one does not hide the others. Each with whether it is a
/// value of an enum.
fn a_few_of_each(mut data: Vec<(bool, WrittenData)>) -> Vec<WrittenData> {
    data.sort_by(|(a_is_value, a), (b_is_value, b)| {
        let n_places = |it: &WrittenData| it.writers.len() + it.readers.len();
        let rank = |it: &WrittenData, is_value| (it.change, is_value, n_places(it));
        (rank(a, *a_is_value), &a.doc_id).cmp(&(rank(b, *b_is_value), &b.doc_id))
    });
    let mut out: Vec<WrittenData> = data.into_iter().map(|(_, data)| data).collect();
    let mut n_told: BTreeMap<DataChange, usize> = BTreeMap::new();
    out.retain(|it| {
        let n = n_told.entry(it.change).or_default();
        *n += 1;
        *n <= MAX_OF_KIND
    });
    out.truncate(MAX_TOLD);
    out
}

/// The uses of each candidate in code of the product that did not change, by file and position.
fn uses<'p>(
    compared: &Compared,
    places: &'p Places,
    changed: &FxHashSet<Member>,
    n_candidates: usize,
) -> Vec<BTreeMap<(u32, u32), &'p Found>> {
    let mut out = vec![BTreeMap::new(); n_candidates];
    for found in &places.found {
        let file = &places.files[found.file as usize];
        let project = &file.projects[usize::from(found.project)];
        let is_changed = || match found.inside {
            Some((key, Some(tag))) => changed.contains(&(key, tag)),
            // An attribute of a type.
            Some((_, None)) => {
                ChangedLines::of(compared, &file.path).is_some_and(|lines| lines.has(found.offset))
            }
            None => true,
        };
        // `nameof` names a member as `typeof` does a type.
        let is_use = matches!(
            found.role,
            Role::Read | Role::Write | Role::Typeof | Role::Call
        );
        if is_use && !compared.is_of_tests(project) && !is_changed() {
            out[found.want.symbol].insert((found.file, found.offset), found);
        }
    }
    out
}

/// Keeps the uses of a constant that something is compared with: what much code names decides in few places.
fn keep_compared(
    reader: &mut Reader<'_>,
    places: &Places,
    uses: &mut BTreeMap<(u32, u32), &Found>,
) -> Result<(), QueryError> {
    let files: BTreeSet<u32> = uses.keys().map(|(file, _)| *file).collect();
    let mut kept: BTreeSet<(u32, u32)> = BTreeSet::new();
    for file in files {
        let blob = reader.read_blob(places.files[file as usize].blob)?;
        let text = decode(&blob);
        let of_file = uses.keys().filter(|it| it.0 == file);
        kept.extend(of_file.filter(|it| tells_apart(text.as_bytes(), it.1)));
    }
    uses.retain(|at, _| kept.contains(at));
    Ok(())
}

/// A member as it is told, where it is a property or field of the product that other types see, or a constant or a value
/// of an enum, or a method that changed code calls, which may be private. `change`: which of them.
fn described(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    (key, tag): Member,
    change: DataChange,
) -> Result<Option<Described>, QueryError> {
    let Some(own) = ids.ty(key)? else {
        return Ok(None);
    };
    let Some(at) = own.index(tag) else {
        return Ok(None);
    };
    let doc_id = own.member(at);
    // Most of what code names are methods.
    let kinds = match change {
        change if change.is_of_methods() => &["M:"][..],
        change if change.is_of_constants() => &["F:"],
        _ => &["F:", "P:"],
    };
    if !kinds.iter().any(|kind| doc_id.starts_with(kind)) {
        return Ok(None);
    }
    let node = compared.new.type_node(key)?;
    let Some(node) = node.filter(|node| !compared.is_of_tests(&node.project)) else {
        return Ok(None);
    };
    let written = written_members(&node, &own).into_iter();
    let mut written = written.zip(&node.members);
    let member = written.find(|(it, _)| *it == Some(at)).map(|(_, it)| it);
    let member = member.filter(|member| {
        let is_wanted = match change {
            change if change.is_of_methods() => return member.kind == DeclKind::Method,
            change if change.is_of_constants() => {
                matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember)
            }
            _ => matches!(member.kind, DeclKind::Property | DeclKind::Field),
        };
        is_wanted && member.accessibility != Accessibility::Private
    });
    Ok(member.map(|member| Described {
        ty: node.fqn.clone(),
        name: member.name.clone(),
        doc_id,
        kind: member.kind,
    }))
}

/// What changed lines of the product assign that no lines which are gone assigned alike, what only lines that are gone
/// assigned; what changed lines name that none of those named, and what only those named, which may be constants; the first
/// of each by member.
fn candidates(names: &ChangedNames) -> Vec<Candidate> {
    let mut known: FxHashSet<Member> = FxHashSet::default();
    let mut values: FxHashMap<Member, Vec<&[u8]>> = FxHashMap::default();
    for gone in names.old.iter().filter(|it| it.is_changed) {
        match (gone.is_written, &gone.assigned) {
            (true, Some(text)) => values.entry(gone.what).or_default().push(text),
            (true, None) => {}
            (false, _) => drop(known.insert(gone.what)),
        }
    }
    // Which of both a name is of, a constant or a property, is seen later.
    let mut out: BTreeMap<(Member, bool, bool), Candidate> = BTreeMap::new();
    let mut add = |what: Member, by: Member, change: DataChange| {
        let key = (what, change.is_of_constants(), change.is_of_methods());
        let candidate = Candidate { what, by, change };
        out.entry(key).or_insert(candidate);
    };
    for named in names.new.iter().filter(|it| it.is_changed) {
        let before = values.get(&named.what);
        let change = match (named.is_written, &named.assigned) {
            (true, Some(text)) => match before {
                Some(before) if before.contains(&&text[..]) => continue,
                Some(_) => DataChange::AnotherValue,
                None => DataChange::Written,
            },
            (true, None) => continue,
            (false, _) if known.contains(&named.what) => DataChange::StillNamed,
            (false, _) if named.is_call => DataChange::Called,
            (false, _) => {
                add(named.what, named.by, DataChange::NewlyRead);
                DataChange::Named
            }
        };
        add(named.what, named.by, change);
    }
    let (by_same, by_changed) = named_by(names.new.iter().filter(|it| it.is_written));
    for gone in names.old.iter().filter(|it| it.assigned.is_some()) {
        // Where other changed code gives it a value, that moved.
        if !by_same.contains(&(gone.what, gone.by)) && !by_changed.contains(&gone.what) {
            add(gone.what, gone.by, DataChange::NoLongerWritten);
        }
    }
    let (by_same, by_changed) = named_by(names.new.iter().filter(|it| !it.is_written));
    let gone = names
        .old
        .iter()
        .filter(|it| it.is_changed && !it.is_written);
    for gone in gone.filter(|it| !by_same.contains(&(it.what, it.by))) {
        if !by_changed.contains(&gone.what) {
            let change = match gone.is_call {
                true => DataChange::NoLongerCalled,
                false => DataChange::NoLongerNamed,
            };
            add(gone.what, gone.by, change);
        }
    }
    let mut out: Vec<Candidate> = out.into_values().collect();
    let is_late = |change| matches!(change, DataChange::NewlyRead | DataChange::StillNamed);
    out.sort_by_key(|it| is_late(it.change));
    out
}

/// What names have, with who names it, and what those on changed lines have.
fn named_by<'n>(
    names: impl Iterator<Item = &'n Name>,
) -> (FxHashSet<(Member, Member)>, FxHashSet<Member>) {
    let (mut by_same, mut by_changed) = (FxHashSet::default(), FxHashSet::default());
    for named in names {
        by_same.insert((named.what, named.by));
        if named.is_changed {
            by_changed.insert(named.what);
        }
    }
    (by_same, by_changed)
}
