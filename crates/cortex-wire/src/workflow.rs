//! Workflows of GitHub that run because of what changed.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A workflow that runs for some paths only, changed files among them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowRun {
    /// The file that defines it.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The events on which it runs for these files: `push`, `pull_request`, `pull_request_target`.
    pub events: Vec<String>,
    /// How many changed files the patterns of the first of these events match.
    pub n_files: usize,
    /// Those patterns, in their order.
    pub patterns: Vec<MatchedPattern>,
}

/// A pattern of paths that changed files match.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchedPattern {
    /// As the workflow writes it.
    pub pattern: String,
    /// Its 1-based line.
    pub line: u32,
    /// How many changed files it decides about: it is the last one that matches them.
    pub n_files: usize,
}
