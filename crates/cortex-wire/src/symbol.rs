//! Symbols as answers name them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{SymbolKind, is_zero};

/// What a question turned out to be about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// The symbol.
    #[serde(rename = "symbol")]
    pub resolved: SymbolRef,
    /// What it was called when it was called as asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirected_from: Option<String>,
    /// What was asked for, where nothing is called so and this is the nearest name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected_from: Option<String>,
    /// How many other symbols match, and are less likely to be meant.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_others: usize,
    /// The first few of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<SymbolRef>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// A symbol as answers name it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SymbolRef {
    /// Canonical name; of a member with its parameter types where there is one of it only.
    pub path: String,
    /// `class`, `method`, …
    pub kind: SymbolKind,
    /// The type's short id.
    pub type_id: String,
    /// The member's short id within the type; left out for types and for several overloads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member_id: Option<String>,
    /// Documentation id; left out for several overloads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<String>,
}

impl SymbolRef {
    /// The shortest text that means the symbol alone: `T_7XPKJFH2`, `T_7XPKJFH2_K3M0ZQ`.
    pub fn id(&self) -> String {
        match &self.member_id {
            Some(member) => format!("{}_{member}", self.type_id),
            None => self.type_id.clone(),
        }
    }
}
