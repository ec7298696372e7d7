//! Which types hold references (C# specification, §8.8).

use cortex_model::{DeclKind, TypeKind};
use rustc_hash::FxHashSet;

use crate::{
    compilation::Compilation,
    symbol::{MemberFlags, MemberId, MemberOrigin},
    ty::{Ty, TyKind},
    types::substitute::Substitution,
};

impl Compilation<'_> {
    /// Whether a type is a reference or holds one for certain. What the fields of a type from outside hold is not known
    /// to metadata, which has no private ones.
    pub fn is_managed(&self, ty: Ty) -> bool {
        self.holds_references(ty, &mut FxHashSet::default())
    }

    /// `around`: the structs whose fields are looked at, which cannot hold themselves.
    fn holds_references(&self, ty: Ty, around: &mut FxHashSet<Ty>) -> bool {
        match self.kind(ty) {
            TyKind::Array(..) | TyKind::Dynamic | TyKind::Anonymous(_) => true,
            TyKind::Param(param) => {
                let own = self.constraints(*param);
                !own.is_unmanaged
            }
            TyKind::Tuple { elements, .. } => {
                (elements.iter()).any(|&element| self.holds_references(element, around))
            }
            TyKind::Named { def, args } => match self.def(*def).kind {
                TypeKind::Class | TypeKind::Record | TypeKind::Interface | TypeKind::Delegate => {
                    true
                }
                TypeKind::Struct | TypeKind::RecordStruct if self.def(*def).is_source() => {
                    let by = Substitution {
                        types: args,
                        method: None,
                    };
                    let members = &self.members(*def).all;
                    around.insert(ty)
                        && (members.iter())
                            .filter(|&&member| self.is_stored(member))
                            .map(|&member| self.substitute(self.member(member).signature.ty, by))
                            .any(|field| self.holds_references(field, around))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether each object has a value of a member in it: of a field, of a property without code.
    fn is_stored(&self, id: MemberId) -> bool {
        let member = self.member(id);
        if member.is_static() || member.is(MemberFlags::ABSTRACT) {
            return false;
        }
        let MemberOrigin::Source(unit, decl) = member.origin else {
            return false;
        };
        match member.kind {
            DeclKind::Field => true,
            DeclKind::Property if member.is(MemberFlags::POSITIONAL) => true,
            DeclKind::Property | DeclKind::Event => {
                let unit = self.unit(unit);
                let accessors = &unit.facts(self).decls[decl as usize].accessors;
                let is_written = accessors.iter().any(|accessor| accessor.has_body);
                !is_written && (member.kind == DeclKind::Event || !accessors.is_empty())
            }
            _ => false,
        }
    }
}
