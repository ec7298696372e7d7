//! The answer of `tests`: which tests reach a symbol or a change.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Certainty, is_zero};

/// The answer of `tests`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TestsAnswer {
    /// The tests of each symbol, or of the range, in the order of the request.
    pub subjects: Vec<SubjectTests>,
}

/// The tests that reach one symbol, or what a range changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectTests {
    /// What was asked: a symbol as written, or a range.
    pub asked: String,
    /// The nearest name, where no symbol is called as asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected_to: Option<String>,
    /// Documentation ids of the members, sorted.
    pub members: Vec<String>,
    /// Tests whose body reaches one of them, nearest first.
    pub tests: Vec<ReachingTest>,
    /// Tests that reach one only by what runs before or after them: constructors, fixtures, set-up, data.
    pub set_up: Vec<ReachingTest>,
    /// How many tests there are in all.
    #[serde(rename = "total")]
    pub n_all: usize,
    /// How many more tests may reach one and were not looked at.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_unseen: usize,
    /// Of a range: whether none reaches what changed, and these are tests of the types that changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_types: bool,
    /// Why there is no answer, where a symbol of several was not understood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The tests that reach what a change is about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReachedTests {
    /// Those whose body does, nearest first.
    pub tests: Vec<ReachingTest>,
    /// Those that do only by what runs before or after them, nearest first.
    pub set_up: Vec<ReachingTest>,
    /// How many tests there are in all.
    #[serde(rename = "total")]
    pub n_all: usize,
    /// How many more tests may and were not looked at: farther ones.
    pub n_unseen: usize,
    /// How many tests the classes of those to run have, but for those that runners leave out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_in_classes: usize,
    /// Documentation ids of changed members of the product that run and that no test reaches, requests over HTTP and
    /// reflection aside, sorted; where others are reached, and no more than 40 members changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<String>,
    /// Whether none reaches what changed, and these are tests of the types that changed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_types: bool,
}

/// The tests to run: those that reach the change by code, and those that may by reflection where they are named after the
/// type or there are no others; none that runners leave out. In their order, those that do by set-up last, and behind them
/// those that reach nothing but changed code of tests, by code, or by reflection where there are no others at all.
pub fn selected<'t>(
    tests: &'t [ReachingTest],
    set_up: &'t [ReachingTest],
) -> Vec<&'t ReachingTest> {
    let all = tests.iter().chain(set_up).filter(|test| !test.skipped);
    let (by_helpers, own): (Vec<_>, Vec<_>) = all.partition(|test| test.is_by_test_code);
    let sure = |tests: &[&'t ReachingTest]| -> Vec<&'t ReachingTest> {
        let sure = tests.iter().copied();
        sure.filter(|test| test.certainty.is_exact() || test.is_named_after)
            .collect()
    };
    let mut out = match sure(&own) {
        sure if sure.is_empty() => own,
        sure => sure,
    };
    out.extend(match sure(&by_helpers) {
        sure if sure.is_empty() && out.is_empty() => by_helpers,
        sure => sure,
    });
    out
}

/// A test that is gone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedTest {
    /// The project that compiled the class.
    pub project: RepoPath,
    /// Name of the class that ran it: ``Ns.Outer+Inner``.
    pub class: String,
    /// Name of the method.
    pub method: String,
    /// Documentation id of the method.
    #[serde(rename = "docId")]
    pub id: String,
}

/// A test that sends a request over HTTP.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestingTest {
    /// The test with the way to the member that sends the request, which may be the test itself.
    #[serde(flatten)]
    pub test: ReachingTest,
    /// The route of the request: verb and template. Of several the first.
    pub route: String,
}

/// How many tests of a project start an application in their process.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartingTests {
    /// The project of the application.
    pub application: RepoPath,
    /// The project of the tests.
    pub project: RepoPath,
    /// How many there are, but for those that runners leave out.
    pub n_tests: usize,
    /// What takes out of the application that these tests start what would run the change: they do not run it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<RemovedService>,
}

/// An implementation that a test host takes out of the services of an application.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedService {
    /// Name of the implementation: `Ns.Outer+Inner`.
    #[serde(rename = "type")]
    pub ty: String,
    /// The file that takes it out.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line there.
    pub line: u32,
}

/// A test, with how it reaches a member.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReachingTest {
    /// Documentation id of the method that runs.
    #[serde(rename = "docId")]
    pub id: String,
    /// Name of the class that runs it: ``Ns.Outer+Inner``.
    pub class: String,
    /// The project that compiles the class.
    pub project: RepoPath,
    /// Name of the method.
    pub method: String,
    /// Members from the test to the one that was asked for, less one.
    pub distance: u32,
    /// `possible` where it does so only if something is created or called by reflection. A test that calls a contract
    /// itself, in a project that makes no doubles, reaches what implements it for certain.
    #[serde(default, skip_serializing_if = "Certainty::is_exact")]
    pub certainty: Certainty,
    /// Whether its class is named after the type of what was asked for: `OrderTests` after `Order`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_named_after: bool,
    /// Of a range: whether the test changed, or code of its class that it runs. Such tests come first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_changed: bool,
    /// Of a range: whether all that it reaches of what changed is code of tests that is no test itself: helpers, base
    /// classes, doubles. Such tests come last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_by_test_code: bool,
    /// Whether an attribute makes runners leave it out (`Skip`, `Ignore`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// Documentation ids of the members on the way, the test and the reached one included;
    /// empty where it was not asked for.
    pub path: Vec<String>,
    /// The target frameworks that have it, where not all that compile it do: of answers for all frameworks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frameworks: Vec<String>,
}
