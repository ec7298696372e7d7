//! The answer of `search symbols`.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::SymbolKind;

/// The answer of `search symbols`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchAnswer {
    /// What was looked for.
    pub query: String,
    /// The best first; no more than asked for.
    pub items: Vec<SymbolItem>,
    /// How many were found.
    pub total: usize,
    /// What went otherwise than expected.
    pub diagnostics: Vec<String>,
    /// The nearest names, where nothing was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Suggestion>,
}

/// A symbol that is called nearly as was asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// Its canonical name.
    #[serde(rename = "path")]
    pub qualified_name: String,
    /// `class`, `method`, …
    pub kind: SymbolKind,
    /// An id that means it alone.
    pub id: String,
}

/// A symbol that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SymbolItem {
    /// Its simple name.
    pub name: String,
    /// Its canonical name, parameters left out.
    #[serde(rename = "path")]
    pub qualified_name: String,
    /// `class`, `method`, …
    pub kind: SymbolKind,
    /// `C#`.
    pub language: String,
    /// Where it is declared; left out for one from outside of the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<RepoPath>,
    /// The 1-based line of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The 1-based column of its name, in UTF-16 units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// How well it fits, 100 at most.
    pub score: u32,
    /// The type or namespace around it.
    pub container: String,
    /// Documentation id, where it is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<String>,
    /// The assembly of one from outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assembly: Option<String>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}
