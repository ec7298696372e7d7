//! From the files of a tree to all of its projects.

use cortex_model::RepoPath;
use rustc_hash::FxHashSet;

use crate::{
    files::{EvaluationOptions, ProjectFiles, has_extension},
    framework::{Framework, NEWEST},
    model::{LOOSE, Nullable, Project, ProjectGraph},
    paths::PathId,
    project::{Evaluated, evaluate_project},
    references::follow,
    solution::solutions,
    workspace::Workspace,
};

/// Evaluates every C# project of a tree, each for its active target framework.
///
/// Nothing is run and nothing is fatal: what is not understood becomes a note, and evaluation goes on.
/// Every imported file is parsed once. The work is bounded, whatever the files say.
pub fn evaluate(files: &dyn ProjectFiles, options: &EvaluationOptions) -> ProjectGraph {
    let mut workspace = Workspace::new(files, options);
    let mut notes = Vec::new();
    let solutions = solutions(&workspace, &mut notes);
    for solution in &solutions {
        let folder = solution.path.folder();
        for project in &solution.projects {
            let nearest = workspace
                .solution_folders
                .entry(project.clone())
                .or_insert_with(|| folder.to_owned());
            if folder.len() > nearest.len() && project.as_str().starts_with(folder) {
                *nearest = folder.to_owned();
            }
        }
    }
    let ids: Vec<PathId> = workspace
        .table
        .iter()
        .filter(|(_, path)| has_extension(path, "csproj"))
        .map(|(id, _)| id)
        .collect();
    let mut evaluated: Vec<Evaluated> = ids
        .into_iter()
        .map(|id| evaluate_project(&workspace, id))
        .collect();
    follow(&mut evaluated);
    notes.sort_unstable();
    ProjectGraph {
        projects: evaluated.into_iter().map(|one| one.project).collect(),
        solutions,
        notes,
    }
}

/// The pseudo-project of all C# files that no project compiles; `None` where there are none.
///
/// It has the newest framework's symbols and `DEBUG` and `TRACE`, no usings and no references.
pub fn loose(files: &dyn ProjectFiles, graph: &ProjectGraph) -> Option<Project> {
    let claimed: FxHashSet<&str> = graph
        .projects
        .iter()
        .flat_map(|project| &project.sources)
        .map(RepoPath::as_str)
        .collect();
    let sources: Vec<RepoPath> = files
        .paths()
        .iter()
        .filter(|path| has_extension(path, "cs") && !claimed.contains(path.as_str()))
        .cloned()
        .collect();
    if sources.is_empty() {
        return None;
    }
    let mut symbols = Framework::parse(NEWEST).symbols();
    symbols.extend(["DEBUG", "TRACE"].map(str::to_owned));
    symbols.sort_unstable();
    Some(Project {
        path: LOOSE.into(),
        assembly: LOOSE.to_owned(),
        root_namespace: String::new(),
        tfm: NEWEST.to_owned(),
        other_tfms: Vec::new(),
        symbols,
        language_version: None,
        allows_unsafe: false,
        nullable: Nullable::Disable,
        usings: Vec::new(),
        sources,
        references: Vec::new(),
        all_references: Vec::new(),
        packages: Vec::new(),
        pinned: Vec::new(),
        restore: None,
        libraries: Vec::new(),
        frameworks: Vec::new(),
        friends: Vec::new(),
        is_test: false,
        notes: Vec::new(),
    })
}
