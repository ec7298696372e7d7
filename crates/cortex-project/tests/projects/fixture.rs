//! Trees of project files in one text: `//- path` starts a file; more paths on its line, more such files.

use std::collections::BTreeMap;

use cortex_model::RepoPath;
use cortex_project::{EvaluationOptions, Project, ProjectFiles, ProjectGraph, UsingKind, evaluate};

pub(crate) struct Tree {
    paths: Vec<RepoPath>,
    files: BTreeMap<RepoPath, Vec<u8>>,
}

impl Tree {
    pub(crate) fn new(text: &str) -> Self {
        let mut files = BTreeMap::new();
        for file in text.split("//- ").skip(1) {
            let (path, content) = file.split_once('\n').unwrap_or((file, ""));
            for path in path.split_whitespace() {
                files.insert(RepoPath::from(path), content.as_bytes().to_vec());
            }
        }
        Self::from_files(files)
    }

    pub(crate) fn from_files(files: BTreeMap<RepoPath, Vec<u8>>) -> Self {
        Self {
            paths: files.keys().cloned().collect(),
            files,
        }
    }

    pub(crate) fn graph(&self) -> ProjectGraph {
        evaluate(self, &EvaluationOptions::default())
    }
}

impl ProjectFiles for Tree {
    fn paths(&self) -> &[RepoPath] {
        &self.paths
    }

    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        self.files.get(path).cloned()
    }
}

/// The project at `path` of the tree in `text`.
#[track_caller]
pub(crate) fn project(text: &str, path: &str) -> Project {
    project_with(text, path, &EvaluationOptions::default())
}

#[track_caller]
pub(crate) fn project_with(text: &str, path: &str, options: &EvaluationOptions) -> Project {
    let graph = evaluate(&Tree::new(text), options);
    graph
        .project(path)
        .expect("the project is in the tree")
        .clone()
}

/// The project `App/App.csproj` with these elements in it, beside other files.
#[track_caller]
pub(crate) fn app(elements: &str, others: &str) -> Project {
    let text = format!(
        "//- App/App.csproj\n<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup><TargetFramework>net8.0\
         </TargetFramework></PropertyGroup>{elements}</Project>\n{others}"
    );
    project(&text, "App/App.csproj")
}

/// What a project says, one list a line.
pub(crate) fn sources(project: &Project) -> String {
    join(project.sources.iter().map(RepoPath::as_str))
}

pub(crate) fn usings(project: &Project) -> String {
    let usings = project.usings.iter().map(|using| match &using.kind {
        UsingKind::Namespace => using.target.clone(),
        UsingKind::Static => format!("static:{}", using.target),
        UsingKind::Alias(name) => format!("{name}={}", using.target),
    });
    join(usings)
}

/// The symbols that no framework implies.
pub(crate) fn own_symbols(project: &Project) -> String {
    join(
        project
            .symbols
            .iter()
            .filter(|symbol| !symbol.starts_with("NET")),
    )
}

pub(crate) fn packages(project: &Project) -> String {
    let packages = project.packages.iter().map(|package| {
        let version = package.version.as_deref().unwrap_or("?");
        format!("{}@{version}", package.name)
    });
    join(packages)
}

pub(crate) fn notes(project: &Project) -> String {
    let notes = project
        .notes
        .iter()
        .map(|note| format!("{}:{}: {}", note.path, note.line, note.message));
    notes.collect::<Vec<_>>().join("\n")
}

fn join<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> String {
    let texts: Vec<T> = texts.collect();
    let texts: Vec<&str> = texts.iter().map(T::as_ref).collect();
    texts.join(" ")
}
