//! Routines of a database that changed code runs or ran, and that did not change.
//!
//! Owns: which code counts as run by changed code. Must not know: how SQL is read.

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeNode;
use cortex_derived::doc_ids::DocIds;
use cortex_look::QueryError;
use cortex_model::TypeKey;
use cortex_wire::NamedRoutine;

use super::{
    around::Declared,
    climb::says_what_runs,
    dispatch::{Hierarchy, implementers},
    names::ChangedNames,
    procedures::{MemberStrings, calling, names_in, unchanged_routines},
    string_places::{Wanted, string_places},
    strings::strings,
    symbols::{ChangedSymbol, running_otherwise},
};
use crate::{
    database::behind::Files,
    diff_context::{blobs::BlobSource, compared::Compared},
    reading::ChangedLines,
};

/// So many members are looked at.
const MAX_MEMBERS: usize = 60;

/// So many routines are told.
const MAX_TOLD: usize = 8;

/// The routines that changed members of the product name, and those that members name which these newly call, also as
/// implementations of what they call; by member and name. Nothing where there is no SQL. Reads the files of these members that
/// mention a call of a routine.
pub(super) fn run(
    compared: &Compared,
    names: &ChangedNames,
    symbols: &[ChangedSymbol],
    source: BlobSource<'_>,
) -> Result<Vec<NamedRoutine>, QueryError> {
    let files = Files::new(compared, source);
    if files.is_empty()? {
        return Ok(Vec::new());
    }
    let changed = running_otherwise(symbols);
    let before = names.before();
    let mut wanted = changed.clone();
    let fresh = names.new.iter().filter(|it| {
        it.is_call
            && it.is_changed
            && changed.contains(&it.by)
            && !before.contains(&(it.by, it.what))
    });
    wanted.extend(fresh.map(|it| it.what));
    let mut ids = DocIds::new(&compared.new);
    let mut hierarchy = Hierarchy::default();
    let mut running: BTreeSet<(TypeKey, String)> = BTreeSet::new();
    for (key, tag) in wanted {
        let Some(id) = ids.of(key, Some(tag))?.filter(|id| id.starts_with("M:")) else {
            continue;
        };
        // Who changed alike is among the changed members.
        let is_called = !changed.contains(&(key, tag));
        if is_called && says_what_runs(compared, &compared.new, key)? {
            running.extend(implementers(&ids, &mut hierarchy, key, &id)?);
        }
        running.insert((key, id));
    }
    let calling = calling(&compared.new)?;
    let mut strings = MemberStrings::new(compared, source);
    let mut out: BTreeMap<String, NamedRoutine> = BTreeMap::new();
    let mut n_left = MAX_MEMBERS;
    for (key, id) in running {
        let node = compared.new.type_node(key)?;
        let is_calling = |node: &TypeNode| {
            let mut parts = node.parts.iter();
            let is_of_product = !compared.is_of_tests(&node.project);
            is_of_product && parts.any(|part| calling.contains_key(&part.path))
        };
        let Some(node) = node.filter(is_calling) else {
            continue;
        };
        let Some(left) = n_left.checked_sub(1) else {
            break;
        };
        n_left = left;
        let member = (key, &*id, &*node.fqn);
        for routine in unchanged_routines(&mut ids, member, files, &mut strings)? {
            out.entry(routine.name.clone()).or_insert(routine);
        }
    }
    let mut out: Vec<NamedRoutine> = out.into_values().collect();
    out.sort();
    out.truncate(MAX_TOLD);
    Ok(out)
}

/// The routines that lines of the product named which are gone, and that no code of the product names any longer; by member,
/// which is one of the older side, and name. Reads the changed files, and where there are such routines the files that have a
/// word of their names.
pub(super) fn left(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<NamedRoutine>, QueryError> {
    let files = Files::new(compared, source);
    if files.is_empty()? {
        return Ok(Vec::new());
    }
    let mut ids = DocIds::new(&compared.old);
    let mut out: BTreeMap<String, NamedRoutine> = BTreeMap::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for file in &compared.files {
        let Some(side) = &file.old else { continue };
        let Some(summary) = compared.old.file(&side.path)? else {
            continue;
        };
        let mut product = summary.projects.iter();
        let Some(project) = product.find(|it| !compared.is_of_tests(it)) else {
            continue;
        };
        let Some(lines) = ChangedLines::of_old(compared, &side.path) else {
            continue;
        };
        let gone = strings(lines.text()).into_iter();
        let gone: Vec<_> = gone.filter(|it| lines.has(it.start as u32)).collect();
        if gone.is_empty() {
            continue;
        }
        let declared = Declared::of(&compared.old, &summary, project)?;
        for it in gone {
            let member = match declared.around(it.start as u32) {
                Some((key, tag)) => ids.of(key, tag)?.unwrap_or_default(),
                None => String::new(),
            };
            for name in names_in(&it.said) {
                if !seen.insert(name.clone()) {
                    continue;
                }
                if let Some((path, found)) = files.routine(&name)? {
                    out.insert(
                        name,
                        NamedRoutine {
                            member: member.clone(),
                            name: found.name,
                            path,
                            line: found.line,
                        },
                    );
                }
            }
        }
    }
    retain_unnamed(compared, &mut out, source)?;
    let mut out: Vec<NamedRoutine> = out.into_values().collect();
    out.sort();
    out.truncate(MAX_TOLD);
    Ok(out)
}

/// Leaves of routines, by names in lower case, those that no string of the product names, be it by the end that it puts behind
/// something else (`{Table}_Update`). Reads the files that have a word of such names.
fn retain_unnamed(
    compared: &Compared,
    routines: &mut BTreeMap<String, NamedRoutine>,
    source: BlobSource<'_>,
) -> Result<(), QueryError> {
    if routines.is_empty() {
        return Ok(());
    }
    let ends = |name: &str| -> Vec<String> {
        let at = name.match_indices('_').map(|(at, _)| at);
        at.map(|at| name[at..].to_owned()).collect()
    };
    let written = routines.values().map(|it| &it.name);
    let parts = written.flat_map(|name| ends(name).into_iter().chain([name.clone()]));
    let is_end = |word: &str| word.starts_with('_') && word.len() > 1;
    let named = |said: &str| -> Vec<String> {
        let names = routines.keys();
        let is_named = |name: &&String| {
            let is_it = |word: String| word == **name || is_end(&word) && name.ends_with(&word);
            names_in(said).any(is_it)
        };
        names.filter(is_named).cloned().collect()
    };
    let wanted = Wanted {
        in_tests: false,
        parts: parts.collect(),
        name: &|said| (!named(said).is_empty()).then(|| said.to_owned()),
        comment: &|_| None,
    };
    let still: BTreeSet<String> = (string_places(compared, source, &wanted)?.iter())
        .flat_map(|(said, _)| named(said))
        .collect();
    routines.retain(|name, _| !still.contains(name));
    Ok(())
}
