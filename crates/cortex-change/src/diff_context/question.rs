//! What `diff-context` is asked.

use cortex_git::RangeSpec;
use cortex_scope::ScopeRequest;
use cortex_wire::CodeShown;

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The range, as `git diff` takes it.
    pub range: RangeSpec,
    /// Only files of this scope, on the side that has them; it must be global.
    pub scope: Option<ScopeRequest>,
    /// The scope as it was written.
    pub scope_text: String,
    /// Which uses of what changed are told one by one.
    pub uses: UseLines,
    /// Whether the hunks of changed files are wanted.
    pub hunks: Hunks,
    /// How much of the code of changed members is wanted.
    pub code: CodeShown,
}

/// Whether the hunks of changed files are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hunks {
    /// They are.
    #[default]
    Told,
    /// Their lines are counted; where very many types changed, the code of the most important ones alone is told.
    Counted,
}

/// How many uses of what changed are told line by line; they are counted in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UseLines {
    /// All.
    #[default]
    All,
    /// About so many, the most telling ones; of the most important types only where very many changed.
    First(usize),
}
