//! How properties get values: by a setter, which may leave the object as it is, or in constructors by a field of their own;
//! and which fields are buffers of a fixed size.
//!
//! Source: C# specification, §15.7.3, §15.7.4; *Readonly instance members*; `field` as of C# 14. Of what is not known, it is
//! assumed. Must not know: where they get them.

use cortex_model::{AccessorKind, DeclKind, Modifier};
use cortex_syntax::{BodyKind, Decl, DeclId, Sections};

use crate::{
    compilation::Compilation,
    symbol::{Member, MemberFlags, MemberOrigin, TypeFlags, UnitId},
    types::MAX_BASES,
};

/// What gives a property a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Setter {
    None,
    /// While its object is made.
    Init,
    Set,
}

impl Compilation<'_> {
    /// The accessor that sets a property: its own, or that of the nearest one that it overrides and that has one.
    pub(super) fn setter(&self, member: &Member) -> Setter {
        let next = |it: &&Member| {
            let overridden = self.overridden_member(it.id);
            overridden.map(|id| self.member(id))
        };
        let overridden = std::iter::successors(Some(member), next);
        let mut last = member;
        for property in overridden.take(MAX_BASES) {
            if property.is(MemberFlags::SETTER) {
                return match property.is(MemberFlags::INIT) {
                    true => Setter::Init,
                    false => Setter::Set,
                };
            }
            last = property;
        }
        match last.is(MemberFlags::OVERRIDE) {
            true => Setter::Set,
            false => Setter::None,
        }
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
        let is_automatic = self.of_source_decl(member, |decl| {
            !decl.accessors.is_empty() && decl.accessors.iter().all(|it| !it.has_body)
        });
        is_automatic.is_none_or(|it| it || self.names_field(unit, id))
    }

    /// Whether what sets a property of a struct leaves the struct as it is.
    pub(super) fn is_set_readonly(&self, member: &Member) -> bool {
        if self.header(member.owner).flags.has(TypeFlags::READONLY) {
            return true;
        }
        let is_readonly = self.of_source_decl(member, |decl| {
            let mut setters = (decl.accessors.iter()).filter(|it| it.kind != AccessorKind::Get);
            decl.modifiers.contains(Modifier::Readonly)
                || setters.any(|it| it.modifiers.contains(Modifier::Readonly))
        });
        is_readonly.unwrap_or(false)
    }

    /// Whether a field is a buffer of a fixed size; one from outside is known for none.
    pub(super) fn is_fixed_buffer(&self, member: &Member) -> bool {
        let is_fixed = |decl: &Decl| decl.modifiers.contains(Modifier::Fixed);
        let is_field = member.kind == DeclKind::Field;
        is_field && self.of_source_decl(member, is_fixed).unwrap_or(false)
    }

    /// What the declaration of a member says; nothing of one from outside and of what the compiler makes.
    fn of_source_decl<T>(&self, member: &Member, read: impl FnOnce(&Decl) -> T) -> Option<T> {
        let MemberOrigin::Source(unit, id) = member.origin else {
            return None;
        };
        let facts = self.unit(unit).facts(self);
        let decl = facts.decls.get(id as usize);
        // What the compiler makes is at home where its type is declared.
        decl.filter(|it| it.kind == member.kind).map(read)
    }

    /// Whether a body of a declaration says `field`.
    fn names_field(&self, unit: UnitId, decl: DeclId) -> bool {
        let facts = (self.world).facts(&self.unit(unit).key, Sections::Bodies);
        let Some(root) = facts.bodies.root_of(decl) else {
            return true;
        };
        let within = root as usize..facts.bodies.node(root).after as usize;
        let mut inside = facts.bodies.nodes()[within].iter();
        inside.any(|it| {
            it.kind == BodyKind::Name && it.flags & 1 == 0 && facts.name(it.value) == "field"
        })
    }
}
