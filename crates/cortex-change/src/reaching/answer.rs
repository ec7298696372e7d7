//! The answer of `tests`, as plain data.

use cortex_wire::ReachingTest;

/// The tests that reach something, each list nearest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reaching {
    /// Those whose body does.
    pub tests: Vec<ReachingTest>,
    /// Those that do only by what runs before or after them.
    pub set_up: Vec<ReachingTest>,
}

impl Reaching {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.set_up.is_empty()
    }
}
