//! Declarations and metadata to symbols.
//!
//! Loading the signature of a member may load types and the heads of types, never members.

mod external;
pub(crate) mod source;

use crate::{
    compilation::Compilation,
    symbol::{MemberFlags, MemberId, MemberTable, TypeDef, TypeHeader, TypeOrigin},
};

/// The head of a type: bases, flags, names of type parameters.
pub(crate) fn header(c: &Compilation<'_>, def: &TypeDef) -> TypeHeader {
    match def.origin {
        TypeOrigin::Source { .. } => source::header(c, def),
        TypeOrigin::External { assembly, row } => external::header(c, def, assembly, row),
    }
}

/// Sets the constraints of all type parameters of a type.
pub(crate) fn type_constraints(c: &Compilation<'_>, def: &TypeDef) {
    match def.origin {
        TypeOrigin::Source { .. } => source::type_constraints(c, def),
        TypeOrigin::External { assembly, row } => external::type_constraints(c, def, assembly, row),
    }
}

/// The members that a type declares itself, those that the compiler makes included.
pub(crate) fn members(c: &Compilation<'_>, def: &TypeDef) -> MemberTable {
    match def.origin {
        TypeOrigin::Source { .. } => source::members(c, def),
        TypeOrigin::External { assembly, row } => external::members(c, def, assembly, row),
    }
}

/// A table over members that are set.
fn table(c: &Compilation<'_>, all: Vec<MemberId>) -> MemberTable {
    let mut table = MemberTable {
        all: all.into(),
        ..MemberTable::default()
    };
    for &id in &table.all {
        let member = c.member(id);
        if !member.is(MemberFlags::EXPLICIT) {
            table.by_name.entry(member.name).or_default().push(id);
        }
    }
    table
}
