//! The answer of `unused`.

use std::collections::BTreeMap;

use cortex_model::{Accessibility, RepoPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{SymbolKind, UnsearchedFiles, is_zero};

/// The answer of `unused`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnusedAnswer {
    /// How many types were looked at.
    pub n_types: usize,
    /// How many members were looked at: those of unused types are not.
    pub n_members: usize,
    /// How many symbols have no reference, and nothing that speaks for them.
    pub n_unused: usize,
    /// How many have no reference but reasons, by the first of these.
    pub n_maybe: BTreeMap<UnusedWhy, usize>,
    /// How many are used by tests alone; they are no part of the other counts.
    pub n_only_tests: usize,
    /// How many of the unused symbols have a name that stands in a file outside of C#.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_mentioned: usize,
    /// Files in formats other than C# that were not searched for names; the most frequent formats first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_searched: Vec<UnsearchedFiles>,
    /// In how many files of what was looked at `#if` leaves code out, which is not looked at.
    pub n_inactive: usize,
    /// What is listed: without reasons first, then what only tests use, then by reason; by path and line.
    pub items: Vec<UnusedItem>,
}

/// A symbol without references.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnusedItem {
    /// Canonical name; of a member with its parameter types.
    #[serde(rename = "path")]
    pub name: String,
    /// Id.
    pub id: String,
    /// `class`, `method`, …
    pub kind: SymbolKind,
    /// Who may use it: the most restricted accessibility on the way in.
    pub accessibility: Accessibility,
    /// The file.
    pub file: RepoPath,
    /// The line of its name; of a member that of its type's declaration where it is not known.
    pub line: u32,
    /// How many names in tests mean it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_tests: u32,
    /// Whether it is used by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_recursive: bool,
    /// How many places outside of C# have its name, where no reason was found in C#.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_mentions: usize,
    /// Why it may be used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<UnusedReason>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// Why something may be in use: the surest first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum UnusedWhy {
    /// The runtime starts here.
    EntryPoint,
    /// A test framework runs it.
    Test,
    /// It overrides a member, and runs when that is called.
    Overrides,
    /// It implements a member of an interface.
    Implements,
    /// A serializer reads and writes it.
    Serialized,
    /// A string with its name stands in a line that reflects, or its type is asked for as a value (`typeof`).
    Reflection,
    /// Razor, XAML or Web Forms have its name.
    Markup,
    /// It has an attribute that somebody may look for.
    Attribute,
    /// A call or a type of the product is given its type as a type argument, or an action of a controller takes or returns
    /// it, and may make or fill objects of it.
    TypeArgument,
    /// A base of its type is not known, and may call it.
    UnknownBase,
    /// Its type derives from something by which a container or framework may find it.
    Derived,
    /// Other assemblies see it.
    PublicApi,
    /// The language or a framework calls what has such a name.
    Convention,
    /// Only containers and serializers call constructors that nobody names.
    Constructor,
    /// It is a field of a structure, whose layout may matter.
    Layout,
    /// It stands in code that a tool writes.
    Generated,
    /// An attribute of its partial type may ask a source generator for more code, which may use it.
    Generator,
    /// A file of its type was understood in part only.
    Degraded,
    /// A name like its own could not be bound.
    NotBound,
    /// Its name stands in code that `#if` leaves out.
    Inactive,
}

/// One reason.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnusedReason {
    /// What kind of reason.
    pub why: UnusedWhy,
    /// The attribute, the base, the member; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub what: String,
}
