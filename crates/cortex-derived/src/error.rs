//! What keeps derived data from being read.

use cortex_git::GitError;
use cortex_index::IndexError;
use thiserror::Error;

/// An error of the repository or of the index, or the time was over.
#[derive(Debug, Error)]
pub enum DerivedError {
    /// The repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The time was over.
    #[error("{doing} before the time was over")]
    TimedOut {
        /// What was being done.
        doing: &'static str,
    },
}
