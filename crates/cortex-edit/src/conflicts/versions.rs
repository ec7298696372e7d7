//! Text of an edit that uses what the language has only since a later version than its project's ([`language_versions`]).

use cortex_model::{ByteRange, DeclKind};
use cortex_semantics::{LocalKind, Target};
use cortex_syntax::{
    BodyId, BodyKind, Decl, FileFacts, Sections,
    text::{decode, token_at},
};
use rustc_hash::FxHashSet;

use super::{EditedText, not_allowed, rules::head};
use crate::{
    EditError,
    body_tree::BodyTree,
    language_versions::{
        self, FIELD_KEYWORD, Feature, METHOD_TYPE, STRUCT_WITH, TARGET_TYPED_CONDITIONAL, Used,
        Version, is_value_of_var, marks,
    },
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
    brought.extend(typed(text, plan, version));
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

/// The features that types and names decide, of what an edit writes. What an edited file had word for word is none.
fn typed(text: &EditedText<'_, '_>, plan: &Plan, version: Version) -> Vec<Used> {
    let (c, tree) = (text.compilation, text.tree());
    let feature = |id: BodyId| match tree.kind(id) {
        BodyKind::With => {
            let ty = text.bound().type_of(*tree.children(id).first()?)?.own;
            let is_nominal = c.def_of(ty).is_some() && !c.is_value_type(ty);
            let is_copied = !ty.is_none() && !ty.is_error() && !is_nominal;
            is_copied.then_some(STRUCT_WITH)
        }
        BodyKind::Name | BodyKind::GenericName | BodyKind::MemberAccess => {
            let is_field = || is_backing_field(text, id).then_some(FIELD_KEYWORD);
            let of_var = is_value_of_var(tree, id) && is_method(text, id);
            of_var.then_some(METHOD_TYPE).or_else(is_field)
        }
        BodyKind::Conditional => is_target_typed(text, id).then_some(TARGET_TYPED_CONDITIONAL),
        _ => None,
    };
    let feature = |id: BodyId| feature(id).filter(|(since, _)| *since > version);
    let was_there = |id: BodyId| {
        let mut files = plan.files.values().filter(|it| it.is_before());
        files.any(|it| decode(&it.old_bytes).as_str().contains(tree.text_of(id)))
    };
    let written = |&id: &BodyId| text.written.touches(tree.span(id));
    let used = tree.nodes().filter(written).filter_map(|id| {
        let feature = feature(id)?;
        let range = marks(tree, id, feature);
        (text.written.makes(range) && !was_there(id)).then_some(Used { feature, range })
    });
    used.collect()
}

/// Whether a `?:` has no type but that of its place, where both of its values are known, or whether its values convert to
/// the type of its place and their own type does not.
fn is_target_typed(text: &EditedText<'_, '_>, id: BodyId) -> bool {
    let bound = text.bound();
    if let Some(whole) = bound.type_of(id)
        && !whole.own.is_none()
    {
        let values = text.tree().children(id).into_iter().skip(1);
        let mut converted = values.filter_map(|it| bound.type_of(it)?.converted);
        return converted.any(|it| it != whole.own && whole.converted == Some(it));
    }
    let is_known = |it: &BodyId| bound.type_of(*it).is_some_and(|it| !it.own.is_error());
    let parts = text.tree().children(id);
    bound.type_of(id).is_some_and(|it| it.own.is_none()) && parts.iter().all(is_known)
}

/// Whether a name is `field` in a property that nothing has as a name: what a later version stores a value in.
fn is_backing_field(text: &EditedText<'_, '_>, id: BodyId) -> bool {
    let tree = text.tree();
    let node = tree.node(id);
    if tree.kind(id) != BodyKind::Name || tree.text_of(id) != "field" {
        return false;
    }
    let mut around = tree.ancestors(id);
    let is_in_property = around.any(|it| {
        let decl = (tree.node(it).value as usize).checked_sub(1);
        let decl = decl.and_then(|at| tree.facts.decls.get(at));
        tree.kind(it) == BodyKind::Decl && decl.is_some_and(|it| it.kind == DeclKind::Property)
    });
    let mut refs = text.bound().unit.decls.iter().flat_map(|(_, it)| &it.refs);
    is_in_property
        && !refs.any(|it| it.offset == node.offset)
        && text.locals().symbol_at(node.offset).is_none()
}

/// Whether a name means a method or a local function.
fn is_method(text: &EditedText<'_, '_>, id: BodyId) -> bool {
    let tree = text.tree();
    let name = match tree.kind(id) {
        BodyKind::MemberAccess => tree.children(id).last().copied(),
        _ => Some(id),
    };
    let Some(offset) = name.map(|it| tree.node(it).offset) else {
        return false;
    };
    let c = text.compilation;
    let mut refs = text.bound().unit.decls.iter().flat_map(|(_, it)| &it.refs);
    let is_member = refs.any(|it| match it.target {
        Target::Member(member) => it.offset == offset && c.member(member).kind == DeclKind::Method,
        Target::Type(_) => false,
    });
    let symbol = text.locals().symbol_at(offset);
    let mut declared = text.locals().declarations.iter();
    is_member
        || symbol.is_some_and(|symbol| {
            declared.any(|it| it.symbol == symbol && it.kind == LocalKind::LocalFunction)
        })
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
