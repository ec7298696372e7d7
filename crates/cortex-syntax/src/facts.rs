//! What one source text says on its own: plain values, independent of git and of other files.

use crate::body::Bodies;
pub use cortex_model::AccessorKind;
use cortex_model::{Accessibility, ByteRange, DeclKind, Modifiers};
use serde::{Deserialize, Serialize};

/// The version of everything in this file and of how it is computed; part of every cache key.
pub const FACTS_VERSION: u32 = 12;

/// An index into [`FileFacts::names`].
pub type NameId = u32;
/// An index into [`FileFacts::decls`].
pub type DeclId = u32;
/// An index into [`FileFacts::refs`].
pub type RefId = u32;

/// The facts of one text under one set of `#if` symbols.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FileFacts {
    /// Whether the encoding was guessed (no BOM and not UTF-8).
    pub encoding_guessed: bool,
    /// Where the parser found no rule, ascending; not empty means `degraded`.
    pub errors: Vec<ByteRange>,
    /// Parts left out by `#if`, ascending.
    pub inactive: Vec<Inactive>,
    /// Symbols that the text's `#if` and `#elif` lines name, sorted: without any, the facts are
    /// the same under every set of symbols.
    pub symbols_tested: Vec<String>,
    /// Each distinct name and value text once, in order of first use.
    pub names: Vec<Box<str>>,
    /// Using directives and extern aliases, in source order.
    pub usings: Vec<Using>,
    /// Declarations in preorder: a parent comes before its children.
    pub decls: Vec<Decl>,
    /// `[assembly: …]` and `[module: …]`, in source order.
    pub assembly_attributes: Vec<AttributeUse>,
    /// Names as written, but for uses of locals and parameters: those in code, ascending by offset, then those in documentation, ascending.
    pub refs: Vec<Reference>,
    /// The parameter lists in documentation, ascending by reference.
    pub cref_signatures: Vec<CrefSignature>,
    /// What the declarations do.
    pub bodies: Bodies,
}

impl FileFacts {
    /// The text behind a [`NameId`].
    pub fn name(&self, id: NameId) -> &str {
        &self.names[id as usize]
    }

    /// The assemblies that `[assembly: InternalsVisibleTo("…")]` lets see internals, without keys.
    /// Needs references.
    pub fn friends(&self) -> Vec<String> {
        let grants = self.assembly_attributes.iter().filter_map(|attribute| {
            let TypeSyntax::Named(segments) = &attribute.name else {
                return None;
            };
            let name = self.name(self.refs.get(segments.last()?.reference as usize)?.name);
            let arguments = self.name(attribute.arguments?);
            let is_grant = name.strip_suffix("Attribute").unwrap_or(name) == "InternalsVisibleTo";
            let literal = arguments.split('"').nth(1).filter(|_| is_grant)?;
            Some(
                literal
                    .split(',')
                    .next()
                    .unwrap_or(literal)
                    .trim()
                    .to_owned(),
            )
        });
        grants.collect()
    }

    /// Whether [`FileFacts::friends`] has any. Needs references.
    pub(crate) fn grants_friends(&self) -> bool {
        !self.assembly_attributes.is_empty() && !self.friends().is_empty()
    }

    /// Whether part of the text could not be parsed.
    pub fn is_degraded(&self) -> bool {
        !self.errors.is_empty()
    }
}

/// A part of the text that `#if` leaves out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inactive {
    /// The lines left out, without their directives.
    pub range: ByteRange,
    /// The condition as written.
    pub condition: String,
}

/// One using directive or extern alias.
#[derive(Clone, PartialEq, Debug)]
pub struct Using {
    /// The namespace declaration that holds it; `None` at the top of the file.
    pub scope: Option<DeclId>,
    /// What it brings in.
    pub kind: UsingKind,
    /// `global using`.
    pub global: bool,
    /// The namespace or type that it names; `Unknown` for an extern alias.
    pub target: TypeSyntax,
    /// The whole directive.
    pub range: ByteRange,
}

/// What a using directive brings in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsingKind {
    /// `using N;`: the types of a namespace.
    Namespace,
    /// `using static T;`: the static members and nested types of a type.
    Static,
    /// `using A = T;`
    Alias(NameId),
    /// `extern alias A;`
    ExternAlias(NameId),
}

/// One declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Decl {
    /// The declaration around it; `None` at the top of the file.
    pub parent: Option<DeclId>,
    /// What it declares.
    pub kind: DeclKind,
    /// Its simple name; a dotted name for a namespace, the operator's token for an operator,
    /// `this` for an indexer, the type's name for constructors and finalizers.
    pub name: NameId,
    /// Accessibility as written; `None` where the default applies.
    pub accessibility: Option<Accessibility>,
    /// All other modifiers.
    pub modifiers: Modifiers,
    /// Generic parameters in order.
    pub type_params: Vec<TypeParam>,
    /// The type of a field, property, event, indexer or enum's values; the return type of a
    /// method, operator, conversion or delegate.
    pub ty: Option<TypeSyntax>,
    /// Parameters in order; of a type, those of its primary constructor; of an extension block,
    /// its receiver.
    pub params: Option<Vec<Param>>,
    /// Base types in order; of an explicit implementation, the interface alone.
    pub bases: Vec<TypeSyntax>,
    /// Attributes of the declaration and of its parts (parameters, accessors, …): those of one part in source
    /// order.
    pub attributes: Vec<AttributeUse>,
    /// Accessors of a property, indexer or event, in source order.
    pub accessors: Vec<Accessor>,
    /// The tokens of a constant's, enum member's or property's initial value.
    pub value: Option<NameId>,
    /// The whole declaration, attributes included, documentation excluded.
    pub range: ByteRange,
    /// The name.
    pub name_range: ByteRange,
    /// The 1-based line of the name.
    pub line: u32,
    /// The body, accessor list or initializer; empty where there is none.
    pub body_range: ByteRange,
    /// The documentation comment; empty where there is none.
    pub doc_range: ByteRange,
    /// Documentation text with white space folded, hashed; 0 where there is none.
    pub doc_hash: u64,
    /// Tokens of bodies, initializers and default values, hashed; 0 where there are none.
    pub impl_hash: u64,
    /// The text of the declaration with its comments and white space, hashed.
    pub text_hash: u64,
}

/// A generic parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct TypeParam {
    /// Its name.
    pub name: NameId,
    /// `in`, `out` or neither.
    pub variance: Variance,
    /// Constraints in source order.
    pub constraints: Vec<Constraint>,
}

/// The variance of a generic parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variance {
    /// Neither.
    None,
    /// `in`.
    In,
    /// `out`.
    Out,
}

/// One constraint of a generic parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Constraint {
    /// A type.
    Type(TypeSyntax),
    /// `class`, `class?`, `struct`, `unmanaged`, `notnull`, `default`, `new()` or `allows ref struct`.
    Keyword(NameId),
}

/// A parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// Its name; empty of a receiver that has none, `extension(int)`.
    pub name: NameId,
    /// Its type; `None` in a lambda that leaves it out.
    pub ty: Option<TypeSyntax>,
    /// `this`, `ref`, `readonly`, `in`, `out`, `params`, `scoped`.
    pub modifiers: Modifiers,
    /// The tokens of its default value.
    pub default: Option<NameId>,
}

/// One attribute as written.
#[derive(Clone, PartialEq, Debug)]
pub struct AttributeUse {
    /// What it belongs to.
    pub target: AttributeTarget,
    /// Its class, as written (without `Attribute`, usually).
    pub name: TypeSyntax,
    /// The tokens of its arguments, parentheses excluded.
    pub arguments: Option<NameId>,
}

/// What an attribute belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(from = "u32", into = "u32")]
pub enum AttributeTarget {
    /// The declaration.
    Declaration,
    /// `assembly:`
    Assembly,
    /// `module:`
    Module,
    /// `return:`
    Return,
    /// `field:`, of a property or event.
    Field,
    /// `method:`, of an event, or of a type's parameter list.
    Method,
    /// Another word.
    Other,
    /// A parameter, by position.
    Parameter(u16),
    /// `property:` before a parameter of a record, by the parameter's position.
    PropertyOfParameter(u16),
    /// `field:` before a parameter of a record, by the parameter's position.
    FieldOfParameter(u16),
    /// A type parameter, by position among the declaration's own.
    TypeParameter(u16),
    /// An accessor.
    Accessor(AccessorKind),
    /// `return:` before an accessor.
    ReturnOfAccessor(AccessorKind),
    /// `param:` before an accessor.
    ParameterOfAccessor(AccessorKind),
}

impl AttributeTarget {
    /// What the word before a colon says in front of a declaration (C# specification, §22.3).
    pub(crate) fn of_word(word: &str) -> Self {
        match word {
            "assembly" => Self::Assembly,
            "module" => Self::Module,
            "return" => Self::Return,
            "field" => Self::Field,
            "method" => Self::Method,
            "event" | "property" | "type" | "enum" | "struct" => Self::Declaration,
            _ => Self::Other,
        }
    }
}

/// The kind in the low byte, the position above it.
impl From<AttributeTarget> for u32 {
    fn from(target: AttributeTarget) -> Self {
        use AttributeTarget as T;
        let of = |kind: u32, at: u16| kind | u32::from(at) << 8;
        match target {
            T::Declaration => 0,
            T::Assembly => 1,
            T::Module => 2,
            T::Return => 3,
            T::Field => 4,
            T::Method => 5,
            T::Other => 6,
            T::Parameter(at) => of(7, at),
            T::PropertyOfParameter(at) => of(8, at),
            T::FieldOfParameter(at) => of(9, at),
            T::TypeParameter(at) => of(10, at),
            T::Accessor(kind) => of(11, kind as u16),
            T::ReturnOfAccessor(kind) => of(12, kind as u16),
            T::ParameterOfAccessor(kind) => of(13, kind as u16),
        }
    }
}

impl From<u32> for AttributeTarget {
    fn from(number: u32) -> Self {
        let at = (number >> 8) as u16;
        let kind = *AccessorKind::ALL
            .get(usize::from(at))
            .unwrap_or(&AccessorKind::Get);
        match number & 0xff {
            0 => Self::Declaration,
            1 => Self::Assembly,
            2 => Self::Module,
            3 => Self::Return,
            4 => Self::Field,
            5 => Self::Method,
            7 => Self::Parameter(at),
            8 => Self::PropertyOfParameter(at),
            9 => Self::FieldOfParameter(at),
            10 => Self::TypeParameter(at),
            11 => Self::Accessor(kind),
            12 => Self::ReturnOfAccessor(kind),
            13 => Self::ParameterOfAccessor(kind),
            _ => Self::Other,
        }
    }
}

/// One accessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accessor {
    /// `get`, `set`, `init`, `add` or `remove`.
    pub kind: AccessorKind,
    /// Accessibility as written.
    pub accessibility: Option<Accessibility>,
    /// `readonly`.
    pub modifiers: Modifiers,
    /// Whether it has a body.
    pub has_body: bool,
}

/// A type as written, with its names as references.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeSyntax {
    /// A possibly qualified and generic name, leftmost segment first.
    Named(Vec<NameSegment>),
    /// `int`, `string`, `void`, `object`, …
    Predefined(NameId),
    /// `T[]`, `T[,]`: the number of dimensions. Nested as written, rightmost rank outermost: for the
    /// language, where the leftmost rank is the outermost array, a run of these goes the other way.
    Array(Box<TypeSyntax>, u8),
    /// `T?`.
    Nullable(Box<TypeSyntax>),
    /// `T*`.
    Pointer(Box<TypeSyntax>),
    /// `(A a, B)`: element types with their names.
    Tuple(Vec<(TypeSyntax, Option<NameId>)>),
    /// `ref T`.
    Ref(Box<TypeSyntax>),
    /// `ref readonly T`.
    RefReadonly(Box<TypeSyntax>),
    /// `delegate*<A, B, R>`: the text before `<`, then parameter types and the return type last;
    /// `ref` and `out` parameters as `Ref`, `in` as `RefReadonly`.
    FunctionPointer(NameId, Vec<TypeSyntax>),
    /// `var`, a missing type argument, or text that could not be read as a type.
    Unknown,
}

/// One segment of a qualified name.
#[derive(Clone, PartialEq, Debug)]
pub struct NameSegment {
    /// The name's reference.
    pub reference: RefId,
    /// Its type arguments.
    pub arguments: Vec<TypeSyntax>,
}

/// The parameter list of a `cref` (C# specification, annex D.4.2).
#[derive(Clone, PartialEq, Debug)]
pub struct CrefSignature {
    /// The reference of the name before it.
    pub reference: RefId,
    /// The names that braces declare, by the reference that they follow: `T` of `List{T}.Add(T)`. None where one of them
    /// is no name.
    pub type_params: Vec<(RefId, Vec<NameId>)>,
    /// The types; with `ref`, `out` and `in` as [`TypeSyntax::Ref`].
    pub params: Vec<TypeSyntax>,
}

/// One name as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The identifier, without `@`.
    pub name: NameId,
    /// Its first byte.
    pub offset: u32,
    /// Where it stands.
    pub context: RefContext,
    /// How many type arguments are written (`List<,>` has two).
    pub arity: u16,
    /// How many references back its qualifier stands (`A` of `A.B`); 0 for none.
    pub qualifier: u32,
    /// Whether a type parameter of the member around it has this name. Uses of locals and
    /// parameters are left out.
    pub shadowed: bool,
}

macro_rules! contexts {
    ($($(#[$doc:meta])* $variant:ident),* $(,)?) => {
        /// The syntactic position of a name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum RefContext { $($(#[$doc])* $variant),* }

        impl RefContext {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
        }
    };
}

contexts! {
    /// The target of a using directive.
    Using,
    /// A base list.
    Base,
    /// A generic constraint.
    Constraint,
    /// An attribute's class.
    Attribute,
    /// The type of a field or enum's values.
    Field,
    /// The type of a property or indexer.
    Property,
    /// The type of an event.
    Event,
    /// The type of a parameter of a declaration.
    Parameter,
    /// A return type.
    Return,
    /// The interface of an explicit implementation.
    ExplicitInterface,
    /// `new T`.
    Creation,
    /// `throw new T`.
    Throw,
    /// `(T)x`, `x as T`.
    Cast,
    /// `is T`, `case T t`, …
    Pattern,
    /// `typeof`, `sizeof`, `default`.
    TypeOf,
    /// `catch (T)`.
    Catch,
    /// The type of a local, lambda parameter or local function's signature.
    Local,
    /// A type argument of a call or of another expression.
    TypeArgument,
    /// The name before `::`.
    Alias,
    /// A simple name in an expression, before a dot.
    Head,
    /// A simple name in an expression.
    Value,
    /// A simple name that is called.
    Call,
    /// A name after a dot.
    Member,
    /// A name after a dot that is called.
    MemberCall,
    /// A simple name that is assigned.
    Write,
    /// A name after a dot that is assigned.
    MemberWrite,
    /// A member named in an object initializer or `with`.
    Initializer,
    /// A member named in a property pattern.
    PatternMember,
    /// The name of a named argument.
    ArgumentName,
    /// A `cref` in documentation.
    Doc,
    /// An argument of `nameof`.
    NameOf,
}

impl RefContext {
    /// Whether only a type (or a namespace before it) can stand here.
    pub const fn is_type_position(self) -> bool {
        (self as u8) >= (Self::Base as u8) && (self as u8) <= (Self::TypeArgument as u8)
    }
}
