//! Closed vocabularies of answers: each value has one word, in JSON as well as for people.

use std::fmt;

use cortex_model::{DeclKind, TypeKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
        )]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant),* }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.word()) }
        }
    };
}

words! {
    /// What a symbol is, in the words of C#.
    SymbolKind {
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
        /// A type whose kind is not known.
        Type = "type",
        /// A namespace.
        Namespace = "namespace",
        /// An `extension(…)` block.
        Extension = "extension",
        /// A field.
        Field = "field",
        /// `const`.
        Constant = "const",
        /// A member of an enum.
        EnumMember = "enum member",
        /// A property.
        Property = "property",
        /// An indexer.
        Indexer = "indexer",
        /// An event.
        Event = "event",
        /// A method.
        Method = "method",
        /// An operator other than a conversion.
        Operator = "operator",
        /// `implicit` or `explicit operator`.
        Conversion = "conversion",
        /// An instance constructor.
        Constructor = "constructor",
        /// A primary constructor.
        PrimaryConstructor = "primary constructor",
        /// A static constructor.
        StaticConstructor = "static constructor",
        /// A finalizer.
        Finalizer = "finalizer",
        /// Top-level statements.
        TopLevel = "top-level statements",
        /// A symbol from outside the repository.
        External = "external",
    }
}

impl SymbolKind {
    /// Whether it is a kind of type.
    pub fn is_type(self) -> bool {
        self <= Self::Type
    }
}

impl From<TypeKind> for SymbolKind {
    fn from(kind: TypeKind) -> Self {
        match kind {
            TypeKind::Class => Self::Class,
            TypeKind::Struct => Self::Struct,
            TypeKind::Interface => Self::Interface,
            TypeKind::Enum => Self::Enum,
            TypeKind::Record => Self::Record,
            TypeKind::RecordStruct => Self::RecordStruct,
            TypeKind::Delegate => Self::Delegate,
        }
    }
}

impl From<DeclKind> for SymbolKind {
    fn from(kind: DeclKind) -> Self {
        match kind {
            DeclKind::Namespace => Self::Namespace,
            DeclKind::Class => Self::Class,
            DeclKind::Struct => Self::Struct,
            DeclKind::Interface => Self::Interface,
            DeclKind::Enum => Self::Enum,
            DeclKind::Record => Self::Record,
            DeclKind::RecordStruct => Self::RecordStruct,
            DeclKind::Delegate => Self::Delegate,
            DeclKind::Extension => Self::Extension,
            DeclKind::Field => Self::Field,
            DeclKind::Constant => Self::Constant,
            DeclKind::EnumMember => Self::EnumMember,
            DeclKind::Property => Self::Property,
            DeclKind::Indexer => Self::Indexer,
            DeclKind::Event => Self::Event,
            DeclKind::Method => Self::Method,
            DeclKind::Operator => Self::Operator,
            DeclKind::Conversion => Self::Conversion,
            DeclKind::Constructor => Self::Constructor,
            DeclKind::StaticConstructor => Self::StaticConstructor,
            DeclKind::Finalizer => Self::Finalizer,
            DeclKind::TopLevel => Self::TopLevel,
        }
    }
}

words! {
    /// What a file that may mention symbols is written in, other than C#.
    FileLanguage {
        /// SQL.
        Sql = "sql",
        /// Razor views and components.
        Razor = "razor",
        /// XAML, also that of Avalonia.
        Xaml = "xaml",
        /// Pages and controls of Web Forms.
        WebForms = "web-forms",
        /// JSON.
        Json = "json",
        /// YAML.
        Yaml = "yaml",
        /// Projects, solutions, props and targets of MSBuild.
        Project = "project",
        /// Other XML: configuration, resources, manifests.
        Xml = "xml",
        /// Visual Basic.
        VisualBasic = "visual-basic",
        /// F#.
        FSharp = "fsharp",
        /// T4 templates and C# scripts.
        Template = "template",
        /// PowerShell.
        PowerShell = "powershell",
    }
}

impl SymbolKind {
    /// Whether it is a member of a type.
    pub const fn is_member(self) -> bool {
        !matches!(
            self,
            Self::Class
                | Self::Struct
                | Self::Interface
                | Self::Enum
                | Self::Record
                | Self::RecordStruct
                | Self::Delegate
                | Self::Type
                | Self::Namespace
                | Self::Extension
                | Self::External
        )
    }
}

impl FileLanguage {
    /// Whether files of this language name types, handlers and properties of C# as a matter of course.
    pub const fn is_markup(self) -> bool {
        matches!(self, Self::Razor | Self::Xaml | Self::WebForms)
    }
}

words! {
    /// What a place does with the symbol that it uses.
    // Invariant: in the order of the words.
    Role {
        /// A collection initializer calls its `Add`.
        Add = "add",
        /// An attribute.
        Attribute = "attribute",
        /// `await`.
        Await = "await",
        /// A base class or interface.
        Base = "base",
        /// A call.
        Call = "call",
        /// A cast or `as`.
        Cast = "cast",
        /// `catch (T)`.
        Catch = "catch",
        /// A generic constraint.
        Constraint = "constraint",
        /// A user-defined conversion.
        Conversion = "conversion",
        /// `new T(…)`, also without a name.
        Creation = "creation",
        /// A deconstruction.
        Deconstruct = "deconstruct",
        /// The end of a `using`.
        Dispose = "dispose",
        /// A `cref` in documentation.
        Doc = "doc",
        /// The type of an event.
        Event = "event",
        /// The type of a field.
        Field = "field",
        /// `foreach`.
        Foreach = "foreach",
        /// A name in code that conditional compilation leaves out.
        Inactive = "inactive",
        /// An indexer is used.
        Index = "index",
        /// A string that is equal to the name.
        Literal = "literal",
        /// The type of a local.
        Local = "local",
        /// `nameof`.
        Nameof = "nameof",
        /// A type declares the other inside itself.
        Nested = "nested",
        /// A user-defined operator.
        Operator = "operator",
        /// Another use without a name.
        Other = "other",
        /// The type of a parameter.
        Parameter = "parameter",
        /// `is`, `switch` and other patterns.
        Pattern = "pattern",
        /// The type of a property or indexer.
        Property = "property",
        /// A query expression.
        Query = "query",
        /// A read.
        Read = "read",
        /// A call that registers the type for others to find: `AddSingleton<I, T>()`.
        Registration = "registration",
        /// A return type.
        Return = "return",
        /// Access to a static member through the type's name.
        Static = "static",
        /// `throw`.
        Throw = "throw",
        /// A type argument, of a call or of a type inside a body.
        TypeArgument = "type-argument",
        /// `typeof`, `sizeof` or `default`.
        Typeof = "typeof",
        /// A name whose meaning is not known.
        Unknown = "unknown",
        /// A write.
        Write = "write",
    }
}

words! {
    /// What one side of a comparison is.
    SideKind {
        /// A commit.
        Commit = "commit",
        /// The index.
        Index = "index",
        /// The work tree.
        WorkTree = "work-tree",
        /// The other side with files as a patch or a merge would have them.
        Planned = "planned",
        /// Nothing: the side before the first commit.
        Nothing = "nothing",
    }
}

words! {
    /// What happened to a file.
    FileStatus {
        /// It is new.
        Added = "added",
        /// It is gone.
        Deleted = "deleted",
        /// Its content changed.
        Modified = "modified",
        /// It was renamed.
        Renamed = "renamed",
        /// Only its mode changed.
        ModeChanged = "mode-changed",
        /// It became a file of another type, a link for example.
        TypeChanged = "type-changed",
    }
}

words! {
    /// Which parents of merges a history follows.
    Parents {
        /// The first of each.
        First = "first",
        /// All.
        All = "all",
    }
}

words! {
    /// How a lower type or member relates to an upper one.
    Relation {
        /// It derives from it.
        Inherits = "inherits",
        /// It implements it.
        Implements = "implements",
        /// It overrides it.
        Overrides = "overrides",
    }
}

words! {
    /// How a member of the same family relates to the one in question.
    FamilyRelation {
        /// It is overridden by it.
        Overridden = "overridden",
        /// It is implemented by it.
        Implemented = "implemented",
        /// It overrides it.
        Override = "override",
        /// It implements it.
        Implementation = "implementation",
    }
}

words! {
    /// How the text of a question was read.
    ReadAs {
        /// As one identifier.
        Identifier = "identifier",
        /// As words.
        Words = "words",
        /// As a regular expression.
        Expression = "expression",
    }
}

words! {
    /// Which limit left something out.
    LimitedBy {
        /// The number of files.
        Files = "files",
        /// The time.
        Time = "time",
    }
}

words! {
    /// Why a file matches a query, the best reason first.
    FileMatch {
        /// Its path matches the glob.
        Glob = "glob",
        /// The query is its name.
        Name = "name",
        /// The query is its name without the extension.
        Stem = "stem",
        /// Its name starts with the query.
        Start = "start",
        /// Its name has the query as humps.
        Humps = "humps",
        /// Its name contains the query.
        Part = "part",
        /// Its path contains the query.
        Path = "path",
    }
}

words! {
    /// Which part of a C# text a hit is in.
    TextContext {
        /// Code.
        Code = "code",
        /// A comment.
        Comment = "comment",
        /// A string.
        String = "string",
    }
}

words! {
    /// Why unchanged code is told with a change.
    CallReason {
        /// Changed lines call it.
        Called = "called",
        /// Changed lines name its result.
        Feeds = "feeds",
        /// It runs where an override ran that is gone.
        RunsInPlace = "runs-in-place",
        /// Lines that are gone called it where others call something else now.
        CalledBefore = "called-before",
        /// A framework gives it what changed lines name: it handles a requirement, request, message or event.
        Handles = "handles",
        /// Unchanged lines of a changed member call it, of the same type.
        Beside = "beside",
    }
}

words! {
    /// What a text is that a change adds or takes away.
    TextKind {
        /// A string that names something: a key, a price, a path.
        Value = "value",
        /// The words of a string or of a line of a comment.
        Wording = "wording",
        /// The name of a type or member that is no longer declared.
        Name = "name",
        /// The path of a route that is gone, behind its verb.
        Route = "route",
    }
}

words! {
    /// What a change does with a text.
    ValueChange {
        /// Other lines take the place of those that had it.
        Replaced = "replaced",
        /// The lines that had it are gone.
        Removed = "removed",
        /// Lines newly have it.
        Added = "added",
        /// What it names is there, and runs otherwise.
        Described = "described",
        /// The code of a member has it no longer, and its documentation, or that of what it implements, does.
        Documented = "documented",
    }
}

words! {
    /// What changed code does with a property, field, method, constant or value of an enum, the most telling first.
    DataChange {
        /// It gives it another value than before.
        AnotherValue = "another-value",
        /// It gives it no value any longer.
        NoLongerWritten = "no-longer-written",
        /// It newly gives it a value.
        Written = "written",
        /// It newly reads it.
        NewlyRead = "newly-read",
        /// It newly calls a method.
        Called = "called",
        /// It calls a method no longer.
        NoLongerCalled = "no-longer-called",
        /// It newly names a constant or a value of an enum.
        Named = "named",
        /// It names a constant or a value of an enum no longer.
        NoLongerNamed = "no-longer-named",
        /// It names a constant or a value of an enum on a changed line, as it did.
        StillNamed = "still-named",
    }
}
