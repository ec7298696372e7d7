//! `F(a < b, c > d)` and `F(a * b)`, which the grammar takes for the declarations of a `d` of type
//! `a<b, c>` and of a `b` of type `a*`.
//!
//! Only after `out` can an argument declare something. What stands before any other name are
//! comparisons, and before `=` as well (C# specification, §6.2.5): `>=` is one token. A tuple's
//! elements can be declared, but not with the type of a pointer.

use super::{Builder, Head, operands};
use crate::{
    arena::{Arena, NodeId},
    body::{BodyKind, Op},
    kind::{Field, Kind},
};

/// What is written where the grammar has a declaration.
#[derive(Clone, Copy)]
pub(crate) enum Undeclared {
    /// Comparisons.
    Compared(Comparison),
    /// The type with the stars, and what stands after them.
    Product(NodeId, NodeId),
}

/// Comparisons that the grammar took for one argument.
#[derive(Clone, Copy)]
pub(crate) struct Comparison {
    /// The type: what stands before `<`, and the list.
    ty: NodeId,
    generic: NodeId,
    list: NodeId,
    /// What stands after `>` or `>=`.
    right: NodeId,
    op: Op,
}

impl Undeclared {
    /// What an argument without `out`, or an element of a tuple, is by its expression.
    pub(crate) fn of(arena: &Arena<'_>, list: NodeId, value: NodeId) -> Option<Self> {
        if arena.kind(value) == Kind::DeclarationExpression {
            let name = arena.child(value, Field::Name)?;
            let ty = arena.child(value, Field::Type)?;
            if arena.kind(name) != Kind::Identifier {
                return None;
            }
            if arena.kind(ty) == Kind::PointerType {
                return Some(Self::Product(ty, name));
            }
        }
        let comparison = match arena.kind(list) {
            Kind::Tuple => None,
            _ => Comparison::of(arena, value),
        };
        comparison.map(Self::Compared)
    }
}

impl Comparison {
    fn of(arena: &Arena<'_>, value: NodeId) -> Option<Self> {
        let (ty, right, op) = match arena.kind(value) {
            Kind::DeclarationExpression => (
                arena.child(value, Field::Type)?,
                arena.child(value, Field::Name)?,
                Op::Greater,
            ),
            Kind::Assignment => {
                let left = arena.child(value, Field::Left)?;
                let operator = arena.child(value, Field::Operator)?;
                let is_one = arena.bytes(operator) == b"="
                    && arena.node(left).end == arena.node(operator).start;
                if !is_one {
                    return None;
                }
                let right = arena.child(value, Field::Right)?;
                (left, right, Op::GreaterOrEqual)
            }
            _ => return None,
        };
        let generic = match arena.kind(ty) {
            Kind::GenericName => ty,
            Kind::QualifiedName | Kind::MemberAccess => arena.child(ty, Field::Name)?,
            _ => return None,
        };
        let list = arena.child_of_kind(generic, Kind::TypeArguments)?;
        operands(arena, list).next()?;
        Some(Self {
            ty,
            generic,
            list,
            right,
            op,
        })
    }
}

impl Builder<'_, '_> {
    /// What is written. Where it is several arguments, all but the first open one of their own and
    /// the last leaves it open.
    pub(super) fn then_undeclared(&mut self, undeclared: Undeclared) {
        match undeclared {
            Undeclared::Compared(comparison) => self.then_comparison(comparison),
            Undeclared::Product(ty, right) => self.then_product(ty, right),
        }
    }

    /// `a ** b` is `a * (*b)`.
    fn then_product(&mut self, ty: NodeId, right: NodeId) {
        let arena = self.arena;
        let mut stars = Vec::new();
        let mut at = Some(ty);
        while let Some(pointer) = at.filter(|&at| arena.kind(at) == Kind::PointerType) {
            let start = arena.node(pointer).start;
            let star = self.token_child(pointer, b"*");
            stars.push(star.map_or(start, |star| star.start));
            at = self.part(pointer, Field::Type);
        }
        let first = stars.pop().unwrap_or(arena.node(ty).start);
        self.then_open(Head::new(BodyKind::Binary, first).flags(Op::Multiply as u8));
        self.then_visit_or_error(at, first);
        for &star in stars.iter().rev() {
            self.then_open(Head::new(BodyKind::Unary, star).flags(Op::Dereference as u8));
        }
        self.then_visit(right);
        for _ in 0..=stars.len() {
            self.then_close();
        }
    }

    fn then_comparison(&mut self, comparison: Comparison) {
        let arena = self.arena;
        let Comparison { list, right, .. } = comparison;
        let less = Head::new(BodyKind::Binary, arena.node(list).start).flags(Op::Less as u8);
        let greater = Head::new(BodyKind::Binary, arena.node(list).end - 1);
        let greater = greater.flags(comparison.op as u8);
        let n_compared = operands(arena, list).count();
        if n_compared == 1 {
            self.then_open(greater);
        }
        for (i, compared) in operands(arena, list).enumerate() {
            if i == 0 {
                self.then_open(less);
                self.then_compared(comparison);
                self.then_visit(compared);
                self.then_close();
                continue;
            }
            self.then_close();
            self.then_open(Head::new(BodyKind::Argument, arena.node(compared).start));
            if i + 1 == n_compared {
                self.then_open(greater);
            }
            self.then_visit(compared);
        }
        self.then_visit(right);
        self.then_close();
    }

    /// What stands before the `<`.
    fn then_compared(&mut self, comparison: Comparison) {
        let arena = self.arena;
        let Comparison { ty, generic, .. } = comparison;
        let start = arena.node(ty).start;
        if ty != generic {
            let dot = self.token_child(ty, b".").map_or(start, |dot| dot.start);
            self.then_open(Head::new(BodyKind::MemberAccess, dot));
            let left = self
                .part(ty, Field::Qualifier)
                .or_else(|| self.part(ty, Field::Expression));
            self.then_visit_or_error(left, start);
        }
        let name = arena.child_of_kind(generic, Kind::Identifier);
        self.then_visit_or_error(name, start);
        if ty != generic {
            self.then_close();
        }
    }
}
