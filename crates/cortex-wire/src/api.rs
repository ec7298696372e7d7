//! The answer of `api`, uncut.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How bad a difference is for those who use the assembly.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Compiled users stop working.
    Breaking,
    /// Users may no longer compile.
    SourceBreaking,
    /// Users compile, and something else may happen.
    Behavioral,
    /// Nothing that worked stops working.
    Compatible,
}

/// What happened.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The newer side lacks it.
    Removed,
    /// The older side lacks it.
    Added,
    /// Both have it, and differently.
    Changed,
}

/// In which of the SDK check's modes a difference is reported.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// In both.
    Both,
    /// As a breaking change; strict mode has another rule for it.
    Breaking,
    /// In strict mode alone.
    Strict,
    /// In neither: a rule of our own.
    Own,
}

/// One difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiDifference {
    /// The rule's identifier: `CP…` of the SDK, `CX…` of our own.
    pub rule: String,
    /// What happened.
    pub what: What,
    /// What it happened to, as the SDK writes it: a documentation id, with suffixes for parameters and attributes.
    pub symbol: String,
    /// The type, by its name in the graph: ``Ns.Outer`1+Inner``; the assembly's, of its identity.
    #[serde(rename = "type")]
    pub ty: String,
    /// The member for people, `Submit(int)` or `Total.get`; none for the type itself.
    pub member: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// Where the SDK's check reports it.
    pub mode: Mode,
    /// What happened, in words.
    pub reason: String,
    /// The file, on the newer side where it is there.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line in it.
    pub line: u32,
    /// Whether the request accepts it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allowed: bool,
}

/// One assembly on both sides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssemblyDifferences {
    /// Its name.
    pub assembly: String,
    /// The project that makes it, on the newer side.
    pub project: RepoPath,
    /// The target framework that was looked at, before and after.
    pub framework: [String; 2],
    /// Its other target frameworks, which were not looked at.
    pub other_frameworks: Vec<String>,
    /// What differs, worst first.
    pub differences: Vec<ApiDifference>,
    /// What could not be decided, by symbol.
    pub undecided: Vec<Undecided>,
}

/// Something that could not be decided.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Undecided {
    /// The documentation id of a type, or a path.
    pub symbol: String,
    /// Why.
    pub reason: String,
}

/// An assembly that one side lacks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoneAssembly {
    /// Its name.
    pub assembly: String,
    /// The project that makes it.
    pub project: RepoPath,
}

/// Everything that is known of a range's public API.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiAnswer {
    /// The commits before and after; none for the index, the work tree or nothing.
    pub commits: [Option<String>; 2],
    /// Assemblies that both sides have, by name.
    pub assemblies: Vec<AssemblyDifferences>,
    /// Assemblies that the newer side lacks, by name.
    pub gone: Vec<LoneAssembly>,
    /// Assemblies that the older side lacks, by name.
    pub came: Vec<LoneAssembly>,
}

impl What {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Added => "added",
            Self::Changed => "changed",
        }
    }
}
