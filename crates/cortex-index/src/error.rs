//! What keeps a snapshot from being made or read.

use cortex_git::GitError;
use cortex_model::Stop;
use cortex_sandbox::SandboxError;
use cortex_store::StoreError;
use thiserror::Error;

/// An error of the world around the index; C# that does not compile is never one.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The parser processes.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A record of the database does not read as what it should be.
    #[error("read a damaged record ({what}) of the index")]
    Damaged {
        /// Which one.
        what: &'static str,
    },
    /// What an update had put away into a temporary file.
    #[error("read the temporary file of an index")]
    Spill(#[source] std::io::Error),
    /// Asked for by the caller.
    #[error("finish before the interrupt; what was indexed is kept")]
    Interrupted,
}

impl From<Stop> for IndexError {
    fn from(_: Stop) -> Self {
        Self::Interrupted
    }
}

impl IndexError {
    /// Whether the store was collected while something was made from it.
    pub(crate) fn is_stale(&self) -> bool {
        matches!(self, Self::Store(StoreError::Stale))
    }

    /// Whether the store lost something that can be made again.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Damaged { .. } | Self::Store(StoreError::DamagedPage(_))
        )
    }
}
