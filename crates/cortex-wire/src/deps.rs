//! The answer of `deps`.

use cortex_model::{EdgeKind, RepoPath, TypeKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Subject, is_zero};

/// The answer of `deps`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DepsAnswer {
    /// The type.
    pub subject: Subject,
    /// What it depends on, most used first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<DepsSide>,
    /// Who depends on it, who uses it most first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_by: Option<DepsSide>,
    /// Types from outside of the repository that it depends on, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outside: Vec<OutsideDependency>,
    /// The way to another type, where one is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<DepsPath>,
}

/// One side of a type's dependencies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DepsSide {
    /// How many there are.
    #[serde(rename = "total")]
    pub n_types: usize,
    /// The first of them.
    pub types: Vec<DepsType>,
}

/// A type at the other end of a dependency.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DepsType {
    /// Canonical name.
    #[serde(rename = "path")]
    pub name: String,
    /// Short id.
    #[serde(rename = "typeId")]
    pub id: String,
    /// Kind of type.
    pub kind: TypeKind,
    /// The file of its first declaration.
    pub file: RepoPath,
    /// The line of that.
    pub line: u32,
    /// Why the one depends on the other.
    pub kinds: Vec<EdgeKind>,
    /// At how many places.
    pub count: u32,
    /// Whether it is in a test project.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_test: bool,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// A dependency on a type from outside.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutsideDependency {
    /// Its name.
    pub name: String,
    /// Its assembly.
    pub assembly: String,
    /// Why.
    pub kinds: Vec<EdgeKind>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// One of the shortest ways from one type to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DepsPath {
    /// Where it leads.
    pub to: String,
    /// What was asked for, where nothing is called so and that is the nearest name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected_from: Option<String>,
    /// Whether it goes the other way round, from there to the type: the wanted way does not exist.
    pub is_reversed: bool,
    /// Its steps; none where there is no way in either direction.
    pub steps: Vec<DepsStep>,
}

/// A step of a way: the first type depends on the second.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DepsStep {
    /// Who depends.
    pub from: String,
    /// On whom.
    pub to: String,
    /// How many types lie between the two, of which the answer may not speak.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_outside: usize,
    /// Why; empty where types lie between.
    pub kinds: Vec<EdgeKind>,
    /// At how many places; 0 where types lie between.
    pub count: u32,
}
