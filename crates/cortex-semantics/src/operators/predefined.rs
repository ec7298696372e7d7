//! Binary operators of the language (C# specification, §12.10 to §12.13): numeric promotion, strings,
//! enums, delegates, pointers, references.
//!
//! Must not know: operators that types declare.

use cortex_syntax::Op;
use smallvec::SmallVec;

use super::{Predefined, compares, is_equality, is_shift};
use crate::{
    binder::Binder,
    conversions::{Better, builtin::Builtin},
    expr::{Constant, Expr, ExprKind},
    special::Special,
    ty::{Ty, TyKind},
};

use Builtin::{
    Boolean, Decimal, Double, Int32, Int64, IntPtr, Object, Single, String, UInt32, UInt64, UIntPtr,
};

/// §12.4.7.3, in the order in which the first that takes both operands is the best.
const INTEGRAL: [Builtin; 6] = [Int32, UInt32, IntPtr, UIntPtr, Int64, UInt64];
const NUMERIC: [Builtin; 9] = [
    Int32, UInt32, IntPtr, UIntPtr, Int64, UInt64, Single, Double, Decimal,
];

impl Binder<'_, '_> {
    /// What the operands convert to and what comes out, where the language has an operator for them.
    pub(super) fn predefined_binary(
        &mut self,
        op: Op,
        left: &Expr,
        right: &Expr,
    ) -> Option<Predefined> {
        let c = self.c;
        let bool = c.special(Special::Boolean);
        let (left_ty, right_ty) = match (left.ty.is_none(), right.ty.is_none()) {
            (true, true) => {
                return is_equality(op).then_some(Predefined {
                    left: Ty::NONE,
                    right: Ty::NONE,
                    result: bool,
                });
            }
            // What it stands for is not known: the value is compared as an object.
            (true, false) if is_equality(op) && self.is_null_beside_param(left, right.ty) => {
                return Some(Predefined {
                    left: Ty::NONE,
                    right: right.ty,
                    result: bool,
                });
            }
            (false, true) if is_equality(op) && self.is_null_beside_param(right, left.ty) => {
                return Some(Predefined {
                    left: left.ty,
                    right: Ty::NONE,
                    result: bool,
                });
            }
            (true, false) => (self.beside(left, right.ty), right.ty),
            (false, true) => (left.ty, self.beside(right, left.ty)),
            (false, false) => (left.ty, right.ty),
        };
        let (a, b) = (c.strip_nullable(left_ty), c.strip_nullable(right_ty));
        let is_lifted = a != left_ty || b != right_ty;
        let lift = |ty: Ty| if is_lifted { c.nullable(ty) } else { ty };
        let of = |left: Ty, right: Ty, result: Ty| {
            Some(Predefined {
                left,
                right,
                result,
            })
        };
        let kept = |result: Ty| of(left_ty, right_ty, result);
        match (c.builtin(a), c.builtin(b)) {
            (Some(x), Some(y)) if x.is_numeric() && y.is_numeric() => {
                let (x, y) = ((x, left.constant), (y, right.constant));
                if is_shift(op) {
                    let to = promoted(&INTEGRAL, x, x)?;
                    let to = lift(c.builtin_type(to));
                    return of(to, lift(c.special(Special::Int32)), to);
                }
                let bits = matches!(op, Op::And | Op::Or | Op::Xor);
                let targets: &[Builtin] = if bits { &INTEGRAL } else { &NUMERIC };
                let to = lift(c.builtin_type(promoted(targets, x, y)?));
                return of(to, to, if compares(op) { bool } else { to });
            }
            (Some(Boolean), Some(Boolean)) => {
                return match op {
                    Op::And | Op::Or | Op::Xor => {
                        let to = lift(bool);
                        of(to, to, to)
                    }
                    _ if is_equality(op) => kept(bool),
                    _ => None,
                };
            }
            (Some(String), Some(String)) if is_equality(op) => return kept(bool),
            (x, y) if op == Op::Add && (x == Some(String) || y == Some(String)) => {
                return Some(self.concatenation(left, right));
            }
            _ => {}
        }
        if c.is_enum(a) || c.is_enum(b) {
            return self.enum_operator(op, (left, a), (right, b), is_lifted);
        }
        let pointer = |ty: Ty| matches!(c.kind(ty), TyKind::Pointer(_));
        if pointer(a) || pointer(b) {
            return match op {
                _ if compares(op) => kept(bool),
                Op::Subtract if pointer(a) && pointer(b) => kept(c.special(Special::Int64)),
                Op::Add | Op::Subtract if pointer(a) => kept(a),
                Op::Add => kept(b),
                _ => None,
            };
        }
        if matches!(op, Op::Add | Op::Subtract) && (c.is_delegate(a) || c.is_delegate(b)) {
            let to = if c.is_delegate(a) && c.standard_implicit(b, a) {
                a
            } else {
                b
            };
            return of(to, to, to);
        }
        if is_equality(op) && self.compares_references((left, a), (right, b)) {
            return kept(bool);
        }
        let found = self.by_conversion(op, left, right, is_lifted);
        if found.is_none() && is_equality(op) && !self.are_unrelated(a, b) {
            return kept(bool);
        }
        found
    }

    /// Whether it is `null`, beside a value of a type parameter that may be any type.
    fn is_null_beside_param(&self, operand: &Expr, other: Ty) -> bool {
        let c = self.c;
        matches!(operand.kind, ExprKind::Null)
            && matches!(c.kind(other), TyKind::Param(_))
            && !c.is_value_type(other)
            && !c.is_reference_type(other)
    }

    /// The type of an operand that has none, beside one that has.
    fn beside(&self, operand: &Expr, other: Ty) -> Ty {
        match operand.kind {
            ExprKind::Null => self.c.nullable(other),
            _ => other,
        }
    }

    /// §12.10.5: with `string` on one side, the other is one too where it converts, and an object otherwise.
    fn concatenation(&mut self, left: &Expr, right: &Expr) -> Predefined {
        let string = self.c.special(Special::String);
        let mut target = |expr: &Expr| {
            if expr.ty == string || self.implicit_conversion(expr, string).exists() {
                string
            } else {
                self.c.special(Special::Object)
            }
        };
        Predefined {
            left: target(left),
            right: target(right),
            result: string,
        }
    }

    /// §12.10.5, §12.10.6, §12.12.6, §12.13.3: enums, with `0` and with their values' type.
    fn enum_operator(
        &mut self,
        op: Op,
        (left, a): (&Expr, Ty),
        (right, b): (&Expr, Ty),
        is_lifted: bool,
    ) -> Option<Predefined> {
        let c = self.c;
        let lift = |ty: Ty| if is_lifted { c.nullable(ty) } else { ty };
        let zero = |expr: &Expr| expr.constant == Some(Constant::Int(0)) && !c.is_enum(expr.ty);
        let same = c.is_enum(a) && c.is_enum(b) && c.is_identical(a, b);
        let of_enum = if c.is_enum(a) { a } else { b };
        let underlying = c.header(c.def_of(of_enum)?).underlying.unwrap_or(Ty::ERROR);
        let both = |result: Ty| {
            let to = lift(of_enum);
            Some(Predefined {
                left: to,
                right: to,
                result,
            })
        };
        if same || zero(left) || zero(right) {
            match op {
                _ if compares(op) => return both(c.special(Special::Boolean)),
                Op::And | Op::Or | Op::Xor => return both(lift(of_enum)),
                Op::Subtract if same => return both(lift(underlying)),
                _ => {}
            }
        }
        let takes = |expr: &Expr, ty: Ty| {
            let converts = c.standard_implicit(ty, underlying);
            converts
                || expr
                    .constant
                    .is_some_and(|it| c.constant_converts(ty, it, underlying))
        };
        let with = |left: Ty, right: Ty| {
            Some(Predefined {
                left: lift(left),
                right: lift(right),
                result: lift(of_enum),
            })
        };
        match op {
            Op::Add | Op::Subtract if c.is_enum(a) && takes(right, b) => with(a, underlying),
            Op::Add if c.is_enum(b) && takes(left, a) => with(underlying, b),
            _ => None,
        }
    }

    /// §12.12.7: both are references (or `null`), and one could be the other.
    fn compares_references(&self, (left, a): (&Expr, Ty), (right, b): (&Expr, Ty)) -> bool {
        let c = self.c;
        let null = |expr: &Expr| matches!(expr.kind, ExprKind::Null | ExprKind::Default);
        if null(left) || null(right) {
            return true;
        }
        if c.is_identical(a, b) {
            return true;
        }
        let text = |ty: Ty| c.builtin(ty) == Some(String);
        // A string beside something that converts to one is compared as a string.
        if text(a) != text(b) && c.builtin(a) != Some(Object) && c.builtin(b) != Some(Object) {
            return c.standard_explicit(a, b);
        }
        !c.is_value_type(a) && !c.is_value_type(b) && c.standard_explicit(a, b)
    }

    /// Whether values of two types are never compared by the language: they are known classes of which none derives from
    /// the other, or values that are no numbers.
    fn are_unrelated(&self, a: Ty, b: Ty) -> bool {
        let c = self.c;
        let is_known = |ty: Ty| matches!(c.kind(ty), TyKind::Named { .. });
        let is_value = |ty: Ty| c.is_value_type(ty);
        if !is_known(a) || !is_known(b) {
            return false;
        }
        match (is_value(a), is_value(b)) {
            (true, true) | (true, false) | (false, true) => true,
            (false, false) => !c.standard_explicit(a, b) && !c.standard_explicit(b, a),
        }
    }

    /// Operands that user-defined conversions take to a type of the language (§12.4.5).
    fn by_conversion(
        &mut self,
        op: Op,
        left: &Expr,
        right: &Expr,
        is_lifted: bool,
    ) -> Option<Predefined> {
        let c = self.c;
        let bool = c.special(Special::Boolean);
        let mut targets: SmallVec<[(Builtin, Builtin); 12]> = SmallVec::new();
        let same = |it: &Builtin| (*it, *it);
        match op {
            _ if is_shift(op) => targets.extend(INTEGRAL.iter().map(|&it| (it, Int32))),
            Op::And | Op::Or | Op::Xor => {
                targets.extend(INTEGRAL.iter().map(same));
                targets.push((Boolean, Boolean));
            }
            _ => targets.extend(NUMERIC.iter().map(same)),
        }
        match op {
            Op::Add => targets.extend([(String, String), (String, Object), (Object, String)]),
            _ if is_equality(op) => targets.extend([(Boolean, Boolean), (String, String)]),
            _ => {}
        }
        let mut found: SmallVec<[Predefined; 4]> = SmallVec::new();
        for (a, b) in targets {
            let lift = |it: Builtin| {
                let ty = c.builtin_type(it);
                if is_lifted { c.nullable(ty) } else { ty }
            };
            let (to_left, to_right) = (lift(a), lift(b));
            if self.implicit_conversion(left, to_left).exists()
                && self.implicit_conversion(right, to_right).exists()
            {
                let result = if compares(op) {
                    bool
                } else if a == Object {
                    to_right
                } else {
                    to_left
                };
                found.push(Predefined {
                    left: to_left,
                    right: to_right,
                    result,
                });
            }
        }
        let best = (0..found.len()).find(|&index| {
            (0..found.len()).all(|other| {
                index == other || self.is_better(&found[index], &found[other], left, right)
            })
        })?;
        Some(found[best])
    }

    fn is_better(&mut self, a: &Predefined, b: &Predefined, left: &Expr, right: &Expr) -> bool {
        let first = self.better_conversion(left, a.left, b.left);
        let second = self.better_conversion(right, a.right, b.right);
        matches!(
            (first, second),
            (Better::Left, Better::Left | Better::Neither) | (Better::Neither, Better::Left)
        )
    }
}

/// §12.4.7: the first type that takes both operands; a constant `int` goes where its value fits.
fn promoted(
    targets: &[Builtin],
    left: (Builtin, Option<Constant>),
    right: (Builtin, Option<Constant>),
) -> Option<Builtin> {
    let takes = |(from, constant): (Builtin, Option<Constant>), to: Builtin| {
        if from == to || from.widens_to(to) {
            return true;
        }
        match (from, constant, to.range()) {
            (Int32, Some(Constant::Int(value)), Some((least, most))) => {
                (least..=most).contains(&value)
            }
            (Int64, Some(Constant::Int(value)), _) => to == UInt64 && value >= 0,
            (Int64, Some(Constant::Large), _) => to == UInt64,
            _ => false,
        }
    };
    let mut targets = targets.iter().copied();
    targets.find(|&to| takes(left, to) && takes(right, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Builtin::{Byte, Char};

    fn of(left: Builtin, right: Builtin) -> Option<Builtin> {
        promoted(&NUMERIC, (left, None), (right, None))
    }

    #[test]
    fn small_integers_are_computed_as_int() {
        assert_eq!(of(Byte, Char), Some(Int32));
        assert_eq!(of(Int32, UInt32), Some(Int64));
        assert_eq!(of(Int64, Single), Some(Single));
        assert_eq!(of(Single, Double), Some(Double));
        assert_eq!(of(Int32, Decimal), Some(Decimal));
        assert_eq!(of(Double, Decimal), None);
        assert_eq!(of(IntPtr, Int32), Some(IntPtr));
    }

    #[test]
    fn a_constant_takes_the_type_of_the_other_operand() {
        let one = (Int32, Some(Constant::Int(1)));
        assert_eq!(promoted(&NUMERIC, one, (UInt32, None)), Some(UInt32));
        assert_eq!(promoted(&NUMERIC, (UInt64, None), one), Some(UInt64));
        let minus = (Int32, Some(Constant::Int(-1)));
        assert_eq!(promoted(&NUMERIC, minus, (UInt32, None)), Some(Int64));
    }
}
