//! What the place of an expression needs of it besides its value: a constant, a variable, a name.

use cortex_model::TypeKind;
use cortex_semantics::{RefKind, Target};
use cortex_syntax::{BodyId, BodyKind, Op};

use super::Extraction;
use crate::{
    EditError,
    context::{is_in_name_of, needs_constant},
    evaluation::write_of,
};

impl Extraction<'_, '_> {
    /// Refuses an expression whose place needs more than its value.
    pub(super) fn check_expression(&self, id: BodyId) -> Result<(), EditError> {
        let tree = self.tree();
        let parent = tree.parent(id);
        let parent_kind = parent.map(|it| tree.kind(it));
        let at = tree.span(id).start;
        let is_later_part = matches!(parent_kind, Some(BodyKind::ConditionalAccess))
            && tree.index_in_parent(id) > 0
            || self.nodes().any(|it| {
                matches!(
                    tree.kind(it),
                    BodyKind::MemberBinding | BodyKind::ElementBinding
                ) && !tree.ancestors(it).any(|around| {
                    self.nodes().contains(&around)
                        && tree.kind(around) == BodyKind::ConditionalAccess
                })
            });
        let is_constant = (self.bound.expressions.type_of(id)).is_some_and(|it| {
            it.is_constant
                && (it.converted.is_some_and(|converted| converted != it.own)
                    || self.is_narrowed_by_assignment(id))
        });
        let reason = match parent_kind {
            _ if is_in_name_of(&self.bound, id) => "`nameof` needs the name",
            _ if write_of(tree, id).is_some() => "the expression is assigned to",
            _ if is_later_part => "it is a part of an access with `?.`",
            _ if is_constant || needs_constant(tree, id) => "its place needs a constant",
            _ if self.is_changed_part(id) => "a copy would take the place of a value",
            _ if tree.kind(id) == BodyKind::Base => "`base` is no value",
            Some(BodyKind::ExpressionStatement) => "it is a whole statement",
            _ => return Ok(()),
        };
        Err(self.refused_at(at, reason, "name whole statements, or another expression"))
    }

    /// Whether an expression stands for a variable of which its place may change a part: a member is called on it.
    fn is_changed_part(&self, id: BodyId) -> bool {
        let (tree, c) = (self.tree(), self.bound.compilation);
        let is_wrapper = |it: BodyId| {
            matches!(
                tree.kind(it),
                BodyKind::Parenthesized | BodyKind::SuppressNull
            )
        };
        let mut variable = id;
        while is_wrapper(variable) {
            variable += 1;
        }
        let mut outer = id;
        while let Some(around) = tree.parent(outer).filter(|&it| is_wrapper(it)) {
            outer = around;
        }
        let place = (tree.parent(outer)).map(|it| (tree.kind(it), tree.index_in_parent(outer)));
        let is_object = match place {
            Some((BodyKind::MemberAccess | BodyKind::ElementAccess, 0)) => true,
            // `GetEnumerator` and `GetAwaiter` are called on the variable itself.
            Some((BodyKind::ForEach, 2) | (BodyKind::Await, 0)) => {
                !self.bound.is_unchangeable(variable)
            }
            _ => false,
        };
        is_object
            && match tree.kind(variable) {
                BodyKind::Name | BodyKind::MemberAccess | BodyKind::ElementAccess => {
                    self.bound.may_be_value(variable)
                }
                BodyKind::Invocation => {
                    self.may_return_reference(variable)
                        && self.bound.may_be_value(variable)
                        && !self.bound.is_unchangeable(variable)
                }
                // `this` of a struct is a variable.
                BodyKind::This => {
                    !matches!(c.def(self.owner).kind, TypeKind::Class | TypeKind::Record)
                }
                _ => false,
            }
    }

    fn may_return_reference(&self, call: BodyId) -> bool {
        let (tree, c) = (self.tree(), self.bound.compilation);
        let mut names = tree.within(call + 1).rev();
        match names.find_map(|it| self.bound.target(tree.node(it).offset)) {
            Some(Target::Member(member)) => c.member(member).signature.ref_kind != RefKind::None,
            _ => true,
        }
    }

    /// Whether an expression is what `+=` and its like take only if it is a constant: a number for a narrower variable.
    fn is_narrowed_by_assignment(&self, id: BodyId) -> bool {
        let tree = self.tree();
        let assignment = (tree.parent(id))
            .filter(|&it| tree.kind(it) == BodyKind::Assignment && tree.index_in_parent(id) == 1);
        let Some(assignment) = assignment else {
            return false;
        };
        let is_shift = [Op::ShiftLeft, Op::ShiftRight, Op::UnsignedShiftRight]
            .iter()
            .any(|&it| tree.node(assignment).flags == it as u8);
        let types = [assignment + 1, id].map(|it| self.bound.type_of(it));
        let is_wide = types[0].is_some_and(|ty| {
            matches!(
                &*self.bound.compilation.display_type(ty),
                "int" | "long" | "float" | "double" | "decimal" | "string"
            )
        });
        !is_shift && types[0] != types[1] && !is_wide
    }
}
