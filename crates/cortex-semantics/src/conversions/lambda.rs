//! Anonymous functions to delegate and expression tree types (C# specification, §10.7).
//!
//! Must not know: how bodies are bound.

use std::rc::Rc;

use super::{Conversion, DelegateSignature};
use crate::{
    binder::Binder,
    compilation::Compilation,
    expr::{Element, Expr, ExprKind},
    special::Special,
    statements::lambda::{BoundLambda, LambdaShape},
    symbol::{Param, RefKind},
    ty::Ty,
};

impl Compilation<'_> {
    /// The type of the values that an `async` function returns: `T` of a task type with a result, `void`
    /// of one without; [`Ty::ERROR`] where it is unknown, `None` where it is no task type.
    pub(crate) fn async_result(&self, ret: Ty) -> Option<Ty> {
        if ret.is_error() || self.is_void(ret) {
            return Some(ret);
        }
        let def = self.def_of(ret)?;
        let is_task = [
            Special::Task,
            Special::TaskT,
            Special::ValueTask,
            Special::ValueTaskT,
        ]
        .iter()
        .any(|&task| self.well_known(task) == Some(def))
            || self.header(def).is_task_like;
        match self.args_of(ret) {
            _ if !is_task => None,
            [] => Some(self.special(Special::Void)),
            [result] => Some(*result),
            _ => None,
        }
    }
}

impl Binder<'_, '_> {
    /// The conversion of a lambda or anonymous method.
    pub(super) fn lambda_conversion(&mut self, expr: &Expr, to: Ty) -> Conversion {
        let node = self.unwrapped(expr.node);
        let Some(signature) = self.c.delegate_signature(to) else {
            let natural =
                self.c.takes_function_type(to) && self.lambda_natural_type(node).is_some();
            return if natural {
                Conversion::Standard
            } else {
                Conversion::None
            };
        };
        let shape = self.lambda_shape(node);
        if !self.parameters_fit(&shape, &signature) {
            return Conversion::None;
        }
        let Some(ret) = self.wanted_result(&shape, &signature) else {
            return Conversion::None;
        };
        let fits = self.deeper(|binder| {
            let body = binder.bind_lambda_for(node, &signature.params);
            binder.body_fits(&shape, &body, ret)
        });
        match fits {
            Some(true) => Conversion::Lambda,
            Some(false) => Conversion::None,
            None => Conversion::Unknown,
        }
    }

    /// A lambda's body, bound for the parameters of a delegate, its return type left to be inferred.
    pub(crate) fn bind_lambda_for(&mut self, node: u32, params: &[Param]) -> Rc<BoundLambda> {
        let types: smallvec::SmallVec<[Ty; 4]> = params.iter().map(|param| param.ty).collect();
        self.bind_lambda(node, &types, Ty::NONE)
    }

    fn parameters_fit(&self, shape: &LambdaShape, signature: &DelegateSignature) -> bool {
        let Some(params) = &shape.params else {
            let out = |param: &Param| param.ref_kind == RefKind::Out;
            return !signature.params.iter().any(out);
        };
        params.len() == signature.params.len()
            && params
                .iter()
                .zip(&signature.params)
                .all(|(written, wanted)| {
                    match written.ty {
                        Some(ty) => {
                            same_passing(written.ref_kind, wanted.ref_kind)
                                && self.c.is_identical(ty, wanted.ty)
                        }
                        // Modifiers without types came with C# 14.
                        None => same_passing(written.ref_kind, wanted.ref_kind),
                    }
                })
    }

    /// What returned values convert to, `void` for none; `None` where the delegate's return type is not
    /// one for this lambda.
    fn wanted_result(&self, shape: &LambdaShape, signature: &DelegateSignature) -> Option<Ty> {
        if let Some(written) = shape.return_type
            && !self.c.is_identical(written, signature.ret)
        {
            return None;
        }
        if shape.is_async {
            self.c.async_result(signature.ret)
        } else {
            Some(signature.ret)
        }
    }

    fn body_fits(&mut self, shape: &LambdaShape, body: &BoundLambda, ret: Ty) -> bool {
        if ret.is_error() {
            return true;
        }
        if self.c.is_void(ret) {
            return body.can_be_void;
        }
        if body.returned.is_empty() {
            // A block that returns nothing at all ends with `throw` or never, or is none for a value.
            return !shape.is_expression && !body.can_be_void_only();
        }
        body.returned
            .iter()
            .all(|value| self.returned_fits(value, ret))
    }

    /// Whether a returned value converts. It was bound where the lambda's parameters are in scope, which
    /// they are no more: of what still needs a body to be bound, the form alone is asked.
    fn returned_fits(&mut self, value: &Expr, ret: Ty) -> bool {
        if !needs_scope(value, 0) {
            return self.implicit_conversion(value, ret).exists();
        }
        match &value.kind {
            ExprKind::Lambda => {
                let Some(signature) = self.c.delegate_signature(ret) else {
                    return ret.is_error() || self.c.takes_function_type(ret);
                };
                let shape = self.lambda_shape(self.unwrapped(value.node));
                self.parameters_fit(&shape, &signature)
            }
            ExprKind::Branches(branches) => branches
                .iter()
                .all(|branch| self.returned_fits(branch, ret)),
            _ => true,
        }
    }
}

impl BoundLambda {
    /// Whether it is a body for no value at all.
    fn can_be_void_only(&self) -> bool {
        self.can_be_void && !self.ty.is_none()
    }
}

/// `in` and `ref readonly` aside, modifiers must be the same.
fn same_passing(written: RefKind, wanted: RefKind) -> bool {
    written == wanted
}

/// Whether there is a lambda in it that is not bound yet.
fn needs_scope(expr: &Expr, depth: u32) -> bool {
    if depth > 16 {
        return true;
    }
    let inner = |expr: &Expr| needs_scope(expr, depth + 1);
    match &expr.kind {
        ExprKind::Lambda => true,
        ExprKind::Tuple(parts) => parts.iter().any(|(part, _)| inner(part)),
        ExprKind::Collection(parts) => parts
            .iter()
            .any(|(part, element)| *element == Element::One && inner(part)),
        ExprKind::Branches(parts) => parts.iter().any(inner),
        _ => false,
    }
}
