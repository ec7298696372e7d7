//! What other assemblies can see of a type: everything that the compatibility of two versions is judged by.
//!
//! Owns: plain data without a compilation behind it, so that two snapshots can be compared. Accessors are
//! methods of their own, as they are to other assemblies. Must not know: what is a breaking change.

mod attributes;
mod constants;
mod identity;
mod members;
mod nullability;
mod types;

use cortex_model::{Accessibility, RepoPath, TypeKind};

pub use self::constants::Value;
pub(crate) use self::constants::{member as member_at, value_of};
use crate::symbol::{MemberFlags, RefKind, TypeFlags, Variance};

/// What is declared where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// What, for people: `Order` for a type, `Submit(int)` for a member.
    pub name: String,
    /// The file.
    pub path: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
}

/// A type as other assemblies see it.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeSurface {
    /// Its documentation id, `T:` included.
    pub id: String,
    /// Its name in the graph: ``Ns.Outer`1+Inner``.
    pub name: String,
    /// What it is recognized by in another version: its full name with the names of its type parameters.
    pub key: String,
    /// Its first declaration.
    pub place: Place,
    /// Kind of type.
    pub kind: TypeKind,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// See [`TypeFlags`].
    pub flags: TypeFlags,
    /// Whether a type of another assembly can derive from it: it is not sealed and has a constructor that such a
    /// type can call.
    pub is_inheritable: bool,
    /// Whether its base class could not be bound; then it has none here.
    pub is_base_unknown: bool,
    /// Keys of its base classes, nearest first.
    pub bases: Vec<String>,
    /// Its interfaces: its own, each with those that it brings, then those of its base classes. May repeat.
    pub interfaces: Vec<InterfaceSurface>,
    /// The key of the type of an enum's values.
    pub underlying: Option<String>,
    /// Its own type parameters.
    pub type_params: Vec<TypeParamSurface>,
    /// Its attributes.
    pub attributes: Vec<AttributeSurface>,
    /// Its members that another assembly may see; protected ones also where nobody can derive from it.
    pub members: Vec<MemberSurface>,
    /// Whether something that it is compared by could not be bound.
    pub has_unknown: bool,
}

/// An interface of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterfaceSurface {
    /// Its key.
    pub key: String,
    /// Whether another assembly can name it.
    pub is_visible: bool,
}

/// A type parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeParamSurface {
    /// Its name.
    pub name: String,
    /// `in` or `out`.
    pub variance: Variance,
    /// `class`, `struct`, `new()`, `notnull`, `unmanaged`; sorted.
    pub words: Vec<&'static str>,
    /// Types, each with its documentation id; by key.
    pub types: Vec<(String, String)>,
    /// Its attributes.
    pub attributes: Vec<AttributeSurface>,
}

/// What a member is to other assemblies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberKind {
    /// A field, constant or enum member.
    Field,
    /// A method, operator, conversion or finalizer.
    Method,
    /// A constructor.
    Constructor,
    /// An accessor of a property or event.
    Accessor,
    /// A property or indexer.
    Property,
    /// An event.
    Event,
}

/// A member as other assemblies see it.
#[derive(Clone, PartialEq, Debug)]
pub struct MemberSurface {
    /// Its documentation id.
    pub id: String,
    /// What it is recognized by in another version: type, full name, types of its parameters.
    pub key: String,
    /// The name that metadata has: `get_Length`, `op_Addition`, `.ctor`.
    pub name: String,
    /// Its declaration; that of its type, where the compiler makes it.
    pub place: Place,
    /// What it is.
    pub kind: MemberKind,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// See [`MemberFlags`].
    pub flags: MemberFlags,
    /// The key of its type.
    pub ty: String,
    /// Its type for people, as the compiler writes it.
    pub ty_text: String,
    /// Where `?` is written in its type and nothing but nullability comes of it.
    pub nullability: String,
    /// Whether and how it returns a reference.
    pub returns: RefKind,
    /// Its type parameters.
    pub type_params: Vec<TypeParamSurface>,
    /// Its parameters.
    pub params: Vec<ParamSurface>,
    /// Its attributes.
    pub attributes: Vec<AttributeSurface>,
    /// Those of what it returns.
    pub return_attributes: Vec<AttributeSurface>,
    /// The value of a constant or enum member.
    pub value: Option<Value>,
    /// Its body, initial value and default values hashed; 0 where there is none.
    pub body: u64,
    /// Whether something in its signature could not be bound.
    pub has_unknown: bool,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct ParamSurface {
    /// Its name.
    pub name: String,
    /// How it is passed.
    pub ref_kind: RefKind,
    /// `params`.
    pub is_params: bool,
    /// Where `?` is written in its type and nothing but nullability comes of it.
    pub nullability: String,
    /// Its default value.
    pub default: Option<Value>,
    /// Its attributes.
    pub attributes: Vec<AttributeSurface>,
}

/// An attribute. Equal ones are those that an assembly holds alike, however they are written.
#[derive(Clone, Debug)]
pub struct AttributeSurface {
    /// The documentation id of its class.
    pub id: String,
    /// Its arguments in order.
    pub arguments: Vec<Value>,
    /// Its named arguments in order.
    pub named: Vec<(String, Value)>,
    /// Its arguments as they are written.
    pub written: String,
    /// The constants that its arguments name, in their order.
    pub constants: Vec<NamedConstant>,
}

impl PartialEq for AttributeSurface {
    fn eq(&self, other: &Self) -> bool {
        (&self.id, &self.arguments, &self.named) == (&other.id, &other.arguments, &other.named)
    }
}

/// A constant that an argument names.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedConstant {
    /// The simple name of the type that declares it.
    pub ty: String,
    /// Whether that is an enum.
    pub is_of_enum: bool,
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
}

/// A method as one of a base type is compared with it: name, number of parameters, result, number of type
/// parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MethodShape {
    /// The name that metadata has.
    pub name: String,
    /// How many parameters it has.
    pub n_params: usize,
    /// The key of its type.
    pub ty: String,
    /// How many type parameters it has.
    pub arity: usize,
}
