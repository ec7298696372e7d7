//! The answer of `source`.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Subject;

/// The answer of `source`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceAnswer {
    /// What it is about.
    pub subject: Subject,
    /// Its declarations, by path, then line.
    pub parts: Vec<SourcePart>,
}

/// The lines of one declaration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourcePart {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line of the first line of the text.
    pub line: u32,
    /// That of its last line.
    pub end_line: u32,
    /// The line where the declaration itself starts, its documentation counted: later than `line` by the lines of
    /// context.
    pub first: u32,
    /// The line where it ends.
    pub last: u32,
    /// Whole lines, without the break after the last.
    pub text: String,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}
