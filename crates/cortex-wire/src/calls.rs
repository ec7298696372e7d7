//! The answer of `callers` and `callees`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{NotKnown, Role, Site, Subject, SymbolKind, Through, Where, is_zero};

/// Which way calls are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// To those that call.
    Callers,
    /// To what is called.
    Callees,
}

/// The answer of `callers` and `callees`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallsAnswer {
    /// What it is about.
    pub subject: Subject,
    /// Which way was gone.
    pub direction: Direction,
    /// Members, and types where no member is named: the nearest first, then those of tests last, then by id. Of callees
    /// what runs stands before properties and fields, and types from outside stand last.
    pub items: Vec<CallItem>,
    /// Who calls whom, by the order of items.
    pub edges: Vec<CallEdge>,
    /// How many items there are.
    pub total: usize,
    /// Of callers: what the member overrides or implements whose calls may run it, where these are not asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<Through>,
    /// Of callers: why there may be more than were found.
    #[serde(default, skip_serializing_if = "NotKnown::is_none")]
    pub not_known: NotKnown,
}

/// A member that calls or is called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallItem {
    /// Its documentation id.
    pub doc_id: String,
    /// `method`, `property`, …; `external` for a type from outside of the repository.
    pub kind: SymbolKind,
    /// How many steps away.
    pub depth: u32,
    /// Where it is declared; left out for one from outside.
    #[serde(flatten)]
    pub at: Option<Where>,
    /// Whether a test project compiles it.
    #[serde(rename = "isTest")]
    pub test: bool,
    /// Of a caller that is followed further: what it overrides or implements whose calls may run it, where these are not
    /// asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<Through>,
    /// How many members lead to it of which the answer may not speak.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub through_outside: usize,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

impl CallItem {
    /// Whether it holds a value, which is read and written.
    pub fn is_data(&self) -> bool {
        matches!(
            self.kind,
            SymbolKind::Property
                | SymbolKind::Field
                | SymbolKind::Constant
                | SymbolKind::EnumMember
        )
    }
}

/// Calls of one member in another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallEdge {
    /// Documentation id of the caller.
    pub from: String,
    /// Documentation id of what is called.
    pub to: String,
    /// What the call names, where that is what `to` overrides or implements, or the other way round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// What is done: `call`, `read`, `write`, `creation`, …, each once.
    #[serde(rename = "roles")]
    pub contexts: Vec<Role>,
    /// How many places there are.
    pub n_sites: usize,
    /// The first of them, as far as the answer may speak of them.
    pub sites: Vec<Site>,
    /// Of what is called outside of the repository, whose places are not known: where the caller is declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<Where>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}
