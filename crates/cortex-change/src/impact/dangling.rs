//! Names that the change left behind: they meant a member or type on the older side, and resolve to nothing on the newer
//! one. Such code does not compile.
//!
//! Owns: which names may be left behind, and where they are. A name that resolved to nothing before is none of them: its
//! package may be missing. Must not know: how places are rendered.

use crate::{
    changes::Pair,
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::lines::line_around,
};
use cortex_derived::{
    doc_ids::{DocIds, written_members},
    names::unbound::word,
};
use cortex_look::{
    QueryError,
    follow::{pairing::is_same, renames::Aliases},
};
use cortex_wire::{LostName, LostPlace};

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::{MemberNode, TypeNode};
use cortex_git::ReadBlob;
use cortex_index::{FileSummary, MemberTag, Snapshot};
use cortex_model::{LineTable, RepoPath, TypeKey};
use cortex_syntax::text::decode;
use rayon::prelude::*;

/// So many files are looked at.
const MAX_FILES: usize = 2_000;

/// So many files are read by one thread with one reader.
const N_TOGETHER: usize = 16;

/// A type or member that the newer side lacks, or has with another signature.
struct Lost {
    /// Its simple name.
    name: String,
    /// Its documentation id on the older side.
    was: String,
}

/// The names of changed types and of their members that resolve to nothing any longer, by name. O(files that used them).
pub(crate) fn find(
    compared: &Compared,
    pairs: &[Pair<'_>],
    aliases: &Aliases,
    source: BlobSource<'_>,
) -> Result<Vec<LostName>, QueryError> {
    let mut ids = DocIds::new(&compared.old);
    let mut files: BTreeMap<RepoPath, Vec<usize>> = BTreeMap::new();
    let mut all: Vec<Lost> = Vec::new();
    for pair in pairs {
        let old_key = aliases.old_of(pair.key).unwrap_or(pair.key);
        for (lost, tag) in lost(&mut ids, pair, old_key)? {
            let tags = tag.map(|tag| vec![tag]);
            for file in compared.old.referrers(old_key, tags.as_deref())? {
                files.entry(file.path).or_default().push(all.len());
            }
            all.push(lost);
        }
    }
    let files: Vec<(RepoPath, Vec<usize>)> = files.into_iter().take(MAX_FILES).collect();
    let found = files.par_chunks(N_TOGETHER).flat_map_iter(|files| {
        let mut reader = source.open();
        let found = files.iter().map(|(path, lost)| {
            let names: BTreeSet<&str> = lost.iter().map(|&at| all[at].name.as_str()).collect();
            let places = newly_unbound(compared, path, &names, &mut reader)?;
            let was = |name: &str| lost.iter().find(|&&at| all[at].name == name);
            let places = places.into_iter();
            Ok(places
                .filter_map(|(name, place)| Some((*was(&name)?, place)))
                .collect::<Vec<_>>())
        });
        found.collect::<Vec<_>>()
    });
    let found = found.collect::<Result<Vec<Vec<_>>, QueryError>>()?;
    let mut out: BTreeMap<usize, Vec<LostPlace>> = BTreeMap::new();
    for (at, place) in found.into_iter().flatten() {
        out.entry(at).or_default().push(place);
    }
    let mut out: Vec<LostName> = (out.into_iter())
        .map(|(at, places)| LostName {
            name: all[at].name.clone(),
            was: all[at].was.clone(),
            places,
        })
        .collect();
    out.sort_by(|a, b| (&a.name, &a.was).cmp(&(&b.name, &b.was)));
    Ok(out)
}

/// What of a changed type the newer side lacks: the type by its name, else members by their signatures. With the tag of
/// each member.
fn lost(
    ids: &mut DocIds<'_>,
    pair: &Pair<'_>,
    old_key: TypeKey,
) -> Result<Vec<(Lost, Option<MemberTag>)>, QueryError> {
    let Some(old) = pair.old else {
        return Ok(Vec::new());
    };
    let Some(known) = ids.ty(old_key)? else {
        return Ok(Vec::new());
    };
    let mut out = Vec::new();
    if pair.new.is_none_or(|new| new.fqn != old.fqn) {
        let lost = Lost {
            name: simple(&old.fqn).to_owned(),
            was: known.id.clone(),
        };
        out.push((lost, None));
    }
    let Some(new) = pair.new else {
        return Ok(out);
    };
    for (member, at) in old.members.iter().zip(written_members(old, &known)) {
        let Some(at) = at.filter(|_| !has_same(new, member)) else {
            continue;
        };
        let lost = Lost {
            name: member.simple_name().to_owned(),
            was: known.member(at),
        };
        out.push((lost, Some(known.symbols.tag(at))));
    }
    Ok(out)
}

fn has_same(new: &TypeNode, member: &MemberNode) -> bool {
    new.members.iter().any(|other| is_same(member, other))
}

/// The simple name of a type, without the number of its type parameters.
fn simple(fqn: &str) -> &str {
    let name = fqn.rsplit(['.', '+']).next().unwrap_or(fqn);
    name.split('`').next().unwrap_or(name)
}

/// The names among some that more places of a file fail to resolve on the newer side than on the older one, with these
/// places. `path`: on the older side.
fn newly_unbound(
    compared: &Compared,
    path: &RepoPath,
    names: &BTreeSet<&str>,
    reader: &mut dyn ReadBlob,
) -> Result<Vec<(String, LostPlace)>, QueryError> {
    let renamed =
        (compared.files.iter()).find(|it| it.old.as_ref().is_some_and(|it| it.path == *path));
    let now = match renamed {
        Some(change) => change.new.as_ref().map(|side| &side.path),
        None => Some(path),
    };
    let (Some(before), Some(after)) = (
        compared.old.file(path)?,
        now.map(|now| compared.new.file(now)).transpose()?.flatten(),
    ) else {
        return Ok(Vec::new());
    };
    let (places, text) = unbound(&compared.new, &after, names, reader)?;
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let (known, _) = unbound(&compared.old, &before, names, reader)?;
    let count = |all: &BTreeMap<u32, Unbound>, name: &str| {
        all.values().filter(|it| it.name == name).count()
    };
    let lines = LineTable::new(&text);
    let new = places
        .iter()
        .filter(|(_, it)| count(&places, &it.name) > count(&known, &it.name));
    let told = new.map(|(&offset, it)| {
        let at = lines.position(offset);
        let place = LostPlace {
            path: after.path.clone(),
            at,
            project: it.project.clone(),
            is_test: compared.is_of_tests(&it.project),
            text: line_around(&text, offset),
        };
        (it.name.clone(), place)
    });
    Ok(told.collect())
}

/// A name that resolves to nothing.
struct Unbound {
    name: String,
    /// The first project in which it does.
    project: RepoPath,
}

/// The places of a file where one of some names resolves to nothing, by offset, with the file's text.
fn unbound(
    snapshot: &Snapshot,
    file: &FileSummary,
    names: &BTreeSet<&str>,
    reader: &mut dyn ReadBlob,
) -> Result<(BTreeMap<u32, Unbound>, Vec<u8>), QueryError> {
    let mut offsets: BTreeMap<u32, &RepoPath> = BTreeMap::new();
    for project in &file.projects {
        let bindings = snapshot.bindings(&file.path, project)?;
        for found in bindings.decls.iter().flat_map(|decl| &decl.unbound) {
            offsets.entry(found.offset).or_insert(project);
        }
    }
    if offsets.is_empty() {
        return Ok((BTreeMap::new(), Vec::new()));
    }
    let text = decode(&reader.read_blob(file.blob)?).as_bytes().to_vec();
    let found = offsets.into_iter().filter_map(|(offset, project)| {
        let name = word(&text, offset);
        let found = Unbound {
            name: name.to_owned(),
            project: project.clone(),
        };
        names.contains(name).then_some((offset, found))
    });
    Ok((found.collect(), text))
}
