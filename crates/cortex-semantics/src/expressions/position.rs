//! Where an expression begins, and where the name stands that it writes to.

use cortex_model::{DeclKind, EdgeKind};
use cortex_syntax::{BodyId, BodyKind};

use crate::{binder::Binder, local_names::Recording, output::Misfit, symbol::MemberId};

impl Binder<'_, '_> {
    /// The first byte of an expression: nodes with an operator have the operator's offset.
    pub(crate) fn start_of(&self, node: BodyId) -> u32 {
        let mut at = node;
        let mut start = self.node(at).offset;
        while begins_with_child(self.body_kind(at)) {
            let Some(first) = self.first(at) else { break };
            at = first;
            start = start.min(self.node(at).offset);
        }
        start
    }

    /// Whether the expression is what an invocation calls: `e` of `e(…)`.
    pub(super) fn is_called(&self, node: BodyId) -> bool {
        node > 0 && self.body_kind(node - 1) == BodyKind::Invocation
    }

    /// Notes that the member that the expression names is written.
    pub(crate) fn mark_written(&mut self, target: BodyId) {
        let Some(offset) = self.name_offset(target) else {
            return;
        };
        let refs = self.out.refs.iter_mut().rev();
        if let Some(found) = refs.take(32).find(|found| found.offset == offset)
            && found.kind == EdgeKind::Reads
        {
            found.kind = EdgeKind::Writes;
        }
    }

    /// Records that a name means an event of a type that is not around it, where that is wanted.
    pub(super) fn record_foreign_event(&mut self, offset: u32, member: MemberId) {
        if self.recording == Recording::Off {
            return;
        }
        let member = self.c.member(member);
        let mut around = self.enclosing.iter();
        let mut is_own = || around.any(|&ty| self.c.def_of(ty) == Some(member.owner));
        if member.kind == DeclKind::Event && !is_own() {
            self.out.misfits.push((offset, Misfit::Event));
        }
    }

    /// Whether a target, which was bound just now, means an event.
    pub(super) fn names_event(&self, target: BodyId) -> bool {
        let offset = self.name_offset(target);
        let member = offset.and_then(|offset| self.recorded_member(offset));
        member.is_some_and(|it| self.c.member(it).kind == DeclKind::Event)
    }

    /// Takes back that an event is used by its name, which `+=` and `-=` may do anywhere.
    pub(super) fn allow_event(&mut self, target: BodyId) {
        if let Some(offset) = self.name_offset(target) {
            (self.out.misfits).retain(|&it| it != (offset, Misfit::Event));
        }
    }

    /// The offset of the name whose member an expression means.
    pub(super) fn name_offset(&self, node: BodyId) -> Option<u32> {
        let mut at = node;
        loop {
            match self.body_kind(at) {
                BodyKind::Name | BodyKind::GenericName => return Some(self.node(at).offset),
                BodyKind::MemberAccess | BodyKind::ConditionalAccess => {
                    at = self.children(at).nth(1)?;
                }
                BodyKind::MemberBinding | BodyKind::Parenthesized | BodyKind::SuppressNull => {
                    at = self.first(at)?;
                }
                _ => return None,
            }
        }
    }
}

/// Whether the first token of a node is that of its first child.
fn begins_with_child(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::MemberAccess
            | BodyKind::AliasQualified
            | BodyKind::ConditionalAccess
            | BodyKind::Invocation
            | BodyKind::ElementAccess
            | BodyKind::With
            | BodyKind::Assignment
            | BodyKind::Binary
            | BodyKind::Postfix
            | BodyKind::SuppressNull
            | BodyKind::Conditional
            | BodyKind::Is
            | BodyKind::As
            | BodyKind::SwitchExpression
            | BodyKind::Range
            | BodyKind::DeclarationExpression
            | BodyKind::ArrayType
            | BodyKind::NullableType
            | BodyKind::PointerType
    )
}
