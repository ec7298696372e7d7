//! Names of symbols in files that are not C#.

use std::collections::BTreeMap;

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Certainty, FileLanguage, is_zero};

/// Where the name of a symbol stands in files that are not C#: in SQL, Razor, XAML, configuration and project files.
/// A name there may refer to the symbol, or to something else of the same name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mentions {
    /// How many there are in all.
    pub total: usize,
    /// How many files contain them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_files: usize,
    /// How many there are in each language.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub languages: BTreeMap<FileLanguage, usize>,
    /// The mentions by file and position, where the request lists them; no more than the limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<Mention>,
    /// Files in other formats, which were not searched, where no use was found; the most frequent formats first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_searched: Vec<UnsearchedFiles>,
}

/// A place outside of C# that has the name of a symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mention {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column, in UTF-16 units.
    pub column: u32,
    /// What the file is written in.
    pub language: FileLanguage,
    /// How sure it is that the name refers to the symbol: always `possible`.
    pub certainty: Certainty,
    /// The line's text, trimmed.
    pub text: String,
}

/// Files of a format that is not searched for mentions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnsearchedFiles {
    /// The extension, in lower case; empty for files without one.
    pub extension: String,
    /// How many files have it.
    pub n_files: usize,
}
