//! What one needs of unchanged types to understand a change, and committed context that it makes stale.

use crate::{
    changes::type_ref,
    diff_context::compared::Compared,
    impact::{promises::promises, symbols::ChangedSymbol},
};
use cortex_derived::doc_ids::{DocIds, written_members};
use cortex_look::{
    QueryError,
    declared::{declared_member, declared_type},
    follow::differing::ChangedType,
};
use cortex_wire::{MemberChangeKind, Outline, StaleEntry, TypeChange, UseSide};

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use cortex_bind::TypeNode;
use cortex_index::{BoundTarget, FileBindings, MemberTag};
use cortex_model::{ChangeClass, EdgeKind, LineTable, RepoPath, TypeKey};
use cortex_syntax::text::decode;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

/// How many types are told.
const MAX_OUTLINES: usize = 40;

/// What a member counts that the change implements or overrides: its documentation says what is promised.
const PROMISED: u32 = 5;

/// What a call of a member counts: what it does is part of what changed.
const CALLED: u32 = 4;

/// What of an unchanged type the changed code names.
#[derive(Default)]
struct Needed {
    /// Whether product code names it.
    by_product: bool,
    /// How often it or a member of it is named.
    weight: u32,
    /// The changed symbol that names it first, of product code if any is.
    because: String,
    members: BTreeSet<MemberTag>,
}

/// Unchanged types that changed lines name or changed members implement, with the members that are named: those that product code
/// names first, then those with members, then the most named ones; calls count more. `symbols`: those that changed. O(files of changed types).
pub(crate) fn to_read(
    compared: &Compared,
    changed: &[ChangedType],
    symbols: &[ChangedSymbol],
) -> Result<Vec<Outline>, QueryError> {
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
        found.retain(|named| !is_changed.contains(&named.ty));
        Ok((compared.is_of_tests(&node.project), found))
    });
    let mut needed: BTreeMap<TypeKey, Needed> = BTreeMap::new();
    for (is_test, found) in found.collect::<Result<Vec<_>, QueryError>>()? {
        for named in found {
            let entry = needed.entry(named.ty).or_default();
            entry.weight += named.weight;
            if entry.because.is_empty() || !is_test && !entry.by_product {
                entry.because = named.because;
            }
            entry.by_product |= !is_test;
            entry.members.extend(named.member);
        }
    }
    let mut ranked: Vec<(TypeKey, Needed)> = needed.into_iter().collect();
    ranked.sort_by_key(|(key, it)| {
        let is_bare = it.members.is_empty();
        (!it.by_product, is_bare, std::cmp::Reverse(it.weight), *key)
    });
    ranked.truncate(MAX_OUTLINES);
    let told = ranked.par_iter();
    let told = told.map(|(key, needed)| outline(compared, *key, needed));
    let told: Vec<Option<Outline>> = told.collect::<Result<_, QueryError>>()?;
    Ok(told.into_iter().flatten().collect())
}

/// A name of an unchanged type or of a member of one.
struct Named {
    ty: TypeKey,
    member: Option<MemberTag>,
    weight: u32,
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
            let refs = refs.map(|it| {
                let is_called = matches!(it.kind, EdgeKind::Calls | EdgeKind::Extension);
                (it.target, it.offset, if is_called { CALLED } else { 1 })
            });
            let uses = decl.uses.iter().map(|it| (it.target, it.offset, 1));
            for (target, _, weight) in refs.chain(uses).filter(|&(_, at, _)| lines.has(at)) {
                out.extend(named(&bindings, (target, weight), || because(member)));
            }
        }
    }
    Ok(out)
}

/// The lines of a file that are not as they were.
pub(crate) struct ChangedLines {
    table: LineTable,
    /// Ascending, from 0.
    hunks: Vec<Range<u32>>,
}

impl ChangedLines {
    /// Of a file of the newer side; `None` where it did not change.
    pub(crate) fn of(compared: &Compared, path: &RepoPath) -> Option<Self> {
        let side = compared.new_side(path)?;
        let old = compared.file_at(path)?.old.as_ref();
        let [old, new] = [old, Some(side)].map(|side| {
            let text = side.map_or(&[][..], |side| compared.texts.get(side.blob));
            decode(text).as_bytes().to_vec()
        });
        let hunks = cortex_git::diff_lines(&old, &new).hunks.into_iter();
        Some(Self {
            table: LineTable::new(&new),
            hunks: hunks.map(|hunk| hunk.new).collect(),
        })
    }

    /// Whether what stands at an offset is in one of them.
    pub(crate) fn has(&self, offset: u32) -> bool {
        let line = self.table.position(offset).line.saturating_sub(1);
        let at = self.hunks.partition_point(|hunk| hunk.end <= line);
        self.hunks.get(at).is_some_and(|hunk| hunk.start <= line)
    }
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
        because: match &symbols[at].name {
            Some(name) => format!("{}.{name}", symbols[at].ty),
            None => symbols[at].ty.clone(),
        },
    });
    Ok(found.collect())
}

/// A type with those of its members that are needed.
fn outline(
    compared: &Compared,
    key: TypeKey,
    needed: &Needed,
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
        let all = node.members.iter().zip(written);
        let all = all.filter(|(_, at)| at.is_some_and(|at| wanted.contains(&at)));
        members.extend(all.map(|(member, _)| declared_member(member)));
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
