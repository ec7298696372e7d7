//! Parameters that have other names, where code means them.

use cortex_bind::{MemberNode, TypeNode};
use cortex_model::DeclKind;
use cortex_wire::MemberChange;

use super::NewName;
use crate::changes::Pair;

/// Parameters that only have other names, by old and new ones.
#[derive(Default)]
pub(super) struct ParameterNames(Vec<NewName>);

impl ParameterNames {
    /// Those of the constructor in the head of a type, which all its members can mean.
    pub(super) fn of_primary_constructor(pair: &Pair<'_>) -> Self {
        Self::between(pair, |_, member| {
            member.primary && member.kind == DeclKind::Constructor
        })
    }

    /// Those of a member that both sides have.
    pub(super) fn of_member(pair: &Pair<'_>, member: &MemberChange) -> Self {
        let signatures = [&member.old_signature, &member.new_signature];
        let sides = signatures.into_iter();
        Self::between(pair, |node, it| {
            let is_named = it.name == member.name && it.kind == member.kind;
            let is_it = |signature: &Option<String>| {
                let Some(signature) = signature else {
                    return false;
                };
                *signature == node.member_signature(it)
                    || *signature == node.full_member_signature(it)
            };
            is_named && sides.clone().any(is_it)
        })
    }

    /// Of the member on each side that is wanted, if both take the same types in the same order.
    fn between(pair: &Pair<'_>, is_wanted: impl Fn(&TypeNode, &MemberNode) -> bool) -> Self {
        let wanted = |node: &TypeNode| {
            let mut all = node.members.iter().filter(|it| is_wanted(node, it));
            all.next().and_then(|it| it.params.clone())
        };
        let (Some(old), Some(new)) = (pair.before().and_then(wanted), pair.new.and_then(wanted))
        else {
            return Self::default();
        };
        let both = old.iter().zip(&new);
        let is_same = old.len() == new.len()
            && both
                .clone()
                .all(|(old, new)| (&old.ty, old.modifiers) == (&new.ty, new.modifiers));
        if !is_same {
            return Self::default();
        }
        let renamed = both.filter(|(old, new)| old.name != new.name);
        Self(
            renamed
                .map(|(old, new)| (old.name.clone(), new.name.clone()))
                .collect(),
        )
    }

    /// Both.
    pub(super) fn with(&self, other: Self) -> Self {
        let mut all = self.0.clone();
        all.extend(other.0);
        Self(all)
    }

    /// Whether the tokens of a number on both sides are the old and the new name of one of them.
    pub(super) fn stand_at(&self, [old, new]: &[Vec<String>; 2], at: usize) -> bool {
        (self.0.iter()).any(|(before, after)| old[at] == *before && new[at] == *after)
    }

    /// Whether each has its new name wherever it had its old one, and nothing else has the new one: what has the name of a
    /// parameter by chance (a member behind a dot, the label of an argument) is not told from it, nor is a name that
    /// becomes a value (`nameof`).
    pub(super) fn are_followed_in(&self, sides: &[Vec<String>; 2]) -> bool {
        let [old, new] = sides;
        (self.0.iter()).all(|(before, after)| {
            (0..old.len()).all(|at| {
                let is_named = [old[at] == *before, new[at] == *after];
                is_named == [false, false]
                    || is_named == [true, true] && is_alone(old, at) && is_alone(new, at)
            })
        })
    }
}

/// Whether a name can be that of a parameter, and is no value itself.
fn is_alone(tokens: &[String], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).map_or("", |at| tokens[at].as_str());
    let is_member = matches!(before(1), "." | "?." | "->" | "::");
    let is_label = matches!(before(1), "(" | ",") && tokens.get(at + 1).is_some_and(|it| it == ":");
    let is_text = before(1) == "(" && before(2) == "nameof";
    !(is_member || is_label || is_text)
}
