//! Delegate types: their signatures, and the natural types of functions (C# specification, §10.8, §12.19).
//!
//! Must not know: the bodies of lambdas.

use crate::{
    binder::Binder,
    compilation::Compilation,
    expr::{Expr, ExprKind, MethodGroup},
    name::known,
    special::Special,
    symbol::{CallerInfo, Param, RefKind, Sym},
    ty::{Ty, TyKind},
};

/// What a delegate's `Invoke` takes and returns, as constructed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DelegateSignature {
    /// Parameters.
    pub params: Vec<Param>,
    /// Return type.
    pub ret: Ty,
}

impl Compilation<'_> {
    /// The delegate type that functions are converted to: the type itself, or `D` of `Expression<D>`.
    pub(crate) fn delegate_of(&self, ty: Ty) -> Option<Ty> {
        if self.is_delegate(ty) {
            return Some(ty);
        }
        self.arg_of(ty, Special::ExpressionT)
            .filter(|&inner| self.is_delegate(inner))
    }

    /// `Invoke` of a delegate type, or of the delegate in `Expression<D>`.
    pub(crate) fn invoke_of(&self, ty: Ty) -> Option<Sym> {
        let delegate = self.delegate_of(ty)?;
        let members = self.members(self.def_of(delegate)?);
        let member = *members.named(known::INVOKE).first()?;
        Some(Sym {
            member,
            container: delegate,
        })
    }

    /// What a delegate type returns, or the delegate in `Expression<D>`.
    pub fn delegate_return(&self, ty: Ty) -> Option<Ty> {
        self.invoke_of(ty).map(|invoke| self.type_of(invoke))
    }

    /// The parameters and return type of a delegate type, of the delegate in `Expression<D>`, or of a
    /// function pointer.
    pub(crate) fn delegate_signature(&self, ty: Ty) -> Option<DelegateSignature> {
        if let TyKind::FunctionPointer(parts) = self.kind(ty) {
            let (&ret, params) = parts.split_last()?;
            let by_value = |&ty: &Ty| Param {
                name: known::EMPTY,
                ty,
                ref_kind: RefKind::None,
                is_params: false,
                is_optional: false,
                caller: CallerInfo::None,
            };
            return Some(DelegateSignature {
                params: params.iter().map(by_value).collect(),
                ret,
            });
        }
        let invoke = self.invoke_of(ty)?;
        Some(DelegateSignature {
            params: self.params_of(invoke),
            ret: self.type_of(invoke),
        })
    }

    /// `Func<…>` or `Action<…>` for parameters and a return type; [`Ty::ERROR`] where the compiler would
    /// make a type of its own.
    pub(crate) fn function_type(&self, params: &[Param], ret: Ty) -> Ty {
        let plain = |param: &Param| param.ref_kind == RefKind::None && !param.is_params;
        if ret.is_none() || !params.iter().all(plain) {
            return Ty::ERROR;
        }
        self.func_type(params.iter().map(|param| param.ty).collect(), ret)
    }

    /// Whether a function with a natural type converts to a type by that: `Delegate` and its bases and
    /// interfaces, and for lambdas `Expression` and its bases.
    pub(super) fn takes_function_type(&self, to: Ty) -> bool {
        let delegate = self.special(Special::MulticastDelegate);
        !delegate.is_error() && self.standard_implicit(delegate, to)
            || self.is_special(to, Special::Expression)
            || self.is_expression_base(to)
    }

    fn is_expression_base(&self, to: Ty) -> bool {
        self.def_of(to).is_some_and(|def| {
            let def = self.def(def);
            self.text(def.name) == "LambdaExpression"
                && self.text(def.namespace) == "System.Linq.Expressions"
        })
    }
}

impl Binder<'_, '_> {
    /// The natural type of an expression without one: of a lambda with typed parameters, a method group
    /// of one method.
    pub(crate) fn natural_type(&mut self, expr: &Expr) -> Option<Ty> {
        match &expr.kind {
            ExprKind::Lambda => self.lambda_natural_type(expr.node),
            ExprKind::Methods(group) => self.group_natural_type(group),
            _ if expr.ty.is_none() => None,
            _ => Some(expr.ty),
        }
    }

    fn group_natural_type(&mut self, group: &MethodGroup) -> Option<Ty> {
        let [sym] = *group.methods else { return None };
        let member = self.c.member(sym.member);
        if member.arity() != group.type_args.len() || member.signature.ref_kind != RefKind::None {
            return None;
        }
        let mut by = self.c.container_args(sym);
        by.method = Some((sym.member, &group.type_args));
        let params: Vec<Param> = member
            .signature
            .params
            .iter()
            .map(|param| Param {
                ty: self.c.substitute(param.ty, by),
                ..*param
            })
            .collect();
        let ret = self.c.substitute(member.signature.ty, by);
        Some(self.c.function_type(&params, ret))
    }
}
