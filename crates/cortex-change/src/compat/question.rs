//! What `api` is asked.

use cortex_git::RangeSpec;

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct ApiQuestion {
    /// The range, as `git diff` takes it.
    pub range: RangeSpec,
    /// The assemblies to compare, by name; all libraries where none is named.
    pub assemblies: Vec<String>,
}
