//! Canonical signatures: types fully qualified as bound, modifiers sorted, parameter
//! names and default values left out.

use std::fmt::Write;

use cortex_model::{DeclKind, Modifier, Modifiers};
use cortex_syntax::{
    AttributeTarget, AttributeUse, Constraint, Decl, FileFacts, Param, TypeSyntax, Variance,
};

use crate::lookup::{Bound, Universe};

/// Renders the signatures of one file.
pub(crate) struct Renderer<'a> {
    pub(crate) facts: &'a FileFacts,
    pub(crate) bound: &'a [Bound],
    pub(crate) universe: &'a dyn Universe,
}

/// Modifiers that no user of a declaration can see.
const HIDDEN: [Modifier; 5] = [
    Modifier::Async,
    Modifier::Extern,
    Modifier::New,
    Modifier::Partial,
    Modifier::Unsafe,
];

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

    /// What stands before a member's name in its canonical signature: modifiers and type.
    pub(crate) fn head(&self, decl: &Decl) -> String {
        let mut out = String::new();
        modifiers(&mut out, decl.modifiers);
        let has_type = !matches!(
            decl.kind,
            DeclKind::Constructor
                | DeclKind::StaticConstructor
                | DeclKind::Finalizer
                | DeclKind::EnumMember
        );
        if let Some(ty) = decl.ty.as_ref().filter(|_| has_type) {
            self.ty(&mut out, ty);
            out.push(' ');
        }
        out
    }

    /// What stands after a member's name in its canonical signature: parameter types and arity.
    pub(crate) fn tail(&self, decl: &Decl) -> String {
        let mut out = String::new();
        if let Some(params) = &decl.params {
            self.params(
                &mut out,
                params,
                if decl.kind == DeclKind::Indexer {
                    ['[', ']']
                } else {
                    ['(', ')']
                },
            );
        }
        if !decl.type_params.is_empty() {
            let _ = write!(out, "#{}", decl.type_params.len());
        }
        out
    }

    /// Parameter types in brackets.
    pub(crate) fn params(&self, out: &mut String, params: &[Param], [open, close]: [char; 2]) {
        out.push(open);
        for (i, param) in params.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            modifiers(out, param.modifiers);
            match &param.ty {
                Some(ty) => self.ty(out, ty),
                None => out.push('?'),
            }
        }
        out.push(close);
    }

    /// What a user of the declaration can see beyond its signature: attributes, generic
    /// parameters with variance and constraints, accessors.
    pub(crate) fn shape(&self, decl: &Decl) -> String {
        let mut out = String::new();
        self.attributes(&mut out, &decl.attributes);
        for param in &decl.type_params {
            match param.variance {
                Variance::None => {}
                Variance::In => out.push_str("in "),
                Variance::Out => out.push_str("out "),
            }
            out.push_str(self.facts.name(param.name));
            for (i, constraint) in param.constraints.iter().enumerate() {
                out.push_str(if i == 0 { ":" } else { "," });
                match constraint {
                    Constraint::Type(ty) => self.ty(&mut out, ty),
                    Constraint::Keyword(word) => out.push_str(self.facts.name(*word)),
                }
            }
            out.push(';');
        }
        let mut accessors = decl.accessors.clone();
        accessors.sort_by_key(|accessor| accessor.kind);
        for accessor in &accessors {
            if let Some(accessibility) = accessor.accessibility {
                let _ = write!(out, "{accessibility} ");
            }
            modifiers(&mut out, accessor.modifiers);
            let _ = write!(out, "{};", accessor.kind.name());
        }
        if decl.kind == DeclKind::Property && decl.accessors.is_empty() {
            out.push_str("get;");
        }
        out
    }

    /// Attributes with their arguments, sorted: their order means nothing.
    pub(crate) fn attributes(&self, out: &mut String, attributes: &[AttributeUse]) {
        let mut texts: Vec<String> = attributes
            .iter()
            .map(|attribute| {
                let mut text = String::from("[");
                target(&mut text, attribute.target);
                self.ty(&mut text, &attribute.name);
                if let Some(arguments) = attribute.arguments {
                    let _ = write!(text, "({})", self.facts.name(arguments));
                }
                text.push(']');
                text
            })
            .collect();
        texts.sort_unstable();
        texts.iter().for_each(|text| out.push_str(text));
    }
}

/// The word before an attribute's class, with a colon; nothing where it belongs to the declaration.
fn target(out: &mut String, target: AttributeTarget) {
    use AttributeTarget as T;
    let _ = match target {
        T::Declaration => Ok(()),
        T::Assembly => write!(out, "assembly:"),
        T::Module => write!(out, "module:"),
        T::Return => write!(out, "return:"),
        T::Field => write!(out, "field:"),
        T::Method => write!(out, "method:"),
        T::Other => write!(out, "?:"),
        T::Parameter(at) => write!(out, "param {at}:"),
        T::PropertyOfParameter(at) => write!(out, "property {at}:"),
        T::FieldOfParameter(at) => write!(out, "field {at}:"),
        T::TypeParameter(at) => write!(out, "typevar {at}:"),
        T::Accessor(kind) => write!(out, "{}:", kind.name()),
        T::ReturnOfAccessor(kind) => write!(out, "{} return:", kind.name()),
        T::ParameterOfAccessor(kind) => write!(out, "{} param:", kind.name()),
    };
}

/// Visible modifiers, sorted by name, each followed by a space.
pub(crate) fn modifiers(out: &mut String, modifiers: Modifiers) {
    for modifier in visible(modifiers).iter() {
        let _ = write!(out, "{modifier} ");
    }
}

fn visible(modifiers: Modifiers) -> Modifiers {
    HIDDEN.into_iter().fold(modifiers, Modifiers::without)
}
