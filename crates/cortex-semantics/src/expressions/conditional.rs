//! `c ? a : b` (C# specification, §12.18) and `a ?? b` (§12.15).

use cortex_syntax::BodyId;

use crate::{
    binder::Binder,
    conversions::Conversion,
    expr::{Constant, Expr, ExprKind},
    output::Misfit,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    pub(super) fn bind_conditional(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(condition), Some(yes), Some(no)) =
            (children.next(), children.next(), children.next())
        else {
            return self.bind_others(node);
        };
        let condition = self.bind(condition);
        let condition = self.condition(condition);
        let yes = self.bind(yes);
        let no = self.bind(no);
        let Some(ty) = self.common_type(&yes, &no) else {
            return Expr::of(node, Ty::NONE, ExprKind::Branches([yes, no].into()));
        };
        let is_variable = matches!(yes.kind, ExprKind::Variable)
            && matches!(no.kind, ExprKind::Variable)
            && yes.ty == no.ty;
        if let Some(constant) = chosen_constant(&condition, (&yes, &no), ty) {
            self.convert(yes, ty);
            self.convert(no, ty);
            return Expr::value(node, ty).with_constant(Some(constant));
        }
        // The branches may convert to what their type does not convert to (§12.20).
        if converts_by_itself(&yes) && converts_by_itself(&no) {
            return Expr::of(node, ty, ExprKind::Branches([yes, no].into()));
        }
        self.convert(yes, ty);
        self.convert(no, ty);
        if is_variable {
            Expr::variable(node, ty)
        } else {
            Expr::value(node, ty)
        }
    }

    /// The type of one of two branches that the other converts to. Two that convert both ways have none
    /// but where they are identical.
    fn common_type(&mut self, left: &Expr, right: &Expr) -> Option<Ty> {
        match (has_type(left), has_type(right)) {
            (true, true) if left.ty == right.ty => Some(left.ty),
            (true, true) if left.is_error() || right.is_error() => {
                let known = if left.is_error() { right } else { left };
                Some(known.ty)
            }
            (true, true) => match self.c.best_common_type(&[left.ty, right.ty]) {
                Some(ty) => Some(ty),
                None => {
                    let to_right = self.implicit_conversion(left, right.ty).exists();
                    let to_left = self.implicit_conversion(right, left.ty).exists();
                    match (to_left, to_right) {
                        (true, false) => Some(left.ty),
                        (false, true) => Some(right.ty),
                        _ => None,
                    }
                }
            },
            (true, false) => self.type_if_both(right, left),
            (false, true) => self.type_if_both(left, right),
            (false, false) => None,
        }
    }

    /// The type of `typed` where `untyped` converts to it.
    fn type_if_both(&mut self, untyped: &Expr, typed: &Expr) -> Option<Ty> {
        if typed.is_error() {
            return None;
        }
        self.implicit_conversion(untyped, typed.ty)
            .exists()
            .then_some(typed.ty)
    }

    /// `a ?? b`.
    pub(super) fn bind_coalesce(&mut self, node: BodyId, left: Expr, right: BodyId) -> Expr {
        let left = self.finish(left);
        let right = self.bind(right);
        if left.ty.is_none() || left.is_error() {
            let right = self.finish(right);
            let known = if left.ty.is_none() {
                right.ty
            } else {
                Ty::ERROR
            };
            return Expr::value(node, known);
        }
        if left.ty == Ty::DYNAMIC {
            self.finish(right);
            return Expr::value(node, Ty::DYNAMIC);
        }
        let underlying = self.c.nullable_underlying(left.ty);
        let is_never_null = self.c.is_value_type(left.ty)
            && underlying.is_none()
            && matches!(
                self.c.kind(left.ty),
                TyKind::Named { .. } | TyKind::Tuple { .. }
            );
        if is_never_null && self.is_known(&left) {
            self.record_misfit_at(self.node(node).offset, Misfit::Operator);
        }
        let candidates = [underlying.unwrap_or(left.ty), left.ty];
        for ty in candidates {
            let conversion = self.implicit_conversion(&right, ty);
            let is_unknown = matches!(conversion, Conversion::Unknown) && right.ty.is_error();
            if conversion.exists() || is_unknown {
                self.convert(right, ty);
                return Expr::value(node, ty);
            }
        }
        let right = self.finish(right);
        let unwrapped = Expr::value(left.node, candidates[0]);
        if !right.ty.is_none() && self.implicit_conversion(&unwrapped, right.ty).exists() {
            self.convert(unwrapped, right.ty);
            return Expr::value(node, right.ty);
        }
        if self.is_known(&left) && self.is_known(&right) && right.ty != Ty::DYNAMIC {
            self.record_misfit_at(self.node(node).offset, Misfit::Operator);
        }
        Expr::error(node)
    }
}

/// Whether an expression has a type of its own.
fn has_type(expr: &Expr) -> bool {
    !expr.ty.is_none()
}

/// The value of `c ? a : b` of constants, which is one (§12.23).
fn chosen_constant(condition: &Expr, (yes, no): (&Expr, &Expr), ty: Ty) -> Option<Constant> {
    let Some(Constant::Bool(is_true)) = condition.constant else {
        return None;
    };
    if yes.ty != ty || no.ty != ty {
        return None;
    }
    let (yes, no) = (yes.constant?, no.constant?);
    Some(if is_true { yes } else { no })
}

/// Whether an expression may convert to what its type does not convert to: by its value, or by its form.
fn converts_by_itself(expr: &Expr) -> bool {
    match expr.kind {
        ExprKind::Null
        | ExprKind::Default
        | ExprKind::ImplicitNew(_)
        | ExprKind::InterpolatedString
        | ExprKind::Branches(_)
        | ExprKind::Throw => true,
        _ => matches!(expr.constant, Some(Constant::Int(_) | Constant::Large)),
    }
}
