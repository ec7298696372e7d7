//! Which conditions are constants, and which have a part that is one.
//!
//! Source: C# specification, §12.25. Must not know: where control goes.

use cortex_syntax::{BodyId, BodyKind, LiteralKind, Op};

use super::{Conditions, expressions::op_of};
use crate::body_tree::BodyTree;

/// What is known of a condition.
#[derive(Clone, Copy, Default, Debug)]
struct Known {
    value: Option<bool>,
    /// It is a constant, or one decides a part of it.
    has_constant: bool,
}

/// The conditions of a node and all that it contains.
#[derive(Default)]
pub(super) struct Constants {
    first: BodyId,
    known: Vec<Known>,
}

impl Constants {
    /// Folds them, the inner ones first. O(nodes).
    pub(super) fn within(tree: &BodyTree<'_>, conditions: &Conditions, node: BodyId) -> Self {
        let within = tree.within(node);
        let mut constants = Self {
            first: within.start,
            known: vec![Known::default(); within.len()],
        };
        for id in within.rev() {
            let value = constants.folded(tree, conditions, id);
            let mut parts = tree.facts.bodies.children(id);
            let has_constant =
                value.is_some() || decides(tree, id) && parts.any(|it| constants.has_constant(it));
            constants.known[(id - constants.first) as usize] = Known {
                value,
                has_constant,
            };
        }
        constants
    }

    /// The value of a condition that is a constant, as far as it is known.
    pub(super) fn value(&self, id: BodyId) -> Option<bool> {
        self.known(id).value
    }

    /// Whether a constant decides a part of a condition.
    pub(super) fn has_constant(&self, id: BodyId) -> bool {
        self.known(id).has_constant
    }

    fn known(&self, id: BodyId) -> Known {
        let at = id.checked_sub(self.first).map(|it| it as usize);
        let known = at.and_then(|it| self.known.get(it));
        known.copied().unwrap_or_default()
    }

    /// The value of a condition whose parts are known.
    fn folded(&self, tree: &BodyTree<'_>, conditions: &Conditions, id: BodyId) -> Option<bool> {
        let flags = tree.node(id).flags;
        let mut parts = tree.facts.bodies.children(id);
        match (tree.kind(id), op_of(flags)) {
            (BodyKind::Literal, _) if flags == LiteralKind::True as u8 => Some(true),
            (BodyKind::Literal, _) if flags == LiteralKind::False as u8 => Some(false),
            (BodyKind::Parenthesized, _) => self.value(parts.next()?),
            (BodyKind::Unary, Some(Op::Not)) => self.value(parts.next()?).map(|it| !it),
            (BodyKind::Binary, Some(op @ (Op::LogicalAnd | Op::LogicalOr))) => {
                let (left, right) = (self.value(parts.next()?)?, self.value(parts.next()?)?);
                Some(match op {
                    Op::LogicalAnd => left && right,
                    _ => left || right,
                })
            }
            _ => conditions.get(&id).copied(),
        }
    }
}

/// Whether an expression leaves on other ways where it is true than where it is false.
pub(super) fn decides(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let op = op_of(tree.node(id).flags);
    match tree.kind(id) {
        BodyKind::Parenthesized | BodyKind::Conditional | BodyKind::Is => true,
        BodyKind::Unary => op == Some(Op::Not),
        BodyKind::Binary => matches!(op, Some(Op::LogicalAnd | Op::LogicalOr)),
        _ => false,
    }
}
