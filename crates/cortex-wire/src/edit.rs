//! The answers of edits: what an operation changes, and whether the code means the same afterwards.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Subject, UnusedReason};

/// Whether code means the same after an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EditVerdict {
    /// Everything that binding decides is decided alike, in every file that can see a changed name.
    Proven,
    /// Nothing is decided otherwise, and there are places that nobody can decide about.
    NotProven,
    /// Something is decided otherwise.
    ChangedMeaning,
}

/// What an edit does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EditKind {
    /// A symbol gets another name.
    #[default]
    Rename,
    /// A body becomes another one.
    ReplaceBody,
    /// A declaration becomes another one.
    ReplaceMember,
    /// A type gets members.
    AddMember,
    /// Declarations go.
    RemoveMember,
    /// Declarations are written before another one.
    InsertBefore,
    /// Declarations are written after another one.
    InsertAfter,
    /// Several edits, one after another.
    Batch,
    /// What a diff from outside changes.
    Patch,
    /// A file imports a namespace or type.
    AddUsing,
    /// Using directives are put in order, and those that nothing needs go.
    OrganizeUsings,
    /// A method or constructor gets other parameters, and every call of it other arguments.
    ChangeSignature,
    /// A type goes to another namespace or file.
    Move,
    /// A declaration gets an attribute.
    AddAttribute,
    /// A type gets what it lacks of its interfaces.
    ImplementInterface,
    /// A local variable goes: its initializer takes the place of its uses.
    InlineVariable,
    /// Statements or an expression become a method.
    ExtractMethod,
    /// All code like a pattern becomes other code.
    Rewrite,
    /// A field becomes private, with a property for other code.
    EncapsulateField,
    /// What a type shows becomes an interface.
    ExtractInterface,
    /// A method goes: its body takes the place of its calls.
    InlineMethod,
    /// Members of a class go to a new base class.
    ExtractBase,
}

impl EditKind {
    /// Whether who asks for it may want other code to mean something else.
    pub fn may_change_meaning(self) -> bool {
        !matches!(
            self,
            Self::Rename
                | Self::OrganizeUsings
                | Self::Move
                | Self::InlineVariable
                | Self::ExtractMethod
                | Self::EncapsulateField
                | Self::ExtractInterface
                | Self::ExtractBase
                | Self::InlineMethod
        )
    }
}

/// The state of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpState {
    /// It is planned.
    #[default]
    Planned,
    /// It is proven to keep what the code means.
    Proven,
    /// It is not proven.
    NotProven,
    /// The code would mean something else.
    ChangedMeaning,
    /// A person approved it.
    Approved,
    /// A person rejected it.
    Rejected,
    /// Its files are written.
    Applied,
    /// Its files are as they were.
    Undone,
}

impl OpState {
    /// The state in words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Proven => "proven",
            Self::NotProven => "not proven",
            Self::ChangedMeaning => "changed meaning",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Applied => "applied",
            Self::Undone => "undone",
        }
    }
}

/// A place where code would mean something else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The file, as it is called now.
    pub file: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// What is decided otherwise, in words.
    pub question: String,
    /// The answer now; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The answer after the edit; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Why a place cannot be decided about.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum DoubtReason {
    /// The name stands behind a value of unknown type.
    UnknownReceiver,
    /// Nothing of this name was found.
    NotFound,
    /// The language, or what is known, does not choose among several.
    Undecided,
    /// The file did not parse as a whole.
    Degraded,
    /// `#if` leaves the name out everywhere.
    Inactive,
    /// The file is not C# and decides about it: a project, what one imports, or what code is generated of.
    #[serde(rename = "not-csharp")]
    NotCSharp,
    /// A file that is not C# has the name of what goes, and may need it.
    Mentioned,
    /// What goes does something that no code names: its initial value is evaluated, it runs by itself, or its record
    /// prints or compares it.
    RunsUnnamed,
    /// What goes is declared here, and a framework, a serializer, a container or reflection may reach it.
    MayBeUsed,
}

/// A place that cannot be decided about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Doubt {
    /// The file, as it is called now.
    pub file: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// Why.
    pub reason: DoubtReason,
    /// What may reach what goes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_by: Option<UnusedReason>,
}

/// What an operation does with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EditedFileChange {
    /// It gets other bytes or another path.
    #[default]
    Changed,
    /// It is new.
    Made,
    /// It goes.
    Removed,
}

impl EditedFileChange {
    fn is_changed(&self) -> bool {
        *self == Self::Changed
    }
}

/// A file that an operation changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditedFile {
    /// The file, as it is called now; a new one as it will be called.
    pub file: RepoPath,
    /// What becomes of it; absent where it is changed.
    #[serde(default, skip_serializing_if = "EditedFileChange::is_changed")]
    pub change: EditedFileChange,
    /// What it will be called, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_file: Option<RepoPath>,
    /// How many places in it change.
    pub edits: u64,
}

/// What kind of text mentions a symbol without being bound.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ResidueKind {
    /// A comment of a C# file, documentation included.
    #[default]
    Comment,
    /// A string of a C# file.
    String,
    /// A line of a file that is not C#.
    File,
}

impl ResidueKind {
    /// The kind in words, singular and plural.
    pub const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Comment => ["comment", "comments"],
            Self::String => ["string", "strings"],
            Self::File => ["line of another file", "lines of other files"],
        }
    }
}

/// A text that mentions the old name and stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Residue {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// What kind of text it is.
    #[serde(default)]
    pub kind: ResidueKind,
    /// The line, trimmed.
    pub text: String,
}

/// What is wrong with a name in the text that an edit writes.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum WarningReason {
    /// Nothing of this name is found.
    NotFound,
    /// Nothing of this name is found, and nothing was where the edited files had it before: a package may be missing.
    NotFoundBefore,
    /// Several symbols have the name, and the language does not choose.
    Ambiguous,
    /// No overload takes the arguments for certain.
    NoOverload,
    /// It stands behind a value of unknown type.
    UnknownReceiver,
    /// The language forbids it there although it means something: type arguments that do not meet the constraints, an
    /// event that only its own type may raise, an attribute where it may not stand.
    NotAllowed,
    /// The new type does not have a member that it must have, or the new member says `override` and overrides nothing.
    Gap,
    /// A new member hides an inherited one and does not say `new` or `override`.
    Hides,
    /// An argument goes whose evaluation may do something.
    NotEvaluated,
    /// It may do something, and is evaluated more often than before.
    EvaluatedAgain,
    /// Several parts of it may do something, and are evaluated in another order.
    OtherOrder,
    /// It is left as it is: whether it is meant depends on a type that is not known.
    UnknownType,
    /// It is left as it is: a comment or a directive stands in it.
    HasComment,
    /// It is left as it is: the new code cannot stand in an interpolated string in every version of the language.
    InString,
    /// It is left as it is: its place takes nothing but a constant, which the new code is not known to be.
    NeedsConstant,
    /// It is left as it is: an expression tree cannot hold the new code.
    InExpressionTree,
    /// The new code is like the pattern, so that the same edit would change it again.
    MatchesAgain,
    /// The called method receives the new name of the member around the call as text (`[CallerMemberName]`).
    CallerMemberName,
    /// The called method receives an argument with the new name as text (`[CallerArgumentExpression]`).
    CallerArgumentExpression,
    /// A constant, a default value or a comparison has the new name as its value (`nameof`).
    NameOf,
    /// A serializer, a mapper or a binder may read and write it under its name.
    NameIsData,
    /// Code outside of C# finds what is renamed by its old name, which the attribute says now (`[DllImport]`,
    /// `[LibraryImport]`, `[UnsafeAccessor]`).
    NamedOutside,
}

impl WarningReason {
    /// Whether the new text does not compile as far as is known: the edit is not proven then.
    pub fn is_open(self) -> bool {
        matches!(
            self,
            Self::NotFound | Self::Ambiguous | Self::NoOverload | Self::NotAllowed | Self::Gap
        )
    }
}

/// A name in the text that an edit writes which does not mean what it should.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditWarning {
    /// The file, as it will be called.
    pub file: RepoPath,
    /// The 1-based line that the name will stand on.
    pub line: u32,
    /// The name.
    pub name: String,
    /// What is wrong with it.
    pub reason: WarningReason,
}

/// Why a file that was meant stays as it is, or keeps what might go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeftAloneReason {
    /// Part of it does not parse.
    Degraded,
    /// No project compiles it.
    NotCompiled,
    /// It has names that mean nothing, and these may need any directive.
    UnboundNames,
    /// It has code that no project compiles, which may need any directive.
    UnreadCode,
    /// Something would mean something else.
    ChangedMeaning,
}

impl LeftAloneReason {
    /// The reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Degraded => "part of it does not parse",
            Self::NotCompiled => "no project compiles it",
            Self::UnboundNames => "names in it mean nothing, and may need any of them",
            Self::UnreadCode => "it has code that no project compiles, which may need any of them",
            Self::ChangedMeaning => "without some of them, code would mean something else",
        }
    }
}

/// A file that was meant and stays as it is, or keeps what might go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftAlone {
    /// The file.
    pub file: RepoPath,
    /// Why.
    pub reason: LeftAloneReason,
}

/// An edit that is planned, with its proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditAnswer {
    /// The id of the operation.
    pub op: String,
    /// What it does.
    #[serde(default)]
    pub kind: EditKind,
    /// The same as an imperative.
    pub title: String,
    /// Its state.
    pub state: OpState,
    /// The symbol that it is about, where that is a type or a member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// Whether the code means the same afterwards.
    pub verdict: EditVerdict,
    /// The files that change, by path.
    pub files: Vec<EditedFile>,
    /// How many places change in all.
    pub total_edits: u64,
    /// How many other symbols change with it: overrides, implementations, and what they implement.
    pub family: u64,
    /// How many files were compared, each inside each project that compiles it.
    pub compared_files: u64,
    /// How many decisions of binding were compared.
    pub compared_decisions: u64,
    /// Where the code would mean something else; the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// How many such places there are.
    pub total_differences: u64,
    /// Places that cannot be decided about; the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<Doubt>,
    /// How many such places there are.
    pub total_doubts: u64,
    /// Texts that have the old name and stay as they are; the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub residue: Vec<Residue>,
    /// How many such texts there are.
    pub total_residue: u64,
    /// Names in the text that the edit writes which mean nothing, or not one thing; the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<EditWarning>,
    /// How many such names there are.
    #[serde(default)]
    pub total_warnings: u64,
    /// Files that were meant and stay as they are, or keep what might go; the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_alone: Vec<LeftAlone>,
    /// How many such files there are.
    #[serde(default)]
    pub total_left_alone: u64,
    /// The change as a unified diff.
    pub patch: String,
}

/// An approval of an operation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Who approved.
    pub by: String,
    /// How.
    pub how: ApprovedHow,
    /// The digest of what was approved.
    pub digest: String,
    /// When, as ISO 8601.
    pub time: String,
    /// The SSH signature of the digest, where one approves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// How an operation was approved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovedHow {
    /// A person answered at a terminal.
    Terminal,
    /// An allowed signer signed its digest.
    Signature,
}

/// An operation in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpSummary {
    /// Its id.
    pub op: String,
    /// What it does, as an imperative.
    pub title: String,
    /// Its state.
    pub state: OpState,
    /// Whether the code means the same afterwards.
    pub verdict: EditVerdict,
    /// How many files it changes.
    pub files: u64,
    /// When it was planned, as ISO 8601.
    pub created: String,
}

/// The operations that are recorded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpsListAnswer {
    /// The newest first.
    pub ops: Vec<OpSummary>,
}

/// An operation, and what was decided about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpAnswer {
    /// What it is.
    pub edit: EditAnswer,
    /// Its state now.
    pub state: OpState,
    /// Who approved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// Why an approval does not count any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided: Option<String>,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejection: Option<String>,
    /// What the user's command said of it, if it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
    /// Whether its files are staged, and not committed by it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_staged: bool,
    /// The commit that was made of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its states with when they began, as ISO 8601.
    pub states: Vec<OpStateAt>,
}

/// When a state began.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpStateAt {
    /// The state.
    pub state: OpState,
    /// When it began, as ISO 8601.
    pub time: String,
}

/// What a command of the user's says of the code after an edit, compared with what it says of the code before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// The command.
    pub command: String,
    /// Whether it finds nothing that it did not find before, and does not fail where it succeeded.
    pub passed: bool,
    /// The run on the files as they are.
    pub before: VerificationRun,
    /// The run on the files as they would be.
    pub after: VerificationRun,
    /// The diagnostics that come; the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub introduced: Vec<BuildDiagnostic>,
    /// How many come.
    pub total_introduced: u64,
    /// The last lines of its output, where it did not pass.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
}

/// One run of a command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerificationRun {
    /// Its exit status; absent where it was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
    /// Whether it took too long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
    /// How many diagnostics are in its output.
    pub diagnostics: u64,
}

/// How bad a diagnostic is.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum BuildSeverity {
    /// A warning.
    Warning,
    /// An error.
    Error,
}

/// A diagnostic of a compiler or another tool of a build.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BuildDiagnostic {
    /// How bad it is.
    pub severity: BuildSeverity,
    /// Its code, such as `CS0103`.
    pub code: String,
    /// The file, or the tool where there is none.
    pub file: String,
    /// The 1-based line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What it says.
    pub text: String,
}
