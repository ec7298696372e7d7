//! The answers of `export-context` and `check`: committed context, and whether it is fresh.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which types a repository commits outlines of. Also the form of `.context/outlines.json`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OutlineSelection {
    /// By accessibility.
    #[serde(default)]
    pub types: ExportedTypes,
    /// Only types declared in this scope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Only these types, by canonical name, sorted; their accessibility does not matter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
}

/// Types by accessibility.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExportedTypes {
    /// Those that other assemblies see.
    #[default]
    Public,
    /// All.
    All,
}

/// What an export of outlines wrote.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportContextAnswer {
    /// Version of this form.
    pub schema: u32,
    /// Which types have outlines.
    pub selection: OutlineSelection,
    /// How many outlines there are in all.
    pub total: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// The files that were written, sorted.
    pub written: Vec<RepoPath>,
    /// The files that were removed, because no type has them, sorted.
    pub removed: Vec<RepoPath>,
    /// Whether nothing was written, as requested: the files would be.
    pub dry_run: bool,
}

/// Whether committed context is fresh.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckAnswer {
    /// Version of this form.
    pub schema: u32,
    /// The verdict.
    pub verdict: CheckVerdict,
    /// What is not fresh, by file.
    pub problems: Vec<CheckProblem>,
    /// How many problems there are outside the change, where the check is limited to one.
    pub outside_change: u64,
    /// How much was checked.
    pub checked: CheckCounts,
    /// The files that were written or removed to mend problems, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<RepoPath>,
    /// Why the verdict may be wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
}

/// The verdict of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckVerdict {
    /// No problem is an error.
    Fresh,
    /// A problem is an error.
    Stale,
    /// It cannot be decided.
    Undecided,
}

/// How many files or entries were checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckCounts {
    /// Outlines that there should be.
    pub outlines: u64,
    /// Semantics files.
    pub semantics: u64,
    /// Packs.
    pub packs: u64,
    /// Scopes and areas of the configuration.
    pub configured: u64,
    /// Aliases.
    pub aliases: u64,
    /// Pins.
    pub pins: u64,
    /// Records of operations; of the work tree alone.
    #[serde(default)]
    pub ops: u64,
}

impl CheckCounts {
    /// Everything that was checked.
    pub fn total(&self) -> u64 {
        self.outlines
            + self.semantics
            + self.packs
            + self.configured
            + self.aliases
            + self.pins
            + self.ops
    }
}

/// Something that is not fresh.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckProblem {
    /// What is wrong.
    pub rule: CheckRule,
    /// How bad that is, by the policy.
    pub severity: CheckSeverity,
    /// The file. Of an operation its record, below the root of the work tree if it is there.
    pub file: RepoPath,
    /// The operation that the problem is about, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// The type that the file is about, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<ContextSymbol>,
    /// Which inputs differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<CheckReason>,
    /// Whether the file can be written anew from the sources.
    pub is_fixable: bool,
    /// The difference from the committed file to the fresh one, where that was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// A type that a file of the context is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextSymbol {
    /// Canonical name.
    pub path: String,
    /// Short id.
    pub type_id: String,
}

/// One input that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckReason {
    /// Which input.
    pub input: CheckInput,
    /// What the file was written from: a hash or a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What there is now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What exactly differs, as a lower-case fragment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// What a file of the context is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckInput {
    /// Declarations of the type and its members, its files and its assembly.
    Api,
    /// Documentation comments.
    Documentation,
    /// The structure of the type as bound.
    Structure,
    /// The code of the type.
    Implementation,
    /// The file itself: someone edited it.
    Text,
    /// The version of the form.
    Format,
    /// The type, which does not exist.
    Type,
    /// What the file lists or defines.
    Definition,
    /// The record of an operation.
    Record,
    /// How long it is that the file is stale.
    Age,
}

/// How bad a problem is.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum CheckSeverity {
    /// The context is stale.
    Error,
    /// It is shown, and does not count.
    Warning,
    /// It is left out.
    Ignore,
}

/// What can be wrong.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum CheckRule {
    /// An outline is not what the declarations of its type say.
    OutlineStale,
    /// A type has no outline.
    OutlineMissing,
    /// An outline belongs to no type that should have one.
    OutlineOrphaned,
    /// The selection of outlines cannot be read, or lists a type that does not exist.
    OutlineSelection,
    /// A semantics file was written from other hashes.
    SemanticStale,
    /// A semantics file belongs to no type.
    SemanticOrphaned,
    /// A semantics file has no header that can be read.
    SemanticUnreadable,
    /// A pack is not what its filter says.
    PackStale,
    /// A pack has no header that can be read, or a filter that is none.
    PackUnreadable,
    /// The configuration has an entry that means nothing.
    ConfigInvalid,
    /// A scope of the configuration matches nothing.
    ScopeEmpty,
    /// An area of the configuration matches nothing.
    AreaEmpty,
    /// A pin names a type that does not exist.
    PinUnknown,
    /// The alias file cannot be read, or leads to a type that does not exist.
    AliasInvalid,
    /// Something that must be a file or folder is a symbolic link or a submodule.
    ContextUnsafe,
    /// A process that applied or undid an operation did not end.
    OpInterrupted,
    /// An operation that claims to be applied is not: its files are as they were before.
    OpNotApplied,
    /// An operation waits for a review, or was applied without one.
    OpUnreviewed,
    /// The record of an operation cannot be read, or what it needs is missing.
    OpUnreadable,
}

impl CheckRule {
    /// All rules.
    pub const ALL: [Self; 19] = [
        Self::OutlineStale,
        Self::OutlineMissing,
        Self::OutlineOrphaned,
        Self::OutlineSelection,
        Self::SemanticStale,
        Self::SemanticOrphaned,
        Self::SemanticUnreadable,
        Self::PackStale,
        Self::PackUnreadable,
        Self::ConfigInvalid,
        Self::ScopeEmpty,
        Self::AreaEmpty,
        Self::PinUnknown,
        Self::AliasInvalid,
        Self::ContextUnsafe,
        Self::OpInterrupted,
        Self::OpNotApplied,
        Self::OpUnreviewed,
        Self::OpUnreadable,
    ];

    /// Its word on the wire, such as `outline-stale`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OutlineStale => "outline-stale",
            Self::OutlineMissing => "outline-missing",
            Self::OutlineOrphaned => "outline-orphaned",
            Self::OutlineSelection => "outline-selection",
            Self::SemanticStale => "semantic-stale",
            Self::SemanticOrphaned => "semantic-orphaned",
            Self::SemanticUnreadable => "semantic-unreadable",
            Self::PackStale => "pack-stale",
            Self::PackUnreadable => "pack-unreadable",
            Self::ConfigInvalid => "config-invalid",
            Self::ScopeEmpty => "scope-empty",
            Self::AreaEmpty => "area-empty",
            Self::PinUnknown => "pin-unknown",
            Self::AliasInvalid => "alias-invalid",
            Self::ContextUnsafe => "context-unsafe",
            Self::OpInterrupted => "op-interrupted",
            Self::OpNotApplied => "op-not-applied",
            Self::OpUnreviewed => "op-unreviewed",
            Self::OpUnreadable => "op-unreadable",
        }
    }

    /// What it finds, as a noun phrase.
    pub fn title(self) -> &'static str {
        match self {
            Self::OutlineStale => "outline that differs from the declarations of its type",
            Self::OutlineMissing => "type without an outline",
            Self::OutlineOrphaned => "outline without a type",
            Self::OutlineSelection => "selection of outlines that cannot be followed",
            Self::SemanticStale => "semantics file written from other hashes",
            Self::SemanticOrphaned => "semantics file without a type",
            Self::SemanticUnreadable => "semantics file without a readable header",
            Self::PackStale => "pack that differs from what its filter selects",
            Self::PackUnreadable => "pack without a readable header",
            Self::ConfigInvalid => "entry of the configuration that cannot be read",
            Self::ScopeEmpty => "scope of the configuration that matches no file",
            Self::AreaEmpty => "area of the configuration that matches no file",
            Self::PinUnknown => "pin of a type that does not exist",
            Self::AliasInvalid => "alias that leads nowhere",
            Self::ContextUnsafe => "symbolic link or submodule in place of a file",
            Self::OpInterrupted => "operation that was interrupted while files were written",
            Self::OpNotApplied => "operation that claims to be applied and is not",
            Self::OpUnreviewed => "operation that nobody reviewed",
            Self::OpUnreadable => "operation whose record is damaged",
        }
    }

    /// How bad it is where no policy says otherwise.
    pub fn default_severity(self) -> CheckSeverity {
        match self {
            Self::SemanticStale
            | Self::ScopeEmpty
            | Self::AreaEmpty
            | Self::PinUnknown
            | Self::OpNotApplied
            | Self::OpUnreviewed => CheckSeverity::Warning,
            _ => CheckSeverity::Error,
        }
    }
}
