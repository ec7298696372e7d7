//! Any text is a project, a solution or properties that are evaluated within bounds, always alike.

#![no_main]

use cortex_model::RepoPath;
use cortex_project::{EvaluationOptions, ProjectFiles, evaluate, loose, solution_folders};
use libfuzzer_sys::fuzz_target;

/// A repository in which the fuzzed text plays one part.
struct Files {
    paths: Vec<RepoPath>,
    fuzzed: RepoPath,
    text: Vec<u8>,
}

impl ProjectFiles for Files {
    fn paths(&self) -> &[RepoPath] {
        &self.paths
    }

    fn read(&self, path: &RepoPath) -> Option<Vec<u8>> {
        if *path == self.fuzzed {
            return Some(self.text.clone());
        }
        let is_project = path.extension() == "csproj";
        is_project.then(|| br#"<Project Sdk="Microsoft.NET.Sdk"/>"#.to_vec())
    }
}

/// The parts that a text can play, sorted.
const PARTS: [&str; 9] = [
    ".editorconfig",
    "App.csproj",
    "App.sln",
    "App.slnf",
    "App.slnx",
    "Directory.Build.props",
    "Directory.Packages.props",
    "global.json",
    "packages.config",
];

fuzz_target!(|input: (u8, &[u8])| {
    let (part, text) = input;
    let mut paths: Vec<RepoPath> = ["App.csproj", "src/A.cs"].map(RepoPath::from).into();
    let fuzzed = RepoPath::from(PARTS[usize::from(part) % PARTS.len()]);
    paths.push(fuzzed.clone());
    paths.sort();
    paths.dedup();
    let files = Files {
        paths,
        fuzzed,
        text: text.to_vec(),
    };
    let options = EvaluationOptions::default();
    let graph = evaluate(&files, &options);
    assert_eq!(
        graph,
        evaluate(&files, &options),
        "evaluation is deterministic"
    );
    loose(&files, &graph);
    solution_folders(&files.fuzzed, &String::from_utf8_lossy(text));
});
