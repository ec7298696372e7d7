//! Checks of requests about the change from `HEAD~1` to `HEAD`.

use cortex_change::{
    ApiQuestion, Look, Question, Unknown, UseLines, api, diff_context, prove, tests_of_change,
    tests_of_symbols,
};
use cortex_git::RangeSpec;
use cortex_wire::{ApiAnswer, DiffContext, ProveAnswer};
use expect_test::Expect;

use crate::{Repository, lines, look::check, repository::Silent};

fn range() -> RangeSpec {
    RangeSpec {
        revisions: vec!["HEAD~1..HEAD".to_owned()],
        ..RangeSpec::default()
    }
}

impl Repository {
    /// What the change is.
    #[track_caller]
    pub fn diff_context(&self) -> DiffContext {
        self.diff_context_with(UseLines::All)
    }

    /// What the change is, with so many of the uses.
    #[track_caller]
    pub fn diff_context_with(&self, uses: UseLines) -> DiffContext {
        let question = Question {
            range: range(),
            uses,
            ..Question::default()
        };
        let answer = diff_context(&self.index, &question, &Silent);
        answer.expect("the change can be compared").answer
    }

    /// Checks who uses what changed: uses below their symbol, users of users, registrations.
    #[track_caller]
    pub fn check_impact(&self, expected: Expect) {
        check(&lines::impact(&self.diff_context()), &expected);
    }

    /// Checks which types and members changed, with their notes.
    #[track_caller]
    pub fn check_diff(&self, expected: Expect) {
        check(&lines::changes(&self.diff_context()), &expected);
    }

    /// What of the change is proven.
    #[track_caller]
    pub fn prove(&self) -> ProveAnswer {
        let answer = prove(&self.index, &mut |_| Ok(Vec::new()), &range(), &Silent);
        answer.expect("the change can be compared").answer
    }

    /// Checks what of the change is proven, and what must be read.
    #[track_caller]
    pub fn check_prove(&self, expected: Expect) {
        check(&lines::proven(&self.prove()), &expected);
    }

    /// Checks the API differences, sorted: mode, rule, kind, symbol.
    #[track_caller]
    pub fn check_api(&self, expected: Expect) {
        check(&lines::differences(&self.api()), &expected);
    }

    /// How the API differs.
    #[track_caller]
    pub fn api(&self) -> ApiAnswer {
        let question = ApiQuestion {
            range: range(),
            ..ApiQuestion::default()
        };
        let answer = api(&self.index, &question, &Silent);
        answer.expect("the change can be compared").answer
    }

    /// Checks the tests that reach a symbol, sorted; `?` marks possible ones.
    #[track_caller]
    pub fn check_tests(&self, symbol: &str, expected: Expect) {
        check(&self.tests(symbol), &expected);
    }

    /// The tests that reach a symbol.
    #[track_caller]
    pub fn tests(&self, symbol: &str) -> Vec<String> {
        self.tests_at("HEAD", symbol)
    }

    /// The tests of a commit that reach a symbol.
    #[track_caller]
    pub fn tests_at(&self, revision: &str, symbol: &str) -> Vec<String> {
        let side = self.side(revision);
        let mut blobs = self.index.blobs(&side);
        let symbols = [symbol.to_owned()];
        let answers = tests_of_symbols(&side.snapshot, &symbols, Unknown::Fails, 0, &mut *blobs);
        match answers {
            Ok(answers) => answers.iter().flat_map(lines::tests).collect(),
            Err(error) => vec![format!("error: {error}")],
        }
    }

    /// Checks the tests that reach the change, sorted.
    #[track_caller]
    pub fn check_tests_of_change(&self, expected: Expect) {
        let [old, new] = ["HEAD~1", "HEAD"].map(|revision| self.side(revision));
        let sides = [&old, &new];
        let answer = tests_of_change(&self.index, sides, "HEAD~1..HEAD", 0, Look::All);
        let answer = answer.expect("the graph of members can be built");
        check(&lines::tests(&answer), &expected);
    }
}
