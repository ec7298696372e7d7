//! Anonymous functions to delegate and expression tree types (C# specification, §10.7).
//!
//! Must not know: how bodies are bound.

use std::rc::Rc;

use super::{Conversion, DelegateSignature};
use crate::{
    binder::Binder,
    compilation::Compilation,
    expr::Expr,
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
        let node = expr.node;
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
            binder.body_fits(&body, ret)
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

    fn body_fits(&mut self, body: &BoundLambda, ret: Ty) -> bool {
        if body.has_errors {
            return false;
        }
        if ret.is_error() {
            return true;
        }
        if self.c.is_void(ret) {
            return body.can_be_void;
        }
        body.can_be_value
            && self.all_returned(body, |binder, value| {
                binder.implicit_conversion(value, ret).exists()
            })
    }
}

/// `in` and `ref readonly` aside, modifiers must be the same.
fn same_passing(written: RefKind, wanted: RefKind) -> bool {
    let read_only = |kind| matches!(kind, RefKind::In | RefKind::RefReadonly);
    written == wanted || read_only(written) && read_only(wanted)
}
