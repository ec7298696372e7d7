//! The symbols that types declare, as a snapshot keeps them.

use std::collections::BTreeMap;

use cortex_model::{EdgeKinds, Hasher, TypeKey};
use cortex_semantics::{Compilation, Implements, Member, MemberFlags, TypeId, TypeOrigin, UnitKey};
use rustc_hash::FxHashSet;

use super::names::member_id;
use crate::records::{
    Edge, ExternalEdge, Implementation, ImplementationKind, MemberSymbol, TypeEdges, TypeSymbols,
};

/// The symbols of these types. Types that are not there are left out.
pub(super) fn of(c: &Compilation<'_>, keys: &[TypeKey]) -> Vec<(TypeKey, TypeSymbols)> {
    let found = keys
        .iter()
        .filter_map(|&key| Some((key, symbols(c, c.source_type(key)?))));
    found.collect()
}

/// The symbols of the wanted types whose first file this is.
pub(super) fn first_declared(
    c: &Compilation<'_>,
    unit: &UnitKey,
    wanted: &FxHashSet<TypeKey>,
) -> Vec<(TypeKey, TypeSymbols)> {
    let mut seen = FxHashSet::default();
    let head = c.unit(c.unit_id(unit)).head(c);
    let keys: Vec<TypeKey> = head
        .types
        .iter()
        .map(|(ty, _)| ty.symbol.key)
        .filter(|key| wanted.contains(key) && seen.insert(*key))
        .filter(|&key| c.world().units_of(key).first() == Some(unit))
        .collect();
    of(c, &keys)
}

fn symbols(c: &Compilation<'_>, ty: TypeId) -> TypeSymbols {
    let mut members: Vec<MemberSymbol> = c
        .declared_members(ty)
        .map(|member| MemberSymbol {
            id: (&*member_id(c, member.id)).into(),
            accessibility: member.accessibility,
            synthesized: member.is(MemberFlags::SYNTHESIZED),
            shape: shape(c, member),
        })
        .collect();
    members.sort();
    let mut implementations: Vec<Implementation> = c
        .implementations(ty)
        .into_iter()
        .map(|found| Implementation {
            member: c.member_doc_id(found.member).into(),
            of: c.member_doc_id(found.of).into(),
            how: match found.how {
                Implements::Override => ImplementationKind::Override,
                Implements::Interface => ImplementationKind::Interface,
            },
        })
        .collect();
    implementations.sort();
    implementations.dedup();
    TypeSymbols {
        header: header(c, ty),
        members,
        signature: signature(c, ty),
        implementations,
    }
}

/// What the head of a type and the signatures of its members name.
fn signature(c: &Compilation<'_>, ty: TypeId) -> TypeEdges {
    let mut source: BTreeMap<TypeKey, EdgeKinds> = BTreeMap::new();
    let mut external: BTreeMap<TypeId, EdgeKinds> = BTreeMap::new();
    for (target, kind) in c.signature_types(ty) {
        if target == ty {
            continue;
        }
        let kinds = match &c.def(target).origin {
            TypeOrigin::Source { key, .. } => source.entry(*key).or_default(),
            TypeOrigin::External { .. } => external.entry(target).or_default(),
        };
        *kinds = kinds.with(kind);
    }
    let mut external: Vec<ExternalEdge> = external
        .into_iter()
        .map(|(target, kinds)| ExternalEdge {
            id: c.type_doc_id(target).into(),
            assembly: assembly_of(c, target),
            kinds,
        })
        .collect();
    external.sort_unstable();
    TypeEdges {
        source: source
            .into_iter()
            .map(|(target, kinds)| Edge {
                target,
                kinds,
                count: 0,
            })
            .collect(),
        external,
    }
}

/// The simple name of the assembly that a type from outside comes from.
fn assembly_of(c: &Compilation<'_>, ty: TypeId) -> Box<str> {
    match c.def(ty).origin {
        TypeOrigin::External { assembly, .. } => {
            (&**c.world().externals()[assembly.index()].name()).into()
        }
        TypeOrigin::Source { .. } => Box::default(),
    }
}

/// Everything about a member that decides what binds to it, hashed.
fn shape(c: &Compilation<'_>, member: &Member) -> u64 {
    let mut hasher = Hasher::new("member-shape-v1");
    hasher.field(c.shape_text(member).as_bytes());
    hasher.finish().to_u64()
}

/// Everything about the head of a type that decides what binds to it, hashed.
fn header(c: &Compilation<'_>, ty: TypeId) -> u64 {
    let mut hasher = Hasher::new("type-shape-v1");
    hasher.field(c.header_text(ty).as_bytes());
    hasher.finish().to_u64()
}
