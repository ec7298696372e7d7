//! Single files of the work tree, tracked or not. Never follows a symbolic link.

use std::{path::PathBuf, time::SystemTime};

use cortex_model::RepoPath;

use crate::repository::Repository;

/// An ordinary file of the work tree, as it was when it was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkFile {
    /// Where it is on disk.
    pub path: PathBuf,
    /// Its length in bytes.
    pub n_bytes: u64,
    /// When it was written, where the file system tells.
    pub modified: Option<SystemTime>,
}

impl Repository {
    /// Looks at the file at a path of the work tree, whether git knows it or not.
    ///
    /// `None` where there is no work tree, no such file or something else than an ordinary file, where a
    /// folder on the way is a symbolic link, and for paths that lead out of the work tree or into a `.git`.
    /// O(depth of the path).
    pub fn work_file(&self, path: &RepoPath) -> Option<WorkFile> {
        let mut place = self.work_dir()?.to_owned();
        let mut found = None;
        for part in path.as_str().split('/') {
            let is_plain = !matches!(part, "" | "." | "..")
                && !part.eq_ignore_ascii_case(".git")
                && !part.contains(['\\', ':', '\0']);
            if !is_plain {
                return None;
            }
            place.push(part);
            let metadata = std::fs::symlink_metadata(&place).ok()?;
            if metadata.is_symlink() {
                return None;
            }
            found = Some(metadata);
        }
        let metadata = found.filter(std::fs::Metadata::is_file)?;
        Some(WorkFile {
            path: place,
            n_bytes: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}
