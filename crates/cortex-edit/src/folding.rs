//! Whether code still compiles where constants take the place of names: the compiler computes what is made of constants
//! alone (C# specification, 12.25), and refuses what overflows or divides by zero.
//!
//! Errs on the side of refusing: what is not known to be computed is refused. Must not know: what an edit does with that.

use cortex_syntax::{BodyId, BodyKind, Op};

use crate::{
    context::{Overflow, is_enum, is_integral},
    evaluation::Bound,
};

/// What the compiler makes of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folded {
    /// No constant.
    Variable,
    /// An integer or character.
    Integer(i128),
    /// Another constant, or one whose value is not known.
    Constant,
}

/// Why a place does not compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Misfit {
    pub(crate) node: BodyId,
    pub(crate) reason: &'static str,
}

const OVERFLOWS: &str = "the compiler would compute it there, and its value may not fit";
const ZERO: &str = "the compiler would refuse to divide by a constant zero";

/// Expressions in which constants take the place of some nodes.
pub(crate) struct Folding<'f, 'a, 'w> {
    pub(crate) bound: &'f Bound<'a, 'w>,
    /// What takes the place of a node, if anything does.
    pub(crate) replaced: &'f dyn Fn(BodyId) -> Option<Folded>,
    /// The code that moves, and the context where it goes.
    pub(crate) root: Option<BodyId>,
    pub(crate) outside: Overflow,
}

impl Folding<'_, '_, '_> {
    /// Refuses what is computed of a node that is replaced.
    ///
    /// # Errors
    /// The place.
    pub(crate) fn check(&self, replaced: BodyId) -> Result<(), Misfit> {
        let tree = &self.bound.tree;
        let mut at = replaced;
        let mut value = self.fold(at)?;
        for node in tree.ancestors(replaced) {
            if self.root.is_some_and(|root| node < root) || value == Folded::Variable {
                return Ok(());
            }
            let op = Op::ALL.get(usize::from(tree.node(node).flags));
            match tree.kind(node) {
                BodyKind::Parenthesized
                | BodyKind::Checked
                | BodyKind::Cast
                | BodyKind::Unary
                | BodyKind::Binary
                | BodyKind::Conditional => value = self.fold(node)?,
                BodyKind::Assignment
                    if matches!(op, Some(Op::Divide | Op::Modulo))
                        && value == Folded::Integer(0) =>
                {
                    return Err(Misfit { node, reason: ZERO });
                }
                // CS0248.
                BodyKind::ArrayCreation if matches!(value, Folded::Integer(..0)) => {
                    let reason = "an array would have a negative size";
                    return Err(Misfit { node: at, reason });
                }
                _ => return Ok(()),
            }
            at = node;
        }
        Ok(())
    }

    /// What the compiler makes of a node.
    pub(crate) fn fold(&self, id: BodyId) -> Result<Folded, Misfit> {
        if let Some(folded) = (self.replaced)(id) {
            return Ok(folded);
        }
        let tree = &self.bound.tree;
        let children = tree.children(id);
        match (tree.kind(id), children.as_slice()) {
            (BodyKind::Parenthesized | BodyKind::Checked, &[inner]) => self.fold(inner),
            (BodyKind::Cast, &[_, value]) => {
                let value = self.fold(value)?;
                self.cast(id, value)
            }
            (BodyKind::Unary, &[operand]) => {
                let operand = self.fold(operand)?;
                self.unary(id, operand)
            }
            (BodyKind::Binary, &[left, right]) => self.binary(id, left, right),
            (BodyKind::Conditional, parts) => {
                let parts: Result<Vec<Folded>, Misfit> =
                    parts.iter().map(|&it| self.fold(it)).collect();
                match parts?.contains(&Folded::Variable) {
                    true => Ok(Folded::Variable),
                    false => Ok(Folded::Constant),
                }
            }
            _ => Ok(self.known(id)),
        }
    }

    /// What the compiler makes of a node as it is.
    pub(crate) fn known(&self, id: BodyId) -> Folded {
        known(self.bound, id)
    }

    fn shown_type(&self, id: BodyId) -> Option<String> {
        let ty = self.bound.type_of(id)?;
        Some(self.bound.compilation.display_type(ty))
    }

    /// A value in the type of a node.
    fn fitting(&self, id: BodyId, value: i128) -> Result<Folded, Misfit> {
        let shown = self.shown_type(id);
        let range = shown.as_deref().and_then(range_of);
        let is_unchecked =
            Overflow::within(&self.bound.tree, id, self.root, self.outside) == Overflow::Unchecked;
        match range {
            Some((least, most)) if (least..=most).contains(&value) => Ok(Folded::Integer(value)),
            Some(_) if is_unchecked => Ok(Folded::Constant),
            _ => Err(Misfit {
                node: id,
                reason: OVERFLOWS,
            }),
        }
    }

    fn cast(&self, id: BodyId, value: Folded) -> Result<Folded, Misfit> {
        let Some(ty) = self.bound.type_of(id) else {
            return Ok(Folded::Variable);
        };
        let shown = self.bound.compilation.display_type(ty);
        let is_of_enum = is_enum(self.bound, ty);
        match value {
            Folded::Variable => Ok(Folded::Variable),
            // Every enum has these values.
            Folded::Integer(0..=127) if is_of_enum => Ok(Folded::Constant),
            Folded::Integer(value) if is_integral(&shown) => self.fitting(id, value),
            _ if is_of_enum || is_integral(&shown) => {
                let tree = &self.bound.tree;
                match Overflow::within(tree, id, self.root, self.outside) {
                    Overflow::Unchecked => Ok(Folded::Constant),
                    _ => Err(Misfit {
                        node: id,
                        reason: OVERFLOWS,
                    }),
                }
            }
            _ if crate::evaluation::is_simple(&shown) => Ok(Folded::Constant),
            _ => Ok(Folded::Variable),
        }
    }

    fn unary(&self, id: BodyId, operand: Folded) -> Result<Folded, Misfit> {
        let op = Op::ALL.get(usize::from(self.bound.tree.node(id).flags));
        match (operand, op) {
            (Folded::Variable, _) => Ok(Folded::Variable),
            (Folded::Integer(value), Some(Op::Subtract)) => self.fitting(id, -value),
            (Folded::Integer(value), Some(Op::Add)) => self.fitting(id, value),
            (_, Some(Op::Subtract | Op::Add | Op::Not | Op::Complement)) => Ok(Folded::Constant),
            _ => Ok(Folded::Variable),
        }
    }

    fn binary(&self, id: BodyId, left: BodyId, right: BodyId) -> Result<Folded, Misfit> {
        let op = Op::ALL.get(usize::from(self.bound.tree.node(id).flags));
        let (left, right) = (self.fold(left)?, self.fold(right)?);
        let shown = self.shown_type(id);
        let is_floating = matches!(shown.as_deref(), Some("float" | "double"));
        let divides = matches!(op, Some(Op::Divide | Op::Modulo));
        // CS0020, whatever is divided.
        if divides && right == Folded::Integer(0) && !is_floating {
            return Err(Misfit {
                node: id,
                reason: ZERO,
            });
        }
        let computed = match (left, right, op) {
            (Folded::Variable, _, _) | (_, Folded::Variable, _) => return Ok(Folded::Variable),
            (Folded::Integer(left), Folded::Integer(right), Some(op)) if !is_floating => match op {
                Op::Add => left.checked_add(right),
                Op::Subtract => left.checked_sub(right),
                Op::Multiply => left.checked_mul(right),
                Op::Divide => left.checked_div(right),
                Op::Modulo => left.checked_rem(right),
                _ => return Ok(Folded::Constant),
            },
            _ => None,
        };
        let is_arithmetic = divides || matches!(op, Some(Op::Add | Op::Subtract | Op::Multiply));
        let is_checked = shown
            .as_deref()
            .is_none_or(|it| is_integral(it) || it == "decimal");
        match computed {
            Some(value) if shown.as_deref().is_some_and(is_integral) => self.fitting(id, value),
            _ if is_arithmetic && is_checked => Err(Misfit {
                node: id,
                reason: OVERFLOWS,
            }),
            _ => Ok(Folded::Constant),
        }
    }
}

/// What the compiler makes of a node as it is.
pub(crate) fn known(bound: &Bound<'_, '_>, id: BodyId) -> Folded {
    match bound.expressions.type_of(id) {
        Some(known) => match (known.integer, known.is_constant) {
            (Some(value), _) => Folded::Integer(value),
            (None, true) => Folded::Constant,
            (None, false) => Folded::Variable,
        },
        None => match bound.tree.kind(id) {
            BodyKind::Literal | BodyKind::Default | BodyKind::DefaultLiteral => Folded::Constant,
            _ => Folded::Variable,
        },
    }
}

/// The least and the greatest value of a type of integers.
fn range_of(shown: &str) -> Option<(i128, i128)> {
    Some(match shown {
        "sbyte" => (i8::MIN.into(), i8::MAX.into()),
        "byte" => (0, u8::MAX.into()),
        "short" => (i16::MIN.into(), i16::MAX.into()),
        "ushort" | "char" => (0, u16::MAX.into()),
        // Constants of native size have the values that fit everywhere.
        "int" | "nint" => (i32::MIN.into(), i32::MAX.into()),
        "uint" | "nuint" => (0, u32::MAX.into()),
        "long" => (i64::MIN.into(), i64::MAX.into()),
        "ulong" => (0, u64::MAX.into()),
        _ => return None,
    })
}
