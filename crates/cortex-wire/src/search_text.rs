//! The answer of `search text`.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TextContext;

/// The answer of `search text`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextAnswer {
    /// What was looked for.
    pub query: String,
    /// The files with hits, by path.
    pub files: Vec<TextHits>,
    /// How many hits these have.
    #[serde(rename = "total")]
    pub n_hits: usize,
    /// How many files there were to search.
    pub n_files: usize,
    /// How many of them were read: those that can have the query by what is known of their words.
    pub n_read: usize,
    /// What went otherwise than expected.
    pub diagnostics: Vec<String>,
}

/// The hits of one file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextHits {
    /// The file.
    pub file: RepoPath,
    /// By place.
    pub hits: Vec<TextHit>,
    /// Lines around them, by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub around: Vec<ContextText>,
}

/// One hit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextHit {
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column in UTF-16 units.
    pub column: u32,
    /// The length in UTF-16 units.
    pub length: u32,
    /// The line, 500 characters of it.
    pub text: String,
    /// The column of the first character of `text`, where the line is cut before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_column: Option<u32>,
    /// Whether the line goes on behind `text`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// The namespace around it, in C#.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// The declaration around it, in C#: `Type.Member`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// `code`, `comment` or `string`, in C#.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<TextContext>,
}

/// A line around a hit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextText {
    /// The 1-based line.
    pub line: u32,
    /// The line, 500 characters of it.
    pub text: String,
    /// Whether the line goes on behind `text`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}
