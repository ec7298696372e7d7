//! The answer of `history`, uncut: what every rendering is made from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ApiChange, Parents, SymbolRef, TypeChange};

/// What happened to a symbol over time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SymbolHistory {
    /// The symbol as asked for.
    pub asked: String,
    /// The symbol as it is on the newest side, or was when it was last there.
    pub symbol: SymbolRef,
    /// What it was called where the question found it, if that is not what it is called now.
    pub redirected_from: Option<String>,
    /// Whether nothing is called as asked for, and this is merely the nearest name.
    pub is_guess: bool,
    /// Whether it exists on the newest side.
    pub exists: bool,
    /// Whether it existed before the oldest commit that was looked at; `None` where the walk ended early, at the
    /// wanted number of entries.
    pub existed_before: Option<bool>,
    /// How far its inside changed since the last change that shows outside; `None` where the walk ended before that.
    pub drift: Option<Drift>,
    /// The commits that were looked at.
    pub range: HistoryRange,
    /// Where the commits that could be looked at end, though history goes on.
    pub gap: Option<HistoryGap>,
    /// Its changes, newest first.
    pub entries: Vec<HistoryEntry>,
}

/// Commits that were looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryRange {
    /// The range as asked for; `None` for what is indexed of `HEAD`'s history.
    pub spec: Option<String>,
    /// The parents of merges that were followed.
    pub parents: Parents,
    /// The newest commit.
    pub newest: String,
    /// The oldest commit.
    pub oldest: String,
    /// How many there are.
    pub n_commits: usize,
}

/// Where what can be looked at ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryGap {
    /// The newest commit that could not be looked at; `None` where the repository does not have it.
    pub commit: Option<String>,
    /// What fills the gap.
    pub fill: HistoryFill,
}

/// How older commits become part of a history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum HistoryFill {
    /// Git fetches the rest of a shallow clone.
    Unshallow,
    /// The commits between two are indexed.
    IndexRange {
        /// The older commit, which is indexed already.
        from: String,
        /// The newest commit to index.
        to: String,
    },
    /// A commit and those before it are indexed.
    IndexCommits {
        /// The newest commit to index.
        newest: String,
        /// How many commits.
        count: usize,
    },
}

/// One commit that changed the symbol.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// The commit.
    pub commit: HistoryCommit,
    /// What happened, as `diff-context` tells it, without code. For members: their type with these members alone,
    /// and the class of what happened to them. `unchanged` for a mere move to another file.
    pub change: TypeChange,
    /// What became of a type that is gone, where it was renamed.
    pub renamed_to: Option<String>,
    /// Its changes of the public API, worst first.
    pub api: Vec<ApiChange>,
    /// What else there is to say, in words: that it was made obsolete, or how sure this is.
    pub notes: Vec<String>,
}

/// A commit in a history.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryCommit {
    /// Its id.
    pub id: String,
    /// When it was committed, as `2026-01-02T03:04:05Z`.
    pub date: String,
    /// Its author's name.
    pub author: String,
    /// The first line of its message.
    pub subject: String,
    /// Whether it has several parents.
    pub is_merge: bool,
}

/// Internal changes since the last change that shows outside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    /// How many there are.
    pub n_changes: usize,
    /// How many seconds before the newest commit the first of them was committed; 0 where there is none.
    pub seconds: i64,
    /// The commit of the last change of structure or public behavior; `None` where that is older than the commits
    /// that were looked at.
    pub since: Option<String>,
    /// Whether a description made at that change is out of date: there are five changes, or one that is a day old.
    pub is_over: bool,
}
