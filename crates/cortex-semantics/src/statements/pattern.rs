//! Patterns (C# specification, §11): what they name, which variables they declare.
//!
//! Positions and elements are in `positional`.

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind, Op};

use super::deconstruction::PartName;
use crate::{
    binder::Binder,
    conversions::builtin::Builtin,
    expr::{Expr, ExprKind},
    expressions::ConstantFor,
    output::Misfit,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// A pattern against a value of a type; its variables are declared.
    pub(crate) fn bind_pattern(&mut self, node: BodyId, input: Ty) {
        self.pattern(node, input);
    }

    /// The same; the type that a value is known to have where the pattern matches (§11.1).
    pub(super) fn pattern(&mut self, node: BodyId, input: Ty) -> Ty {
        self.deeper(|binder| binder.pattern_at(node, input))
            .unwrap_or(Ty::ERROR)
    }

    fn pattern_at(&mut self, node: BodyId, input: Ty) -> Ty {
        let mut children = self.children(node);
        match self.body_kind(node) {
            BodyKind::ConstantPattern => match children.next() {
                Some(value) => self.constant_pattern(value, input),
                None => input,
            },
            BodyKind::RelationalPattern => match children.next() {
                Some(value) => self.constant(value, input),
                None => input,
            },
            BodyKind::TypePattern => match children.next() {
                Some(ty) => self.bind_type_node(ty, EdgeKind::Pattern),
                None => input,
            },
            BodyKind::DeclarationPattern => {
                let (Some(ty), designation) = (children.next(), children.next()) else {
                    return input;
                };
                let ty = self.bind_type_node(ty, EdgeKind::Pattern);
                if self.is_never(&Expr::value(node, input), ty) {
                    self.record_misfit_at(self.start_of(node), Misfit::Conversion);
                }
                self.designation(designation, ty);
                ty
            }
            BodyKind::VarPattern => {
                self.designation(children.next(), input);
                input
            }
            BodyKind::RecursivePattern => self.recursive_pattern(node, input),
            BodyKind::ListPattern => self.list_pattern(node, input),
            BodyKind::BinaryPattern => self.binary_pattern(node, input),
            BodyKind::ParenthesizedPattern => match children.next() {
                Some(inner) => self.pattern(inner, input),
                None => input,
            },
            BodyKind::NotPattern => {
                if let Some(inner) = children.next() {
                    self.pattern(inner, input);
                }
                input
            }
            BodyKind::SlicePattern => {
                if let Some(inner) = children.next() {
                    self.pattern(inner, input);
                }
                input
            }
            _ => input,
        }
    }

    /// Chains lean to the left and are one level.
    fn binary_pattern(&mut self, node: BodyId, input: Ty) -> Ty {
        let mut rights = Vec::new();
        let mut at = node;
        while self.body_kind(at) == BodyKind::BinaryPattern {
            let mut children = self.children(at);
            let (Some(left), right) = (children.next(), children.next()) else {
                break;
            };
            rights.push((self.node(at).flags == 1, right));
            at = left;
        }
        let mut narrowed = self.pattern(at, input);
        for (is_or, right) in rights.into_iter().rev() {
            let Some(right) = right else { continue };
            if is_or {
                let other = self.pattern(right, input);
                if other != narrowed {
                    narrowed = input;
                }
            } else {
                narrowed = self.pattern(right, narrowed);
            }
        }
        narrowed
    }

    /// §11.2.2, §11.2.3: a constant, or a type where a name means one and nothing else.
    fn constant_pattern(&mut self, node: BodyId, input: Ty) -> Ty {
        if !self.is_name(node) {
            return self.constant(node, input);
        }
        let (value, findings) = self.speculate(|binder| binder.bind(node));
        let is_type = matches!(value.kind, ExprKind::Type | ExprKind::Namespace(_));
        if (is_type || value.is_error() || !findings.unbound.is_empty())
            && let Some(ty) = self.try_type(node)
        {
            return ty;
        }
        self.accept(&findings);
        self.finish(value);
        self.check_constant(node, ConstantFor::Value);
        input
    }

    fn constant(&mut self, node: BodyId, input: Ty) -> Ty {
        if self.is_behind_test(node) {
            return self.behind_test(node, input);
        }
        let value = self.bind_value(node);
        let ty = value.ty;
        self.check_constant(node, ConstantFor::Value);
        if self.is_other_constant(&value, input) {
            self.record_misfit_at(self.start_of(node), Misfit::Conversion);
        }
        if ty.is_none() || ty.is_error() || self.c.is_value_type(input) {
            input
        } else {
            ty
        }
    }

    /// Whether what stands for a constant is an operator that binds less than `is`: the grammar has the last pattern take
    /// it in (`c is > 1 ? a : b`, `c is 'a' || c is 'b' or 'c'`).
    fn is_behind_test(&self, node: BodyId) -> bool {
        const WEAKER: [Op; 5] = [
            Op::LogicalAnd,
            Op::LogicalOr,
            Op::Equal,
            Op::NotEqual,
            Op::Coalesce,
        ];
        let flags = self.node(node).flags;
        match self.body_kind(node) {
            BodyKind::Conditional => true,
            BodyKind::Binary => WEAKER.iter().any(|&it| it as u8 == flags),
            _ => false,
        }
    }

    /// Binds what a pattern took in. What does not fit there is not wrong where it belongs.
    fn behind_test(&mut self, node: BodyId, input: Ty) -> Ty {
        let n_misfits = self.out.misfits.len();
        let value = self.bind_value(node);
        self.out.misfits.truncate(n_misfits);
        if self.body_kind(node) == BodyKind::Conditional {
            self.statements.behind_test = Some(value.ty);
        }
        input
    }

    /// Whether a constant is of another simple type than the values that are compared with it (§11.2.3).
    fn is_other_constant(&mut self, value: &Expr, input: Ty) -> bool {
        let c = self.c;
        // Where the grammar has a pattern take in the operators behind it, they are no constant.
        if self.body_kind(value.node) != BodyKind::Literal {
            return false;
        }
        let inner = c.strip_nullable(input);
        let (Some(_), Some(to)) = (c.builtin(value.ty), c.builtin(inner)) else {
            return false;
        };
        to != Builtin::Object && !self.implicit_conversion(value, inner).exists()
    }

    /// Whether values are never of another type: no conversion leads from one to the other (§11.2.2, §12.12.12).
    pub(crate) fn is_never(&mut self, value: &Expr, ty: Ty) -> bool {
        let c = self.c;
        let is_class = |ty: Ty| matches!(c.kind(ty), TyKind::Named { args, .. } if args.is_empty());
        let (from, to) = (c.strip_nullable(value.ty), c.strip_nullable(ty));
        self.is_known(value)
            && is_class(from)
            && is_class(to)
            && !c.has_unknown_bases(to)
            && from != to
            && match (c.is_value_type(from), c.is_value_type(to)) {
                (true, true) => true,
                _ => !c.standard_explicit(from, to) && !c.standard_implicit(from, to),
            }
    }

    /// A name as a type, recorded if it is one.
    pub(super) fn try_type(&mut self, node: BodyId) -> Option<Ty> {
        let (ty, findings) =
            self.speculate(|binder| binder.bind_type_node(node, EdgeKind::Pattern));
        if ty.is_error() || !findings.unbound.is_empty() {
            return None;
        }
        self.accept(&findings);
        Some(ty)
    }

    /// Whether a node may be a type's name.
    pub(super) fn is_name(&self, node: BodyId) -> bool {
        match self.body_kind(node) {
            BodyKind::Name | BodyKind::GenericName | BodyKind::AliasQualified => true,
            BodyKind::MemberAccess => self.first(node).is_some_and(|left| {
                self.body_kind(left) == BodyKind::PredefinedType || self.is_name(left)
            }),
            _ => false,
        }
    }

    /// Variables for a value of a type.
    pub(super) fn designation(&mut self, node: Option<BodyId>, ty: Ty) {
        let Some(node) = node else { return };
        match self.body_kind(node) {
            BodyKind::SingleDesignation => {
                self.declare_at(node, ty);
            }
            BodyKind::ParenthesizedDesignation => {
                let parts: Vec<BodyId> = self.children(node).collect();
                let offset = self.node(node).offset;
                let types = self.positions(node, ty, &vec![None; parts.len()], offset);
                for (part, ty) in parts.into_iter().zip(types) {
                    self.deeper(|binder| binder.designation(Some(part), ty));
                }
            }
            _ => {}
        }
    }

    /// `T (…) { … } x`.
    fn recursive_pattern(&mut self, node: BodyId, input: Ty) -> Ty {
        let mut ty = self.c.nullable_underlying(input).unwrap_or(input);
        for child in self.children(node) {
            match self.body_kind(child) {
                BodyKind::PositionalClause => self.positional_clause(child, ty),
                BodyKind::PropertyClause => self.property_clause(child, ty),
                BodyKind::SingleDesignation | BodyKind::DiscardDesignation => {
                    self.designation(Some(child), ty);
                }
                _ => ty = self.bind_type_node(child, EdgeKind::Pattern),
            }
        }
        ty
    }

    fn positional_clause(&mut self, node: BodyId, ty: Ty) {
        let parts: Vec<BodyId> = self.children(node).collect();
        let offset = self.node(node).offset;
        let names: Vec<PartName> = (parts.iter().map(|&part| self.part_name(part))).collect();
        let types = self.positions(node, ty, &names, offset);
        for (part, ty) in parts.into_iter().zip(types) {
            if let Some(pattern) = self.children(part).last() {
                self.pattern(pattern, ty);
            }
        }
    }

    /// The name before the colon of a part: an element's or a parameter's.
    fn part_name(&self, part: BodyId) -> PartName {
        let mut children = self.children(part);
        let (name, _pattern) = (children.next()?, children.next()?);
        let is_name = self.body_kind(name) == BodyKind::Name;
        is_name.then(|| (self.name_of(name), self.node(name).offset))
    }

    fn property_clause(&mut self, node: BodyId, ty: Ty) {
        for part in self.children(node) {
            let mut children = self.children(part);
            let (Some(name), pattern) = (children.next(), children.next()) else {
                continue;
            };
            let Some(pattern) = pattern else {
                self.pattern(name, Ty::ERROR);
                continue;
            };
            let member = self.subpattern_member(name, ty);
            self.pattern(pattern, member);
        }
    }

    /// The type of `A` or `A.B` before a colon.
    fn subpattern_member(&mut self, node: BodyId, ty: Ty) -> Ty {
        let mut names = Vec::new();
        let mut at = node;
        while self.body_kind(at) == BodyKind::MemberAccess {
            let mut children = self.children(at);
            let (Some(left), Some(name)) = (children.next(), children.next()) else {
                break;
            };
            names.push(name);
            at = left;
        }
        let mut ty = ty;
        for name in std::iter::once(at).chain(names.into_iter().rev()) {
            let receiver = self.c.nullable_underlying(ty).unwrap_or(ty);
            let member = self.bind_member_access(Expr::value(node, receiver), name);
            ty = self.finish(member).ty;
        }
        ty
    }
}
