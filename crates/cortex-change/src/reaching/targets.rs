//! From what is asked to members: symbols as people write them, and what a range changed.
//!
//! Owns: which members a question is about. Must not know: who reaches them.

use crate::{
    annotations::{BothBound, modifier_note},
    impact::generic_callers::Running,
};
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
use cortex_model::{ChangeClass, DeclKind, Modifier, RepoPath, TypeKey, TypeKind};
use cortex_syntax::text::decode;
use cortex_wire::UseSide;
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
    /// What is new and says little about what to run: fields and properties that hold a value, which nothing but changed
    /// code names.
    pub(crate) weak: Vec<Target>,
    /// The types that were there and are of objects, and have members that are new or others than before.
    pub(crate) types: Vec<Target>,
    /// Members of the newer side that run something else though their code is the same.
    pub(crate) running: Running,
}

impl Differing {
    /// Adds a type that is new. An enum runs nothing: who names its values changed for that.
    fn came(&mut self, key: TypeKey, node: &TypeNode) {
        let list = match node.kind {
            TypeKind::Enum => &mut self.weak,
            _ => &mut self.new,
        };
        list.push(Target::Type(key));
    }

    pub(crate) fn is_empty(&self) -> bool {
        let running = &self.running;
        self.old.is_empty() && self.new.is_empty() && self.weak.is_empty() && running.is_empty()
    }
}

/// The text of a file on one side, where it is known.
pub(crate) type TextOf<'t> = dyn Fn(UseSide, &RepoPath) -> Option<Vec<u8>> + 't;

/// The members that differ; a type where it is not its members that do.
pub(crate) fn differing(
    old: &Snapshot,
    new: &Snapshot,
    changed: &[ChangedType],
    texts: &TextOf<'_>,
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
        let snapshots = [old, new];
        match (&ty.old, &ty.new) {
            (Some(before), Some(after)) => {
                let sides = [(ty.key, before), (ty.key, after)];
                pair(snapshots, sides, texts, &mut out)?;
            }
            (Some(before), None) if came.contains(before.fqn.as_str()) => {}
            (Some(_), None) => out.old.push(Target::Type(ty.key)),
            (None, Some(after)) => match gone.get(after.fqn.as_str()) {
                Some(&key) => match old.type_node(key)? {
                    Some(before) => {
                        let sides = [(key, &before), (ty.key, after)];
                        pair(snapshots, sides, texts, &mut out)?;
                    }
                    None => out.came(ty.key, after),
                },
                None => out.came(ty.key, after),
            },
            (None, None) => {}
        }
    }
    Ok(out)
}

/// Adds what differs between the two sides of a type.
fn pair(
    [old, new]: [&Snapshot; 2],
    [(old_key, before), (new_key, after)]: [(TypeKey, &TypeNode); 2],
    texts: &TextOf<'_>,
    out: &mut Differing,
) -> Result<(), QueryError> {
    let Members {
        gone,
        differs,
        values,
    } = members([old, new], [(old_key, before), (new_key, after)], texts)?;
    // A type that only stands elsewhere runs as before.
    let is_same = gone.is_empty() && differs.is_empty() && values.is_empty();
    if is_same && !before.has_signature_of(after) {
        out.new.push(Target::Type(new_key));
    }
    let has_objects = matches!(
        after.kind,
        TypeKind::Class | TypeKind::Struct | TypeKind::Record | TypeKind::RecordStruct
    ) && !after.modifiers.contains(Modifier::Static);
    if has_objects && !(differs.is_empty() && values.is_empty()) {
        out.types.push(Target::Type(new_key));
    }
    out.old.extend(of_members(old, old_key, before, &gone)?);
    out.new.extend(of_members(new, new_key, after, &differs)?);
    out.weak.extend(of_members(new, new_key, after, &values)?);
    Ok(())
}

/// Members of a type by where they stand in it.
struct Members {
    gone: Vec<usize>,
    differs: Vec<usize>,
    /// New ones that hold a value and run nothing.
    values: Vec<usize>,
}

/// Which members are gone, and which are new or others than before. Annotations about null make no other member.
fn members(
    [old, new]: [&Snapshot; 2],
    [(old_key, before), (new_key, after)]: [(TypeKey, &TypeNode); 2],
    texts: &TextOf<'_>,
) -> Result<Members, QueryError> {
    let bound = BothBound::new([old, new], [old_key, new_key]);
    let (before, after) = (Side::new(old, before)?, Side::new(new, after)?);
    let (before, after) = (Side::halves(Some(&before)), Side::halves(Some(&after)));
    let pairing = Pairing::new(&nodes(&before), &nodes(&after));
    let holds_value = |half: Half<'_>| match half.member.kind {
        DeclKind::Property => !half.detail.has_code,
        DeclKind::Field => !half.detail.has_body,
        kind => matches!(kind, DeclKind::Constant | DeclKind::EnumMember),
    };
    let came = pairing.came.into_iter();
    let (values, mut differs): (Vec<usize>, Vec<usize>) =
        came.partition(|&at| holds_value(after[at]));
    for (from, to) in pairing.pairs {
        let (before, after) = (before[from], after[to]);
        if is_alike(before, after) || modifier_note(before, after).is_some() {
            continue;
        }
        let may_have_value = matches!(after.member.kind, DeclKind::Property | DeclKind::Field);
        let written = match may_have_value && before.detail.impl_hash != after.detail.impl_hash {
            true => text_of(before, UseSide::Old, texts).zip(text_of(after, UseSide::New, texts)),
            false => None,
        };
        let written = (written.as_ref()).map(|(before, after)| [before.as_str(), after.as_str()]);
        if !bound.is_annotation(before, after, written) {
            differs.push(to);
        }
    }
    Ok(Members {
        gone: pairing.gone,
        differs,
        values,
    })
}

/// What is written of a member.
fn text_of(half: Half<'_>, side: UseSide, texts: &TextOf<'_>) -> Option<String> {
    let text = texts(side, &half.path())?;
    let text = decode(&text);
    let range = half.detail.range;
    let text = text
        .as_bytes()
        .get(range.start as usize..range.end as usize)?;
    Some(String::from_utf8_lossy(text).into_owned())
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
