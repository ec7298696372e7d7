//! Requests about scopes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request for the scopes that exist.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeListRequest {
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
}

/// A request to check a pattern.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeValidateRequest {
    /// The pattern.
    pub pattern: String,
}

impl ScopeValidateRequest {
    /// A request with the defaults.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self {
            pattern: pattern.into(),
        }
    }
}

/// A request to check a scope without looking at any file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeDescribeRequest {
    /// The scope: an expression, or a program as JSON.
    pub scope: String,
}

impl ScopeDescribeRequest {
    /// A request with the defaults.
    pub fn new(scope: impl Into<String>) -> Self {
        Self {
            scope: scope.into(),
        }
    }
}

/// A request to find everything that a scope names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeResolveRequest {
    /// The scope: an expression, or a program as JSON.
    pub scope: String,
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
    /// What happens where a name means nothing here; what the program says by default.
    #[serde(default)]
    pub missing: Option<MissingNames>,
    /// The open files.
    #[serde(default)]
    pub open: Vec<String>,
    /// The current file.
    #[serde(default)]
    pub current: Option<String>,
    /// The selection.
    #[serde(default)]
    pub selection: Vec<LineRange>,
}

impl ScopeResolveRequest {
    /// A request with the defaults.
    pub fn new(scope: impl Into<String>) -> Self {
        Self {
            scope: scope.into(),
            at: Default::default(),
            missing: Default::default(),
            open: Default::default(),
            current: Default::default(),
            selection: Default::default(),
        }
    }
}

/// A request for the files of a scope.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScopeFilesRequest {
    /// The scope: an expression, or a program as JSON.
    pub scope: String,
    /// The revision to look at; the work tree by default.
    #[serde(default)]
    pub at: Option<String>,
    /// What happens where a name means nothing here; what the program says by default.
    #[serde(default)]
    pub missing: Option<MissingNames>,
    /// The open files.
    #[serde(default)]
    pub open: Vec<String>,
    /// The current file.
    #[serde(default)]
    pub current: Option<String>,
    /// The selection.
    #[serde(default)]
    pub selection: Vec<LineRange>,
    /// Only whether it covers any of this file.
    #[serde(default)]
    pub contains: Option<String>,
    /// Leave out the first files.
    #[serde(default)]
    pub offset: usize,
    /// No more than this many files; all by default.
    #[serde(default)]
    pub limit: Option<usize>,
}

impl ScopeFilesRequest {
    /// A request with the defaults.
    pub fn new(scope: impl Into<String>) -> Self {
        Self {
            scope: scope.into(),
            at: Default::default(),
            missing: Default::default(),
            open: Default::default(),
            current: Default::default(),
            selection: Default::default(),
            contains: Default::default(),
            offset: Default::default(),
            limit: Default::default(),
        }
    }
}

/// What happens where a name means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MissingNames {
    /// The scope fails.
    #[default]
    Fail,
    /// It has no files.
    Empty,
    /// It is left out, with the operator before it.
    Skip,
}

/// Lines of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LineRange {
    /// Its path.
    pub path: String,
    /// The first line, from 1.
    pub first: u32,
    /// The last line, included.
    pub last: u32,
}

impl LineRange {
    /// A request with the defaults.
    pub fn new(path: impl Into<String>, first: u32, last: u32) -> Self {
        Self {
            path: path.into(),
            first,
            last,
        }
    }
}
