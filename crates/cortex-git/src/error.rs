//! What can go wrong between this process and a git repository, and what to do about it.

use std::path::PathBuf;

use cortex_model::ObjectId;

type Source = Box<dyn std::error::Error + Send + Sync>;

/// An error of reading a git repository. Its text fits after "failed to"; [`GitError::advice`] is what to do.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no repository at the given folder nor above it.
    #[error("find a git repository at `{}` or in a folder above it", start.display())]
    NotARepository {
        /// Where the search started.
        start: PathBuf,
    },
    /// The repository uses something that cannot be read here.
    #[error("read this repository: {what} is not supported")]
    Unsupported {
        /// What it uses.
        what: String,
        /// What to do.
        advice: Advice,
    },
    /// A revision names nothing.
    #[error("resolve revision `{spec}`: {reason}")]
    UnknownRevision {
        /// The revision as given.
        spec: String,
        /// Why it names nothing.
        reason: String,
        /// A better spelling, or why history ends before it.
        advice: Option<Advice>,
    },
    /// The revisions do not make up a range.
    #[error("understand the range `{spec}`: {reason}")]
    InvalidRange {
        /// The range as given.
        spec: String,
        /// What is wrong.
        reason: String,
        /// What to write instead.
        advice: Option<Advice>,
    },
    /// A path pattern is malformed or of a kind that is not supported.
    #[error("understand the path pattern `{pattern}`: {reason}")]
    InvalidPath {
        /// The pattern as given.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
    /// An object that is referred to is not in the object database.
    #[error("read {what} {id}: the object is not in this repository")]
    MissingObject {
        /// The object.
        id: ObjectId,
        /// What it was expected to be, such as `blob`.
        what: &'static str,
        /// How to get it.
        advice: Advice,
    },
    /// An object is of another kind than its use asks for.
    #[error("read {expected} {id}: it is a {actual}")]
    WrongKind {
        /// The object.
        id: ObjectId,
        /// The kind that was asked for.
        expected: &'static str,
        /// The kind that it has.
        actual: String,
    },
    /// Something is beyond the bounds that keep hostile repositories harmless.
    #[error("read {what}: it is larger than {limit}")]
    TooLarge {
        /// What is too large.
        what: String,
        /// The bound, with its unit.
        limit: String,
    },
    /// A file of the work tree is no longer what it was when the overlay was made.
    #[error("read `{}`: it changed while it was in use", path.display())]
    ChangedMeanwhile {
        /// The file.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("{action} `{}`", path.display())]
    Io {
        /// What was being done, such as `list the folder`.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The git implementation failed: a damaged or unusual repository.
    #[error("{action}")]
    Engine {
        /// What was being done, to what.
        action: String,
        /// What it said.
        source: Source,
    },
}

/// What to do about an error. Whoever shows it has the commands and flags for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Run in a repository, or name one.
    NameRepository,
    /// A lower-case fragment that names no flag.
    Text(String),
    /// Fetch an object, or all objects, into a partial clone.
    FetchObject(ObjectId),
    /// Fetch the rest of the history into a shallow clone.
    Unshallow,
    /// Check the repository for damage.
    CheckRepository,
    /// Store references as files.
    ConvertReferences,
    /// Compare the index with one revision, or compare without the index.
    OneRevision,
}

impl Advice {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

impl GitError {
    /// What the user can do now.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            Self::NotARepository { .. } => Some(Advice::NameRepository),
            Self::Unsupported { advice, .. } | Self::MissingObject { advice, .. } => {
                Some(advice.clone())
            }
            Self::UnknownRevision { advice, .. } | Self::InvalidRange { advice, .. } => {
                advice.clone()
            }
            Self::InvalidPath { .. } => {
                Some(Advice::text("see `git help glossary`, entry `pathspec`"))
            }
            Self::ChangedMeanwhile { .. } => Some(Advice::text("run the command again")),
            Self::Engine { .. } => Some(Advice::CheckRepository),
            Self::WrongKind { .. } | Self::TooLarge { .. } | Self::Io { .. } => None,
        }
    }

    /// Whether what was asked for is wrong, rather than the repository or the machine.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::UnknownRevision { .. }
                | Self::InvalidRange { .. }
                | Self::InvalidPath { .. }
                | Self::WrongKind { .. }
        )
    }

    /// Wraps an error of the git implementation.
    pub(crate) fn engine(action: impl Into<String>, source: impl Into<Source>) -> Self {
        Self::Engine {
            action: action.into(),
            source: source.into(),
        }
    }
}
