//! The parts of declarations as bound: types of this repository by their canonical names.
//!
//! Must not know: the texts that are made of them.

use std::{cell::Cell, fmt::Write};

use cortex_model::{AccessorKind, DeclKind, Modifier, Modifiers};
use cortex_syntax::{
    AttributeUse, Constraint, Decl, DeclId, FileFacts, NameSegment, Param, TypeSyntax, Variance,
};

use crate::{
    headers::{Bound, Universe},
    member::{AccessorNode, AttributeNode, ParamNode, TypeParamNode, TypeShape},
    outside::{
        Outside, OutsideDefinition, OutsideType, TypeText, WrittenName, push_namespace, unmarked,
    },
};

/// Reads the declarations of one file.
pub(crate) struct Renderer<'a> {
    pub(crate) facts: &'a FileFacts,
    pub(crate) bound: &'a [Bound],
    pub(crate) universe: &'a dyn Universe,
    pub(crate) outside: &'a dyn Outside,
    /// The declaration whose head is read.
    pub(crate) decl: Cell<DeclId>,
}

impl Renderer<'_> {
    /// A type as bound: types of this repository by canonical name, types from outside by namespace and name, all
    /// others as written.
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
                    Some(Bound::TypeParameter) => out.push_str(self.name(last.reference)),
                    _ => return self.not_source(out, segments, Naming::Type),
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

    /// A name that no type of this repository has.
    fn not_source(&self, out: &mut String, segments: &[NameSegment], naming: Naming) {
        let name = WrittenName {
            decl: self.decl.get(),
            segments,
            is_attribute: naming == Naming::Attribute,
        };
        match self.outside.type_named(name) {
            Some(OutsideType::Complete(text)) => out.push_str(&text),
            Some(OutsideType::Definition(definition)) => {
                self.definition(out, &definition, segments, naming);
            }
            None => self.as_written(out, segments),
        }
    }

    /// A definition from outside with the type arguments that are written.
    fn definition(
        &self,
        out: &mut String,
        definition: &OutsideDefinition,
        segments: &[NameSegment],
        naming: Naming,
    ) {
        let OutsideDefinition { namespace, names } = definition;
        let written: Vec<&TypeSyntax> = (segments.iter()).flat_map(|it| &it.arguments).collect();
        if let ("System", [(name, 1)], [argument]) = (&**namespace, &**names, &*written)
            && name == "Nullable"
        {
            self.ty(out, argument);
            out.push('?');
            return;
        }
        push_namespace(out, namespace);
        let count: usize = names.iter().map(|(_, arity)| arity).sum();
        // Types inside of a generic base are named without its arguments.
        let mut written = (written.len() == count).then_some(&*written);
        for (at, (name, arity)) in names.iter().enumerate() {
            if at > 0 {
                out.push('.');
            }
            let is_attribute = naming == Naming::Attribute && at + 1 == names.len();
            let bare = name.strip_suffix("Attribute").filter(|it| !it.is_empty());
            out.push_str(bare.filter(|_| is_attribute).unwrap_or(name));
            if let Some((arguments, rest)) = written.and_then(|it| it.split_at_checked(*arity)) {
                self.arguments(out, arguments);
                written = Some(rest);
            }
        }
    }

    fn as_written(&self, out: &mut String, segments: &[NameSegment]) {
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
            self.arguments(out, &segment.arguments);
        }
    }

    fn name(&self, reference: u32) -> &str {
        self.facts
            .refs
            .get(reference as usize)
            .map_or("?", |reference| self.facts.name(reference.name))
    }

    fn arguments<T: std::borrow::Borrow<TypeSyntax>>(&self, out: &mut String, arguments: &[T]) {
        if arguments.is_empty() {
            return;
        }
        out.push('<');
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            self.ty(out, argument.borrow());
        }
        out.push('>');
    }

    /// A type as bound.
    pub(crate) fn type_text(&self, ty: &TypeSyntax) -> TypeText {
        let mut out = String::new();
        self.ty(&mut out, ty);
        TypeText::new(out)
    }

    /// The class of an attribute as bound; one from outside without the end `Attribute` of its name.
    fn attribute_class(&self, name: &TypeSyntax) -> TypeText {
        let TypeSyntax::Named(segments) = name else {
            return self.type_text(name);
        };
        let last = segments.last().map(|segment| segment.reference as usize);
        let found = last.and_then(|last| self.bound.get(last));
        if matches!(found, Some(Bound::Type(_))) {
            return self.type_text(name);
        }
        let mut out = String::new();
        self.not_source(&mut out, segments, Naming::Attribute);
        TypeText::new(out)
    }

    pub(crate) fn params(&self, params: &[Param]) -> Vec<ParamNode> {
        let params = params.iter().map(|param| ParamNode {
            name: self.facts.name(param.name).to_owned(),
            ty: (param.ty.as_ref()).map_or_else(|| "?".into(), |ty| self.type_text(ty)),
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
                    Constraint::Keyword(word) => self.facts.name(*word).into(),
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
            name: self.attribute_class(&attribute.name),
            arguments: (attribute.arguments).map(|tokens| unmarked(self.facts.name(tokens))),
        });
        let mut attributes: Vec<AttributeNode> = attributes.collect();
        if attributes.len() > 1 {
            attributes.sort_by_cached_key(AttributeNode::marked);
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

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Type,
    Attribute,
}

/// An accessor as a rule makes it.
pub(crate) fn accessor(kind: AccessorKind) -> AccessorNode {
    AccessorNode {
        kind,
        accessibility: None,
        modifiers: Modifiers::EMPTY,
    }
}
