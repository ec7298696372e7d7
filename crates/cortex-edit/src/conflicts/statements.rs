//! Statements that the language forbids after an edit ([`statement_rules`]) and did not before.

use std::collections::BTreeSet;

use cortex_syntax::{
    Sections,
    text::{decode, token_at},
};

use super::{EditedText, not_allowed};
use crate::{
    EditError,
    body_tree::BodyTree,
    proof::{OldSide, Proof},
    statement_rules::{self, Violation},
    ways::Conditions,
};

/// Adds what is forbidden of statements that an edit writes, or around which it writes something.
pub(super) fn add(
    text: &EditedText<'_, '_>,
    old: &OldSide<'_>,
    found: &mut Proof,
) -> Result<(), EditError> {
    if text.written.is_empty() {
        return Ok(());
    }
    let violations = text.violations(&Conditions::new());
    if violations.is_empty() {
        return Ok(());
    }
    let known = violations_before(text, old)?;
    let is_new = |&Violation { offset, reason }: &Violation| {
        let before = text.file.edits.old_position(offset);
        !before.is_some_and(|offset| known.contains(&Violation { offset, reason }))
    };
    if !violations.iter().any(is_new) {
        return Ok(());
    }
    // Where control goes depends on constants.
    let violations = text.violations(text.conditions());
    for Violation { offset, reason } in violations.into_iter().filter(is_new) {
        let token = token_at(text.source.as_bytes(), offset);
        let word = text.source.get(token.as_usize()).unwrap_or_default();
        let line = text.lines().position(offset).line;
        let warning = not_allowed(text.file, line, (word, reason));
        found.warn_at(offset, warning);
    }
    Ok(())
}

/// What is forbidden of the file as it is, for any project that compiles it.
fn violations_before(
    text: &EditedText<'_, '_>,
    old: &OldSide<'_>,
) -> Result<BTreeSet<Violation>, EditError> {
    let mut found = BTreeSet::new();
    let file = text.file;
    if !file.is_before() {
        return Ok(found);
    }
    let source = decode(&file.old_bytes);
    for project in old.symbols.projects_of(&file.old.path)? {
        let facts = (old.symbols).facts(&file.old.path, project, Sections::Bodies)?;
        if let Some(facts) = facts {
            let tree = BodyTree::new(&facts, source.as_str());
            let none = Conditions::new();
            found.extend(statement_rules::violations(&tree, &none, text.shadowing()));
        }
    }
    Ok(found)
}
