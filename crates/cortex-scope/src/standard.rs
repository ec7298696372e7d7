//! The scopes that every repository has, under the names that the IDE uses.

use crate::data::ScopeShape;

/// A standard scope, in catalog order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StandardScope {
    /// All known files.
    AllPlaces,
    /// Files of the repository and of libraries.
    ProjectAndLibraries,
    /// Files of the repository.
    ProjectFiles,
    /// Files of production projects.
    ProductionFiles,
    /// Files of test projects.
    TestFiles,
    /// Untracked scripts and requests.
    Scratches,
    /// Files that were requested before.
    RecentlyViewed,
    /// Files of the last commits and of the work tree.
    RecentlyChanged,
    /// The files open in an editor.
    OpenFiles,
    /// The file in the active editor.
    CurrentFile,
    /// The selection in an editor.
    Selection,
}

impl StandardScope {
    /// All values, in catalog order.
    pub const ALL: [Self; 11] = [
        Self::AllPlaces,
        Self::ProjectAndLibraries,
        Self::ProjectFiles,
        Self::ProductionFiles,
        Self::TestFiles,
        Self::Scratches,
        Self::RecentlyViewed,
        Self::RecentlyChanged,
        Self::OpenFiles,
        Self::CurrentFile,
        Self::Selection,
    ];

    /// The IDE's id, which does not depend on its display language.
    pub fn id(self) -> &'static str {
        match self {
            Self::AllPlaces => "All Places",
            Self::ProjectAndLibraries => "Project and Libraries",
            Self::ProjectFiles => "Project Files",
            Self::ProductionFiles => "Project Production Files",
            Self::TestFiles => "Project Test Files",
            Self::Scratches => "Scratches and Consoles",
            Self::RecentlyViewed => "Recently Viewed Files",
            Self::RecentlyChanged => "Recently Changed Files",
            Self::OpenFiles => "Open Files",
            Self::CurrentFile => "Current File",
            Self::Selection => "Selection",
        }
    }

    /// Finds the scope with an id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.id() == id)
    }

    /// The shape of the result.
    pub fn shape(self) -> ScopeShape {
        match self {
            Self::Selection => ScopeShape::Local,
            _ => ScopeShape::Global,
        }
    }

    /// Whether the scope depends on the caller's context.
    pub fn is_context(self) -> bool {
        matches!(self, Self::OpenFiles | Self::CurrentFile | Self::Selection)
    }

    /// Whether the scope can select other files at another time, on the same snapshot.
    pub fn is_unstable(self) -> bool {
        self.is_context()
            || matches!(
                self,
                Self::Scratches | Self::RecentlyViewed | Self::RecentlyChanged
            )
    }
}

/// A named scope that every repository has, in catalog order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PredefinedScope {
    /// Files of the repository.
    ProjectFiles,
    /// All known files.
    All,
    /// Files outside the repository.
    NonProjectFiles,
    /// Files of production projects.
    Production,
    /// Files of test projects.
    Tests,
    /// Generated files.
    GeneratedFiles,
    /// Files that differ between `HEAD` and the work tree.
    ChangedFiles,
    /// Sources with known errors.
    Problems,
}

impl PredefinedScope {
    /// All values, in catalog order.
    pub const ALL: [Self; 8] = [
        Self::ProjectFiles,
        Self::All,
        Self::NonProjectFiles,
        Self::Production,
        Self::Tests,
        Self::GeneratedFiles,
        Self::ChangedFiles,
        Self::Problems,
    ];

    /// The name in the IDE.
    pub fn name(self) -> &'static str {
        match self {
            Self::ProjectFiles => "Project Files",
            Self::All => "All",
            Self::NonProjectFiles => "Non-Project Files",
            Self::Production => "Production",
            Self::Tests => "Tests",
            Self::GeneratedFiles => "Generated Files",
            Self::ChangedFiles => "All Changed Files",
            Self::Problems => "Problems",
        }
    }

    /// Finds the scope with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}
