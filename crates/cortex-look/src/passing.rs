//! Which types of the graph pass a filter, and where each of them is declared.
//!
//! Must not know: what is asked of them.

use crate::{QueryError, viewpoint::Viewpoint};
use cortex_derived::dependencies::{Dependencies, Type};

use cortex_model::RepoPath;
use rustc_hash::FxHashMap;

/// Types that pass, by their index in [`Dependencies`]. One that is declared at several places passes with any of
/// them, and is declared at the first that passes.
pub(crate) enum Passing {
    /// All of them.
    All,
    /// These, where what the graph keeps of a type does not say it.
    Some(FxHashMap<usize, (RepoPath, u32)>),
    /// Those of projects that pass, by index of a project.
    OfProjects(Vec<bool>),
}

impl Passing {
    /// Asks the filter. Reads all types where it is about files.
    pub(crate) fn of(view: &Viewpoint<'_>, all: &Dependencies) -> Result<Self, QueryError> {
        let filter = view.filter;
        if filter.is_everything() {
            return Ok(Self::All);
        }
        if filter.is_of_projects_alone() {
            let projects = all.projects.iter();
            let passes = projects.map(|project| filter.has_project(&project.path));
            return Ok(Self::OfProjects(passes.collect()));
        }
        let mut some = FxHashMap::default();
        for (key, header) in view.snapshot().type_headers()? {
            if let (Some(part), Some(at)) = (filter.part_of(&header), all.index(key)) {
                some.insert(at, (part.path.clone(), part.line));
            }
        }
        Ok(Self::Some(some))
    }

    /// Whether a type passes.
    pub(crate) fn has(&self, all: &Dependencies, at: usize) -> bool {
        match self {
            Self::All => true,
            Self::Some(some) => some.contains_key(&at),
            Self::OfProjects(projects) => projects[all.types[at].project as usize],
        }
    }

    /// Where a type that passes is declared.
    pub(crate) fn place<'p>(&'p self, all: &'p Dependencies, at: usize) -> (&'p RepoPath, u32) {
        if let Self::Some(some) = self
            && let Some((path, line)) = some.get(&at)
        {
            return (path, *line);
        }
        let ty: &Type = &all.types[at];
        (all.path(ty), ty.line)
    }
}
