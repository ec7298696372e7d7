//! Parameters of declarations, and the receivers of extension blocks.

use cortex_model::{Modifier, Modifiers};

use super::{Collector, attributes::AttributeOwner, modifier};
use crate::{
    arena::NodeId,
    facts::{AttributeUse, NameId, Param, TypeSyntax},
    kind::{Field, Kind},
    names::{TokenHash, token_text},
    types::type_syntax,
};

impl Collector<'_, '_> {
    /// The parameters of a list; their attributes go to `attributes`.
    pub(super) fn params(
        &mut self,
        list: NodeId,
        hash: &mut TokenHash,
        attributes: &mut Vec<AttributeUse>,
    ) -> Vec<Param> {
        let arena = self.arena;
        let mut out = Vec::new();
        // `params T[] rest` stands directly in the list: its words are gathered until its name.
        let mut loose = empty_param(0);
        for child in arena.children(list) {
            match (arena.kind(child), arena.node(child).field) {
                (Kind::Parameter, _) => {
                    let at = AttributeOwner::Parameter(out.len() as u16);
                    self.attributes_in(attributes, child, at);
                    out.push(self.param(child, hash));
                }
                (Kind::AttributeList, _) => {
                    let at = AttributeOwner::Parameter(out.len() as u16);
                    self.attribute_list(attributes, child, at);
                }
                (_, Field::Type) => {
                    loose.ty = Some(type_syntax(arena, self.refs, self.names, child))
                }
                (_, Field::Name) => {
                    loose.name = self.names.identifier(arena.str(child));
                    out.push(std::mem::replace(&mut loose, empty_param(0)));
                }
                (Kind::Token, _) => {
                    loose.modifiers = loose.modifiers.union(modifier(arena.str(child)))
                }
                _ => {}
            }
        }
        out
    }

    fn param(&mut self, node: NodeId, hash: &mut TokenHash) -> Param {
        let arena = self.arena;
        let mut param = empty_param(0);
        let mut default = false;
        for child in arena.children(node) {
            let at = arena.node(child);
            match (at.kind, at.field) {
                (Kind::Modifier, _) => {
                    for word in arena.str(child).split_ascii_whitespace() {
                        param.modifiers = param.modifiers.union(modifier(word));
                    }
                }
                (Kind::Token, _) if arena.bytes(child) == b"=" => default = true,
                (Kind::Token, _) => {
                    param.modifiers = param.modifiers.union(modifier(arena.str(child)))
                }
                (_, Field::Type) => {
                    if at.kind == Kind::ScopedType {
                        param.modifiers = param.modifiers.with(Modifier::Scoped);
                    }
                    param.ty = Some(type_syntax(arena, self.refs, self.names, child));
                }
                (_, Field::Name) => param.name = self.names.identifier(arena.str(child)),
                (Kind::AttributeList | Kind::Comment, _) => {}
                _ if default => {
                    param.default = Some(self.names.intern(&token_text(arena, child, at.after)));
                    hash.add(b'd', arena, child, at.after);
                }
                _ => {}
            }
        }
        // `ref`, `ref readonly` and `in` may come as part of the type.
        match param.ty.take() {
            Some(TypeSyntax::Ref(inner)) => {
                param.modifiers = param.modifiers.with(Modifier::Ref);
                param.ty = Some(*inner);
            }
            Some(TypeSyntax::RefReadonly(inner)) => {
                param.modifiers = param.modifiers.with(Modifier::Ref).with(Modifier::Readonly);
                param.ty = Some(*inner);
            }
            ty => param.ty = ty,
        }
        param
    }

    /// The receiver of `extension(ref int)`, which the tree has as a base type.
    pub(super) fn nameless_receiver(&mut self, list: NodeId) -> Param {
        let arena = self.arena;
        let mut param = empty_param(self.names.intern(""));
        let ty = arena
            .children(list)
            .find(|&child| !matches!(arena.kind(child), Kind::Token | Kind::Comment));
        if let Some(ty) = ty {
            // What a repair took away stands between the parenthesis and the type.
            let before =
                &arena.text[arena.node(list).start as usize..arena.node(ty).start as usize];
            for word in before.split(|byte| !byte.is_ascii_alphabetic()) {
                let word = std::str::from_utf8(word).unwrap_or_default();
                param.modifiers = param.modifiers.union(modifier(word));
            }
            param.ty = Some(type_syntax(arena, self.refs, self.names, ty));
        }
        param
    }
}

fn empty_param(name: NameId) -> Param {
    Param {
        name,
        ty: None,
        modifiers: Modifiers::EMPTY,
        default: None,
    }
}
