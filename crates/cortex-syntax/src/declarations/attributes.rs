//! Attributes, wherever they stand in a declaration.

use super::Collector;
use crate::{
    arena::NodeId,
    facts::{AccessorKind, AttributeTarget, AttributeUse, TypeSyntax},
    kind::{Field, Kind},
    names::token_text,
    types::type_syntax,
};

/// Before what an attribute list stands.
#[derive(Clone, Copy)]
pub(super) enum AttributeOwner {
    Declaration,
    Parameter(u16),
    TypeParameter(u16),
    Accessor(AccessorKind),
}

impl AttributeOwner {
    /// What the attributes of a list belong to, by the word before its colon (C# specification, §22.3).
    fn target(self, word: Option<&str>) -> AttributeTarget {
        match (self, word) {
            (Self::Declaration, None) => AttributeTarget::Declaration,
            (Self::Declaration, Some(word)) => AttributeTarget::of_word(word),
            (Self::Parameter(at), Some("property")) => AttributeTarget::PropertyOfParameter(at),
            (Self::Parameter(at), Some("field")) => AttributeTarget::FieldOfParameter(at),
            (Self::Parameter(at), _) => AttributeTarget::Parameter(at),
            (Self::TypeParameter(at), _) => AttributeTarget::TypeParameter(at),
            (Self::Accessor(kind), Some("return")) => AttributeTarget::ReturnOfAccessor(kind),
            (Self::Accessor(kind), Some("param")) => AttributeTarget::ParameterOfAccessor(kind),
            (Self::Accessor(kind), _) => AttributeTarget::Accessor(kind),
        }
    }
}

impl Collector<'_, '_> {
    /// `[assembly: …]` and `[module: …]`.
    pub(super) fn global_attribute(&mut self, node: NodeId) {
        let arena = self.arena;
        self.out.global_attributes.push(node);
        let target = arena
            .children(node)
            .find(|&c| matches!(arena.bytes(c), b"assembly" | b"module"));
        let target = target.map_or(AttributeTarget::Other, |target| {
            AttributeTarget::of_word(arena.str(target))
        });
        for attribute in arena
            .children(node)
            .filter(|&child| arena.kind(child) == Kind::Attribute)
        {
            let attribute = self.attribute(attribute, target);
            self.out.assembly_attributes.push(attribute);
        }
    }

    /// The attributes of one list.
    pub(super) fn attribute_list(
        &mut self,
        out: &mut Vec<AttributeUse>,
        list: NodeId,
        owner: AttributeOwner,
    ) {
        let arena = self.arena;
        let word = arena.child_of_kind(list, Kind::AttributeTarget);
        let word = word.map(|word| token_text(arena, word, arena.node(word).after));
        let target = owner.target(word.as_deref().map(|it| it.trim_end_matches(':').trim()));
        for attribute in arena
            .children(list)
            .filter(|&child| arena.kind(child) == Kind::Attribute)
        {
            out.push(self.attribute(attribute, target));
        }
    }

    fn attribute(&mut self, node: NodeId, target: AttributeTarget) -> AttributeUse {
        let arena = self.arena;
        let name = arena.child(node, Field::Name);
        let arguments = arena
            .child_of_kind(node, Kind::AttributeArgumentList)
            .map(|list| {
                let text = token_text(arena, list, arena.node(list).after);
                self.names.intern(
                    text.trim_start_matches('(')
                        .strip_suffix(')')
                        .unwrap_or(&text),
                )
            });
        AttributeUse {
            target,
            name: name.map_or(TypeSyntax::Unknown, |name| {
                type_syntax(arena, self.refs, self.names, name)
            }),
            arguments,
        }
    }

    /// The attributes of all lists directly inside of a node.
    pub(super) fn attributes_in(
        &mut self,
        out: &mut Vec<AttributeUse>,
        node: NodeId,
        owner: AttributeOwner,
    ) {
        let arena = self.arena;
        let lists = arena
            .children(node)
            .filter(|&child| arena.kind(child) == Kind::AttributeList);
        for list in lists {
            self.attribute_list(out, list, owner);
        }
    }
}
