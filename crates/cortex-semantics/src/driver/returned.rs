//! What `return` and `yield return` give back: not always what a member's signature says.

use cortex_model::DeclKind;
use cortex_syntax::{BodyId, BodyKind};

use crate::{
    binder::Binder,
    compilation::Compilation,
    special::Special,
    symbol::{Member, MemberFlags},
    ty::Ty,
};

impl Compilation<'_> {
    /// The type that returned values of a body convert to: of an `async` method the result in its task
    /// (§15.14.2), of an iterator the element (§15.15.5).
    pub(super) fn returned_type(
        &self,
        binder: &Binder<'_, '_>,
        member: Option<&Member>,
        body: BodyId,
    ) -> Ty {
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
        if let Some(element) = self.yielded_type(ty)
            && yields(binder, body)
        {
            return element;
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

    /// The elements of an iterator whose signature says this type.
    pub(crate) fn yielded_type(&self, ty: Ty) -> Option<Ty> {
        const GENERIC: [Special; 4] = [
            Special::IEnumerableT,
            Special::IEnumeratorT,
            Special::IAsyncEnumerableT,
            Special::IAsyncEnumeratorT,
        ];
        let def = self.def_of(ty)?;
        if GENERIC.iter().any(|&it| self.well_known(it) == Some(def)) {
            return self.args_of(ty).first().copied();
        }
        let plain = [Special::IEnumerable, Special::IEnumerator];
        let is_plain = plain.iter().any(|&it| self.well_known(it) == Some(def));
        is_plain.then(|| self.special(Special::Object))
    }
}

/// Whether a body has a `yield return` of its own: not in a lambda or local function inside of it.
fn yields(binder: &Binder<'_, '_>, body: BodyId) -> bool {
    let end = binder.node(body).after;
    let mut at = body;
    while at < end {
        match binder.body_kind(at) {
            BodyKind::Yield => return true,
            BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction => {
                at = binder.node(at).after;
            }
            _ => at += 1,
        }
    }
    false
}
