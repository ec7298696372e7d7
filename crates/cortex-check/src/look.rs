//! Checks of requests about one commit: `HEAD`.

use cortex_look::{
    Bounded, Family, Filter, Limits, MentionsShown, QueryError, SearchQuestion, UnusedListed,
    UnusedOptions, UnusedWhat, UsagesOptions, Viewpoint, calls, relatives, resolve_symbol,
    search_symbols, unused, usages,
};
use cortex_wire::{Direction, Kinship, Role};
use expect_test::Expect;

use crate::{Repository, lines};

impl Repository {
    /// Answers a request about `HEAD`; the lines of an error are its message.
    #[track_caller]
    fn look<A>(
        &self,
        ask: impl Fn(&Viewpoint<'_>) -> Result<A, QueryError>,
        lines: impl Fn(&A) -> Vec<String>,
    ) -> Vec<String> {
        let side = self.side("HEAD");
        let view = Viewpoint {
            index: &self.index,
            side: &side,
            filter: &Filter::everything(),
            limits: Limits {
                n_items: 200,
                until: None,
            },
        };
        match ask(&view) {
            Ok(answer) => lines(&answer),
            Err(error) => vec![format!("error: {error}")],
        }
    }

    /// Checks what a text resolves to: kind and path, the number of further matches, declarations.
    #[track_caller]
    pub fn check_resolve(&self, text: &str, expected: Expect) {
        check(&self.resolve(text), &expected);
    }

    /// What a text resolves to.
    #[track_caller]
    pub fn resolve(&self, text: &str) -> Vec<String> {
        self.look(|view| resolve_symbol(view, text), lines::resolved)
    }

    /// Checks the uses of a symbol: place, role, certainty, containing member; then the verdict.
    #[track_caller]
    pub fn check_usages(&self, symbol: &str, expected: Expect) {
        let lines = self.look(
            |view| answer(usages(view, symbol, &UsagesOptions::default())),
            lines::usages,
        );
        check(&lines, &expected);
    }

    /// The same with uses of overridden, overriding, implemented and implementing members.
    #[track_caller]
    pub fn check_family_usages(&self, symbol: &str, expected: Expect) {
        let options = UsagesOptions {
            family: Family::WithOverrides,
            ..UsagesOptions::default()
        };
        let ask = |view: &Viewpoint<'_>| answer(usages(view, symbol, &options));
        check(&self.look(ask, lines::usages), &expected);
    }

    /// Checks the uses of a symbol in some roles.
    #[track_caller]
    pub fn check_usages_in_roles(&self, symbol: &str, roles: &[Role], expected: Expect) {
        let options = UsagesOptions {
            roles: roles.to_vec(),
            ..UsagesOptions::default()
        };
        let ask = |view: &Viewpoint<'_>| answer(usages(view, symbol, &options));
        check(&self.look(ask, lines::usages), &expected);
    }

    /// Checks the places outside of C# that have a symbol's name; then the verdict, and what was not searched.
    #[track_caller]
    pub fn check_mentions(&self, symbol: &str, expected: Expect) {
        let options = UsagesOptions {
            mentions: MentionsShown::Listed,
            ..UsagesOptions::default()
        };
        let ask = |view: &Viewpoint<'_>| answer(usages(view, symbol, &options));
        check(&self.look(ask, lines::mentions), &expected);
    }

    /// Checks the symbols that nothing refers to, with the reasons why each may be in use.
    #[track_caller]
    pub fn check_unused(&self, expected: Expect) {
        let options = UnusedOptions {
            what: UnusedWhat::All,
            listed: UnusedListed::All,
        };
        check(
            &self.look(|view| answer(unused(view, &options)), lines::unused),
            &expected,
        );
    }

    /// Checks the callers of a symbol up to a depth, each with its depth.
    #[track_caller]
    pub fn check_callers(&self, symbol: &str, depth: u32, family: Family, expected: Expect) {
        let ask =
            |view: &Viewpoint<'_>| answer(calls(view, symbol, Direction::Callers, depth, family));
        check(&self.look(ask, lines::calls), &expected);
    }

    /// Checks what a symbol calls up to a depth, each with its depth.
    #[track_caller]
    pub fn check_callees(&self, symbol: &str, depth: u32, expected: Expect) {
        let ask = |view: &Viewpoint<'_>| {
            answer(calls(
                view,
                symbol,
                Direction::Callees,
                depth,
                Family::Alone,
            ))
        };
        check(&self.look(ask, lines::calls), &expected);
    }

    /// Checks bases and derived types, or overridden and overriding members.
    #[track_caller]
    pub fn check_relatives(&self, symbol: &str, kinship: Kinship, expected: Expect) {
        let lines = self.look(
            |view| answer(relatives(view, symbol, kinship)),
            lines::relatives,
        );
        check(&lines, &expected);
    }

    /// Checks the symbols that a search finds, the best first.
    #[track_caller]
    pub fn check_search(&self, query: &str, expected: Expect) {
        check(&self.search(query), &expected);
    }

    /// The symbols that a search finds, the best first.
    #[track_caller]
    pub fn search(&self, query: &str) -> Vec<String> {
        let question = SearchQuestion {
            query: query.to_owned(),
            kinds: Vec::new(),
            external: false,
            doc_ids: false,
        };
        self.look(
            |view| answer(search_symbols(view, &question)),
            lines::symbols,
        )
    }
}

/// An answer without its limits, which no fixture reaches.
fn answer<A>(found: Result<Bounded<A>, QueryError>) -> Result<A, QueryError> {
    found.map(|found| found.answer)
}

#[track_caller]
pub(crate) fn check(lines: &[String], expected: &Expect) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    expected.assert_eq(&text);
}
