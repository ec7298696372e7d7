//! Requests about edits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to plan a rename.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditRenameRequest {
    /// The symbol: a type or member as every other question names it; a parameter, local, type parameter, label or
    /// alias by the place of its name, as `path/File.cs:LINE:COLUMN`.
    pub symbol: String,
    /// Its new name.
    pub to: String,
    /// Whether a file called like a type keeps its name.
    #[serde(default)]
    pub keep_file: bool,
}

/// A request to list operations.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpsListRequest {}

/// A request about one operation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpRequest {
    /// Its id, or the beginning of it.
    pub op: String,
}

/// A request to write the files of an operation.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyRequest {
    /// Its id, or the beginning of it.
    pub op: String,
    /// Whether to apply it although it is not proven to keep what the code means.
    #[serde(default)]
    pub allow_unproven: bool,
}
