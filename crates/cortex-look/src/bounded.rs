//! Answers that a limit may have cut short.

use cortex_wire::{Limits, Subject, Unite, Views};

use crate::QueryError;

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

/// As [`limits`], of an answer that has something to tell, or all of nothing. `doing`: what there was no time for, as an error
/// says it.
///
/// # Errors
/// [`QueryError::TimedOut`] where the time was over before anything was found: nothing is not what there is.
pub(crate) fn limits_of_found(
    doing: &'static str,
    [n_items, n_all]: [usize; 2],
    timed_out: bool,
) -> Result<Limits, QueryError> {
    match timed_out && n_all == 0 {
        true => Err(QueryError::TimedOut { doing }),
        false => Ok(limits(n_items, n_all, timed_out)),
    }
}

impl<A: Unite> Unite for Bounded<A> {
    fn unite(views: &Views<'_>, answers: Vec<(usize, Self)>, limit: usize) -> (Self, bool) {
        let mut limits = Limits::default();
        for (_, found) in &answers {
            limits.timed_out |= found.limits.timed_out;
            limits.canceled |= found.limits.canceled;
        }
        let answers = answers.into_iter();
        let answers = answers.map(|(framework, found)| (framework, found.answer));
        let (answer, cut) = A::unite(views, answers.collect(), limit);
        limits.cut = cut;
        (Self { answer, limits }, cut)
    }

    fn subject(&self) -> Option<&Subject> {
        self.answer.subject()
    }
}
