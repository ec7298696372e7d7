//! Conversions between types that need no member (C# specification, §10.2, §10.3).
//!
//! Owns: identity, numeric, nullable, tuple, pointer and span conversions, and the order of the
//! questions. Must not know: expressions, operators declared by users.

use super::builtin::Builtin;
use crate::{
    compilation::Compilation,
    special::Special,
    ty::{Ty, TyKind},
};

/// Types nested deeper do not convert: no real program comes near it.
pub(super) const MAX_NESTING: u32 = 24;

impl Compilation<'_> {
    /// §10.2: an implicit conversion between types that needs no member, identity included.
    pub fn standard_implicit(&self, from: Ty, to: Ty) -> bool {
        if from == to || from.is_error() || to.is_error() {
            return true;
        }
        if from.is_none() || to.is_none() {
            return false;
        }
        if let Some(&found) = self.caches.implicit.borrow().get(&(from, to)) {
            return found;
        }
        let unsettled = self.caches.unsettled.get();
        let found = self.implicit_at(from, to, 0);
        if self.caches.unsettled.get() == unsettled {
            self.caches.implicit.borrow_mut().insert((from, to), found);
        }
        found
    }

    pub(super) fn implicit_at(&self, from: Ty, to: Ty, depth: u32) -> bool {
        if depth > MAX_NESTING {
            return false;
        }
        if self.is_identical(from, to) {
            return true;
        }
        if let (Some(a), Some(b)) = (self.builtin(from), self.builtin(to)) {
            return a.widens_to(b)
                || b == Builtin::Object && !matches!(a, Builtin::Void | Builtin::Object);
        }
        if let Some(inner) = self.nullable_underlying(to) {
            let from = self.strip_nullable(from);
            if self.is_identical(from, inner) {
                return true;
            }
            return match (self.builtin(from), self.builtin(inner)) {
                (Some(a), Some(b)) => a.widens_to(b),
                _ => self.tuple_at(from, inner, depth),
            };
        }
        match self.kind(to) {
            TyKind::Pointer(element) => {
                return matches!(
                    self.kind(from),
                    TyKind::Pointer(_) | TyKind::FunctionPointer(_)
                ) && self.is_void(*element);
            }
            TyKind::FunctionPointer(to) => return self.function_pointer_at(from, to, depth),
            TyKind::Tuple { .. } => return self.tuple_at(from, to, depth),
            _ => {}
        }
        self.upcast(from, to, depth) || self.span_at(from, to, depth)
    }

    /// §10.2.13, types alone.
    fn tuple_at(&self, from: Ty, to: Ty, depth: u32) -> bool {
        let (Some(from), Some(to)) = (self.tuple_elements(from), self.tuple_elements(to)) else {
            return false;
        };
        let mut pairs = from.iter().zip(to);
        from.len() == to.len() && pairs.all(|(&a, &b)| self.implicit_at(a, b, depth + 1))
    }

    /// §23.5: parameters contravariant, the return type covariant.
    fn function_pointer_at(&self, from: Ty, to: &[Ty], depth: u32) -> bool {
        let TyKind::FunctionPointer(from) = self.kind(from) else {
            return false;
        };
        let Some(last) = to.len().checked_sub(1) else {
            return false;
        };
        let goes = |a: Ty, b: Ty| self.is_identical(a, b) || self.reference_at(a, b, depth + 1);
        from.len() == to.len()
            && goes(from[last], to[last])
            && (0..last).all(|index| goes(to[index], from[index]))
    }

    /// C# 14, first-class spans: arrays and spans to spans, `string` to `ReadOnlySpan<char>`.
    pub(crate) fn is_span_conversion(&self, from: Ty, to: Ty) -> bool {
        self.span_at(from, to, 0)
    }

    fn span_at(&self, from: Ty, to: Ty, depth: u32) -> bool {
        let varies = |a: Ty, b: Ty| self.is_identical(a, b) || self.reference_at(a, b, depth + 1);
        if let Some(element) = self.arg_of(to, Special::Span) {
            return matches!(self.kind(from), TyKind::Array(of, 1) if self.is_identical(*of, element));
        }
        let Some(element) = self.arg_of(to, Special::ReadOnlySpan) else {
            return false;
        };
        if let TyKind::Array(of, 1) = self.kind(from) {
            return varies(*of, element);
        }
        if self.builtin(from) == Some(Builtin::String) {
            return self.builtin(element) == Some(Builtin::Char);
        }
        let spans = [Special::Span, Special::ReadOnlySpan];
        let of = spans.iter().find_map(|&span| self.arg_of(from, span));
        of.is_some_and(|of| varies(of, element))
    }

    /// §10.2.2: whether two types are the same to conversions: names of tuple elements aside, with
    /// `dynamic` as `object`. What is unknown is the same as everything.
    pub fn is_identical(&self, a: Ty, b: Ty) -> bool {
        self.identical_at(a, b, 0)
    }

    fn identical_at(&self, a: Ty, b: Ty, depth: u32) -> bool {
        if a == b || a.is_error() || b.is_error() {
            return true;
        }
        if depth > MAX_NESTING {
            return false;
        }
        let all = |a: &[Ty], b: &[Ty]| {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|(&a, &b)| self.identical_at(a, b, depth + 1))
        };
        match (self.kind(a), self.kind(b)) {
            (
                TyKind::Named { def, args },
                TyKind::Named {
                    def: other,
                    args: others,
                },
            ) => def == other && !args.is_empty() && all(args, others),
            (TyKind::Dynamic, _) => self.builtin(b) == Some(Builtin::Object),
            (_, TyKind::Dynamic) => self.builtin(a) == Some(Builtin::Object),
            (TyKind::Array(a, rank), TyKind::Array(b, other)) => {
                rank == other && self.identical_at(*a, *b, depth + 1)
            }
            (TyKind::Pointer(a), TyKind::Pointer(b)) => self.identical_at(*a, *b, depth + 1),
            (TyKind::FunctionPointer(a), TyKind::FunctionPointer(b)) => all(a, b),
            (TyKind::Tuple { .. }, _) | (_, TyKind::Tuple { .. }) => {
                match (self.tuple_elements(a), self.tuple_elements(b)) {
                    (Some(a), Some(b)) => all(a, b),
                    _ => false,
                }
            }
            (TyKind::Anonymous(a), TyKind::Anonymous(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|(a, b)| a.0 == b.0 && self.identical_at(a.1, b.1, depth + 1))
            }
            _ => false,
        }
    }
}
