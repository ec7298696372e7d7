//! Requests of searches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{hits, items, lines, safe_files};
use crate::{Filter, TestScope};

/// A request for types and members by parts of their names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchSymbolsRequest {
    /// Parts of a name.
    pub query: String,
    /// Only these kinds: `type`, `member`, `class`, `method`, ….
    #[serde(default)]
    pub kinds: Vec<String>,
    /// Whether types from outside the repository count.
    #[serde(default)]
    pub external: bool,
    /// Whether items have documentation ids.
    #[serde(default)]
    pub doc_ids: bool,
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
    /// Which part of the repository the answer may cover.
    #[serde(default)]
    pub filter: Filter,
    /// No more than this many items.
    #[serde(default = "items")]
    pub limit: usize,
}

impl SearchSymbolsRequest {
    /// A request with the defaults.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            kinds: Default::default(),
            external: Default::default(),
            doc_ids: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for lines that have a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchTextRequest {
    /// What to search for.
    pub query: String,
    /// What `query` is.
    #[serde(default)]
    pub mode: TextSearchMode,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    pub ignore_case: bool,
    /// Only files of these globs, of names or paths; with `!` all but them.
    #[serde(default)]
    pub masks: Vec<String>,
    /// How many lines before and after each hit.
    #[serde(default)]
    pub context: usize,
    /// Only in these parts of C# files.
    #[serde(default)]
    pub within: TextSearchPart,
    /// Only this scope.
    #[serde(default)]
    pub scope: Option<String>,
    /// Only files of these projects, each by its path or assembly; a file that no project compiles belongs to the
    /// nearest project above it.
    #[serde(default)]
    pub projects: Vec<String>,
    /// Only these paths: git's pathspecs.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Whether files of test projects count.
    #[serde(default)]
    pub tests: TestScope,
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
    /// No more than this many hits.
    #[serde(default = "hits")]
    pub limit: usize,
}

impl SearchTextRequest {
    /// A request with the defaults.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            mode: Default::default(),
            ignore_case: Default::default(),
            masks: Default::default(),
            context: Default::default(),
            within: Default::default(),
            scope: Default::default(),
            projects: Default::default(),
            paths: Default::default(),
            tests: Default::default(),
            at: Default::default(),
            limit: hits(),
        }
    }
}

/// What a query is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TextSearchMode {
    /// The text itself.
    #[default]
    Plain,
    /// A regular expression.
    Regex,
    /// The text as a whole word.
    Word,
    /// A whole identifier.
    Identifier,
}

/// Parts of C# files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TextSearchPart {
    /// All.
    #[default]
    Any,
    /// Neither comments nor strings.
    Code,
    /// Comments and documentation.
    Comments,
    /// String and character literals.
    Strings,
}

/// A request for files by parts of their names or paths.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchFilesRequest {
    /// A part of a name, its humps, or a glob.
    pub query: String,
    /// Only this scope.
    #[serde(default)]
    pub scope: Option<String>,
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
    /// No more than this many items.
    #[serde(default = "items")]
    pub limit: usize,
}

impl SearchFilesRequest {
    /// A request with the defaults.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            scope: Default::default(),
            at: Default::default(),
            limit: items(),
        }
    }
}

/// A request for what a question is about, in few files and lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchSafeRequest {
    /// An identifier, words of a question, or an expression.
    pub query: String,
    /// Whether `query` is a regular expression.
    #[serde(default)]
    pub regex: bool,
    /// Only this area.
    #[serde(default)]
    pub area: Option<String>,
    /// Areas instead of those that are detected.
    #[serde(default)]
    pub include_areas: Vec<AreaRequest>,
    /// How many files of each area to search.
    #[serde(default)]
    pub mode: SafeSearchMode,
    /// Search no more than this many files, from 1 to 1000; by `mode` by default.
    #[serde(default)]
    pub max_files: Option<usize>,
    /// Whether it fails where more files have the words than may be searched.
    #[serde(default)]
    pub strict: bool,
    /// List no more than this many files.
    #[serde(default = "safe_files")]
    pub files: usize,
    /// List no more than this many lines of each file.
    #[serde(default = "lines")]
    pub lines: usize,
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
}

impl SearchSafeRequest {
    /// A request with the defaults.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            regex: Default::default(),
            area: Default::default(),
            include_areas: Default::default(),
            mode: Default::default(),
            max_files: Default::default(),
            strict: Default::default(),
            files: safe_files(),
            lines: lines(),
            at: Default::default(),
        }
    }
}

/// How many files of each area to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SafeSearchMode {
    /// 20.
    Conservative,
    /// 30, or 50 of a single area.
    #[default]
    Balanced,
    /// 50.
    Broad,
}

/// An area by its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AreaRequest {
    /// Its name.
    pub name: String,
    /// Its files.
    pub globs: Vec<String>,
    /// Files that do not belong to it.
    #[serde(default)]
    pub exclude: Vec<String>,
}

impl AreaRequest {
    /// A request with the defaults.
    pub fn new(name: impl Into<String>, globs: Vec<String>) -> Self {
        Self {
            name: name.into(),
            globs,
            exclude: Default::default(),
        }
    }
}

/// A request for the areas of a repository: folders with their languages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AreasRequest {
    /// Sample no more than this many files.
    #[serde(default)]
    pub sample_limit: Option<usize>,
    /// Folders to leave out, by name or path.
    #[serde(default)]
    pub exclude_dirs: Vec<String>,
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
}
