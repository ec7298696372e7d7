//! The answer of `resolve`.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Subject;

/// The answer of `resolve`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolveAnswer {
    /// What it is about.
    pub subject: Subject,
    /// Its canonical signature; of overloads each, in their order.
    pub signatures: Vec<String>,
    /// The same as C# declares them, without what is around them.
    pub declared: Vec<String>,
    /// The assembly that it is compiled into.
    pub assembly: String,
    /// The project that compiles it.
    pub project: RepoPath,
    /// Where it is declared, by path and line.
    pub declarations: Vec<Declaration>,
}

/// A place where a symbol is declared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Declaration {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line of its name.
    pub line: u32,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}
