//! Answers that a limit may have cut short.

use cortex_wire::Limits;

/// An answer, and what a limit left out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounded<A> {
    /// The answer.
    pub answer: A,
    /// What is missing from it.
    pub limits: Limits,
}

impl<A> Bounded<A> {
    /// The same limits around what is made of the answer.
    pub fn map<B>(self, make: impl FnOnce(A) -> B) -> Bounded<B> {
        Bounded {
            answer: make(self.answer),
            limits: self.limits,
        }
    }
}

/// What is missing from an answer of so many items where there are so many in all.
pub(crate) fn limits(n_items: usize, n_all: usize, timed_out: bool) -> Limits {
    Limits {
        cut: n_items < n_all,
        timed_out,
        canceled: false,
    }
}
