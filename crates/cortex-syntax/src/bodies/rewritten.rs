//! What the original text says where it was rewritten for the parser.

use cortex_model::ByteRange;

use super::{Builder, Head, Work, operands};
use crate::{
    arena::NodeId,
    body::{BodyKind, Op},
    kind::{Field, Kind},
    text::{Repair, RepairKind},
};

use super::types::RefWords;

impl Builder<'_, '_> {
    /// The first repair of a kind that starts in `from..to`. O(log repairs + repairs in there).
    fn repair_in(&self, from: u32, to: u32, kind: RepairKind) -> Option<Repair> {
        let first = self
            .repairs
            .partition_point(|repair| repair.range.start < from);
        self.repairs[first..]
            .iter()
            .take_while(|repair| repair.range.start < to)
            .find(|repair| repair.kind == kind)
            .copied()
    }

    /// Whether an identifier of the tree is one of the original text.
    pub(super) fn is_identifier(&self, id: NodeId) -> bool {
        let first = self.arena.bytes(id).first();
        first.is_some_and(|&byte| {
            byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@' | b'\\') || byte >= 0x80
        })
    }

    /// Whether a member access is what a repair made of `F(0) = x`.
    pub(super) fn is_invented_member(&self, id: NodeId) -> bool {
        !self.repairs.is_empty()
            && self.arena.kind(id) == Kind::MemberAccess
            && self.arena.child(id, Field::Name).is_some_and(|name| {
                self.arena.kind(name) == Kind::Identifier && !self.is_identifier(name)
            })
    }

    /// Whether a member or element access has a `?` before its dot or bracket.
    pub(super) fn is_null_conditional_target(&self, id: NodeId) -> bool {
        if self.repairs.is_empty() {
            return false;
        }
        let Some(left) = self.part(id, Field::Expression) else {
            return false;
        };
        let next = self
            .part(id, Field::Subscript)
            .or_else(|| self.arena.child(id, Field::Name));
        let to = next.map_or(self.arena.node(id).end, |next| self.arena.node(next).start);
        let kind = RepairKind::NullConditionalAssignment;
        self.repair_in(self.arena.node(left).end, to, kind)
            .is_some()
    }

    /// The `!` of `a! = b`.
    pub(super) fn is_suppressed_target(&self, left: NodeId, operator: u32) -> bool {
        let kind = RepairKind::SuppressedTarget;
        self.repair_in(self.arena.node(left).end, operator, kind)
            .is_some()
    }

    /// The operator that a repair wrote over, with the blanks around it.
    pub(super) fn original_operator(&self, at: u32) -> Option<(u32, &[u8])> {
        // The repairs of one operator stand side by side.
        const REACH: usize = 8;
        let after = self
            .repairs
            .partition_point(|repair| repair.range.start <= at);
        let repair = self.repairs[..after]
            .iter()
            .rev()
            .take(REACH)
            .find(|repair| {
                let is_operator = matches!(
                    repair.kind,
                    RepairKind::AssignmentTarget | RepairKind::PointerStore
                );
                is_operator && repair.range.contains(at)
            })?;
        Some(self.trimmed(repair.range))
    }

    fn trimmed(&self, range: ByteRange) -> (u32, &[u8]) {
        let bytes = &self.arena.text[range.as_usize()];
        let blanks = bytes.len() - bytes.trim_ascii_start().len();
        (range.start + blanks as u32, bytes.trim_ascii())
    }

    /// `*(int*)p = x`, of which the tree makes `_ = (int*)p ?? x`. Whether it was one.
    pub(super) fn pointer_store(&mut self, left: NodeId, right: Option<NodeId>) -> bool {
        let arena = self.arena;
        if self.repairs.is_empty()
            || arena.kind(left) != Kind::Identifier
            || self.is_identifier(left)
        {
            return false;
        }
        let Some(right) = right else {
            return false;
        };
        // `x` may be a conditional, whose condition has taken the pointer in.
        let mut conditionals = Vec::new();
        let mut at = right;
        while arena.kind(at) == Kind::Conditional
            && let Some(condition) = self.part(at, Field::Condition)
        {
            conditionals.push(at);
            at = condition;
        }
        let parts = (self.part(at, Field::Left), self.part(at, Field::Right));
        let (Kind::Binary, (Some(pointer), Some(value))) = (arena.kind(at), parts) else {
            return false;
        };
        let Some(operator) = arena.child(at, Field::Operator) else {
            return false;
        };
        let place = arena.node(operator).start;
        let (offset, op) = match self.original_operator(place) {
            Some((offset, text)) => (offset, super::operators::assignment_op(text)),
            None => (place, None),
        };
        let star = self
            .original_operator(arena.node(left).start)
            .map_or(arena.node(left).start, |(star, _)| star);
        let op = op.unwrap_or(Op::Assign);
        self.open(Head::new(BodyKind::Assignment, offset).flags(op as u8));
        self.then_around(
            Head::new(BodyKind::Unary, star).flags(Op::Dereference as u8),
            Work::Visit(pointer),
        );
        for _ in &conditionals {
            let start = arena.node(value).start;
            self.then_open(Head::new(BodyKind::Conditional, start));
        }
        self.then_visit(value);
        for &conditional in conditionals.iter().rev() {
            for part in operands(arena, conditional).skip(1) {
                self.then_visit(part);
            }
            self.then_close();
        }
        self.then_close();
        true
    }

    /// The `checked` or `unchecked` before parentheses.
    pub(super) fn checked_before(&self, parenthesis: u32) -> Option<u32> {
        if self.repairs.is_empty() {
            return None;
        }
        let before = self
            .repairs
            .partition_point(|repair| repair.range.start < parenthesis);
        let repair = self.repairs[..before].last()?;
        let gap = &self.arena.text[repair.range.end as usize..parenthesis as usize];
        let is_checked = repair.kind == RepairKind::CheckedOperand;
        (is_checked && gap.trim_ascii().is_empty()).then_some(repair.range.start)
    }

    /// The `..` that a repair took away between two offsets.
    pub(super) fn slice_before(&self, from: u32, to: u32) -> Option<u32> {
        self.repair_in(from, to, RepairKind::SlicePattern)
            .map(|repair| repair.range.start)
    }

    /// Adds the modifiers of a lambda parameter that a repair took away.
    pub(super) fn add_parameter_words(&self, words: &mut RefWords, from: u32, to: u32) {
        let first = self
            .repairs
            .partition_point(|repair| repair.range.start < from);
        let here = self.repairs[first..]
            .iter()
            .take_while(|repair| repair.range.start < to)
            .filter(|repair| repair.kind == RepairKind::LambdaParameterModifier);
        for repair in here {
            words.add(&self.arena.text[repair.range.as_usize()]);
        }
    }
}
