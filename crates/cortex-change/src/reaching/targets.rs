//! From what is asked to members: symbols as people write them, and what a range changed.
//!
//! Owns: which members a question is about. Must not know: who reaches them.

use cortex_bind::{MemberNode, TypeNode};
use cortex_derived::{
    doc_ids::{DocIds, written_members},
    target::Target,
};
use cortex_git::ReadBlob;
use cortex_index::Snapshot;
use cortex_look::{
    QueryError,
    follow::{
        differing::ChangedType,
        pairing::{Half, Pairing, Side, is_same},
    },
    symbol::{
        doc_id::of_doc_id,
        resolve,
        resolved::{Stages, SymbolPart},
    },
};
use cortex_model::{ChangeClass, TypeKey};
use rustc_hash::{FxHashMap, FxHashSet};

/// The nearest name where no symbol is called as asked for, one that another question takes for it.
pub(crate) fn corrected(
    snapshot: &Snapshot,
    text: &str,
    reader: &mut dyn ReadBlob,
) -> Result<Option<String>, QueryError> {
    if text.contains(['*', '?', ':']) {
        return Ok(None);
    }
    match resolve(snapshot, text, Stages::Exact, reader) {
        Err(QueryError::SymbolNotFound { .. }) => {
            match resolve(snapshot, text, Stages::All, reader) {
                Ok(symbol) => Ok(Some(symbol.resolved(snapshot)?.path)),
                Err(_) => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// The members that a symbol means.
pub(crate) fn of_symbol(
    snapshot: &Snapshot,
    text: &str,
    reader: &mut dyn ReadBlob,
) -> Result<Vec<Target>, QueryError> {
    let exact = of_doc_id(snapshot, text)?;
    if !exact.is_empty() {
        return Ok(exact);
    }
    let symbol = match resolve(snapshot, text, Stages::All, reader) {
        Err(QueryError::AmbiguousSymbol { symbol, candidates }) => {
            return of_twins(
                snapshot,
                text,
                QueryError::AmbiguousSymbol { symbol, candidates },
                reader,
            );
        }
        result => result?,
    };
    Ok(match &symbol.part {
        SymbolPart::Whole => vec![Target::Type(symbol.key)],
        SymbolPart::Group(all) => of_members(snapshot, symbol.key, &symbol.node, all)?,
        SymbolPart::Member(at) => of_members(snapshot, symbol.key, &symbol.node, &[*at])?,
    })
}

/// One symbol of several assemblies (the same file in two projects, say): all of them. The error where it is not
/// one.
fn of_twins(
    snapshot: &Snapshot,
    text: &str,
    error: QueryError,
    reader: &mut dyn ReadBlob,
) -> Result<Vec<Target>, QueryError> {
    let QueryError::AmbiguousSymbol { candidates, .. } = &error else {
        return Err(error);
    };
    let assemblies: Vec<&str> = (candidates.iter())
        .filter(|it| (&it.name, it.kind) == (&candidates[0].name, candidates[0].kind))
        .filter_map(|it| Some(it.id.split_once('@')?.1))
        .map(|assembly| assembly.split('_').next().unwrap_or(assembly))
        .collect();
    if text.contains('@') || assemblies.len() != candidates.len() {
        return Err(error);
    }
    let mut out = Vec::new();
    for assembly in assemblies {
        out.extend(of_symbol(snapshot, &format!("{text}@{assembly}"), reader)?);
    }
    out.sort_unstable();
    out.dedup();
    Ok(out)
}

/// Members of a type, by where they stand in it.
pub(crate) fn of_members(
    snapshot: &Snapshot,
    key: TypeKey,
    node: &TypeNode,
    members: &[usize],
) -> Result<Vec<Target>, QueryError> {
    let mut ids = DocIds::new(snapshot);
    let Some(ty) = ids.ty(key)? else {
        return Ok(Vec::new());
    };
    let written = written_members(node, &ty);
    let of = |&at: &usize| match written[at] {
        Some(symbol) => Target::Member(key, ty.symbols.tag(symbol)),
        None => Target::Type(key),
    };
    let mut out: Vec<Target> = members.iter().map(of).collect();
    out.sort_unstable();
    out.dedup();
    Ok(out)
}

/// What differs between two snapshots: on the newer side what is there, on the older what is gone.
#[derive(Default)]
pub(crate) struct Differing {
    pub(crate) old: Vec<Target>,
    pub(crate) new: Vec<Target>,
}

/// The members that differ; a type where it is not its members that do.
pub(crate) fn differing(
    old: &Snapshot,
    new: &Snapshot,
    changed: &[ChangedType],
) -> Result<Differing, QueryError> {
    let mut out = Differing::default();
    // A type that another assembly declares now is one with another key.
    let gone = changed.iter().filter(|ty| ty.new.is_none());
    let gone = gone.filter_map(|ty| Some((ty.old.as_ref()?.fqn.as_str(), ty.key)));
    let gone: FxHashMap<&str, TypeKey> = gone.collect();
    let came = changed.iter().filter(|ty| ty.old.is_none());
    let came: FxHashSet<&str> = came
        .filter_map(|ty| Some(ty.new.as_ref()?.fqn.as_str()))
        .collect();
    for ty in changed {
        if matches!(ty.class, ChangeClass::Docs | ChangeClass::Cosmetic) {
            continue;
        }
        match (&ty.old, &ty.new) {
            (Some(before), Some(after)) => {
                pair(old, new, [(ty.key, before), (ty.key, after)], &mut out)?;
            }
            (Some(before), None) if came.contains(before.fqn.as_str()) => {}
            (Some(_), None) => out.old.push(Target::Type(ty.key)),
            (None, Some(after)) => match gone.get(after.fqn.as_str()) {
                Some(&key) => match old.type_node(key)? {
                    Some(before) => pair(old, new, [(key, &before), (ty.key, after)], &mut out)?,
                    None => out.new.push(Target::Type(ty.key)),
                },
                None => out.new.push(Target::Type(ty.key)),
            },
            (None, None) => {}
        }
    }
    Ok(out)
}

/// Adds what differs between the two sides of a type.
fn pair(
    old: &Snapshot,
    new: &Snapshot,
    [(old_key, before), (new_key, after)]: [(TypeKey, &TypeNode); 2],
    out: &mut Differing,
) -> Result<(), QueryError> {
    let (gone, differs) = members(old, new, before, after)?;
    // A type that only stands elsewhere runs as before.
    if gone.is_empty() && differs.is_empty() && !before.has_signature_of(after) {
        out.new.push(Target::Type(new_key));
    }
    out.old.extend(of_members(old, old_key, before, &gone)?);
    out.new.extend(of_members(new, new_key, after, &differs)?);
    Ok(())
}

/// Which members are gone, and which are new or others than before.
fn members(
    old: &Snapshot,
    new: &Snapshot,
    before: &TypeNode,
    after: &TypeNode,
) -> Result<(Vec<usize>, Vec<usize>), QueryError> {
    let (before, after) = (Side::new(old, before)?, Side::new(new, after)?);
    let (before, after) = (Side::halves(Some(&before)), Side::halves(Some(&after)));
    let pairing = Pairing::new(&nodes(&before), &nodes(&after));
    let mut differs = pairing.came;
    let pairs = pairing.pairs.into_iter();
    let changed = pairs.filter(|&(from, to)| !is_alike(before[from], after[to]));
    differs.extend(changed.map(|(_, to)| to));
    Ok((pairing.gone, differs))
}

fn nodes<'n>(halves: &[Half<'n>]) -> Vec<&'n MemberNode> {
    halves.iter().map(|half| half.member).collect()
}

/// Whether nothing of a member differs that may matter to who runs it, the names of its parameters included.
fn is_alike(before: Half<'_>, after: Half<'_>) -> bool {
    is_same(before.member, after.member)
        && before.member.has_shape_of(after.member)
        && before.detail.params == after.detail.params
        && before.detail.impl_hash == after.detail.impl_hash
}
