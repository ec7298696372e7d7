//! What answers look like, and that filters are what VSTest reads.

use cortex_model::RepoPath;
use cortex_wire::{ReachingTest, SubjectTests, TestsAnswer};

use super::{
    TestsLevel, tests_filter, tests_filter_within, tests_jsonl, tests_run_settings, tests_text,
};

fn test(class: &str, method: &str) -> ReachingTest {
    let class_id = class.replace('+', ".");
    ReachingTest {
        frameworks: Vec::new(),
        id: format!("M:{class_id}.{method}"),
        class: class.to_owned(),
        project: RepoPath::from("tests/Shop.Tests.csproj"),
        method: method.to_owned(),
        distance: 1,
        certainty: cortex_wire::Certainty::Exact,
        is_named_after: false,
        is_by_test_code: false,
        is_changed: false,
        skipped: false,
        path: vec![
            format!("M:{class_id}.{method}"),
            "M:N.Order.Submit(System.Int32)".to_owned(),
        ],
    }
}

fn answer(tests: Vec<ReachingTest>) -> SubjectTests {
    SubjectTests {
        asked: "Submit".to_owned(),
        corrected_to: None,
        members: vec!["M:N.Order.Submit(System.Int32)".to_owned()],
        tests,
        set_up: Vec::new(),
        n_all: 4,
        n_unseen: 0,
        is_of_types: false,
        error: None,
    }
}

fn all(subjects: Vec<SubjectTests>) -> TestsAnswer {
    TestsAnswer { subjects }
}

#[test]
fn a_filter_names_methods_or_classes_once() {
    let answers = [answer(vec![
        test("N.OrderTests+Nested", "B"),
        test("N.OrderTests", "A"),
        test("N.OrderTests", "B"),
    ])];
    assert_eq!(
        tests_filter(&all(answers.to_vec()), TestsLevel::Methods, 9),
        "FullyQualifiedName~N.OrderTests+Nested.B|FullyQualifiedName~N.OrderTests.A|FullyQualifiedName~N.OrderTests.B"
    );
    assert_eq!(
        tests_filter(&all(answers.to_vec()), TestsLevel::Classes, 9),
        "FullyQualifiedName~N.OrderTests+Nested.|FullyQualifiedName~N.OrderTests."
    );
}

#[test]
fn a_filter_of_nothing_selects_nothing() {
    assert_eq!(
        tests_filter(&all(vec![answer(Vec::new())]), TestsLevel::Methods, 9),
        "FullyQualifiedName=none"
    );
}

#[test]
fn text_tells_the_share_and_the_way() {
    assert_eq!(
        tests_text(
            &all(vec![answer(vec![
                test("N.OrderTests", "A"),
                test("N.OrderTests", "B")
            ])]),
            1,
            &crate::RenderOptions {
                budget: 0,
                tokenizer: &crate::CharsOver4,
                phrase: &crate::tests::phrase,
            }
        ),
        "Submit (M:N.Order.Submit(System.Int32)): 2 of 4 tests (50.0%)\n\nTests that reach it, by number of steps\n    1  N.OrderTests.A\n       via Order.Submit\n  … and 1 more (Tests { total: 2 })\n"
    );
}

#[test]
fn a_line_of_json_lines_is_bounded_by_the_number_of_tests() {
    assert_eq!(
        tests_jsonl(&all(vec![answer(vec![test("N.OrderTests", "A")])]), 9),
        "{\"id\":\"Submit\",\"tests\":[{\"id\":\"M:N.OrderTests.A\",\"distance\":1}],\"setUp\":[],\"all\":4}\n"
    );
}

/// Whether an expression selects a test, as VSTest reads it.
fn selects(expression: &str, test: &ReachingTest) -> bool {
    let name = format!("{}.{}", test.class, test.method);
    let terms = expression.split('|');
    let mut terms = terms.map(|term| term.trim_start_matches("FullyQualifiedName~"));
    terms.any(|term| name.contains(term))
}

#[test]
fn a_filter_that_is_too_long_selects_more_and_never_less() {
    let tests: Vec<ReachingTest> = (0..400)
        .map(|i| {
            test(
                &format!("Shop.Area{}.Class{}", i % 4, i % 40),
                &format!("Method{i}"),
            )
        })
        .collect();
    let answer = all(vec![answer(tests.clone())]);
    let levels = [100_000, 3_000, 300, 40, 5].map(|limit| {
        let filter = tests_filter_within(&answer, TestsLevel::Methods, usize::MAX, limit);
        assert!(
            tests.iter().all(|test| selects(&filter.text, test)),
            "{limit}"
        );
        assert!(
            filter.text.len() <= limit.max(20),
            "{limit}: {}",
            filter.text
        );
        filter.level
    });
    assert_eq!(
        levels,
        [
            Some(TestsLevel::Methods),
            Some(TestsLevel::Classes),
            None,
            None,
            None
        ]
    );
    let namespaces = tests_filter_within(&answer, TestsLevel::Methods, usize::MAX, 300);
    assert_eq!(
        namespaces.text.matches('~').count(),
        4,
        "{}",
        namespaces.text
    );
}

#[test]
fn run_settings_have_the_whole_filter() {
    let answer = all(vec![answer(vec![test("N.Tests", "A&B")])]);
    let text = tests_run_settings(&answer, TestsLevel::Methods, 9);
    assert!(
        text.contains("<TestCaseFilter>FullyQualifiedName~N.Tests.A\\&amp;B</TestCaseFilter>"),
        "{text}"
    );
}
