//! Properties and fields that changed code gives another value, with who else of the product does and who reads them; and
//! constants and values of enums that it names newly, with who else names them.
//!
//! Owns: which of them are told. Must not know: who calls the changed code.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_index::{DeclBindings, FileBindings};
use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_model::{Accessibility, DeclKind, EdgeKind, RepoPath};
use cortex_wire::{CodePlace, Role, UseSide, WrittenData};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::{
    diff_context::{blobs::Reader, compared::Compared},
    impact::{
        file_lines::FileLines,
        next::Member,
        symbols::ChangedSymbol,
        uses::{Found, Places, Want, Wanted, find, symbol},
    },
    reading::ChangedLines,
};

/// What more files name is what the whole repository is about.
const MAX_FILES: usize = 60;

/// What more lines name says little of one change: of what is assigned, and of constants.
const MAX_PLACES: [usize; 2] = [30, 12];

/// Of more changed types, a few members say nothing.
const MAX_TYPES: usize = 400;

/// So many members are looked at.
const MAX_ASKED: usize = 60;

/// So many are told.
const MAX_TOLD: usize = 8;

/// An assignment of a changed file.
struct Assignment {
    to: Member,
    /// The member that has it.
    by: Member,
    /// Its text, without the white space in it.
    text: Vec<u8>,
}

/// A member that changed lines give a value, or a value that they name.
struct Write {
    by: Member,
    /// Whether lines that are gone gave it one as well.
    had_value: bool,
    /// Whether it is read alone.
    is_named: bool,
}

/// The unchanged properties and fields of the product that changed lines of the product assign, and that other code of it
/// assigns or reads: those that got another value there, then those that few lines name. `symbols`: what changed. Reads
/// the bindings of changed files and of those that name such members.
pub(crate) fn written_data(
    compared: &Compared,
    changed: &[ChangedType],
    symbols: &[ChangedSymbol],
    reader: &mut Reader<'_>,
) -> Result<Vec<WrittenData>, QueryError> {
    if changed.len() > MAX_TYPES {
        return Ok(Vec::new());
    }
    let told: FxHashSet<Member> = (symbols.iter())
        .filter(|it| it.side == UseSide::New)
        .filter_map(|it| Some((it.key, it.member?)))
        .collect();
    let mut wanted = Wanted::new();
    let mut candidates: Vec<(Member, Write)> = Vec::new();
    let writes = writes(compared, changed)?.into_iter().take(MAX_ASKED);
    let named = named(compared, changed)?.into_iter().take(MAX_ASKED);
    for (member, write) in writes.chain(named) {
        let (key, tag) = member;
        if told.contains(&member) || !told.contains(&write.by) {
            continue;
        }
        if compared.new.referrers(key, Some(&[tag]))?.len() <= MAX_FILES {
            let want = Want::of(Some(tag), candidates.len());
            wanted.entry(key).or_default().push(want);
            candidates.push((member, write));
        }
    }
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let places = find(&compared.new, &wanted)?;
    let mut ids = DocIds::new(&compared.new);
    let mut lines = FileLines::default();
    let mut uses = uses(compared, &places, &told, candidates.len()).into_iter();
    let mut out = Vec::new();
    for (member, write) in candidates {
        let uses = uses.next().unwrap_or_default();
        if uses.is_empty() || uses.len() > MAX_PLACES[usize::from(write.is_named)] {
            continue;
        }
        let Some((ty, name, doc_id)) = data(compared, &mut ids, member, write.is_named)? else {
            continue;
        };
        let (mut writers, mut readers) = (BTreeSet::new(), BTreeSet::new());
        for found in uses.into_values() {
            let file = &places.files[found.file as usize];
            let place = CodePlace {
                path: file.path.clone(),
                line: lines.line(reader, file.blob, found.offset)?,
                inside: match found.inside {
                    Some((key, member)) => ids.of(key, member)?,
                    None => None,
                },
            };
            match found.role {
                Role::Write => writers.insert(place),
                _ => readers.insert(place),
            };
        }
        out.push(WrittenData {
            doc_id,
            ty,
            member: name,
            by: ids.of(write.by.0, Some(write.by.1))?.unwrap_or_default(),
            had_value: write.had_value,
            is_constant: write.is_named,
            writers: writers.into_iter().collect(),
            readers: readers.into_iter().collect(),
        });
    }
    out.sort_by(|a, b| {
        let rank = |it: &WrittenData| (!it.had_value, it.writers.len() + it.readers.len());
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
        let is_use = matches!(found.role, Role::Read | Role::Write);
        if is_use && !is_changed && !compared.is_of_tests(project) {
            out[found.want.symbol].insert((found.file, found.offset), found);
        }
    }
    out
}

/// The type, the simple name and the documentation id of a member, where it is a property or field of the product that
/// other types see, or a constant or a value of an enum. `is_constant`: which of the two.
fn data(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    (key, tag): Member,
    is_constant: bool,
) -> Result<Option<(String, String, String)>, QueryError> {
    let Some(node) = compared.new.type_node(key)? else {
        return Ok(None);
    };
    let Some(own) = ids
        .ty(key)?
        .filter(|_| !compared.is_of_tests(&node.project))
    else {
        return Ok(None);
    };
    let Some(at) = own.index(tag) else {
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
    Ok(member.map(|member| (node.fqn.clone(), member.name.clone(), own.member(at))))
}

/// What changed lines of the product assign that no lines which are gone assigned alike.
fn writes(
    compared: &Compared,
    changed: &[ChangedType],
) -> Result<BTreeMap<Member, Write>, QueryError> {
    let sides = [Side::New, Side::Old].map(|side| assignments(compared, changed, side));
    let [new, old] = sides;
    let (new, old) = (new?, old?);
    let mut out = BTreeMap::new();
    for assignment in new {
        let mut before = old.iter().filter(|it| it.to == assignment.to).peekable();
        let had_value = before.peek().is_some();
        if before.all(|it| it.text != assignment.text) {
            let by = assignment.by;
            let write = out.entry(assignment.to);
            write.or_insert(Write {
                by,
                had_value,
                is_named: false,
            });
        }
    }
    Ok(out)
}

/// What changed lines of the product read that no lines which are gone read: constants and values of enums among it.
fn named(
    compared: &Compared,
    changed: &[ChangedType],
) -> Result<BTreeMap<Member, Write>, QueryError> {
    let read = |side| {
        of_changed_lines(compared, changed, side, |lines, bindings, around| {
            let (_, decl) = around;
            let refs = decl.refs.iter();
            let reads = refs.filter(|it| it.kind != EdgeKind::Writes && it.kind != EdgeKind::Doc);
            let reads = reads.filter(|it| lines.has(it.offset));
            let named = reads.filter_map(|it| symbol(&bindings.targets[it.target as usize]));
            named.filter_map(|(key, tag)| Some((key, tag?))).collect()
        })
    };
    let old: FxHashSet<Member> = read(Side::Old)?.into_iter().map(|(_, it)| it).collect();
    let mut out = BTreeMap::new();
    for (by, member) in read(Side::New)? {
        if !old.contains(&member) {
            out.entry(member).or_insert(Write {
                by,
                had_value: false,
                is_named: true,
            });
        }
    }
    Ok(out)
}

/// A side of the difference.
#[derive(Clone, Copy)]
enum Side {
    Old,
    New,
}

/// What lines of the product assign that only one side has.
fn assignments(
    compared: &Compared,
    changed: &[ChangedType],
    side: Side,
) -> Result<Vec<Assignment>, QueryError> {
    let found = of_changed_lines(compared, changed, side, |lines, bindings, (_, decl)| {
        let code = lines.code();
        let writes = decl.refs.iter().filter(|it| it.kind == EdgeKind::Writes);
        let assigned = writes.filter_map(|write| {
            let (ty, member) = symbol(&bindings.targets[write.target as usize])?;
            Some(((ty, member?), code.assignment(write.offset)?))
        });
        assigned.collect()
    })?;
    let found = found.into_iter();
    Ok(found
        .map(|(by, (to, text))| Assignment { to, by, text })
        .collect())
}

/// What is found in the members of changed files of the product, each with the member that has it.
fn of_changed_lines<T: Send>(
    compared: &Compared,
    changed: &[ChangedType],
    side: Side,
    find: impl Fn(&ChangedLines, &FileBindings, (Member, &DeclBindings)) -> Vec<T> + Sync,
) -> Result<Vec<(Member, T)>, QueryError> {
    let mut files: BTreeSet<(&RepoPath, &RepoPath)> = BTreeSet::new();
    for ty in changed {
        let node = match side {
            Side::Old => ty.old.as_ref(),
            Side::New => ty.new.as_ref(),
        };
        let Some(node) = node.filter(|node| !compared.is_of_tests(&node.project)) else {
            continue;
        };
        let parts = node.parts.iter();
        files.extend(parts.map(|part| (&part.path, node.project_of(part))));
    }
    let files: Vec<_> = files.into_iter().collect();
    let found = files.par_iter().map(|(path, project)| {
        let (lines, snapshot) = match side {
            Side::Old => (ChangedLines::of_old(compared, path), &compared.old),
            Side::New => (ChangedLines::of(compared, path), &compared.new),
        };
        let mut out = Vec::new();
        let Some(lines) = lines else {
            return Ok(out);
        };
        let bindings = snapshot.bindings(path, project)?;
        for decl in &bindings.decls {
            let around = decl
                .symbol
                .and_then(|at| symbol(&bindings.targets[at as usize]));
            if let Some((key, Some(tag))) = around {
                let found = find(&lines, &bindings, ((key, tag), decl)).into_iter();
                out.extend(found.map(|it| ((key, tag), it)));
            }
        }
        Ok(out)
    });
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    Ok(found.into_iter().flatten().collect())
}
