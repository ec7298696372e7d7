//! The parts of declarations as bound: types of this repository by their canonical names.
//!
//! Must not know: the texts that are made of them.

use std::fmt::Write;

use cortex_model::{AccessorKind, DeclKind, Modifier, Modifiers};
use cortex_syntax::{AttributeUse, Constraint, Decl, FileFacts, Param, TypeSyntax, Variance};

use crate::{
    headers::{Bound, Universe},
    member::{AccessorNode, AttributeNode, ParamNode, TypeParamNode, TypeShape},
};

/// Reads the declarations of one file.
pub(crate) struct Renderer<'a> {
    pub(crate) facts: &'a FileFacts,
    pub(crate) bound: &'a [Bound],
    pub(crate) universe: &'a dyn Universe,
}

impl Renderer<'_> {
    /// A type as bound: source types by canonical name, all others as written.
    pub(crate) fn ty(&self, out: &mut String, ty: &TypeSyntax) {
        match ty {
            TypeSyntax::Named(segments) => {
                let Some(last) = segments.last() else { return };
                match self.bound.get(last.reference as usize) {
                    Some(Bound::Type(key)) => match self.universe.symbol(*key) {
                        Some(symbol) => out.push_str(
                            symbol
                                .fqn
                                .rsplit_once('`')
                                .filter(|(_, n)| !n.contains(['+', '.']))
                                .map_or(symbol.fqn.as_str(), |(name, _)| name),
                        ),
                        None => out.push_str(self.name(last.reference)),
                    },
                    _ => {
                        let mut first = true;
                        for segment in segments {
                            let name = self.name(segment.reference);
                            if first && name == "global" && segments.len() > 1 {
                                continue;
                            }
                            if !first {
                                out.push('.');
                            }
                            first = false;
                            out.push_str(name);
                            if segment.reference != last.reference {
                                self.arguments(out, &segment.arguments);
                            }
                        }
                    }
                }
                self.arguments(out, &last.arguments);
            }
            TypeSyntax::Predefined(name) => out.push_str(self.facts.name(*name)),
            TypeSyntax::Array(inner, rank) => {
                self.ty(out, inner);
                out.push('[');
                (1..*rank).for_each(|_| out.push(','));
                out.push(']');
            }
            TypeSyntax::Nullable(inner) => {
                self.ty(out, inner);
                out.push('?');
            }
            TypeSyntax::Pointer(inner) => {
                self.ty(out, inner);
                out.push('*');
            }
            TypeSyntax::Tuple(elements) => {
                out.push('(');
                for (i, (element, name)) in elements.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    self.ty(out, element);
                    if let Some(name) = name {
                        let _ = write!(out, " {}", self.facts.name(*name));
                    }
                }
                out.push(')');
            }
            TypeSyntax::Ref(inner) => {
                out.push_str("ref ");
                self.ty(out, inner);
            }
            TypeSyntax::RefReadonly(inner) => {
                out.push_str("ref readonly ");
                self.ty(out, inner);
            }
            TypeSyntax::FunctionPointer(convention, parts) => {
                out.push_str(self.facts.name(*convention));
                self.arguments(out, parts);
            }
            TypeSyntax::Unknown => out.push('?'),
        }
    }

    fn name(&self, reference: u32) -> &str {
        self.facts
            .refs
            .get(reference as usize)
            .map_or("?", |reference| self.facts.name(reference.name))
    }

    fn arguments(&self, out: &mut String, arguments: &[TypeSyntax]) {
        if arguments.is_empty() {
            return;
        }
        out.push('<');
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            self.ty(out, argument);
        }
        out.push('>');
    }

    /// A type as bound.
    pub(crate) fn type_text(&self, ty: &TypeSyntax) -> String {
        let mut out = String::new();
        self.ty(&mut out, ty);
        out
    }

    pub(crate) fn params(&self, params: &[Param]) -> Vec<ParamNode> {
        let params = params.iter().map(|param| ParamNode {
            name: self.facts.name(param.name).to_owned(),
            ty: (param.ty.as_ref()).map_or_else(|| "?".to_owned(), |ty| self.type_text(ty)),
            modifiers: param.modifiers,
            is_optional: param.default.is_some(),
        });
        params.collect()
    }

    pub(crate) fn type_params(&self, decl: &Decl) -> Vec<TypeParamNode> {
        let params = decl.type_params.iter().map(|param| TypeParamNode {
            name: self.facts.name(param.name).to_owned(),
            variance: match param.variance {
                Variance::None => Modifiers::EMPTY,
                Variance::In => Modifiers::EMPTY.with(Modifier::In),
                Variance::Out => Modifiers::EMPTY.with(Modifier::Out),
            },
            constraints: (param.constraints.iter())
                .map(|constraint| match constraint {
                    Constraint::Type(ty) => self.type_text(ty),
                    Constraint::Keyword(word) => self.facts.name(*word).to_owned(),
                })
                .collect(),
        });
        params.collect()
    }

    /// Accessors by kind; a property with a body instead of accessors has a getter.
    pub(crate) fn accessors(&self, decl: &Decl) -> Vec<AccessorNode> {
        if decl.kind == DeclKind::Property && decl.accessors.is_empty() {
            return vec![accessor(AccessorKind::Get)];
        }
        let accessors = decl.accessors.iter().map(|accessor| AccessorNode {
            kind: accessor.kind,
            accessibility: accessor.accessibility,
            modifiers: accessor.modifiers,
        });
        let mut accessors: Vec<AccessorNode> = accessors.collect();
        accessors.sort_by_key(|accessor| accessor.kind);
        accessors
    }

    /// Attributes sorted by text: their order means nothing.
    pub(crate) fn attributes(&self, attributes: &[AttributeUse]) -> Vec<AttributeNode> {
        let attributes = attributes.iter().map(|attribute| AttributeNode {
            target: attribute.target,
            name: self.type_text(&attribute.name),
            arguments: (attribute.arguments).map(|tokens| self.facts.name(tokens).to_owned()),
        });
        let mut attributes: Vec<AttributeNode> = attributes.collect();
        if attributes.len() > 1 {
            attributes.sort_by_cached_key(ToString::to_string);
        }
        attributes
    }

    /// What a declaration of a type says of it besides bases and members.
    pub(crate) fn type_shape(&self, decl: &Decl) -> TypeShape {
        let has_types = matches!(decl.kind, DeclKind::Delegate | DeclKind::Enum);
        TypeShape {
            attributes: self.attributes(&decl.attributes),
            type_params: self.type_params(decl),
            ty: (decl.ty.as_ref())
                .filter(|_| has_types)
                .map(|ty| self.type_text(ty)),
            params: (decl.params.as_deref())
                .filter(|_| has_types)
                .map(|params| self.params(params)),
        }
    }
}

/// An accessor as a rule makes it.
pub(crate) fn accessor(kind: AccessorKind) -> AccessorNode {
    AccessorNode {
        kind,
        accessibility: None,
        modifiers: Modifiers::EMPTY,
    }
}
