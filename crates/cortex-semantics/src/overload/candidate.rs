//! Candidates of a call, and whether one is applicable (C# specification, §12.6.4.2).
//!
//! Must not know: which of several applicable candidates is better.

use cortex_model::TypeKind;
use cortex_syntax::{BodyId, BodyKind};
use smallvec::SmallVec;

use super::{
    Collected,
    call::{Call, Form, Forms, Params, Slots, passes, slots, takes_type_args},
    constraints,
    mapping::{Mapping, mentions},
};
use crate::{
    binder::Binder,
    compilation::Compilation,
    expr::{Expr, ExprKind},
    name::known,
    special::Special,
    symbol::{Member, RefKind, Sym, TypeFlags},
    ty::{Ty, TyKind},
};

/// A member that a call may mean, in one form.
#[derive(Clone)]
pub(super) struct Candidate<'c> {
    pub(super) sym: Sym,
    pub(super) member: &'c Member,
    pub(super) params: Params<'c>,
    pub(super) form: Form,
    /// By argument.
    pub(super) slots: Slots,
    /// Type arguments, given or inferred.
    pub(super) method_args: SmallVec<[Ty; 4]>,
    /// By argument: what it converts to.
    pub(super) targets: SmallVec<[Ty; 8]>,
    /// The element type of the parameter that is taken apart, not constructed.
    pub(super) element: Ty,
}

impl<'c> Candidate<'c> {
    /// What the type parameters of the signature stand for.
    pub(super) fn mapping<'a>(&'a self, c: &'a Compilation<'_>) -> Mapping<'a> {
        Mapping {
            types: c.args_of(self.sym.container),
            params: &self.member.signature.type_params,
            args: &self.method_args,
        }
    }

    /// The type of an argument's parameter as declared; of an element in the expanded form, the element's.
    pub(super) fn formal(&self, arg: usize) -> Ty {
        let slot = usize::from(self.slots[arg]);
        if self.form == Form::Expanded && slot + 1 == self.params.len() {
            return self.element;
        }
        self.params.get(slot).ty
    }

    /// How an argument's parameter is passed.
    pub(super) fn ref_kind(&self, arg: usize) -> RefKind {
        self.params.get(usize::from(self.slots[arg])).ref_kind
    }

    /// The result type, constructed.
    pub(super) fn result(&self, c: &Compilation<'_>) -> Ty {
        self.mapping(c).apply(c, self.member.signature.ty)
    }

    /// The collection that is made of arguments in the expanded form.
    pub(super) fn collected(&self, c: &Compilation<'_>) -> Option<Collected> {
        let last = self.params.len().checked_sub(1)?;
        let ty = self.mapping(c).apply(c, self.params.get(last).ty);
        if self.form == Form::Normal || matches!(c.kind(ty), TyKind::Array(..) | TyKind::Error) {
            return None;
        }
        let slots = self.slots.iter();
        Some(Collected {
            ty,
            is_element: slots.map(|&slot| usize::from(slot) == last).collect(),
        })
    }

    /// Whether every parameter has an argument of its own (§12.6.4.3, default arguments).
    pub(super) fn uses_no_defaults(&self) -> bool {
        self.form == Form::Expanded || self.params.len() == self.slots.len()
    }
}

impl<'c> Binder<'c, '_> {
    /// A candidate as far as numbers and names tell: arguments have parameters, are passed as these want,
    /// and lambdas have as many parameters as their delegates.
    pub(super) fn shaped(
        &mut self,
        sym: Sym,
        call: &Call<'_>,
        form: Form,
    ) -> Option<Candidate<'c>> {
        let c = self.c;
        let member = c.member(sym.member);
        if !takes_type_args(c, sym, call.type_args.len()) {
            return None;
        }
        let params = Params::of(member, call.receiver.is_some());
        for index in 0..params.len() {
            self.touch(params.get(index).ty);
        }
        let slots = slots(call, params, form)?;
        let element = match form {
            Form::Normal => Ty::NONE,
            Form::Expanded => self.element_of(params.get(params.len() - 1).ty)?,
        };
        let candidate = Candidate {
            sym,
            member,
            params,
            form,
            slots,
            method_args: SmallVec::new(),
            targets: SmallVec::new(),
            element,
        };
        for index in 0..call.len() {
            let arg = call.expr(index);
            if let Some(passed) = call.ref_kind(index)
                && !passes(passed, candidate.ref_kind(index))
                && !self.is_handled(arg, candidate.formal(index))
            {
                return None;
            }
            if matches!(arg.kind, ExprKind::Lambda)
                && !self.lambda_fits(arg.node, candidate.formal(index))
            {
                return None;
            }
        }
        Some(candidate)
    }

    /// The type of the elements that a `params` parameter collects (§15.6.2.6).
    pub(super) fn element_of(&mut self, ty: Ty) -> Option<Ty> {
        let c = self.c;
        match c.kind(ty) {
            TyKind::Array(element, 1) => Some(*element),
            TyKind::Error => Some(Ty::ERROR),
            _ => {
                let span = c.arg_of(ty, Special::ReadOnlySpan);
                let span = span.or_else(|| c.arg_of(ty, Special::Span));
                span.or_else(|| self.collection_element(ty))
            }
        }
    }

    /// Whether an argument is an interpolated string for a handler: these may be passed by reference
    /// without saying so.
    fn is_handled(&self, arg: &Expr, formal: Ty) -> bool {
        let is_handler = |def| self.c.header(def).flags.has(TypeFlags::STRING_HANDLER);
        matches!(arg.kind, ExprKind::InterpolatedString)
            && self.c.def_of(formal).is_some_and(is_handler)
    }

    /// Whether a lambda may become a value of a parameter's type, as far as its parameters tell.
    fn lambda_fits(&self, node: BodyId, formal: Ty) -> bool {
        let c = self.c;
        let TyKind::Named { def, args } = c.kind(formal) else {
            return matches!(
                c.kind(formal),
                TyKind::Error | TyKind::Dynamic | TyKind::Param(_)
            );
        };
        let delegate = match c.arg_of(formal, Special::ExpressionT) {
            Some(_) => c.def_of(args[0]),
            None => Some(*def),
        };
        let Some(delegate) = delegate else {
            return true;
        };
        match c.def(delegate).kind {
            TypeKind::Delegate => {
                let invoke = c.members(delegate).named(known::INVOKE);
                let Some(&invoke) = invoke.first() else {
                    return true;
                };
                let n_params = c.member(invoke).signature.params.len();
                self.lambda_arity(node).is_none_or(|n| n == n_params)
            }
            TypeKind::Interface => true,
            TypeKind::Class | TypeKind::Record => {
                let specials = [
                    Special::Object,
                    Special::Delegate,
                    Special::MulticastDelegate,
                    Special::Expression,
                ];
                specials
                    .iter()
                    .any(|&special| c.well_known(special) == Some(delegate))
                    || c.text(c.def(delegate).name) == "LambdaExpression"
            }
            _ => false,
        }
    }

    /// How many parameters a lambda has; `None` where it fits any number.
    fn lambda_arity(&self, node: BodyId) -> Option<usize> {
        let lambda = self.node(node);
        if lambda.kind == BodyKind::AnonymousMethod && lambda.value == 0 {
            return None;
        }
        let of_query = self.query_arity(node);
        Some(of_query.unwrap_or_else(|| self.lambda_parameters(node).count()))
    }

    /// The parameters of a lambda.
    pub(super) fn lambda_parameters(&self, node: BodyId) -> impl Iterator<Item = BodyId> + '_ {
        let children = self.children(node);
        children.filter(|&child| self.body_kind(child) == BodyKind::LambdaParameter)
    }

    /// Whether a shaped candidate is applicable; its type arguments and targets are set. Lambdas are not
    /// converted yet, see [`Self::lambdas_convert`].
    pub(super) fn apply(&mut self, candidate: &mut Candidate<'c>, call: &Call<'_>) -> bool {
        let c = self.c;
        let type_params = &candidate.member.signature.type_params;
        if type_params.is_empty() {
            return self.convert_all(candidate, call, |_| true);
        }
        // What needs no inference is asked first: it is cheap, and lambdas need not be bound then.
        let mut is_own = |param| type_params.contains(&param);
        let waits: SmallVec<[bool; 8]> = (0..call.len())
            .map(|index| mentions(c, candidate.formal(index), &mut is_own))
            .collect();
        if !self.convert_all(candidate, call, |index| !waits[index]) {
            return false;
        }
        if call.type_args.len() == type_params.len() {
            candidate.method_args = call.type_args.into();
        } else if !self.infer(candidate, call) {
            return false;
        }
        self.convert_all(candidate, call, |index| waits[index])
            && constraints::are_met(c, candidate)
    }

    /// Sets the targets of some arguments, and whether all of these convert.
    fn convert_all(
        &mut self,
        candidate: &mut Candidate<'c>,
        call: &Call<'_>,
        which: impl Fn(usize) -> bool,
    ) -> bool {
        let c = self.c;
        candidate.targets.resize(call.len(), Ty::ERROR);
        for index in 0..call.len() {
            if !which(index) {
                continue;
            }
            let target = candidate.mapping(c).apply(c, candidate.formal(index));
            candidate.targets[index] = target;
            if !self.passes_as(candidate, call, index, target) {
                return false;
            }
        }
        true
    }

    /// Whether one argument converts to its parameter as that wants it passed.
    fn passes_as(
        &mut self,
        candidate: &Candidate<'c>,
        call: &Call<'_>,
        index: usize,
        target: Ty,
    ) -> bool {
        let c = self.c;
        let arg = call.expr(index);
        if arg.ty == target && !arg.ty.is_none() || target.is_error() {
            return true;
        }
        if call.is_receiver(index) {
            return receiver_converts(c, arg, target);
        }
        match (&arg.kind, candidate.ref_kind(index), call.ref_kind(index)) {
            (ExprKind::Lambda, _, _) => true,
            (ExprKind::InterpolatedString, RefKind::Ref, Some(RefKind::None)) => {
                self.implicit_conversion(arg, target).exists()
            }
            (ExprKind::ImplicitOut(_) | ExprKind::Discard, RefKind::Out, _) => true,
            (_, RefKind::Ref | RefKind::Out, _) | (_, _, Some(RefKind::Ref | RefKind::In)) => {
                arg.is_error() || c.is_identical(arg.ty, target)
            }
            _ if matches!(call.forms, Forms::Returning(_)) => c.standard_implicit(arg.ty, target),
            _ => self.implicit_conversion(arg, target).exists(),
        }
    }

    /// Whether the lambdas among the arguments convert: their bodies are bound for it.
    pub(super) fn lambdas_convert(&mut self, candidate: &Candidate<'c>, call: &Call<'_>) -> bool {
        (0..call.len()).all(|index| {
            let arg = call.expr(index);
            !matches!(arg.kind, ExprKind::Lambda)
                || self
                    .implicit_conversion(arg, candidate.targets[index])
                    .exists()
        })
    }
}

/// §12.8.10.3: whether a receiver is one of an extension method: by identity, reference, boxing or span
/// conversion.
pub(super) fn receiver_converts(c: &Compilation<'_>, receiver: &Expr, target: Ty) -> bool {
    let from = receiver.ty;
    if from.is_error() || target.is_error() || c.is_identical(from, target) {
        return true;
    }
    if from.is_none() || !c.standard_implicit(from, target) {
        return false;
    }
    let is_span = |ty| c.is_special(ty, Special::Span) || c.is_special(ty, Special::ReadOnlySpan);
    !c.is_value_type(target)
        || is_span(target) && (is_span(from) || !c.is_value_type(from))
        // Tuples convert element by element: by identity alone, which was asked, or by reference.
        || matches!(c.kind(from), TyKind::Tuple { .. }) && matches!(c.kind(target), TyKind::Tuple { .. })
}
