//! What lines that are gone used and that nothing of the product uses any longer.
//!
//! Owns: what that is. Must not know: why the lines went.

use std::collections::{BTreeMap, BTreeSet};

use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_index::MemberTag;
use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_model::{Accessibility, EdgeKind, Modifier, RepoPath, TypeKey};
use cortex_wire::{NoLongerUsed, UseSide};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::{
    diff_context::compared::Compared,
    impact::{
        symbols::ChangedSymbol,
        uses::{Want, Wanted, find, symbol},
    },
    reading::ChangedLines,
};

/// What more files name is used.
const MAX_FILES: usize = 24;

/// So many symbols are looked at.
const MAX_ASKED: usize = 400;

/// A type, or a member of one.
type Symbol = (TypeKey, Option<MemberTag>);

/// The unchanged types and members of the product that lines of the product which are gone named, and that no code of the
/// product names now; by id. Documentation and what a type names in itself count as none. Reads the bindings of changed files
/// and of those that name such symbols.
pub(crate) fn no_longer_used(
    compared: &Compared,
    changed: &[ChangedType],
    symbols: &[ChangedSymbol],
) -> Result<Vec<NoLongerUsed>, QueryError> {
    let is_told: FxHashSet<Symbol> = (symbols.iter())
        .filter(|it| it.side == UseSide::New)
        .map(|it| (it.key, it.member))
        .collect();
    let mut asked = named_by_gone_lines(compared, changed)?;
    asked.retain(|it| !is_told.contains(it));
    let mut wanted = Wanted::new();
    let mut candidates: Vec<Symbol> = Vec::new();
    for asked in asked.into_iter().take(MAX_ASKED) {
        let (key, tag) = asked;
        let Some(header) = compared.new.type_header(key)? else {
            continue;
        };
        if compared.is_of_tests(&header.project) {
            continue;
        }
        let tags = tag.map(|tag| [tag]);
        let files = compared
            .new
            .referrers(key, tags.as_ref().map(|it| &it[..]))?;
        if files.len() <= MAX_FILES {
            let want = Want::of(tag, candidates.len());
            wanted.entry(key).or_default().push(want);
            candidates.push(asked);
        }
    }
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let places = find(&compared.new, &wanted)?;
    let mut is_used = vec![false; candidates.len()];
    let mut in_tests: BTreeMap<usize, BTreeSet<(u32, u32)>> = BTreeMap::new();
    for found in &places.found {
        let at = found.want.symbol;
        let project = &places.files[found.file as usize].projects[found.project as usize];
        let (key, tag) = candidates[at];
        // A type names itself, and a member calls itself.
        let is_own = found.inside.is_some_and(|(inside, member)| {
            inside.bare() == key.bare() && (tag.is_none() || member == tag)
        });
        match compared.is_of_tests(project) {
            _ if is_own => {}
            true => drop(
                in_tests
                    .entry(at)
                    .or_default()
                    .insert((found.file, found.offset)),
            ),
            false => is_used[at] = true,
        }
    }
    let mut ids = DocIds::new(&compared.new);
    let mut out = Vec::new();
    for (at, (key, tag)) in candidates.into_iter().enumerate() {
        if !is_used[at] {
            let n_test_uses = in_tests.get(&at).map_or(0, BTreeSet::len);
            out.extend(told(compared, &mut ids, (key, tag), n_test_uses)?);
        }
    }
    // A type says enough of its members.
    let types: BTreeSet<String> = (out.iter())
        .filter(|it| it.member.is_none())
        .map(|it| it.ty.clone())
        .collect();
    out.retain(|it| it.member.is_none() || !types.contains(&it.ty));
    out.sort_by(|a, b| a.doc_id.cmp(&b.doc_id));
    Ok(out)
}

/// The symbols that changed product code named on lines of the older side which are gone.
fn named_by_gone_lines(
    compared: &Compared,
    changed: &[ChangedType],
) -> Result<BTreeSet<Symbol>, QueryError> {
    let mut files: BTreeSet<(&RepoPath, &RepoPath)> = BTreeSet::new();
    for node in changed.iter().filter_map(|ty| ty.old.as_ref()) {
        if !compared.is_of_tests(&node.project) {
            files.extend(
                node.parts
                    .iter()
                    .map(|part| (&part.path, node.project_of(part))),
            );
        }
    }
    let files: Vec<_> = files.into_iter().collect();
    let found = files.par_iter().map(|(path, project)| {
        let mut out: BTreeSet<Symbol> = BTreeSet::new();
        let Some(lines) = ChangedLines::of_old(compared, path) else {
            return Ok(out);
        };
        let bindings = compared.old.bindings(path, project)?;
        for decl in &bindings.decls {
            let refs = decl.refs.iter().filter(|it| it.kind != EdgeKind::Doc);
            let refs = refs.map(|it| (it.target, it.offset));
            let uses = decl.uses.iter().map(|it| (it.target, it.offset));
            let gone = refs.chain(uses).filter(|&(_, offset)| lines.has(offset));
            let gone = gone.filter_map(|(target, _)| symbol(&bindings.targets[target as usize]));
            // What a type names in itself was no use of it.
            let around = decl
                .symbol
                .and_then(|at| symbol(&bindings.targets[at as usize]));
            let is_own = |(key, tag): &Symbol| {
                tag.is_none() && around.is_some_and(|(inside, _)| inside.bare() == key.bare())
            };
            out.extend(gone.filter(|it| !is_own(it)));
        }
        Ok(out)
    });
    let found = found.collect::<Result<Vec<_>, QueryError>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// A type, or a member that is written, that other code could name and that no contract of it calls.
fn told(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    (key, tag): Symbol,
    n_test_uses: usize,
) -> Result<Option<NoLongerUsed>, QueryError> {
    let Some(node) = compared.new.type_node(key)? else {
        return Ok(None);
    };
    let Some(own) = ids.ty(key)? else {
        return Ok(None);
    };
    let (doc_id, member) = match tag {
        None => (own.id.clone(), None),
        Some(tag) => {
            let Some(at) = own.index(tag) else {
                return Ok(None);
            };
            let written = written_members(&node, &own).into_iter();
            let mut written = written.zip(&node.members);
            let Some((_, member)) = written.find(|(it, _)| *it == Some(at)) else {
                return Ok(None);
            };
            let doc_id = own.member(at);
            let implementations = compared.new.implementations(key)?;
            let is_called_otherwise = member.modifiers.contains(Modifier::Override)
                || implementations.iter().any(|it| *it.member == *doc_id);
            // The compiler says it of private ones.
            if is_called_otherwise || member.accessibility == Accessibility::Private {
                return Ok(None);
            }
            (doc_id, Some(member.name.clone()))
        }
    };
    let part = node.parts.first();
    Ok(Some(NoLongerUsed {
        doc_id,
        ty: node.fqn.clone(),
        member,
        path: part.map_or_else(|| node.project.clone(), |part| part.path.clone()),
        n_test_uses,
    }))
}
