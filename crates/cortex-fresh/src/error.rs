//! What keeps context from being written or checked.

use std::{io, path::PathBuf};

use cortex_derived::DerivedError;
use cortex_git::GitError;
use cortex_index::IndexError;
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_scope::Severity;
use thiserror::Error;

use crate::pack::filter::FilterError;

/// An error of the repository, of the index or of the files of the context.
#[derive(Debug, Error)]
pub enum FreshError {
    /// The repository, the index or a scope.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// There is no work tree to write to.
    #[error("write context: the repository has no work tree")]
    NoWorkTree,
    /// A file must not be written where it would be.
    #[error("write `{path}`: {reason}")]
    Unsafe {
        /// The file, or the folder on the way to it.
        path: RepoPath,
        /// Why.
        reason: &'static str,
    },
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
    /// A scope is malformed.
    #[error("read the scope `{scope}`")]
    Scope {
        /// As written.
        scope: String,
        /// Why.
        source: cortex_scope::infix::InfixError,
    },
    /// A scope refers to something that does not exist.
    #[error("resolve the scope `{scope}`: {reason}")]
    UnresolvedScope {
        /// As written.
        scope: String,
        /// Why.
        reason: String,
    },
    /// A scope selects other files at another time, so it cannot select what is committed.
    #[error(
        "select outlines by the scope `{scope}`: `{atom}` depends on more than the files of a commit"
    )]
    UnstableScope {
        /// As written.
        scope: String,
        /// Which part of it.
        atom: String,
    },
    /// The recorded selection of outlines cannot be read.
    #[error("read `{path}`: {reason}")]
    Selection {
        /// The file.
        path: RepoPath,
        /// Why.
        reason: String,
    },
    /// A filter of a pack is malformed, or a term of it means nothing here.
    #[error("read the filter `{filter}`")]
    Filter {
        /// As written.
        filter: String,
        /// What is wrong, where, and what to write instead.
        source: FilterError,
    },
    /// A filter selects no type.
    #[error("build the pack: the filter `{filter}` selects no type")]
    EmptyPack {
        /// As written.
        filter: String,
    },
    /// Not even the frame of a pack fits its budget.
    #[error(
        "build the pack: it needs {needed} tokens without any type, and has a budget of {budget}"
    )]
    SmallBudget {
        /// How many tokens it may have.
        budget: usize,
        /// How many it needs.
        needed: usize,
    },
    /// A name cannot be the name of a pack.
    #[error(
        "name a pack `{name}`: names have ASCII letters, digits, `-`, `_` and `.`, and start with a letter or digit"
    )]
    PackName {
        /// As given.
        name: String,
    },
    /// There is no pack of this name.
    #[error("find a pack `{name}`")]
    NoPack {
        /// As given.
        name: String,
        /// The packs that exist.
        known: Vec<String>,
    },
    /// Nothing that is pinned is called so.
    #[error("unpin `{pin}`: it is not pinned")]
    NoPin {
        /// As written.
        pin: String,
        /// What is pinned.
        known: Vec<String>,
    },
    /// A policy is malformed.
    #[error("read the policy `{entry}`: {reason}")]
    Policy {
        /// As written.
        entry: String,
        /// Why.
        reason: String,
        /// What could stand there.
        known: Vec<String>,
    },
}

/// An error of resolving a scope, with its text.
pub(crate) fn scope_error(scope: &str, error: QueryError) -> FreshError {
    let QueryError::Scope(faults) = &error else {
        return error.into();
    };
    let faults = faults.iter().filter(|it| it.severity == Severity::Error);
    // The numbers of atoms mean nothing to whoever wrote an expression.
    let faults = faults.map(|it| match it.message.strip_prefix("atom `") {
        Some(rest) => rest.split_once("`: ").map_or(rest, |(_, fault)| fault),
        None => it.message.as_str(),
    });
    let faults: Vec<&str> = faults.collect();
    FreshError::UnresolvedScope {
        scope: scope.to_owned(),
        reason: faults.join("; "),
    }
}

impl FreshError {
    /// Whether the store lost something that can be made again.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Query(error) if error.is_damage())
    }
}

impl From<DerivedError> for FreshError {
    fn from(error: DerivedError) -> Self {
        Self::Query(error.into())
    }
}

impl From<GitError> for FreshError {
    fn from(error: GitError) -> Self {
        Self::Query(error.into())
    }
}

impl From<IndexError> for FreshError {
    fn from(error: IndexError) -> Self {
        Self::Query(error.into())
    }
}
