//! `await` where code cannot wait, `yield` where it gives no elements, values that iterators return, and references that
//! functions take which go on after their call.
//!
//! Source: C# specification, §12.9.8, §12.20.1, §13.15, §15.14, §15.15.

use cortex_model::{DeclKind, Modifier};
use cortex_syntax::{AccessorKind, BodyId, BodyKind, TypeSyntax, body_flags, ref_kind};

use super::{Violation, around, decl_of, function_of, word};
use crate::body_tree::BodyTree;

/// Adds what is forbidden of `await`, `yield` and `return` in the functions of a file.
pub(super) fn add(tree: &BodyTree<'_>, found: &mut Vec<Violation>) {
    for id in tree.nodes() {
        let node = tree.node(id);
        let is_awaited = node.flags & body_flags::AWAIT != 0;
        let reason = match node.kind {
            BodyKind::Await => forbidden_wait(tree, id),
            BodyKind::ForEach
            | BodyKind::ForEachDeconstruct
            | BodyKind::Using
            | BodyKind::LocalDeclaration
                if is_awaited =>
            {
                forbidden_wait(tree, id)
            }
            BodyKind::Yield => forbidden_yield(tree, id),
            BodyKind::Empty if word(tree, id, 0) == "yield" => forbidden_yield(tree, id),
            BodyKind::Return if !tree.children(id).is_empty() => returns_from_iterator(tree, id),
            BodyKind::LambdaParameter if takes_reference(node.flags) => {
                let function = tree.parent(id);
                function.and_then(|it| forbidden_reference(tree, it))
            }
            _ => None,
        };
        found.extend(reason.map(|reason| Violation {
            offset: node.offset,
            reason,
        }));
        if node.kind == BodyKind::Decl {
            add_parameters(tree, id, found);
        }
    }
}

/// Adds a declaration that takes references and goes on after its call.
fn add_parameters(tree: &BodyTree<'_>, root: BodyId, found: &mut Vec<Violation>) {
    const REFERENCES: [Modifier; 3] = [Modifier::Ref, Modifier::Out, Modifier::In];
    let Some(decl) = decl_of(tree, root) else {
        return;
    };
    let mut params = decl.params.iter().flatten();
    let takes = params.any(|it| REFERENCES.iter().any(|&by| it.modifiers.contains(by)));
    if !takes || decl.kind.type_kind().is_some() {
        return;
    }
    let functions = tree.children(root).into_iter();
    let functions =
        functions.filter(|&it| matches!(tree.kind(it), BodyKind::Body | BodyKind::Accessor));
    let mut reasons = functions.filter_map(|it| forbidden_reference(tree, it));
    found.extend(reasons.next().map(|reason| Violation {
        offset: decl.name_range.start,
        reason,
    }));
}

/// Why a function takes no references, if it does not.
fn forbidden_reference(tree: &BodyTree<'_>, function: BodyId) -> Option<&'static str> {
    if is_async(tree, function) {
        return Some("an `async` function takes no references");
    }
    is_iterator(tree, function).then_some("an iterator takes no references")
}

/// Whether the flags of a parameter say `ref`, `out` or `in`.
fn takes_reference(flags: u8) -> bool {
    flags & 7 != ref_kind::NONE
}

fn forbidden_wait(tree: &BodyTree<'_>, id: BodyId) -> Option<&'static str> {
    let function = function_of(tree, id)?;
    if !is_async(tree, function) {
        return Some("the function around it is not `async`");
    }
    let mut inner = id;
    for outer in around(tree, id) {
        let is_first = tree.index_in_parent(inner) == 0;
        match tree.kind(outer) {
            BodyKind::Lock if !is_first => return Some("code in `lock` cannot wait"),
            BodyKind::When
                if tree.parent(outer).map(|it| tree.kind(it)) == Some(BodyKind::Catch) =>
            {
                return Some("the filter of `catch` cannot wait");
            }
            BodyKind::FromClause | BodyKind::JoinClause if gives_sequence(tree, (outer, inner)) => {
            }
            BodyKind::FromClause
            | BodyKind::JoinClause
            | BodyKind::LetClause
            | BodyKind::WhereClause
            | BodyKind::OrderByClause
            | BodyKind::SelectClause
            | BodyKind::GroupClause => {
                return Some("a query waits in its first sequence and in joined ones alone");
            }
            _ => {}
        }
        inner = outer;
    }
    None
}

/// Whether a part of a clause is the sequence that a query begins with or joins: both are made when the query is.
fn gives_sequence(tree: &BodyTree<'_>, (clause, part): (BodyId, BodyId)) -> bool {
    let is_made = tree.kind(clause) == BodyKind::JoinClause || tree.index_in_parent(clause) == 0;
    is_made && tree.index_in_parent(part) == 1
}

fn is_async(tree: &BodyTree<'_>, function: BodyId) -> bool {
    match tree.kind(function) {
        BodyKind::Lambda | BodyKind::AnonymousMethod | BodyKind::LocalFunction => {
            tree.node(function).flags & body_flags::ASYNC != 0
        }
        BodyKind::Body => {
            let decl = tree.parent(function).and_then(|root| decl_of(tree, root));
            decl.is_none_or(|decl| {
                decl.kind == DeclKind::TopLevel || decl.modifiers.contains(Modifier::Async)
            })
        }
        _ => false,
    }
}

fn forbidden_yield(tree: &BodyTree<'_>, id: BodyId) -> Option<&'static str> {
    let function = function_of(tree, id)?;
    if !may_be_iterator(tree, function) {
        return Some("the function around it gives no elements");
    }
    let is_element = tree.kind(id) == BodyKind::Yield;
    let mut inner = id;
    for outer in around(tree, id) {
        match tree.kind(outer) {
            BodyKind::Finally => return Some("`finally` gives no elements"),
            BodyKind::Catch if is_element => return Some("`catch` gives no elements"),
            BodyKind::Try if is_element && tree.kind(inner) == BodyKind::Block => {
                let mut parts = tree.children(outer).into_iter();
                if parts.any(|it| tree.kind(it) == BodyKind::Catch) {
                    return Some("`try` with `catch` gives no elements");
                }
            }
            _ => {}
        }
        inner = outer;
    }
    None
}

/// Whether a function may give elements, as far as its kind and its keywords tell.
fn may_be_iterator(tree: &BodyTree<'_>, function: BodyId) -> bool {
    match tree.kind(function) {
        BodyKind::LocalFunction => {
            let mut parts = tree.children(function).into_iter();
            let result = parts.find(|&it| {
                !matches!(tree.kind(it), BodyKind::Attribute | BodyKind::TypeParameter)
            });
            result.is_none_or(|it| tree.kind(it) != BodyKind::PredefinedType)
        }
        BodyKind::Accessor | BodyKind::Body => {
            let decl = tree.parent(function).and_then(|root| decl_of(tree, root));
            let Some(decl) = decl else { return true };
            let at = tree.node(function).value as usize;
            let accessor = decl.accessors.get(at).map(|it| it.kind);
            let gives = match tree.kind(function) {
                BodyKind::Accessor => accessor.is_none_or(|it| it == AccessorKind::Get),
                _ => !matches!(
                    decl.kind,
                    DeclKind::Constructor
                        | DeclKind::StaticConstructor
                        | DeclKind::Finalizer
                        | DeclKind::TopLevel
                ),
            };
            gives && !matches!(decl.ty, Some(TypeSyntax::Predefined(_)))
        }
        _ => false,
    }
}

/// Whether the function around a `return` with a value gives elements.
fn returns_from_iterator(tree: &BodyTree<'_>, id: BodyId) -> Option<&'static str> {
    let function = function_of(tree, id)?;
    is_iterator(tree, function).then_some("an iterator returns no value")
}

/// Whether a function gives elements.
fn is_iterator(tree: &BodyTree<'_>, function: BodyId) -> bool {
    let is_yield = |it: BodyId| match tree.kind(it) {
        BodyKind::Yield => true,
        BodyKind::Empty => word(tree, it, 0) == "yield",
        _ => false,
    };
    let mut inside = tree.within(function);
    inside.any(|it| is_yield(it) && function_of(tree, it) == Some(function))
}
