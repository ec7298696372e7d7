//! The answer about the prompt window.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The prompt window: outlines of the types that matter now, within a budget.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WindowAnswer {
    /// Version of this form.
    pub schema: u32,
    /// How many tokens it may have.
    pub budget: u64,
    /// How many it has.
    pub tokens: u64,
    /// How many of the budget pinned types may take.
    pub pinned_budget: u64,
    /// Its types, in the order of the text.
    pub types: Vec<WindowType>,
    /// Pinned types that do not fit, in the order of the pins. They wait for room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<WindowType>,
    /// Pins that mean nothing: their types or files do not exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_pins: Vec<String>,
    /// How many other types there was no room for.
    #[serde(default, skip_serializing_if = "crate::is_zero")]
    pub total_left_out: u64,
    /// The pack whose types count more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack: Option<String>,
    /// What the request changed: pins as they are recorded, canonical names of types, a pack.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The files that were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<RepoPath>,
    /// The text, in Markdown.
    pub text: String,
}

/// A type in the window, or one that waits for room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WindowType {
    /// Canonical name.
    pub path: String,
    /// Short id.
    pub type_id: String,
    /// In which part of the window it is.
    pub part: WindowPart,
    /// Why it is there.
    pub reason: WindowReason,
    /// How many tokens its text has.
    pub tokens: u64,
    /// What of its semantics file the window has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub semantics: Vec<SemanticSection>,
}

/// A part of the window.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum WindowPart {
    /// Pinned by the repository.
    Pinned,
    /// What the user is at.
    Focus,
    /// What the user looked at before.
    Recent,
}

/// Why a type is in the window.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum WindowReason {
    /// It is pinned.
    Pinned,
    /// The user added it.
    Added,
    /// A request was about it.
    Requested,
    /// It is a base class or an interface of such a type.
    Base,
    /// Such a type depends on it.
    Dependency,
}

/// A section of a semantics file.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum SemanticSection {
    /// What the type is for.
    Role,
    /// How long its objects live.
    Lifecycle,
    /// What it does not do.
    Limitations,
    /// How to use it.
    Recommendations,
}

impl SemanticSection {
    /// All of them, the most important first.
    pub const ALL: [Self; 4] = [
        Self::Role,
        Self::Lifecycle,
        Self::Limitations,
        Self::Recommendations,
    ];

    /// The name that opens the section in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Role => "ROLE",
            Self::Lifecycle => "LIFECYCLE",
            Self::Limitations => "LIMITATIONS",
            Self::Recommendations => "RECOMMENDATIONS",
        }
    }
}
