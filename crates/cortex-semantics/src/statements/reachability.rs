//! Whether control can reach the end of a lambda's block (C# specification, §13.2), as far as the choice
//! between delegates with and without a result asks.

use cortex_syntax::{BodyId, BodyKind, LiteralKind, Op};

use crate::binder::Binder;

impl Binder<'_, '_> {
    /// Whether the end of a statement can be reached. `true` where it is not known.
    pub(super) fn end_reachable(&mut self, node: BodyId) -> bool {
        self.deeper(|binder| binder.reaches_end(node))
            .unwrap_or(true)
    }

    fn reaches_end(&mut self, node: BodyId) -> bool {
        let mut children = self.children(node);
        match self.body_kind(node) {
            BodyKind::Throw | BodyKind::Return | BodyKind::GotoCase => false,
            BodyKind::Block => children.all(|child| self.end_reachable(child)),
            BodyKind::If => {
                let branches: Vec<BodyId> = children.skip(1).collect();
                branches.len() < 2
                    || branches
                        .into_iter()
                        .any(|branch| self.end_reachable(branch))
            }
            BodyKind::Using | BodyKind::Lock | BodyKind::Fixed | BodyKind::Wrapped => {
                children.last().is_none_or(|body| self.end_reachable(body))
            }
            BodyKind::While => {
                let endless = children
                    .next()
                    .is_some_and(|condition| self.is_true(condition));
                !endless || self.leaves(node)
            }
            BodyKind::Do => {
                let endless = children
                    .nth(1)
                    .is_some_and(|condition| self.is_true(condition));
                !endless || self.leaves(node)
            }
            BodyKind::For => {
                let condition = children.nth(1).and_then(|condition| self.first(condition));
                let endless = condition.is_none_or(|condition| self.is_true(condition));
                !endless || self.leaves(node)
            }
            BodyKind::Try => {
                let parts: Vec<BodyId> = children.collect();
                let mut reached = false;
                for part in parts {
                    match self.body_kind(part) {
                        BodyKind::Catch => {
                            let block = self.children(part).last();
                            reached |= block.is_none_or(|block| self.end_reachable(block));
                        }
                        BodyKind::Finally => {
                            let block = self.first(part);
                            if block.is_some_and(|block| !self.end_reachable(block)) {
                                return false;
                            }
                        }
                        _ => reached |= self.end_reachable(part),
                    }
                }
                reached
            }
            _ => true,
        }
    }

    fn is_true(&self, node: BodyId) -> bool {
        let data = self.node(node);
        data.kind == BodyKind::Literal && data.flags == LiteralKind::True as u8
    }

    /// Whether there may be a `break` or `goto` inside: statements that name nothing are not told apart.
    fn leaves(&self, node: BodyId) -> bool {
        let after = self.node(node).after;
        (node..after).any(|inner| self.body_kind(inner) == BodyKind::Empty)
    }

    /// §13.7: whether an expression may stand as a statement.
    pub(super) fn is_statement_expression(&self, node: BodyId) -> bool {
        let data = self.node(node);
        match data.kind {
            BodyKind::Invocation
            | BodyKind::ObjectCreation
            | BodyKind::ImplicitCreation
            | BodyKind::Assignment
            | BodyKind::Postfix
            | BodyKind::Await
            | BodyKind::ThrowExpression
            | BodyKind::OtherExpression
            | BodyKind::ErrorExpression => true,
            BodyKind::Unary => {
                data.flags == Op::Increment as u8 || data.flags == Op::Decrement as u8
            }
            BodyKind::ConditionalAccess => self
                .children(node)
                .nth(1)
                .is_some_and(|rest| self.is_statement_expression(rest)),
            _ => false,
        }
    }
}
