//! What keeps an edit from being planned, applied or undone.

use std::{io, path::PathBuf};

use cortex_derived::DerivedError;
use cortex_git::GitError;
use cortex_index::IndexError;
use cortex_look::QueryError;
use cortex_model::RepoPath;
use thiserror::Error;

/// An error of the repository, of the index, of a request or of the files.
#[derive(Debug, Error)]
pub enum EditError {
    /// The repository or the index.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A text has characters that the encoding of a file does not have.
    #[error(
        "write `{text}`: the encoding of the file is not known, and only ASCII is the same in all of them"
    )]
    Encoding {
        /// What was to be written.
        text: String,
    },
    /// The edit cannot be made at all.
    #[error("{doing}: {reason}")]
    Refused {
        /// What was requested.
        doing: String,
        /// Why it cannot be.
        reason: String,
        /// What would help, one sentence each.
        help: Vec<String>,
    },
    /// The edit would change nothing.
    #[error("{doing}: it would change nothing")]
    NoChange {
        /// What was requested.
        doing: String,
    },
    /// There is no operation of this id.
    #[error("find an operation `{id}`")]
    NoOp {
        /// What was given.
        id: String,
        /// Operations that it may mean.
        known: Vec<String>,
    },
    /// The state of an operation does not allow what was requested.
    #[error("{doing} `{id}`: {reason}")]
    State {
        /// What was requested.
        doing: &'static str,
        /// The operation.
        id: String,
        /// Why not.
        reason: String,
        /// What would help.
        help: Option<&'static str>,
    },
    /// Policy asks for a review, and nobody has approved the operation.
    #[error("apply `{id}`: nobody has approved it")]
    NotReviewed {
        /// The operation.
        id: String,
    },
    /// The approval of an operation is for something else than what it would be now.
    #[error("apply `{id}`: its approval is void: {reason}")]
    Void {
        /// The operation.
        id: String,
        /// Why.
        reason: String,
    },
    /// An operation has no signature that approves it.
    #[error("check the signature of `{id}`: {reason}")]
    NotSigned {
        /// The operation.
        id: String,
        /// Why not.
        reason: String,
    },
    /// A file is not what the operation was planned on.
    #[error("{doing} `{id}`: `{path}` has changed since")]
    Changed {
        /// What was requested.
        doing: &'static str,
        /// The operation.
        id: String,
        /// The file.
        path: RepoPath,
    },
    /// A file must not be written where it would be.
    #[error("write `{path}`: {reason}")]
    Unsafe {
        /// The file, or the folder on the way to it.
        path: RepoPath,
        /// Why.
        reason: &'static str,
    },
    /// The files of an operation are written, and could not be staged or committed.
    #[error("stage `{id}`: its files are written, and the rest failed")]
    NotStaged {
        /// The operation.
        id: String,
        /// Why.
        source: Box<EditError>,
    },
    /// The repository has no work tree.
    #[error("edit files: the repository has no work tree")]
    NoWorkTree,
    /// The system refused.
    #[error("{action} `{}`", path.display())]
    Io {
        /// What was being done.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A record of an operation cannot be read.
    #[error("read the operation `{id}`: {reason}")]
    Record {
        /// The operation.
        id: String,
        /// Why.
        reason: String,
    },
}

impl EditError {
    /// Whether the store lost something that can be made again.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Query(error) if error.is_damage())
    }
}

impl From<DerivedError> for EditError {
    fn from(error: DerivedError) -> Self {
        Self::Query(error.into())
    }
}

impl From<GitError> for EditError {
    fn from(error: GitError) -> Self {
        Self::Query(error.into())
    }
}

impl From<IndexError> for EditError {
    fn from(error: IndexError) -> Self {
        Self::Query(error.into())
    }
}
