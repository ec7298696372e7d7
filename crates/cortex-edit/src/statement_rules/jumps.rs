//! Jumps that lead nowhere or out of `finally`, labels of one name, and sections of `switch` that fall through.
//!
//! Source: C# specification, §13.5, §13.8.3, §13.10, §13.11.

use cortex_syntax::{BodyId, BodyKind};

use super::{Violation, around, function_of, word};
use crate::{
    body_tree::BodyTree,
    ways::{Conditions, Ways},
};

/// Adds what is forbidden of the jumps and labels of a file.
pub(super) fn add(tree: &BodyTree<'_>, conditions: &Conditions, found: &mut Vec<Violation>) {
    for id in tree.nodes() {
        let reason = match tree.kind(id) {
            BodyKind::Empty => forbidden_jump(tree, id),
            BodyKind::GotoCase => forbidden_goto_case(tree, id),
            BodyKind::Return => leaves_finally(tree, id, None),
            BodyKind::Throw if tree.children(id).is_empty() => forbidden_rethrow(tree, id),
            BodyKind::Wrapped => label_of(tree, id).and_then(|label| rival(tree, id, label)),
            BodyKind::Section => falls_through(tree, conditions, id),
            _ => None,
        };
        found.extend(reason.map(|reason| Violation {
            offset: tree.span(id).start,
            reason,
        }));
    }
}

fn is_loop(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::While
            | BodyKind::Do
            | BodyKind::For
            | BodyKind::ForEach
            | BodyKind::ForEachDeconstruct
    )
}

fn forbidden_jump(tree: &BodyTree<'_>, id: BodyId) -> Option<&'static str> {
    let target = |fits: &dyn Fn(BodyKind) -> bool| around(tree, id).find(|&it| fits(tree.kind(it)));
    match (word(tree, id, 0), word(tree, id, 1)) {
        ("break", _) => match target(&|kind| is_loop(kind) || kind == BodyKind::Switch) {
            None => Some("there is no loop or `switch` around it"),
            target => leaves_finally(tree, id, target),
        },
        ("continue", _) => match target(&is_loop) {
            None => Some("there is no loop around it"),
            target => leaves_finally(tree, id, target),
        },
        ("goto", "default") => forbidden_goto_case(tree, id),
        ("goto", label) => {
            let mut lists = around(tree, id).chain(function_of(tree, id));
            let label = label.trim_start_matches('@');
            match lists.find(|&it| labels_in(tree, it).iter().any(|&(_, name)| name == label)) {
                None => Some("there is no such label around it"),
                list => leaves_finally(tree, id, list),
            }
        }
        _ => None,
    }
}

fn forbidden_goto_case(tree: &BodyTree<'_>, id: BodyId) -> Option<&'static str> {
    match around(tree, id).find(|&it| tree.kind(it) == BodyKind::Switch) {
        None => Some("there is no `switch` around it"),
        switch => leaves_finally(tree, id, switch),
    }
}

/// Why control may not go from a statement to another one around it, or out of the function.
fn leaves_finally(tree: &BodyTree<'_>, id: BodyId, target: Option<BodyId>) -> Option<&'static str> {
    let mut passed = around(tree, id).take_while(|&it| Some(it) != target);
    let leaves = passed.any(|it| tree.kind(it) == BodyKind::Finally);
    leaves.then_some("control cannot leave a `finally` block")
}

fn forbidden_rethrow(tree: &BodyTree<'_>, id: BodyId) -> Option<&'static str> {
    let is_part = |kind| matches!(kind, BodyKind::Catch | BodyKind::Finally);
    let part = around(tree, id).find(|&it| is_part(tree.kind(it)));
    let is_caught = part.is_some_and(|it| tree.kind(it) == BodyKind::Catch);
    (!is_caught).then_some("there is nothing caught that could be thrown again")
}

/// The label that a statement has.
fn label_of<'t>(tree: &BodyTree<'t>, id: BodyId) -> Option<&'t str> {
    let is_labeled = tree.kind(id) == BodyKind::Wrapped && word(tree, id, 1) == ":";
    is_labeled.then(|| word(tree, id, 0).trim_start_matches('@'))
}

/// The labels that a node declares for all that is in it: those of its statements, and of a `switch` those of all its
/// sections.
fn labels_in<'t>(tree: &BodyTree<'t>, list: BodyId) -> Vec<(BodyId, &'t str)> {
    let mut found = Vec::new();
    let mut open = match tree.kind(list) {
        BodyKind::Block | BodyKind::Body => tree.children(list),
        BodyKind::Switch => {
            let sections = tree.children(list).into_iter().skip(1);
            sections.flat_map(|it| tree.children(it)).collect()
        }
        _ => return found,
    };
    while let Some(statement) = open.pop() {
        if let Some(label) = label_of(tree, statement) {
            found.push((statement, label));
            open.extend(tree.children(statement));
        }
    }
    found
}

/// Whether another statement has a label as well, in the same list or in one around it, that of a function around
/// included.
fn rival(tree: &BodyTree<'_>, id: BodyId, label: &str) -> Option<&'static str> {
    let mut lists = tree.ancestors(id);
    let is_rival = |&(other, name): &(BodyId, &str)| {
        // Of two in one list, the second one is told.
        let is_before = tree.parent(other) != tree.parent(id) || other < id;
        other != id && name == label && is_before
    };
    let is_taken = lists.any(|it| labels_in(tree, it).iter().any(is_rival));
    is_taken.then_some("a label around it or beside it has its name")
}

/// Whether a statement is a jump, or a block that ends with one: most sections do, and no way has to be followed.
fn is_jump(tree: &BodyTree<'_>, id: BodyId) -> bool {
    match tree.kind(id) {
        BodyKind::Return | BodyKind::Throw | BodyKind::GotoCase => true,
        BodyKind::Empty => matches!(word(tree, id, 0), "break" | "continue" | "goto"),
        BodyKind::Block => tree
            .children(id)
            .last()
            .is_some_and(|&it| is_jump(tree, it)),
        _ => false,
    }
}

/// Whether control reaches the end of a section (C# specification, §13.8.3).
fn falls_through(
    tree: &BodyTree<'_>,
    conditions: &Conditions,
    section: BodyId,
) -> Option<&'static str> {
    let statements = tree.children(section).into_iter();
    let mut statements = statements.filter(|&it| tree.kind(it) != BodyKind::CaseLabel);
    let first = statements.next()?;
    let last = statements.next_back().unwrap_or(first);
    if is_jump(tree, last) {
        return None;
    }
    let ways = Ways::around(tree, conditions, (first, last));
    let ends = ways.is_some_and(|ways| ways.reach_end());
    ends.then_some("control falls out of the section of `switch` that begins here")
}
