//! Members as a snapshot keeps them, in parts: nobody has to take a signature to pieces again.
//!
//! Owns: the parts of a declaration as bound, and the canonical texts that are made of them. Must not know: how
//! names were bound.

use std::fmt::Write;

use cortex_model::{Accessibility, AccessorKind, DeclKind, Modifier, Modifiers};
use cortex_syntax::{AttributeTarget, DeclId};
use serde::{Deserialize, Serialize};

use crate::outside::{TypeText, full, short};

/// A member of a type: what a snapshot keeps of it. The rest stands in the facts of its file, see
/// [`crate::member_detail`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemberNode {
    /// What it declares.
    pub kind: DeclKind,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// As declared, those included that no user can see (`async`, `partial`, …).
    pub modifiers: Modifiers,
    /// The type of a field, property, event or indexer as bound; the return type.
    pub ty: Option<TypeText>,
    /// Its simple name; with the interface before it for an explicit implementation.
    pub name: String,
    /// How many bytes of `name` are that interface with its dot; 0 where there is none.
    pub interface_len: u32,
    /// In order; `None` where its kind has none.
    pub params: Option<Vec<ParamNode>>,
    /// In order.
    pub type_params: Vec<TypeParamNode>,
    /// Of the declaration and its parts, sorted by text.
    pub attributes: Vec<AttributeNode>,
    /// Of a property, indexer or event, by kind; none where an event has none written.
    pub accessors: Vec<AccessorNode>,
    /// Index into [`crate::TypeNode::parts`].
    pub part: u32,
    /// Its declaration in the facts of that part's file.
    pub decl: DeclId,
    /// Whether a primary constructor makes it: `decl` is then the type's.
    pub primary: bool,
}

/// A parameter as bound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ParamNode {
    /// Its name.
    pub name: String,
    /// Its type; `?` where none is written.
    pub ty: TypeText,
    /// How it is passed, and `this`, `params`, `scoped`.
    pub modifiers: Modifiers,
    /// Whether it has a default value.
    pub is_optional: bool,
}

/// A type parameter as bound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TypeParamNode {
    /// Its name.
    pub name: String,
    /// `in` or `out`.
    pub variance: Modifiers,
    /// In source order.
    pub constraints: Vec<TypeText>,
}

/// An attribute as bound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AttributeNode {
    /// What it belongs to.
    pub target: AttributeTarget,
    /// Its class as bound; one from outside without the end `Attribute` of its name.
    pub name: TypeText,
    /// The tokens of its arguments, without parentheses.
    pub arguments: Option<String>,
}

/// An accessor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct AccessorNode {
    /// What it does.
    pub kind: AccessorKind,
    /// As written.
    pub accessibility: Option<Accessibility>,
    /// `readonly`.
    pub modifiers: Modifiers,
}

/// What one declaration of a type says of it besides bases and members.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TypeShape {
    /// Of the declaration and its parts, sorted by text.
    pub attributes: Vec<AttributeNode>,
    /// In order.
    pub type_params: Vec<TypeParamNode>,
    /// The return type of a delegate, the type of an enum's values.
    pub ty: Option<TypeText>,
    /// The parameters of a delegate.
    pub params: Option<Vec<ParamNode>>,
}

/// Modifiers that no user of a declaration can see.
const HIDDEN: [Modifier; 5] = [
    Modifier::Async,
    Modifier::Extern,
    Modifier::New,
    Modifier::Partial,
    Modifier::Unsafe,
];

impl MemberNode {
    /// Whether it is declared with a modifier.
    pub fn has(&self, modifier: Modifier) -> bool {
        self.modifiers.contains(modifier)
    }

    /// Its name without the interface of an explicit implementation; `operator +` of an operator.
    pub fn simple_name(&self) -> &str {
        &self.name[self.interface_len as usize..]
    }

    /// The interface of an explicit implementation.
    pub fn interface(&self) -> Option<&str> {
        let dot = (self.interface_len as usize).checked_sub(1)?;
        Some(&self.name[..dot])
    }

    /// What stands before the name in its canonical signature: the modifiers that users see, and the type, each
    /// followed by a space.
    pub fn head(&self) -> String {
        short(&self.marked_head()).into_owned()
    }

    pub(crate) fn marked_head(&self) -> String {
        let mut out = String::new();
        write_modifiers(&mut out, self.modifiers);
        if let Some(ty) = &self.ty {
            out.push_str(ty.marked());
            out.push(' ');
        }
        out
    }

    /// What stands after the name in its canonical signature: parameter types and arity.
    pub fn tail(&self) -> String {
        short(&self.marked_tail()).into_owned()
    }

    /// What stands after the name in its path: the tail, of a conversion with the type that it converts to, as these
    /// are overloads of each other as well.
    pub fn path_tail(&self) -> String {
        let mut out = self.tail();
        if let (DeclKind::Conversion, Some(ty)) = (self.kind, &self.ty) {
            let _ = write!(out, "~{}", ty.short());
        }
        out
    }

    pub(crate) fn marked_tail(&self) -> String {
        let mut out = String::new();
        if let Some(params) = &self.params {
            let brackets = match self.kind {
                DeclKind::Indexer => ['[', ']'],
                _ => ['(', ')'],
            };
            write_params(&mut out, params, brackets);
        }
        if !self.type_params.is_empty() {
            let _ = write!(out, "#{}", self.type_params.len());
        }
        out
    }

    /// What users can see of it beyond its signature: attributes, type parameters with variance and constraints,
    /// accessors.
    pub fn shape(&self) -> String {
        short(&self.marked_shape()).into_owned()
    }

    pub(crate) fn marked_shape(&self) -> String {
        let mut out = String::new();
        write_attributes(&mut out, &self.attributes);
        self.write_shape_without_attributes(&mut out);
        out
    }

    /// Type parameters with variance and constraints, and accessors: as people read it, and with the namespaces of
    /// types from outside.
    pub fn shape_without_attributes(&self) -> [String; 2] {
        let mut out = String::new();
        self.write_shape_without_attributes(&mut out);
        [short(&out).into_owned(), full(&out)]
    }

    fn write_shape_without_attributes(&self, out: &mut String) {
        write_type_params(out, &self.type_params);
        for accessor in &self.accessors {
            if let Some(accessibility) = accessor.accessibility {
                let _ = write!(out, "{accessibility} ");
            }
            write_modifiers(out, accessor.modifiers);
            let _ = write!(out, "{};", accessor.kind);
        }
    }

    /// Whether users see the same of both beyond their signatures.
    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.attributes == other.attributes
            && self.type_params == other.type_params
            && self.accessors == other.accessors
    }

    /// Whether both have the same modifiers, as far as users see them, and the same type.
    pub fn has_head_of(&self, other: &Self) -> bool {
        visible(self.modifiers) == visible(other.modifiers) && self.ty == other.ty
    }

    /// Whether both have the same number of type parameters, and parameters of the same types.
    pub fn has_tail_of(&self, other: &Self) -> bool {
        let params = |member: &Self| {
            let params = member.params.as_deref()?.iter();
            let types = params.map(|param| (visible(param.modifiers), param.ty.clone()));
            Some(types.collect::<Vec<_>>())
        };
        self.type_params.len() == other.type_params.len() && params(self) == params(other)
    }
}

impl AttributeNode {
    /// The simple name of its class.
    pub fn simple_name(&self) -> &str {
        self.name.simple_name()
    }

    /// It with the namespaces of types from outside.
    pub fn full(&self) -> String {
        full(&self.marked())
    }

    pub(crate) fn marked(&self) -> String {
        let mut out = String::from("[");
        let _ = write_target(&mut out, self.target);
        out.push_str(self.name.marked());
        if let Some(arguments) = &self.arguments {
            let _ = write!(out, "({arguments})");
        }
        out.push(']');
        out
    }
}

impl std::fmt::Display for AttributeNode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&short(&self.marked()))
    }
}

impl TypeShape {
    /// The parameters of a delegate in parentheses; empty for other types.
    pub(crate) fn params_text(&self) -> String {
        let mut out = String::new();
        if let Some(params) = &self.params {
            write_params(&mut out, params, ['(', ')']);
        }
        out
    }

    /// What does not stand in the call of a delegate: attributes and type parameters.
    pub(crate) fn text_beside_call(&self) -> String {
        let mut out = String::new();
        write_attributes(&mut out, &self.attributes);
        write_type_params(&mut out, &self.type_params);
        out
    }

    pub(crate) fn marked(&self) -> String {
        let mut out = self.text_beside_call();
        if let Some(ty) = &self.ty {
            out.push_str(ty.marked());
        }
        if let Some(params) = &self.params {
            write_params(&mut out, params, ['(', ')']);
        }
        out
    }
}

fn write_attributes(out: &mut String, attributes: &[AttributeNode]) {
    for attribute in attributes {
        out.push_str(&attribute.marked());
    }
}

fn write_type_params(out: &mut String, params: &[TypeParamNode]) {
    for param in params {
        write_modifiers(out, param.variance);
        out.push_str(&param.name);
        for (i, constraint) in param.constraints.iter().enumerate() {
            out.push(if i == 0 { ':' } else { ',' });
            out.push_str(constraint.marked());
        }
        out.push(';');
    }
}

/// Parameter types in brackets.
fn write_params(out: &mut String, params: &[ParamNode], [open, close]: [char; 2]) {
    out.push(open);
    for (i, param) in params.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_modifiers(out, param.modifiers);
        out.push_str(param.ty.marked());
    }
    out.push(close);
}

/// The word before an attribute's class, with a colon; nothing where it belongs to the declaration.
fn write_target(out: &mut impl Write, target: AttributeTarget) -> std::fmt::Result {
    use AttributeTarget as T;
    match target {
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
    }
}

/// The modifiers that users see, sorted by name, each followed by a space.
pub(crate) fn write_modifiers(out: &mut String, modifiers: Modifiers) {
    for modifier in visible(modifiers).iter() {
        let _ = write!(out, "{modifier} ");
    }
}

fn visible(modifiers: Modifiers) -> Modifiers {
    HIDDEN.into_iter().fold(modifiers, Modifiers::without)
}
