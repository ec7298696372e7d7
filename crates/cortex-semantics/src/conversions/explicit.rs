//! Explicit conversions between types that need no member (C# specification, §10.3).
//!
//! Must not know: expressions, operators declared by users.

use cortex_model::TypeKind;

use super::standard::MAX_NESTING;
use crate::{
    compilation::Compilation,
    special::Special,
    symbol::TypeFlags,
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// §10.3: an explicit conversion between types that needs no member, implicit ones included.
    pub fn standard_explicit(&self, from: Ty, to: Ty) -> bool {
        self.explicit_at(from, to, 0)
    }

    fn explicit_at(&self, from: Ty, to: Ty, depth: u32) -> bool {
        if depth > MAX_NESTING {
            return false;
        }
        if self.standard_implicit(from, to) {
            return true;
        }
        if from.is_none() || to.is_none() || self.is_void(from) || self.is_void(to) {
            return false;
        }
        if from == Ty::DYNAMIC {
            return true;
        }
        let (value, wanted) = (self.strip_nullable(from), self.strip_nullable(to));
        if value != from || wanted != to {
            // §10.3.4: with `?` on either side, as without.
            return self.explicit_at(value, wanted, depth + 1)
                && (self.is_value_type(value) || !self.is_value_type(from));
        }
        if self.is_number_or_enum(from) && self.is_number_or_enum(to) {
            return true;
        }
        let pointer = |ty: Ty| {
            matches!(
                self.kind(ty),
                TyKind::Pointer(_) | TyKind::FunctionPointer(_)
            )
        };
        if pointer(from) || pointer(to) {
            let other = |ty: Ty| pointer(ty) || self.builtin(ty).is_some_and(|it| it.is_integral());
            return other(from) && other(to);
        }
        if let (Some(a), Some(b)) = (self.tuple_elements(from), self.tuple_elements(to)) {
            let mut pairs = a.iter().zip(b);
            return a.len() == b.len() && pairs.all(|(&a, &b)| self.explicit_at(a, b, depth + 1));
        }
        self.explicit_reference_at(from, to, depth)
    }

    fn is_number_or_enum(&self, ty: Ty) -> bool {
        self.builtin(ty).is_some_and(|it| it.is_numeric()) || self.is_enum(ty)
    }

    /// §10.3.5, §10.3.6, §10.3.8: down the hierarchy, unboxing, and sideways through interfaces.
    fn explicit_reference_at(&self, from: Ty, to: Ty, depth: u32) -> bool {
        if self.upcast(to, from, 0) {
            return true;
        }
        let param = |ty: Ty| matches!(self.kind(ty), TyKind::Param(_));
        match (self.kind(from), self.kind(to)) {
            (TyKind::Array(a, rank), TyKind::Array(b, other)) => {
                return rank == other
                    && !self.is_value_type(*a)
                    && !self.is_value_type(*b)
                    && self.explicit_at(*a, *b, depth + 1);
            }
            (TyKind::Array(element, 1), TyKind::Named { args, .. })
            | (TyKind::Named { args, .. }, TyKind::Array(element, 1))
                if args.len() == 1 && (self.is_interface(from) || self.is_interface(to)) =>
            {
                return self.explicit_at(*element, args[0], depth + 1);
            }
            _ => {}
        }
        // A class that can be derived from may implement any interface.
        let open = |ty: Ty| {
            param(ty)
                || self.is_interface(ty)
                || self.def_of(ty).is_some_and(|def| {
                    matches!(self.def(def).kind, TypeKind::Class | TypeKind::Record)
                        && !self.header(def).flags.has(TypeFlags::SEALED)
                })
        };
        if self.is_interface(from) && open(to) || self.is_interface(to) && open(from) {
            return true;
        }
        if param(from) && param(to) {
            return false;
        }
        if let (Some(a), Some(b)) = (self.def_of(from), self.def_of(to))
            && a == b
            && matches!(self.def(a).kind, TypeKind::Delegate | TypeKind::Interface)
        {
            let mut pairs = self.args_of(from).iter().zip(self.args_of(to));
            return pairs.all(|(&a, &b)| {
                self.is_identical(a, b) || self.is_reference_type(a) && self.is_reference_type(b)
            });
        }
        // Spans go both ways where their elements do (C# 14).
        match (
            self.arg_of(from, Special::ReadOnlySpan),
            self.arg_of(to, Special::ReadOnlySpan),
        ) {
            (Some(a), Some(b)) => self.reference_at(b, a, depth + 1),
            _ => false,
        }
    }
}
