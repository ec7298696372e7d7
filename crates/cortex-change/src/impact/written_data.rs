//! Properties and fields that changed code gives another value or no value any longer, with who else of the product gives
//! them one and who reads them; and constants and values of enums that it names newly, with who else names them.
//!
//! Owns: which of them are told. Must not know: who calls the changed code.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_look::QueryError;
use cortex_model::{Accessibility, DeclKind};
use cortex_wire::{DataChange, MemberChangeKind, Role, UseSide, WrittenData};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        file_lines::FileLines,
        names::ChangedNames,
        next::Member,
        symbols::ChangedSymbol,
        uses::{Found, Places, Want, Wanted, find},
    },
};

/// What more files name is what the whole repository is about.
const MAX_FILES: usize = 60;

/// What more lines name says little of one change: of what is assigned, and of constants.
const MAX_PLACES: [usize; 2] = [30, 12];

/// What more places give a value has no value of its own.
const MAX_WRITERS: usize = 12;

/// So many members are looked at.
const MAX_ASKED: usize = 60;

/// So many are told.
const MAX_TOLD: usize = 10;

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
    let added = symbols
        .iter()
        .filter(|it| it.change == MemberChangeKind::Added);
    let added: FxHashSet<Member> = added.filter_map(|it| Some((it.key, it.member?))).collect();
    let before = names.before();
    for candidate in candidates(names) {
        let (key, tag) = candidate.what;
        let is_by_changed = told.contains(&candidate.by)
            || candidate.change == DataChange::NoLongerWritten && gone.contains(&candidate.by);
        let is_read = candidate.change == DataChange::NewlyRead;
        // All that new code reads is new to it.
        let is_known = is_read
            && (before.contains(&(candidate.by, candidate.what)) || added.contains(&candidate.by));
        if told.contains(&candidate.what) || !is_by_changed || is_known {
            continue;
        }
        let is_constant = candidate.change == DataChange::Named;
        let Some(described) = described(compared, &mut ids, candidate.what, is_constant)? else {
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
    let mut out = Vec::new();
    for ((candidate, described), uses) in asked.into_iter().zip(uses) {
        let is_constant = candidate.change == DataChange::Named;
        if uses.len() > MAX_PLACES[usize::from(is_constant)] {
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
        out.push(WrittenData {
            doc_id: described.doc_id,
            ty: described.ty,
            member: described.name,
            by: match told.contains(&candidate.by) {
                true => ids.of(candidate.by.0, Some(candidate.by.1))?,
                false => old_ids.of(candidate.by.0, Some(candidate.by.1))?,
            }
            .unwrap_or_default(),
            change: candidate.change,
            writers: writers.into_iter().collect(),
            readers: readers.into_iter().collect(),
        });
    }
    out.sort_by(|a, b| {
        let rank = |it: &WrittenData| (it.change, it.writers.len() + it.readers.len());
        (rank(a), &a.doc_id).cmp(&(rank(b), &b.doc_id))
    });
    out.truncate(MAX_TOLD);
    Ok(out)
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
        let around = found.inside.and_then(|(key, tag)| Some((key, tag?)));
        let is_changed = around.is_none_or(|member| changed.contains(&member));
        // `nameof` names a member as `typeof` does a type.
        let is_use = matches!(found.role, Role::Read | Role::Write | Role::Typeof);
        if is_use && !is_changed && !compared.is_of_tests(project) {
            out[found.want.symbol].insert((found.file, found.offset), found);
        }
    }
    out
}

/// A member as it is told, where it is a property or field of the product that other types see, or a constant or a value
/// of an enum. `is_constant`: which of the two.
fn described(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    (key, tag): Member,
    is_constant: bool,
) -> Result<Option<Described>, QueryError> {
    let Some(own) = ids.ty(key)? else {
        return Ok(None);
    };
    let Some(at) = own.index(tag) else {
        return Ok(None);
    };
    let doc_id = own.member(at);
    // Most of what code names are methods.
    let kinds = if is_constant {
        &["F:"][..]
    } else {
        &["F:", "P:"]
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
        let is_wanted = match is_constant {
            true => matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember),
            false => matches!(member.kind, DeclKind::Property | DeclKind::Field),
        };
        is_wanted && member.accessibility != Accessibility::Private
    });
    Ok(member.map(|member| Described {
        ty: node.fqn.clone(),
        name: member.name.clone(),
        doc_id,
    }))
}

/// What changed lines of the product assign that no lines which are gone assigned alike, what only lines that are gone
/// assigned, and what changed lines name that none of those named, which may be constants; the first of each by member.
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
    let mut out: BTreeMap<(Member, bool), Candidate> = BTreeMap::new();
    let mut add = |what: Member, by: Member, change: DataChange| {
        let key = (what, change == DataChange::Named);
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
            (false, _) if known.contains(&named.what) => continue,
            (false, _) => {
                add(named.what, named.by, DataChange::NewlyRead);
                DataChange::Named
            }
        };
        add(named.what, named.by, change);
    }
    let (mut by_same, mut by_changed) = (FxHashSet::default(), FxHashSet::default());
    for named in names.new.iter().filter(|it| it.is_written) {
        by_same.insert((named.what, named.by));
        if named.is_changed {
            by_changed.insert(named.what);
        }
    }
    for gone in names.old.iter().filter(|it| it.assigned.is_some()) {
        // Where other changed code gives it a value, that moved.
        if !by_same.contains(&(gone.what, gone.by)) && !by_changed.contains(&gone.what) {
            add(gone.what, gone.by, DataChange::NoLongerWritten);
        }
    }
    let mut out: Vec<Candidate> = out.into_values().collect();
    out.sort_by_key(|it| it.change == DataChange::NewlyRead);
    out
}
