//! Code that discards values as `_`, which something of that name would take.
//!
//! Must not know: what names mean. Where a variable is called `_`, its values seem to be discarded.
//!
//! Source: C# specification, §9.2.9.2 (discards): `_` discards where nothing has the name, and as a pattern or a
//! designation whatever has it; `@_` never does.

use cortex_syntax::{BodyId, BodyKind, FileFacts, Op, ref_kind};

/// Whether a value is assigned, passed or taken apart to `_`.
pub(super) fn has_some(facts: &FileFacts) -> bool {
    let bodies = &facts.bodies;
    let first = |id: BodyId| bodies.children(id).next();
    let is_discard = |id: BodyId| {
        let node = bodies.node(id);
        let is_verbatim = node.flags & 1 != 0;
        node.kind == BodyKind::Name
            && !is_verbatim
            && node.name().is_some_and(|name| facts.name(name) == "_")
    };
    bodies
        .nodes()
        .iter()
        .zip(0..)
        .any(|(node, id)| match node.kind {
            BodyKind::Assignment => {
                node.flags == Op::Assign as u8 && first(id).is_some_and(is_discard)
            }
            BodyKind::Argument => {
                node.flags & (ref_kind::PARAMS - 1) == ref_kind::OUT
                    && first(id).is_some_and(is_discard)
            }
            BodyKind::Tuple => bodies.children(id).filter_map(first).any(is_discard),
            _ => false,
        })
}
