//! The answer of `diff-context`, uncut: what every rendering is made from.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    ApiChange, CallReason, ChangedFile, DatabaseChange, Difference, Impact, ParameterChange,
    SideKind, TypeChange, TypeRef, What, is_zero,
};

/// Everything `git cortex diff-context` knows of a range.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffContext {
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
    /// HTTP routes of product code that came or went, or that are handled by a member that changed: removed ones first,
    /// then new ones, then by template and verb.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<RouteChange>,
    /// HTTP routes of product code whose requests or responses have another form: those of actions that were there and
    /// take or return a model of which a property came, went or has another declaration, its own or one of a base, or a
    /// type that has such a model in a property or derives from it; by template, verb and handler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<RouteContract>,
    /// What differs of the models of `contracts`, where fields do; by id.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelChange>,
    /// HTTP routes whose actions take or return another model of the repository than before, where fields differ; by
    /// template, verb and role.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms: Vec<RouteForm>,
    /// Objects of a database that changed files of SQL define, alter or drop: what breaks its users first, then by kind and
    /// name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub database: Vec<DatabaseChange>,
    /// What of the change keeps the meaning of the code, where that was to be proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProvenPart>,
    /// Who depends on what changed.
    pub impact: Impact,
    /// Unchanged types that one needs to understand the change, most useful first.
    pub reading: Vec<Outline>,
    /// Code of the product that statements on changed lines of the product call and that did not change, or such lines of
    /// tests where nothing else changed: what the fewest files use first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub called: Vec<CalledCode>,
    /// Project, package and configuration changes in words, by file.
    pub projects: Vec<ProjectChange>,
    /// Every changed file, by path.
    pub files: Vec<ChangedFile>,
    /// Committed context that this change makes stale, by path.
    pub stale: Vec<StaleEntry>,
}

/// What of a change keeps the meaning of the code.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvenPart {
    /// How many changed declarations are proven to mean what they meant.
    pub proven: u64,
    /// How many are left to read.
    pub to_read: u64,
    /// Places that mean something else although the text of their file is the same, by file and line; cut at some
    /// number.
    pub elsewhere: Vec<Difference>,
    /// How many such places there are.
    pub total_elsewhere: u64,
}

/// An HTTP route that came or went, or whose handler changed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RouteChange {
    /// Whether it came or went, or is there and handled by a member that changed.
    pub what: What,
    /// The template, as the attributes of the controller and the action make it, or as the call that maps it has it.
    pub template: String,
    /// The verb in capitals, `ANY` where no attribute limits it, or the kind of call that maps it (`Group`, `Hub`).
    pub verb: String,
    /// The member that handles it, or that maps it: `Type.Member`.
    pub handler: String,
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of the member; with `through`, of the call.
    pub line: u32,
    /// The member that changed and that the action runs, where it did not change itself: `Type.Member`. A private one of
    /// its controller, directly or through others, or what the action names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// The member that handled it before, where another one does now: `Type.Member`, with the namespace where both types
    /// have the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The template before, where names or constraints of parameters in it differ and the path is the same otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_was: Option<String>,
    /// The attributes that decide who may call it, before and after, where these differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorization: Option<String>,
    /// The filters in attributes of the action and its controller that one side lacks, before and after: those of the
    /// framework, and attributes of the repository that derive from filters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filters: Option<String>,
    /// The parameters of its action that differ, where that takes others than before: values of the path, the query, the
    /// body or a form, or services. In the order of the member's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<ParameterChange>,
    /// Whether other members stand between the action and what `through` names, or the action names a contract of it that
    /// other types of the product implement as well: it may run it. Of the first kind, `line` is that of the action's type.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_indirect: bool,
}

impl RouteChange {
    /// How many routes each changed member is told for that they run, by how that one is named. What many routes run says
    /// least of each.
    pub fn n_through(routes: &[Self]) -> BTreeMap<&str, usize> {
        let mut out: BTreeMap<&str, usize> = BTreeMap::new();
        for through in routes.iter().filter_map(|it| it.through.as_deref()) {
            *out.entry(through).or_default() += 1;
        }
        out
    }
}

impl DiffContext {
    /// The canonical names of the changed types of tests.
    pub fn test_types(&self) -> BTreeSet<&str> {
        let types = self.types.iter().filter(|ty| ty.is_test);
        types.map(|ty| ty.ty.name.as_str()).collect()
    }
}

/// An HTTP route whose requests or responses have another form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RouteContract {
    /// The template, as the attributes of the controller and the action make it.
    pub template: String,
    /// The verb in capitals.
    pub verb: String,
    /// The action: `Type.Member`.
    pub handler: String,
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of the head of the action that names a model.
    pub line: u32,
    /// What the action takes and returns of changed models, by role and id.
    pub models: Vec<BoundModel>,
}

/// An HTTP route whose action takes or returns another model than before.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RouteForm {
    /// The template, as the attributes of the controller and the action make it.
    pub template: String,
    /// The verb in capitals.
    pub verb: String,
    /// Whether the action takes or returns the models.
    pub role: ModelRole,
    /// The action: `Type.Member`.
    pub handler: String,
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// Canonical name of the model before.
    pub was: String,
    /// Canonical name of the model now.
    pub is: String,
    /// What differs between them as JSON has it, those of models in their properties with a path: the fields of the newer
    /// side by name, then those that are gone.
    pub fields: Vec<FieldChange>,
}

/// A field of requests or responses that differs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    /// Its name in JSON, behind those of the fields around it: `order.id`.
    pub name: String,
    /// Its type before, without namespaces, and whether a request must have it (`string, required`); `None` if it is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The same now; `None` if it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is: Option<String>,
}

/// A model that an action takes or returns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BoundModel {
    /// Whether the action takes or returns it.
    pub role: ModelRole,
    /// Documentation id of the type that the action names.
    #[serde(rename = "docId")]
    pub id: String,
    /// Documentation id of the type whose properties changed: the same, or one that it has within.
    pub changed: String,
}

/// A model with other fields than before.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelChange {
    /// Its documentation id.
    #[serde(rename = "docId")]
    pub id: String,
    /// The fields that differ as JSON has them, those of bases among them, or the values of an enum: those of the newer
    /// side by name, then those that are gone.
    pub fields: Vec<FieldChange>,
}

/// What an action does with a model.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ModelRole {
    /// It is a parameter: the request has it.
    Takes,
    /// It is in the type of the return value: the response has it.
    Returns,
}

/// What was compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// How many changed files are outside of the scope.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_outside: usize,
}

/// One side of a range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SideEntry {
    /// What it is.
    pub kind: SideKind,
    /// The commit that it is, or lies over.
    pub commit: Option<String>,
}

/// One commit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Totals {
    /// Changed files.
    pub files: usize,
    /// Lines added.
    pub added: usize,
    /// Lines deleted.
    pub deleted: usize,
}

/// A file that could not be understood as a whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileNote {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// What is the matter, in a few words.
    pub text: String,
}

/// A project in which something could not be read or bound.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Frameworks {
    /// The project.
    pub project: RepoPath,
    /// The one that was looked at.
    pub active: String,
    /// The others.
    pub others: Vec<String>,
}

/// Types that went from one namespace to another under their own names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamespaceMove {
    /// The namespace before; empty for the global one.
    pub from: String,
    /// The namespace after.
    pub to: String,
    /// How many types.
    pub n_types: usize,
}

/// A type in a few lines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Outline {
    /// The type.
    #[serde(rename = "type")]
    pub ty: TypeRef,
    /// Its own declaration, as C# writes it: without attributes.
    pub signature: String,
    /// Why it helps: the changed symbol that names it.
    pub because: String,
    /// Where it is declared.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
    /// Declarations, as they are written, of its members that the change names or implements, in canonical order; of a
    /// small enum all values.
    pub members: Vec<String>,
    /// How many members it has that others see.
    pub n_members: usize,
}

/// A member that changed lines call or called, with its code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalledCode {
    /// Its documentation id.
    pub doc_id: String,
    /// Canonical name of its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its simple name.
    pub member: String,
    /// Where it is declared.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
    /// The changed member that calls it or did so, or that overrode it and is gone.
    pub because: String,
    /// Why it is told.
    pub reason: CallReason,
    /// The documentation id of the member that is called, where this implements or overrides it, as at most one other of the
    /// product does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// Its lines.
    pub code: Vec<String>,
    /// How many more lines it has.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_more_lines: usize,
}

/// A change of projects, packages or configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectChange {
    /// The file that makes the difference, or the project that it shows in.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// What happened, in words.
    pub text: String,
}

/// Committed context that became stale.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaleEntry {
    /// The file.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// Why.
    pub reason: String,
}
