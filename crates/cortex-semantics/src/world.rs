//! What the repository and the machine hold, as binding asks for it.
//!
//! Must not know: how it is stored.

use std::sync::Arc;

use cortex_bind::{GlobalUsing, InternalsVisible, TypeSymbol};
use cortex_metadata::Assemblies;
use cortex_model::{RepoPath, TypeKey};
use cortex_syntax::{FileFacts, Sections};

use crate::symbol::{ExternalId, ProjectId};

/// Every declaration that can be seen. Answers must not depend on the order of questions.
pub trait World: Sync {
    /// All projects; a [`ProjectId`] is an index into them.
    fn projects(&self) -> &[ProjectView];
    /// All assemblies from outside, each simple name once; an [`ExternalId`] is an index into them.
    fn externals(&self) -> &Assemblies;
    /// The source types of a simple name, any arity, container and project, sorted by key.
    fn types_named(&self, name: &str) -> Arc<[TypeSymbol]>;
    /// A source type.
    fn symbol(&self, key: TypeKey) -> Option<TypeSymbol>;
    /// The projects that declare a type in this namespace or below it, ascending.
    fn namespace_projects(&self, namespace: &str) -> Arc<[ProjectId]>;
    /// The files that declare parts of a type, by path.
    fn units_of(&self, key: TypeKey) -> Vec<UnitKey>;
    /// The facts of a file.
    fn facts(&self, unit: &UnitKey, sections: Sections) -> Arc<FileFacts>;
    /// The source types that declare an extension member of this name (methods with `this`, members of
    /// extension blocks, operators by their metadata names), sorted by key.
    fn extension_containers(&self, name: &str) -> Arc<[TypeKey]>;
}

/// A file inside one project.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitKey {
    /// The file.
    pub path: RepoPath,
    /// The project.
    pub project: ProjectId,
}

/// A project as its files see the world.
#[derive(Clone, Debug)]
pub struct ProjectView {
    /// Its path.
    pub path: RepoPath,
    /// Its assembly's simple name.
    pub assembly: Arc<str>,
    /// Projects whose types its files can name, itself included, ascending.
    pub visible: Vec<(ProjectId, InternalsVisible)>,
    /// Usings that its project files give, sorted.
    pub usings: Vec<GlobalUsing>,
    /// Its files that have `global using` directives, by path.
    pub global_using_units: Vec<UnitKey>,
    /// Assemblies that its files can name types of, ascending.
    pub externals: Vec<ExternalId>,
    /// The version of C# that its files are written in, as `LangVersion` writes it; `None` where it is unknown.
    pub language_version: Option<String>,
    /// Whether its files may have `unsafe` code.
    pub allows_unsafe: bool,
}

impl ProjectView {
    /// The version of C# that its files are written in: 7.1, 12.0. `None` where it is unknown, or is the newest of the
    /// compiler: `latest`, `latestMajor`, `preview` and `default`.
    pub fn csharp_version(&self) -> Option<(u32, u32)> {
        let version = self.language_version.as_deref()?;
        let iso = [("ISO-1", (1, 0)), ("ISO-2", (2, 0))].into_iter();
        let mut iso = iso.filter(|(name, _)| version.eq_ignore_ascii_case(name));
        if let Some((_, version)) = iso.next() {
            return Some(version);
        }
        let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
        Some((major.parse().ok()?, minor.parse().ok()?))
    }

    /// Whether types of a project can be named here, and which.
    pub fn sees(&self, project: ProjectId) -> Option<InternalsVisible> {
        let index = self
            .visible
            .binary_search_by_key(&project, |&(id, _)| id)
            .ok()?;
        Some(self.visible[index].1)
    }

    /// Whether types of an assembly from outside can be named here.
    pub fn sees_external(&self, assembly: ExternalId) -> bool {
        self.externals.binary_search(&assembly).is_ok()
    }
}
