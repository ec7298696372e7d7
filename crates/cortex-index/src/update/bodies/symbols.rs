//! The symbols that types declare, as a snapshot keeps them.

use std::collections::BTreeMap;

use cortex_bind::{MemberNode, TypeNode};
use cortex_model::{DeclKind, EdgeKinds, Hasher, RepoPath, TypeKey};
use cortex_semantics::{
    Compilation, Implements, Member, MemberFlags, MemberId, TypeId, TypeOrigin, UnitId, UnitKey,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::names::member_id;
use crate::records::{
    DeclaredAs, Edge, ExternalEdge, Implementation, ImplementationKind, MemberSymbol, TypeEdges,
    TypeSymbols, retagged,
};

/// Reads the declarations of a type on the new side.
pub(super) type ReadNode<'a> = dyn Fn(TypeKey) -> Option<TypeNode> + Sync + 'a;

/// The symbols of these types. Types that are not there are left out.
pub(super) fn of(
    c: &Compilation<'_>,
    keys: &[TypeKey],
    node: &ReadNode<'_>,
) -> Vec<(TypeKey, TypeSymbols)> {
    let found = keys
        .iter()
        .filter_map(|&key| Some((key, symbols(c, c.source_type(key)?, node(key).as_ref()))));
    found.collect()
}

/// The symbols of the wanted types whose first file this is.
pub(super) fn first_declared(
    c: &Compilation<'_>,
    unit: &UnitKey,
    wanted: &FxHashSet<TypeKey>,
    node: &ReadNode<'_>,
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
    of(c, &keys, node)
}

fn symbols(c: &Compilation<'_>, ty: TypeId, node: Option<&TypeNode>) -> TypeSymbols {
    let mut members: Vec<(MemberSymbol, MemberId)> = c
        .declared_members(ty)
        .map(|member| {
            let symbol = MemberSymbol {
                id: (&*member_id(c, member.id)).into(),
                accessibility: member.accessibility,
                synthesized: member.is(MemberFlags::SYNTHESIZED),
                shape: shape(c, member),
            };
            (symbol, member.id)
        })
        .collect();
    members.sort();
    let (members, ids): (Vec<MemberSymbol>, Vec<MemberId>) = members.into_iter().unzip();
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
        retagged: retagged(&members),
        members,
        signature: signature(c, ty),
        implementations,
        declared: node.map_or_else(Vec::new, |node| declared(c, ty, node, &ids)),
    }
}

/// Which of the members of a type each of its declarations makes. `ids`: of the members, in their order.
fn declared(c: &Compilation<'_>, ty: TypeId, node: &TypeNode, ids: &[MemberId]) -> Vec<DeclaredAs> {
    let TypeOrigin::Source { key, .. } = &c.def(ty).origin else {
        return Vec::new();
    };
    let numbers = ids.iter().enumerate().map(|(at, &id)| (id, at as u32 + 1));
    let numbers: FxHashMap<MemberId, u32> = numbers.collect();
    let units = c.world().units_of(*key);
    let units: Vec<(&RepoPath, &RepoPath, UnitId)> = units
        .iter()
        .map(|unit| (&unit.path, &c.project(unit.project).path, c.unit_id(unit)))
        .collect();
    let unit_of = |member: &MemberNode| {
        let part = node.parts.get(member.part as usize)?;
        let speaker = node.project_of(part);
        let mut all = units.iter();
        let found = all.find(|(path, project, _)| **path == part.path && *project == speaker);
        found.map(|(_, _, unit)| *unit)
    };
    let positional = |name: &str| {
        let mut members = c.declared_members(ty);
        let found = members.find(|it| it.is(MemberFlags::POSITIONAL) && *c.text(it.name) == *name);
        found.map(|member| member.id)
    };
    let number = |member: &MemberNode| {
        let id = match (member.kind, member.primary) {
            (DeclKind::TopLevel, _) => None,
            (DeclKind::Constructor, true) => c.primary_constructor(ty),
            (_, true) => positional(&member.name),
            (_, false) => c.member_of_decl(unit_of(member)?, member.decl),
        };
        numbers.get(&id?).copied()
    };
    let members = node.members.iter();
    members
        .map(|member| DeclaredAs(number(member).unwrap_or_default()))
        .collect()
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
