//! The answer of `search safe`.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CodeArea, LimitedBy, ReadAs, TextHit};

/// The answer of `search safe`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SafeAnswer {
    /// What was asked.
    pub query: String,
    /// How it was read.
    pub read_as: ReadAs,
    /// The terms that were looked for.
    pub terms: Vec<String>,
    /// The areas of the repository.
    pub detected_areas: Vec<CodeArea>,
    /// The area that is clearly ahead, and gets most of the budget.
    pub routed_to: Option<String>,
    /// The areas that were searched, the best first.
    pub applied_areas: Vec<AppliedArea>,
    /// The globs of these.
    pub applied_patterns: Vec<String>,
    /// How much of what could answer was looked at.
    pub coverage: Coverage,
    /// The files that answer, the best first.
    pub files: Vec<SafeFile>,
    /// How many more files have hits.
    pub more_files: usize,
    /// How many hits there are in the files that were searched.
    #[serde(rename = "total")]
    pub total_results: usize,
    /// What to ask next.
    pub next_steps: Vec<SafeStep>,
    /// What went otherwise than expected.
    pub diagnostics: Vec<String>,
}

/// An area that was searched.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedArea {
    /// Its name; `other` stands for the files of no area.
    pub name: String,
    /// How well it fits the question.
    pub score: f64,
    /// How many files might answer.
    pub candidate_files: usize,
    /// How many of them could be searched.
    pub budget_files: usize,
    /// How many were.
    pub scanned_files: usize,
    /// How many hits were found.
    pub found_matches: usize,
}

/// How much was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// The files of the areas.
    pub files: usize,
    /// Those that might answer, by what is known of their words.
    pub candidate_files: usize,
    /// Those that were searched.
    pub scanned_files: usize,
    /// `files` or `time` where a limit left something out.
    pub limited_by: Option<LimitedBy>,
}

/// A file that answers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SafeFile {
    /// The file.
    pub file: RepoPath,
    /// Its area.
    pub area: String,
    /// How well it fits.
    pub score: f64,
    /// How many hits it has.
    #[serde(rename = "total")]
    pub n_hits: usize,
    /// The best lines, by place.
    pub hits: Vec<TextHit>,
}

/// A call of `search safe` that is worth making.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SafeCall {
    /// What to look for.
    pub query: String,
    /// Whether that is an expression.
    pub is_expression: bool,
    /// Where, where one area is worth naming.
    pub area: Option<String>,
    /// How many files to search, where the usual number is too few.
    pub max_files: Option<usize>,
}

/// What to ask after a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum SafeStep {
    /// Most hits are in one folder.
    NarrowToFolder {
        /// The folder.
        folder: String,
        /// How many hits it has.
        hits: usize,
        /// How many hits there are in all.
        total: usize,
    },
    /// The time limit was reached.
    MoreTime,
    /// Files that contain words of the question were not searched.
    MoreFiles {
        /// How many.
        left: usize,
        /// Whether a broader mode searches more of them; else only a larger limit does.
        is_broader: bool,
    },
    /// There are no files to search.
    NoFiles,
    /// The area has no files.
    EmptyArea {
        /// The area.
        area: String,
    },
    /// No line of the area matches.
    OtherAreas {
        /// The area.
        area: String,
    },
    /// No file contains any of the words.
    OtherWords,
    /// No line contains the words.
    PartOfWord,
}
