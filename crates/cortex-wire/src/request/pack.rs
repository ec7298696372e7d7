//! Requests about packs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to build a pack and to write its file, or to rebuild one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PackBuildRequest {
    /// Its name.
    pub name: String,
    /// Which types; as its file records by default.
    #[serde(default)]
    pub filter: Option<String>,
    /// How many tokens at most; as its file records by default, 8,000 at first.
    #[serde(default)]
    pub budget: Option<usize>,
    /// How tokens are counted: `o200k_base` or `chars/4`.
    #[serde(default)]
    pub tokenizer: Option<String>,
    /// Whether the direct public dependencies of what the filter selects belong to it; so by default.
    #[serde(default)]
    pub dependencies: Option<bool>,
    /// Whether to answer with the pack and to write nothing.
    #[serde(default)]
    pub dry_run: bool,
}

/// A request to list the packs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PackListRequest {
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
}

/// A request to show a pack, and how it differs from what the sources say.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PackShowRequest {
    /// Its name.
    pub name: String,
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
}

/// A request to remove the file of a pack.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PackRemoveRequest {
    /// Its name.
    pub name: String,
}
