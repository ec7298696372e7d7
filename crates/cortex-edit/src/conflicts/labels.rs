//! Labels and arms of `switch` that no value reaches, because one before them has their value, written in another way.
//!
//! Source: C# specification, §12.11, §13.8.3. Of values that are not known, nothing is said.

use std::{cell::OnceCell, collections::BTreeSet};

use cortex_model::DeclKind;
use cortex_semantics::{Special, Ty, Value};
use cortex_syntax::{BodyId, BodyKind, DeclId, Op};

use super::{EditedText, not_allowed};
use crate::{
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

/// What a label compares with: a value, with its type where that matters.
type Compared = (Option<Ty>, Value);

/// Adds the labels of those `switch` that an edit writes, or for which it may write values.
pub(super) fn add(text: &EditedText<'_, '_>, found: &mut Proof) {
    if text.written.is_empty() {
        return;
    }
    let is_constant = |kind| matches!(kind, DeclKind::Constant | DeclKind::EnumMember);
    let mut declared = text.facts.decls.iter();
    let gives_values = declared.any(|it| is_constant(it.kind) && text.written.touches(it.range));
    let tree = text.tree();
    let named = OnceCell::new();
    for id in tree.nodes() {
        let labels = labels(tree, id);
        if labels.len() < 2 || !(gives_values || text.written.touches(tree.span(id))) {
            continue;
        }
        let named = named.get_or_init(|| {
            let refs = (text.bound().unit.decls.iter()).flat_map(|(_, it)| &it.refs);
            refs.map(|it| it.offset).collect()
        });
        for label in Values::of(text, named, id).repeated(&labels) {
            let offset = tree.span(label).start;
            let line = text.lines().position(offset).line;
            let reason = "a label before it has its value";
            let warning = not_allowed(text.file, line, (tree.text_of(label), reason));
            found.warn_at(offset, warning);
        }
    }
}

/// The values of the labels of a `switch`.
struct Values<'t, 'a, 'w> {
    text: &'t EditedText<'a, 'w>,
    /// Where names mean members and types.
    named: &'t BTreeSet<u32>,
    /// The declaration whose code the `switch` is.
    decl: Option<DeclId>,
    /// All constants convert to the type of what the `switch` takes.
    is_governed: bool,
}

impl<'t, 'a, 'w> Values<'t, 'a, 'w> {
    fn of(text: &'t EditedText<'a, 'w>, named: &'t BTreeSet<u32>, switch: BodyId) -> Self {
        let (c, tree) = (text.compilation, text.tree());
        let root = tree.ancestors(switch).last();
        let value = tree.children(switch).first().copied();
        let ty = value.and_then(|it| text.bound().type_of(it));
        Self {
            text,
            named,
            decl: root.and_then(|it| tree.node(it).value.checked_sub(1)),
            is_governed: ty.is_some_and(|it| {
                let ty = c.nullable_underlying(it.own).unwrap_or(it.own);
                c.is_enum(ty) || GOVERNING.iter().any(|&special| c.is_special(ty, special))
            }),
        }
    }

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
        let tree = self.text.tree();
        let parts = tree.children(pattern);
        match (tree.kind(pattern), parts.as_slice()) {
            (BodyKind::ConstantPattern, &[value]) => {
                found.push(value);
                true
            }
            (BodyKind::ParenthesizedPattern, &[inner]) => self.add_constants(inner, found),
            (BodyKind::BinaryPattern, &[left, right]) if tree.node(pattern).flags & 1 == 1 => {
                let first = self.add_constants(left, found);
                self.add_constants(right, found) && first
            }
            _ => false,
        }
    }

    fn compared(&self, constant: BodyId) -> Option<Compared> {
        let value = self.value(constant)?;
        if self.is_governed {
            return Some((None, value));
        }
        let ty = self.text.bound().type_of(constant)?.own;
        let is_known = !ty.is_none() && !ty.is_error();
        is_known.then_some((Some(ty), value))
    }

    /// The value of a constant: as its types have it, where that is known.
    fn value(&self, constant: BodyId) -> Option<Value> {
        let found = self.text.bound().type_of(constant);
        let integer = found.and_then(|it| it.integer);
        let integer = integer.map(|it| Value::Integer(it as i64));
        let boolean = || found.and_then(|it| it.boolean).map(Value::Boolean);
        (integer.or_else(boolean)).or_else(|| self.value_by_text(constant))
    }

    fn value_by_text(&self, constant: BodyId) -> Option<Value> {
        if self.names_local(constant) {
            return None;
        }
        let text = self.text.tree().text_of(constant);
        let value = (self.text.compilation).constant_value(self.text.unit, self.decl, text);
        match value {
            Value::Integer(_) if self.is_computed(constant) => None,
            Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Text(_) => Some(value),
            Value::Type(_) | Value::Array(_) | Value::Source(_) => None,
        }
    }

    /// Whether the type of a number decides its value, which its text does not tell.
    fn is_computed(&self, constant: BodyId) -> bool {
        let tree = self.text.tree();
        let mut parts = tree.within(constant);
        parts.any(|it| match tree.kind(it) {
            BodyKind::Binary | BodyKind::Cast => true,
            BodyKind::Unary => tree.node(it).flags == Op::Complement as u8,
            _ => false,
        })
    }

    /// Whether a name in a constant means no member or type: it is a local one. In `nameof`, it may be.
    fn names_local(&self, constant: BodyId) -> bool {
        let tree = self.text.tree();
        let mut names = tree.within(constant).filter(|&it| {
            let mut around = tree.ancestors(it).take_while(|&it| it >= constant);
            tree.kind(it) == BodyKind::Name
                && !around.any(|it| tree.kind(it) == BodyKind::Invocation)
        });
        names.any(|it| !self.named.contains(&tree.node(it).offset))
    }
}
