//! What the language forbids of new objects: of types that have none of their own, and without members that must be set.
//!
//! Source: C# specification, §12.8.17.2; *Required members*.

use std::collections::BTreeSet;

use cortex_model::TypeKind;
use cortex_syntax::{BodyId, BodyKind};

use crate::{
    binder::Binder,
    name::Name,
    output::{How, Misfit},
    symbol::{MemberFlags, MemberId, MemberOrigin, TypeFlags, TypeParamOwner},
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// Records what is forbidden of a creation whose constructor was chosen. `offset`: where that is told.
    pub(super) fn check_creation(
        &mut self,
        (node, ty): (BodyId, Ty),
        initializer: Option<BodyId>,
        offset: u32,
    ) {
        if !self.has_objects(ty) {
            self.record_misfit_at(offset, Misfit::Creation);
        } else if self.lacks_required((node, ty), initializer) {
            self.record_misfit_at(offset, Misfit::Required);
        }
    }

    /// Whether `new` may make an object of a type. An interface from outside may name a class that it stands for.
    fn has_objects(&self, ty: Ty) -> bool {
        let c = self.c;
        match c.kind(ty) {
            TyKind::Named { def, .. } => match c.def(*def).kind {
                TypeKind::Interface => !c.def(*def).is_source(),
                TypeKind::Class | TypeKind::Record => {
                    let flags = c.header(*def).flags;
                    !flags.has(TypeFlags::ABSTRACT) && !flags.has(TypeFlags::STATIC)
                }
                _ => true,
            },
            TyKind::Param(param) => {
                let wanted = c.constraints(*param);
                let is_local = matches!(c.type_param(*param).owner, TypeParamOwner::Local(_));
                is_local || wanted.has_new || wanted.is_value
            }
            _ => true,
        }
    }

    /// Whether a new object lacks a member that it must set. Of constructors from outside it is not known whether they do.
    fn lacks_required(&self, (node, ty): (BodyId, Ty), initializer: Option<BodyId>) -> bool {
        let c = self.c;
        let required: BTreeSet<Name> = c.required_members(ty).collect();
        if required.is_empty() {
            return false;
        }
        let offset = self.node(node).offset;
        let mut uses = self.out.uses.iter().rev();
        let made = uses.find(|it| it.offset == offset && it.how == How::New);
        if made.is_none_or(|it| self.may_set_all(it.target)) {
            return false;
        }
        let mut set = BTreeSet::new();
        let members = initializer.filter(|&it| self.body_kind(it) == BodyKind::ObjectInitializer);
        for member in members.into_iter().flat_map(|it| self.children(it)) {
            let target = self.first(member);
            set.extend(
                target
                    .filter(|&it| self.body_kind(it) == BodyKind::Name)
                    .map(|it| self.name_of(it)),
            );
        }
        !required.is_subset(&set)
    }

    /// Whether a constructor sets all members that must be set, as far as its attributes tell.
    fn may_set_all(&self, constructor: MemberId) -> bool {
        let c = self.c;
        let MemberOrigin::Source(unit, decl) = c.member(constructor).origin else {
            return true;
        };
        // Attributes of a primary constructor stand at its type.
        let is_primary = c.member(constructor).is(MemberFlags::PRIMARY);
        let facts = c.unit(unit).facts(c);
        let has_any = !facts.decls[decl as usize].attributes.is_empty();
        is_primary && has_any || c.has_attribute(constructor, "SetsRequiredMembers")
    }

    /// Where the last name of a type is written.
    pub(super) fn last_name(&self, ty: BodyId) -> u32 {
        let mut at = ty;
        while matches!(
            self.body_kind(at),
            BodyKind::MemberAccess | BodyKind::AliasQualified
        ) {
            match self.children(at).last() {
                Some(last) => at = last,
                None => break,
            }
        }
        self.node(at).offset
    }
}
