//! Operators (C# specification, §12.4, §12.9 to §12.16, §12.23): user-defined ones first, then those of
//! the language.
//!
//! Owns: the order of the questions, operands finished for the operator that was chosen, the result.
//! Must not know: how operands were bound.

mod candidates;
mod checked;
mod compound;
mod fold;
mod names;
mod predefined;
mod unary;

use cortex_syntax::Op;

use crate::{
    binder::Binder,
    conversions::builtin::Builtin,
    expr::{Constant, Expr, ExprKind},
    output::{How, Misfit},
    special::Special,
    ty::Ty,
};

/// What the operands of an operator of the language convert to, and its result.
#[derive(Clone, Copy, Debug)]
struct Predefined {
    left: Ty,
    right: Ty,
    result: Ty,
}

/// Whether the operator compares.
fn compares(op: Op) -> bool {
    is_equality(op)
        || matches!(
            op,
            Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual
        )
}

fn is_equality(op: Op) -> bool {
    matches!(op, Op::Equal | Op::NotEqual)
}

fn is_shift(op: Op) -> bool {
    matches!(op, Op::ShiftLeft | Op::ShiftRight | Op::UnsignedShiftRight)
}

impl Binder<'_, '_> {
    /// §12.12, §12.9: a binary operator: user-defined ones recorded at `offset` (their token), else the
    /// predefined. Operands are finished here; `??` is none of them. The result's node is the left operand's: the caller sets
    /// its own.
    pub(crate) fn binary_operator(&mut self, op: Op, offset: u32, left: Expr, right: Expr) -> Expr {
        let node = left.node;
        self.deeper(|binder| binder.binary(op, offset, left, right, How::Operator))
            .unwrap_or_else(|| Expr::error(node))
    }

    fn binary(&mut self, op: Op, offset: u32, left: Expr, right: Expr, how: How) -> Expr {
        if matches!(op, Op::LogicalAnd | Op::LogicalOr) {
            return self.logical(op, offset, left, right);
        }
        let node = left.node;
        if left.ty == Ty::DYNAMIC || right.ty == Ty::DYNAMIC {
            self.finish(left);
            self.finish(right);
            return Expr::value(node, Ty::DYNAMIC);
        }
        if is_equality(op) && self.are_tuples(&left, &right) {
            return self.tuple_equality(op, offset, left, right);
        }
        if left.is_error() || right.is_error() {
            return self.unknown_operand(op, left, right);
        }
        if let Some(candidate) = self.user_binary(op, &left, &right) {
            self.record_hidden(offset, candidate.sym, how);
            let targets = &candidate.params;
            self.convert(left, targets[0]);
            self.convert(right, targets[1]);
            return Expr::value(node, candidate.result);
        }
        if let Some(found) = self.predefined_binary(op, &left, &right) {
            let is_quotient = matches!(op, Op::Divide | Op::Modulo);
            let is_zero = right.constant == Some(Constant::Int(0));
            let divisor = self.c.builtin(found.right);
            if is_quotient && is_zero && divisor.is_some_and(Builtin::is_integral) {
                self.record_misfit_at(offset, Misfit::Constant);
            }
            return self.finish_binary(op, left, right, found);
        }
        if let Some(candidate) = self.extension_operator(names::binary(op), &[&left, &right]) {
            self.record_hidden(offset, candidate.sym, how);
            self.convert(left, candidate.params[0]);
            self.convert(right, candidate.params[1]);
            return Expr::value(node, candidate.result);
        }
        if self.is_known(&left) && self.is_known(&right) {
            self.record_misfit_at(offset, Misfit::Operator);
        }
        self.finish(left);
        self.finish(right);
        Expr::value(node, self.result_of_nothing(op))
    }

    fn finish_binary(&mut self, op: Op, left: Expr, right: Expr, found: Predefined) -> Expr {
        let node = left.node;
        let constant = match (left.constant, right.constant) {
            (Some(a), Some(b)) => {
                let at = self.c.builtin(self.c.strip_nullable(found.left));
                let result = self.c.builtin(found.result);
                fold::binary(op, a, b, at, result)
            }
            _ => None,
        };
        self.convert(left, found.left);
        self.convert(right, found.right);
        Expr::value(node, found.result).with_constant(constant)
    }

    /// With an unknown operand: what the others say is kept where it is certain.
    fn unknown_operand(&mut self, op: Op, left: Expr, right: Expr) -> Expr {
        let node = left.node;
        let string = self.c.special(Special::String);
        let is_text = op == Op::Add && (left.ty == string || right.ty == string);
        self.finish(left);
        self.finish(right);
        let result = self.result_of_nothing(op);
        Expr::value(node, if is_text { string } else { result })
    }

    fn result_of_nothing(&self, op: Op) -> Ty {
        if compares(op) {
            self.c.special(Special::Boolean)
        } else {
            Ty::ERROR
        }
    }

    // ---- tuples ----

    fn are_tuples(&self, left: &Expr, right: &Expr) -> bool {
        let is_tuple = |expr: &Expr| {
            matches!(expr.kind, ExprKind::Tuple(_))
                || self
                    .c
                    .tuple_elements(self.c.strip_nullable(expr.ty))
                    .is_some()
        };
        is_tuple(left) && is_tuple(right)
    }

    /// §12.12.11: element by element. The elements' operators are not at a token of their own.
    fn tuple_equality(&mut self, op: Op, offset: u32, left: Expr, right: Expr) -> Expr {
        let node = left.node;
        let bool = Expr::value(node, self.c.special(Special::Boolean));
        let (a, b) = (self.tuple_parts(&left), self.tuple_parts(&right));
        if a.len() != b.len() {
            self.finish(left);
            self.finish(right);
            return bool;
        }
        for (a, b) in a.into_iter().zip(b) {
            self.deeper(|binder| binder.binary(op, offset, a, b, How::Other));
        }
        bool
    }

    fn tuple_parts(&self, expr: &Expr) -> Vec<Expr> {
        if let ExprKind::Tuple(parts) = &expr.kind {
            return parts.iter().map(|(part, _)| part.clone()).collect();
        }
        let elements = self.c.tuple_elements(self.c.strip_nullable(expr.ty));
        let elements = elements.unwrap_or_default().iter();
        elements.map(|&ty| Expr::value(expr.node, ty)).collect()
    }

    // ---- && and conditions ----

    /// §12.14: `a && b`, `a || b`.
    fn logical(&mut self, op: Op, offset: u32, left: Expr, right: Expr) -> Expr {
        let node = left.node;
        let bool = self.c.special(Special::Boolean);
        if left.ty == Ty::DYNAMIC || right.ty == Ty::DYNAMIC {
            self.finish(left);
            self.finish(right);
            return Expr::value(node, Ty::DYNAMIC);
        }
        let is_bool = |binder: &Self, expr: &Expr| {
            binder.c.builtin(expr.ty) == Some(Builtin::Boolean) || expr.is_error()
        };
        if !(is_bool(self, &left) && is_bool(self, &right)) {
            let (bitwise, truth) = match op {
                Op::LogicalAnd => (Op::And, crate::name::known::OP_FALSE),
                _ => (Op::Or, crate::name::known::OP_TRUE),
            };
            if let Some(candidate) = self.user_binary(bitwise, &left, &right) {
                self.record_hidden(offset, candidate.sym, How::Operator);
                self.convert(left, candidate.params[0]);
                self.convert(right, candidate.params[1]);
                let value = Expr::value(node, candidate.result);
                if let Some(truth) = self.user_operator(&[truth], &[&value]) {
                    self.record_hidden(offset, truth.sym, How::Other);
                }
                return value;
            }
        }
        let constant = match (left.constant, right.constant) {
            (Some(Constant::Bool(a)), Some(Constant::Bool(b))) => Some(Constant::Bool(match op {
                Op::LogicalAnd => a && b,
                _ => a || b,
            })),
            _ => None,
        };
        self.convert(left, bool);
        self.convert(right, bool);
        Expr::value(node, bool).with_constant(constant)
    }

    /// §12.24: an expression as a condition: `bool`, or an operator `true` (`How::Other`).
    pub(crate) fn condition(&mut self, expr: Expr) -> Expr {
        let bool = self.c.special(Special::Boolean);
        if expr.ty == bool || expr.is_error() || expr.ty.is_none() || expr.ty == Ty::DYNAMIC {
            return self.convert(expr, bool);
        }
        if self.implicit_conversion(&expr, bool).exists() {
            return self.convert(expr, bool);
        }
        if let Some(found) = self.user_operator(&[crate::name::known::OP_TRUE], &[&expr]) {
            let offset = self.start_of(expr.node);
            self.record_hidden(offset, found.sym, How::Other);
            let value = self.convert(expr, found.params[0]);
            return Expr::value(value.node, bool);
        }
        if self.is_known(&expr) {
            let offset = self.start_of(expr.node);
            self.record_misfit_at(offset, Misfit::Conversion);
        }
        let value = self.finish(expr);
        Expr::value(value.node, bool)
    }
}
