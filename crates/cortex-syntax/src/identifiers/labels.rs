//! Labels and the `goto` statements that name them (C# specification, §13.5, §13.10.4).
//!
//! Must not know: what other names mean.

use super::{Identifiers, Link, LinkKind, is_case};
use crate::{
    arena::{Arena, NodeId},
    kind::Kind,
    names::identifier_text,
};

/// Collects the labels, and links each `goto` with its label.
pub(super) fn collect(arena: &Arena<'_>, found: &mut Identifiers) {
    let mut labels: Vec<(NodeId, NodeId)> = Vec::new();
    let mut jumps: Vec<(NodeId, NodeId)> = Vec::new();
    for (node, id) in arena.nodes.iter().zip(0..) {
        let name = || arena.child_of_kind(id, Kind::Identifier);
        match node.kind {
            Kind::Labeled => labels.extend(name().map(|name| (block_around(arena, id), name))),
            Kind::Goto if !is_case(arena, id) => jumps.extend(name().map(|name| (id, name))),
            _ => {}
        }
    }
    let names = labels.iter().map(|&(_, name)| arena.range(name));
    found.labels.extend(names);
    for (goto, name) in jumps {
        if let Some(label) = target(arena, &labels, goto, name) {
            found.links.push(Link {
                range: arena.range(name),
                declared: arena.node(label).start,
                kind: LinkKind::Goto,
            });
        }
    }
}

/// The label of a name in the innermost block around a `goto` that declares it; functions end the search.
fn target(
    arena: &Arena<'_>,
    labels: &[(NodeId, NodeId)],
    goto: NodeId,
    name: NodeId,
) -> Option<NodeId> {
    let text = identifier_text(arena.str(name));
    let mut at = goto;
    loop {
        let found = labels
            .iter()
            .find(|&&(block, label)| block == at && identifier_text(arena.str(label)) == text);
        if let Some(&(_, label)) = found {
            return Some(label);
        }
        if at == 0 || is_function(arena.kind(at)) {
            return None;
        }
        at = arena.node(at).parent;
    }
}

/// The block, switch block or file whose label a labeled statement declares.
fn block_around(arena: &Arena<'_>, labeled: NodeId) -> NodeId {
    let mut at = arena.node(labeled).parent;
    while at != 0 && !matches!(arena.kind(at), Kind::Block | Kind::SwitchBody) {
        at = arena.node(at).parent;
    }
    at
}

fn is_function(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Lambda | Kind::AnonymousMethod | Kind::LocalFunction
    )
}
