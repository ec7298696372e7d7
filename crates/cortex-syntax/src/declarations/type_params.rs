//! Type parameters and their constraints.

use super::{Collector, attributes::AttributeOwner};
use crate::{
    arena::NodeId,
    facts::{AttributeUse, Constraint, TypeParam, Variance},
    kind::{Field, Kind},
    names::token_text,
    types::type_syntax,
};

impl Collector<'_, '_> {
    /// The type parameters of a list; their attributes go to `attributes`.
    pub(super) fn type_params(
        &mut self,
        list: NodeId,
        attributes: &mut Vec<AttributeUse>,
    ) -> Vec<TypeParam> {
        let arena = self.arena;
        let params = arena
            .children(list)
            .filter(|&child| arena.kind(child) == Kind::TypeParameter);
        let mut out = Vec::new();
        for param in params {
            let mut variance = Variance::None;
            let mut name = None;
            for child in arena.children(param) {
                match arena.bytes(child) {
                    b"in" => variance = Variance::In,
                    b"out" => variance = Variance::Out,
                    _ if arena.kind(child) == Kind::Identifier => {
                        name = Some(self.names.identifier(arena.str(child)))
                    }
                    _ => {}
                }
            }
            if let Some(name) = name {
                let at = AttributeOwner::TypeParameter(out.len() as u16);
                self.attributes_in(attributes, param, at);
                out.push(TypeParam {
                    name,
                    variance,
                    constraints: Vec::new(),
                });
            }
        }
        out
    }

    /// One `where` clause.
    pub(super) fn constraints(&mut self, params: &mut [TypeParam], clause: NodeId) {
        let arena = self.arena;
        let Some(name) = arena.child_of_kind(clause, Kind::Identifier) else {
            return;
        };
        let name = self.names.identifier(arena.str(name));
        let Some(param) = params.iter_mut().find(|param| param.name == name) else {
            return;
        };
        for child in arena
            .children(clause)
            .filter(|&c| arena.kind(c) == Kind::TypeParameterConstraint)
        {
            let text = arena.str(child);
            let ty = arena
                .child(child, Field::Type)
                .filter(|_| !text.starts_with("allows"));
            param.constraints.push(match ty {
                // The grammar has some of the keywords as names.
                Some(_) if matches!(text, "notnull" | "unmanaged" | "default") => {
                    Constraint::Keyword(self.names.intern(text))
                }
                Some(ty) => Constraint::Type(type_syntax(arena, self.refs, self.names, ty)),
                None if text.starts_with("allows") => {
                    Constraint::Keyword(self.names.intern("allows ref struct"))
                }
                None => {
                    let text = token_text(arena, child, arena.node(child).after);
                    Constraint::Keyword(self.names.intern(&text))
                }
            });
        }
    }
}
