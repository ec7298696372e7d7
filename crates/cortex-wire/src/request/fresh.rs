//! Requests about committed context.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OutlineSelection;

/// A request to write outlines of types as files of the work tree.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExportContextRequest {
    /// Which types; as the repository records by default, which is all public types at first.
    #[serde(default)]
    pub selection: Option<OutlineSelection>,
    /// Whether to write what types were called in the last commits as well, to `.context/aliases.json`.
    #[serde(default)]
    pub aliases: bool,
    /// Whether to report what would be written and to write nothing.
    #[serde(default)]
    pub dry_run: bool,
}

/// A request to check whether committed context is fresh.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckRequest {
    /// The revision to check; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
    /// Whether to check what is staged.
    #[serde(default)]
    pub cached: bool,
    /// Report only what differs from this revision: problems that it has already are counted and not listed.
    #[serde(default)]
    pub base: Option<String>,
    /// How bad each rule is, as `rule=severity`; later entries win over earlier ones and over the configuration.
    #[serde(default)]
    pub policy: Vec<String>,
    /// Whether to write anew in the work tree what the sources determine.
    #[serde(default)]
    pub fix: bool,
    /// Whether to show the difference from each committed file to the fresh one.
    #[serde(default)]
    pub explain: bool,
}
