//! Which type, namespace or member a written name means where it stands.
//!
//! C# specification: §7.8 namespace and type names, §7.5 accessibility, §12.5 member lookup, §14.5 using
//! directives, §22.3 attributes. STUB (owner: NAMES)

use cortex_bind::InternalsVisible;
use cortex_model::EdgeKind;
use cortex_syntax::{BodyId, DeclId, FileFacts, TypeSyntax};
use smallvec::SmallVec;

use crate::{
    binder::Binder,
    compilation::Compilation,
    name::Name,
    symbol::{ProjectId, Sym, TypeId, TypeParamId, UnitId},
    ty::Ty,
};

/// What the using directives of a file bring in; filled on first use.
#[derive(Default)]
pub(crate) struct ImportsOfUnit {}

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
    /// attributes and primary parameters.
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
    /// A name that could not be bound.
    fn unbound(&mut self, offset: u32, why: crate::output::Why);
}

/// A sink for who only wants the type.
pub struct Ignore;

impl TypeRefSink for Ignore {
    fn found(&mut self, _: u32, _: TypeId) {}
    fn unbound(&mut self, _: u32, _: crate::output::Why) {}
}

impl Compilation<'_> {
    /// The scope of a declaration's header (`Header`) or body in a file.
    pub fn scope_of(&self, _unit: UnitId, _decl: Option<DeclId>, _position: Position) -> Scope {
        todo!()
    }

    /// §7.8.1: a simple name as a namespace or type.
    pub fn lookup_type_name(&self, _at: &Scope, _name: Name, _arity: u16) -> Meaning {
        Meaning::Unknown
    }

    /// §7.8.1 after a dot: a name inside a namespace or type.
    pub fn lookup_qualified(
        &self,
        _at: &Scope,
        _left: &Meaning,
        _name: Name,
        _arity: u16,
    ) -> Meaning {
        Meaning::Unknown
    }

    /// §22.3: an attribute's class: `NameAttribute` and `Name`, the one that derives from `Attribute`.
    pub fn lookup_attribute(&self, _at: &Scope, _name: Name, _arity: u16) -> Meaning {
        Meaning::Unknown
    }

    /// A type as declarations write it.
    pub fn bind_type(
        &self,
        _at: &Scope,
        _facts: &FileFacts,
        _ty: &TypeSyntax,
        _sink: &mut dyn TypeRefSink,
    ) -> Ty {
        Ty::ERROR
    }

    /// §12.5: the members of a name of a type, as constructed, its base types and interfaces included;
    /// of a type parameter those of its constraints and `object`; of an interface those of `object` last;
    /// of a tuple its elements' names (`Item1`, and the written ones) as fields of its struct.
    pub fn lookup_member(
        &self,
        _ty: Ty,
        _name: Name,
        _arity: Option<u16>,
        _from: Access,
    ) -> MemberLookup {
        MemberLookup::None
    }

    /// Every instance constructor of a type, accessible ones only.
    pub fn constructors(&self, _ty: Ty, _from: Access) -> SmallVec<[Sym; 4]> {
        SmallVec::new()
    }

    /// Indexers of a type, its bases and interfaces, most derived first, overridden ones left out.
    pub fn indexers(&self, _ty: Ty, _from: Access) -> SmallVec<[Sym; 4]> {
        SmallVec::new()
    }

    /// §7.5.2: whether a member can be named.
    pub fn is_accessible(&self, _sym: Sym, _from: Access) -> bool {
        true
    }

    /// Whether a type can be named.
    pub fn is_type_accessible(&self, _def: TypeId, _from: Access) -> bool {
        true
    }

    /// How internals of a type's assembly are seen from a project.
    pub fn internals(&self, _def: TypeId, _from: ProjectId) -> InternalsVisible {
        InternalsVisible::Yes
    }

    /// §12.8.10.3: extension members of a name in scope, innermost level first (each namespace
    /// declaration: its namespace's types, then its usings'). Methods with `this` and members of extension
    /// blocks, containers as they are declared (static classes have no type parameters).
    pub fn extensions_in_scope(&self, _at: &Scope, _name: Name) -> std::rc::Rc<[Vec<Sym>]> {
        std::rc::Rc::from(Vec::new())
    }
}

impl Binder<'_, '_> {
    /// A type written in a body: names recorded with `kind`.
    pub(crate) fn bind_type_node(&mut self, _node: BodyId, _kind: EdgeKind) -> Ty {
        Ty::ERROR
    }

    /// An attribute's class by its name node (§22.3), recorded.
    pub(crate) fn bind_attribute_class(&mut self, _node: BodyId) -> Ty {
        Ty::ERROR
    }
}
