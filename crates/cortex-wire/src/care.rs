//! Answers about the index itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ExportLine;

/// What was indexed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IndexAnswer {
    /// The snapshots that were asked for.
    #[serde(default)]
    pub snapshots: Vec<SnapshotReport>,
    /// The range that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<HistoryIndexed>,
}

/// A snapshot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SnapshotReport {
    /// The revision as written, or `work tree`.
    pub name: String,
    /// The commit's full id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The hash of everything in the snapshot.
    pub root: String,
    /// C# files.
    pub files: FileCounts,
    /// How many types.
    pub types: u64,
    /// How many members.
    pub members: u64,
    /// How many dependencies between types.
    pub edges: u64,
    /// What making it took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<IndexWork>,
}

/// How many C# files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileCounts {
    /// In the snapshot.
    pub tracked: u64,
    /// Parsed.
    pub indexed: u64,
    /// Parsed, but for some places.
    pub degraded: u64,
    /// Not parsed.
    pub skipped: u64,
}

/// What indexing took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IndexWork {
    /// Files parsed.
    pub parsed: u64,
    /// Files bound.
    pub bound: u64,
    /// Snapshots made; 0 where everything was indexed before.
    pub snapshots: u64,
}

/// A range of commits that is indexed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryIndexed {
    /// The range as written.
    pub range: String,
    /// How many commits it has.
    pub commits: u64,
    /// The first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest: Option<String>,
    /// The last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<String>,
    /// What it took.
    pub work: IndexWork,
}

/// What is indexed, and what was not understood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusAnswer {
    /// The snapshot.
    pub snapshot: SnapshotReport,
    /// Names in the code, over all projects.
    pub names: NameCounts,
    /// Packages that are not on this machine.
    pub missing_packages: Vec<String>,
    /// Files that were not parsed, or not wholly.
    pub troubled: Vec<TroubledFile>,
    /// The projects, by path.
    pub projects: Vec<ProjectStatus>,
    /// Types that share an id.
    pub id_conflicts: Vec<Vec<String>>,
    /// The store on disk.
    pub store: StoreStatus,
}

/// A file that was not parsed, or not wholly.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TroubledFile {
    /// Its path.
    pub file: String,
    /// How many places did not parse; absent where the file was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<u64>,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
}

/// How names in the code were bound.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NameCounts {
    /// All names.
    pub total: u64,
    /// Names of symbols of the repository.
    pub of_repository: u64,
    /// Names of several overloads.
    pub overload_sets: u64,
    /// Names of symbols from outside.
    pub external: u64,
    /// Names without a symbol.
    pub unbound: UnboundNames,
}

/// Names without a symbol.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnboundNames {
    /// All of them.
    pub total: u64,
    /// Names that nothing has.
    pub not_found: u64,
    /// Names that several symbols have.
    pub ambiguous: u64,
    /// Names behind an expression of unknown type.
    pub unknown_receiver: u64,
    /// Names without an overload that takes the arguments.
    pub no_overload: u64,
    /// How many files have them.
    pub files: u64,
    /// Those in files that did not parse wholly.
    pub in_degraded_files: u64,
    /// Those in files of which `#if` leaves parts out.
    pub in_conditional_files: u64,
    /// Those in projects that miss packages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_projects_with_missing_packages: Option<u64>,
}

/// A project.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectStatus {
    /// Its path.
    pub file: String,
    /// Its assembly.
    pub assembly: String,
    /// The target framework that is looked at.
    pub tfm: String,
    /// Its other target frameworks.
    pub other_tfms: Vec<String>,
    /// Whether it has tests.
    pub is_test: bool,
    /// What was not understood in its files.
    pub notes: Vec<ProjectNote>,
    /// How well its code was understood.
    pub understood: ProjectUnderstood,
}

/// What was not understood in a file of a project.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectNote {
    /// The file's path.
    pub file: String,
    /// The line from 1; 0 for the file as a whole.
    pub line: u32,
    /// A lower-case fragment.
    pub message: String,
}

/// How well the code of a project was understood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectUnderstood {
    /// Its C# files.
    pub files: FileCounts,
    /// Places that `#if` leaves out.
    pub inactive_places: u64,
    /// Names in its code.
    pub names: NameCounts,
    /// Where the framework's assemblies are from.
    pub framework: FrameworkSource,
    /// Packages that are not on this machine.
    pub missing_packages: Vec<String>,
    /// Packages of which another version stands in.
    pub other_versions: Vec<AssemblyVersion>,
    /// Files that cannot be read.
    pub unreadable: Vec<String>,
}

/// Where a framework's assemblies are from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "source",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum FrameworkSource {
    /// There are none.
    None,
    /// A table in this program.
    BuiltIn {
        /// The framework's version.
        version: String,
    },
    /// The reference assemblies of this machine.
    Machine {
        /// Their version.
        version: String,
    },
}

/// A package of which another version stands in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AssemblyVersion {
    /// Its name.
    pub name: String,
    /// The version that the project asks for.
    pub wanted: String,
    /// The version that stands in.
    pub found: String,
}

/// The store on disk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreStatus {
    /// Its folder.
    pub folder: String,
    /// Bytes on disk.
    pub bytes: u64,
    /// Bytes of facts.
    pub fact_bytes: u64,
    /// Bytes of pages.
    pub page_bytes: u64,
    /// Bytes that the next collection frees.
    pub unused_bytes: u64,
    /// How large it may become; absent for any size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// How many texts have facts.
    pub facts: u64,
    /// How many pages.
    pub pages: u64,
    /// How many snapshots.
    pub snapshots: u64,
}

/// The store before and after a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GcAnswer {
    /// Before.
    pub before: StoreSize,
    /// After.
    pub after: StoreSize,
    /// What stays because it cannot be computed again, by kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub irreplaceable: Vec<(String, u64)>,
    /// The folder of the store.
    pub folder: String,
}

/// How large the store is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreSize {
    /// Bytes on disk.
    pub bytes: u64,
    /// Snapshots.
    pub snapshots: u64,
    /// Texts with facts.
    pub facts: u64,
}

/// The whole graph.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportAnswer {
    /// Every record, of the form `jsonl`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<ExportLine<'static>>,
    /// The text of the other forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The configuration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigAnswer {
    /// The settings, by key.
    pub settings: Vec<ConfigSetting>,
    /// What files contain without effect.
    pub notes: Vec<String>,
}

/// A setting.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigSetting {
    /// Its key, such as `cortex.maxSize`.
    pub key: String,
    /// The value that counts.
    pub value: String,
    /// The layer that it is from.
    pub layer: ConfigLayer,
    /// The place in that layer.
    pub place: String,
    /// The environment variable that sets it.
    pub variable: String,
    /// What it means.
    pub meaning: String,
    /// All values, earlier layers first.
    pub values: Vec<ConfigValue>,
}

/// A value of a setting in one layer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigValue {
    /// The value.
    pub value: String,
    /// The layer.
    pub layer: ConfigLayer,
    /// The place in it.
    pub place: String,
    /// Why it does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// A layer of the configuration; later ones win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ConfigLayer {
    /// The program.
    BuiltIn,
    /// The user's file.
    User,
    /// Git's configuration.
    Git,
    /// The file that the repository commits.
    Repository,
    /// The environment.
    Environment,
    /// The request.
    CommandLine,
}
