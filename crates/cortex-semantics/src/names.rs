//! Which type, namespace or member a written name means where it stands.
//!
//! C# specification: §7.8 namespace and type names, §7.5 accessibility, §12.5 member lookup, §14.5 using
//! directives, §22.3 attributes. Must not know: expressions.

mod absent;
mod access;
mod attributes;
mod bind_node;
mod bind_type;
mod chains;
mod extensions;
mod imports;
mod lookup;
mod members;
mod outside;
mod places;
mod scope;
mod signatures;
mod statics;

use cortex_syntax::DeclId;
use smallvec::SmallVec;

pub use self::outside::{OutsideNames, OutsideNamesOfFile};
pub(crate) use self::{imports::Imports, places::NamespacePlaces, scope::ScopesOfUnit};
use crate::{
    name::Name,
    symbol::{ProjectId, Sym, TypeId, TypeParamId, UnitId},
    ty::Ty,
};

/// Where names are looked up.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The file.
    pub unit: UnitId,
    /// Its project.
    pub project: ProjectId,
    /// The innermost namespace declaration; `None` at the top of the file.
    pub namespace: Option<DeclId>,
    /// The innermost type.
    pub container: Option<TypeId>,
    /// Whether the type's own members are in scope (§7.7.1): not in its base list, constraints,
    /// attributes and primary parameters. Without a type, `Header` stands for the using directives of the
    /// namespace declaration, which do not see each other (§14.5).
    pub position: Position,
    /// Type parameters of the member and of local functions around, innermost last.
    pub type_params: Vec<(Name, TypeParamId)>,
}

/// Where in a type a scope stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Position {
    /// Inside of its braces.
    Body,
    /// In what stands before them: its own type parameters are in scope, its members are not.
    Header,
    /// In no type and no file: in a directive of the project.
    Project,
}

/// What a name means as a namespace or type (§7.8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A definition; the caller applies the type arguments. For nested types found through a constructed
    /// base, `outer` is that base, whose arguments come first.
    Type {
        /// The definition.
        def: TypeId,
        /// The constructed type around it.
        outer: Option<Ty>,
    },
    /// A type that an alias stands for, complete.
    Alias(Ty),
    /// A namespace, by its full name.
    Namespace(Name),
    /// A type parameter.
    Param(TypeParamId),
    /// Several types that the language does not choose between.
    Ambiguous(Vec<TypeId>),
    /// Nothing.
    Unknown,
}

/// What a simple name means that no local and no type around it has (§12.8.4).
#[derive(Clone, Debug)]
pub enum Outside {
    /// A type or namespace, or nothing.
    Meaning(Meaning),
    /// Static members that `using static` brings in.
    Members(MemberLookup),
}

/// Whether a name is called: then members that cannot be are passed over (§12.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Called {
    /// It stands before an argument list.
    Yes,
    /// It does not.
    No,
}

/// What member lookup finds (§12.5).
#[derive(Clone, Debug)]
pub enum MemberLookup {
    /// Methods, most derived type first; hidden and overridden ones are left out.
    Methods(SmallVec<[Sym; 4]>),
    /// A field, property, event, constant or enum member.
    Member(Sym),
    /// A nested type: definition and constructed container.
    Type(TypeId, Ty),
    /// Members of several interfaces that do not hide each other.
    Ambiguous(SmallVec<[Sym; 4]>),
    /// Nothing that is accessible.
    None,
}

/// From where members are accessed (§7.5).
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The innermost type around the access.
    pub container: Option<TypeId>,
    /// The project of the access.
    pub project: ProjectId,
    /// The type through which an instance member is accessed (§7.5.4); `None` for `base`, simple names and
    /// static access: then protected members of base types are accessible without more.
    pub through: Option<Ty>,
}

/// What one type syntax names, as it is bound: offsets of names with the definitions that they mean.
pub trait TypeRefSink {
    /// A name that means a definition.
    fn found(&mut self, offset: u32, def: TypeId);
    /// The type that such a name is with its type arguments.
    fn constructed(&mut self, _: u32, _: Ty) {}
    /// A name that could not be bound.
    fn unbound(&mut self, offset: u32, why: crate::output::Why);
    /// A name and what it means, whatever that is; `is_simple`: nothing stands before it.
    fn resolved(&mut self, _: &Scope, _: u32, _: Name, _: &Meaning, _is_simple: bool) {}
    /// The name before `::`.
    fn alias_before_colons(&mut self, _: &Scope, _: u32, _: Name) {}
}

/// A sink for who only wants the type.
pub(crate) struct Ignore;

impl TypeRefSink for Ignore {
    fn found(&mut self, _: u32, _: TypeId) {}
    fn unbound(&mut self, _: u32, _: crate::output::Why) {}
}
