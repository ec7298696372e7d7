//! Suggested requests, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request that leads further. Each face of the product words it in its own way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Next {
    /// The name of the operation.
    pub operation: String,
    /// Its request.
    pub request: Value,
    /// What it is good for.
    pub reason: Reason,
}

/// What a suggested request is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It answers with more items.
    MoreItems,
    /// It has no filter, and would find something.
    WithoutFilter,
    /// It covers overrides and implementations as well.
    WithOverrides,
    /// It indexes older commits, which may have what was not found.
    OlderCommits,
    /// It asks a narrower question.
    Narrower,
    /// It searches for the text as it is written.
    AsPlainText,
    /// It lists what can be named.
    ListNames,
}
