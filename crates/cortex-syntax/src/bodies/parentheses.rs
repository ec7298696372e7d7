//! `(a) - b`, which the grammar takes for a cast of `-b` to a type `a`.
//!
//! Parentheses around what can be a name are a cast only before a token that can start nothing but
//! an operand (C# specification, §12.9.8). Where that is not so, the operators of the whole
//! expression around are put in order again.

use super::{Builder, Head, Work, operands};
use crate::{
    arena::NodeId,
    body::{BodyKind, Op},
    kind::{Field, Kind},
};

/// How many prefix operators are looked through for such parentheses, so that a chain of them
/// stays linear.
const REACH: usize = 8;

/// An operator between two operands.
#[derive(Clone, Copy)]
struct Infix {
    op: Op,
    offset: u32,
}

/// An operand of the expression around.
#[derive(Clone, Copy)]
enum Operand {
    Whole(NodeId),
    /// The prefix operators from the first node to the parentheses of the second, and what stands
    /// right after these.
    Parentheses(NodeId, NodeId, Option<Infix>),
}

/// What the grammar took for the operand of a cast.
struct Rest {
    /// `++` or `--` after the parentheses.
    postfix: Option<Infix>,
    infix: Infix,
    right: NodeId,
}

/// A binary expression or an operand, in an array of them.
#[derive(Clone, Copy)]
enum Tree {
    Operand(Operand),
    Infix(Infix, usize, usize),
}

#[derive(Clone, Copy)]
enum Item {
    Node(NodeId),
    Infix(Infix),
}

/// How strongly an operator binds (C# specification, §12.4.2).
fn precedence(op: Op) -> u8 {
    match op {
        Op::Multiply | Op::Divide | Op::Modulo => 10,
        Op::Add | Op::Subtract => 9,
        Op::ShiftLeft | Op::ShiftRight | Op::UnsignedShiftRight => 8,
        Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual => 7,
        Op::Equal | Op::NotEqual => 6,
        Op::And => 5,
        Op::Xor => 4,
        Op::Or => 3,
        Op::LogicalAnd => 2,
        Op::LogicalOr => 1,
        _ => 0,
    }
}

impl Builder<'_, '_> {
    /// Writes an expression in which parentheses were taken for a cast. Whether it is one.
    pub(super) fn regrouped(&mut self, id: NodeId) -> bool {
        if !self.has_parentheses(id) {
            return false;
        }
        let trees = self.regroup(id);
        // What is to come, the next last; `None` ends a node.
        let mut pending = vec![Some(trees.len() - 1)];
        while let Some(next) = pending.pop() {
            let Some(tree) = next else {
                self.then_close();
                continue;
            };
            match trees[tree] {
                Tree::Operand(Operand::Whole(operand)) => self.then_visit(operand),
                Tree::Operand(Operand::Parentheses(top, cast, postfix)) => {
                    self.then_parentheses(top, cast, postfix);
                }
                Tree::Infix(infix, left, right) => {
                    let head = Head::new(BodyKind::Binary, infix.offset);
                    self.then_open(head.flags(infix.op as u8));
                    pending.extend([None, Some(right), Some(left)]);
                }
            }
        }
        true
    }

    fn has_parentheses(&self, id: NodeId) -> bool {
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
    fn last_parentheses(&self, id: NodeId) -> Option<(NodeId, Rest)> {
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

    /// The expression in the order that its operators' precedence gives; the last tree is the whole.
    fn regroup(&mut self, id: NodeId) -> Vec<Tree> {
        let mut trees = Vec::new();
        let mut done: Vec<usize> = Vec::new();
        let mut waiting: Vec<Infix> = Vec::new();
        let mut items = vec![Item::Node(id)];
        let reduce = |trees: &mut Vec<Tree>, done: &mut Vec<usize>, infix: Infix| {
            if let (Some(right), Some(left)) = (done.pop(), done.pop()) {
                trees.push(Tree::Infix(infix, left, right));
                done.push(trees.len() - 1);
            }
        };
        while let Some(item) = items.pop() {
            match item {
                Item::Infix(infix) => {
                    let strength = precedence(infix.op);
                    while let Some(&before) = waiting.last() {
                        let is_weaker = precedence(before.op) < strength
                            || infix.op == Op::Coalesce && before.op == Op::Coalesce;
                        if is_weaker {
                            break;
                        }
                        waiting.pop();
                        reduce(&mut trees, &mut done, before);
                    }
                    waiting.push(infix);
                }
                Item::Node(node) => {
                    if let Some((left, infix, right)) = self.binary_parts(node) {
                        items.extend([Item::Node(right), Item::Infix(infix), Item::Node(left)]);
                        continue;
                    }
                    let operand = match self.last_parentheses(node) {
                        Some((cast, rest)) => {
                            items.extend([Item::Node(rest.right), Item::Infix(rest.infix)]);
                            Operand::Parentheses(node, cast, rest.postfix)
                        }
                        None => Operand::Whole(node),
                    };
                    trees.push(Tree::Operand(operand));
                    done.push(trees.len() - 1);
                }
            }
        }
        while let Some(infix) = waiting.pop() {
            reduce(&mut trees, &mut done, infix);
        }
        trees
    }

    fn binary_parts(&self, id: NodeId) -> Option<(NodeId, Infix, NodeId)> {
        let (op, offset) = super::operators::binary_op_of(self.arena, id)?;
        let left = self.part(id, Field::Left)?;
        let right = self.part(id, Field::Right)?;
        Some((left, Infix { op, offset }, right))
    }

    /// Prefix operators and casts down to the parentheses, and these.
    fn then_parentheses(&mut self, top: NodeId, cast: NodeId, postfix: Option<Infix>) {
        let arena = self.arena;
        let mut n_open = 0;
        let mut at = top;
        while at != cast {
            let start = arena.node(at).start;
            let inner = match arena.kind(at) {
                Kind::Cast => {
                    self.then_open(Head::new(BodyKind::Cast, start));
                    let ty = self.part(at, Field::Type);
                    self.then_visit_or_error(ty, start);
                    self.part(at, Field::Value)
                }
                Kind::Await => {
                    self.then_open(Head::new(BodyKind::Await, start));
                    self.operand(at)
                }
                _ => {
                    let op = super::operators::unary_op_of(arena, at).unwrap_or(Op::Complement);
                    self.then_open(Head::new(BodyKind::Unary, start).flags(op as u8));
                    self.operand(at)
                }
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
