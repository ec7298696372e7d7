//! `await` (C# specification, §12.9.8), task types (§15.14.1), and members that are used without being
//! named: `Dispose`, `GetPinnableReference`.

use super::Asynchronous;
use crate::{
    binder::Binder,
    compilation::Compilation,
    expr::Expr,
    local_names::Recording,
    name::{Name, known},
    names::MemberLookup,
    output::{How, Misfit},
    overload::Recorded,
    special::Special,
    symbol::{ProjectId, TypeFlags, TypeId},
    ty::{Ty, TyKind},
    world::UnitKey,
};

impl Binder<'_, '_> {
    /// §12.9.8.2: the result type of `await`; the members that it uses recorded at `offset`.
    pub(crate) fn await_result(&mut self, value: &Expr, offset: u32) -> Ty {
        if value.is_error() || value.ty == Ty::DYNAMIC {
            return value.ty;
        }
        if let Some(result) = self.c.result_of_task(value.ty) {
            return result;
        }
        let recorded = Recorded::Hidden(offset, How::Await);
        let Some(awaiter) = self.call_by_name(value, known::GET_AWAITER, Vec::new(), recorded)
        else {
            return Ty::ERROR;
        };
        let access = self.access(Some(awaiter.ty));
        let is_completed = self.c.name("IsCompleted");
        if let MemberLookup::Member(property) =
            (self.c).lookup_member(awaiter.ty, is_completed, Some(0), access)
        {
            self.record_hidden(offset, property, How::Other);
        }
        match self.pattern_method(awaiter.ty, known::GET_RESULT) {
            Some(method) => {
                self.record_hidden(offset, method, How::Other);
                self.c.type_of(method)
            }
            None => Ty::ERROR,
        }
    }

    /// Records the `Dispose` that a `using` of this type calls, where the type has one of its own (§13.14).
    pub(super) fn record_dispose(&mut self, ty: Ty, offset: u32, asynchronous: Asynchronous) {
        if ty.is_error() || ty.is_none() {
            return;
        }
        let name = match asynchronous {
            Asynchronous::Yes => known::DISPOSE_ASYNC,
            Asynchronous::No => known::DISPOSE,
        };
        if let Some(method) = self.pattern_method(ty, name) {
            self.record_hidden(offset, method, How::Dispose);
        }
    }

    /// The same for a value that a `using` statement or declaration takes, which has to be disposable.
    pub(super) fn use_resource(&mut self, ty: Ty, offset: u32, asynchronous: Asynchronous) {
        self.record_dispose(ty, offset, asynchronous);
        if self.recording == Recording::On && !self.may_be_disposed_of(ty, asynchronous) {
            self.record_misfit_at(offset, Misfit::Resource);
        }
    }

    /// §13.14.1: whether a type implements the interface; asynchronously, and of a `ref struct`, a method of the name is
    /// enough. Of what is not known whole, it is.
    fn may_be_disposed_of(&mut self, ty: Ty, asynchronous: Asynchronous) -> bool {
        let (interface, name) = match asynchronous {
            Asynchronous::Yes => (Special::IAsyncDisposable, known::DISPOSE_ASYNC),
            Asynchronous::No => (Special::IDisposable, known::DISPOSE),
        };
        let interface = self.c.special(interface);
        let is_unknown = ty == Ty::DYNAMIC
            || ty.is_none()
            || interface.is_error()
            || self.c.is_partly_unknown(ty)
            || !self.has_known_members(self.c.strip_nullable(ty));
        if is_unknown
            || self
                .implicit_conversion(&Expr::value(0, ty), interface)
                .exists()
            || self.c.has_code_left_out(ty, self.scope.project)
        {
            return true;
        }
        let is_ref_like = self.c.def_of(ty);
        let is_ref_like =
            is_ref_like.is_some_and(|it| self.c.header(it).flags.has(TypeFlags::REF_LIKE));
        (is_ref_like || asynchronous == Asynchronous::Yes)
            && self.pattern_method(ty, name).is_some()
    }

    /// §13.13: `lock` takes no values.
    pub(super) fn check_locked(&mut self, value: &Expr) {
        if self.is_known(value) && self.c.is_value_type(value.ty) {
            self.record_misfit_at(self.start_of(value.node), Misfit::Resource);
        }
    }

    /// A method that is called without arguments and without being named.
    pub(super) fn use_member(&mut self, receiver: &Expr, name: Name, offset: u32) {
        let recorded = Recorded::Hidden(offset, How::Other);
        self.call_by_name(receiver, name, Vec::new(), recorded);
    }
}

impl Compilation<'_> {
    /// Whether a type of another project, or one that it derives from, has code that conditional compilation leaves out:
    /// projects may be seen for target frameworks that do not go together.
    fn has_code_left_out(&self, ty: Ty, from: ProjectId) -> bool {
        let defs = self.self_and_bases(self.strip_nullable(ty));
        let mut defs = defs.filter_map(|it| self.def_of(it));
        defs.any(|def| {
            let mut units = self.units_of(def).into_iter();
            units.any(|key| key.project != from && self.is_cut(&key, def))
        })
    }

    /// Whether something in the declarations of a type in a file is left out.
    fn is_cut(&self, key: &UnitKey, def: TypeId) -> bool {
        let unit = self.unit(self.unit_id(key));
        let facts = unit.facts(self);
        let mut declarations = unit.head(self).declarations(def).iter();
        declarations.any(|&decl| {
            let range = facts.decls[decl as usize].range;
            facts
                .inactive
                .iter()
                .any(|it| range.contains(it.range.start))
        })
    }

    /// `T` of `Task<T>` and `ValueTask<T>`, `void` of `Task` and `ValueTask`.
    pub(crate) fn result_of_task(&self, ty: Ty) -> Option<Ty> {
        let def = self.def_of(ty)?;
        let is = |special: Special| self.well_known(special) == Some(def);
        if is(Special::TaskT) || is(Special::ValueTaskT) {
            return self.args_of(ty).first().copied();
        }
        let is_plain = is(Special::Task) || is(Special::ValueTask);
        is_plain.then(|| self.special(Special::Void))
    }

    /// `Task<T>`; `Task` of `void`.
    pub(crate) fn task_of(&self, result: Ty) -> Ty {
        if self.is_void(result) {
            self.special(Special::Task)
        } else {
            self.special_of(Special::TaskT, &[result])
        }
    }

    /// `Func<…>` of parameter types and a return type, `Action<…>` where that is `void`.
    pub(crate) fn func_type(&self, mut params: Vec<Ty>, ret: Ty) -> Ty {
        let name = if self.is_void(ret) {
            "Action"
        } else {
            params.push(ret);
            "Func"
        };
        if params
            .iter()
            .any(|&ty| matches!(self.kind(ty), TyKind::Pointer(_)))
        {
            return Ty::ERROR;
        }
        let found = self.external_types_named(known::SYSTEM, self.name(name));
        let has_arity = |&&id: &&_| usize::from(self.def(id).arity) == params.len();
        match found.iter().find(has_arity) {
            Some(&id) => self.named(id, &params),
            None => Ty::ERROR,
        }
    }
}
