//! How long a question may take, and how much it may answer.

use crate::DerivedError;
use std::time::{Duration, Instant};

/// How long a question may take, and how much it may answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// No more items than that.
    pub n_items: usize,
    /// After this time the answer is what was found until then.
    pub until: Option<Instant>,
}

impl Limits {
    /// So many items, found within a time from now on.
    pub fn new(n_items: usize, time: Duration) -> Self {
        Self {
            n_items,
            until: Instant::now().checked_add(time),
        }
    }

    /// Fails where the time is over. `doing`: what there is no time for, as an error says it.
    ///
    /// # Errors
    /// [`DerivedError::TimedOut`].
    pub fn check(&self, doing: &'static str) -> Result<(), DerivedError> {
        match self.is_over() {
            true => Err(DerivedError::TimedOut { doing }),
            false => Ok(()),
        }
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}
