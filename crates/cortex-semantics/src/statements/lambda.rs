//! Anonymous functions (C# specification, §12.19): their shape, their body for certain parameter types,
//! their natural type.
//!
//! Owns: that a body is bound once for the same parameter types. Must not know: which delegate type is
//! chosen; that is for conversions and overload resolution.

use std::rc::Rc;

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind, body_flags, ref_kind};

use super::{query::QueryLambda, scope::SavedScope};
use crate::{
    binder::{Binder, Returns},
    driver::bodies::bind_attribute,
    expr::{Expr, ExprKind},
    expressions::ConstantFor,
    name::{Name, known},
    output::{Findings, Why},
    special::Special,
    symbol::RefKind,
    ty::{Ty, TyKind},
};

/// A lambda's body, bound for certain parameter types.
#[derive(Clone, Debug)]
pub(crate) struct BoundLambda {
    /// What it found; recorded when the lambda's type is decided.
    pub findings: Findings,
    /// The inferred return type (§12.6.3.13, without the task of an `async` lambda); [`Ty::NONE`] where
    /// there is none, `void` where nothing is returned.
    pub ty: Ty,
    /// The values that it returns, for better conversions and for conversion to a return type.
    pub returned: Vec<Expr>,
    /// Whether the body is fine as one that returns nothing: a block without values, or an expression that may stand as a statement.
    pub can_be_void: bool,
    /// Whether the body is fine as one that returns a value: an expression that has one, a block that
    /// returns values alone, or one whose end cannot be reached.
    pub can_be_value: bool,
    /// Whether a name or call in the body could not be bound although everything around it is known: such
    /// a lambda converts to no delegate type of these parameters (as Roslyn does).
    pub has_errors: bool,
    /// Where the values stand, in the order of `returned`.
    scopes: Vec<Option<Rc<SavedScope>>>,
}

/// A value that a lambda returns, while the type that it converts to is not known.
#[derive(Clone, Debug)]
pub(crate) struct Returned {
    expr: Expr,
    scope: Option<Rc<SavedScope>>,
}

/// The parameters of a lambda as written.
#[derive(Clone, Debug)]
pub(crate) struct LambdaShape {
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
pub(crate) struct LambdaParam {
    /// Its name.
    pub name: Name,
    /// Its type, where written.
    pub ty: Option<Ty>,
    /// Its modifier.
    pub ref_kind: RefKind,
}

/// How many lambdas are bound inside of one outermost lambda, at most: each nesting level multiplies the
/// parameter types that the next is tried for, and no real program comes near it.
const MAX_BINDINGS: u32 = 20_000;

impl Binder<'_, '_> {
    /// The parameters of a lambda or a query clause's lambda. Types are bound, nothing is recorded.
    pub(crate) fn lambda_shape(&mut self, node: BodyId) -> Rc<LambdaShape> {
        if let Some(found) = self.statements.shapes.get(&node) {
            return found.clone();
        }
        let shape = Rc::new(match self.statements.query_lambdas.get(&node) {
            Some(query) => query.shape(),
            None => self.speculate(|binder| binder.written_shape(node)).0,
        });
        self.statements.shapes.insert(node, shape.clone());
        shape
    }

    fn written_shape(&mut self, node: BodyId) -> LambdaShape {
        let data = self.node(node);
        let mut params = Vec::new();
        let mut rest = Vec::new();
        for child in self.children(node) {
            match self.body_kind(child) {
                BodyKind::LambdaParameter => params.push(self.lambda_param(child)),
                BodyKind::Attribute => {}
                _ => rest.push(child),
            }
        }
        let is_lambda = data.kind == BodyKind::Lambda;
        let body = rest.last().copied().unwrap_or(node);
        let return_type = (is_lambda && data.value == 1 && rest.len() > 1)
            .then(|| self.bind_type_node(rest[0], EdgeKind::Local));
        LambdaShape {
            params: (is_lambda || data.value == 1).then_some(params),
            is_async: data.flags & body_flags::ASYNC != 0,
            return_type,
            body,
            is_expression: self.body_kind(body) != BodyKind::Block,
        }
    }

    /// A `LambdaParameter`; its type is recorded.
    pub(super) fn lambda_param(&mut self, node: BodyId) -> LambdaParam {
        LambdaParam {
            name: self.name_of(node),
            ty: self
                .first(node)
                .filter(|&ty| self.body_kind(ty) != BodyKind::OmittedType)
                .map(|ty| self.bind_type_node(ty, EdgeKind::Local)),
            ref_kind: written_ref_kind(self.node(node).flags),
        }
    }

    /// Binds a lambda's body for parameter types, without recording. `ret`: the type that returned values
    /// convert to (the result in the task, for `async`), [`Ty::NONE`] to infer it. Remembered, so that a
    /// nested lambda is not bound again for the same types.
    ///
    /// The body is bound once for parameter types, whatever is returned: conversion of the returned values
    /// comes on top of that.
    pub(crate) fn bind_lambda(&mut self, node: BodyId, params: &[Ty], ret: Ty) -> Rc<BoundLambda> {
        let shape = self.lambda_shape(node);
        let params = effective_params(&shape, params);
        let key = (self.env, node, params, ret);
        if let Some(found) = self.lambdas.get(&key) {
            return found.clone();
        }
        let bound = Rc::new(if ret.is_none() {
            self.bind_new(node, &shape, &key.2)
        } else {
            let inferred = self.bind_lambda(node, &key.2, Ty::NONE);
            let env = self.env;
            let ((), converted) = self.speculate(|binder| binder.finish_returned(&inferred, ret));
            self.env = env;
            let mut bound = BoundLambda::clone(&inferred);
            append(&mut bound.findings, converted);
            bound.ty = ret;
            bound
        });
        self.lambdas.insert(key, bound.clone());
        bound
    }

    fn bind_new(&mut self, node: BodyId, shape: &LambdaShape, params: &[Ty]) -> BoundLambda {
        if self.statements.lambda_depth == 0 {
            self.statements.bindings = 0;
        }
        self.statements.bindings += 1;
        if self.statements.bindings > MAX_BINDINGS {
            return BoundLambda::unknown();
        }
        let misfits = self.statements.misfits;
        let env = std::mem::replace(&mut self.env, self.next_env);
        self.next_env += 1;
        self.statements.lambda_depth += 1;
        let (bound, findings) = self.speculate(|binder| {
            binder.deeper(|binder| {
                let base = binder.locals.len();
                binder.statements.bases.push(base);
                let bound = binder.in_block(|binder| binder.lambda_body(node, shape, params));
                binder.statements.bases.pop();
                bound
            })
        });
        self.statements.lambda_depth -= 1;
        self.env = env;
        let mut bound = bound.unwrap_or_else(BoundLambda::unknown);
        bound.has_errors = self.statements.misfits != misfits
            || findings
                .unbound
                .iter()
                .any(|unbound| unbound.why != Why::UnknownReceiver);
        // What is tried here says nothing of the lambda around: only what is chosen does.
        self.statements.misfits = misfits;
        bound.findings = findings;
        bound
    }

    fn lambda_body(&mut self, node: BodyId, shape: &LambdaShape, params: &[Ty]) -> BoundLambda {
        if let Some(query) = self.statements.query_lambdas.get(&node).cloned() {
            return self.query_lambda_body(&query, params);
        }
        self.declare_lambda_params(node, shape, params);
        let ret = shape.return_type.map(|ty| match shape.is_async {
            true => self.c.awaited_result(ty),
            false => ty,
        });
        self.returns.push(Returns {
            ty: ret,
            found: Vec::new(),
            returns_nothing: false,
        });
        self.bind_body(shape.body);
        let returns = self.returns.pop().expect("what was pushed above");
        let mut found = returns.found;
        let mut bound = BoundLambda::unknown();
        let mut throws = false;
        if shape.is_expression {
            let value = found.first().map(|value| &value.expr);
            bound.can_be_void = self.is_statement_expression(shape.body);
            bound.can_be_value = value.is_none_or(|value| !self.c.is_void(value.ty));
        } else {
            let has_values = !found.is_empty() || ret.is_some_and(|ret| !self.c.is_void(ret));
            let ends = self.end_reachable(shape.body);
            throws = !has_values && !ends && !returns.returns_nothing;
            bound.can_be_void = !has_values;
            bound.can_be_value = has_values && !returns.returns_nothing || throws;
        }
        bound.ty = match ret {
            Some(ret) => ret,
            None if throws => Ty::NONE,
            None => self.type_of_returned(&found),
        };
        for value in &mut found {
            bound.returned.push(value.expr.clone());
            bound.scopes.push(value.scope.take());
        }
        bound
    }

    fn declare_lambda_params(&mut self, node: BodyId, shape: &LambdaShape, params: &[Ty]) {
        let discards = shape.params.iter().flatten();
        let n_discards = discards
            .filter(|param| param.name == known::UNDERSCORE)
            .count();
        let mut types = params.iter();
        for child in self.children(node) {
            if self.body_kind(child) != BodyKind::LambdaParameter {
                continue;
            }
            let param = self.lambda_param(child);
            let ty = types.next().copied().unwrap_or(Ty::ERROR);
            if let Some(default) = self.children(child).nth(1) {
                self.bind_to(default, ty);
                self.check_constant(default, ConstantFor::Default);
            }
            if n_discards > 1 && param.name == known::UNDERSCORE {
                continue;
            }
            let local = self.declare_at(child, ty);
            self.pass_local_as(local, param.ref_kind);
        }
        for child in self.children(node) {
            match self.body_kind(child) {
                BodyKind::LambdaParameter => {}
                BodyKind::Attribute => bind_attribute(self, None, child),
                _ if child != shape.body => {
                    self.bind_type_node(child, EdgeKind::Local);
                }
                _ => {}
            }
        }
    }

    /// Keeps a value whose type is inferred, with what is in scope where it stands.
    pub(super) fn returned(&self, expr: Expr) -> Returned {
        let base = self.statements.bases.last().copied().unwrap_or_default();
        let scope = needs_target(&expr).then(|| Rc::new(self.save_scope(base)));
        Returned { expr, scope }
    }

    /// §12.6.3.13, §12.6.3.15: the type that returned values have in common.
    fn type_of_returned(&mut self, values: &[Returned]) -> Ty {
        let mut types: Vec<Ty> = Vec::new();
        for value in values {
            let ty = match value.expr.ty {
                Ty::NONE => self
                    .in_scope(value.scope.as_deref(), |binder| {
                        binder.natural_type(&value.expr)
                    })
                    .unwrap_or(Ty::NONE),
                ty => ty,
            };
            if !ty.is_none() && !types.contains(&ty) {
                types.push(ty);
            }
        }
        let common = match types[..] {
            [] if values.is_empty() => return self.c.special(Special::Void),
            [] => return Ty::NONE,
            [only] => only,
            _ if types.iter().any(|ty| ty.is_error()) => Ty::ERROR,
            _ => match self.c.best_common_type(&types) {
                Some(best) => best,
                None => return Ty::NONE,
            },
        };
        let fits = values.iter().all(|value| {
            value.expr.ty != Ty::NONE
                || self.in_scope(value.scope.as_deref(), |binder| {
                    binder.implicit_conversion(&value.expr, common).exists()
                })
        });
        if fits { common } else { Ty::NONE }
    }

    /// An expression body that is a value.
    pub(super) fn value_lambda(&mut self, value: Returned) -> BoundLambda {
        let ty = self.type_of_returned(std::slice::from_ref(&value));
        BoundLambda {
            ty,
            returned: vec![value.expr],
            scopes: vec![value.scope],
            can_be_void: false,
            ..BoundLambda::unknown()
        }
    }

    /// Whether something holds for every value that a lambda returns, asked with what is in scope there.
    pub(crate) fn all_returned(
        &mut self,
        bound: &BoundLambda,
        mut holds: impl FnMut(&mut Self, &Expr) -> bool,
    ) -> bool {
        let mut values = bound.returned.iter().zip(&bound.scopes);
        values.all(|(value, scope)| self.in_scope(scope.as_deref(), |binder| holds(binder, value)))
    }

    /// Converts what a lambda returns; `void` and unknown types leave the values as they are on their own.
    fn finish_returned(&mut self, bound: &BoundLambda, ret: Ty) {
        let on_its_own = ret.is_none() || ret.is_error() || self.c.is_void(ret);
        for (value, scope) in bound.returned.iter().zip(&bound.scopes) {
            self.in_scope(scope.as_deref(), |binder| {
                if on_its_own {
                    binder.finish(value.clone());
                } else {
                    binder.convert(value.clone(), ret);
                }
            });
        }
    }

    /// Binds a lambda for good as a delegate or expression tree type, and records what it found (written
    /// parameter types and attributes as well). With an unknown type, parameters without a written type are unknown.
    pub(crate) fn finish_lambda(&mut self, node: BodyId, delegate: Option<Ty>) {
        let shape = self.lambda_shape(node);
        let signature = delegate.and_then(|ty| self.c.delegate_signature(ty));
        let params: Vec<Ty> = signature
            .iter()
            .flat_map(|signature| signature.params.iter().map(|param| param.ty))
            .collect();
        let bound = self.bind_lambda(node, &params, Ty::NONE);
        self.accept(&bound.findings);
        if bound.has_errors {
            self.note_misfit();
        }
        let ret = match &signature {
            Some(signature) if shape.is_async => self.c.awaited_result(signature.ret),
            Some(signature) => signature.ret,
            None => bound.ty,
        };
        self.finish_returned(&bound, ret);
    }

    /// §12.19: the natural type of a lambda whose parameters all have types: `Func<…>` or `Action<…>`.
    pub(crate) fn lambda_natural_type(&mut self, node: BodyId) -> Option<Ty> {
        let shape = self.lambda_shape(node);
        let params = shape.params.as_ref()?;
        let mut types = Vec::with_capacity(params.len() + 1);
        for param in params {
            types.push(param.ty?);
        }
        let ret = match shape.return_type {
            Some(ty) => ty,
            None => {
                let ty = self.bind_lambda(node, &types, Ty::NONE).ty;
                if ty.is_none() {
                    return None;
                }
                if shape.is_async {
                    self.c.task_of(ty)
                } else {
                    ty
                }
            }
        };
        if params.iter().any(|param| param.ref_kind != RefKind::None) {
            types.push(ret);
            return Some(self.c.intern(TyKind::FunctionPointer(types.into())));
        }
        Some(self.c.func_type(types, ret))
    }
}

impl BoundLambda {
    fn unknown() -> Self {
        Self {
            findings: Findings::default(),
            ty: Ty::ERROR,
            returned: Vec::new(),
            can_be_void: true,
            can_be_value: true,
            has_errors: false,
            scopes: Vec::new(),
        }
    }
}

impl LambdaShape {
    pub(super) fn of_query(n_params: usize, body: BodyId) -> Self {
        let param = LambdaParam {
            name: known::EMPTY,
            ty: None,
            ref_kind: RefKind::None,
        };
        Self {
            params: Some(vec![param; n_params]),
            is_async: false,
            return_type: None,
            body,
            is_expression: true,
        }
    }
}

impl QueryLambda {
    fn shape(&self) -> LambdaShape {
        LambdaShape::of_query(self.params.len(), self.body_node())
    }
}

fn append(findings: &mut Findings, more: Findings) {
    findings.refs.extend(more.refs);
    findings.uses.extend(more.uses);
    findings.unbound.extend(more.unbound);
    findings.locals.extend(more.locals);
    findings.typed.extend(more.typed);
    findings.caller_texts.extend(more.caller_texts);
    findings.misfits.extend(more.misfits);
    findings.outside_groups.extend(more.outside_groups);
}

/// The types that the parameters have: as written, else as given. So a lambda whose types are written is
/// bound once.
fn effective_params(shape: &LambdaShape, given: &[Ty]) -> Box<[Ty]> {
    let written = shape.params.iter().flatten().enumerate();
    written
        .map(|(index, param)| {
            let given = given.get(index).copied();
            param.ty.or(given).unwrap_or(Ty::ERROR)
        })
        .collect()
}

/// Whether a value is finished by the type that it converts to.
pub(super) fn needs_target(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        ExprKind::Value
            | ExprKind::Variable
            | ExprKind::Type
            | ExprKind::Namespace(_)
            | ExprKind::Base
            | ExprKind::Null
            | ExprKind::Default
            | ExprKind::Throw
            | ExprKind::Discard
            | ExprKind::ColorColor(_)
    )
}

/// The modifier in a node's `flags`.
pub(super) fn written_ref_kind(flags: u8) -> RefKind {
    match flags & 7 {
        ref_kind::REF => RefKind::Ref,
        ref_kind::OUT => RefKind::Out,
        ref_kind::IN => RefKind::In,
        ref_kind::REF_READONLY => RefKind::RefReadonly,
        _ => RefKind::None,
    }
}
