//! What the language forbids of statements whatever their names mean: variables of one name, jumps that lead nowhere,
//! `await` and `yield` where they may not stand, and labels that no value reaches.
//!
//! Of what is not certain without binding, nothing is said. Source: C# specification, §7.3, §13.3, §13.8.3, §13.10,
//! §13.15, §15.14, §15.15. Must not know: what names mean.

mod blocks;
mod cases;
mod jumps;
mod scopes;
mod suspensions;

use cortex_syntax::{BodyId, BodyKind, Decl};

pub(crate) use self::{
    cases::{Label, labels},
    scopes::Shadowing,
};
use crate::{body_tree::BodyTree, ways::Conditions};

/// What the language forbids at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Violation {
    /// The first byte of the word that is one too many.
    pub(crate) offset: u32,
    /// Why it may not stand there.
    pub(crate) reason: &'static str,
}

/// All that is forbidden of the statements of a file, ascending. O(nodes × depth).
pub(crate) fn violations(
    tree: &BodyTree<'_>,
    conditions: &Conditions,
    shadowing: Shadowing,
) -> Vec<Violation> {
    let mut found = scopes::violations(tree, shadowing);
    jumps::add(tree, conditions, &mut found);
    suspensions::add(tree, &mut found);
    cases::add(tree, &mut found);
    blocks::add(tree, conditions, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// The declaration whose tree has a root.
fn decl_of<'t>(tree: &BodyTree<'t>, root: BodyId) -> Option<&'t Decl> {
    let at = (tree.node(root).value as usize).checked_sub(1)?;
    tree.facts.decls.get(at)
}

/// The nodes around another one inside of its function, the nearest first: lambdas, local functions and parts of
/// declarations end it.
fn around<'t>(tree: &'t BodyTree<'_>, id: BodyId) -> impl Iterator<Item = BodyId> + 't {
    tree.ancestors(id)
        .take_while(|&it| !is_function(tree.kind(it)))
}

/// The function around a node: a lambda, a local function, or a part of a declaration.
fn function_of(tree: &BodyTree<'_>, id: BodyId) -> Option<BodyId> {
    tree.ancestors(id).find(|&it| is_function(tree.kind(it)))
}

fn is_function(kind: BodyKind) -> bool {
    matches!(
        kind,
        BodyKind::Lambda
            | BodyKind::AnonymousMethod
            | BodyKind::LocalFunction
            | BodyKind::Attribute
            | BodyKind::ParameterDefault
            | BodyKind::BaseArguments
            | BodyKind::Initializer
            | BodyKind::Accessor
            | BodyKind::Body
    )
}

/// The token of a node at a position, without `@`.
fn word<'t>(tree: &BodyTree<'t>, id: BodyId, at: usize) -> &'t str {
    let tokens = tree.tokens_in(tree.span(id));
    let word = tokens.get(at).and_then(|it| tree.text.get(it.as_usize()));
    word.unwrap_or_default()
}
