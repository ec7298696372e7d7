//! Text of an edit that uses what the language has only since a later version than its project's ([`language_versions`]).

use cortex_model::ByteRange;
use cortex_syntax::{
    Decl, FileFacts, Sections,
    text::{decode, token_at},
};
use rustc_hash::FxHashSet;

use super::{EditedText, not_allowed, rules::head};
use crate::{
    EditError,
    body_tree::BodyTree,
    language_versions::{self, Feature, Used, Version},
    plan::Plan,
    proof::{OldSide, Proof},
};

/// Adds the features that an edit brings to a project. Those that the edited files had in it are none: they moved, or the
/// project takes them, whatever is known of its version.
pub(super) fn add(
    text: &EditedText<'_, '_>,
    (old, plan): (&OldSide<'_>, &Plan),
    found: &mut Proof,
) -> Result<(), EditError> {
    let Some(version) = text.language_version().filter(|_| !text.written.is_empty()) else {
        return Ok(());
    };
    let mut brought = language_versions::used(text.tree(), version);
    brought.retain(|it| text.written.makes(it.range));
    for decl in &text.facts.decls {
        let features = of_head(text.facts, decl, version);
        if !features.is_empty() && text.written.touches(head(decl)) {
            let range = decl.name_range;
            brought.extend(features.into_iter().map(|feature| Used { feature, range }));
        }
    }
    if brought.is_empty() {
        return Ok(());
    }
    let known = features_before(text, (old, plan), version)?;
    for Used { feature, range } in brought {
        if known.contains(&feature) {
            continue;
        }
        let line = text.lines().position(range.start).line;
        let warning = not_allowed(text.file, line, (words(text.source, range), feature.1));
        found.warn_at(range.start, warning);
    }
    Ok(())
}

/// The features of the head of a declaration that came after a version.
fn of_head(facts: &FileFacts, decl: &Decl, version: Version) -> Vec<Feature> {
    let around = decl.parent.map(|it| &facts.decls[it as usize]);
    language_versions::used_by_head(version, decl, around)
}

/// The first token of what an edit brings.
fn words(source: &str, range: ByteRange) -> &str {
    let token = token_at(source.as_bytes(), range.start);
    source.get(token.as_usize()).unwrap_or_default()
}

/// The features of the edited files as they are, where the project compiles them.
fn features_before(
    text: &EditedText<'_, '_>,
    (old, plan): (&OldSide<'_>, &Plan),
    version: Version,
) -> Result<FxHashSet<Feature>, EditError> {
    let project = text.key.project.index();
    let mut found = FxHashSet::default();
    for file in plan.files.values().filter(|it| it.is_before()) {
        let path = &file.old.path;
        if !old.symbols.projects_of(path)?.contains(&project) {
            continue;
        }
        if let Some(facts) = old.symbols.facts(path, project, Sections::Bodies)? {
            let source = decode(&file.old_bytes);
            let tree = BodyTree::new(&facts, source.as_str());
            let used = language_versions::used(&tree, version).into_iter();
            found.extend(used.map(|it| it.feature));
            let decls = facts.decls.iter();
            found.extend(decls.flat_map(|it| of_head(&facts, it, version)));
        }
    }
    Ok(found)
}
