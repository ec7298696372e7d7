//! Requests about one snapshot.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MembersShown, items, one, top};
use crate::{Filter, Role};

/// A request for what a text means, and where it is declared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResolveRequest {
    /// The type or member: a name or its end, with `*` and `?`, a documentation id, an id of an answer, or `path:LINE`.
    pub symbol: String,
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

impl ResolveRequest {
    /// A request with the defaults.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for every place that uses a type or member.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UsagesRequest {
    /// The type or member: a name or its end, with `*` and `?`, a documentation id, an id of an answer, or `path:LINE`.
    pub symbol: String,
    /// Whether uses of overridden, overriding, implemented and implementing members count.
    #[serde(default)]
    pub with_overrides: bool,
    /// Only uses in these roles: `call`, `read`, `write`, …; every role by default.
    #[serde(default)]
    pub roles: Vec<Role>,
    /// Whether to list the places outside of C# that have the symbol's name: without it they are counted.
    #[serde(default)]
    pub mentions: bool,
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

impl UsagesRequest {
    /// A request with the defaults.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            with_overrides: Default::default(),
            roles: Default::default(),
            mentions: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for the members that call a member, or that it calls.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallsRequest {
    /// The type or member: a name or its end, with `*` and `?`, a documentation id, an id of an answer, or `path:LINE`.
    pub symbol: String,
    /// How many steps to follow.
    #[serde(default = "one")]
    pub depth: u32,
    /// Whether calls of overridden, overriding, implemented and implementing members count.
    #[serde(default)]
    pub with_overrides: bool,
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

impl CallsRequest {
    /// A request with the defaults.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            depth: one(),
            with_overrides: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for what implements, derives from, overrides or is overridden by a symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RelativesRequest {
    /// The type or member: a name or its end, with `*` and `?`, a documentation id, an id of an answer, or `path:LINE`.
    pub symbol: String,
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

impl RelativesRequest {
    /// A request with the defaults.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for what a symbol, namespace, project or folder is, without its code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OutlineRequest {
    /// The symbol, or the area: `namespace:X`, `project:X` and `folder:X` are unambiguous, `.` is the repository.
    pub symbol: String,
    /// Which members.
    #[serde(default)]
    pub members: MembersShown,
    /// How deep nested types are shown.
    #[serde(default)]
    pub depth: u32,
    /// How much of the documentation.
    #[serde(default)]
    pub docs: DocsShown,
    /// Whether the code of all declarations is included.
    #[serde(default)]
    pub source: bool,
    /// How many types it depends on, and how many that use it, are named.
    #[serde(default = "top")]
    pub top: usize,
    /// Of an area, no more than this many types; `limit` by default.
    #[serde(default)]
    pub types: Option<usize>,
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

impl OutlineRequest {
    /// A request with the defaults.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            members: Default::default(),
            depth: Default::default(),
            docs: Default::default(),
            source: Default::default(),
            top: top(),
            types: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for the code of a type or member.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourceRequest {
    /// The type or member: a name or its end, with `*` and `?`, a documentation id, an id of an answer, or `path:LINE`.
    pub symbol: String,
    /// How many lines before and after.
    #[serde(default)]
    pub context: u32,
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

impl SourceRequest {
    /// A request with the defaults.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            context: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for the types to know first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MapRequest {
    /// Symbols, namespaces, projects or paths to draw the map around.
    #[serde(default)]
    pub focus: Vec<String>,
    /// Which members.
    #[serde(default)]
    pub members: MembersShown,
    /// Whether types have the first sentence of their documentation.
    #[serde(default)]
    pub docs: bool,
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

impl Default for MapRequest {
    fn default() -> Self {
        Self {
            focus: Default::default(),
            members: Default::default(),
            docs: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for what a type depends on, and what depends on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DepsRequest {
    /// The type or member: a name or its end, with `*` and `?`, a documentation id, an id of an answer, or `path:LINE`.
    pub symbol: String,
    /// Which dependencies.
    #[serde(default)]
    pub direction: DepsDirection,
    /// Instead of dependencies, one of the shortest paths to this type.
    #[serde(default)]
    pub path_to: Option<String>,
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

impl DepsRequest {
    /// A request with the defaults.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            direction: Default::default(),
            path_to: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for types, namespaces or projects that depend on each other in a circle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CyclesRequest {
    /// Only the cycle of this type.
    #[serde(default)]
    pub symbol: Option<String>,
    /// What depends on each other.
    #[serde(default)]
    pub by: CyclesBy,
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

impl Default for CyclesRequest {
    fn default() -> Self {
        Self {
            symbol: Default::default(),
            by: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// A request for types and members that nothing refers to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UnusedRequest {
    /// What to look for.
    #[serde(default)]
    pub what: UnusedWhat,
    /// Whether symbols are listed that may be used without a reference.
    #[serde(default)]
    pub all: bool,
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

impl Default for UnusedRequest {
    fn default() -> Self {
        Self {
            what: Default::default(),
            all: Default::default(),
            at: Default::default(),
            filter: Default::default(),
            limit: items(),
        }
    }
}

/// How much of the documentation is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DocsShown {
    /// None.
    None,
    /// The first sentence of each summary.
    #[default]
    First,
    /// All.
    Full,
}

/// Which dependencies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DepsDirection {
    /// Both.
    #[default]
    Both,
    /// What the type depends on.
    Out,
    /// What depends on the type.
    In,
}

/// What depends on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CyclesBy {
    /// Types.
    #[default]
    Type,
    /// Namespaces.
    Namespace,
    /// Projects.
    Project,
}

/// What to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnusedWhat {
    /// Both.
    #[default]
    All,
    /// Types.
    Types,
    /// Members of types that are used.
    Members,
}
