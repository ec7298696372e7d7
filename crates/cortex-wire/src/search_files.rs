//! The answer of `search files`.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FileMatch, Filter};

/// The answer of `search files`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilesAnswer {
    /// What was looked for.
    pub query: String,
    /// Where that was, where that is not everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limited_to: Option<Filter>,
    /// The best first, then by path; no more than asked for.
    pub items: Vec<FileItem>,
    /// How many were found.
    pub total: usize,
    /// Whether there are more than told.
    pub probably_has_more: bool,
    /// What went otherwise than expected.
    pub diagnostics: Vec<String>,
}

/// A file that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileItem {
    /// The file.
    pub file: RepoPath,
    /// Why.
    pub matched: FileMatch,
}
