//! The answer of `diff-context`, uncut: what every rendering is made from.
//!
//! Its JSON form is public: fields are added, never renamed or removed, within one schema version.

mod impact;

use cortex_model::{Accessibility, ChangeClass, DeclKind, RepoPath, TypeKind};
use serde::Serialize;

pub use impact::{
    Certainty, Impact, ImpactedType, LineUse, NextUser, Registration, SymbolImpact, UseSide, Via,
    ViaRelation,
};

/// Everything `git cortex diff-context` knows of a range.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DiffContext {
    /// Version of this form.
    pub schema: u32,
    /// What was compared.
    pub range: RangeEntry,
    /// Sums over all changed files.
    pub totals: Totals,
    /// Changed files that could not be understood as a whole, by path.
    pub notes: Vec<FileNote>,
    /// Projects that the change belongs to, or that see one of those, in which something could not be read or
    /// bound: uses there may be missing; by path.
    pub damage: Vec<ProjectDamage>,
    /// The target frameworks that were looked at, by project; only projects with changed sources.
    pub frameworks: Vec<Frameworks>,
    /// Changed types, most important first.
    pub types: Vec<TypeChange>,
    /// Namespaces whose types moved to another one, most types first.
    pub namespaces: Vec<NamespaceMove>,
    /// Changes of the public API, worst first.
    pub api: Vec<ApiChange>,
    /// Who depends on what changed.
    pub impact: Impact,
    /// Unchanged types that one needs to understand the change, most useful first.
    pub reading: Vec<Outline>,
    /// Project, package and configuration changes in words, by file.
    pub projects: Vec<ProjectChange>,
    /// Every changed file, by path.
    pub files: Vec<ChangedFile>,
    /// Committed context that this change makes stale, by path.
    pub stale: Vec<StaleEntry>,
}

/// What was compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RangeEntry {
    /// The range as asked for.
    pub spec: String,
    /// The older side.
    pub old: SideEntry,
    /// The newer side.
    pub new: SideEntry,
    /// Commits of the range, newest first; cut at some number.
    pub commits: Vec<CommitEntry>,
    /// How many commits there are.
    pub n_commits: usize,
    /// The pathspecs that limit it.
    pub paths: Vec<String>,
    /// The scope that limits it, as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// How many changed files are outside of the scope.
    #[serde(skip_serializing_if = "is_none")]
    pub n_outside: usize,
}

fn is_none(n: &usize) -> bool {
    *n == 0
}

/// One side of a range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SideEntry {
    /// `commit`, `index`, `work tree` or `nothing`.
    pub kind: &'static str,
    /// The commit that it is, or lies over.
    pub commit: Option<String>,
}

/// One commit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CommitEntry {
    /// Its id.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
    /// The rest of its message, without trailers.
    pub body: String,
    /// Its author's name.
    pub author: String,
}

/// Sums over all changed files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Totals {
    /// Changed files.
    pub files: usize,
    /// Lines added.
    pub added: usize,
    /// Lines deleted.
    pub deleted: usize,
}

/// A file that could not be understood as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FileNote {
    /// The file.
    pub path: RepoPath,
    /// What is the matter, in a few words.
    pub text: String,
}

/// A project in which something could not be read or bound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProjectDamage {
    /// The project.
    pub project: RepoPath,
    /// Whether a changed file belongs to it; else it sees a project to which one belongs.
    pub is_changed: bool,
    /// Its names.
    pub names: u64,
    /// Those of them that could not be bound.
    pub unbound: u64,
    /// Files that were parsed only in part.
    pub degraded_files: u64,
    /// Files that were not parsed.
    pub skipped_files: u64,
    /// Packages that are not on this machine, each with its version, by name.
    pub missing_packages: Vec<String>,
}

/// The target frameworks of a project.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Frameworks {
    /// The project.
    pub project: RepoPath,
    /// The one that was looked at.
    pub active: String,
    /// The others.
    pub others: Vec<String>,
}

/// A type by name and id.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct TypeRef {
    /// Canonical name: ``Ns.Outer`1+Inner``.
    pub name: String,
    /// Its short id.
    pub id: String,
    /// Kind of type.
    pub kind: TypeKind,
}

/// Types that went from one namespace to another under their own names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NamespaceMove {
    /// The namespace before; empty for the global one.
    pub from: String,
    /// The namespace after.
    pub to: String,
    /// How many types.
    pub n_types: usize,
}

/// What happened to one type.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TypeChange {
    /// The type; on the new side where it exists there.
    #[serde(flatten)]
    pub ty: TypeRef,
    /// Its old name, where it was renamed or moved to another namespace.
    pub renamed_from: Option<String>,
    /// Its old files, where it moved to others.
    pub moved_from: Vec<RepoPath>,
    /// What changed, the first that applies.
    pub class: ChangeClass,
    /// As seen from outside its assembly.
    pub accessibility: Accessibility,
    /// The project that compiles it.
    pub project: RepoPath,
    /// Whether that is a test project.
    pub is_test: bool,
    /// Where it is declared, on the new side; on the old one if it was removed.
    pub files: Vec<RepoPath>,
    /// The 1-based line of its name in the first of `files`.
    pub line: u32,
    /// Its own signature before, where that changed.
    pub old_signature: Option<String>,
    /// Its own signature after, where that changed or it is new.
    pub new_signature: Option<String>,
    /// Changed members: removed, added, then changed, each in canonical order.
    pub members: Vec<MemberChange>,
    /// How many types depend on it directly (on the side where it exists, the new one first).
    pub n_dependents: usize,
    /// Why it may behave otherwise although its own structure is as it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub propagated: Option<Propagated>,
}

/// A change elsewhere that reaches a type.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Propagated {
    /// What it is.
    pub cause: PropagatedCause,
    /// The types that carry it, from the one that changed to the one that this type depends on itself.
    pub path: Vec<String>,
}

/// Why a change reaches a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PropagatedCause {
    /// A type that it depends on, directly or through others, changed its structure or is gone.
    DependencyStructure,
}

/// What happened to a member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemberChangeKind {
    /// It is gone.
    Removed,
    /// It is new.
    Added,
    /// Its signature is another.
    Signature,
    /// Attributes, accessors, constraints or parameter names changed, not its signature.
    Shape,
    /// Its body changed.
    Body,
    /// Only its documentation changed.
    Docs,
}

/// One changed member.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MemberChange {
    /// What happened.
    pub change: MemberChangeKind,
    /// What it declares.
    pub kind: DeclKind,
    /// Its simple name.
    pub name: String,
    /// Its short id within the type.
    pub id: String,
    /// Its documentation id, on the newer side that has it; only where the impact of a change is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<String>,
    /// Its accessibility; the newer one.
    pub accessibility: Accessibility,
    /// Canonical signature before; `None` if it is new.
    pub old_signature: Option<String>,
    /// Canonical signature after; `None` if it is gone.
    pub new_signature: Option<String>,
    /// What changed beside the signature, in words; where it was renamed from, moved from or to.
    pub notes: Vec<String>,
    /// Where it stands; on the old side if it is gone.
    pub path: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
    /// Its whole text, old and new merged line by line.
    pub code: Vec<CodeLine>,
}

/// One line of a member's text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CodeLine {
    /// Which side has it.
    pub kind: CodeLineKind,
    /// Its text, without the line break.
    pub text: String,
}

/// Which side has a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CodeLineKind {
    /// Both.
    Context,
    /// The new one.
    Added,
    /// The old one.
    Removed,
}

/// How bad an API change is for those who use it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApiSeverity {
    /// Compiled users stop working.
    Breaking,
    /// Users may no longer compile.
    SourceBreaking,
    /// Users compile, and something else happens.
    Behavioural,
    /// Nothing that worked stops working.
    Compatible,
}

/// One change of the public API.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ApiChange {
    /// How bad.
    pub severity: ApiSeverity,
    /// The identifier of the rule: `CP0001`… of the .NET SDK's compatibility check, `CX1001`… of our own.
    pub rule: Option<&'static str>,
    /// The type.
    pub ty: String,
    /// The member that is meant, in a few characters; `None` for the type itself.
    pub member: Option<String>,
    /// What is meant as the SDK's check writes it: a documentation id, with suffixes for parameters and attributes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// What happened, in words.
    pub reason: String,
}

/// A type in a few lines.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outline {
    /// The type.
    #[serde(flatten)]
    pub ty: TypeRef,
    /// Its own signature.
    pub signature: String,
    /// Why it helps: the changed symbol that names it.
    pub because: String,
    /// Where it is declared.
    pub path: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
    /// Signatures of its members that the change names or implements, in canonical order.
    pub members: Vec<String>,
    /// How many members it has that others see.
    pub n_members: usize,
}

/// A change of projects, packages or configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct ProjectChange {
    /// The file that makes the difference, or the project that it shows in.
    pub path: RepoPath,
    /// What happened, in words.
    pub text: String,
}

/// What a changed file is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// C# source.
    Source,
    /// Decides how projects are built.
    Project,
    /// Another text.
    Text,
    /// Not a text.
    Binary,
    /// A commit of another repository.
    Submodule,
}

/// One changed file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChangedFile {
    /// Its path; the new one of a renamed file.
    pub path: RepoPath,
    /// Its old path, where it was renamed.
    pub old_path: Option<RepoPath>,
    /// `added`, `deleted`, `modified`, `renamed`, `mode changed`, `type changed`.
    pub status: &'static str,
    /// What it is.
    pub kind: FileKind,
    /// Git's mode before; 0 where it did not exist.
    pub old_mode: u32,
    /// Git's mode after; 0 where it does not exist.
    pub new_mode: u32,
    /// Blob ids before and after.
    pub blobs: (Option<String>, Option<String>),
    /// Similarity of a renamed file, in percent.
    pub similarity: Option<u8>,
    /// Lines added.
    pub added: usize,
    /// Lines deleted.
    pub deleted: usize,
    /// Its hunks, with three lines of context, for the patch; empty for binary files.
    pub hunks: Vec<Hunk>,
}

/// One hunk of a unified diff.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hunk {
    /// First line and number of lines before; 1-based, as in `@@ -1,3 +1,4 @@`.
    pub old: (u32, u32),
    /// First line and number of lines after.
    pub new: (u32, u32),
    /// What the hunk touches: member or type, with what happened to it.
    pub label: Option<String>,
    /// Its lines; the text keeps no line break.
    pub lines: Vec<CodeLine>,
    /// Whether the last line of the old side lacks its line break, and that of the new side.
    pub no_newline: (bool, bool),
}

/// Committed context that became stale.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StaleEntry {
    /// The file.
    pub path: RepoPath,
    /// Why.
    pub reason: String,
}
