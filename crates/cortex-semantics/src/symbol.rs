//! Declared things: types, members, parameters, type parameters, the same for source and metadata.
//!
//! Must not know: how they are loaded, what uses them.

use std::cell::{Cell, OnceCell};

use cortex_metadata::TypeRow;
use cortex_model::{Accessibility, DeclKind, RepoPath, TypeKey, TypeKind};
use cortex_syntax::DeclId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{name::Name, ty::Ty};

macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident),* $(,)?) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $id(pub(crate) u32);

        impl $id {
            /// The one with this index.
            pub fn new(index: usize) -> Self {
                Self(index as u32)
            }

            /// Its index, for tables of the caller.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

ids! {
    /// A type definition: [`crate::Compilation::def`].
    TypeId,
    /// A member definition: [`crate::Compilation::member`].
    MemberId,
    /// A type parameter: [`crate::Compilation::type_param`].
    TypeParamId,
    /// A file inside one project: [`crate::Compilation::unit`].
    UnitId,
    /// A project: [`crate::Compilation::project`].
    ProjectId,
    /// An assembly from outside of the repository, by its index in [`crate::World::externals`].
    ExternalId,
}

/// A type definition. Everything that takes work is loaded on first use.
pub struct TypeDef {
    /// Itself.
    pub id: TypeId,
    /// Simple name, without arity.
    pub name: Name,
    /// Full name of its namespace; empty for the global one. Nested types have it too.
    pub namespace: Name,
    /// The type around it.
    pub outer: Option<TypeId>,
    /// Kind of type.
    pub kind: TypeKind,
    /// Its own type parameters.
    pub arity: u16,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// Type parameters, those of the types around it first.
    pub type_params: Box<[TypeParamId]>,
    /// Where it comes from.
    pub origin: TypeOrigin,
    pub(crate) header: OnceCell<TypeHeader>,
    /// Set while the header is being loaded: base lists that loop see no bases.
    pub(crate) loading: Cell<bool>,
    pub(crate) members: OnceCell<MemberTable>,
}

/// Where a type comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeOrigin {
    /// Declared in this repository.
    Source {
        /// Its identity in the index.
        key: TypeKey,
        /// The project that compiles it.
        project: ProjectId,
        /// The only file that sees it, for a file-local type.
        file: Option<RepoPath>,
    },
    /// Read from metadata.
    External {
        /// The assembly.
        assembly: ExternalId,
        /// The type in it.
        row: TypeRow,
    },
}

impl TypeDef {
    /// Whether it is declared in this repository.
    pub fn is_source(&self) -> bool {
        matches!(self.origin, TypeOrigin::Source { .. })
    }
}

/// What the head of a type's declarations says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TypeHeader {
    /// The base class; of a struct `System.ValueType`, of an enum `System.Enum`, of a delegate
    /// `System.MulticastDelegate`; none for `object` and interfaces; [`Ty::ERROR`] where it could not be bound.
    pub base: Option<Ty>,
    /// Interfaces as written, over all parts, each once.
    pub interfaces: Box<[Ty]>,
    /// The type of an enum's values.
    pub underlying: Option<Ty>,
    /// See [`TypeFlags`].
    pub flags: TypeFlags,
    /// `[CollectionBuilder(typeof(B), "M")]`.
    pub collection_builder: Option<(Ty, Name)>,
    /// `[AsyncMethodBuilder(typeof(B))]`: it is a task type.
    pub is_task_like: bool,
}

macro_rules! flags {
    ($(#[$doc:meta])* $set:ident: $repr:ty { $($(#[$fdoc:meta])* $flag:ident = $bit:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $set($repr);

        impl $set {
            $($(#[$fdoc])* pub const $flag: Self = Self(1 << $bit);)*

            /// Whether all of `other` are in it.
            pub const fn has(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Both.
            #[must_use]
            pub const fn with(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// Those that are not in `other`.
            #[must_use]
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// `other` where the condition holds, and itself.
            #[must_use]
            pub const fn with_if(self, other: Self, condition: bool) -> Self {
                if condition { self.with(other) } else { self }
            }
        }
    };
}

flags! {
    /// Properties of a type that its kind does not tell.
    TypeFlags: u16 {
        /// `static`.
        STATIC = 0,
        /// `abstract`; interfaces are.
        ABSTRACT = 1,
        /// `sealed`; structs, enums, delegates and static classes are.
        SEALED = 2,
        /// `ref struct`.
        REF_LIKE = 3,
        /// `readonly struct`.
        READONLY = 4,
        /// A record or record struct.
        RECORD = 5,
        /// `[InterpolatedStringHandler]`.
        STRING_HANDLER = 6,
        /// It declares extension methods or blocks.
        EXTENSIONS = 7,
    }
}

flags! {
    /// Properties of a member.
    MemberFlags: u32 {
        /// `static`, constants and enum members included.
        STATIC = 0,
        /// `abstract`, members of interfaces without a body included.
        ABSTRACT = 1,
        /// `virtual`, members of interfaces that are not `sealed`, `private` or `static` included.
        VIRTUAL = 2,
        /// `override`.
        OVERRIDE = 3,
        /// `sealed`.
        SEALED = 4,
        /// `new`.
        NEW = 5,
        /// An extension method by its first parameter (`this`).
        EXTENSION = 6,
        /// A member of an `extension` block: see [`Signature::receiver`].
        EXTENSION_BLOCK = 7,
        /// `readonly`, `init`-only and get-only.
        READONLY = 8,
        /// `required`.
        REQUIRED = 9,
        /// A property or indexer with a getter.
        GETTER = 10,
        /// A property or indexer with a setter or `init`.
        SETTER = 11,
        /// Made by the compiler: default constructors, members of records.
        SYNTHESIZED = 12,
        /// An explicit implementation: found by no name.
        EXPLICIT = 13,
        /// `const`.
        CONST = 14,
        /// An `implicit` conversion; otherwise a conversion is `explicit`.
        IMPLICIT = 15,
        /// `async`.
        ASYNC = 16,
        /// A `partial` declaration without a body.
        PARTIAL_DEFINITION = 17,
        /// `extern`.
        EXTERN = 18,
        /// Made from a parameter of a record's primary constructor.
        POSITIONAL = 19,
        /// The constructor made from a type's parameter list.
        PRIMARY = 20,
        /// `[Conditional]`.
        CONDITIONAL = 21,
        /// `checked` operator.
        CHECKED = 22,
        /// A local function: never recorded.
        LOCAL = 23,
        /// A property or indexer whose setter is `init`.
        INIT = 24,
    }
}

/// A type parameter.
pub struct TypeParam {
    /// Itself.
    pub id: TypeParamId,
    /// What declares it.
    pub owner: TypeParamOwner,
    /// Its position among its owner's; of a type, those of the types around it are counted first.
    pub index: u16,
    pub(crate) name: Cell<Name>,
    pub(crate) constraints: OnceCell<Constraints>,
}

/// What declares a type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeParamOwner {
    /// A type.
    Type(TypeId),
    /// A method; of a member of an extension block, the block's come first.
    Method(MemberId),
    /// A local function, by number within the compilation.
    Local(u32),
}

/// What a type argument must be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Constraints {
    /// Base class and interfaces, type parameters among them.
    pub types: Box<[Ty]>,
    /// `class`.
    pub is_reference: bool,
    /// `struct` or `unmanaged`.
    pub is_value: bool,
    /// `unmanaged`.
    pub is_unmanaged: bool,
    /// `notnull`.
    pub is_not_null: bool,
    /// `new()`.
    pub has_new: bool,
    /// `allows ref struct`.
    pub allows_ref_like: bool,
    /// `in` or `out`.
    pub variance: Variance,
}

/// The variance of a type parameter (§18.2.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variance {
    /// Neither.
    #[default]
    None,
    /// `in`.
    In,
    /// `out`.
    Out,
}

/// A member definition: for source and metadata the same.
#[derive(Clone)]
pub struct Member {
    /// Itself.
    pub id: MemberId,
    /// The name by which it is found: `op_Addition` for an operator, `.ctor` for a constructor, `Item`
    /// for an indexer (whatever its metadata name), the simple name of an explicit implementation.
    pub name: Name,
    /// What it is.
    pub kind: DeclKind,
    /// The type that declares it; of a member of an extension block, the static class.
    pub owner: TypeId,
    /// As declared, or the default of its position.
    pub accessibility: Accessibility,
    /// See [`MemberFlags`].
    pub flags: MemberFlags,
    /// Where it comes from.
    pub origin: MemberOrigin,
    /// Parameter and result types.
    pub signature: Signature,
}

impl Member {
    /// Whether it has all of the flags.
    pub fn is(&self, flags: MemberFlags) -> bool {
        self.flags.has(flags)
    }

    /// Whether it is `static`, or needs no instance otherwise.
    pub fn is_static(&self) -> bool {
        self.is(MemberFlags::STATIC)
    }

    /// How many type arguments a call may write.
    pub fn arity(&self) -> usize {
        self.signature.type_params.len()
    }
}

/// Where a member comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberOrigin {
    /// A declaration in a file; the type's own for what its parameter list or the compiler makes.
    Source(UnitId, DeclId),
    /// Read from metadata.
    External,
}

/// Parameter and result types, in terms of the type parameters of the owner and the member.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    /// Of a method; of a member of an extension block, the block's first.
    pub type_params: Box<[TypeParamId]>,
    /// How many of them belong to the extension block.
    pub block_arity: u16,
    /// The receiver parameter of an extension block.
    pub receiver: Option<Param>,
    /// In order. The first of a classic extension method is its receiver.
    pub params: Box<[Param]>,
    /// The type of a field, property or event, the return type of a method; `void` for constructors.
    pub ty: Ty,
    /// Whether a reference is returned.
    pub ref_kind: RefKind,
    /// The interface of an explicit implementation.
    pub explicit: Option<Ty>,
    /// The value of a constant or enum member where it is an integer that is known.
    pub constant: Option<i64>,
    /// `[OverloadResolutionPriority]`.
    pub priority: i32,
    /// The accessibility of the setter where it differs from the property's.
    pub setter: Option<Accessibility>,
    /// The same of the getter.
    pub getter: Option<Accessibility>,
}

impl Signature {
    /// A signature of nothing but a type.
    pub fn of_type(ty: Ty) -> Self {
        Self {
            type_params: Box::default(),
            block_arity: 0,
            receiver: None,
            params: Box::default(),
            ty,
            ref_kind: RefKind::None,
            explicit: None,
            constant: None,
            priority: 0,
            setter: None,
            getter: None,
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type, without `ref`.
    pub ty: Ty,
    /// How it is passed.
    pub ref_kind: RefKind,
    /// `params`.
    pub is_params: bool,
    /// Whether it has a default value.
    pub is_optional: bool,
    /// What a call that leaves it out passes in place of the default value.
    pub caller: CallerInfo,
}

/// Which text of the calling code the compiler passes to a parameter that a call leaves out (C# specification, §23.5.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CallerInfo {
    /// None.
    #[default]
    None,
    /// `[CallerMemberName]`: the name of the member around the call.
    MemberName,
    /// `[CallerArgumentExpression]`: the argument of the parameter at this position.
    Argument(u16),
}

/// How a parameter is passed or a value returned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RefKind {
    /// By value.
    #[default]
    None,
    /// `ref`.
    Ref,
    /// `out`.
    Out,
    /// `in`.
    In,
    /// `ref readonly`.
    RefReadonly,
}

impl RefKind {
    /// Whether what it refers to gets no other value through it.
    pub fn is_readonly(self) -> bool {
        matches!(self, Self::In | Self::RefReadonly)
    }
}

/// The members that one type declares itself, those of all its parts.
#[derive(Debug, Default)]
pub struct MemberTable {
    /// In order of parts and source, then those made by the compiler.
    pub all: Box<[MemberId]>,
    /// By name, without explicit implementations.
    pub by_name: FxHashMap<Name, SmallVec<[MemberId; 2]>>,
}

impl MemberTable {
    /// Those of a name, in order.
    pub fn named(&self, name: Name) -> &[MemberId] {
        self.by_name.get(&name).map_or(&[], |found| found)
    }
}

/// A member as seen through a constructed type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sym {
    /// The definition.
    pub member: MemberId,
    /// The constructed type that declares it.
    pub container: Ty,
}
