//! Answers about scopes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The scopes that exist.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeListAnswer {
    /// Predefined scopes, providers, named scopes, modules with their flavors.
    pub items: Vec<ScopeListItem>,
    /// Named scopes that mean nothing, and why.
    #[serde(default)]
    pub diagnostics: Vec<String>,
}

/// A scope that exists.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeListItem {
    /// Its stable name.
    pub scope_ref_id: String,
    /// What people call it.
    pub display_name: String,
    /// The kind of atom that means it, such as `MODULE`.
    pub kind: String,
    /// `GLOBAL`, `LOCAL` or `MIXED`.
    pub scope_shape: String,
    /// The IDE's name for it, the same in every language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serialization_id: Option<String>,
    /// Whether something must be added before it means anything.
    pub requires_user_input: bool,
    /// Whether it means something else at another time.
    pub unstable: bool,
    /// Why it means nothing here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
}

/// A pattern that is valid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeValidateAnswer {
    /// Always `true`: a pattern that is not valid is an error.
    pub valid: bool,
    /// As the IDE writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalized: Option<String>,
    /// Its stable name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_ref_id: Option<String>,
}

/// A scope that is well formed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeDescribeAnswer {
    /// The program, in the form that travels (`docs/scopes.md`).
    pub descriptor: Value,
}

/// What a scope is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeResolveAnswer {
    /// The program, in the form that travels (`docs/scopes.md`).
    pub descriptor: Value,
    /// How many files it has.
    pub total: usize,
}

/// The files of a scope.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeFilesAnswer {
    /// The program, in the form that travels (`docs/scopes.md`).
    pub descriptor: Value,
    /// How many files it has.
    pub total: usize,
    /// Whether it covers any of the file that was asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contains: Option<bool>,
    /// How many files were left out before the first.
    #[serde(default)]
    pub offset: usize,
    /// The files, by path.
    pub files: Vec<ScopeFile>,
}

/// A file of a scope.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeFile {
    /// Its URL.
    pub url: String,
    /// Its path in the repository; absent for a file from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The ranges that belong to the scope; absent where the whole file does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranges: Option<Vec<ScopeRange>>,
}

/// A range of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScopeRange {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
    /// The first line, from 1.
    pub first_line: u32,
    /// The last line, included.
    pub last_line: u32,
}
