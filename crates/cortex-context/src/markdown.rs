//! An answer as Markdown within a budget: the sections in their order, the space dealt out among them.
//!
//! Owns: which sections there are, their shares, in which order they take what is left.
//! Must not know: how lines are chosen within a share (`fit`), how a section says what it says.

mod api;
pub(crate) mod changes;
mod code;
mod files;
pub(crate) mod fit;
mod header;
mod impact;
pub(crate) mod left_out;
pub(crate) mod names;
mod parameters;
mod places;
pub(crate) mod plan;
mod reading;
mod tests;
mod twins;

use cortex_wire::DiffContext;

use crate::{
    more::{More, Phrase},
    tokenizer::Tokenizer,
};
use fit::{Fit, Grant};
use names::Names;
use plan::{Plan, Yield};

/// How to render an answer.
#[derive(Clone, Copy)]
pub struct RenderOptions<'a> {
    /// How many tokens the text may have.
    pub budget: usize,
    /// What counts them.
    pub tokenizer: &'a dyn Tokenizer,
    /// How to word what would show more.
    pub phrase: Phrase<'a>,
}

impl RenderOptions<'_> {
    /// What would show more, in the caller's words.
    pub(crate) fn more(&self, more: More<'_>) -> String {
        (self.phrase)(&more)
    }

    /// What would show more items, of so many.
    pub(crate) fn more_items(&self, total: usize) -> String {
        self.more(More::Items { total: Some(total) })
    }
}

// Sections in the order of the text.
const HEADER: usize = 0;
const CHANGES: usize = 1;
const API: usize = 2;
const CODE: usize = 3;
const IMPACT: usize = 4;
const TESTS: usize = 5;
const READING: usize = 6;
const CALLED: usize = 7;
const OTHER_CODE: usize = 8;
const FILES: usize = 9;
const STALE: usize = 10;

/// What each section may take before any takes more, in percent: no huge section starves another.
const SHARES: [Grant; 9] = [
    Grant::of(HEADER, 10),
    Grant::of(CHANGES, 24),
    Grant::of(API, 8),
    Grant::of(CODE, 34),
    Grant::of(IMPACT, 14),
    Grant::of(TESTS, 5),
    Grant::of(READING, 3),
    Grant::of(FILES, 3),
    Grant::of(STALE, 1),
];

/// What each section may hold in all when the rest is dealt out, in this order.
const REST: [Grant; 20] = [
    Grant::of(API, 14),
    Grant::of(CHANGES, 28),
    Grant::of(TESTS, 8),
    Grant::of(STALE, 3),
    Grant::of(FILES, 5),
    Grant::of(IMPACT, 24),
    Grant::of(CODE, 100),
    Grant::of(CALLED, 4),
    Grant::of(IMPACT, 100),
    Grant::of(READING, 8),
    Grant::of(CODE, 100),
    Grant::of(TESTS, 100),
    Grant::of(CHANGES, 100),
    Grant::of(API, 100),
    Grant::of(READING, 100),
    Grant::of(FILES, 100),
    Grant::of(CALLED, 100),
    Grant::of(OTHER_CODE, 100),
    Grant::of(STALE, 100),
    Grant::of(HEADER, 100),
];

/// Code can be read elsewhere, who uses it cannot: it takes no more than about half while uses are cut.
const CODE_YIELDS: Yield = Yield {
    section: CODE,
    percent: 52,
    to: IMPACT,
};

/// Below this many tokens shares would be shards: what changed comes before all else.
const SMALL: usize = 1_000;

const SMALL_SHARES: [Grant; 3] = [
    Grant::of(CHANGES, 55),
    Grant::of(API, 20),
    Grant::of(HEADER, 15),
];

const SMALL_REST: [Grant; 12] = [
    Grant::of(CHANGES, 100),
    Grant::of(API, 100),
    Grant::of(TESTS, 100),
    Grant::of(CODE, 100),
    Grant::of(IMPACT, 100),
    Grant::of(CODE, 100),
    Grant::of(FILES, 100),
    Grant::of(READING, 100),
    Grant::of(CALLED, 100),
    Grant::of(OTHER_CODE, 100),
    Grant::of(STALE, 100),
    Grant::of(HEADER, 100),
];

/// Renders `answer` as Markdown of at most `options.budget` tokens.
///
/// Equal answers and options give equal bytes. The least answer is its first line; below that the
/// text is empty. Cost: each considered line is counted once, the whole text a few times.
pub fn markdown(answer: &DiffContext, options: &RenderOptions<'_>) -> String {
    let names = Names::new(answer);
    // No line has fewer tokens on average: what lies beyond could not be shown.
    let n_max = options.budget / 6 + 1;
    let moves = code::Moves::new(answer, &names);
    let [code, other_code] = code::sections(answer, &names, &moves, n_max);
    let plan = Plan {
        titles: header::titles(answer),
        sections: vec![
            header::section(answer, n_max, options),
            changes::section(answer, &names, n_max),
            api::section(answer, &names, n_max),
            code,
            impact::section(answer, &names, n_max),
            tests::section(answer, n_max, options),
            reading::section(answer, &names, n_max),
            reading::called(answer, &names, n_max),
            other_code,
            files::section(answer, n_max),
            files::stale(answer, n_max),
        ],
        all_items: None,
        yields: Some(CODE_YIELDS),
    };
    let (shares, rest): (&[Grant], &[Grant]) = if options.budget < SMALL {
        (&SMALL_SHARES, &SMALL_REST)
    } else {
        (&SHARES, &REST)
    };
    let of_files = files::shares(answer);
    let [shares, rest] = [(shares, of_files[0]), (rest, of_files[1])].map(|(grants, percent)| {
        let mut grants = grants.to_vec();
        // The rest of the space goes to whoever needs it.
        let bounded = grants.iter_mut().filter(|it| it.percent < 100);
        for grant in bounded.filter(|it| it.section == FILES) {
            grant.percent = percent;
        }
        grants
    });
    Fit::new(&plan, options).render(&shares, &rest)
}
