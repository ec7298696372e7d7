//! What evaluation reads: the tracked files of one tree, and which of them describe projects.
//!
//! Must not know: git, the file system; both hide behind [`ProjectFiles`].

use cortex_model::RepoPath;

/// The tracked files of one tree.
pub trait ProjectFiles {
    /// All tracked files, ascending by bytes.
    fn paths(&self) -> &[RepoPath];

    /// The content of a file; `None` where it cannot be had. Only asked for files that a project
    /// imports or that [`is_project_file`] accepts.
    fn read(&self, path: &RepoPath) -> Option<Vec<u8>>;
}

/// How projects are evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationOptions {
    /// The target framework to take where a project has it; else, and by default, the newest of each.
    pub tfm: Option<String>,
    /// The build configuration.
    pub configuration: String,
    /// Global properties, as `-p:Name=Value` gives them: no project can change them.
    pub properties: Vec<(String, String)>,
}

impl Default for EvaluationOptions {
    fn default() -> Self {
        Self {
            tfm: None,
            configuration: "Debug".to_owned(),
            properties: Vec::new(),
        }
    }
}

/// Whether a change of this file means that projects must be evaluated again.
///
/// Solutions, C# projects, shared projects, properties and targets, `global.json`, `.editorconfig`,
/// `packages.config`. C# files count through the list of paths, not through their content.
pub fn is_project_file(path: &RepoPath) -> bool {
    let is = |names: &[&str], text: &str| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    is(
        &[
            "sln",
            "slnx",
            "slnf",
            "csproj",
            "shproj",
            "projitems",
            "props",
            "targets",
        ],
        path.extension(),
    ) || is(
        &["global.json", ".editorconfig", "packages.config"],
        path.file_name(),
    )
}

/// Whether a file may be an assembly that projects reference. A change of its content means nothing for
/// evaluation, but for what their names mean.
pub fn is_library(path: &RepoPath) -> bool {
    ["dll", "exe", "winmd"]
        .iter()
        .any(|extension| has_extension(path, extension))
}

/// Whether a path has this extension, in any case.
pub(crate) fn has_extension(path: &RepoPath, extension: &str) -> bool {
    path.extension().eq_ignore_ascii_case(extension)
}

#[cfg(test)]
mod tests {
    use super::is_project_file;

    #[test]
    fn project_files_are_known_by_name() {
        for path in [
            "a/B.CSPROJ",
            "Directory.Build.props",
            "x/global.json",
            "a/.editorconfig",
            "a.slnf",
        ] {
            assert!(is_project_file(&path.into()), "{path}");
        }
        for path in ["a.cs", "packages.json", "csproj", "a/props"] {
            assert!(!is_project_file(&path.into()), "{path}");
        }
    }
}
