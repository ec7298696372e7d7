//! Scopes that every repository has, by the names that the IDE gives them.

use crate::data::ScopeShape;

/// A standard scope. In the order of catalogs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StandardScope {
    /// All files that are known.
    AllPlaces,
    /// Files of the repository and of libraries.
    ProjectAndLibraries,
    /// Files of the repository.
    ProjectFiles,
    /// Files of projects that are no test projects.
    ProductionFiles,
    /// Files of test projects.
    TestFiles,
    /// Untracked scripts and requests.
    Scratches,
    /// Files that were asked for before.
    RecentlyViewed,
    /// Files of the last commits and of the work tree.
    RecentlyChanged,
    /// What an editor shows.
    OpenFiles,
    /// What an editor shows in front.
    CurrentFile,
    /// What is selected in an editor.
    Selection,
}

impl StandardScope {
    /// All, in the order of catalogs.
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

    /// The IDE's id, the same in every language.
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

    /// The scope of an id.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.id() == id)
    }

    /// What it gives.
    pub fn shape(self) -> ScopeShape {
        match self {
            Self::Selection => ScopeShape::Local,
            _ => ScopeShape::Global,
        }
    }

    /// Whether only who asks can tell what it means.
    pub fn is_context(self) -> bool {
        matches!(self, Self::OpenFiles | Self::CurrentFile | Self::Selection)
    }

    /// Whether it means something else at another time, on the same snapshot.
    pub fn is_unstable(self) -> bool {
        self.is_context()
            || matches!(
                self,
                Self::Scratches | Self::RecentlyViewed | Self::RecentlyChanged
            )
    }
}

/// A named scope that every repository has. In the order of catalogs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PredefinedScope {
    /// Files of the repository.
    ProjectFiles,
    /// All files that are known.
    All,
    /// All others.
    NonProjectFiles,
    /// Files of projects that are no test projects.
    Production,
    /// Files of test projects.
    Tests,
    /// Files that a tool wrote.
    GeneratedFiles,
    /// Files that differ between `HEAD` and the work tree.
    ChangedFiles,
    /// Sources with known errors.
    Problems,
}

impl PredefinedScope {
    /// All, in the order of catalogs.
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

    /// The IDE's name.
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

    /// The scope of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }
}
