//! What an answer was limited to.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an answer was limited to, as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct LimitedTo {
    /// The scope as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Projects, each by its path or its assembly's name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projects: Vec<String>,
    /// Paths, as git's pathspecs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Tests or other code.
    #[serde(default, skip_serializing_if = "TestScope::is_any")]
    pub tests: TestScope,
}

/// Whether the code of tests is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TestScope {
    /// All code.
    #[default]
    Any,
    /// Test projects alone.
    Only,
    /// All but test projects.
    Without,
}

/// In words: `in Tests, in path src, not in test projects`.
impl fmt::Display for LimitedTo {
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

impl TestScope {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
    fn is_any(&self) -> bool {
        *self == Self::Any
    }
}
