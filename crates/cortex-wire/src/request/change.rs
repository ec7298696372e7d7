//! Requests about several snapshots.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to explain a change.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DiffContextRequest {
    /// What to compare, as `git diff` takes it; the work tree against `HEAD` by default.
    #[serde(default)]
    pub revisions: Vec<String>,
    /// Whether the index is compared instead of the work tree.
    #[serde(default)]
    pub cached: bool,
    /// Only these paths, as git's pathspecs.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Only files of this scope.
    #[serde(default)]
    pub scope: Option<String>,
    /// About how many uses are listed one by one; all by default.
    #[serde(default)]
    pub uses: Option<usize>,
    /// Whether the hunks of changed files are included.
    #[serde(default)]
    pub hunks: HunksShown,
    /// How much of the code of changed members is included.
    #[serde(default)]
    pub code: CodeShown,
    /// Whether to prove which changed members mean the same: costs two bindings of each changed file.
    #[serde(default)]
    pub prove: bool,
}

/// How much of the code of changed members is included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CodeShown {
    /// None.
    None,
    /// Changed lines, the two lines around them, and the head of the member; a line `…` stands for those left out.
    Changed,
    /// Whole members.
    #[default]
    Full,
}

/// Whether the hunks of changed files are included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HunksShown {
    /// They are.
    #[default]
    All,
    /// Their lines are counted, and only the code of the most important types is included.
    Counted,
}

/// A request to compare the public API of two commits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiRequest {
    /// What to compare, as `git diff` takes it; the work tree against `HEAD` by default.
    #[serde(default)]
    pub revisions: Vec<String>,
    /// Whether the index is compared instead of the work tree.
    #[serde(default)]
    pub cached: bool,
    /// Only these assemblies; every library by default.
    #[serde(default)]
    pub assemblies: Vec<String>,
}

/// A request for what happened to a symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HistoryRequest {
    /// The type or member, by a name that it has or had.
    pub symbol: String,
    /// Commits: `A..B`, or `B` for all that it reaches; by default those of the first parents of `HEAD` that are indexed.
    #[serde(default)]
    pub range: Option<String>,
    /// Whether only the first parent of merges is followed.
    #[serde(default)]
    pub first_parent: bool,
    /// No more than the newest changes.
    #[serde(default)]
    pub max_count: Option<usize>,
    /// Which changes.
    #[serde(default)]
    pub show: HistoryShown,
    /// Whether changes of comments, white space and order are shown.
    #[serde(default)]
    pub cosmetic: Cosmetic,
}

impl HistoryRequest {
    /// A request with the defaults.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            range: Default::default(),
            first_parent: Default::default(),
            max_count: Default::default(),
            show: Default::default(),
            cosmetic: Default::default(),
        }
    }
}

/// Which changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HistoryShown {
    /// All.
    #[default]
    Changes,
    /// Additions, removals, renames, changes of signatures, bases or attributes.
    Structure,
    /// Changes of the public API.
    Api,
}

/// Whether changes of comments, white space and order are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cosmetic {
    /// They are not.
    #[default]
    Hidden,
    /// They are.
    Shown,
}

/// A request for the tests that reach a change or symbols. Without revisions and symbols: those that reach the work tree's changes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TestsRequest {
    /// A range or symbols: what looks like a range is one, unless `at` is set.
    #[serde(default)]
    pub subjects: Vec<String>,
    /// Whether `subjects` are symbols in any case, and those that do not exist are answered with an error each.
    #[serde(default)]
    pub symbols: bool,
    /// The revision to look for symbols in; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
    /// No more than the nearest tests; all by default.
    #[serde(default)]
    pub limit: Option<usize>,
    /// For how many tests the path to the subject is included; all that are listed by default.
    #[serde(default)]
    pub paths: Option<usize>,
}
