//! What `return` gives back: not always what a member's signature says.

use cortex_model::DeclKind;

use crate::{
    compilation::Compilation,
    special::Special,
    symbol::{Member, MemberFlags},
    ty::Ty,
};

impl Compilation<'_> {
    /// The type that returned values of a body convert to: of an `async` method the result in its task
    /// (§15.14.2), of an iterator the whole type.
    pub(super) fn returned_type(&self, member: Option<&Member>) -> Ty {
        let Some(member) = member else {
            return Ty::ERROR;
        };
        let ty = member.signature.ty;
        if matches!(
            member.kind,
            DeclKind::Constructor | DeclKind::StaticConstructor | DeclKind::Finalizer
        ) {
            return self.special(Special::Void);
        }
        if member.is(MemberFlags::ASYNC) {
            return self.awaited_result(ty);
        }
        ty
    }

    /// What an `async` body returns whose signature says this type.
    pub(crate) fn awaited_result(&self, ty: Ty) -> Ty {
        let Some(def) = self.def_of(ty) else {
            return ty;
        };
        let is_task = Some(def) == self.well_known(Special::Task)
            || Some(def) == self.well_known(Special::TaskT)
            || Some(def) == self.well_known(Special::ValueTask)
            || Some(def) == self.well_known(Special::ValueTaskT)
            || self.header(def).is_task_like;
        match *self.args_of(ty) {
            [result] if is_task => result,
            [] if is_task => self.special(Special::Void),
            _ => ty,
        }
    }
}
