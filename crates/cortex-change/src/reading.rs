//! What one needs of unchanged code to understand a change, and committed context that it makes stale.

mod called;
mod changed_lines;
mod handling;
pub(crate) mod source;

use crate::{
    changes::type_ref,
    diff_context::{blobs::BlobSource, compared::Compared},
    impact::{
        names::{ChangedNames, Name},
        next::Member,
        promises::promises,
        symbols::ChangedSymbol,
    },
};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_look::{QueryError, declared::declared_type, follow::differing::ChangedType};
use cortex_wire::{
    CallReason, CalledCode, MemberChangeKind, Outline, StaleEntry, TypeChange, UseSide,
};

use std::collections::{BTreeMap, BTreeSet};

use cortex_bind::TypeNode;
use cortex_index::{BoundTarget, FileBindings, MemberTag};
use cortex_model::{ChangeClass, EdgeKind, RepoPath, TypeKey, TypeKind};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use called::Calls;
pub(crate) use changed_lines::ChangedLines;
use handling::Handling;
use source::Sources;

/// How many types are told.
const MAX_OUTLINES: usize = 40;

/// What a member counts that the change implements or overrides: its documentation says what is promised.
const PROMISED: u32 = 5;

/// What a call of a member counts: what it does is part of what changed.
const CALLED: u32 = 4;

/// What a call counts of which a changed line names the result.
const FEEDS: u32 = 3;

/// What a call of the same type counts that stands on no changed line.
const BESIDE: u32 = 2;

/// What of an unchanged type the changed code names.
#[derive(Default)]
struct Needed {
    /// Whether product code names it.
    by_product: bool,
    /// How often it or a member of it is named; calls count more.
    weight: u32,
    /// The changed symbol that names it first, of product code if any is.
    because: String,
    members: BTreeSet<MemberTag>,
}

/// What one needs of unchanged code.
pub(crate) struct Reading {
    /// Types that changed lines name or changed members implement, with the members that are named: those with members
    /// first, then the most named ones; calls count more. What tests name is there where no product code changed.
    pub(crate) outlines: Vec<Outline>,
    /// What changed lines of the product call; of tests, where nothing else changed.
    pub(crate) called: Vec<CalledCode>,
}

/// What one needs of unchanged code to understand a change. `symbols`: those that changed; `names`: what their files name,
/// where they are few. O(files of changed types).
pub(crate) fn to_read(
    compared: &Compared,
    changed: &[ChangedType],
    symbols: &[ChangedSymbol],
    names: Option<&ChangedNames>,
    source: BlobSource<'_>,
) -> Result<Reading, QueryError> {
    let mut by_type: BTreeMap<TypeKey, Vec<&ChangedSymbol>> = BTreeMap::new();
    for symbol in symbols.iter().filter(|symbol| symbol.side == UseSide::New) {
        by_type.entry(symbol.key).or_default().push(symbol);
    }
    let is_changed: FxHashSet<TypeKey> = changed.iter().map(|ty| ty.key).collect();
    let of_new = changed.iter().filter_map(|ty| {
        let symbols = by_type.get(&ty.key)?;
        Some((ty.key, ty.new.as_ref()?, symbols.as_slice()))
    });
    let of_new: Vec<_> = of_new.collect();
    let found = of_new.par_iter().map(|&(key, node, symbols)| {
        let mut found = named_by(compared, key, node, symbols)?;
        found.extend(promised_by(compared, key, symbols)?);
        Ok((compared.is_of_tests(&node.project), found))
    });
    let mut needed: BTreeMap<TypeKey, Needed> = BTreeMap::new();
    // Of a change of tests alone, the product that they call is what they are about.
    let has_product_code = (of_new.iter()).any(|(_, node, _)| !compared.is_of_tests(&node.project));
    let mut calls = Calls::default();
    let mut handling = Handling::new(compared);
    for (is_test, found) in found.collect::<Result<Vec<_>, QueryError>>()? {
        for named in found {
            if let Some(tag) = named
                .member
                .filter(|_| named.is_called && !(is_test && has_product_code))
            {
                let reason = match named.weight {
                    BESIDE => CallReason::Beside,
                    FEEDS => CallReason::Feeds,
                    _ => CallReason::Called,
                };
                calls.add((named.ty, tag), &named.because, reason);
            }
            if !is_test {
                for member in handling.of_named((named.ty, named.member))? {
                    calls.add_handler(member, &named.because);
                }
            }
            if is_changed.contains(&named.ty) {
                continue;
            }
            let entry = needed.entry(named.ty).or_default();
            entry.weight += named.weight;
            if entry.because.is_empty() || !is_test && !entry.by_product {
                entry.because = named.because;
            }
            entry.by_product |= !is_test;
            entry.members.extend(named.member);
        }
    }
    for (member, because) in names.iter().flat_map(|it| replaced_calls(it, symbols)) {
        calls.add_gone(member, because);
    }
    for (member, because) in uncovered(compared, symbols)? {
        calls.add_back(member, because);
    }
    let has_product = needed.values().any(|it| it.by_product);
    let mut ranked: Vec<(TypeKey, Needed)> = needed.into_iter().collect();
    ranked.retain(|(_, it)| it.by_product || !has_product);
    ranked.sort_by_key(|(key, it)| (it.members.is_empty(), std::cmp::Reverse(it.weight), *key));
    ranked.truncate(MAX_OUTLINES);
    let told = ranked.par_iter();
    let told = told.map(|(key, needed)| outline(compared, *key, needed, source));
    let told: Vec<Option<Outline>> = told.collect::<Result<_, QueryError>>()?;
    let changed_members: FxHashSet<Member> = (symbols.iter())
        .filter(|symbol| symbol.side == UseSide::New)
        .filter_map(|symbol| Some((symbol.key, symbol.member?)))
        .collect();
    Ok(Reading {
        outlines: told.into_iter().flatten().collect(),
        called: calls.code(compared, &changed_members, has_product_code, source)?,
    })
}

/// What overrides that are gone overrode, each with the override.
fn uncovered(
    compared: &Compared,
    symbols: &[ChangedSymbol],
) -> Result<Vec<(Member, String)>, QueryError> {
    let mut ids = DocIds::new(&compared.old);
    let mut out = Vec::new();
    let gone = symbols.iter().filter(|symbol| {
        let is_gone = symbol.change == MemberChangeKind::Removed && symbol.side == UseSide::Old;
        is_gone && symbol.member.is_some()
    });
    for symbol in gone {
        let is_there = compared.new.type_header(symbol.key)?.is_some();
        if is_there {
            let name = symbol.name.as_deref().unwrap_or_default();
            let promises = promises(&mut ids, symbol.key, &[&symbol.id])?.into_iter();
            out.extend(promises.map(|(_, it)| ((it.ty, it.tag), format!("{}.{name}", symbol.ty))));
        }
    }
    Ok(out)
}

/// What changed members of the product called on lines that are gone and call no longer, each with the member, where that
/// calls something else instead.
fn replaced_calls(names: &ChangedNames, symbols: &[ChangedSymbol]) -> Vec<(Member, String)> {
    let mut by: BTreeMap<Member, &ChangedSymbol> = BTreeMap::new();
    for symbol in symbols.iter().filter(|it| it.runs_otherwise()) {
        by.extend(symbol.member.map(|tag| ((symbol.key, tag), symbol)));
    }
    let calls = |side: &[Name], is_wanted: fn(&&Name) -> bool| -> BTreeSet<(Member, Member)> {
        let calls = side.iter().filter(|it| it.is_call).filter(is_wanted);
        calls.map(|it| (it.by, it.what)).collect()
    };
    let [before, gone] =
        [|_: &&Name| true, |it: &&Name| it.is_changed].map(|is| calls(&names.old, is));
    let [after, fresh] =
        [|_: &&Name| true, |it: &&Name| it.is_changed].map(|is| calls(&names.new, is));
    let replacing: BTreeSet<Member> = fresh.difference(&before).map(|(by, _)| *by).collect();
    let gone = gone.difference(&after);
    let gone = gone.filter_map(|(caller, what)| {
        let symbol = by.get(caller).filter(|_| replacing.contains(caller))?;
        let name = symbol.name.as_deref().unwrap_or_default();
        Some((*what, format!("{}.{name}", symbol.ty)))
    });
    gone.collect()
}

/// A name of a type or of a member of one.
struct Named {
    ty: TypeKey,
    member: Option<MemberTag>,
    weight: u32,
    is_called: bool,
    because: String,
}

/// What the changed symbols of a type name.
fn named_by(
    compared: &Compared,
    key: TypeKey,
    node: &TypeNode,
    symbols: &[&ChangedSymbol],
) -> Result<Vec<Named>, QueryError> {
    let is_new = |symbol: &&&ChangedSymbol| {
        symbol.member.is_none() && symbol.change == MemberChangeKind::Added
    };
    let is_added = symbols.iter().any(|symbol| is_new(&symbol));
    let because = |member: Option<MemberTag>| {
        let symbol = symbols.iter().find(|symbol| symbol.member == member);
        match symbol.and_then(|symbol| symbol.name.as_deref()) {
            Some(name) => format!("{}.{name}", node.fqn),
            None => node.fqn.clone(),
        }
    };
    let mut out = Vec::new();
    let paths: BTreeSet<&RepoPath> = node.parts.iter().map(|part| &part.path).collect();
    for path in paths {
        let Some(lines) = ChangedLines::of(compared, path) else {
            continue;
        };
        let bindings = compared.new.bindings(path, node.project_in(path))?;
        let code = lines.code();
        let is_of_type = |target: u32| matches!(bindings.targets[target as usize], BoundTarget::Member(ty, _) if ty == key);
        for decl in &bindings.decls {
            let declared = decl.symbol.map(|at| &bindings.targets[at as usize]);
            let member = match declared {
                Some(&BoundTarget::Type(ty)) if ty == key => None,
                Some(&BoundTarget::Member(ty, tag)) if ty == key => Some(tag),
                _ => continue,
            };
            if !is_added && symbols.iter().all(|symbol| symbol.member != member) {
                continue;
            }
            let refs = decl.refs.iter().filter(|it| it.kind != EdgeKind::Doc);
            let refs = refs.filter_map(|it| {
                let is_called = matches!(it.kind, EdgeKind::Calls | EdgeKind::Extension);
                let (is_changed, weight) = match is_called {
                    true if code.is_changed(it.offset) => (true, CALLED),
                    true if code.feeds_changed(it.offset) => (true, FEEDS),
                    // What is called before and behind the change may undo what it is for.
                    true => (is_of_type(it.target), BESIDE),
                    false => (lines.has(it.offset), 1),
                };
                is_changed.then_some((it.target, weight))
            });
            let uses = decl.uses.iter().filter(|it| lines.has(it.offset));
            for (target, weight) in refs.chain(uses.map(|it| (it.target, 1))) {
                out.extend(named(&bindings, (target, weight), || because(member)));
            }
        }
    }
    Ok(out)
}

fn named(
    bindings: &FileBindings,
    (target, weight): (u32, u32),
    because: impl Fn() -> String,
) -> Option<Named> {
    let (ty, member) = match bindings.targets[target as usize] {
        BoundTarget::Type(ty) => (ty, None),
        BoundTarget::Member(ty, tag) => (ty, Some(tag)),
        BoundTarget::External(..) => return None,
    };
    Some(Named {
        ty,
        member,
        weight,
        is_called: matches!(weight, CALLED | FEEDS | BESIDE),
        because: because(),
    })
}

/// The members of bases and interfaces that changed members override and implement.
fn promised_by(
    compared: &Compared,
    key: TypeKey,
    symbols: &[&ChangedSymbol],
) -> Result<Vec<Named>, QueryError> {
    let mut ids = DocIds::new(&compared.new);
    let members: Vec<&str> = symbols.iter().map(|symbol| symbol.id.as_str()).collect();
    let found = promises(&mut ids, key, &members)?.into_iter();
    let found = found.map(|(at, promise)| Named {
        ty: promise.ty,
        member: Some(promise.tag),
        weight: PROMISED,
        is_called: false,
        because: match &symbols[at].name {
            Some(name) => format!("{}.{name}", symbols[at].ty),
            None => symbols[at].ty.clone(),
        },
    });
    Ok(found.collect())
}

/// The values of an enum with more are told only as far as they are named.
const MAX_VALUES: usize = 16;

/// A type with those of its members that are needed; of an enum all values, as they may be compared.
fn outline(
    compared: &Compared,
    key: TypeKey,
    needed: &Needed,
    source: BlobSource<'_>,
) -> Result<Option<Outline>, QueryError> {
    let Some(node) = compared.new.type_node(key)? else {
        return Ok(None);
    };
    let mut ids = DocIds::new(&compared.new);
    let mut members = Vec::new();
    if !needed.members.is_empty()
        && let Some(own) = ids.ty(key)?
    {
        let written = written_members(&node, &own);
        let wanted: FxHashSet<usize> = (needed.members.iter())
            .filter_map(|&tag| own.index(tag))
            .collect();
        let is_small_enum = node.kind == TypeKind::Enum && node.members.len() <= MAX_VALUES;
        let mut sources = Sources::new(compared, source);
        let mut all: Vec<_> = node.members.iter().zip(written).collect();
        if is_small_enum {
            all.sort_by_key(|(member, _)| (member.part, member.decl));
        }
        for (member, at) in all {
            if is_small_enum || at.is_some_and(|at| wanted.contains(&at)) {
                members.push(sources.declaration(&node, member)?);
            }
        }
    }
    let n_members = node.members.iter();
    let n_members = n_members.filter(|it| it.accessibility.is_visible()).count();
    let part = node.parts.first();
    Ok(Some(Outline {
        ty: type_ref(&compared.new, key, &node)?,
        signature: declared_type(&node),
        because: needed.because.clone(),
        path: part.map_or_else(|| RepoPath::from(""), |part| part.path.clone()),
        line: part.map_or(1, |part| part.line),
        members,
        n_members,
    }))
}

/// Outlines, semantics and packs under `.context/` that speak of a changed type, by path.
pub(crate) fn stale(compared: &Compared, types: &[TypeChange]) -> Vec<StaleEntry> {
    let Some(tree) = &compared.context_files else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for path in tree {
        let named = types
            .iter()
            .find(|ty| path.file_name().contains(ty.ty.id.as_str()));
        if let Some(ty) = named.filter(|ty| ty.class < ChangeClass::Cosmetic) {
            out.push(StaleEntry {
                path: path.clone(),
                reason: format!("{} changed ({})", ty.ty.name, ty.class),
            });
        }
    }
    out
}
