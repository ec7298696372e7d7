//! What evaluation gives: projects and solutions as plain data.
//!
//! Must not know: how they were evaluated.

use cortex_model::RepoPath;
use serde::{Deserialize, Serialize};

use crate::framework::Framework;

/// The path and assembly name of the pseudo-project that holds files which no project claims.
pub const LOOSE: &str = "(loose)";

/// All projects of one tree.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ProjectGraph {
    /// Sorted by path.
    pub projects: Vec<Project>,
    /// Sorted by path.
    pub solutions: Vec<Solution>,
    /// What was not understood and belongs to no single project, sorted.
    pub notes: Vec<ProjectNote>,
}

impl ProjectGraph {
    /// The project at a path. O(log projects).
    pub fn project(&self, path: &str) -> Option<&Project> {
        self.projects
            .binary_search_by(|project| project.path.as_str().cmp(path))
            .ok()
            .map(|index| &self.projects[index])
    }
}

/// A project, evaluated for its active target framework.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Project {
    /// The project file.
    pub path: RepoPath,
    /// The name of the assembly, without an extension.
    pub assembly: String,
    /// The namespace that is the project's default; may be empty.
    pub root_namespace: String,
    /// The short name of the active target framework, such as `net10.0`; empty where a project that is
    /// not SDK-style names none.
    pub tfm: String,
    /// The project's other target frameworks, as written, in document order.
    pub other_tfms: Vec<String>,
    /// The symbols that `#if` sees, sorted.
    pub symbols: Vec<String>,
    /// `LangVersion` as written; `None` where the compiler chooses by framework.
    pub language_version: Option<String>,
    /// `AllowUnsafeBlocks`: whether its files may have `unsafe` code.
    pub allows_unsafe: bool,
    /// The project-wide nullable context.
    pub nullable: Nullable,
    /// Global usings from implicit usings and `Using` items, sorted, without repetition. Those written
    /// in C# are not among them.
    pub usings: Vec<GlobalUsing>,
    /// The tracked C# files that it compiles, sorted.
    pub sources: Vec<RepoPath>,
    /// The projects whose assemblies it references itself, sorted.
    pub references: Vec<RepoPath>,
    /// The projects whose assemblies the compiler sees, directly or through others, sorted.
    pub all_references: Vec<RepoPath>,
    /// The packages that it references itself, sorted by name.
    pub packages: Vec<PackageReference>,
    /// The central versions that packages get wherever others ask for them, sorted by name; empty where
    /// such versions are not pinned.
    pub pinned: Vec<PinnedPackage>,
    /// Where NuGet puts what it restores for the project: `obj/project.assets.json`, unless the project
    /// moves that folder; `None` where it is outside of the repository.
    pub restore: Option<RepoPath>,
    /// Where in the repository the assemblies are that it references by their files, tracked or not, sorted.
    pub libraries: Vec<RepoPath>,
    /// The shared frameworks that it references, such as `Microsoft.AspNetCore.App`, sorted.
    pub frameworks: Vec<String>,
    /// The assemblies that project files let see its internals, sorted; grants in C# are not among them.
    pub friends: Vec<String>,
    /// Whether it looks like a test project. A hint, not a fact.
    pub is_test: bool,
    /// What was not understood, sorted.
    pub notes: Vec<ProjectNote>,
}

impl Project {
    /// The version of C# that its files are written in, as `LangVersion` writes it: its own, or the default of its active
    /// target framework. `None` where the default is unknown.
    pub fn effective_language_version(&self) -> Option<&str> {
        let default = || Framework::parse(&self.tfm).default_language_version();
        self.language_version.as_deref().or_else(default)
    }
}

/// The `Nullable` setting of a project.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Nullable {
    /// Neither annotations nor warnings.
    #[default]
    Disable,
    /// Both.
    Enable,
    /// Warnings only.
    Warnings,
    /// Annotations only.
    Annotations,
}

/// A using directive that applies to every file of a project.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct GlobalUsing {
    /// What kind of directive.
    pub kind: UsingKind,
    /// The namespace or type, as written.
    pub target: String,
}

/// The kind of a using directive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum UsingKind {
    /// `using N;`
    Namespace,
    /// `using static N;`
    Static,
    /// `using A = N;`, with the name that it gives.
    Alias(String),
}

/// A NuGet package that a project references itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PackageReference {
    /// The id, as written.
    pub name: String,
    /// The version or range, as written; `None` where nothing gives one.
    pub version: Option<String>,
    /// Whether the project's own compiler sees its assemblies.
    pub compile: CompileAssets,
    /// What projects that reference this one get of it.
    pub inheritance: PackageInheritance,
}

/// A central version of a package that is pinned: NuGet's documentation, "Central Package Management",
/// transitive pinning.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PinnedPackage {
    /// The id, as written.
    pub name: String,
    /// The version or range, as written.
    pub version: String,
}

/// Whether a compiler sees the assemblies of a package: `IncludeAssets` without `ExcludeAssets`.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum CompileAssets {
    /// It does.
    #[default]
    Visible,
    /// The package is only there for the build, for analyzers or at run time.
    Hidden,
}

/// What those who reference a project get of one of its packages: all but its `PrivateAssets`.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum PackageInheritance {
    /// The package, and what it depends on.
    #[default]
    Inherited,
    /// The package counts for versions, but its assemblies and those that it depends on are not seen.
    NotCompile,
    /// Nothing.
    Private,
}

/// Something in a project file that was not understood, or that the repository lacks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ProjectNote {
    /// The file that says it.
    pub path: RepoPath,
    /// 1-based; 0 where it is about the whole file.
    pub line: u32,
    /// A lower-case sentence without a full stop.
    pub message: String,
}

/// A solution or solution filter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solution {
    /// The `.sln`, `.slnx` or `.slnf` file.
    pub path: RepoPath,
    /// The tracked projects that it lists, of any language, sorted.
    pub projects: Vec<RepoPath>,
}
