//! Errors as they travel: one list of codes, each with its class.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Next;

/// Why a request has no answer.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
pub enum ErrorCode {
    /// No symbol has this name.
    SymbolNotFound,
    /// Several symbols have this name.
    AmbiguousSymbol,
    /// No file has this path.
    FileNotFound,
    /// There is no git repository here.
    NotARepository,
    /// The system denies access to a file.
    AccessDenied,
    /// Another process is using the index.
    Busy,
    /// The request is malformed.
    InvalidRequest,
    /// The query of a search means nothing.
    InvalidQuery,
    /// A filter names what does not exist, or is malformed.
    InvalidFilter,
    /// A scope is malformed or names what does not exist.
    InvalidScope,
    /// A pattern is malformed.
    InvalidPattern,
    /// A revision or a range names nothing.
    InvalidRange,
    /// The configuration has no such key.
    UnknownKey,
    /// The repository has no area of this name.
    UnknownArea,
    /// The query would match nearly everything.
    QueryTooBroad,
    /// The time ran out.
    Timeout,
    /// The caller canceled the request.
    Canceled,
    /// The state of the repository or index does not allow it.
    Conflict,
    /// A change was not reviewed.
    NotReviewed,
    /// A limit of space, size or number is exceeded.
    LimitExceeded,
    /// The repository or the index is damaged, or uses something unsupported.
    Damaged,
    /// A fault of this program, or an unexpected failure of the system.
    InternalError,
}

/// What kind of failure an error is, which decides the exit status of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorClass {
    /// The answer is no.
    No,
    /// The request is wrong.
    Usage,
    /// Files, time or rights do not suffice.
    Environment,
    /// The caller ended it.
    Interrupted,
    /// A fault of this program.
    Internal,
}

impl ErrorCode {
    /// All codes.
    pub const ALL: [Self; 22] = [
        Self::SymbolNotFound,
        Self::AmbiguousSymbol,
        Self::FileNotFound,
        Self::NotARepository,
        Self::AccessDenied,
        Self::Busy,
        Self::InvalidRequest,
        Self::InvalidQuery,
        Self::InvalidFilter,
        Self::InvalidScope,
        Self::InvalidPattern,
        Self::InvalidRange,
        Self::UnknownKey,
        Self::UnknownArea,
        Self::QueryTooBroad,
        Self::Timeout,
        Self::Canceled,
        Self::Conflict,
        Self::NotReviewed,
        Self::LimitExceeded,
        Self::Damaged,
        Self::InternalError,
    ];

    /// Its class.
    pub fn class(self) -> ErrorClass {
        match self {
            Self::SymbolNotFound | Self::NotReviewed => ErrorClass::No,
            Self::AmbiguousSymbol
            | Self::FileNotFound
            | Self::InvalidRequest
            | Self::InvalidQuery
            | Self::InvalidFilter
            | Self::InvalidScope
            | Self::InvalidPattern
            | Self::InvalidRange
            | Self::UnknownKey
            | Self::UnknownArea
            | Self::QueryTooBroad => ErrorClass::Usage,
            Self::NotARepository
            | Self::AccessDenied
            | Self::Busy
            | Self::Timeout
            | Self::Conflict
            | Self::LimitExceeded
            | Self::Damaged => ErrorClass::Environment,
            Self::Canceled => ErrorClass::Interrupted,
            Self::InternalError => ErrorClass::Internal,
        }
    }
}

impl ErrorClass {
    /// The exit status of a command that fails so.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::No => 1,
            Self::Usage => 2,
            Self::Environment => 3,
            Self::Interrupted => 130,
            Self::Internal => 70,
        }
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The one shape of errors: `{"error": {"code", "message", …}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ErrorEnvelope {
    /// The error.
    pub error: WireError,
}

/// Why a request has no answer, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WireError {
    /// For programs.
    pub code: ErrorCode,
    /// For people: what failed, with its causes behind colons.
    pub message: String,
    /// The causes alone, the nearest first; the message ends with them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    /// What may have been intended, the most likely first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Candidate>,
    /// What an ambiguous name can mean, the most likely first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// The names that exist, where the request has one that does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
    /// Where a text is malformed, in characters from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    /// What is wrong with a scope.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<ScopeProblem>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
    /// Requests that lead further.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Next>,
    /// How far a search that exceeds its limit would have to go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// What to name when reporting a fault of this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
}

impl WireError {
    /// An error without any help.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            causes: Vec::new(),
            suggestions: Vec::new(),
            candidates: Vec::new(),
            known: Vec::new(),
            position: None,
            diagnostics: Vec::new(),
            hint: None,
            next: Vec::new(),
            progress: None,
            trace_id: None,
        }
    }

    /// The same error with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: Hint) -> Self {
        self.hint = Some(hint);
        self
    }

    /// The same error with its causes, which are added to the message.
    #[must_use]
    pub fn with_causes(mut self, causes: Vec<String>) -> Self {
        for cause in &causes {
            self.message.push_str(": ");
            self.message.push_str(cause);
        }
        self.causes = causes;
        self
    }

    /// The message without its causes.
    pub fn headline(&self) -> &str {
        let n_bytes: usize = self.causes.iter().map(|cause| cause.len() + 2).sum();
        let end = self.message.len().saturating_sub(n_bytes);
        self.message.get(..end).unwrap_or(&self.message)
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for WireError {}

/// A symbol that an error names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// Its canonical name, or its signature where names are equal.
    pub path: String,
    /// `class`, `method`, …
    pub kind: String,
    /// An id that means it alone.
    pub id: String,
}

/// How far a search would have to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// How much was done, or would have to be.
    pub done: u64,
    /// How much is allowed.
    pub limit: u64,
}

/// One thing to say about a scope.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeProblem {
    /// `ERROR` or `WARNING`.
    pub severity: String,
    /// For programs, such as `MISSING_CONTEXT`.
    pub code: String,
    /// The position of the token from 0; absent where it concerns no token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_index: Option<usize>,
    /// The id of the atom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atom_id: Option<String>,
    /// For people: a lower-case fragment.
    pub message: String,
}

impl fmt::Display for ScopeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.token_index {
            write!(f, "token {index}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// What to do about an error. Each face of the product words it in its own way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum Hint {
    /// Run in a repository, or name one.
    NameRepository,
    /// Do what a text says, which names nothing of one face alone.
    Text {
        /// A lower-case fragment.
        text: String,
    },
    /// List the projects.
    ListProjects,
    /// List the configuration's keys.
    ListKeys,
    /// Choose one of the names in `known`.
    ChooseKnown,
    /// Write a symbol's name or a place.
    WriteSymbol,
    /// Write more of the name, or an id.
    WriteMoreOfName,
    /// Leave the filter out: so many symbols outside it have the name.
    LeaveOutFilter {
        /// How many symbols.
        symbols: usize,
    },
    /// Allow more time; what was indexed is kept.
    AllowMoreTime,
    /// Search for the text as it is written.
    SearchPlain,
    /// Write globs of names or paths.
    WriteGlobs,
    /// Ask a narrower question, as `next` shows.
    AskNarrower {
        /// How, as a lower-case fragment.
        text: String,
    },
    /// See which scopes exist, and how scopes are written.
    ListScopes,
    /// Quote a name.
    QuoteName {
        /// The name, quoted.
        quoted: String,
    },
    /// Supply what an editor would: open files, the current file, a selection.
    SupplyContext,
    /// Write a pattern as the IDE does.
    WritePattern,
    /// Write the file as the .NET SDK does: `<Suppressions>` with `<Suppression>` elements.
    WriteSuppressions,
    /// Start over with an empty index.
    StartOver,
    /// Try again, or wait longer for the other process.
    WaitForIndex,
    /// Free space on the disk; what was indexed is kept.
    FreeSpace,
    /// It may be in older commits, which a shallow clone does not have: fetch them.
    Unshallow,
    /// Fetch an object, or all objects: nothing is fetched into a partial clone by itself.
    FetchObject {
        /// The id of the object.
        object: String,
    },
    /// Check the repository for damage.
    CheckRepository,
    /// Store references as files.
    ConvertReferences,
    /// Compare the index with one revision, or compare without the index.
    OneRevision,
    /// Update this program, or keep a separate index.
    UpdateProgram,
}
