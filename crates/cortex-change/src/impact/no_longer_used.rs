//! What lines that are gone used and that nothing of the product uses any longer.
//!
//! Owns: what that is. Must not know: why the lines went.

use std::collections::BTreeSet;

use cortex_derived::doc_ids::DocIds;
use cortex_index::MemberTag;
use cortex_look::{QueryError, follow::differing::ChangedType};
use cortex_model::{DeclKind, EdgeKind, Modifier, RepoPath, TypeKey};
use cortex_wire::{CodePlace, NoLongerUsed, Role, UseSide};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::{
    diff_context::compared::Compared,
    impact::{
        declared::{Declared, declared},
        dispatch::{Hierarchy, implementers},
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

/// What still names a symbol.
#[derive(Default)]
struct Uses {
    is_used: bool,
    /// A constructor of its type assigns it.
    is_assigned: bool,
    /// Files and offsets.
    in_tests: BTreeSet<(u32, u32)>,
}

/// The unchanged types and members of the product that lines of the product which are gone named, and that no code of the
/// product names now; by id. Documentation, what a type names in itself and what its constructors assign count as none. Reads
/// the bindings of changed files and of those that name such symbols.
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
    let mut ids = DocIds::new(&compared.new);
    let mut uses: Vec<Uses> = candidates.iter().map(|_| Uses::default()).collect();
    for found in &places.found {
        let at = found.want.symbol;
        let project = &places.files[found.file as usize].projects[found.project as usize];
        let (key, tag) = candidates[at];
        // A type names itself, and a member calls itself.
        let is_own = found.inside.is_some_and(|(inside, member)| {
            inside.bare() == key.bare() && (tag.is_none() || member == tag)
        });
        let is_assigned = found.role == Role::Write
            && match found.inside {
                Some(inside) if inside.0.bare() == key.bare() => is_constructor(&mut ids, inside)?,
                _ => false,
            };
        let uses = &mut uses[at];
        match compared.is_of_tests(project) {
            _ if is_own => {}
            true => drop(uses.in_tests.insert((found.file, found.offset))),
            false if is_assigned => uses.is_assigned = true,
            false => uses.is_used = true,
        }
    }
    let mut hierarchy = Hierarchy::default();
    let mut out = Vec::new();
    for (symbol, uses) in candidates.into_iter().zip(uses) {
        if !uses.is_used {
            out.extend(told(compared, (&mut ids, &mut hierarchy), symbol, &uses)?);
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

/// A type, or a member that is written and that no contract of it calls.
fn told(
    compared: &Compared,
    (ids, hierarchy): (&mut DocIds<'_>, &mut Hierarchy),
    (key, tag): Symbol,
    uses: &Uses,
) -> Result<Option<NoLongerUsed>, QueryError> {
    let Some(Declared {
        node,
        member,
        place,
    }) = declared(ids, key, tag)?
    else {
        return Ok(None);
    };
    let doc_id = place.inside.clone().unwrap_or_default();
    let mut implemented_by = Vec::new();
    if let Some(member) = &member {
        let implementations = compared.new.implementations(key)?;
        let is_called_otherwise = member.modifiers.contains(Modifier::Override)
            || implementations.iter().any(|it| *it.member == *doc_id);
        // What assigns a property may be read by a serializer.
        let is_field = member.kind == DeclKind::Field;
        if is_called_otherwise || uses.is_assigned && !is_field {
            return Ok(None);
        }
        for (ty, id) in implementers(ids, hierarchy, key, &doc_id)? {
            implemented_by.extend(implementation(compared, ids, ty, &id)?);
        }
        implemented_by.sort_unstable();
    }
    Ok(Some(NoLongerUsed {
        doc_id,
        ty: node.fqn.clone(),
        member: member.map(|member| member.name),
        path: place.path,
        line: place.line,
        is_assigned: uses.is_assigned,
        implemented_by,
        n_test_uses: uses.in_tests.len(),
    }))
}

/// Where the product declares a member of this id.
fn implementation(
    compared: &Compared,
    ids: &mut DocIds<'_>,
    key: TypeKey,
    id: &str,
) -> Result<Option<CodePlace>, QueryError> {
    let tag = ids.ty(key)?.and_then(|own| own.tag_of(id));
    let Some(tag) = tag else { return Ok(None) };
    let declared = declared(ids, key, Some(tag))?;
    let declared = declared.filter(|it| !compared.is_of_tests(&it.node.project));
    Ok(declared.map(|it| it.place))
}

/// Whether code is that of a constructor.
fn is_constructor(ids: &mut DocIds<'_>, (key, member): Symbol) -> Result<bool, QueryError> {
    let id = ids.of(key, member)?;
    Ok(id.is_some_and(|id| id.contains(".#ctor")))
}
