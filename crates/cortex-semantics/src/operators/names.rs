//! The metadata names of operators, by [`Op`] (C# specification, §15.10).

use cortex_syntax::Op;

/// Of a binary operator; its `checked` form second, for those that have one.
pub(super) fn binary(op: Op) -> &'static [&'static str] {
    match op {
        Op::Add => &["op_Addition", "op_CheckedAddition"],
        Op::Subtract => &["op_Subtraction", "op_CheckedSubtraction"],
        Op::Multiply => &["op_Multiply", "op_CheckedMultiply"],
        Op::Divide => &["op_Division", "op_CheckedDivision"],
        Op::Modulo => &["op_Modulus"],
        Op::And => &["op_BitwiseAnd"],
        Op::Or => &["op_BitwiseOr"],
        Op::Xor => &["op_ExclusiveOr"],
        Op::ShiftLeft => &["op_LeftShift"],
        Op::ShiftRight => &["op_RightShift"],
        Op::UnsignedShiftRight => &["op_UnsignedRightShift"],
        Op::Equal => &["op_Equality"],
        Op::NotEqual => &["op_Inequality"],
        Op::Less => &["op_LessThan"],
        Op::LessOrEqual => &["op_LessThanOrEqual"],
        Op::Greater => &["op_GreaterThan"],
        Op::GreaterOrEqual => &["op_GreaterThanOrEqual"],
        _ => &[],
    }
}

/// Of a unary operator.
pub(super) fn unary(op: Op) -> &'static [&'static str] {
    match op {
        Op::Add => &["op_UnaryPlus"],
        Op::Subtract => &["op_UnaryNegation", "op_CheckedUnaryNegation"],
        Op::Not => &["op_LogicalNot"],
        Op::Complement => &["op_OnesComplement"],
        Op::Increment => &["op_Increment", "op_CheckedIncrement"],
        Op::Decrement => &["op_Decrement", "op_CheckedDecrement"],
        _ => &[],
    }
}

/// Of an instance operator (C# 14): `x += y`, `x++`.
pub(super) fn assignment(op: Op) -> &'static [&'static str] {
    match op {
        Op::Add => &["op_AdditionAssignment", "op_CheckedAdditionAssignment"],
        Op::Subtract => &[
            "op_SubtractionAssignment",
            "op_CheckedSubtractionAssignment",
        ],
        Op::Multiply => &[
            "op_MultiplicationAssignment",
            "op_CheckedMultiplicationAssignment",
        ],
        Op::Divide => &["op_DivisionAssignment", "op_CheckedDivisionAssignment"],
        Op::Modulo => &["op_ModulusAssignment"],
        Op::And => &["op_BitwiseAndAssignment"],
        Op::Or => &["op_BitwiseOrAssignment"],
        Op::Xor => &["op_ExclusiveOrAssignment"],
        Op::ShiftLeft => &["op_LeftShiftAssignment"],
        Op::ShiftRight => &["op_RightShiftAssignment"],
        Op::UnsignedShiftRight => &["op_UnsignedRightShiftAssignment"],
        Op::Increment => &["op_IncrementAssignment", "op_CheckedIncrementAssignment"],
        Op::Decrement => &["op_DecrementAssignment", "op_CheckedDecrementAssignment"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator_name;

    #[test]
    fn the_names_are_those_that_declarations_get() {
        for &op in Op::ALL {
            for (form, n_params, names) in [
                ("", 2, binary(op)),
                ("", 1, unary(op)),
                ("=", 1, assignment(op)),
            ] {
                let is_step = matches!(op, Op::Increment | Op::Decrement);
                let (form, n_params) = match (form, is_step) {
                    ("=", true) => ("", 0),
                    other => (other.0, n_params),
                };
                let token = format!("{}{form}", op.token());
                if let Some(&first) = names.first() {
                    assert_eq!(operator_name(&token, n_params), Some(first), "{token}");
                }
                if let Some(&checked) = names.get(1) {
                    let token = format!("checked {token}");
                    assert_eq!(operator_name(&token, n_params), Some(checked), "{token}");
                }
            }
        }
    }
}
