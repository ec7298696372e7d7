//! Conversions from expressions (C# specification, §10.2, §10.3): what literals, constants and functions
//! convert to besides their types.
//!
//! Must not know: how expressions are finished.

use cortex_model::TypeKind;

use super::{Conversion, Explicit, builtin::Builtin};
use crate::{
    binder::Binder,
    compilation::Compilation,
    expr::{Constant, Element, Expr, ExprKind},
    special::Special,
    statements::Asynchronous,
    symbol::TypeFlags,
    ty::{Ty, TyKind},
};

impl Compilation<'_> {
    /// §10.2.11, §10.2.4: a constant to a smaller integral type, 0 to an enum.
    pub(crate) fn constant_converts(&self, from: Ty, constant: Constant, to: Ty) -> bool {
        let to = self.strip_nullable(to);
        let value = match constant {
            Constant::Int(value) => value,
            Constant::Large => {
                return self.builtin(from) == Some(Builtin::Int64)
                    && self.builtin(to) == Some(Builtin::UInt64);
            }
            _ => return false,
        };
        let Some(from) = self.builtin(from).filter(|it| it.is_numeric()) else {
            return false;
        };
        match self.builtin(to) {
            Some(Builtin::UInt64) if from == Builtin::Int64 => value >= 0,
            Some(Builtin::Char) | None if from != Builtin::Int32 => value == 0 && self.is_enum(to),
            Some(Builtin::Char) => false,
            Some(wanted) if from == Builtin::Int32 => wanted
                .range()
                .is_some_and(|(least, most)| (least..=most).contains(&value)),
            Some(_) => false,
            None => value == 0 && self.is_enum(to),
        }
    }

    /// §10.2.7: whether `null` is a value of a type.
    pub(crate) fn takes_null(&self, to: Ty) -> bool {
        self.nullable_underlying(to).is_some()
            || self.is_reference_type(to)
            || matches!(
                self.kind(to),
                TyKind::Pointer(_) | TyKind::FunctionPointer(_) | TyKind::Dynamic | TyKind::Error
            )
    }

    /// Whether an interpolated string can be built by a type: `[InterpolatedStringHandler]`.
    pub(crate) fn is_string_handler(&self, ty: Ty) -> bool {
        self.def_of(ty).is_some_and(|def| {
            self.def(def).kind != TypeKind::Interface
                && self.header(def).flags.has(TypeFlags::STRING_HANDLER)
        })
    }

    fn is_formattable(&self, ty: Ty) -> bool {
        self.is_special(ty, Special::FormattableString)
            || self.is_special(ty, Special::IFormattable)
    }
}

impl Binder<'_, '_> {
    /// §10.2: the implicit conversion of an expression to a type. Records nothing.
    pub(crate) fn implicit_conversion(&mut self, expr: &Expr, to: Ty) -> Conversion {
        if to.is_error() {
            return Conversion::Unknown;
        }
        self.touch(to);
        match &expr.kind {
            ExprKind::Value | ExprKind::Variable | ExprKind::Base | ExprKind::ColorColor(_) => {
                self.value_conversion(expr, to)
            }
            ExprKind::Null if self.c.takes_null(to) => Conversion::Standard,
            ExprKind::Null => self.declared_conversion(expr, to),
            ExprKind::Default | ExprKind::Throw => Conversion::Standard,
            ExprKind::Discard | ExprKind::ImplicitOut(_) => Conversion::Identity,
            ExprKind::ImplicitNew(_) => Conversion::ImplicitNew,
            ExprKind::Type | ExprKind::Namespace(_) => {
                if expr.is_error() {
                    Conversion::Unknown
                } else {
                    Conversion::None
                }
            }
            ExprKind::Lambda => self.lambda_conversion(expr, to),
            ExprKind::Methods(group) => {
                if self.c.is_delegate(to) {
                    return match self.group_conversion(group, to) {
                        Some(_) => Conversion::MethodGroup,
                        None => Conversion::None,
                    };
                }
                let natural = self.c.takes_function_type(to) && self.natural_type(expr).is_some();
                if natural {
                    Conversion::Standard
                } else {
                    Conversion::None
                }
            }
            ExprKind::AddressOf(_) => match self.c.kind(to) {
                TyKind::FunctionPointer(_) | TyKind::Pointer(_) => Conversion::Standard,
                _ => Conversion::None,
            },
            ExprKind::Stackalloc => {
                let element = self.c.arg_of(expr.ty, Special::Span);
                match self.c.kind(to) {
                    TyKind::Pointer(of)
                        if element.is_none_or(|it| self.c.is_identical(it, *of)) =>
                    {
                        Conversion::Standard
                    }
                    _ => self.value_conversion(expr, to),
                }
            }
            ExprKind::InterpolatedString => {
                if self.c.is_string_handler(to) || self.c.is_formattable(to) {
                    Conversion::InterpolatedString
                } else {
                    self.value_conversion(expr, to)
                }
            }
            ExprKind::Tuple(parts) => {
                let parts = parts.clone();
                self.deeper(|binder| binder.tuple_conversion(expr, &parts, to))
                    .unwrap_or(Conversion::Unknown)
            }
            ExprKind::Collection(parts) => {
                let parts = parts.clone();
                self.deeper(|binder| binder.collection_conversion(&parts, to))
                    .unwrap_or(Conversion::Unknown)
            }
            ExprKind::Branches(parts) => {
                // By branch comes last: what the natural type converts to is converted as a whole.
                if !expr.ty.is_none() {
                    let whole = self.value_conversion(expr, to);
                    if whole.exists() {
                        return whole;
                    }
                }
                let parts = parts.clone();
                let all = self.deeper(|binder| {
                    parts.iter().all(|part| {
                        binder
                            .in_scope_of(part.node, |it| it.implicit_conversion(part, to).exists())
                    })
                });
                if all.unwrap_or(true) {
                    Conversion::Branches
                } else {
                    Conversion::None
                }
            }
        }
    }

    /// §10.3: the explicit one, of a cast. Records nothing.
    pub(crate) fn explicit_conversion(&mut self, expr: &Expr, to: Ty) -> Conversion {
        let implicit = self.implicit_conversion(expr, to);
        match implicit {
            Conversion::None | Conversion::UserDefined(_) => {}
            _ => return implicit,
        }
        if expr.ty.is_error() {
            return Conversion::Unknown;
        }
        if let (ExprKind::Tuple(parts), Some(elements)) = (&expr.kind, self.c.tuple_elements(to))
            && parts.len() == elements.len()
        {
            return Conversion::Tuple;
        }
        if expr.ty.is_none() {
            return implicit;
        }
        if self.c.standard_explicit(expr.ty, to) {
            return Conversion::Standard;
        }
        match self.c.user_defined_conversion(expr.ty, to, Explicit::Yes) {
            Some(sym) => Conversion::UserDefined(sym),
            None => implicit,
        }
    }

    pub(super) fn value_conversion(&self, expr: &Expr, to: Ty) -> Conversion {
        let (c, from) = (self.c, expr.ty);
        if from == to {
            return Conversion::Identity;
        }
        if from.is_error() {
            return Conversion::Unknown;
        }
        if from == Ty::DYNAMIC {
            return if c.builtin(to) == Some(Builtin::Object) {
                Conversion::Identity
            } else {
                Conversion::Standard
            };
        }
        if from.is_none() {
            return Conversion::None;
        }
        if c.is_identical(from, to) {
            return Conversion::Identity;
        }
        if c.standard_implicit(from, to) {
            return Conversion::Standard;
        }
        match expr.constant {
            Some(constant) if c.constant_converts(from, constant, to) => {
                return Conversion::Standard;
            }
            _ => {}
        }
        if let (Some(a), Some(b)) = (
            c.tuple_elements(c.strip_nullable(from)),
            c.tuple_elements(c.strip_nullable(to)),
        ) && a.len() == b.len()
            && (c.nullable_underlying(from).is_none() || c.nullable_underlying(to).is_some())
        {
            let mut pairs = a.iter().zip(b);
            let converts = pairs.all(|(&a, &b)| {
                c.standard_implicit(a, b) || c.user_defined_conversion(a, b, Explicit::No).is_some()
            });
            if converts {
                return Conversion::Tuple;
            }
        }
        self.declared_conversion(expr, to)
    }

    /// §10.5.4 for an expression: constants and literals reach more source types than their types do.
    fn declared_conversion(&self, expr: &Expr, to: Ty) -> Conversion {
        let c = self.c;
        let found = match (&expr.kind, expr.constant) {
            (ExprKind::Null, _) => {
                c.conversion_operator(Ty::NONE, to, Explicit::No, &|wanted| c.takes_null(wanted))
            }
            (_, Some(constant @ (Constant::Int(_) | Constant::Large))) => {
                c.conversion_operator(expr.ty, to, Explicit::No, &|wanted| {
                    c.standard_implicit(expr.ty, wanted)
                        || c.constant_converts(expr.ty, constant, wanted)
                })
            }
            _ if expr.ty.is_none() => None,
            _ => c.user_defined_conversion(expr.ty, to, Explicit::No),
        };
        found.map_or(Conversion::None, Conversion::UserDefined)
    }

    fn tuple_conversion(
        &mut self,
        expr: &Expr,
        parts: &[(Expr, Option<crate::name::Name>)],
        to: Ty,
    ) -> Conversion {
        if let Some(elements) = self.c.tuple_elements(self.c.strip_nullable(to)) {
            if elements.len() != parts.len() {
                return Conversion::None;
            }
            let mut identity = self.c.tuple_elements(to).is_some();
            for ((part, _), &element) in parts.iter().zip(elements) {
                match self.implicit_conversion(part, element) {
                    Conversion::None => return self.tuple_by_operator(expr, parts, to),
                    Conversion::Identity => {}
                    _ => identity = false,
                }
            }
            return if identity {
                Conversion::Identity
            } else {
                Conversion::Tuple
            };
        }
        if !expr.ty.is_none() && self.c.standard_implicit(expr.ty, to) {
            return Conversion::Standard;
        }
        self.tuple_by_operator(expr, parts, to)
    }

    fn tuple_by_operator(
        &mut self,
        expr: &Expr,
        parts: &[(Expr, Option<crate::name::Name>)],
        to: Ty,
    ) -> Conversion {
        let c = self.c;
        let reaches = |wanted: Ty| {
            if !expr.ty.is_none() && c.standard_implicit(expr.ty, wanted) {
                return true;
            }
            c.tuple_elements(wanted).is_some_and(|elements| {
                elements.len() == parts.len()
                    && parts.iter().zip(elements).all(|((part, _), &element)| {
                        match (&part.kind, part.constant) {
                            (ExprKind::Null, _) => c.takes_null(element),
                            (ExprKind::Default, _) => true,
                            _ if part.ty.is_none() => false,
                            (_, Some(constant))
                                if c.constant_converts(part.ty, constant, element) =>
                            {
                                true
                            }
                            _ => c.standard_implicit(part.ty, element),
                        }
                    })
            })
        };
        c.conversion_operator(expr.ty, to, Explicit::No, &reaches)
            .map_or(Conversion::None, Conversion::UserDefined)
    }

    fn collection_conversion(&mut self, parts: &[(Expr, Element)], to: Ty) -> Conversion {
        let to = self.c.strip_nullable(to);
        let Some(element) = self.collection_element(to) else {
            return Conversion::None;
        };
        for (part, form) in parts {
            let converts = match form {
                Element::One => self.implicit_conversion(part, element).exists(),
                Element::Spread => {
                    let ty = self.spread_element(part);
                    self.type_converts(ty, element)
                }
            };
            if !converts {
                return Conversion::None;
            }
        }
        Conversion::Collection
    }

    /// The type of the elements that a spread gives.
    pub(crate) fn spread_element(&mut self, spread: &Expr) -> Ty {
        if spread.ty.is_none() || spread.ty.is_error() {
            return Ty::ERROR;
        }
        let offset = self.start_of(spread.node);
        let (ty, _) =
            self.speculate(|binder| binder.foreach_element(spread, offset, Asynchronous::No));
        ty
    }

    /// Whether a value of a type converts to another, operators included.
    pub(crate) fn type_converts(&self, from: Ty, to: Ty) -> bool {
        self.c.standard_implicit(from, to)
            || from == Ty::DYNAMIC
            || self
                .c
                .user_defined_conversion(from, to, Explicit::No)
                .is_some()
    }
}
