//! Accessors of properties, indexers and events.

use cortex_model::Modifiers;

use super::{Collector, accessibility, attributes::AttributeOwner, modifier};
use crate::{
    arena::NodeId,
    facts::{Accessor, AccessorKind, Decl},
    kind::{Field, Kind},
    names::TokenHash,
};

impl Collector<'_, '_> {
    /// The accessors of a list.
    pub(super) fn accessors(&mut self, decl: &mut Decl, list: NodeId, hash: &mut TokenHash) {
        let arena = self.arena;
        for node in arena
            .children(list)
            .filter(|&child| arena.kind(child) == Kind::AccessorDeclaration)
        {
            let Some(name) = arena.child(node, Field::Name) else {
                continue;
            };
            let kind = match arena.bytes(name) {
                b"get" => AccessorKind::Get,
                b"set" => AccessorKind::Set,
                b"init" => AccessorKind::Init,
                b"add" => AccessorKind::Add,
                b"remove" => AccessorKind::Remove,
                _ => continue,
            };
            let mut accessor = Accessor {
                kind,
                accessibility: None,
                modifiers: Modifiers::EMPTY,
                has_body: false,
            };
            for child in arena
                .children(node)
                .filter(|&child| arena.kind(child) == Kind::Modifier)
            {
                match accessibility(accessor.accessibility, arena.str(child)) {
                    Some(found) => accessor.accessibility = Some(found),
                    None => {
                        accessor.modifiers = accessor.modifiers.union(modifier(arena.str(child)))
                    }
                }
            }
            self.attributes_in(&mut decl.attributes, node, AttributeOwner::Accessor(kind));
            if let Some(body) = arena.child(node, Field::Body) {
                accessor.has_body = true;
                hash.add(b'0' + kind as u8, arena, body, arena.node(body).after);
            }
            decl.accessors.push(accessor);
        }
    }
}
