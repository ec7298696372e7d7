//! Labels and arms of `switch` that no value reaches, because one before them has their value, written in another way.
//!
//! Source: C# specification, §12.11, §13.8.3. Of values that are not known, nothing is said.

use std::{cell::OnceCell, collections::BTreeSet};

use cortex_model::{ByteRange, DeclKind, LineTable};
use cortex_semantics::{BoundExpressions, Special, Ty, UnitKey, Value};
use cortex_syntax::{BodyId, BodyKind, text::decode};

use super::{EditedText, not_allowed, rules::written};
use crate::{
    body_tree::BodyTree,
    proof::Proof,
    statement_rules::{Label, labels},
};

/// Types whose constants are the same if their values are, whatever type these have: they all convert to it.
const GOVERNING: [Special; 11] = [
    Special::SByte,
    Special::Byte,
    Special::Int16,
    Special::UInt16,
    Special::Int32,
    Special::UInt32,
    Special::Int64,
    Special::UInt64,
    Special::Char,
    Special::Boolean,
    Special::String,
];

/// The least integer that the tree of a body does not know (`BodyKind::Literal`).
const UNKNOWN: i128 = u32::MAX as i128;

/// What a label compares with: a value, with its type where that matters.
type Compared = (Option<Ty>, Value);

/// Adds the labels of those `switch` that an edit writes, or for which it may write values.
pub(super) fn add(text: &EditedText<'_, '_>, unit: &UnitKey, found: &mut Proof) {
    let written = written(text.file);
    let is_written = |range: ByteRange| {
        let mut all = written.iter();
        all.any(|it| it.start < range.end && it.end >= range.start)
    };
    if written.is_empty() {
        return;
    }
    let source = decode(&text.file.new_bytes);
    let tree = BodyTree::new(text.facts, source.as_str());
    let is_constant = |kind| matches!(kind, DeclKind::Constant | DeclKind::EnumMember);
    let mut declared = text.facts.decls.iter();
    let gives_values = declared.any(|it| is_constant(it.kind) && is_written(it.range));
    let lines = LineTable::new(source.as_bytes());
    let bound = OnceCell::new();
    for id in tree.nodes() {
        let labels = labels(&tree, id);
        if labels.len() < 2 || !(gives_values || is_written(tree.span(id))) {
            continue;
        }
        let (bound, named) = bound.get_or_init(|| {
            let bound = text.compilation.bind_expressions(unit, text.facts);
            let refs = bound.unit.decls.iter().flat_map(|(_, it)| &it.refs);
            let named: BTreeSet<u32> = refs.map(|it| it.offset).collect();
            (bound, named)
        });
        let values = Values {
            text,
            tree: &tree,
            bound,
            named,
            switch: id,
        };
        for label in values.repeated(&labels) {
            let offset = tree.span(label).start;
            let line = lines.position(offset).line;
            let reason = "a label before it has its value";
            let warning = not_allowed(text.file, line, (tree.text_of(label), reason));
            found.warn_at(offset, warning);
        }
    }
}

/// The values of the labels of a `switch`.
struct Values<'a, 'w> {
    text: &'a EditedText<'a, 'w>,
    tree: &'a BodyTree<'a>,
    bound: &'a BoundExpressions,
    /// Where names mean members and types.
    named: &'a BTreeSet<u32>,
    switch: BodyId,
}

impl Values<'_, '_> {
    /// The patterns of which all values come before them.
    fn repeated(&self, labels: &[Label]) -> Vec<BodyId> {
        let mut before: Vec<Compared> = Vec::new();
        let mut repeated = Vec::new();
        for label in labels {
            let mut constants = Vec::new();
            let is_whole = self.add_constants(label.pattern, &mut constants);
            let n_constants = constants.len();
            let values = constants.into_iter().filter_map(|it| self.compared(it));
            let values: Vec<Compared> = values.collect();
            let is_known = is_whole && values.len() == n_constants && n_constants > 0;
            if is_known && values.iter().all(|it| before.contains(it)) {
                repeated.push(label.pattern);
            }
            if !label.has_condition {
                before.extend(values);
            }
        }
        repeated
    }

    /// Adds the constants of which a pattern takes each; whether it takes nothing else.
    fn add_constants(&self, pattern: BodyId, found: &mut Vec<BodyId>) -> bool {
        let parts = self.tree.children(pattern);
        match (self.tree.kind(pattern), parts.as_slice()) {
            (BodyKind::ConstantPattern, &[value]) => {
                found.push(value);
                true
            }
            (BodyKind::ParenthesizedPattern, &[inner]) => self.add_constants(inner, found),
            (BodyKind::BinaryPattern, &[left, right]) if self.tree.node(pattern).flags & 1 == 1 => {
                let first = self.add_constants(left, found);
                self.add_constants(right, found) && first
            }
            _ => false,
        }
    }

    fn compared(&self, constant: BodyId) -> Option<Compared> {
        let value = self.value(constant)?;
        if self.is_governed() {
            return Some((None, value));
        }
        let ty = self.bound.type_of(constant)?.own;
        let is_known = !ty.is_none() && !ty.is_error();
        is_known.then_some((Some(ty), value))
    }

    /// Whether all constants convert to the type of what the `switch` takes.
    fn is_governed(&self) -> bool {
        let c = self.text.compilation;
        let value = self.tree.children(self.switch).first().copied();
        let ty = value.and_then(|it| self.bound.type_of(it));
        ty.is_some_and(|it| {
            let ty = c.nullable_underlying(it.own).unwrap_or(it.own);
            c.is_enum(ty) || GOVERNING.iter().any(|&special| c.is_special(ty, special))
        })
    }

    fn value(&self, constant: BodyId) -> Option<Value> {
        let by_text = match self.names_local(constant) {
            true => None,
            false => self.value_by_text(constant),
        };
        by_text.or_else(|| {
            let integer = self.bound.type_of(constant)?.integer?;
            let is_known = integer.abs() < UNKNOWN;
            is_known.then_some(Value::Integer(integer as i64))
        })
    }

    fn value_by_text(&self, constant: BodyId) -> Option<Value> {
        let root = self.tree.ancestors(constant).last()?;
        let decl = self.tree.node(root).value.checked_sub(1);
        let text = self.tree.text_of(constant);
        let value = (self.text.compilation).constant_value(self.text.unit, decl, text);
        match value {
            Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Text(_) => Some(value),
            Value::Type(_) | Value::Array(_) | Value::Source(_) => None,
        }
    }

    /// Whether a name in a constant means no member or type: it is a local one. In `nameof`, it may be.
    fn names_local(&self, constant: BodyId) -> bool {
        let tree = self.tree;
        let mut names = tree.within(constant).filter(|&it| {
            let mut around = tree.ancestors(it).take_while(|&it| it >= constant);
            tree.kind(it) == BodyKind::Name
                && !around.any(|it| tree.kind(it) == BodyKind::Invocation)
        });
        names.any(|it| !self.named.contains(&tree.node(it).offset))
    }
}
