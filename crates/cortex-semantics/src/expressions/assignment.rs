//! Assignments (C# specification, §12.21), tuples (§12.8.6) and declaration expressions (§12.17).

use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, BodyKind, Op};

use super::Given;
use crate::{
    binder::Binder,
    expr::{Expr, ExprKind},
    local_names::Recording,
    name::{Name, known},
    names::Meaning,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    pub(super) fn bind_assignment(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(target), Some(value)) = (children.next(), children.next()) else {
            return self.bind_others(node);
        };
        let offset = self.node(node).offset;
        let op = self.op(node);
        if op == Op::Assign && self.is_deconstruction(target) {
            let value = self.bind(value);
            return self.bind_deconstruction(target, value, offset);
        }
        let left = self.bind(target);
        self.mark_written(target);
        // `a = ref b` gives the reference another target; behind `?.`, the right side is the assignment.
        let is_of_reference = self.body_kind(value) == BodyKind::RefExpression;
        let is_combined = matches!(op, Op::Add | Op::Subtract);
        let is_conditional = self.body_kind(target) == BodyKind::ConditionalAccess;
        if self.recording == Recording::On
            && !(is_of_reference || is_conditional || is_combined && self.names_event(target))
        {
            self.check_written(&left, Given::Assigned);
        }
        if is_combined {
            self.allow_event(target);
        }
        let left_ty = self.assigned_type(target, left.ty);
        match op {
            Op::Assign => {
                if left.ty.is_none() {
                    let value = self.bind_value(value);
                    return Expr::value(node, value.ty);
                }
                self.bind_to(value, left_ty);
            }
            Op::Coalesce => {
                let value = self.bind(value);
                let underlying = self.c.nullable_underlying(left_ty);
                let ty = match underlying {
                    Some(ty) if self.implicit_conversion(&value, ty).exists() => ty,
                    _ => left_ty,
                };
                self.convert(value, ty);
                return Expr::value(node, ty);
            }
            // Delegates are combined, handlers added to events (§12.21.5).
            Op::Add | Op::Subtract if self.c.is_delegate(left_ty) => {
                self.bind_to(value, left_ty);
            }
            _ => {
                let right = self.bind(value);
                let left = Expr {
                    ty: left_ty,
                    ..left
                };
                self.compound_assignment(op, offset, left, right);
            }
        }
        Expr::value(node, left.ty)
    }

    /// The type of what `a?.b = e` assigns to: that of `b`, not lifted.
    fn assigned_type(&self, target: BodyId, ty: Ty) -> Ty {
        if self.body_kind(target) != BodyKind::ConditionalAccess {
            return ty;
        }
        self.c.nullable_underlying(ty).unwrap_or(ty)
    }

    fn is_deconstruction(&self, target: BodyId) -> bool {
        match self.body_kind(target) {
            BodyKind::Tuple => true,
            BodyKind::DeclarationExpression => self
                .children(target)
                .nth(1)
                .is_some_and(|it| self.body_kind(it) == BodyKind::ParenthesizedDesignation),
            _ => false,
        }
    }

    /// `(a, b)`: its natural type, if all elements have one.
    pub(super) fn bind_tuple(&mut self, node: BodyId) -> Expr {
        let mut elements = Vec::new();
        for argument in self.children(node) {
            let Some(value) = self.first(argument) else {
                continue;
            };
            let written = match self.body_kind(argument) {
                BodyKind::Argument => self.optional_name_of(argument),
                _ => None,
            };
            let name = written.or_else(|| self.inferred_name(value));
            elements.push((self.bind(value), name));
        }
        self.drop_inferred_names(node, &mut elements);
        let has_type = elements.iter().all(|(element, _)| !element.ty.is_none());
        let ty = if has_type && elements.len() > 1 {
            self.c.intern(TyKind::Tuple {
                elements: elements.iter().map(|(element, _)| element.ty).collect(),
                names: elements.iter().map(|&(_, name)| name).collect(),
            })
        } else {
            Ty::NONE
        };
        Expr::of(node, ty, ExprKind::Tuple(elements.into()))
    }

    /// Names are not inferred that would stand twice, or that tuples have themselves.
    fn drop_inferred_names(&self, node: BodyId, elements: &mut [(Expr, Option<Name>)]) {
        let is_written = |argument| self.node(argument).value != 0;
        let arguments: Vec<BodyId> = self.children(node).collect();
        for index in 0..elements.len() {
            let Some(name) = elements[index].1 else {
                continue;
            };
            if arguments.get(index).is_none_or(|&it| is_written(it)) {
                continue;
            }
            let mut others = elements.iter().enumerate();
            let is_repeated = others.any(|(at, other)| at != index && other.1 == Some(name));
            let text = self.c.text(name);
            let is_reserved = text.strip_prefix("Item").is_some_and(|rest| {
                !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
            }) || matches!(
                text,
                "CompareTo" | "Deconstruct" | "Equals" | "GetHashCode" | "Rest" | "ToString"
            );
            if is_repeated || is_reserved {
                // Both are dropped: what is equal to this one finds it gone, so it asks the syntax.
                elements[index].1 = None;
                let same: Vec<usize> = (index + 1..elements.len())
                    .filter(|&at| elements[at].1 == Some(name))
                    .filter(|&at| arguments.get(at).is_some_and(|&it| !is_written(it)))
                    .collect();
                for at in same {
                    elements[at].1 = None;
                }
            }
        }
    }

    /// The name that an element without a written one gets: the last of its names.
    pub(super) fn inferred_name(&self, value: BodyId) -> Option<Name> {
        let mut at = value;
        loop {
            match self.body_kind(at) {
                BodyKind::Name => {
                    let name = self.name_of(at);
                    return (name != known::UNDERSCORE).then_some(name);
                }
                BodyKind::GenericName => return Some(self.name_of(at)),
                BodyKind::MemberAccess | BodyKind::ConditionalAccess => {
                    at = self.children(at).nth(1)?;
                }
                BodyKind::MemberBinding | BodyKind::SuppressNull => at = self.first(at)?,
                _ => return None,
            }
        }
    }

    /// `out var x`, `out T x`: the local is declared in the statement around.
    pub(super) fn bind_declaration_expression(&mut self, node: BodyId) -> Expr {
        let mut children = self.children(node);
        let (Some(ty), Some(designation)) = (children.next(), children.next()) else {
            return Expr::error(node);
        };
        let is_inferred = self.infers(ty);
        let ty = if is_inferred {
            Ty::NONE
        } else {
            self.bind_type_node(ty, EdgeKind::Local)
        };
        match self.body_kind(designation) {
            BodyKind::SingleDesignation => {
                let local = self.declare_at(designation, ty);
                if is_inferred {
                    Expr::of(node, Ty::NONE, ExprKind::ImplicitOut(local))
                } else {
                    Expr::variable(node, ty)
                }
            }
            BodyKind::DiscardDesignation if is_inferred => {
                Expr::of(node, Ty::NONE, ExprKind::Discard)
            }
            BodyKind::DiscardDesignation => Expr::variable(node, ty),
            _ => {
                self.declare_unknown(designation);
                Expr::error(node)
            }
        }
    }

    /// Declares the variables of a designation whose types are not known.
    fn declare_unknown(&mut self, designation: BodyId) {
        let end = self.node(designation).after;
        for node in designation..end {
            if self.body_kind(node) == BodyKind::SingleDesignation {
                self.declare_at(node, Ty::ERROR);
            }
        }
    }

    /// Whether a type is `var` that infers one: no type of that name is in scope.
    fn infers(&self, ty: BodyId) -> bool {
        self.body_kind(ty) == BodyKind::Name
            && self.name_of(ty) == known::VAR
            && matches!(
                self.c.lookup_type_name(&self.scope, known::VAR, 0),
                Meaning::Unknown | Meaning::Namespace(_)
            )
    }
}
