//! What `history` is asked.

use cortex_git::Parents;

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct HistoryQuestion {
    /// The symbol, in any form that [`cortex_look::symbol::resolve`] takes.
    pub symbol: String,
    /// Commits as `git log` takes them, indexed where they are not; `None` for what is indexed of the first
    /// parents of `HEAD` without a gap.
    pub range: Option<String>,
    /// Which parents of merges are followed; of a range only.
    pub parents: Parents,
    /// No more than so many entries, the newest ones.
    pub max_count: Option<usize>,
    /// Which changes are told.
    pub show: Show,
    /// Whether changes of comments, white space and order are told.
    pub cosmetic: Cosmetic,
}

/// Which changes of a symbol are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Show {
    /// All but cosmetic ones.
    #[default]
    Changes,
    /// Those that others may break by: added, removed, renamed, another shape.
    Structure,
    /// Those that show outside of the assembly, bodies left out.
    Api,
}

/// Whether changes are told that nothing but the text has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cosmetic {
    /// They are not.
    #[default]
    Hidden,
    /// They are.
    Shown,
}
