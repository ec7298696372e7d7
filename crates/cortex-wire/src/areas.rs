//! The answer of `areas`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of `areas`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AreasAnswer {
    /// By root, then language.
    pub areas: Vec<CodeArea>,
    /// What went otherwise than expected.
    pub diagnostics: Vec<String>,
}

/// A part of a repository in one language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeArea {
    /// Unique: the root and the language, `frontend-typescript`, or as configured.
    pub name: String,
    /// The language.
    pub language: String,
    /// The folder, without a trailing `/`; empty for the whole repository.
    pub root: String,
    /// How sure that is.
    pub confidence: AreaConfidence,
    /// What says so, in the order of what it weighs.
    pub evidence: Vec<String>,
    /// The files of the area.
    pub suggested_globs: Vec<String>,
    /// Files that are in its folders and not of it.
    pub exclude_globs: Vec<String>,
}

/// How sure an area is.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
pub enum AreaConfidence {
    /// A sample, or a file that several languages use.
    Low,
    /// A sample that says nearly one thing.
    Medium,
    /// A sentinel file, or the configuration.
    High,
}
