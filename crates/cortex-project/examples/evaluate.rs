//! Prints the projects of the commit that a work tree has checked out, one JSON object a line.
//!
//! Usage: `evaluate FOLDER [TFM]`. Times and notes go to standard error.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example is a program"
)]

use std::{path::PathBuf, process::Command, time::Instant};

use cortex_model::RepoPath;
use cortex_project::{EvaluationOptions, ProjectFiles, UsingKind, evaluate, loose};
use serde_json::json;

struct WorkTree {
    root: PathBuf,
    paths: Vec<RepoPath>,
}

impl ProjectFiles for WorkTree {
    fn paths(&self) -> &[RepoPath] {
        &self.paths
    }

    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        std::fs::read(self.root.join(path.as_str())).ok()
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(root) = arguments.next() else {
        eprintln!("usage: evaluate FOLDER [TFM]");
        return;
    };
    let listed = Command::new("git")
        .args(["-C", &root, "ls-tree", "-rz", "--name-only", "HEAD"])
        .output()
        .expect("git can be started");
    let mut paths: Vec<RepoPath> = listed
        .stdout
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(RepoPath::from_bytes)
        .collect();
    paths.sort_unstable();
    let files = WorkTree {
        root: root.into(),
        paths,
    };
    let options = EvaluationOptions {
        tfm: arguments.next(),
        ..EvaluationOptions::default()
    };
    let mut graph = evaluate(&files, &options);
    let mut times: Vec<_> = (0..7)
        .map(|_| {
            let start = Instant::now();
            graph = evaluate(&files, &options);
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    eprintln!("{} projects, median {:?}", graph.projects.len(), times[3]);
    for note in graph
        .notes
        .iter()
        .chain(graph.projects.iter().flat_map(|p| &p.notes))
    {
        eprintln!("{}:{}: {}", note.path, note.line, note.message);
    }
    for project in graph.projects.iter().chain(loose(&files, &graph).as_ref()) {
        let usings: Vec<String> = project
            .usings
            .iter()
            .map(|using| match &using.kind {
                UsingKind::Namespace => using.target.clone(),
                UsingKind::Static => format!("static {}", using.target),
                UsingKind::Alias(name) => format!("{name}={}", using.target),
            })
            .collect();
        let packages: Vec<&str> = project.packages.iter().map(|p| p.name.as_str()).collect();
        let record = json!({
            "k": "project", "path": project.path, "asm": project.assembly, "tfm": project.tfm,
            "ns": project.root_namespace, "defines": project.symbols, "files": project.sources,
            "usings": usings, "refs": project.references, "packages": packages,
            "friends": project.friends, "test": project.is_test,
        });
        println!("{record}");
    }
}
