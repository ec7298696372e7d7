//! Statements that lack a part, declarations that need a block, and functions in functions that end without a value.
//!
//! Source: C# specification, §13.3, §13.6.4 (local functions), §13.11 (`try`), §12.19 (lambdas).

use cortex_syntax::{BodyId, BodyKind, body_flags};

use super::Violation;
use crate::{
    body_tree::BodyTree,
    declaration_rules::{ends, returns_of},
    ways::Conditions,
};

/// Adds what is forbidden of the blocks of a file.
pub(super) fn add(tree: &BodyTree<'_>, conditions: &Conditions, found: &mut Vec<Violation>) {
    for id in tree.nodes() {
        let reason = match tree.kind(id) {
            BodyKind::Try if tree.children(id).len() == 1 => {
                Some("it has neither `catch` nor `finally`")
            }
            BodyKind::LocalDeclaration | BodyKind::LocalFunction if is_embedded(tree, id) => {
                Some("a declaration there needs a block around it")
            }
            BodyKind::SingleDesignation if is_in_or(tree, id) => {
                Some("`or` does not say which value it has")
            }
            kind if is_function(kind) && ends_without_value(tree, conditions, id) => {
                Some("not every way through it returns a value")
            }
            _ => None,
        };
        found.extend(reason.map(|reason| Violation {
            offset: tree.span(id).start,
            reason,
        }));
    }
}

/// Whether a declaration is the statement that another one runs.
fn is_embedded(tree: &BodyTree<'_>, id: BodyId) -> bool {
    let Some(parent) = tree.parent(id) else {
        return false;
    };
    let at = tree.index_in_parent(id);
    match tree.kind(parent) {
        BodyKind::If => at > 0,
        BodyKind::While | BodyKind::Lock | BodyKind::Fixed => at == 1,
        // `using (var x = y)`
        BodyKind::Using => at == 1,
        BodyKind::Do => at == 0,
        BodyKind::For | BodyKind::ForEach => at == 3,
        BodyKind::ForEachDeconstruct => at == 2,
        _ => false,
    }
}

/// Whether a variable is declared in one of several patterns that may fit.
fn is_in_or(tree: &BodyTree<'_>, designation: BodyId) -> bool {
    let patterns = BodyKind::ConstantPattern as u8..=BodyKind::SlicePattern as u8;
    let is_part = |it: &BodyId| {
        patterns.contains(&(tree.kind(*it) as u8))
            || tree.kind(*it) == BodyKind::ParenthesizedDesignation
    };
    let mut around = (tree.ancestors(designation))
        .filter(|&it| it != designation)
        .take_while(is_part);
    around.any(|it| tree.kind(it) == BodyKind::BinaryPattern && tree.node(it).flags & 1 == 1)
}

fn is_function(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction
    )
}

/// Whether control reaches the end of a function in a function that has to return a value.
fn ends_without_value(tree: &BodyTree<'_>, conditions: &Conditions, function: BodyId) -> bool {
    let parts = tree.children(function);
    let mut blocks = parts.iter().filter(|&&it| tree.kind(it) == BodyKind::Block);
    let Some(&block) = blocks.next_back() else {
        return false;
    };
    let has_value = match tree.kind(function) {
        BodyKind::LocalFunction => {
            let mut types = parts.iter().copied().filter(|&it| is_type(tree.kind(it)));
            let is_async = tree.node(function).flags & body_flags::ASYNC != 0;
            types.next().is_some_and(|ty| match tree.kind(ty) {
                BodyKind::PredefinedType => tree.text_of(ty) != "void",
                // What an `async` function returns is its task's.
                _ if is_async => tree.text_of(ty).ends_with('>'),
                _ => true,
            })
        }
        // Of a lambda, one `return` says so.
        _ => returns_of(tree, block).any(|it| !tree.children(it).is_empty()),
    };
    has_value && ends(tree, conditions, block)
}

fn is_type(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::Name
            | BodyKind::GenericName
            | BodyKind::MemberAccess
            | BodyKind::AliasQualified
            | BodyKind::PredefinedType
            | BodyKind::ArrayType
            | BodyKind::NullableType
            | BodyKind::PointerType
            | BodyKind::TupleType
            | BodyKind::RefType
            | BodyKind::FunctionPointerType
    )
}
