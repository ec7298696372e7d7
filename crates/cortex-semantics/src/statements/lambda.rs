//! Anonymous functions. STUB (owner: STMT)

use cortex_syntax::BodyId;

use crate::{binder::Binder, name::Name, output::Findings, symbol::RefKind, ty::Ty};

/// A lambda's body, bound for certain parameter types.
#[derive(Clone, Debug)]
pub struct BoundLambda {
    /// What it found; recorded when the lambda's type is decided.
    pub findings: Findings,
    /// The inferred return type (§12.6.3.13, without the task of an `async` lambda); [`Ty::NONE`] where
    /// there is none, `void` where nothing is returned.
    pub ty: Ty,
    /// The values that it returns, for better conversions and for conversion to a return type.
    pub returned: Vec<crate::expr::Expr>,
    /// Whether the body is fine as one that returns nothing: a block without values, or an expression that may stand as a statement.
    pub can_be_void: bool,
}

/// The parameters of a lambda as written.
#[derive(Clone, Debug)]
pub struct LambdaShape {
    /// `None` for `delegate { … }`, which fits any.
    pub params: Option<Vec<LambdaParam>>,
    /// `async`.
    pub is_async: bool,
    /// As written.
    pub return_type: Option<Ty>,
    /// The body's node.
    pub body: BodyId,
    /// Whether the body is an expression.
    pub is_expression: bool,
}

/// A parameter of a lambda as written.
#[derive(Clone, Debug)]
pub struct LambdaParam {
    /// Its name.
    pub name: Name,
    /// Its type, where written.
    pub ty: Option<Ty>,
    /// Its modifier.
    pub ref_kind: RefKind,
}

impl Binder<'_, '_> {
    /// The parameters of a lambda. Types are bound, nothing is recorded.
    pub(crate) fn lambda_shape(&mut self, _node: BodyId) -> LambdaShape {
        todo!()
    }
    /// Binds a lambda's body for parameter types, without recording. `ret`: the type that returned values
    /// convert to (the result in the task, for `async`), [`Ty::NONE`] to infer it. Remembered, so that a
    /// nested lambda is not bound again for the same types.
    pub(crate) fn bind_lambda(
        &mut self,
        _node: BodyId,
        _params: &[Ty],
        _ret: Ty,
    ) -> std::rc::Rc<BoundLambda> {
        todo!()
    }
    /// Binds a lambda for good as a delegate or expression tree type, and records what it found (written
    /// parameter types and attributes as well). With an unknown type, parameters without a written type are unknown.
    pub(crate) fn finish_lambda(&mut self, _node: BodyId, _delegate: Option<Ty>) {}
    /// §12.19: the natural type of a lambda whose parameters all have types: `Func<…>` or `Action<…>`.
    pub(crate) fn lambda_natural_type(&mut self, _node: BodyId) -> Option<Ty> {
        None
    }
}
