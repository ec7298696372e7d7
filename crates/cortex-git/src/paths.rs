//! Path patterns (git's "pathspecs"): which paths a command is limited to.

use std::path::Path;

use cortex_model::RepoPath;
use gix::pathspec::{Defaults, MagicSignature, Pattern, Search};

use crate::{error::GitError, repository::Repository};

/// A set of path patterns, ready to match.
pub struct PathFilter {
    search: Option<Search>,
}

impl Repository {
    /// Reads path patterns: names of files and folders, globs, and git's long forms such as `:(exclude)x`, `:/x`,
    /// `:(icase)x`. They are relative to the folder that the repository was opened from. None means every path.
    ///
    /// # Errors
    /// [`GitError::InvalidPath`] for a malformed pattern, one that leaves the repository, and `:(attr:…)`.
    pub fn path_filter(&self, patterns: &[String]) -> Result<PathFilter, GitError> {
        if patterns.is_empty() {
            return Ok(PathFilter { search: None });
        }
        let prefix = self.prefix().unwrap_or(Path::new(""));
        let root = self.work_dir().unwrap_or(self.git_dir());
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let mut parsed = Vec::with_capacity(patterns.len());
        for text in patterns {
            let invalid = |reason: String| GitError::InvalidPath {
                pattern: text.clone(),
                reason,
            };
            let mut pattern = Pattern::from_bytes(text.as_bytes(), Defaults::default())
                .map_err(|error| invalid(error.to_string()))?;
            if !pattern.attributes.is_empty() {
                return Err(invalid("attributes are not supported here".into()));
            }
            // Checked alone first, so that the error can name it.
            pattern
                .clone()
                .normalize(prefix, &root)
                .map_err(|error| invalid(error.to_string()))?;
            // `x/` means what is below the folder `x`; files are matched here, never the folder itself.
            pattern.signature.remove(MagicSignature::MUST_BE_DIR);
            parsed.push(pattern);
        }
        let search = Search::from_specs(parsed, Some(prefix), &root)
            .map_err(|error| GitError::engine("read the path patterns", error))?;
        Ok(PathFilter {
            search: Some(search),
        })
    }
}

impl PathFilter {
    /// Whether the path of a file is among those that the patterns mean.
    pub fn matches(&mut self, path: &RepoPath) -> bool {
        let Some(search) = &mut self.search else {
            return true;
        };
        search
            .pattern_matching_relative_path(path.as_str().into(), Some(false), &mut |_, _, _, _| {
                false
            })
            .is_some_and(|found| !found.is_excluded())
    }
}
