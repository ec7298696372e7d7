//! Requests about the prompt window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to pin types into the prompt window of everyone who works on the repository, or to unpin them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PinRequest {
    /// Names, ids or places of symbols, or paths of files and folders.
    pub subjects: Vec<String>,
}

/// A request to leave types out of the prompt window until a request is about them again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DismissRequest {
    /// Names, ids or places of symbols.
    pub subjects: Vec<String>,
}

/// A request to put types into the prompt window for a while.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContextAddRequest {
    /// Names, ids or places of symbols; `pack:NAME` for a pack whose types count more.
    pub subjects: Vec<String>,
    /// For how many minutes; 30 by default.
    #[serde(default)]
    pub minutes: Option<u32>,
}

/// A request to remove what was added to the prompt window.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContextClearRequest {}

/// A request for the prompt window.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WindowRequest {
    /// How many tokens at most; as the repository records by default, 8,000 where it does not.
    #[serde(default)]
    pub budget: Option<usize>,
    /// How tokens are counted: `o200k_base` or `chars/4`.
    #[serde(default)]
    pub tokenizer: Option<String>,
    /// Whether to write it to `.context/prompt_window.md`, which git then ignores.
    #[serde(default)]
    pub write: bool,
}
