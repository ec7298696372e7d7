//! Labels of `switch` and arms of `switch` expressions that no value reaches, because one before is the same.
//!
//! Only what is written with the same tokens is known to be the same. Source: C# specification, §12.11, §13.8.3.

use std::collections::BTreeSet;

use cortex_syntax::{BodyId, BodyKind};

use super::Violation;
use crate::body_tree::BodyTree;

/// A label of a `switch`, or an arm of a `switch` expression.
pub(crate) struct Label {
    /// Its pattern.
    pub(crate) pattern: BodyId,
    /// Whether it has a `when`.
    pub(crate) has_condition: bool,
}

/// The labels or arms of a node in order; none of what is no `switch`.
pub(crate) fn labels(tree: &BodyTree<'_>, id: BodyId) -> Vec<Label> {
    let bodies = &tree.facts.bodies;
    let labels: Vec<BodyId> = match tree.kind(id) {
        BodyKind::Switch => {
            let sections = bodies.children(id).skip(1);
            let all = sections.flat_map(|it| bodies.children(it));
            all.filter(|&it| tree.kind(it) == BodyKind::CaseLabel)
                .collect()
        }
        BodyKind::SwitchExpression => bodies.children(id).skip(1).collect(),
        _ => return Vec::new(),
    };
    let label = |id: BodyId| {
        let parts = tree.children(id);
        Some(Label {
            pattern: *parts.first()?,
            has_condition: parts.iter().any(|&it| tree.kind(it) == BodyKind::When),
        })
    };
    labels.into_iter().filter_map(label).collect()
}

/// Adds the labels and arms that stand twice.
pub(super) fn add(tree: &BodyTree<'_>, found: &mut Vec<Violation>) {
    for id in tree.nodes() {
        if tree.kind(id) == BodyKind::Switch {
            let sections: Vec<BodyId> = tree.children(id).into_iter().skip(1).collect();
            add_defaults(tree, &sections, found);
        }
        add_repeated(tree, &labels(tree, id), found);
    }
}

fn add_repeated(tree: &BodyTree<'_>, labels: &[Label], found: &mut Vec<Violation>) {
    let mut before: BTreeSet<Vec<&str>> = BTreeSet::new();
    for &Label {
        pattern,
        has_condition,
    } in labels
    {
        let Some(tested) = tested(tree, pattern) else {
            continue;
        };
        if before.contains(&tested) {
            found.push(Violation {
                offset: tree.span(pattern).start,
                reason: "a label before it is the same",
            });
        }
        if !has_condition {
            before.insert(tested);
        }
    }
}

/// The tokens of what a value is compared with: a constant or a type.
fn tested<'t>(tree: &BodyTree<'t>, pattern: BodyId) -> Option<Vec<&'t str>> {
    let compared = match tree.kind(pattern) {
        BodyKind::ConstantPattern | BodyKind::TypePattern => pattern,
        BodyKind::DeclarationPattern => *tree.children(pattern).first()?,
        _ => return None,
    };
    let tokens = tree.tokens_in(tree.span(compared)).iter();
    tokens.map(|it| tree.text.get(it.as_usize())).collect()
}

/// Adds each `default:` behind the first one.
fn add_defaults(tree: &BodyTree<'_>, sections: &[BodyId], found: &mut Vec<Violation>) {
    let mut n_defaults = 0;
    for &section in sections {
        if !tree.is_default(section) {
            continue;
        }
        n_defaults += 1;
        if n_defaults > 1 {
            found.push(Violation {
                offset: tree.span(section).start,
                reason: "there is a `default` before it",
            });
        }
    }
}
