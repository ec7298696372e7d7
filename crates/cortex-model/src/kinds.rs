//! Closed vocabularies, in the words of C#, Roslyn and graph theory.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$vdoc])* $variant),* }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word for it, as in C# source and in answers.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.name()) }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool { false }
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let words: Vec<&str> = Self::ALL.iter().map(|value| value.name()).collect();
                schemars::json_schema!({ "type": "string", "enum": words })
            }
        }

        // Its word for people, its number in the store.
        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if serializer.is_human_readable() {
                    serializer.serialize_str(self.name())
                } else {
                    serializer.serialize_u8(*self as u8)
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let found = if deserializer.is_human_readable() {
                    let word = String::deserialize(deserializer)?;
                    Self::ALL.iter().find(|value| value.name() == word)
                } else {
                    Self::ALL.get(usize::from(u8::deserialize(deserializer)?))
                };
                found.copied().ok_or_else(|| serde::de::Error::custom(concat!("not a ", stringify!($name))))
            }
        }
    };
}

vocabulary! {
    /// What kind of type a declaration makes.
    TypeKind {
        /// `class`.
        Class = "class",
        /// `struct`.
        Struct = "struct",
        /// `interface`.
        Interface = "interface",
        /// `enum`.
        Enum = "enum",
        /// `record` or `record class`.
        Record = "record",
        /// `record struct`.
        RecordStruct = "record struct",
        /// `delegate`.
        Delegate = "delegate",
    }
}

vocabulary! {
    /// What a declaration declares.
    DeclKind {
        /// A namespace, block or file-scoped.
        Namespace = "namespace",
        /// `class`.
        Class = "class",
        /// `struct`.
        Struct = "struct",
        /// `interface`.
        Interface = "interface",
        /// `enum`.
        Enum = "enum",
        /// `record` or `record class`.
        Record = "record",
        /// `record struct`.
        RecordStruct = "record struct",
        /// `delegate`.
        Delegate = "delegate",
        /// An `extension(…)` block: members of its static class with a receiver of their own.
        Extension = "extension",
        /// A field, one per declarator.
        Field = "field",
        /// `const`, one per declarator.
        Constant = "const",
        /// A member of an enum.
        EnumMember = "enum member",
        /// A property.
        Property = "property",
        /// An indexer.
        Indexer = "indexer",
        /// An event, field-like (one per declarator) or custom.
        Event = "event",
        /// A method.
        Method = "method",
        /// An operator other than a conversion.
        Operator = "operator",
        /// `implicit` or `explicit operator`.
        Conversion = "conversion",
        /// An instance constructor, also a primary one.
        Constructor = "constructor",
        /// A static constructor.
        StaticConstructor = "static constructor",
        /// A finalizer.
        Finalizer = "finalizer",
        /// Top-level statements: the body of the synthesized `Program`.
        TopLevel = "top-level statements",
    }
}

impl DeclKind {
    /// The kind of type that it declares, if it declares one.
    pub const fn type_kind(self) -> Option<TypeKind> {
        Some(match self {
            Self::Class => TypeKind::Class,
            Self::Struct => TypeKind::Struct,
            Self::Interface => TypeKind::Interface,
            Self::Enum => TypeKind::Enum,
            Self::Record => TypeKind::Record,
            Self::RecordStruct => TypeKind::RecordStruct,
            Self::Delegate => TypeKind::Delegate,
            _ => return None,
        })
    }

    /// Whether it declares a member of a type (a nested type is not counted here).
    pub const fn is_member(self) -> bool {
        !matches!(self, Self::Namespace | Self::Extension) && self.type_kind().is_none()
    }

    /// Whether a member of this kind is used by its simple name.
    pub const fn has_simple_name(self) -> bool {
        !matches!(
            self,
            Self::Constructor
                | Self::StaticConstructor
                | Self::Finalizer
                | Self::Operator
                | Self::Conversion
                | Self::Indexer
                | Self::TopLevel
        )
    }

    /// Among which members an outline lists it.
    pub const fn group(self) -> MemberGroup {
        match self {
            Self::EnumMember => MemberGroup::Values,
            Self::Constructor => MemberGroup::Constructors,
            Self::Constant => MemberGroup::Constants,
            Self::Field => MemberGroup::Fields,
            Self::Property => MemberGroup::Properties,
            Self::Indexer => MemberGroup::Indexers,
            Self::Event => MemberGroup::Events,
            Self::Method => MemberGroup::Methods,
            Self::Operator => MemberGroup::Operators,
            Self::Conversion => MemberGroup::Conversions,
            _ => MemberGroup::Others,
        }
    }
}

vocabulary! {
    /// Members that an outline lists together, in its order.
    MemberGroup {
        /// Of an enum.
        Values = "Values",
        /// Of instances.
        Constructors = "Constructors",
        /// `const`.
        Constants = "Constants",
        /// Others than constants.
        Fields = "Fields",
        /// Without indexers.
        Properties = "Properties",
        /// `this[…]`.
        Indexers = "Indexers",
        /// `event`.
        Events = "Events",
        /// Without operators.
        Methods = "Methods",
        /// Without conversions.
        Operators = "Operators",
        /// `implicit` and `explicit operator`.
        Conversions = "Conversions",
        /// Finalizers, static constructors, top-level statements.
        Others = "Other members",
    }
}

vocabulary! {
    /// Who may see a declaration, from most to least restricted.
    Accessibility {
        /// `private`.
        Private = "private",
        /// `private protected`: derived types of the same assembly.
        PrivateProtected = "private protected",
        /// `file`: the same source file.
        File = "file",
        /// `internal`: the same assembly and its friends.
        Internal = "internal",
        /// `protected`.
        Protected = "protected",
        /// `protected internal`.
        ProtectedInternal = "protected internal",
        /// `public`.
        Public = "public",
    }
}

impl Accessibility {
    /// Whether other assemblies can see it: public, protected or protected internal.
    pub const fn is_visible(self) -> bool {
        matches!(
            self,
            Self::Public | Self::Protected | Self::ProtectedInternal
        )
    }
}

vocabulary! {
    /// A modifier keyword other than accessibility.
    Modifier {
        /// `abstract`.
        Abstract = "abstract",
        /// `async`.
        Async = "async",
        /// `const`.
        Const = "const",
        /// `extern`.
        Extern = "extern",
        /// `file`.
        File = "file",
        /// `fixed`.
        Fixed = "fixed",
        /// `new`.
        New = "new",
        /// `override`.
        Override = "override",
        /// `partial`.
        Partial = "partial",
        /// `readonly`.
        Readonly = "readonly",
        /// `ref`.
        Ref = "ref",
        /// `required`.
        Required = "required",
        /// `sealed`.
        Sealed = "sealed",
        /// `static`.
        Static = "static",
        /// `unsafe`.
        Unsafe = "unsafe",
        /// `virtual`.
        Virtual = "virtual",
        /// `volatile`.
        Volatile = "volatile",
        /// `checked`, of an operator.
        Checked = "checked",
        /// `implicit`, of a conversion.
        Implicit = "implicit",
        /// `explicit`, of a conversion.
        Explicit = "explicit",
        /// `scoped`, of a parameter.
        Scoped = "scoped",
        /// `this`, of a parameter.
        This = "this",
        /// `in`, of a parameter.
        In = "in",
        /// `out`, of a parameter.
        Out = "out",
        /// `params`, of a parameter.
        Params = "params",
    }
}

vocabulary! {
    /// What an accessor does.
    AccessorKind {
        /// `get`.
        Get = "get",
        /// `set`.
        Set = "set",
        /// `init`.
        Init = "init",
        /// `add`.
        Add = "add",
        /// `remove`.
        Remove = "remove",
    }
}

vocabulary! {
    /// Why a type depends on another. The first ten are structural: they show in its signature.
    EdgeKind {
        /// A base class.
        Inherits = "inherits",
        /// A base interface.
        Implements = "implements",
        /// A generic constraint.
        Constraint = "constraint",
        /// An attribute.
        Attribute = "attribute",
        /// The type of a field.
        Field = "field",
        /// The type of a property or indexer.
        Property = "property",
        /// The type of an event.
        Event = "event",
        /// The type of a parameter.
        Parameter = "parameter",
        /// A return type.
        Return = "return",
        /// It declares the other inside itself.
        Nested = "nested",
        /// `new T(…)`.
        Creates = "creates",
        /// A call of one of its members.
        Calls = "calls",
        /// A read of one of its members.
        Reads = "reads",
        /// A write of one of its members.
        Writes = "writes",
        /// A cast or `as`.
        Casts = "casts",
        /// `is`, `switch` and other patterns.
        Pattern = "pattern",
        /// `typeof`, `sizeof`, `default`, `nameof`.
        TypeOf = "typeof",
        /// Access to a static member through the type's name.
        Static = "static",
        /// A call of an extension method.
        Extension = "extension",
        /// The type of a local, of a lambda's parameter or of a local function's signature; a type argument of a call.
        Local = "local",
        /// `throw new T(…)`.
        Throws = "throws",
        /// `catch (T)`.
        Catches = "catches",
        /// A `cref` in documentation.
        Doc = "doc",
    }
}

impl EdgeKind {
    /// Whether it shows in the signature of the dependent type, so that structural changes travel along it.
    pub const fn is_structural(self) -> bool {
        (self as u8) <= (Self::Nested as u8)
    }
}

macro_rules! bit_set {
    ($(#[$doc:meta])* $set:ident of $item:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $set(u32);

        impl $set {
            /// No item.
            pub const EMPTY: Self = Self(0);

            /// Adds an item.
            pub const fn with(self, item: $item) -> Self { Self(self.0 | 1 << item as u8) }

            /// Takes an item away.
            pub const fn without(self, item: $item) -> Self { Self(self.0 & !(1 << item as u8)) }

            /// Whether the item is in the set.
            pub const fn contains(self, item: $item) -> bool { self.0 & 1 << item as u8 != 0 }

            /// Whether nothing is in the set.
            pub const fn is_empty(self) -> bool { self.0 == 0 }

            /// The items of both.
            pub const fn union(self, other: Self) -> Self { Self(self.0 | other.0) }

            /// The set as bits, the first item lowest.
            pub const fn bits(self) -> u32 { self.0 }

            /// The items, in declaration order.
            pub fn iter(self) -> impl Iterator<Item = $item> {
                $item::ALL.iter().copied().filter(move |&item| self.contains(item))
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> Self {
                items.into_iter().fold(Self::EMPTY, Self::with)
            }
        }

        impl fmt::Debug for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }
    };
}

bit_set! {
    /// The modifiers of a declaration.
    Modifiers of Modifier
}

bit_set! {
    /// The kinds of one edge.
    EdgeKinds of EdgeKind
}

impl EdgeKinds {
    /// Whether any kind is structural.
    pub fn is_structural(self) -> bool {
        self.0 & ((1 << (EdgeKind::Nested as u8 + 1)) - 1) != 0
    }
}

vocabulary! {
    /// What happened to a type between two snapshots: the first that applies, strongest first.
    ChangeClass {
        /// It exists only on the new side.
        Added = "added",
        /// It exists only on the old side.
        Removed = "removed",
        /// What others can see of its shape changed: they may break.
        Structure = "structure",
        /// The bodies of visible members changed.
        PublicBehavior = "public-behavior",
        /// Only the inside changed.
        Internal = "internal",
        /// Only its documentation changed.
        Docs = "docs",
        /// Only comments, white space or member order changed.
        Cosmetic = "cosmetic",
        /// Nothing changed.
        Unchanged = "unchanged",
    }
}
