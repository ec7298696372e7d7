//! Finishing an expression for the type that its place wants, once (C# specification, §10).
//!
//! Owns: where conversions are recorded. Must not know: how operators and calls are chosen.

use cortex_syntax::{BodyId, BodyKind};

use super::{Conversion, builtin::Builtin};
use crate::{
    binder::Binder,
    expr::{Constant, Expr, ExprKind},
    local_names::Recording,
    name::Name,
    output::{How, Misfit},
    symbol::Sym,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// Finishes an expression for the type that its place wants: binds a lambda's body for good, chooses
    /// the constructor of `new(…)` and the method of a group, records user-defined conversions (at the
    /// expression's first token), goes into tuples, branches and collections. Always succeeds: where
    /// nothing converts, the expression is finished on its own.
    pub(crate) fn convert(&mut self, expr: Expr, to: Ty) -> Expr {
        self.touch(to);
        let converted = self.converted(expr, to);
        self.record_typed(&converted, true);
        converted
    }

    fn converted(&mut self, expr: Expr, to: Ty) -> Expr {
        if matches!(
            expr.kind,
            ExprKind::Value | ExprKind::Variable | ExprKind::Base
        ) && (expr.ty == to || expr.ty.is_error())
        {
            return typed(expr, to);
        }
        if to.is_error() || to.is_none() || self.c.is_void(to) {
            return self.finish_for_unknown(expr, to);
        }
        let node = expr.node;
        self.deeper(|binder| binder.convert_known(expr, to))
            .unwrap_or_else(|| Expr::value(node, to))
    }

    /// The same for a cast.
    pub(crate) fn convert_explicit(&mut self, expr: Expr, to: Ty, cast_offset: u32) -> Expr {
        if to.is_error() || expr.ty == to || expr.ty == Ty::DYNAMIC {
            return self.convert(expr, to);
        }
        match &expr.kind {
            ExprKind::Value
            | ExprKind::Variable
            | ExprKind::Base
            | ExprKind::ColorColor(_)
            | ExprKind::Null => {
                match self.explicit_conversion(&expr, to) {
                    Conversion::UserDefined(sym) => self.record_cast(cast_offset, sym, to),
                    Conversion::None if self.is_misfit(&expr, to) => {
                        self.record_misfit_at(cast_offset, Misfit::Conversion);
                    }
                    _ => {}
                }
                let constant = self.cast_constant(&expr, to);
                Expr::value(expr.node, to).with_constant(constant)
            }
            ExprKind::Tuple(parts) => {
                let parts = parts.clone();
                let node = expr.node;
                let elements = self.c.tuple_elements(self.c.strip_nullable(to));
                match elements {
                    Some(elements) if elements.len() == parts.len() => {
                        for ((part, _), &element) in parts.iter().zip(elements) {
                            let offset = self.start_of(part.node);
                            let part = part.clone();
                            self.deeper(|binder| binder.convert_explicit(part, element, offset));
                        }
                        Expr::value(node, to)
                    }
                    _ => {
                        if let Conversion::UserDefined(sym) = self.explicit_conversion(&expr, to) {
                            self.record_cast(cast_offset, sym, to);
                            return typed(self.finish_for_operator(expr, sym), to);
                        }
                        typed(self.finish(expr), to)
                    }
                }
            }
            ExprKind::Branches(parts) => {
                let parts = parts.clone();
                match self.explicit_conversion(&expr, to) {
                    Conversion::UserDefined(sym) => {
                        self.record_cast(cast_offset, sym, to);
                        self.finish_branches(&expr, &parts);
                    }
                    Conversion::None if expr.ty.is_none() => {
                        for part in parts.iter().cloned() {
                            let offset = self.start_of(part.node);
                            self.in_scope_of(part.node, |binder| {
                                binder.deeper(|it| it.convert_explicit(part, to, offset))
                            });
                        }
                    }
                    _ => return self.convert(expr, to),
                }
                Expr::value(expr.node, to)
            }
            ExprKind::InterpolatedString | ExprKind::Stackalloc => {
                match self.explicit_conversion(&expr, to) {
                    Conversion::UserDefined(sym) => {
                        self.record_cast(cast_offset, sym, to);
                        typed(self.finish(expr), to)
                    }
                    _ => self.convert(expr, to),
                }
            }
            _ => self.convert(expr, to),
        }
    }

    /// Finishes an expression that no type is wanted from: a lambda or method group gets its natural
    /// type (§12.19, §12.8.7), branches their common type.
    pub(crate) fn finish(&mut self, expr: Expr) -> Expr {
        if matches!(
            expr.kind,
            ExprKind::Value | ExprKind::Variable | ExprKind::Base | ExprKind::Type
        ) {
            return expr;
        }
        let node = expr.node;
        self.deeper(|binder| binder.finish_alone(expr))
            .unwrap_or_else(|| Expr::error(node))
    }

    fn finish_alone(&mut self, expr: Expr) -> Expr {
        let node = expr.node;
        match expr.kind {
            ExprKind::Lambda => {
                let natural = self.lambda_natural_type(node);
                self.finish_lambda(node, natural.filter(|ty| !ty.is_error()));
                Expr::value(node, natural.unwrap_or(Ty::ERROR))
            }
            ExprKind::Methods(ref group) => {
                let natural = self.natural_type(&expr);
                self.finish_group(group, natural.filter(|ty| !ty.is_error()));
                Expr::value(node, natural.unwrap_or(Ty::ERROR))
            }
            ExprKind::AddressOf(ref group) => {
                self.finish_group(group, None);
                Expr::error(node)
            }
            ExprKind::ImplicitNew(_) => self.finish_creation(expr, Ty::ERROR),
            ExprKind::Tuple(ref parts) => self.finish_tuple(node, expr.ty, parts),
            ExprKind::Collection(ref parts) => {
                for (part, _) in parts.iter() {
                    self.finish(part.clone());
                }
                Expr::error(node)
            }
            ExprKind::Branches(ref parts) => self.finish_branches(&expr, parts),
            ExprKind::InterpolatedString => self.finish_interpolated_string(expr, None),
            ExprKind::ColorColor(_) | ExprKind::Stackalloc => Expr::value(node, expr.ty),
            _ => expr,
        }
    }

    fn finish_tuple(&mut self, node: BodyId, ty: Ty, parts: &[(Expr, Option<Name>)]) -> Expr {
        let mut elements = Vec::with_capacity(parts.len());
        for (part, _) in parts {
            elements.push(self.finish(part.clone()).ty);
        }
        if !ty.is_none() || elements.len() < 2 {
            return Expr::value(node, ty);
        }
        let elements: Box<[Ty]> = elements
            .into_iter()
            .map(|ty| if ty.is_none() { Ty::ERROR } else { ty })
            .collect();
        let names = parts.iter().map(|(_, name)| *name).collect();
        Expr::value(node, self.c.intern(TyKind::Tuple { elements, names }))
    }

    fn finish_branches(&mut self, expr: &Expr, parts: &[Expr]) -> Expr {
        let common = if expr.ty.is_none() {
            let mut types = Vec::with_capacity(parts.len());
            for part in parts {
                types.extend(self.in_scope_of(part.node, |binder| binder.natural_type(part)));
            }
            self.c.best_common_type(&types)
        } else {
            Some(expr.ty)
        };
        self.convert_branches(parts, common);
        Expr::value(expr.node, common.unwrap_or(Ty::ERROR))
    }

    fn convert_branches(&mut self, parts: &[Expr], to: Option<Ty>) {
        for part in parts.iter().cloned() {
            self.in_scope_of(part.node, |binder| match to {
                Some(ty) => binder.convert(part, ty),
                None => binder.finish(part),
            });
        }
    }

    /// For a place whose type is unknown, or that wants no value.
    fn finish_for_unknown(&mut self, expr: Expr, to: Ty) -> Expr {
        if let (ExprKind::Lambda, true) = (&expr.kind, to.is_error()) {
            let node = expr.node;
            self.finish_lambda(node, None);
            return Expr::error(node);
        }
        let finished = self.finish(expr);
        if to.is_error() {
            typed(finished, to)
        } else {
            finished
        }
    }

    fn convert_known(&mut self, expr: Expr, to: Ty) -> Expr {
        let node = expr.node;
        match expr.kind {
            ExprKind::Lambda => {
                self.check_lambda(node, to);
                if self.c.delegate_of(to).is_some() {
                    self.finish_lambda(node, Some(to));
                } else {
                    let natural = self.lambda_natural_type(node);
                    self.finish_lambda(node, natural.filter(|ty| !ty.is_error()));
                }
                Expr::value(node, to)
            }
            ExprKind::Methods(ref group) => {
                let delegate = if self.c.is_delegate(to) {
                    Some(to)
                } else {
                    self.natural_type(&expr).filter(|ty| !ty.is_error())
                };
                self.finish_group(group, delegate);
                Expr::value(node, to)
            }
            ExprKind::AddressOf(ref group) => {
                self.finish_group(group, Some(to));
                Expr::value(node, to)
            }
            ExprKind::ImplicitNew(_) => {
                let target = self.c.strip_nullable(to);
                typed(self.finish_creation(expr, target), to)
            }
            ExprKind::Collection(_) => {
                let target = self.c.strip_nullable(to);
                if self.collection_element(target).is_some() {
                    typed(self.finish_collection(expr, target), to)
                } else {
                    typed(self.finish(expr), to)
                }
            }
            ExprKind::InterpolatedString => self.convert_string(expr, to),
            ExprKind::Tuple(ref parts) => {
                let parts = parts.clone();
                self.convert_tuple(expr, &parts, to)
            }
            ExprKind::Branches(ref parts) => {
                let parts = parts.clone();
                match self.implicit_conversion(&expr, to) {
                    Conversion::Branches | Conversion::Unknown => {
                        self.convert_branches(&parts, Some(to));
                    }
                    Conversion::UserDefined(sym) => {
                        self.record_conversion(node, sym);
                        self.finish_branches(&expr, &parts);
                    }
                    Conversion::None if expr.ty.is_none() => {
                        self.convert_branches(&parts, Some(to));
                    }
                    Conversion::None if self.is_misfit(&expr, to) => {
                        self.note_misfit();
                        self.record_misfit_at(self.start_of(node), Misfit::Conversion);
                        self.finish_branches(&expr, &parts);
                    }
                    _ => {
                        self.finish_branches(&expr, &parts);
                    }
                }
                Expr::value(node, to)
            }
            ExprKind::ImplicitOut(local) => {
                if let Some(local) = self.locals.get_mut(local as usize)
                    && (local.ty.is_none() || local.ty.is_error())
                {
                    local.ty = to;
                }
                Expr::variable(node, to)
            }
            ExprKind::Type | ExprKind::Namespace(_) => {
                self.record_misfit_at(self.start_of(node), Misfit::Value);
                typed(expr, to)
            }
            _ => {
                match self.implicit_conversion(&expr, to) {
                    Conversion::UserDefined(sym) => {
                        self.record_conversion(node, sym);
                        return Expr::value(node, to);
                    }
                    Conversion::None if self.is_misfit(&expr, to) => {
                        self.note_misfit();
                        let offset = self.start_of(node);
                        self.record_misfit_at(offset, Misfit::Conversion);
                    }
                    _ => {}
                }
                typed(expr, to)
            }
        }
    }

    /// Whether both types are known whole, so that a missing conversion is one.
    pub(crate) fn is_misfit(&self, from: &Expr, to: Ty) -> bool {
        self.is_known(from) && !self.c.is_partly_unknown(to) && !self.c.has_unknown_bases(to)
    }

    /// Whether it is known whole what an expression is.
    pub(crate) fn is_known(&self, expr: &Expr) -> bool {
        let is_typed = !expr.ty.is_none()
            && !self.c.is_partly_unknown(expr.ty)
            && !self.c.has_unknown_bases(expr.ty);
        is_typed || matches!(expr.kind, ExprKind::Null)
    }

    /// Records that the language forbids something, where that is requested.
    pub(crate) fn record_misfit_at(&mut self, offset: u32, misfit: Misfit) {
        if self.recording == Recording::On {
            self.out.misfits.push((offset, misfit));
        }
    }

    fn convert_string(&mut self, expr: Expr, to: Ty) -> Expr {
        if self.c.is_string_handler(to) {
            return typed(self.finish_interpolated_string(expr, Some(to)), to);
        }
        let node = expr.node;
        if let Conversion::UserDefined(sym) = self.implicit_conversion(&expr, to) {
            self.record_conversion(node, sym);
        }
        typed(self.finish_interpolated_string(expr, None), to)
    }

    fn convert_tuple(&mut self, expr: Expr, parts: &[(Expr, Option<Name>)], to: Ty) -> Expr {
        let node = expr.node;
        if let Conversion::UserDefined(sym) = self.implicit_conversion(&expr, to) {
            self.record_conversion(node, sym);
            return typed(self.finish_for_operator(expr, sym), to);
        }
        match self.c.tuple_elements(self.c.strip_nullable(to)) {
            Some(elements) if elements.len() == parts.len() => {
                for ((part, _), &element) in parts.iter().zip(elements) {
                    self.convert(part.clone(), element);
                }
                Expr::value(node, to)
            }
            _ => typed(self.finish(expr), to),
        }
    }

    /// A tuple literal as the parameter of a conversion operator.
    fn finish_for_operator(&mut self, expr: Expr, sym: Sym) -> Expr {
        let param = self.c.params_of(sym).first().map(|param| param.ty);
        match (param, &expr.kind) {
            (Some(param), ExprKind::Tuple(parts))
                if self
                    .c
                    .tuple_elements(param)
                    .is_some_and(|elements| elements.len() == parts.len()) =>
            {
                let elements = self.c.tuple_elements(param).unwrap_or_default();
                for ((part, _), &element) in parts.clone().iter().zip(elements) {
                    self.convert(part.clone(), element);
                }
                Expr::value(expr.node, param)
            }
            _ => self.finish(expr),
        }
    }

    fn cast_constant(&self, expr: &Expr, to: Ty) -> Option<Constant> {
        let to = match self.c.def_of(to).filter(|_| self.c.is_enum(to)) {
            Some(def) => self.c.header(def).underlying,
            None => Some(to),
        };
        match expr.constant? {
            Constant::Large => match self.c.builtin(to?)? {
                Builtin::Int64 | Builtin::UInt64 => Some(Constant::Large),
                builtin => builtin.is_numeric().then_some(Constant::Other),
            },
            Constant::Int(value) => {
                let builtin = self.c.builtin(to?)?;
                let Some((least, most)) = builtin.range() else {
                    return builtin.is_numeric().then_some(Constant::Other);
                };
                if (least..=most).contains(&value) {
                    return Some(Constant::Int(value));
                }
                let span = most - least + 1;
                Some(Constant::Int((value - least).rem_euclid(span) + least))
            }
            other => Some(other),
        }
    }

    // ---- recording ----

    /// A user-defined conversion of an expression: at its first token, inside of parentheses once more.
    fn record_conversion(&mut self, node: BodyId, sym: Sym) {
        let mut node = node;
        loop {
            let offset = self.start_of(node);
            let how = match self.body_kind(node) {
                // The first token of a cast stands for the cast's own operator.
                BodyKind::Cast => How::Other,
                _ => How::Conversion,
            };
            self.record_hidden(offset, sym, how);
            match (self.body_kind(node), self.first(node)) {
                (BodyKind::Parenthesized, Some(inner)) => node = inner,
                _ => return,
            }
        }
    }

    /// The operator of a cast. One that gives another type than is written is one of two steps, and not
    /// the one that the parenthesis stands for.
    fn record_cast(&mut self, offset: u32, sym: Sym, to: Ty) {
        let gives = self.c.type_of(sym);
        let is_whole =
            self.c.is_identical(gives, to) || self.c.is_identical(self.c.nullable(gives), to);
        let how = if is_whole {
            How::Conversion
        } else {
            How::Other
        };
        self.record_hidden(offset, sym, how);
    }

    /// Records a member that is used without being named, where it is declared in source.
    pub(crate) fn record_hidden(&mut self, offset: u32, sym: Sym, how: How) {
        let owner = self.c.member(sym.member).owner;
        if self.c.def(owner).is_source() {
            let sym = self.operator_here(sym);
            self.record_use(offset, sym.member, how);
        }
    }
}

/// The value as one of a type.
fn typed(expr: Expr, to: Ty) -> Expr {
    if expr.ty == to {
        return expr;
    }
    Expr::value(expr.node, to).with_constant(expr.constant)
}
