//! Values of constant expressions of a body, local constants included.

use cortex_semantics::{Compilation, UnitId, Value};
use cortex_syntax::{BodyId, BodyKind, DeclId};

use super::is_constant;
use crate::body_tree::BodyTree;

/// Constants that name each other are followed this far.
const MAX_DEPTH: u32 = 8;

/// The longest text that an expression becomes with those of its constants, in bytes.
const MAX_TEXT: usize = 1 << 12;

/// The constants of a file, as a project compiles it.
pub(super) struct Constants<'t, 'f, 'a, 'w> {
    pub(super) tree: &'t BodyTree<'f>,
    pub(super) compilation: &'a Compilation<'w>,
    pub(super) unit: UnitId,
}

impl Constants<'_, '_, '_, '_> {
    /// The value of an expression; `None` where it is not known.
    pub(super) fn value(&self, expression: BodyId) -> Option<Value> {
        let text = self.expanded(expression, 0)?;
        match (self.compilation).constant_value(self.unit, self.decl_of(expression), &text) {
            Value::Source(_) | Value::Type(_) | Value::Array(_) => None,
            value => Some(value),
        }
    }

    /// The declaration whose code a node is.
    pub(super) fn decl_of(&self, id: BodyId) -> Option<DeclId> {
        let root = self.tree.ancestors(id).last()?;
        self.tree.node(root).value.checked_sub(1)
    }

    /// The text of an expression with the values of local constants in the place of their names.
    fn expanded(&self, expression: BodyId, depth: u32) -> Option<String> {
        let tree = self.tree;
        let span = tree.span(expression);
        let mut text = String::new();
        let mut end = span.start;
        for id in tree.within(expression) {
            let is_alone = tree.kind(id) == BodyKind::Name
                && tree.node(id).offset >= end
                && !self.is_in_call(id, expression);
            let Some(value) = is_alone.then(|| self.local_value(id)).flatten() else {
                continue;
            };
            if depth == MAX_DEPTH {
                return None;
            }
            let name = tree.span(id);
            text.push_str(&tree.text[end as usize..name.start as usize]);
            text.push('(');
            text.push_str(&self.expanded(value, depth + 1)?);
            text.push(')');
            end = name.end;
            if text.len() > MAX_TEXT {
                return None;
            }
        }
        text.push_str(&tree.text[end as usize..span.end as usize]);
        Some(text)
    }

    /// Whether a name stands in `nameof`, the only call in a constant.
    fn is_in_call(&self, name: BodyId, expression: BodyId) -> bool {
        let mut around = (self.tree.ancestors(name)).take_while(|&it| it >= expression);
        around.any(|it| self.tree.kind(it) == BodyKind::Invocation)
    }

    /// The initial value of the local constant that a name means.
    fn local_value(&self, name: BodyId) -> Option<BodyId> {
        let tree = self.tree;
        let value = tree.node(name).value;
        let root = tree.ancestors(name).last()?;
        let mut declared = tree.within(root).filter(|&it| {
            tree.kind(it) == BodyKind::Declarator
                && tree.node(it).value == value
                && is_constant(tree, it)
        });
        let sees = |declarator: BodyId| {
            let block = (tree.ancestors(declarator)).find(|&it| {
                matches!(
                    tree.kind(it),
                    BodyKind::Block | BodyKind::Section | BodyKind::Body
                )
            });
            block.is_some_and(|it| tree.within(it).contains(&name))
        };
        let declarator = declared.find(|&it| sees(it))?;
        tree.children(declarator).first().copied()
    }
}
