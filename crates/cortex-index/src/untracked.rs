//! What a snapshot takes from the work tree besides what git tracks: what NuGet restored for projects, and
//! libraries that they name by file.
//!
//! Must not know: what is in such a file.

use std::time::UNIX_EPOCH;

use cortex_git::Repository;
use cortex_model::{Hash, Hasher, RepoPath};
use serde::{Deserialize, Serialize};

/// Files of the work tree that a snapshot was made with or without: it is made again when one changes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Untracked {
    /// Sorted.
    paths: Vec<RepoPath>,
    state: Hash,
}

impl Untracked {
    /// Looks at files, at their lengths and times alone.
    pub(crate) fn look(repo: &Repository, mut paths: Vec<RepoPath>) -> Self {
        paths.sort_unstable();
        paths.dedup();
        let state = state(repo, &paths);
        Self { paths, state }
    }

    /// The folders that they lie in.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        let paths = self.paths.iter().map(RepoPath::as_str);
        paths.map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder))
    }

    /// Whether one of the files is another than it was. O(files), nothing is read.
    pub(crate) fn has_changed(&self, repo: &Repository) -> bool {
        self.state != state(repo, &self.paths)
    }
}

fn state(repo: &Repository, paths: &[RepoPath]) -> Hash {
    let mut hasher = Hasher::new("untracked-v1");
    for (place, path) in paths.iter().enumerate() {
        let Some(file) = repo.work_file(path) else {
            continue;
        };
        let since = file
            .modified
            .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let since = since.unwrap_or_default();
        hasher
            .number(place as u64)
            .number(file.n_bytes)
            .number(since.as_secs())
            .number(u64::from(since.subsec_nanos()));
    }
    hasher.finish()
}
