//! `(a) - b`, which the grammar takes for a cast of `-b` to a type `a`.
//!
//! Parentheses around what can be a name are a cast only before a token that can start nothing but
//! an operand (C# specification, §12.9.8). Where that is not so, the operators of the whole
//! expression around are put in order again.

use super::{Builder, Head, Work, operands, precedence::Infix};
use crate::{
    arena::NodeId,
    body::{BodyKind, Op},
    kind::{Field, Kind},
};

/// How many prefix operators are looked through for such parentheses, so that a chain of them
/// stays linear.
const REACH: usize = 8;

/// What the grammar took for the operand of a cast.
pub(super) struct Rest {
    /// `++` or `--` after the parentheses.
    pub(super) postfix: Option<Infix>,
    pub(super) infix: Infix,
    pub(super) right: NodeId,
    /// Whether `right` is `*b.c`, of which the grammar took `*b` for the first operand, and `*` the operator.
    pub(super) has_star: bool,
}

impl Builder<'_, '_> {
    pub(super) fn has_parentheses(&self, id: NodeId) -> bool {
        if self.arena.kind(id) != Kind::Binary {
            return self.last_parentheses(id).is_some();
        }
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.arena.kind(id) {
                Kind::Binary => {
                    pending.extend(self.part(id, Field::Left));
                    pending.extend(self.part(id, Field::Right));
                }
                _ if self.last_parentheses(id).is_some() => return true,
                _ => {}
            }
        }
        false
    }

    /// The supposed cast that a run of prefix operators ends in, and what it is followed by.
    pub(super) fn last_parentheses(&self, id: NodeId) -> Option<(NodeId, Rest)> {
        let mut at = id;
        for _ in 0..REACH {
            match self.arena.kind(at) {
                Kind::Cast => {
                    if let Some(rest) = self.rest_after(at) {
                        return Some((at, rest));
                    }
                    at = self.part(at, Field::Value)?;
                }
                Kind::PrefixUnary | Kind::Await => at = self.operand(at)?,
                _ => return None,
            }
        }
        None
    }

    /// Whether what stands in the parentheses of a cast can be an expression.
    fn may_be_expression(&self, cast: NodeId) -> bool {
        self.part(cast, Field::Type)
            .is_some_and(|ty| self.may_be_constant(ty))
    }

    fn rest_after(&self, cast: NodeId) -> Option<Rest> {
        if !self.may_be_expression(cast) {
            return None;
        }
        let mut value = self.part(cast, Field::Value)?;
        let mut postfix = None;
        if let Some(infix) = self.prefix(value)
            && matches!(infix.op, Op::Increment | Op::Decrement)
        {
            postfix = Some(infix);
            value = self.operand(value)?;
        }
        let mut first = value;
        while let Some(left) = self.left_of_link(first) {
            first = left;
        }
        if first != value && !self.has_conditional(value) {
            let (offset, _) = self.indirection(first)?;
            let op = Op::Multiply;
            return Some(Rest {
                postfix,
                infix: Infix { op, offset },
                right: value,
                has_star: true,
            });
        }
        let Infix { op, offset } = self.prefix(value)?;
        let mut right = self.operand(value)?;
        let op = match op {
            Op::Add | Op::Subtract => op,
            Op::Dereference => Op::Multiply,
            Op::FromEnd => Op::Xor,
            Op::AddressOf => match self.prefix(right) {
                Some(second) if second.op == Op::AddressOf && second.offset == offset + 1 => {
                    right = self.operand(right)?;
                    Op::LogicalAnd
                }
                _ => Op::And,
            },
            _ => return None,
        };
        Some(Rest {
            postfix,
            infix: Infix { op, offset },
            right,
            has_star: false,
        })
    }

    fn prefix(&self, id: NodeId) -> Option<Infix> {
        let arena = self.arena;
        if arena.kind(id) != Kind::PrefixUnary {
            return None;
        }
        let op = super::operators::unary_op_of(arena, id)?;
        let offset = arena.node(id).start;
        Some(Infix { op, offset })
    }

    /// Prefix operators and casts down to the parentheses, and these.
    pub(super) fn then_parentheses(&mut self, top: NodeId, cast: NodeId, postfix: Option<Infix>) {
        let arena = self.arena;
        let mut n_open = 0;
        let mut at = top;
        while at != cast {
            self.then_prefix(at);
            let inner = match arena.kind(at) {
                Kind::Cast => self.part(at, Field::Value),
                _ => self.operand(at),
            };
            n_open += 1;
            at = inner.unwrap_or(cast);
        }
        if let Some(postfix) = postfix {
            let head = Head::new(BodyKind::Postfix, postfix.offset);
            self.then_open(head.flags(postfix.op as u8));
            n_open += 1;
        }
        self.then_parenthesized_type(cast);
        for _ in 0..n_open {
            self.then_close();
        }
    }

    fn then_parenthesized_type(&mut self, cast: NodeId) {
        let start = self.arena.node(cast).start;
        self.then_open(Head::new(BodyKind::Parenthesized, start));
        let name = self.part(cast, Field::Type);
        self.then_visit_or_error(name, start);
        self.then_close();
    }

    /// Whether a cast is what [`Self::parentheses_before_brackets`] writes.
    pub(super) fn is_before_brackets(&self, cast: NodeId) -> bool {
        let arena = self.arena;
        let Some(mut at) = self.part(cast, Field::Value) else {
            return false;
        };
        if !self.may_be_expression(cast) {
            return false;
        }
        let is_range = arena.kind(at) == Kind::Range && arena.bytes(at).starts_with(b"..");
        while let Some(left) = self.left_of_link(at) {
            at = left;
        }
        is_range || arena.kind(at) == Kind::CollectionExpression
    }

    /// `(a)[0].b` and `(a)..b`, taken for casts of `[0].b` and `..b`. Whether it was one.
    pub(super) fn parentheses_before_brackets(&mut self, cast: NodeId) -> bool {
        let arena = self.arena;
        let Some(value) = self.part(cast, Field::Value) else {
            return false;
        };
        if !self.may_be_expression(cast) {
            return false;
        }
        if arena.kind(value) == Kind::Range && arena.bytes(value).starts_with(b"..") {
            const BOTH: u8 = 3;
            self.then_open(Head::new(BodyKind::Range, arena.node(cast).start).flags(BOTH));
            self.then_parenthesized_type(cast);
            let right = self.operand(value);
            self.then_visit_or_error(right, arena.node(value).start);
            self.then_close();
            return true;
        }
        let mut links = Vec::new();
        let mut at = value;
        while let Some(left) = self.left_of_link(at) {
            links.push(at);
            at = left;
        }
        if arena.kind(at) != Kind::CollectionExpression {
            return false;
        }
        let bracket = arena.node(at).start;
        self.piece_over(&links, arena.node(cast).start, |builder| {
            builder.then_open(Head::new(BodyKind::ElementAccess, bracket));
            builder.then_parenthesized_type(cast);
            builder.then_open(Head::new(BodyKind::Arguments, bracket));
            for element in operands(arena, at) {
                let inner = builder.operand(element).unwrap_or(element);
                let offset = arena.node(inner).start;
                builder.then_around(Head::new(BodyKind::Argument, offset), Work::Visit(inner));
            }
            builder.then_close();
            builder.then_close();
        });
        true
    }
}
