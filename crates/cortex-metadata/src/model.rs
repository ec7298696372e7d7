//! External types, members and signatures as plain data.
//!
//! Must not know: how they were read, and from what.

use std::sync::Arc;

use cortex_model::{Accessibility, TypeKind};

/// A type of one assembly. Only meaningful together with the assembly that gave it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeRow(pub(crate) u32);

impl TypeRow {
    /// Its number, for tables of the caller: small, dense, stable for equal assembly bytes.
    pub const fn index(self) -> u32 {
        self.0
    }
}

/// A type in a signature, resolved by name: who binds maps names to symbols.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SigType {
    /// A type that signatures have a code for, also where metadata names it (`System.Object` as a base type).
    Primitive(Primitive),
    /// A class, struct, interface, enum or delegate.
    Named(Box<NamedSig>),
    /// A type parameter of the type, counted over the enclosing types too, outermost first.
    TypeParam(u16),
    /// A type parameter of the method.
    MethodParam(u16),
    /// An array of a rank; 1 is the vector `T[]`.
    Array(Box<SigType>, u8),
    /// `T*`.
    Pointer(Box<SigType>),
    /// A managed reference inside of a signature. Those of parameters, returns, fields and properties
    /// are told by their [`RefKind`] instead.
    ByRef(Box<SigType>),
    /// A function pointer: the parameters, then the return type.
    FunctionPointer(Vec<SigType>),
    /// `dynamic`.
    Dynamic,
    /// A tuple of two or more elements, flattened, with its element names (as many; `None` where unnamed).
    Tuple(Vec<SigType>, Vec<Option<Arc<str>>>),
    /// What could not be read.
    Unknown,
}

/// A named type in a signature.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NamedSig {
    /// The namespace with dots; empty for the global one.
    pub namespace: Arc<str>,
    /// From the outermost type inwards: simple name without an arity suffix, and its own arity. Never empty.
    pub path: Arc<[(Arc<str>, u16)]>,
    /// The type arguments of all of `path`, outermost first; empty where the type is named open, as by `typeof(List<>)`.
    pub args: Vec<SigType>,
    /// The simple name of the assembly that the reference names. It may forward the type to another.
    pub assembly: Arc<str>,
}

macro_rules! primitives {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// A type of namespace `System` that signatures have a code for.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Primitive { $(#[doc = concat!("`System.", $name, "`.")] $variant),* }

        impl Primitive {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The simple name of the type in namespace `System`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

primitives! {
    Void = "Void",
    Boolean = "Boolean",
    Char = "Char",
    SByte = "SByte",
    Byte = "Byte",
    Int16 = "Int16",
    UInt16 = "UInt16",
    Int32 = "Int32",
    UInt32 = "UInt32",
    Int64 = "Int64",
    UInt64 = "UInt64",
    Single = "Single",
    Double = "Double",
    String = "String",
    Object = "Object",
    IntPtr = "IntPtr",
    UIntPtr = "UIntPtr",
    TypedReference = "TypedReference",
}

/// A type from outside the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalType {
    /// The namespace with dots; empty for the global one. A nested type has that of its outermost type.
    pub namespace: Arc<str>,
    /// The simple name, without an arity suffix.
    pub name: Arc<str>,
    /// The number of its own type parameters.
    pub arity: u16,
    /// The type that it is nested in.
    pub outer: Option<TypeRow>,
    /// Records cannot be told from classes and structs: they are these.
    pub kind: TypeKind,
    /// As declared, whatever encloses it.
    pub accessibility: Accessibility,
    /// `abstract` and not `static`; also every interface.
    pub is_abstract: bool,
    /// `sealed` and not `static`; also every struct, enum and delegate.
    pub is_sealed: bool,
    /// `static class`.
    pub is_static: bool,
    /// `ref struct`.
    pub is_ref_like: bool,
    /// `readonly struct`.
    pub is_readonly: bool,
    /// All type parameters in metadata order, those of the enclosing types first: [`SigType::TypeParam`]
    /// counts in this list, and its own are the last [`arity`](Self::arity).
    pub type_params: Vec<ExternalTypeParam>,
    /// The base class; `None` for interfaces and `System.Object`.
    pub base: Option<SigType>,
    /// The interfaces that metadata lists, in its order: compilers list the inherited ones too.
    pub interfaces: Vec<SigType>,
    /// The underlying type of an enum.
    pub enum_underlying: Option<Primitive>,
    /// What its attributes say.
    pub attributes: TypeAttributes,
}

impl ExternalType {
    /// A type without a name: what a row that does not exist reads as.
    pub(crate) fn empty() -> Self {
        Self {
            namespace: Arc::default(),
            name: Arc::default(),
            arity: 0,
            outer: None,
            kind: TypeKind::Class,
            accessibility: Accessibility::Private,
            is_abstract: false,
            is_sealed: false,
            is_static: false,
            is_ref_like: false,
            is_readonly: false,
            type_params: Vec::new(),
            base: None,
            interfaces: Vec::new(),
            enum_underlying: None,
            attributes: TypeAttributes::default(),
        }
    }
}

/// What the attributes of a type say to a compiler.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypeAttributes {
    /// `AttributeUsage`.
    pub attribute_usage: Option<AttributeUsage>,
    /// `Obsolete`, other than those that compilers add to keep old compilers away.
    pub is_obsolete: bool,
    /// `CollectionBuilder`: the open builder type and its method.
    pub collection_builder: Option<(NamedSig, Arc<str>)>,
    /// `InterpolatedStringHandler`.
    pub is_interpolated_string_handler: bool,
    /// `DefaultMember`: the name of the indexers.
    pub default_member: Option<Arc<str>>,
    /// `AsyncMethodBuilder`: the open builder type.
    pub async_method_builder: Option<NamedSig>,
    /// `Extension`: the static class declares extension methods.
    pub has_extensions: bool,
    /// `InlineArray`: the length.
    pub inline_array: Option<i32>,
}

/// The arguments of an `AttributeUsage` attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttributeUsage {
    /// The bits of `System.AttributeTargets`.
    pub valid_on: u32,
    /// Whether it may stand twice on one target.
    pub allow_multiple: bool,
    /// Whether derived declarations inherit it.
    pub inherited: bool,
}

/// A type parameter of an external type or method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalTypeParam {
    /// Its name.
    pub name: Arc<str>,
    /// `in` or `out`.
    pub variance: Variance,
    /// The types that it is constrained to, in metadata order; `System.ValueType` of `struct` is not among them.
    pub constraints: Vec<SigType>,
    /// `class`.
    pub is_reference: bool,
    /// `struct`; also of `unmanaged`.
    pub is_value: bool,
    /// `unmanaged`.
    pub is_unmanaged: bool,
    /// `notnull`.
    pub is_notnull: bool,
    /// `new()`; not of `struct`.
    pub has_new: bool,
    /// `allows ref struct`.
    pub allows_ref_struct: bool,
}

/// The variance of a type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variance {
    /// Neither `in` nor `out`.
    #[default]
    None,
    /// `out`.
    Covariant,
    /// `in`.
    Contravariant,
}

/// A member of an external type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalMember {
    /// What it is to C#.
    pub kind: MemberKind,
    /// The name in metadata: `op_Addition`, `.ctor`, a property's own name. That of an explicit
    /// implementation has the interface before it.
    pub name: Arc<str>,
    /// The widest accessor's, of a property or event.
    pub accessibility: Accessibility,
    /// `static`; also constants and enum members.
    pub is_static: bool,
    /// `abstract`; also members of interfaces without a body.
    pub is_abstract: bool,
    /// Whether it has a virtual slot: `virtual`, `abstract` and `override` members, but also those that
    /// are virtual and sealed because they implement an interface.
    pub is_virtual: bool,
    /// `override`: virtual, and reuses the slot of a base type.
    pub is_override: bool,
    /// The slot cannot be overridden further.
    pub is_sealed: bool,
    /// An extension method of the old form (`this` parameter).
    pub is_extension: bool,
    /// A `readonly` field, or a `readonly` member of a struct.
    pub is_readonly: bool,
    /// `required`.
    pub is_required: bool,
    /// The `get` accessor's accessibility; `None` where there is none.
    pub getter: Option<Accessibility>,
    /// The `set` or `init` accessor's accessibility; `None` where there is none.
    pub setter: Option<Accessibility>,
    /// Whether the `set` accessor is `init`.
    pub is_init_only: bool,
    /// The return, field, property or event type; `void` of constructors. Without the reference of `returns_by`.
    pub ty: SigType,
    /// `ref` or `ref readonly` returns, properties and fields.
    pub returns_by: RefKind,
    /// Parameters of methods and indexers.
    pub params: Vec<ExternalParam>,
    /// A method's own type parameters.
    pub type_params: Vec<ExternalTypeParam>,
    /// The interface (or base) members that it implements explicitly: the type, and the member's name
    /// there (of a property or event its own, not the accessor's).
    pub explicit_implementations: Vec<(SigType, Arc<str>)>,
    /// What its attributes say.
    pub attributes: MemberAttributes,
    /// The value of constants and enum members.
    pub constant: Option<ConstantValue>,
}

/// What an external member is to C#.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum MemberKind {
    /// An ordinary method; also an explicit implementation of an operator.
    Method,
    /// An instance constructor.
    Constructor,
    /// A static constructor.
    StaticConstructor,
    /// A field.
    Field,
    /// A `const` field.
    Constant,
    /// A member of an enum.
    EnumMember,
    /// A property without parameters.
    Property,
    /// A property with parameters.
    Indexer,
    /// An event.
    Event,
    /// An operator other than a conversion.
    Operator,
    /// An `op_Implicit`, `op_Explicit` or `op_CheckedExplicit`.
    Conversion,
    /// The override of `Object.Finalize`.
    Finalizer,
}

impl MemberKind {
    /// Every value, in declaration order.
    pub const ALL: &'static [Self] = &[
        Self::Method,
        Self::Constructor,
        Self::StaticConstructor,
        Self::Field,
        Self::Constant,
        Self::EnumMember,
        Self::Property,
        Self::Indexer,
        Self::Event,
        Self::Operator,
        Self::Conversion,
        Self::Finalizer,
    ];
}

/// An extension block (C# 14) of an external static class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalExtension {
    /// The type parameters of the block: its members count them as those of a type.
    pub type_params: Vec<ExternalTypeParam>,
    /// The receiver; its name is empty where the block only names a type.
    pub receiver: ExternalParam,
    /// Methods and properties, as they are written in the block: without the receiver among the parameters.
    pub members: Vec<ExternalMember>,
}

/// What the attributes of a member say to a compiler.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemberAttributes {
    /// `OverloadResolutionPriority`; 0 without one.
    pub overload_resolution_priority: i32,
    /// `Obsolete`, other than those that compilers add to keep old compilers away.
    pub is_obsolete: bool,
    /// The symbols of `Conditional`, in metadata order.
    pub conditional: Vec<Arc<str>>,
}

/// A parameter of an external member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExternalParam {
    /// Its name; empty where metadata has none.
    pub name: Arc<str>,
    /// Its type, without the reference of `ref_kind`.
    pub ty: SigType,
    /// How it is passed.
    pub ref_kind: RefKind,
    /// `params`.
    pub is_params: bool,
    /// Whether it may be left out.
    pub is_optional: bool,
    /// The default value, where metadata has it as a constant (not of `decimal` and `DateTime`).
    pub default: Option<ConstantValue>,
    /// `InterpolatedStringHandlerArgument`: parameter names, the empty one for the receiver.
    pub handler_arguments: Vec<Arc<str>>,
    /// `CallerMemberName`.
    pub is_caller_member: bool,
    /// `CallerArgumentExpression`: the name of the parameter whose argument it takes the text of.
    pub caller_argument: Option<Arc<str>>,
}

/// How a parameter is passed or a value is returned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
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
    /// `ref readonly`, of parameters and of returns.
    RefReadonly,
}

/// A constant of metadata.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConstantValue {
    /// `null`, also the default of a struct.
    Null,
    /// An integer, a character or a boolean: the declared type says which. `ulong` is wrapped into the sign.
    Integer(i64),
    /// The bits of a `double`; a `float` is widened to it.
    Real(u64),
    /// A string.
    Text(Arc<str>),
}
