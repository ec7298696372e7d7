//! The symbols that types declare, as a snapshot keeps them.

use cortex_model::{Hasher, TypeKey};
use cortex_semantics::{Compilation, Implements, Member, MemberFlags, TypeId, UnitKey, World};
use rustc_hash::FxHashSet;

use super::names::member_id;
use crate::records::{Implementation, ImplementationKind, MemberSymbol, TypeSymbols};

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
        implementations,
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
