//! Places in files, and how certain it is what they mean.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
