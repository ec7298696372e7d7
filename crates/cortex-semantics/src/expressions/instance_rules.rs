//! What the language forbids where there is no object: `this`, `base`, and members of objects that are named alone or on
//! their type.
//!
//! Source: C# specification, §12.8.4, §12.8.7, §12.8.14, §12.8.15; *Primary constructors*.

use cortex_model::DeclKind;
use cortex_syntax::BodyId;

use crate::{
    binder::{Binder, Instance},
    local_names::Recording,
    output::Misfit,
    special::Special,
    symbol::{Member, MemberFlags, MemberId, TypeId},
};

impl Binder<'_, '_> {
    /// Records `this` or `base` where there is none.
    pub(super) fn check_this(&mut self, node: BodyId) {
        if !self.has_this() {
            self.record_misfit_at(self.node(node).offset, Misfit::Instance);
        }
    }

    /// Records a member of objects that is named alone where the object around is not one that has it.
    pub(crate) fn check_named_alone(&mut self, offset: u32, member: MemberId) {
        if self.recording == Recording::Off {
            return;
        }
        let member = self.c.member(member);
        if is_of_object(member) && !(self.has_this() && self.this_has(member.owner)) {
            self.record_misfit_at(offset, Misfit::Instance);
        }
    }

    /// Records a parameter of a primary constructor where no object of its type is around.
    pub(super) fn check_captured(&mut self, offset: u32, constructor: MemberId) {
        let owner = self.c.member(constructor).owner;
        if !(self.has_this() && self.scope.container == Some(owner)) {
            self.record_misfit_at(offset, Misfit::Instance);
        }
    }

    /// Records a field, property or event of objects that is named on its type.
    pub(super) fn check_named_on_type(&mut self, offset: u32, member: MemberId) {
        if is_of_object(self.c.member(member)) {
            self.record_misfit_at(offset, Misfit::Instance);
        }
    }

    /// Whether there is an object around; of what is no member, it is not known.
    fn has_this(&self) -> bool {
        self.instance == Instance::This || self.member.is_none()
    }

    /// Whether objects of the innermost type around have the members of another one.
    fn this_has(&self, owner: TypeId) -> bool {
        let Some(&this) = self.enclosing.first() else {
            return true;
        };
        let c = self.c;
        let of_interfaces = c.all_interfaces(this);
        let mut all = c.self_and_bases(this).chain(of_interfaces.iter().copied());
        // Objects of interfaces are objects as well.
        let is_object = || Some(owner) == c.def_of(c.special(Special::Object));
        all.any(|ty| ty.is_error() || c.def_of(ty) == Some(owner)) || is_object()
    }
}

/// Whether a member is one of objects; those of local functions and of extension blocks are not.
fn is_of_object(member: &Member) -> bool {
    let is_of_kind = matches!(
        member.kind,
        DeclKind::Method | DeclKind::Field | DeclKind::Property | DeclKind::Event
    );
    is_of_kind
        && !member.is_static()
        && !member.is(MemberFlags::LOCAL)
        && !member.is(MemberFlags::EXTENSION_BLOCK)
}
