//! What the language forbids of the parameters of declarations, and of what fields, properties and events hold.
//!
//! Source: C# specification, §15.5.1, §15.6.2, §15.7.3, §15.8.1, §15.9.1, §16.4.2.

use cortex_model::{DeclKind, Modifier, TypeKind};
use cortex_syntax::{AccessorKind, Decl, FileFacts, Param, TypeSyntax};

use super::Owner;

/// Why the parameters of a declaration may not stand like this.
pub(super) fn forbidden_parameters(decl: &Decl) -> Option<&'static str> {
    let params = decl.params.as_deref().unwrap_or_default();
    if decl.kind == DeclKind::Indexer && params.is_empty() {
        return Some("an indexer has parameters");
    }
    let is_array = |it: &Param| it.modifiers.contains(Modifier::Params);
    let mut has_optional = false;
    for (at, param) in params.iter().enumerate() {
        let is_last = at + 1 == params.len();
        if is_array(param) && !is_last {
            return Some("a `params` parameter is the last one");
        }
        if is_array(param) && param.default.is_some() {
            return Some("a `params` parameter has no default value");
        }
        let is_written = [Modifier::Ref, Modifier::Out].into_iter();
        let is_written = is_written.clone().any(|it| param.modifiers.contains(it));
        let may_have_default = !is_written || param.modifiers.contains(Modifier::Readonly);
        if param.default.is_some() && !may_have_default {
            return Some("a parameter that is written has no default value");
        }
        if has_optional && param.default.is_none() && !is_array(param) {
            return Some("parameters without a default value come first");
        }
        has_optional |= param.default.is_some();
    }
    None
}

/// Why a field, property or event may not hold values of its type, or change them.
pub(super) fn forbidden_value(
    facts: &FileFacts,
    decl: &Decl,
    owner: Owner,
) -> Option<&'static str> {
    let is_value = matches!(
        decl.kind,
        DeclKind::Field
            | DeclKind::Constant
            | DeclKind::Event
            | DeclKind::Property
            | DeclKind::Indexer
    );
    if !is_value {
        return None;
    }
    let has = |modifier| decl.modifiers.contains(modifier);
    if matches!(&decl.ty, Some(TypeSyntax::Predefined(name)) if facts.name(*name) == "void") {
        return Some("`void` has no values");
    }
    let is_of_interface = owner.kind == TypeKind::Interface && !has(Modifier::Static);
    if is_of_interface && decl.kind == DeclKind::Property && decl.value.is_some() {
        return Some("a property of an interface has no first value");
    }
    let is_of_object = !has(Modifier::Static) && owner.is_readonly;
    if is_of_object && decl.kind == DeclKind::Field && !has(Modifier::Readonly) {
        return Some("a readonly struct has readonly fields alone");
    }
    let makes_field = [Modifier::Abstract, Modifier::Extern, Modifier::Partial]
        .into_iter()
        .all(|it| !has(it))
        && owner.kind != TypeKind::Interface;
    let is_automatic = decl.kind == DeclKind::Property
        && makes_field
        && !decl.accessors.is_empty()
        && decl.accessors.iter().all(|it| !it.has_body);
    let accessor = |kind| decl.accessors.iter().any(|it| it.kind == kind);
    if is_automatic && !accessor(AccessorKind::Get) {
        return Some("a property without bodies has a `get` accessor");
    }
    (is_automatic && is_of_object && accessor(AccessorKind::Set))
        .then_some("a readonly struct has no property without bodies that can be set")
}
