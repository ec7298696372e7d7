//! How properties get values: by a setter, which may leave the object as it is, or in constructors by a field of their own.
//!
//! Source: C# specification, §15.7.3, §15.7.4; *Readonly instance members*; `field` as of C# 14. Of what is not known, it is assumed. Must not know: where
//! they get them.

use cortex_model::{AccessorKind, DeclKind, Modifier, TypeKind};
use cortex_syntax::{BodyKind, DeclId, Sections};

use crate::{
    compilation::Compilation,
    symbol::{Member, MemberFlags, MemberOrigin, TypeFlags, UnitId},
};

impl Compilation<'_> {
    /// Whether a property has an accessor that sets it, its own or an inherited one, which is no `init`.
    pub(super) fn has_setter(&self, member: &Member) -> bool {
        if !member.is(MemberFlags::SETTER) {
            let is_inherited = || {
                let overridden = self.overridden_member(member.id);
                overridden.is_none_or(|it| self.has_setter(self.member(it)))
            };
            return member.is(MemberFlags::OVERRIDE) && is_inherited();
        }
        // Properties of structs may be `readonly` and have a `set`.
        let is_of_struct = self.def(member.owner).kind == TypeKind::Struct;
        !member.is(MemberFlags::READONLY) || is_of_struct
    }

    /// Whether a property has a field of its own: nothing of it has a body, or a body names the field.
    pub(super) fn has_own_field(&self, member: &Member) -> bool {
        let has_none = member.is(MemberFlags::ABSTRACT) || member.is(MemberFlags::EXTERN);
        if member.kind != DeclKind::Property || has_none {
            return false;
        }
        let MemberOrigin::Source(unit, id) = member.origin else {
            return true;
        };
        let facts = self.unit(unit).facts(self);
        let Some(decl) = facts.decls.get(id as usize) else {
            return true;
        };
        let is_automatic =
            !decl.accessors.is_empty() && decl.accessors.iter().all(|it| !it.has_body);
        is_automatic || self.names_field(unit, id)
    }

    /// Whether what sets a property of a struct leaves the struct as it is.
    pub(super) fn is_set_readonly(&self, member: &Member) -> bool {
        if self.header(member.owner).flags.has(TypeFlags::READONLY) {
            return true;
        }
        let MemberOrigin::Source(unit, id) = member.origin else {
            return false;
        };
        let facts = self.unit(unit).facts(self);
        let Some(decl) = facts.decls.get(id as usize) else {
            return true;
        };
        let mut setters = decl
            .accessors
            .iter()
            .filter(|it| it.kind != AccessorKind::Get);
        decl.modifiers.contains(Modifier::Readonly)
            || setters.any(|it| it.modifiers.contains(Modifier::Readonly))
    }

    /// Whether a body of a declaration says `field`.
    fn names_field(&self, unit: UnitId, decl: DeclId) -> bool {
        let facts = (self.world).facts(&self.unit(unit).key, Sections::Bodies);
        let nodes = facts.bodies.nodes();
        let mut roots = nodes.iter().zip(0..);
        let root = roots.find(|(it, _)| it.kind == BodyKind::Decl && it.value == decl + 1);
        let Some((root, at)) = root else {
            return true;
        };
        let mut inside = nodes[at as usize..root.after as usize].iter();
        inside.any(|it| {
            it.kind == BodyKind::Name && it.flags & 1 == 0 && facts.name(it.value) == "field"
        })
    }
}
