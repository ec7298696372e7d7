//! Answers about two sides.

use cortex_index::{IndexOutcome, IndexedSide};

/// An answer with the sides that it compares.
pub struct Comparison<A> {
    /// The answer.
    pub answer: A,
    /// The older side, and the newer one.
    pub sides: [IndexedSide; 2],
    /// What was indexed for it.
    pub outcome: IndexOutcome,
}
