//! Unary and binary operators, casts and assignments.

use super::{Builder, Head, Work, is_operand};
use crate::{
    arena::{Arena, Node, NodeId},
    body::{BodyKind, Op},
    kind::{Field, Kind},
};

/// The operator of a binary expression.
fn binary_op(token: &[u8]) -> Option<Op> {
    Some(match token {
        b"+" => Op::Add,
        b"-" => Op::Subtract,
        b"*" => Op::Multiply,
        b"/" => Op::Divide,
        b"%" => Op::Modulo,
        b"&" => Op::And,
        b"|" => Op::Or,
        b"^" => Op::Xor,
        b"<<" => Op::ShiftLeft,
        b">>" => Op::ShiftRight,
        b">>>" => Op::UnsignedShiftRight,
        b"&&" => Op::LogicalAnd,
        b"||" => Op::LogicalOr,
        b"??" => Op::Coalesce,
        b"==" => Op::Equal,
        b"!=" => Op::NotEqual,
        b"<" => Op::Less,
        b"<=" => Op::LessOrEqual,
        b">" => Op::Greater,
        b">=" => Op::GreaterOrEqual,
        _ => return None,
    })
}

fn unary_op(token: &[u8]) -> Option<Op> {
    Some(match token {
        b"+" => Op::Add,
        b"-" => Op::Subtract,
        b"!" => Op::Not,
        b"~" => Op::Complement,
        b"++" => Op::Increment,
        b"--" => Op::Decrement,
        b"*" => Op::Dereference,
        b"&" => Op::AddressOf,
        b"^" => Op::FromEnd,
        _ => return None,
    })
}

/// The operator of a binary expression and its offset.
pub(super) fn binary_op_of(arena: &Arena<'_>, id: NodeId) -> Option<(Op, u32)> {
    if arena.kind(id) != Kind::Binary {
        return None;
    }
    let token = arena.child(id, Field::Operator)?;
    Some((binary_op(arena.bytes(token))?, arena.node(token).start))
}

/// The operator of a prefix expression, read from the original text.
pub(super) fn unary_op_of(arena: &Arena<'_>, id: NodeId) -> Option<Op> {
    let token = arena
        .children(id)
        .find(|&child| !is_operand(arena, child))?;
    unary_op(arena.bytes(token))
}

/// The operator of an assignment, `=` taken off.
pub(super) fn assignment_op(token: &[u8]) -> Option<Op> {
    match token.strip_suffix(b"=")? {
        b"" => Some(Op::Assign),
        operator => binary_op(operator),
    }
}

/// The operator of a relational pattern.
pub(super) fn relational_op(token: &[u8]) -> Option<Op> {
    binary_op(token)
}

impl Builder<'_, '_> {
    pub(super) fn operator(&mut self, id: NodeId, node: Node) {
        let arena = self.arena;
        match node.kind {
            Kind::Binary => {
                let Some((op, offset)) = binary_op_of(arena, id) else {
                    self.all(BodyKind::OtherExpression, id);
                    return;
                };
                self.open(Head::new(BodyKind::Binary, offset).flags(op as u8));
                for field in [Field::Left, Field::Right] {
                    match self.part(id, field) {
                        Some(side) if arena.kind(side) == Kind::Binary => {
                            self.then(Work::Operator(side));
                        }
                        side => self.then_visit_or_error(side, node.start),
                    }
                }
                self.then_close();
            }
            Kind::PrefixUnary => {
                let op = unary_op_of(arena, id).unwrap_or(Op::Complement);
                self.open(Head::new(BodyKind::Unary, node.start).flags(op as u8));
                let operand = self.operand(id);
                self.then_visit_or_error(operand, node.start);
                self.then_close();
            }
            Kind::Cast if self.parentheses_before_brackets(id) => {}
            Kind::Cast => {
                self.open(Head::new(BodyKind::Cast, node.start));
                self.then_parts(id, &[Field::Type, Field::Value]);
            }
            _ => self.all(BodyKind::Await, id),
        }
    }

    /// The node of an assignment, without its sides.
    pub(super) fn assignment_head(&self, id: NodeId) -> Head {
        let arena = self.arena;
        let Some(token) = arena.child(id, Field::Operator) else {
            return Head::new(BodyKind::Assignment, arena.node(id).start).flags(Op::Assign as u8);
        };
        let at = arena.node(token).start;
        let (offset, text) = match self.repairs.is_empty() {
            true => None,
            false => self.original_operator(at),
        }
        .unwrap_or((at, arena.bytes(token)));
        let op = assignment_op(text).unwrap_or(Op::Assign);
        Head::new(BodyKind::Assignment, offset).flags(op as u8)
    }

    pub(super) fn assignment(&mut self, id: NodeId) {
        let left = self.part(id, Field::Left);
        let right = self.part(id, Field::Right);
        let head = self.assignment_head(id);
        if let Some(left) = left {
            if self.pointer_store(left, right) {
                return;
            }
            if self.has_conditional(left) {
                self.chain(left, Some(id));
                return;
            }
        }
        self.open(head);
        match left.filter(|&left| self.is_suppressed_target(left, head.offset)) {
            Some(left) => {
                let start = self.arena.node(left).start;
                self.then_open(Head::new(BodyKind::SuppressNull, start));
                self.then_visit(left);
                self.then_close();
            }
            None => self.then_visit_or_error(left, head.offset),
        }
        self.then_visit_or_error(right, head.offset);
        self.then_close();
    }
}
