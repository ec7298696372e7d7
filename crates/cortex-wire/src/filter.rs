//! Which part of a repository an answer may cover.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which part of a repository an answer may cover; everything by default.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Filter {
    /// A scope: an expression, or a program as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Projects, each by its path or its assembly's name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<String>,
    /// Paths, as git's pathspecs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Test projects or others.
    #[serde(skip_serializing_if = "TestScope::is_any")]
    pub tests: TestScope,
}

impl Filter {
    /// Whether it lets everything pass.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }
}

/// In words: `in Tests, in path src, outside of test projects`.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.scope.iter().map(|it| format!("in {it}")).collect();
        if !self.projects.is_empty() {
            parts.push(format!("in project {}", self.projects.join(" or ")));
        }
        if !self.paths.is_empty() {
            parts.push(format!("in path {}", self.paths.join(" or ")));
        }
        match self.tests {
            TestScope::Any => {}
            TestScope::Only => parts.push("in test projects".to_owned()),
            TestScope::Without => parts.push("outside of test projects".to_owned()),
        }
        f.write_str(&parts.join(", "))
    }
}

/// Test projects or others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TestScope {
    /// All projects.
    #[default]
    Any,
    /// Test projects alone.
    Only,
    /// All but test projects.
    Without,
}

impl TestScope {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde passes a reference"
    )]
    fn is_any(&self) -> bool {
        *self == Self::Any
    }
}
