//! The answers about packs.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A pack: outlines of several types in one file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackAnswer {
    /// Version of this form.
    pub schema: u32,
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: RepoPath,
    /// Which types it selects.
    pub filter: String,
    /// How many tokens it may have.
    pub budget: u64,
    /// How many it has.
    pub tokens: u64,
    /// Its types, dependencies first.
    pub types: Vec<PackedType>,
    /// The types that did not fit, the most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<PackedType>,
    /// How the file compares with what the sources say.
    pub state: PackState,
    /// The text.
    pub text: String,
    /// The difference from the committed text, where that was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// Several packs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackListAnswer {
    /// Version of this form.
    pub schema: u32,
    /// By name.
    pub packs: Vec<PackEntry>,
}

/// A pack in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackEntry {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: RepoPath,
    /// Which types it selects; empty where the file cannot be read.
    pub filter: String,
    /// How many tokens it may have.
    pub budget: u64,
    /// How the file compares with what the sources say.
    pub state: PackState,
    /// Why the file cannot be read, or the pack cannot be built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// How the file of a pack compares with what the sources say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PackState {
    /// It is what the sources say.
    Fresh,
    /// It is not.
    Stale,
    /// There is no file.
    Missing,
    /// It was written now.
    Written,
    /// It was removed now.
    Removed,
    /// It cannot be compared.
    Unreadable,
}

/// A type in a pack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackedType {
    /// Canonical name.
    pub path: String,
    /// Short id.
    pub type_id: String,
    /// Why it belongs to the pack.
    pub part: PackPart,
    /// How many tokens its outline has; 0 where it did not fit.
    pub tokens: u64,
}

/// Why a type belongs to a pack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PackPart {
    /// The filter selects it.
    Matched,
    /// What the filter selects depends on it.
    Dependency,
}
