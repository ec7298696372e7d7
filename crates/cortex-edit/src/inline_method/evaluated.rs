//! Whether arguments are evaluated once and in the same order where the body uses them.

use cortex_model::DeclKind;
use cortex_semantics::{LocalSymbol, Target};
use cortex_syntax::{BodyId, BodyKind, Op};

use super::{Call, Method, Value};
use crate::{EditError, evaluation::Effect};

/// What a body uses of its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Used {
    /// The object that it is called on.
    Receiver,
    Parameter(usize),
}

impl Method<'_, '_> {
    /// What a node of the body takes from the caller.
    pub(super) fn used(&self, id: BodyId) -> Option<Used> {
        let tree = self.tree();
        match tree.kind(id) {
            BodyKind::This => Some(Used::Receiver),
            BodyKind::Name | BodyKind::GenericName => {
                let offset = tree.node(id).offset;
                if let Some(LocalSymbol::Parameter(member, at)) = self.bound.local(offset)
                    && member == self.member
                {
                    return Some(Used::Parameter(usize::from(at)));
                }
                self.is_own_member(id).then_some(Used::Receiver)
            }
            _ => None,
        }
    }

    /// Whether a name of the body is a member of the object, without anything before it.
    pub(super) fn is_own_member(&self, id: BodyId) -> bool {
        match self.bound.target(self.tree().node(id).offset) {
            Some(Target::Member(member)) => {
                !self.bound.compilation.member(member).is_static() && !self.is_behind_dot(id)
            }
            _ => false,
        }
    }

    pub(super) fn is_behind_dot(&self, id: BodyId) -> bool {
        let tree = self.tree();
        tree.parent(id)
            .is_some_and(|parent| match tree.kind(parent) {
                BodyKind::MemberAccess | BodyKind::AliasQualified => tree.index_in_parent(id) > 0,
                BodyKind::MemberBinding => true,
                // `new C { Name = … }` sets a member of another object.
                BodyKind::MemberInit => tree.index_in_parent(id) == 0,
                _ => false,
            })
    }

    /// Whether a node of the body is not written at a call.
    pub(super) fn is_replaced(&self, id: BodyId) -> bool {
        match self.used(id) {
            Some(Used::Parameter(_)) => true,
            Some(Used::Receiver) => self.tree().kind(id) == BodyKind::This,
            None => false,
        }
    }

    /// Refuses a call whose arguments would be evaluated at another time, more often, or not at all.
    pub(super) fn check_evaluation(&self, call: &Call) -> Result<(), EditError> {
        let tree = self.tree();
        let receiver = call.receiver.map(|it| (Used::Receiver, it));
        let mut given: Vec<(Used, BodyId)> = receiver.into_iter().collect();
        for (at, value) in call.values.iter().enumerate() {
            if let Value::Given(node) = value {
                given.push((Used::Parameter(at), *node));
            }
        }
        let uses_object = |id| self.used(id) == Some(Used::Receiver);
        if call.receiver.is_some() && !tree.within(self.body).any(uses_object) {
            let reason = "the call fails where there is no object, and the body would not";
            return Err(self.refused_at(call.node, reason));
        }
        given.sort_by_key(|it| it.1);
        let mut order = Vec::new();
        for &(what, node) in &given {
            let effect = self.bound.effect(node);
            if effect == Effect::None {
                continue;
            }
            let uses: Vec<BodyId> = (tree.within(self.body))
                .filter(|&id| self.used(id) == Some(what))
                .collect();
            let wrong = |reason: &str| Err(self.refused_at(node, reason));
            match (effect, uses.as_slice()) {
                (Effect::Does, []) => {
                    return wrong("it may do something, and would not be evaluated any more");
                }
                (Effect::Does, [_, _, ..]) => {
                    return wrong("it may do something, and would be evaluated more than once");
                }
                _ => {}
            }
            for &used in &uses {
                if let Some(reason) = self.is_elsewhere(used, effect) {
                    return wrong(reason);
                }
            }
            order.extend(uses.first().copied());
        }
        match order.is_sorted() {
            true => Ok(()),
            false => {
                let reason = "its arguments would be evaluated in another order";
                Err(self.refused_at(call.node, reason))
            }
        }
    }

    /// Why a value is not evaluated right before what the body does, where the body uses it.
    fn is_elsewhere(&self, used: BodyId, effect: Effect) -> Option<&'static str> {
        let tree = self.tree();
        let mut path = vec![used];
        path.extend(tree.ancestors(used).take_while(|&it| it >= self.body));
        for pair in path.windows(2) {
            let (child, node) = (pair[0], pair[1]);
            let index = tree.index_in_parent(child);
            let is_later = matches!(
                tree.kind(node),
                BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::Query
            );
            if is_later {
                return Some(
                    "the method uses it in a lambda or query, which may run later or several times",
                );
            }
            let is_conditional = match tree.kind(node) {
                BodyKind::Conditional
                | BodyKind::ConditionalAccess
                | BodyKind::SwitchExpression => index > 0,
                BodyKind::Binary if index > 0 => matches!(
                    Op::ALL.get(usize::from(tree.node(node).flags)),
                    Some(Op::LogicalAnd | Op::LogicalOr | Op::Coalesce)
                ),
                BodyKind::Assignment => tree.node(node).flags == Op::Coalesce as u8 && index > 0,
                _ => false,
            };
            if is_conditional && effect == Effect::Does {
                return Some("it may do something, and the method does not always use it");
            }
        }
        // Variables that are read keep their values until something may write them.
        let limit = match effect {
            Effect::Does => Effect::Reads,
            _ => Effect::Does,
        };
        let mut before = (self.body..used).filter(|id| !path.contains(id));
        let is_before = before.any(|id| {
            let is_of_body = match self.used(id) {
                None => true,
                Some(Used::Receiver) => self.is_own_member(id),
                Some(Used::Parameter(_)) => false,
            };
            is_of_body && !self.is_only_named(id) && self.bound.own_effect(id) >= limit
        });
        is_before.then_some("the method does something before it uses it")
    }

    /// Whether a name is that of a method, or of what is assigned: nothing is evaluated there.
    fn is_only_named(&self, id: BodyId) -> bool {
        let tree = self.tree();
        let is_assigned = tree.parent(id).is_some_and(|parent| {
            tree.kind(parent) == BodyKind::Assignment
                && tree.node(parent).flags == Op::Assign as u8
                && tree.index_in_parent(id) == 0
        });
        let is_method = match self.bound.target(tree.node(id).offset) {
            Some(Target::Member(member)) => {
                self.bound.compilation.member(member).kind == DeclKind::Method
            }
            _ => false,
        };
        let is_name = matches!(tree.kind(id), BodyKind::Name | BodyKind::GenericName);
        is_assigned || is_name && is_method
    }
}
