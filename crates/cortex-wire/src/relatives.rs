//! The answer of `hierarchy`, `implementations` and `overrides`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Relation, Subject, SymbolKind, Where, is_zero};

/// The answer of `hierarchy`, `implementations` and `overrides`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelativesAnswer {
    /// What it is about.
    pub subject: Subject,
    /// What it derives from, overrides or implements: the nearest first.
    pub up: Vec<RelativeEntry>,
    /// What derives from it, overrides or implements it: the nearest first.
    pub down: Vec<RelativeEntry>,
    /// How many there are above.
    #[serde(rename = "totalUp")]
    pub n_up: usize,
    /// How many there are below.
    #[serde(rename = "totalDown")]
    pub n_down: usize,
    /// Of `overrides`: how many members of interfaces it implements.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_implements: usize,
    /// Of `overrides`: how many members implement it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_implementations: usize,
    /// Which relatives.
    pub kinship: Kinship,
}

/// A type or member that is related to another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelativeEntry {
    /// Its documentation id.
    pub doc_id: String,
    /// `class`, `interface`, `method`, …; `external` for one from outside of the repository.
    pub kind: SymbolKind,
    /// `inherits`, `implements` or `overrides`: how the lower one stands to the upper one.
    pub relation: Relation,
    /// How many steps away.
    pub depth: u32,
    /// Documentation id of the relative that is one step nearer; left out for one that the filter leaves out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearer: Option<String>,
    /// Where it is declared; left out for one from outside.
    #[serde(flatten)]
    pub at: Option<Where>,
    /// The assembly of one from outside, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assembly: Option<String>,
    /// The type in which a member comes to implement the other, where it is not its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// Which relatives are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kinship {
    /// Types that implement or derive from a type, members that implement or override a member.
    Implementations,
    /// What a member overrides, and what overrides it; of a type, for each of its members.
    Overrides,
    /// Bases and derived types; of a member, all that it overrides or implements and the other way round.
    Hierarchy,
}
