//! The answer of `search files`.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::FileMatch;

/// The answer of `search files`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilesAnswer {
    /// What was looked for.
    pub query: String,
    /// The best first, then by path; no more than asked for.
    pub items: Vec<FileItem>,
    /// How many were found.
    pub total: usize,
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
