//! Compound assignment (C# specification, §12.23.4).
//!
//! Must not know: what the left side names.

use cortex_syntax::Op;

use crate::{
    binder::Binder,
    expr::{Expr, ExprKind},
    output::How,
    ty::Ty,
};

impl Binder<'_, '_> {
    /// Compound assignment `left op= right`: instance operators (C# 14), then the binary one. The result
    /// is of the left side's type; the conversion back to it is not recorded. `=` and `??=` are none of them.
    pub(crate) fn compound_assignment(
        &mut self,
        op: Op,
        offset: u32,
        left: Expr,
        right: Expr,
    ) -> Expr {
        let (node, ty) = (left.node, left.ty);
        if ty.is_error() {
            self.finish_for(right, Ty::ERROR);
            return Expr::error(node);
        }
        if ty == Ty::DYNAMIC {
            self.finish_for(right, Ty::ERROR);
            return Expr::value(node, Ty::DYNAMIC);
        }
        // Events, and delegates in variables: what is added becomes a delegate of the same type.
        if matches!(op, Op::Add | Op::Subtract) && self.c.is_delegate(ty) {
            self.convert(right, ty);
            return Expr::value(node, ty);
        }
        if let Some(found) = self.instance_operator(op, &left, &[&right]) {
            self.record_hidden(offset, found.sym, How::Operator);
            self.convert(right, found.params[0]);
            return Expr::value(node, ty);
        }
        self.binary_operator(op, offset, left, right);
        Expr::value(node, ty)
    }

    fn finish_for(&mut self, expr: Expr, ty: Ty) {
        match expr.kind {
            ExprKind::Value | ExprKind::Variable => {}
            _ => {
                self.convert(expr, ty);
            }
        }
    }
}
