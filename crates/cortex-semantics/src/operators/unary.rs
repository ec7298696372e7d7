//! Unary operators (C# specification, §12.9, §12.8.16).
//!
//! Must not know: binary operators.

use cortex_syntax::Op;

use super::{fold, names};
use crate::{
    binder::Binder,
    conversions::{Better, builtin::Builtin},
    expr::{Constant, Expr},
    output::{How, Misfit},
    special::Special,
    ty::Ty,
};

impl Binder<'_, '_> {
    /// §12.9: a unary operator, `++` and `--` included; `^`, `&` and `*` are none of them. The result's
    /// node is the operand's: the caller sets its own.
    pub(crate) fn unary_operator(&mut self, op: Op, offset: u32, operand: Expr) -> Expr {
        let node = operand.node;
        self.deeper(|binder| binder.unary(op, offset, operand))
            .unwrap_or_else(|| Expr::error(node))
    }

    fn unary(&mut self, op: Op, offset: u32, operand: Expr) -> Expr {
        let (node, ty) = (operand.node, operand.ty);
        if ty == Ty::DYNAMIC {
            return Expr::value(node, Ty::DYNAMIC);
        }
        if ty.is_error() {
            self.finish(operand);
            return Expr::value(node, self.unary_of_unknown(op));
        }
        if matches!(op, Op::Increment | Op::Decrement) {
            return self.step(op, offset, operand);
        }
        if let Some(found) = self.user_unary(op, &operand) {
            self.record_hidden(offset, found.sym, How::Operator);
            self.convert(operand, found.params[0]);
            return Expr::value(node, found.result);
        }
        if let Some(to) = self.predefined_unary(op, &operand) {
            let at = self.c.builtin(to);
            let constant = operand.constant.and_then(|it| fold::unary(op, it, at));
            match (op, self.c.builtin(ty), at) {
                // The least values are literals of no such type (§12.9.3).
                (Op::Subtract, Some(Builtin::UInt32), Some(Builtin::Int32))
                | (Op::Subtract, Some(Builtin::UInt64), Some(Builtin::Int64)) => {
                    self.finish(operand)
                }
                _ => self.convert(operand, to),
            };
            return Expr::value(node, to).with_constant(constant);
        }
        if let Some(found) = self.extension_operator(names::unary(op), &[&operand]) {
            self.record_hidden(offset, found.sym, How::Operator);
            self.convert(operand, found.params[0]);
            return Expr::value(node, found.result);
        }
        if self.is_known(&operand) {
            self.record_misfit_at(offset, Misfit::Operator);
        }
        self.finish(operand);
        Expr::value(node, self.unary_of_unknown(op))
    }

    fn unary_of_unknown(&self, op: Op) -> Ty {
        if op == Op::Not {
            self.c.special(Special::Boolean)
        } else {
            Ty::ERROR
        }
    }

    /// §12.8.16, §12.9.7: `++`, `--`: the result is of the operand's type.
    fn step(&mut self, op: Op, offset: u32, operand: Expr) -> Expr {
        let (node, ty) = (operand.node, operand.ty);
        let found = match self.instance_operator(op, &operand, &[]) {
            Some(found) => Some(found),
            None => match self.user_unary(op, &operand) {
                Some(found) => Some(found),
                None if self.c.builtin_of_operand(ty).is_some() => None,
                None => self.extension_operator(names::unary(op), &[&operand]),
            },
        };
        match found {
            Some(found) => self.record_hidden(offset, found.sym, How::Operator),
            None if self.has_no_step(ty) => self.record_misfit_at(offset, Misfit::Operator),
            None => {}
        }
        let value = self.finish(operand);
        Expr::value(node, value.ty)
    }

    /// Whether the language has no `++` for a type of its own.
    fn has_no_step(&self, ty: Ty) -> bool {
        use Builtin::{Boolean, Object, String};
        let builtin = self.c.builtin(self.c.strip_nullable(ty));
        matches!(builtin, Some(Boolean | Object | String))
    }

    /// What the operand converts to; the result is of the same type.
    fn predefined_unary(&mut self, op: Op, operand: &Expr) -> Option<Ty> {
        use Builtin::*;
        let c = self.c;
        let inner = c.strip_nullable(operand.ty);
        let lift = |ty: Ty| {
            if inner == operand.ty {
                ty
            } else {
                c.nullable(ty)
            }
        };
        if op == Op::Complement && c.is_enum(inner) {
            return Some(operand.ty);
        }
        let targets: &[Builtin] = match op {
            Op::Not => &[Boolean],
            Op::Complement => &[Int32, UInt32, IntPtr, UIntPtr, Int64, UInt64],
            Op::Subtract => &[Int32, IntPtr, Int64, Single, Double, Decimal],
            Op::Add => &[
                Int32, UInt32, IntPtr, UIntPtr, Int64, UInt64, Single, Double, Decimal,
            ],
            _ => return None,
        };
        if let Some(builtin) = c.builtin(inner) {
            // The least values are written as negated literals that are too large by one.
            match (op, builtin, operand.constant) {
                (Op::Subtract, UInt32, Some(Constant::Int(0x8000_0000))) => {
                    return Some(c.builtin_type(Int32));
                }
                // No other `ulong` can be negated.
                (Op::Subtract, UInt64, Some(Constant::Int(_) | Constant::Large)) => {
                    return Some(c.builtin_type(Int64));
                }
                _ => {}
            }
            let mut targets = targets.iter();
            let found = targets.find(|&&to| to == builtin || builtin.widens_to(to))?;
            return Some(lift(c.builtin_type(*found)));
        }
        let mut best: Option<Ty> = None;
        for &target in targets {
            let to = lift(c.builtin_type(target));
            if !self.implicit_conversion(operand, to).exists() {
                continue;
            }
            best = match best {
                Some(before) if self.better_conversion(operand, to, before) != Better::Left => {
                    Some(before)
                }
                _ => Some(to),
            };
        }
        best
    }
}
