//! Which operands operators have: what they mean is decided by the operators themselves (C#
//! specification, §12.9 to §12.14), but for pointers, indices, ranges and `??`.

use cortex_syntax::{BodyId, BodyKind, Op};

use super::Given;
use crate::{
    binder::Binder,
    expr::{Expr, ExprKind},
    special::Special,
    ty::{Ty, TyKind},
};

impl Binder<'_, '_> {
    /// The operator of a node.
    pub(super) fn op(&self, node: BodyId) -> Op {
        let flags = usize::from(self.node(node).flags);
        Op::ALL.get(flags).copied().unwrap_or(Op::Assign)
    }

    /// A chain of binary operators, as long as it may be, without recursion on its left.
    pub(super) fn bind_binary(&mut self, node: BodyId) -> Expr {
        let mut chain = Vec::new();
        let mut at = node;
        while self.body_kind(at) == BodyKind::Binary {
            let mut children = self.children(at);
            let (Some(left), Some(right)) = (children.next(), children.next()) else {
                return self.bind_others(node);
            };
            chain.push((at, right));
            at = left;
        }
        let mut left = self.bind(at);
        while let Some((at, right)) = chain.pop() {
            left = match self.op(at) {
                Op::Coalesce => self.bind_coalesce(at, left, right),
                op => {
                    let right = self.bind(right);
                    self.binary_operator(op, self.node(at).offset, left, right)
                }
            };
            left.node = at;
        }
        left
    }

    /// §12.9, §12.8.16, §24.6 (pointers).
    pub(super) fn bind_unary(&mut self, node: BodyId) -> Expr {
        let Some(operand) = self.first(node) else {
            return Expr::error(node);
        };
        let op = self.op(node);
        let mut result = match op {
            Op::FromEnd => {
                self.bind_to(operand, self.c.special(Special::Int32));
                Expr::value(node, self.c.special(Special::Index))
            }
            Op::AddressOf => self.bind_address_of(node, operand),
            Op::Dereference => {
                let pointer = self.bind_value(operand);
                match *self.c.kind(pointer.ty) {
                    TyKind::Pointer(element) => Expr::variable(node, element),
                    _ => Expr::error(node),
                }
            }
            _ => {
                let value = self.bind(operand);
                if matches!(op, Op::Increment | Op::Decrement) {
                    self.mark_written(operand);
                    self.check_written(&value, Given::Assigned);
                }
                self.unary_operator(op, self.node(node).offset, value)
            }
        };
        result.node = node;
        result
    }

    fn bind_address_of(&mut self, node: BodyId, operand: BodyId) -> Expr {
        let operand = self.bind(operand);
        if let ExprKind::Methods(group) = &operand.kind {
            return Expr::of(node, Ty::NONE, ExprKind::AddressOf(group.clone()));
        }
        let operand = self.finish(operand);
        if operand.is_error() {
            return Expr::error(node);
        }
        Expr::value(node, self.c.intern(TyKind::Pointer(operand.ty)))
    }

    /// §12.10: `a..b`.
    pub(super) fn bind_range(&mut self, node: BodyId) -> Expr {
        let index = self.c.special(Special::Index);
        for end in self.children(node) {
            self.bind_to(end, index);
        }
        Expr::value(node, self.c.special(Special::Range))
    }
}
