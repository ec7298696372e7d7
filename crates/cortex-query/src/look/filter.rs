//! What an answer may speak of: one predicate on files, as projects compile them.
//!
//! Must not know: what is asked.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use cortex_bind::TypeNode;
use cortex_git::PathFilter;
use cortex_index::{FileSummary, Index, Snapshot};
use cortex_model::RepoPath;

use crate::QueryError;

/// What a question is limited to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FilterOptions {
    /// Projects, each by its path or its assembly's name; all where it is empty.
    pub projects: Vec<String>,
    /// Paths, as git's pathspecs; all where it is empty.
    pub paths: Vec<String>,
    /// Tests or other code.
    pub tests: TestScope,
}

/// Whether the code of tests is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TestScope {
    /// All code.
    #[default]
    Any,
    /// Test projects alone.
    Only,
    /// All but test projects.
    Without,
}

/// Whether an answer may speak of a file.
pub struct Filter {
    /// `None`: all.
    projects: Option<BTreeSet<RepoPath>>,
    /// `None`: all. Matching changes what the matcher remembers, hence the lock.
    paths: Option<Mutex<PathFilter>>,
}

impl Filter {
    /// Reads what is asked for. Reads the projects of the snapshot where that is about projects.
    ///
    /// # Errors
    /// [`QueryError::UnknownProject`], and [`cortex_git::GitError::InvalidPath`] for a malformed pathspec.
    pub fn new(
        index: &Index,
        snapshot: &Snapshot,
        options: &FilterOptions,
    ) -> Result<Self, QueryError> {
        let paths = match options.paths.as_slice() {
            [] => None,
            patterns => Some(Mutex::new(index.repo.path_filter(patterns)?)),
        };
        Ok(Self {
            projects: projects(snapshot, options)?,
            paths,
        })
    }

    /// Whether it lets everything pass.
    pub fn is_everything(&self) -> bool {
        self.projects.is_none() && self.paths.is_none()
    }

    /// Whether a file passes as it is compiled into a project.
    pub fn has(&self, path: &RepoPath, project: &RepoPath) -> bool {
        self.has_project(project) && self.has_path(path)
    }

    /// Whether a file passes in any of its projects; one without a project where no projects are asked for.
    pub fn has_file(&self, file: &FileSummary) -> bool {
        let is_in = self.projects.is_none() || file.projects.iter().any(|it| self.has_project(it));
        is_in && self.has_path(&file.path)
    }

    /// Whether a type passes with any of its parts.
    pub fn has_type(&self, node: &TypeNode) -> bool {
        self.has_project(&node.project) && node.parts.iter().any(|part| self.has_path(&part.path))
    }

    /// Whether the code of a project may pass.
    pub fn has_project(&self, project: &RepoPath) -> bool {
        let projects = self.projects.as_ref();
        projects.is_none_or(|projects| projects.contains(project))
    }

    /// Whether a path may pass.
    pub fn has_path(&self, path: &RepoPath) -> bool {
        self.paths.as_ref().is_none_or(|paths| {
            let mut paths = paths.lock().unwrap_or_else(PoisonError::into_inner);
            paths.matches(path)
        })
    }
}

fn projects(
    snapshot: &Snapshot,
    options: &FilterOptions,
) -> Result<Option<BTreeSet<RepoPath>>, QueryError> {
    if options.projects.is_empty() && options.tests == TestScope::Any {
        return Ok(None);
    }
    let records = snapshot.projects()?;
    let mut left: BTreeMap<&str, bool> = (options.projects.iter())
        .map(|name| (name.as_str(), false))
        .collect();
    let mut out = BTreeSet::new();
    for record in &records {
        let project = &record.project;
        let mut is_asked = left.is_empty();
        for (name, is_known) in &mut left {
            if project.path.as_str() == *name || project.assembly.eq_ignore_ascii_case(name) {
                (is_asked, *is_known) = (true, true);
            }
        }
        let is_in = match options.tests {
            TestScope::Any => true,
            TestScope::Only => project.is_test,
            TestScope::Without => !project.is_test,
        };
        if is_asked && is_in {
            out.insert(project.path.clone());
        }
    }
    match left.iter().find(|(_, is_known)| !**is_known) {
        Some((name, _)) => Err(QueryError::UnknownProject((*name).to_owned())),
        None => Ok(Some(out)),
    }
}
