//! Literals, `default`, `typeof`, `sizeof` (C# specification, §6.4.5, §12.8.18 to §12.8.21), and the
//! constants that they make.

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, LiteralKind};

use crate::{
    binder::Binder,
    expr::{Constant, Expr, ExprKind},
    special::Special,
    ty::Ty,
};

impl Binder<'_, '_> {
    pub(super) fn bind_literal(&mut self, node: BodyId) -> Expr {
        let literal = self.node(node);
        let Some(&kind) = LiteralKind::ALL.get(usize::from(literal.flags)) else {
            return Expr::error(node);
        };
        let special = match kind {
            LiteralKind::Null => {
                return Expr::of(node, Ty::NONE, ExprKind::Null)
                    .with_constant(Some(Constant::Null));
            }
            LiteralKind::Utf8String => {
                let byte = self.c.special(Special::Byte);
                return Expr::value(node, self.c.special_of(Special::ReadOnlySpan, &[byte]));
            }
            LiteralKind::True | LiteralKind::False => Special::Boolean,
            LiteralKind::Int => Special::Int32,
            LiteralKind::UInt => Special::UInt32,
            LiteralKind::Long => Special::Int64,
            LiteralKind::ULong => Special::UInt64,
            LiteralKind::Float => Special::Single,
            LiteralKind::Double => Special::Double,
            LiteralKind::Decimal => Special::Decimal,
            LiteralKind::Char => Special::Char,
            LiteralKind::String => Special::String,
        };
        let constant = match kind {
            LiteralKind::True => Constant::Bool(true),
            LiteralKind::False => Constant::Bool(false),
            LiteralKind::Int | LiteralKind::Char | LiteralKind::UInt => {
                Constant::Int(i128::from(literal.value))
            }
            LiteralKind::Long | LiteralKind::ULong if literal.value < u32::MAX => {
                Constant::Int(i128::from(literal.value))
            }
            LiteralKind::Long | LiteralKind::ULong => Constant::Large,
            LiteralKind::String => Constant::String,
            _ => Constant::Other,
        };
        Expr::value(node, self.c.special(special)).with_constant(Some(constant))
    }

    pub(super) fn bind_type_of(&mut self, node: BodyId) -> Expr {
        self.bind_first_type(node, EdgeKind::TypeOf);
        Expr::value(node, self.c.special(Special::Type))
    }

    pub(super) fn bind_size_of(&mut self, node: BodyId) -> Expr {
        self.bind_first_type(node, EdgeKind::TypeOf);
        Expr::value(node, self.c.special(Special::Int32))
    }

    pub(super) fn bind_default(&mut self, node: BodyId) -> Expr {
        let ty = self.bind_first_type(node, EdgeKind::TypeOf);
        let constant = if self.c.is_reference_type(ty) {
            Some(Constant::Null)
        } else if self.is_integral(ty) {
            Some(Constant::Int(0))
        } else if self.c.is_special(ty, Special::Boolean) {
            Some(Constant::Bool(false))
        } else {
            None
        };
        Expr::value(node, ty).with_constant(constant)
    }

    /// Integral types, `char` and enums.
    fn is_integral(&self, ty: Ty) -> bool {
        const INTEGRAL: [Special; 11] = [
            Special::Int32,
            Special::Int64,
            Special::Byte,
            Special::Char,
            Special::UInt32,
            Special::UInt64,
            Special::Int16,
            Special::UInt16,
            Special::SByte,
            Special::IntPtr,
            Special::UIntPtr,
        ];
        self.c.is_enum(ty) || INTEGRAL.iter().any(|&it| self.c.is_special(ty, it))
    }
}
