//! Requests about the index itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gc_days;

/// A request to index commits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndexRequest {
    /// The commits; the work tree by default.
    #[serde(default)]
    pub revisions: Vec<String>,
    /// Instead of `revisions`, every commit of a range: `A..B`, or `B` for all that it reaches.
    #[serde(default)]
    pub history: Option<String>,
    /// Whether `history` follows only the first parent of merges.
    #[serde(default)]
    pub first_parent: bool,
    /// No more than the newest commits of `history`.
    #[serde(default)]
    pub max_count: Option<usize>,
    /// Whether to start from nothing instead of the nearest indexed commit.
    #[serde(default)]
    pub fresh: bool,
}

/// A request for what is indexed, and what was not understood.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatusRequest {
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
}

/// A request for the whole graph.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportRequest {
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
    /// The form.
    #[serde(default)]
    pub format: ExportFormat,
    /// Only types of these projects and what they depend on; not with `jsonl`.
    #[serde(default)]
    pub projects: Vec<String>,
    /// Only these dependencies; not with `jsonl`.
    #[serde(default)]
    pub edges: Option<ExportEdges>,
    /// Whether types from outside the repository are left out; not with `jsonl`.
    #[serde(default)]
    pub without_external: bool,
}

/// The form of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExportFormat {
    /// Every record, one JSON object on a line.
    #[default]
    Jsonl,
    /// The type graph for Graphviz.
    Dot,
    /// The type graph as a Mermaid flowchart.
    Mermaid,
    /// The type graph as GraphML.
    Graphml,
}

/// Which dependencies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ExportEdges {
    /// Those of signatures.
    Structural,
    /// All.
    #[default]
    All,
}

/// A request to drop what is no longer needed from the index.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GcRequest {
    /// Whether everything is dropped that can be computed again.
    #[serde(default)]
    pub all: bool,
    /// Keep what was used within this many days.
    #[serde(default = "gc_days")]
    pub days: u32,
    /// Keep no more than this; as configured by default.
    #[serde(default)]
    pub max_bytes: Option<u64>,
}

impl Default for GcRequest {
    fn default() -> Self {
        Self {
            all: Default::default(),
            days: gc_days(),
            max_bytes: Default::default(),
        }
    }
}

/// A request for the configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfigRequest {
    /// Only this key.
    #[serde(default)]
    pub key: Option<String>,
}
