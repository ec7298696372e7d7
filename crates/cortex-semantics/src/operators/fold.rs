//! Constants of operators (C# specification, §12.25), as far as conversions ask for them.
//!
//! Must not know: types other than the builtin ones.

use cortex_syntax::Op;

use crate::{conversions::builtin::Builtin, expr::Constant};

/// The value of a binary operator. `at`: the type that the operands convert to; `result`: its result's.
/// `None` where it overflows, which is an error, and where it is not known.
pub(super) fn binary(
    op: Op,
    left: Constant,
    right: Constant,
    at: Option<Builtin>,
    result: Option<Builtin>,
) -> Option<Constant> {
    match (left, right) {
        (Constant::Int(a), Constant::Int(b)) => integers(op, a, b, at, result),
        (Constant::Bool(a), Constant::Bool(b)) => Some(Constant::Bool(match op {
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor | Op::NotEqual => a ^ b,
            Op::Equal => a == b,
            _ => return None,
        })),
        (Constant::String, Constant::String) if op == Op::Add => Some(Constant::String),
        (Constant::Large, Constant::Int(_) | Constant::Large)
        | (Constant::Int(_), Constant::Large) => Some(match result {
            Some(Builtin::Int64 | Builtin::UInt64) | None => Constant::Large,
            Some(_) => Constant::Other,
        }),
        _ => {
            let numeric = result.is_some_and(|it| it.is_numeric() && !it.is_integral());
            numeric.then_some(Constant::Other)
        }
    }
}

fn integers(
    op: Op,
    a: i128,
    b: i128,
    at: Option<Builtin>,
    result: Option<Builtin>,
) -> Option<Constant> {
    let compared = match op {
        Op::Equal => Some(a == b),
        Op::NotEqual => Some(a != b),
        Op::Less => Some(a < b),
        Op::LessOrEqual => Some(a <= b),
        Op::Greater => Some(a > b),
        Op::GreaterOrEqual => Some(a >= b),
        _ => None,
    };
    if let Some(value) = compared {
        return Some(Constant::Bool(value));
    }
    if result.is_some_and(|it| it.is_numeric() && !it.is_integral()) {
        return Some(Constant::Other);
    }
    let bits = match at {
        Some(Builtin::Int64 | Builtin::UInt64) => 64,
        _ => 32,
    };
    let shift = (b & (bits - 1)) as u32;
    let value = match op {
        Op::Add => a.checked_add(b)?,
        Op::Subtract => a.checked_sub(b)?,
        Op::Multiply => a.checked_mul(b)?,
        Op::Divide => a.checked_div(b)?,
        Op::Modulo => a.checked_rem(b)?,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::ShiftLeft => return at.and_then(|at| wrapped(a.checked_shl(shift)?, at)),
        Op::ShiftRight => a >> shift,
        Op::UnsignedShiftRight if a >= 0 => a >> shift,
        _ => return None,
    };
    fitting(value, result)
}

/// The value of a unary operator whose operand converts to `at`.
pub(super) fn unary(op: Op, operand: Constant, at: Option<Builtin>) -> Option<Constant> {
    match (op, operand) {
        (Op::Not, Constant::Bool(value)) => Some(Constant::Bool(!value)),
        (Op::Add, Constant::Int(value)) => Some(Constant::Int(value)),
        (Op::Subtract, Constant::Int(value)) => fitting(value.checked_neg()?, at),
        (Op::Complement, Constant::Int(value)) => at.and_then(|at| wrapped(!value, at)),
        (Op::Add, Constant::Large) => Some(Constant::Large),
        (Op::Subtract | Op::Complement, Constant::Large) => Some(Constant::Other),
        (Op::Add | Op::Subtract, Constant::Other) => Some(Constant::Other),
        _ => None,
    }
}

/// A value that its type holds. Of an enum, whose type is not given, any.
fn fitting(value: i128, ty: Option<Builtin>) -> Option<Constant> {
    match ty.and_then(Builtin::range) {
        Some((least, most)) => (least..=most)
            .contains(&value)
            .then_some(Constant::Int(value)),
        None => Some(Constant::Int(value)),
    }
}

/// A value with the bits that do not fit cut off.
fn wrapped(value: i128, ty: Builtin) -> Option<Constant> {
    let (least, most) = ty.range()?;
    let span = most - least + 1;
    Some(Constant::Int((value - least).rem_euclid(span) + least))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(op: Op, a: i128, b: i128) -> Option<Constant> {
        binary(
            op,
            Constant::Int(a),
            Constant::Int(b),
            Some(Builtin::Int32),
            Some(Builtin::Int32),
        )
    }

    #[test]
    fn integers_are_computed_in_their_type() {
        assert_eq!(ints(Op::Add, 2, 3), Some(Constant::Int(5)));
        assert_eq!(
            ints(Op::ShiftLeft, 1, 31),
            Some(Constant::Int(i32::MIN.into()))
        );
        assert_eq!(ints(Op::Modulo, -7, 3), Some(Constant::Int(-1)));
        assert_eq!(ints(Op::Less, 1, 2), Some(Constant::Bool(true)));
    }

    #[test]
    fn what_overflows_or_divides_by_zero_has_no_value() {
        assert_eq!(ints(Op::Add, i32::MAX.into(), 1), None);
        assert_eq!(ints(Op::Divide, 1, 0), None);
        assert_eq!(
            unary(
                Op::Subtract,
                Constant::Int(i32::MIN.into()),
                Some(Builtin::Int32)
            ),
            None
        );
    }

    #[test]
    fn what_is_computed_from_a_value_that_is_not_kept_is_not_known() {
        let large = |op, result| {
            let one = Constant::Int(1);
            binary(op, Constant::Large, one, Some(Builtin::Int64), result)
        };
        let sum = large(Op::Add, Some(Builtin::Int64));
        assert_eq!(sum, Some(Constant::Large));
        assert_eq!(
            large(Op::Less, Some(Builtin::Boolean)),
            Some(Constant::Other)
        );
        let negative = unary(Op::Subtract, Constant::Large, Some(Builtin::Int64));
        assert_eq!(negative, Some(Constant::Other));
    }

    #[test]
    fn a_complement_stays_in_its_type() {
        let all = unary(Op::Complement, Constant::Int(0), Some(Builtin::UInt32));
        assert_eq!(all, Some(Constant::Int(u32::MAX.into())));
        let signed = unary(Op::Complement, Constant::Int(0), Some(Builtin::Int32));
        assert_eq!(signed, Some(Constant::Int(-1)));
    }
}
