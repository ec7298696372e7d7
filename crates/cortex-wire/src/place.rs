//! Places in files, and how certain it is what they mean.

use cortex_model::{BlobId, ByteRange, RepoPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Role;

/// Where something is declared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Where {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
    /// The project that compiles it.
    pub project: RepoPath,
}

/// A place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column, in UTF-16 units.
    pub column: u32,
    /// The line's text, trimmed.
    pub text: String,
}

/// How certain it is that a place means a symbol, or that something happens.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Certainty {
    /// Bound by the rules of the language.
    #[default]
    Exact,
    /// One of several overloads; which one is not certain.
    OverloadSet,
    /// It may be so when the program runs.
    Possible,
    /// It has the name; what it means is not known.
    NameOnly,
}

impl Certainty {
    /// Whether it is certain.
    pub fn is_exact(&self) -> bool {
        *self == Self::Exact
    }
}

/// A place that uses a symbol, as whoever changes files needs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The file.
    pub file: RepoPath,
    /// Its content.
    pub blob: BlobId,
    /// The bytes of the name, or of the token that stands for a use without one, in the file as it is stored:
    /// whatever its encoding, and a byte order mark counted.
    pub range: ByteRange,
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column, in UTF-16 units.
    pub column: u32,
    /// What the place does.
    pub role: Role,
    /// How sure it is that the place means the symbol.
    pub certainty: Certainty,
}
