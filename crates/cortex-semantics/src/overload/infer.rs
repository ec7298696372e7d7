//! Type inference (C# specification, §12.6.3): the type arguments of a call from its arguments.
//!
//! Owns: the two phases. Must not know: which of several candidates is better.

mod bounds;

use cortex_syntax::{BodyId, BodyKind, body_flags};
use smallvec::SmallVec;

use self::bounds::{Bound, Variables};
use super::{
    call::{Call, Forms},
    candidate::Candidate,
    mapping::{Mapping, is_partly_unknown, mentions},
};
use crate::{
    binder::Binder,
    expr::{Arg, Element, Expr, ExprKind},
    special::Special,
    statements::Asynchronous,
    symbol::{Param, RefKind},
    ty::{Ty, TyKind},
};

/// One argument whose delegate type may say more once its input types are known.
#[derive(Clone, Copy)]
struct Pending<'a> {
    expr: &'a Expr,
    formal: Ty,
}

impl<'c> Binder<'c, '_> {
    /// §12.6.3.2: sets a candidate's type arguments; whether they can be inferred. Where something
    /// unknown would have decided one, it is unknown, and the candidate is marked.
    pub(super) fn infer(&mut self, candidate: &mut Candidate<'c>, call: &Call<'_>) -> bool {
        let c = self.c;
        let signature = &candidate.member.signature;
        let mut variables = Variables::of(&signature.type_params);
        if !call.type_args.is_empty() {
            let first = usize::from(signature.block_arity);
            for (bounds, &ty) in variables.bounds[first..].iter_mut().zip(call.type_args) {
                bounds.fixed = Some(ty);
            }
        }
        let mut pending: SmallVec<[Pending<'_>; 4]> = SmallVec::new();
        for index in 0..call.len() {
            let kind = match (candidate.ref_kind(index), call.ref_kind(index)) {
                (RefKind::None, _) | (_, None) => Bound::Lower,
                (RefKind::In | RefKind::RefReadonly, Some(RefKind::None)) => Bound::Lower,
                _ => Bound::Exact,
            };
            let (expr, formal) = (call.expr(index), candidate.formal(index));
            self.first_phase(&mut variables, expr, formal, kind, &mut pending, 0);
        }
        let types = c.args_of(candidate.sym.container);
        if !self.second_phase(&mut variables, types, &pending) {
            return false;
        }
        let fixed = variables.bounds.iter();
        candidate.method_args = fixed.map(|it| it.fixed.unwrap_or(Ty::ERROR)).collect();
        true
    }

    /// §12.6.3.2 and §12.6.3.7: bounds that need no other type argument.
    fn first_phase<'a>(
        &mut self,
        variables: &mut Variables<'_>,
        expr: &'a Expr,
        formal: Ty,
        kind: Bound,
        pending: &mut SmallVec<[Pending<'a>; 4]>,
        depth: u32,
    ) {
        let c = self.c;
        if depth > 32 {
            return;
        }
        match &expr.kind {
            ExprKind::Lambda | ExprKind::Methods(_) | ExprKind::AddressOf(_) => {
                if let Some(index) = variables.index_of(c, formal) {
                    if let Some(natural) = self.natural_type(expr) {
                        variables.natural(index, natural);
                    }
                    return;
                }
                if matches!(expr.kind, ExprKind::Lambda) {
                    self.explicit_parameters(variables, expr, formal);
                }
                pending.push(Pending { expr, formal });
            }
            ExprKind::Tuple(elements) => {
                if let TyKind::Tuple {
                    elements: formals, ..
                } = c.kind(formal)
                    && formals.len() == elements.len()
                {
                    for ((element, _), &formal) in elements.iter().zip(formals) {
                        self.first_phase(variables, element, formal, kind, pending, depth + 1);
                    }
                } else if !expr.ty.is_none() {
                    variables.infer(c, kind, expr.ty, formal);
                }
            }
            ExprKind::Collection(elements) => {
                let Some(wanted) = self.element_of(formal) else {
                    return;
                };
                for (element, how) in elements.iter() {
                    match how {
                        Element::One => {
                            let kind = Bound::Lower;
                            self.first_phase(variables, element, wanted, kind, pending, depth + 1);
                        }
                        Element::Spread => {
                            let (ty, _) = self.speculate(|binder| {
                                binder.foreach_element(element, 0, Asynchronous::No)
                            });
                            variables.infer(c, Bound::Lower, ty, wanted);
                        }
                    }
                }
            }
            // Neither says anything.
            ExprKind::ImplicitOut(_) | ExprKind::Discard => {}
            _ => variables.infer(c, kind, expr.ty, formal),
        }
    }

    /// §12.6.3.8: written parameter types and return type of a lambda.
    fn explicit_parameters(&mut self, variables: &mut Variables<'_>, expr: &Expr, formal: Ty) {
        let c = self.c;
        if !self.says_types(expr.node) {
            return;
        }
        let shape = self.lambda_shape(expr.node);
        let params = shape.params.as_deref().unwrap_or_default();
        let Some(delegate) = c.delegate_signature(formal) else {
            return;
        };
        for (param, formal) in params.iter().zip(&delegate.params) {
            if let Some(ty) = param.ty {
                variables.infer(c, Bound::Exact, ty, formal.ty);
            }
        }
        if let Some(ty) = shape.return_type {
            variables.infer(c, Bound::Exact, ty, delegate.ret);
        }
    }

    /// §12.6.3.3: fixes what can be, from then on also from what lambdas and method groups return.
    fn second_phase(
        &mut self,
        variables: &mut Variables<'_>,
        types: &[Ty],
        pending: &[Pending<'_>],
    ) -> bool {
        let c = self.c;
        let mut outputs: SmallVec<[Output; 4]> = SmallVec::new();
        for item in pending {
            let output = self.output(variables, *item);
            outputs.push(output);
        }
        // Each round fixes one variable at least.
        for _ in 0..=variables.params.len() {
            if variables.bounds.iter().all(|it| it.fixed.is_some()) {
                return true;
            }
            for (output, item) in outputs.iter_mut().zip(pending) {
                let is_ready = !output.is_done
                    && unfixed_in(variables, &output.outputs)
                    && !unfixed_in(variables, &output.inputs);
                if is_ready {
                    output.is_done = true;
                    self.infer_output(variables, types, item, output);
                }
            }
            let depends = |variables: &Variables<'_>, index: usize| {
                dependencies(variables, &outputs, index).next().is_some()
            };
            let ready = |variables: &Variables<'_>, index: usize| {
                let it = &variables.bounds[index];
                it.fixed.is_none() && it.has_any()
            };
            let all = 0..variables.params.len();
            let mut to_fix: SmallVec<[usize; 4]> = all
                .clone()
                .filter(|&it| ready(variables, it) && !depends(variables, it))
                .collect();
            if to_fix.is_empty() {
                to_fix = all
                    .clone()
                    .filter(|&it| {
                        ready(variables, it)
                            && all.clone().any(|other| {
                                variables.bounds[other].fixed.is_none()
                                    && dependencies(variables, &outputs, other).any(|on| on == it)
                            })
                    })
                    .collect();
            }
            if to_fix.is_empty() {
                // What something unknown would have decided is unknown.
                let unknown = |it: &usize| {
                    let bounds = &variables.bounds[*it];
                    bounds.fixed.is_none() && bounds.is_unknown
                };
                to_fix = all.clone().filter(unknown).collect();
            }
            if to_fix.is_empty() {
                return false;
            }
            for index in to_fix {
                if !variables.fix(c, index) {
                    return false;
                }
            }
        }
        variables.bounds.iter().all(|it| it.fixed.is_some())
    }

    /// §12.6.3.4, §12.6.3.5: what goes into and comes out of an argument.
    fn output(&mut self, variables: &Variables<'_>, item: Pending<'_>) -> Output {
        let c = self.c;
        let mut found = Output {
            inputs: SmallVec::new(),
            outputs: SmallVec::new(),
            params: Vec::new(),
            ret: Ty::NONE,
            is_done: false,
        };
        let Some(delegate) = c.delegate_signature(item.formal) else {
            return found;
        };
        let takes_inputs = match item.expr.kind {
            ExprKind::Lambda => self.waits_for_types(item.expr.node),
            _ => true,
        };
        let note = |list: &mut SmallVec<[usize; 4]>, ty: Ty| {
            mentions(c, ty, &mut |id| {
                if let Some(index) = variables.params.iter().position(|&it| it == id)
                    && !list.contains(&index)
                {
                    list.push(index);
                }
                false
            });
        };
        if takes_inputs {
            for param in &delegate.params {
                note(&mut found.inputs, param.ty);
            }
        }
        note(&mut found.outputs, delegate.ret);
        found.params = delegate.params;
        found.ret = delegate.ret;
        found
    }

    /// §12.6.3.7: a lower bound from what a lambda or method group returns for known parameter types.
    fn infer_output(
        &mut self,
        variables: &mut Variables<'_>,
        types: &[Ty],
        item: &Pending<'_>,
        output: &Output,
    ) {
        let c = self.c;
        let fixed = variables.bounds.iter();
        let args: SmallVec<[Ty; 4]> = fixed.map(|it| it.fixed.unwrap_or(Ty::ERROR)).collect();
        let mapping = Mapping {
            types,
            params: variables.params,
            args: &args,
        };
        match &item.expr.kind {
            ExprKind::Lambda => {
                let params: SmallVec<[Ty; 4]> = output
                    .params
                    .iter()
                    .map(|param| mapping.apply(c, param.ty))
                    .collect();
                let ty = self.lambda_result(item.expr, &params, output.ret);
                if !c.is_void(ty) {
                    variables.infer(c, Bound::Lower, ty, output.ret);
                }
            }
            ExprKind::Methods(group) | ExprKind::AddressOf(group) => {
                let args = delegate_arguments(item.expr, &output.params, |ty| mapping.apply(c, ty));
                let group = group.clone();
                match self.choose_in_group(&group, &args, Forms::Exact) {
                    Some(found) if !c.is_void(found.resolved.ty) => {
                        variables.infer(c, Bound::Lower, found.resolved.ty, output.ret);
                    }
                    Some(_) => {}
                    None if args.iter().any(|arg| is_partly_unknown(c, arg.expr.ty)) => {
                        variables.infer(c, Bound::Lower, Ty::ERROR, output.ret);
                    }
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// Whether a lambda has parameter types or a return type written.
    fn says_types(&self, node: BodyId) -> bool {
        let lambda = self.node(node);
        lambda.kind == BodyKind::Lambda && lambda.value == 1
            || self
                .lambda_parameters(node)
                .any(|param| self.first(param).is_some())
    }

    /// Whether a lambda has parameters without a written type.
    fn waits_for_types(&self, node: BodyId) -> bool {
        self.query_arity(node).is_some()
            || self
                .lambda_parameters(node)
                .any(|param| self.first(param).is_none())
    }

    /// §12.6.3.13: the inferred return type of a lambda, that of an `async` one as the task that a formal
    /// return type wants.
    fn lambda_result(&mut self, expr: &Expr, params: &[Ty], formal: Ty) -> Ty {
        let c = self.c;
        let mut own: SmallVec<[Ty; 4]> = params.into();
        if self.says_types(expr.node) {
            let shape = self.lambda_shape(expr.node);
            if let Some(ty) = shape.return_type {
                return ty;
            }
            let written = shape.params.iter().flatten();
            for (own, param) in own.iter_mut().zip(written) {
                *own = param.ty.unwrap_or(*own);
            }
        }
        let ty = self.bind_lambda(expr.node, &own, Ty::NONE).ty;
        let is_async = self.node(expr.node).flags & body_flags::ASYNC != 0;
        if !is_async || ty.is_error() || ty.is_none() {
            return ty;
        }
        if c.is_void(ty) {
            return c.special(Special::Task);
        }
        match c.kind(formal) {
            TyKind::Named { def, args } if args.len() == 1 && c.header(*def).is_task_like => {
                c.named(*def, &[ty])
            }
            TyKind::Named { def, args }
                if args.len() == 1 && Some(*def) == c.well_known(Special::ValueTaskT) =>
            {
                c.named(*def, &[ty])
            }
            _ => c.special_of(Special::TaskT, &[ty]),
        }
    }
}

/// What goes into and comes out of one argument.
struct Output {
    inputs: SmallVec<[usize; 4]>,
    outputs: SmallVec<[usize; 4]>,
    params: Vec<Param>,
    ret: Ty,
    is_done: bool,
}

fn unfixed_in(variables: &Variables<'_>, list: &[usize]) -> bool {
    list.iter()
        .any(|&index| variables.bounds[index].fixed.is_none())
}

/// §12.6.3.6: the unfixed variables that one depends on, directly or through others.
fn dependencies<'a>(
    variables: &'a Variables<'_>,
    outputs: &'a [Output],
    index: usize,
) -> impl Iterator<Item = usize> + 'a {
    let mut seen: SmallVec<[usize; 8]> = SmallVec::new();
    let mut queue: SmallVec<[usize; 8]> = SmallVec::from_slice(&[index]);
    while let Some(at) = queue.pop() {
        for output in outputs.iter().filter(|it| it.outputs.contains(&at)) {
            for &input in &output.inputs {
                if variables.bounds[input].fixed.is_none() && !seen.contains(&input) {
                    seen.push(input);
                    queue.push(input);
                }
            }
        }
    }
    seen.into_iter()
}

/// The parameters of a delegate as arguments (§10.8).
pub(super) fn delegate_arguments(
    expr: &Expr,
    params: &[Param],
    mut construct: impl FnMut(Ty) -> Ty,
) -> SmallVec<[Arg; 4]> {
    params
        .iter()
        .map(|param| {
            let ty = construct(param.ty);
            let value = match param.ref_kind {
                RefKind::None => Expr::value(expr.node, ty),
                _ => Expr::variable(expr.node, ty),
            };
            Arg {
                name: None,
                ref_kind: param.ref_kind,
                expr: value,
            }
        })
        .collect()
}
