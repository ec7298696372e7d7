//! The answer of `prove`: what of a change keeps the meaning of the code, and what is left for a person to read.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Difference, RangeEntry, is_zero};

/// Asks what of a change is proven to keep what the code means.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ProveRequest {
    /// What is compared, as `git diff` takes it; the work tree with `HEAD` if empty.
    pub revisions: Vec<String>,
    /// Whether the index is taken in place of the work tree.
    pub cached: bool,
    /// Pathspecs that limit which changed files are looked at.
    pub paths: Vec<String>,
    /// Whether the two revisions are commits, whose merge is asked about.
    pub merge: bool,
    /// A unified diff whose effect is asked about: on the one revision, or on the work tree if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<String>,
}

/// What of a change keeps the meaning of the code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProveAnswer {
    /// What was compared.
    pub range: RangeEntry,
    /// Whether nothing is left to read.
    pub is_proven: bool,
    /// How many C# files changed.
    pub changed_files: u64,
    /// Declarations that changed and are proven to mean the same, by file and line.
    pub proven: Vec<ProvenUnit>,
    /// Declarations that a person must read, by file and line.
    pub to_read: Vec<UnitToRead>,
    /// Places that mean something else although the text of their file is the same, by file and line; cut at some
    /// number.
    pub elsewhere: Vec<Difference>,
    /// How many such places there are.
    pub total_elsewhere: u64,
    /// Changed files that are not C#, or that no project compiles on both sides, by path.
    pub not_compared: Vec<RepoPath>,
    /// How many files were compared, each inside each project that compiles it.
    pub compared_files: u64,
    /// How many decisions of binding were compared.
    pub compared_decisions: u64,
    /// The commits whose merge it is about: then [`Self::elsewhere`] has what means something else than in the commit
    /// that it comes from, and nothing else is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge: Option<MergedCommits>,
}

/// Two commits that nobody has merged yet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MergedCommits {
    /// The commit that is merged into.
    pub ours: String,
    /// The commit that is merged.
    pub theirs: String,
    /// Their best common ancestor, if they have one.
    pub base: Option<String>,
}

/// A declaration that changed and means the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvenUnit {
    /// The declaration with the types around it, as it is called now.
    pub symbol: String,
    /// What it was called, where it has another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_symbol: Option<String>,
    /// The file that it is in now.
    pub file: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// The file that it was in, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_file: Option<RepoPath>,
    /// What changed about it.
    pub change: ProvenChange,
}

/// What changed about a declaration that means the same. The first that holds.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ProvenChange {
    /// Its own name.
    Renamed,
    /// The file, the namespace or the type that it is in.
    Moved,
    /// Names that it uses.
    Names,
    /// Its place among the members of its type.
    Reordered,
    /// White space and comments.
    Layout,
}

/// A declaration that a person must read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnitToRead {
    /// The declaration with the types around it, as it is called now; the file's path where it is what stands outside of
    /// declarations.
    pub symbol: String,
    /// The file that it is in now, or was in.
    pub file: RepoPath,
    /// The 1-based line there.
    pub line: u32,
    /// Why.
    pub reason: ReadReason,
    /// How many tokens of it differ.
    pub tokens: u64,
    /// What is decided otherwise in it, by line; cut at some number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// How many such places there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_differences: u64,
}

/// Why a declaration must be read. The first that holds.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ReadReason {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its code differs.
    Changed,
    /// Its text is the same but for names and layout, and binding decides otherwise.
    MeansOtherwise,
    /// Initializers run, fields lie, or values count in another order.
    Order,
    /// No project compiles it on both sides.
    NotCompiled,
    /// Its file did not parse as a whole.
    NotParsed,
}
