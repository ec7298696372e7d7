//! What keeps a question from being answered.

use crate::symbol::Candidate;
use cortex_wire::{Filter as LimitedTo, SafeCall};

use cortex_derived::DerivedError;
use cortex_git::GitError;
use cortex_index::IndexError;
use cortex_scope::Diagnostic;
use cortex_search::PatternError;
use thiserror::Error;

impl From<DerivedError> for QueryError {
    fn from(error: DerivedError) -> Self {
        match error {
            DerivedError::Git(error) => Self::Git(error),
            DerivedError::Index(error) => Self::Index(error),
            DerivedError::TimedOut { doing } => Self::TimedOut { doing },
        }
    }
}

/// The first of some files, and how many more there are.
fn listed(files: &[cortex_model::RepoPath]) -> String {
    const MAX_LISTED: usize = 5;
    let first = files.iter().take(MAX_LISTED);
    let mut out: Vec<String> = first.map(|file| format!("`{file}`")).collect();
    if files.len() > MAX_LISTED {
        out.push(format!("{} more", files.len() - MAX_LISTED));
    }
    out.join(", ")
}

/// An error of the repository or of the index.
#[derive(Debug, Error)]
pub enum QueryError {
    /// The repository.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Two commits changed code so that a person must decide.
    #[error(
        "merge `{theirs}` into `{ours}`: both changed the same lines of {}",
        listed(files)
    )]
    MergeConflicts {
        /// The commit that is merged into, as it was written.
        ours: String,
        /// The commit that is merged.
        theirs: String,
        /// The files.
        files: Vec<cortex_model::RepoPath>,
    },
    /// No project has a path or an assembly of this name.
    #[error("find a project with path or assembly name `{0}`")]
    UnknownProject(String),
    /// No project has this target framework.
    #[error("find a project that targets `{tfm}`")]
    UnknownFramework {
        /// What was requested.
        tfm: String,
        /// The target frameworks of the projects, sorted.
        known: Vec<String>,
    },
    /// Nothing is called like this.
    #[error("find a symbol `{symbol}`")]
    SymbolNotFound {
        /// What was asked for.
        symbol: String,
        /// What may be meant, most likely first.
        suggestions: Vec<Candidate>,
        /// What makes older commits known, where it may have been in one of those.
        further: Option<cortex_wire::HistoryFill>,
    },
    /// Nothing was asked for.
    #[error("find a symbol: the query is empty")]
    EmptySymbol,
    /// What is called like this is left out by the filter.
    #[error("find a symbol `{symbol}` {limited_to}")]
    SymbolOutside {
        /// What was asked for.
        symbol: String,
        /// Where it was looked for.
        limited_to: LimitedTo,
        /// How many symbols of other parts of the repository are called so.
        n: usize,
    },
    /// There is no kind of symbols of this name.
    #[error("search for symbols: unknown kind `{kind}`")]
    UnknownKind {
        /// What was asked for.
        kind: String,
        /// The kinds that there are.
        known: Vec<&'static str>,
    },
    /// The time was over before there was anything to tell.
    #[error("{doing} within the time limit")]
    TimedOut {
        /// What was being done.
        doing: &'static str,
    },
    /// Several symbols are called like this.
    #[error("resolve `{symbol}`: {} symbols match", candidates.len())]
    AmbiguousSymbol {
        /// What was asked for.
        symbol: String,
        /// All that it may mean, most likely first.
        candidates: Vec<Candidate>,
    },
    /// The query of a search means nothing.
    #[error("read the query")]
    Pattern(#[from] PatternError),
    /// The expression of a safe search means nothing.
    #[error("read the query as an expression")]
    Expression {
        /// What is wrong with it.
        #[source]
        error: PatternError,
        /// One that matches what was written.
        example: Box<SafeCall>,
    },
    /// A mask of files means nothing.
    #[error("read the file mask `{mask}`: {reason}")]
    FileMask {
        /// As written.
        mask: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A scope means nothing here.
    #[error("resolve the scope")]
    Scope(Vec<Diagnostic>),
    /// No file is called so; what may be meant is said.
    #[error("find the file: {0}")]
    NoSuchFile(String),
    /// A question would find everything.
    #[error("search for `{query}`: {reason}")]
    TooBroad {
        /// What was asked.
        query: String,
        /// What is wrong with it.
        reason: String,
        /// How to make it narrower.
        suggestion: String,
        /// Such a question.
        example: Box<SafeCall>,
    },
    /// No area is called so.
    #[error("find an area `{name}`")]
    UnknownArea {
        /// What was asked for.
        name: String,
        /// The areas that there are.
        known: Vec<String>,
        /// The same question of one of them, where a question was asked.
        example: Option<Box<SafeCall>>,
    },
    /// More files would have to be searched than may be.
    #[error("search {files_processed} files: the limit is {max_files}")]
    FileLimit {
        /// How many have words of the question.
        files_processed: usize,
        /// How many may be searched.
        max_files: usize,
        /// The same question, with as many as there are.
        example: Box<SafeCall>,
    },
    /// Writing the answer.
    #[error("write the answer")]
    Write(#[from] std::io::Error),
}

impl QueryError {
    /// Whether the store lost something that can be made again by asking once more.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Index(error) if error.is_damage())
    }
}
