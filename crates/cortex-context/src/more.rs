//! What would show more of an answer, as data.
//!
//! Owns: what can be asked for. Must not know: how a command line, or another face of the product, words it.

use cortex_wire::{HistoryFill, SafeStep};

/// Something to ask for, or to run, in order to see more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum More<'a> {
    /// More items: a higher limit on their number, with the number that shows all where that is known.
    Items {
        /// How many there are in all.
        total: Option<usize>,
    },
    /// A larger budget of tokens.
    Tokens,
    /// More time.
    Time,
    /// The whole answer as JSON.
    Json,
    /// The same request in full, such that it can be repeated with the larger limits.
    Whole {
        /// The budget that is large enough; `None` where only JSON is.
        tokens: Option<usize>,
        /// The limit on the number of items that shows all, where the current one does not.
        items: Option<usize>,
        /// Whether the request is repeated; else the limits alone are named.
        form: Form,
    },
    /// All members of a type, those that only the type itself can use among them.
    AllMembers,
    /// The places outside of C# that have a symbol's name.
    Mentions,
    /// Uses of what a symbol overrides or implements.
    WithOverrides,
    /// Symbols without references that may be in use all the same.
    WithReasons,
    /// Types of test projects as well.
    TestTypes,
    /// The surroundings of one name.
    Focus,
    /// More files of a search.
    Files,
    /// More tests, of so many.
    Tests {
        /// How many there are.
        total: usize,
    },
    /// All relatives of a symbol.
    Hierarchy,
    /// What implements a symbol.
    Implementations,
    /// How well each project was understood.
    ProjectStatus,
    /// The tests that reach the change of a range.
    TestsOf {
        /// The range as it was written; `None` where it cannot be repeated so.
        range: Option<&'a str>,
    },
    /// How to run tests.
    RunTests {
        /// The project, where there is one only.
        project: Option<&'a str>,
        /// Which tests.
        filter: TestFilter<'a>,
    },
    /// How older commits become part of a history.
    OlderCommits(&'a HistoryFill),
    /// What to ask after a search.
    AfterSearch(&'a SafeStep),
}

/// How much of a request is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// All of it.
    Request,
    /// What differs.
    Difference,
}

/// Which tests to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestFilter<'a> {
    /// Those that match an expression of `dotnet test`.
    Expression(&'a str),
    /// Those that reach the change of a range, and others.
    OfRange {
        /// The range.
        range: &'a str,
        /// What matches the others; `None` where there are none.
        or: Option<&'a str>,
    },
}

/// Words a request for more, as the caller's users make it.
pub type Phrase<'a> = &'a dyn Fn(&More<'_>) -> String;
