//! `is`, `switch` statements and expressions (C# specification, §12.12.12, §13.8.3, §12.11).

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind};

use crate::{
    binder::Binder,
    expr::{Expr, ExprKind},
    special::Special,
    ty::Ty,
};

impl Binder<'_, '_> {
    /// `e is …`.
    pub(crate) fn bind_is(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        if let Some(value) = children.next() {
            let input = self.bind_value(value).ty;
            if let Some(right) = children.next() {
                let around = self.statements.behind_test.take();
                self.is_right(right, input);
                let behind = std::mem::replace(&mut self.statements.behind_test, around);
                if let Some(ty) = behind {
                    return match ty.is_none() {
                        true => Expr::error(node),
                        false => Expr::value(node, ty),
                    };
                }
            }
        }
        Expr::value(node, self.c.special(Special::Boolean))
    }

    /// A type, or a pattern: a name alone is a type if there is one (§12.12.12.1).
    fn is_right(&mut self, node: BodyId, input: Ty) {
        let kind = self.body_kind(node);
        if kind == BodyKind::ConstantPattern
            && let Some(name) = self.first(node)
            && self.is_name(name)
            && self.try_type(name).is_some()
        {
            return;
        }
        let patterns = BodyKind::ConstantPattern as u8..=BodyKind::SlicePattern as u8;
        if patterns.contains(&(kind as u8)) {
            self.bind_pattern(node, input);
        } else {
            self.bind_type_node(node, EdgeKind::Pattern);
        }
    }

    /// `switch (e) { … }`.
    pub(super) fn bind_switch(&mut self, node: BodyId) {
        let mut children = self.children(node);
        let Some(value) = children.next() else { return };
        let input = self.bind_value(value).ty;
        for section in children.clone() {
            for child in self.children(section) {
                if self.body_kind(child) == BodyKind::LocalFunction {
                    self.declare_function(child);
                }
            }
        }
        // All sections are one declaration space; pattern variables are seen by their section alone.
        for section in children {
            let mut patterns = Vec::new();
            for child in self.children(section) {
                if self.body_kind(child) == BodyKind::CaseLabel {
                    let before = self.locals.len();
                    self.case_label(child, input);
                    patterns.extend(before..self.locals.len());
                } else {
                    self.bind_statement(child);
                }
            }
            for index in patterns.into_iter().rev() {
                if index < self.locals.len() {
                    self.locals[index].name = crate::name::known::EMPTY;
                }
            }
        }
    }

    fn case_label(&mut self, node: BodyId, input: Ty) {
        for child in self.children(node) {
            match self.body_kind(child) {
                BodyKind::When => self.bind_when(child),
                _ => self.bind_pattern(child, input),
            }
        }
    }

    fn bind_when(&mut self, node: BodyId) {
        if let Some(condition) = self.first(node) {
            let condition = self.bind(condition);
            self.condition(condition);
        }
    }

    /// `e switch { … }`: its arms are [`ExprKind::Branches`], and its type their best common type, where they
    /// have one.
    pub(crate) fn bind_switch_expression(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let Some(value) = children.next() else {
            return Expr::error(node);
        };
        let input = self.bind_value(value).ty;
        let mut arms = Vec::new();
        let mut types: Vec<Ty> = Vec::new();
        for arm in children {
            let Some(arm) = self.bind_arm(arm, input) else {
                continue;
            };
            if !arm.ty.is_none() && !types.contains(&arm.ty) {
                types.push(arm.ty);
            }
            arms.push(arm);
        }
        let ty = match types[..] {
            [] => Ty::NONE,
            [only] => only,
            _ => self.c.best_common_type(&types).unwrap_or(Ty::NONE),
        };
        let fits = ty.is_error()
            || arms.iter().all(|arm| {
                !arm.ty.is_none()
                    || self.in_scope_of(arm.node, |binder| {
                        binder.implicit_conversion(arm, ty).exists()
                    })
            });
        let ty = if fits { ty } else { Ty::NONE };
        Expr::of(node, ty, ExprKind::Branches(arms.into()))
    }

    fn bind_arm(&mut self, node: BodyId, input: Ty) -> Option<Expr> {
        self.in_block(|binder| {
            let base = binder.locals.len();
            let mut children = binder.children(node);
            binder.bind_pattern(children.next()?, input);
            let mut value = children.next()?;
            if binder.body_kind(value) == BodyKind::When {
                binder.bind_when(value);
                value = children.next()?;
            }
            let value = binder.bind(value);
            binder.keep_scope_of(&value, base);
            Some(value)
        })
    }
}
