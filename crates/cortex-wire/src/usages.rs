//! The answer of `usages`.

use std::collections::BTreeMap;

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Certainty, FamilyRelation, Mentions, Role, Subject, is_zero};

/// The answer of `usages`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsagesAnswer {
    /// What it is about.
    pub subject: Subject,
    /// `found`, `elsewhere` where the filter leaves out all there are, `none`, or `not-known` where none was found and
    /// some may exist.
    pub verdict: Verdict,
    /// How many places there are.
    pub total: usize,
    /// How many more places the filter leaves out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub elsewhere: usize,
    /// How many of each context, by its word.
    #[serde(rename = "roles")]
    pub contexts: BTreeMap<Role, usize>,
    /// How many files they stand in.
    pub n_files: usize,
    /// The places, those of tests last, then by file and position; no more than asked for.
    pub items: Vec<Usage>,
    /// What the symbol overrides or implements whose uses may run it: they are no items unless they are asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<Through>,
    /// Of a type: bases and interfaces by which product code may find it without its name, the surest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found_by: Vec<FoundBy>,
    /// What may be used beside them.
    pub not_known: NotKnown,
    /// Places outside of C# that have the symbol's name, and may use it.
    #[serde(default)]
    pub mentions: Mentions,
}

/// What an answer comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There are places.
    Found,
    /// There are places, none of which the filter lets pass.
    Elsewhere,
    /// There is none in the repository, and none can be.
    None,
    /// There is none, but not all could be understood.
    NotKnown,
}

/// A place that uses a symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The file.
    pub file: RepoPath,
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column, in UTF-16 units.
    pub column: u32,
    /// What the place does: `call`, `read`, `write`, `creation`, `base`, `attribute`, `doc`, `nameof`, …
    #[serde(rename = "role")]
    pub context: Role,
    /// How sure it is that the place means the symbol.
    pub certainty: Certainty,
    /// Documentation id of the member or type around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// What the place means, where that is another member of the family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<UsageVia>,
    /// Whether a test project compiles it.
    #[serde(rename = "isTest")]
    pub test: bool,
    /// The line's text, trimmed.
    pub text: String,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}

/// A member of the family of the one that is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageVia {
    /// Its documentation id.
    pub doc_id: String,
    /// How it stands to the one that is asked for: `overridden`, `implemented`, `override`, `implementation`.
    pub relation: FamilyRelation,
}

/// Uses of a member that the one which is asked for overrides or implements.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Through {
    /// Documentation id of the member.
    pub doc_id: String,
    /// How it stands to the one that is asked for: `overridden` or `implemented`.
    pub relation: FamilyRelation,
    /// How many of its uses may run the one that is asked for.
    pub total: usize,
}

/// A base or interface of a type, where it is registered, injected as a whole, given to a call or asked for as a value:
/// what derives from it may be found by it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundBy {
    /// Its documentation id.
    pub doc_id: String,
    /// What the first place does: `registration`, `parameter`, `type-argument` or `typeof`.
    pub role: Role,
    /// The file of the first place.
    pub file: RepoPath,
    /// Its 1-based line.
    pub line: u32,
    /// How many such places there are.
    pub total: usize,
}

/// Why there may be more uses than were found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotKnown {
    /// Places that have its name, and whose meaning is not known.
    pub name_only: usize,
    /// Some of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Usage>,
    /// Places of its name in code that conditional compilation leaves out.
    pub inactive: usize,
    /// Some of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inactive_places: Vec<Usage>,
    /// Files that mention its name and were understood only in part.
    pub degraded_files: usize,
    /// Files of the repository that were not read at all.
    pub skipped_files: u64,
    /// Whether code outside of the repository may use it.
    pub visible_outside: bool,
}

impl NotKnown {
    /// Whether there is anything.
    pub fn is_any(&self) -> bool {
        self.name_only > 0
            || self.inactive > 0
            || self.degraded_files > 0
            || self.skipped_files > 0
            || self.visible_outside
    }

    /// Whether there is nothing.
    pub(crate) fn is_none(&self) -> bool {
        !self.is_any()
    }
}
