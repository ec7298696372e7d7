//! Which of two conversions is better (C# specification, §12.6.4.5 to §12.6.4.7), and the best common
//! type (§12.6.3.15).
//!
//! Must not know: candidates of overload resolution.

use cortex_syntax::{BodyKind, LiteralKind};

use super::{Better, Explicit, standard::MAX_NESTING};
use crate::{
    binder::Binder,
    compilation::Compilation,
    expr::{Element, Expr, ExprKind},
    special::Special,
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// §12.6.3.15: the best common type of expressions' types. Unknown ones are left out; where all are,
    /// it is unknown.
    pub fn best_common_type(&self, types: &[Ty]) -> Option<Ty> {
        let mut known = types
            .iter()
            .copied()
            .filter(|ty| !ty.is_error() && !ty.is_none());
        let Some(first) = known.next() else {
            return types.contains(&Ty::ERROR).then_some(Ty::ERROR);
        };
        let mut best = Some(first);
        for ty in known {
            best = match best {
                Some(best) => self.wider(best, ty),
                None => Some(ty),
            };
        }
        let best = best?;
        let all = types.iter().copied();
        let mut others = all.filter(|ty| !ty.is_error() && !ty.is_none());
        others
            .all(|ty| self.wider(best, ty) == Some(best))
            .then_some(best)
    }

    /// The one of two types that the other converts to.
    fn wider(&self, a: Ty, b: Ty) -> Option<Ty> {
        if a == b || self.is_identical(a, b) {
            return Some(a);
        }
        let converts = |from: Ty, to: Ty| {
            self.standard_implicit(from, to)
                || self
                    .user_defined_conversion(from, to, Explicit::No)
                    .is_some()
        };
        match (converts(a, b), converts(b, a)) {
            (true, false) => Some(b),
            (false, true) => Some(a),
            _ => None,
        }
    }

    /// §12.6.4.7: the better of two target types.
    pub(crate) fn better_target(&self, left: Ty, right: Ty) -> Better {
        self.better_target_at(left, right, 0)
    }

    fn better_target_at(&self, left: Ty, right: Ty, depth: u32) -> Better {
        if depth > MAX_NESTING || self.is_identical(left, right) {
            return Better::Neither;
        }
        let read_only = |ty: Ty| self.arg_of(ty, Special::ReadOnlySpan);
        let span = |ty: Ty| self.arg_of(ty, Special::Span);
        match (read_only(left), span(right)) {
            (Some(a), Some(b)) if self.is_identical(a, b) => return Better::Left,
            (Some(_), Some(_)) => return Better::Neither,
            _ => {}
        }
        match (span(left), read_only(right)) {
            (Some(a), Some(b)) if self.is_identical(a, b) => return Better::Right,
            (Some(_), Some(_)) => return Better::Neither,
            _ => {}
        }
        let converts = |from: Ty, to: Ty| {
            self.standard_implicit(from, to)
                || self
                    .user_defined_conversion(from, to, Explicit::No)
                    .is_some()
        };
        match (converts(left, right), converts(right, left)) {
            (true, true) => return Better::Neither,
            (true, false) => return Better::Left,
            (false, true) => return Better::Right,
            (false, false) => {}
        }
        for task in [Special::TaskT, Special::ValueTaskT] {
            if let (Some(a), Some(b)) = (self.arg_of(left, task), self.arg_of(right, task)) {
                return self.better_target_at(a, b, depth + 1);
            }
        }
        if let (Some(a), Some(b)) = (self.delegate_return(left), self.delegate_return(right)) {
            return match (self.is_void(a), self.is_void(b)) {
                (false, true) => Better::Left,
                (true, false) => Better::Right,
                (true, true) => Better::Neither,
                (false, false) => self.better_target_at(a, b, depth + 1),
            };
        }
        match (
            self.builtin_of_operand(left),
            self.builtin_of_operand(right),
        ) {
            (Some(a), Some(b)) => Better::of(
                a.is_signed_integral() && b.is_unsigned_integral(),
                b.is_signed_integral() && a.is_unsigned_integral(),
            ),
            _ => Better::Neither,
        }
    }
}

impl Binder<'_, '_> {
    /// §12.6.4.5: the better conversion of an expression to two types.
    pub(crate) fn better_conversion(&mut self, expr: &Expr, left: Ty, right: Ty) -> Better {
        if left == right || self.c.is_identical(left, right) {
            return Better::Neither;
        }
        match &expr.kind {
            ExprKind::ImplicitOut(_) | ExprKind::Discard => return Better::Neither,
            ExprKind::InterpolatedString => {
                let better = Better::of(
                    self.c.is_string_handler(left),
                    self.c.is_string_handler(right),
                );
                if better != Better::Neither && !self.is_constant_string(expr) {
                    return better;
                }
            }
            ExprKind::Collection(parts) => {
                let parts = parts.clone();
                return self.better_collection(&parts, left, right);
            }
            ExprKind::Lambda | ExprKind::Methods(_) => {
                // Its own delegate type before one that only takes any function.
                let better = Better::of(
                    self.c.delegate_of(left).is_some(),
                    self.c.delegate_of(right).is_some(),
                );
                if better != Better::Neither {
                    return better;
                }
            }
            _ => {}
        }
        let exact = Better::of(
            self.matches_exactly(expr, left),
            self.matches_exactly(expr, right),
        );
        if exact != Better::Neither {
            return exact;
        }
        if let ExprKind::Branches(_) = expr.kind
            && self.body_kind(expr.node) == BodyKind::Conditional
            && !expr.ty.is_none()
        {
            // What `?:` converts to as a whole is better than what only its branches convert to.
            let whole = Better::of(
                self.value_conversion(expr, left).exists(),
                self.value_conversion(expr, right).exists(),
            );
            if whole != Better::Neither {
                return whole;
            }
        }
        if !expr.ty.is_none() && !expr.ty.is_error() {
            let spans = Better::of(
                self.c.is_span_conversion(expr.ty, left),
                self.c.is_span_conversion(expr.ty, right),
            );
            if spans != Better::Neither && !self.matches_exactly(expr, left) {
                return spans;
            }
        }
        self.c.better_target(left, right)
    }

    /// Whether what is better for a lambda counts for nothing where another argument says otherwise: the
    /// delegate types differ in more than what they return. The compiler departs from §12.6.4.5 here, which
    /// would let contravariant parameters decide against the type of the receiver.
    pub(crate) fn gives_way(&mut self, expr: &Expr, left: Ty, right: Ty) -> bool {
        if !matches!(expr.kind, ExprKind::Lambda) {
            return false;
        }
        let (Some(left), Some(right)) = (
            self.c.delegate_signature(left),
            self.c.delegate_signature(right),
        ) else {
            return false;
        };
        let mut pairs = left.params.iter().zip(right.params.iter());
        let is_same = left.params.len() == right.params.len()
            && pairs.all(|(a, b)| a.ref_kind == b.ref_kind && self.c.is_identical(a.ty, b.ty));
        if !is_same {
            return true;
        }
        match (self.c.is_void(left.ret), self.c.is_void(right.ret)) {
            (true, true) => true,
            (false, false) => {
                self.c.is_identical(left.ret, right.ret)
                    || self.bind_lambda_for(expr.node, &left.params).ty.is_none()
            }
            _ => false,
        }
    }

    /// Whether an interpolated string has nothing but literals in its holes: it is a constant then.
    fn is_constant_string(&self, expr: &Expr) -> bool {
        if expr.constant.is_some() || self.body_kind(expr.node) != BodyKind::InterpolatedString {
            return expr.constant.is_some();
        }
        self.children(expr.node).all(|hole| {
            let literal = self.first(hole).map(|value| self.node(value));
            literal.is_some_and(|value| {
                value.kind == BodyKind::Literal && value.flags == LiteralKind::String as u8
            })
        })
    }

    /// §12.6.4.6: whether an expression is of exactly a type.
    fn matches_exactly(&mut self, expr: &Expr, ty: Ty) -> bool {
        if !expr.ty.is_none() && self.c.is_identical(expr.ty, ty) {
            return true;
        }
        match &expr.kind {
            ExprKind::Tuple(parts) => {
                let parts = parts.clone();
                let Some(elements) = self.c.tuple_elements(ty) else {
                    return false;
                };
                elements.len() == parts.len()
                    && self
                        .deeper(|binder| {
                            let mut pairs = parts.iter().zip(elements);
                            pairs.all(|((part, _), &element)| binder.matches_exactly(part, element))
                        })
                        .unwrap_or(false)
            }
            ExprKind::Lambda => self
                .deeper(|binder| binder.lambda_matches(expr, ty))
                .unwrap_or(false),
            ExprKind::Methods(_) => {
                let natural = self.natural_type(expr);
                natural.is_some_and(|it| !it.is_error() && self.c.is_identical(it, ty))
            }
            _ => false,
        }
    }

    fn lambda_matches(&mut self, expr: &Expr, ty: Ty) -> bool {
        let Some(signature) = self.c.delegate_signature(ty) else {
            return false;
        };
        if self.c.is_void(signature.ret) {
            return false;
        }
        let node = expr.node;
        let shape = self.lambda_shape(node);
        if let Some(written) = shape.return_type {
            return self.c.is_identical(written, signature.ret);
        }
        let ret = if shape.is_async {
            match self.c.async_result(signature.ret) {
                Some(result) if !self.c.is_void(result) => result,
                _ => return false,
            }
        } else {
            signature.ret
        };
        let body = self.bind_lambda_for(node, &signature.params);
        if !body.ty.is_none() && !body.ty.is_error() && self.c.is_identical(body.ty, ret) {
            return true;
        }
        !body.returned.is_empty()
            && self.all_returned(&body, |binder, value| {
                !value.is_error() && binder.matches_exactly(value, ret)
            })
    }

    /// C# 13: the better conversion of a collection expression.
    fn better_collection(&mut self, parts: &[(Expr, Element)], left: Ty, right: Ty) -> Better {
        let (left, right) = (self.c.strip_nullable(left), self.c.strip_nullable(right));
        let (Some(a), Some(b)) = (
            self.collection_element(left),
            self.collection_element(right),
        ) else {
            return self.c.better_target(left, right);
        };
        let c = self.c;
        let span =
            |ty: Ty| c.is_special(ty, Special::Span) || c.is_special(ty, Special::ReadOnlySpan);
        if !span(left) && !span(right) {
            let converts = Better::of(
                c.standard_implicit(left, right),
                c.standard_implicit(right, left),
            );
            if converts != Better::Neither {
                return converts;
            }
        }
        if !c.is_identical(a, b) {
            return self.better_elements(parts, a, b);
        }
        let read_only = |ty: Ty| c.is_special(ty, Special::ReadOnlySpan);
        match (span(left), span(right)) {
            (true, true) => Better::of(read_only(left), read_only(right)),
            (true, false) if self.is_array_or_interface(right) => Better::Left,
            (false, true) if self.is_array_or_interface(left) => Better::Right,
            _ => Better::Neither,
        }
    }

    fn better_elements(&mut self, parts: &[(Expr, Element)], left: Ty, right: Ty) -> Better {
        let mut found = Better::Neither;
        for (part, form) in parts {
            let better = match form {
                Element::One => self.better_conversion(part, left, right),
                Element::Spread => {
                    let ty = self.spread_element(part);
                    let of = |target: Ty| !ty.is_error() && self.c.is_identical(ty, target);
                    match Better::of(of(left), of(right)) {
                        Better::Neither => self.c.better_target(left, right),
                        exact => exact,
                    }
                }
            };
            match (found, better) {
                (_, Better::Neither) => {}
                (Better::Neither, better) => found = better,
                (found, better) if found == better => {}
                _ => return Better::Neither,
            }
        }
        found
    }

    fn is_array_or_interface(&self, ty: Ty) -> bool {
        const INTERFACES: [Special; 5] = [
            Special::IEnumerableT,
            Special::IListT,
            Special::ICollectionT,
            Special::IReadOnlyListT,
            Special::IReadOnlyCollectionT,
        ];
        matches!(self.c.kind(ty), TyKind::Array(_, 1))
            || INTERFACES.iter().any(|&it| self.c.is_special(ty, it))
    }
}
