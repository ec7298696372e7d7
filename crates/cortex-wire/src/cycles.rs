//! The answer of `cycles`.

use cortex_model::{EdgeKind, RepoPath};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CyclesBy, Subject};

/// The answer of `cycles`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CyclesAnswer {
    /// The type, where one is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// What depends on each other.
    pub by: CyclesBy,
    /// How many types, namespaces or projects were looked at.
    pub n_nodes: usize,
    /// How many cycles there are.
    #[serde(rename = "total")]
    pub n_cycles: usize,
    /// The largest ones, the largest first.
    pub cycles: Vec<Cycle>,
}

/// A strongly connected component: each of its members depends on each other, in one step or more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cycle {
    /// Its members, by name.
    pub members: Vec<CycleMember>,
    /// How many dependencies there are between them.
    pub n_edges: usize,
    /// One of the shortest ways round.
    pub example: Vec<CycleEdge>,
    /// Dependencies without which there is no cycle: few, at few places; none of them can be left out. There may be
    /// a smaller set.
    pub closing: Vec<CycleEdge>,
}

/// A member of a cycle.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CycleMember {
    /// Canonical name of a type, name of a namespace, path of a project.
    pub name: String,
    /// The file of a type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<RepoPath>,
    /// The line in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// A dependency of one member of a cycle on another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CycleEdge {
    /// Who depends.
    pub from: String,
    /// On whom.
    pub to: String,
    /// Why.
    pub kinds: Vec<EdgeKind>,
    /// At how many places.
    pub count: u32,
    /// The two types with most places, where those are not the ends themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<(String, String)>,
}
