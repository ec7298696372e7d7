//! The tests that reach a change, for people, for programs and for `dotnet test`.
//!
//! Owns: what is said of a test, the filter. Must not know: how tests are found.

#[cfg(test)]
mod tests;

use std::{collections::BTreeSet, fmt::Write};

use cortex_wire::{ReachingTest, SubjectTests, TestsAnswer, TestsLine, TestsLineTest, selected};

use crate::{
    More, RenderOptions,
    cut::cut_to_budget,
    look::{only_in, short},
    text::{prose, span},
};

/// What a filter names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestsLevel {
    /// Whole classes.
    Classes,
    /// Methods.
    Methods,
}

/// Members of a way that are shown.
const MAX_WAY: usize = 12;

/// Text for people: of each answer the nearest `max` tests of each sort, each with the way to what was asked.
pub fn tests_text(answer: &TestsAnswer, max: usize, options: &RenderOptions<'_>) -> String {
    let mut out = String::new();
    for answer in &answer.subjects {
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "{}: {}", subject(answer), summary(answer));
        for part in parts(answer) {
            let _ = writeln!(out, "\n{}", part.title);
            for test in part.tests.iter().take(max) {
                let _ = writeln!(
                    out,
                    "  {:>3}  {}.{}{}",
                    test.distance,
                    test.class,
                    test.method,
                    skipped(test)
                );
                if let Some(way) = way(test) {
                    let _ = writeln!(out, "       via {way}");
                }
            }
            let _ = write!(out, "{}", further(&part, max, options));
        }
    }
    out
}

/// The same as Markdown of at most `options.budget` tokens.
pub fn tests_markdown(answer: &TestsAnswer, max: usize, options: &RenderOptions<'_>) -> String {
    let mut out = String::new();
    for answer in &answer.subjects {
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(
            out,
            "# tests {}\n\n{}",
            span(&subject(answer)),
            prose(&summary(answer))
        );
        for part in parts(answer) {
            let _ = writeln!(out, "\n## {}\n", part.title);
            for test in part.tests.iter().take(max) {
                let name = format!("{}.{}", test.class, test.method);
                let _ = writeln!(
                    out,
                    "- {} {}{}{}",
                    test.distance,
                    span(&name),
                    skipped(test),
                    way(test).map_or_else(String::new, |way| format!(" via {}", span(&way)))
                );
            }
            let _ = write!(out, "{}", further(&part, max, options));
        }
    }
    cut_to_budget(out, ("test", "tests"), options)
}

/// The nearest `max` tests of each sort.
pub fn nearest_tests(answer: &TestsAnswer, max: usize) -> TestsAnswer {
    let subjects = answer.subjects.iter().map(|subject| SubjectTests {
        tests: subject.tests.iter().take(max).cloned().collect(),
        set_up: subject.set_up.iter().take(max).cloned().collect(),
        ..subject.clone()
    });
    TestsAnswer {
        subjects: subjects.collect(),
    }
}

/// One object for each answer, a line each: `id`, `tests` and `setUp` with `id` and `distance`, `all`.
pub fn tests_jsonl(answer: &TestsAnswer, max: usize) -> String {
    let mut out = String::new();
    for answer in &answer.subjects {
        let line = TestsLine {
            id: answer.asked.as_str().into(),
            tests: lines(&answer.tests, max),
            set_up: lines(&answer.set_up, max),
            all: answer.n_all,
            error: answer.error.as_deref().map(Into::into),
        };
        let line = serde_json::to_string(&line).expect("plain data has a JSON form");
        let _ = writeln!(out, "{line}");
    }
    out
}

fn lines(tests: &[ReachingTest], max: usize) -> Vec<TestsLineTest<'_>> {
    tests.iter().take(max).map(test_line).collect()
}

fn test_line(test: &ReachingTest) -> TestsLineTest<'_> {
    TestsLineTest {
        id: test.id.as_str().into(),
        distance: test.distance,
        possible: !test.certainty.is_exact(),
        skipped: test.skipped,
    }
}

/// An expression that selects tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestsExpression {
    /// The expression.
    pub text: String,
    /// What it names; `None` where it names namespaces, as all else is too long.
    pub level: Option<TestsLevel>,
}

/// A longer expression is not sure to fit into a command line: Windows has 32,767 characters for all of it.
pub const MAX_EXPRESSION: usize = 30_000;

/// An expression for `dotnet test --filter` that selects the tests of all answers, each named once, sorted.
/// Where nothing is to run it names what no test is called.
pub fn tests_filter(answer: &TestsAnswer, level: TestsLevel, max: usize) -> String {
    let names = names(answer, level, max);
    if names.is_empty() {
        return "FullyQualifiedName=none".to_owned();
    }
    terms(names.iter().map(String::as_str))
}

/// The same within `limit` bytes: where the names of methods are too long it selects their classes, then the
/// namespaces of these, from the innermost. It never selects less.
pub fn tests_filter_within(
    answer: &TestsAnswer,
    level: TestsLevel,
    max: usize,
    limit: usize,
) -> TestsExpression {
    for level in [level, TestsLevel::Classes] {
        let text = tests_filter(answer, level, max);
        if text.len() <= limit {
            let level = Some(level);
            return TestsExpression { text, level };
        }
    }
    let mut names = names(answer, TestsLevel::Classes, max);
    loop {
        // `Ns.Inner.Class.` becomes `Ns.Inner.`, up to the outermost namespace.
        let outer = |name: &String| {
            let inner = name.trim_end_matches('.');
            inner
                .rfind('.')
                .map_or_else(|| name.clone(), |at| name[..=at].to_owned())
        };
        let wider: BTreeSet<String> = names.iter().map(outer).collect();
        let text = terms(wider.iter().map(String::as_str));
        let is_done = text.len() <= limit;
        if is_done || wider == names {
            // Every full name has a dot.
            let text = if is_done {
                text
            } else {
                terms(["."].into_iter())
            };
            return TestsExpression { text, level: None };
        }
        names = wider;
    }
}

/// A `.runsettings` file for VSTest that selects the same tests: it may be of any length.
pub fn tests_run_settings(answer: &TestsAnswer, level: TestsLevel, max: usize) -> String {
    let filter = tests_filter(answer, level, max);
    let mut escaped = String::with_capacity(filter.len());
    for c in filter.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<RunSettings>\n  <RunConfiguration>\n    \
         <TestCaseFilter>{escaped}</TestCaseFilter>\n  </RunConfiguration>\n</RunSettings>\n"
    )
}

/// Whether a filter for tests of a range names their methods: where these are too long, it names classes.
pub(crate) fn names_methods(tests: &[&ReachingTest]) -> bool {
    let names = names_of(tests.iter().copied(), TestsLevel::Methods);
    terms(names.iter().map(String::as_str)).len() <= MAX_EXPRESSION
}

/// The names that select tests.
fn names(answer: &TestsAnswer, level: TestsLevel, max: usize) -> BTreeSet<String> {
    let first = |tests: &'_ [ReachingTest]| tests.len().min(max);
    let tests = answer.subjects.iter().flat_map(|answer| {
        let (tests, set_up) = (&answer.tests, &answer.set_up);
        selected(&tests[..first(tests)], &set_up[..first(set_up)])
    });
    names_of(tests, level)
}

fn names_of<'t>(
    tests: impl Iterator<Item = &'t ReachingTest>,
    level: TestsLevel,
) -> BTreeSet<String> {
    tests
        .map(|test| match level {
            TestsLevel::Classes => format!("{}.", test.class),
            TestsLevel::Methods => format!("{}.{}", test.class, test.method),
        })
        .collect()
}

/// The expression that selects what has one of these in its full name.
pub(crate) fn terms<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let terms: Vec<String> = names
        .map(|name| format!("FullyQualifiedName~{}", escaped(name)))
        .collect();
    terms.join("|")
}

/// A name within a filter: what has a meaning there is escaped as VSTest wants it.
fn escaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '\\' | '(' | ')' | '&' | '|' | '=' | '!' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

struct Part<'a> {
    title: &'static str,
    tests: Vec<&'a ReachingTest>,
}

fn parts(answer: &SubjectTests) -> Vec<Part<'_>> {
    let of_own = |test: &&ReachingTest| !test.is_by_test_code;
    let (possible, sure) = (answer.tests.iter())
        .filter(of_own)
        .partition(|test| !test.certainty.is_exact());
    let all = answer.tests.iter().chain(&answer.set_up);
    let parts = [
        Part {
            title: match answer.is_of_types {
                true => "Tests of the types that changed, none of which reaches what did",
                false => "Tests that reach it, by number of steps",
            },
            tests: sure,
        },
        Part {
            title: "Tests that may reach it by reflection",
            tests: possible,
        },
        Part {
            title: "Tests that reach it only through setup: constructors, fixtures, data",
            tests: answer.set_up.iter().filter(of_own).collect(),
        },
        Part {
            title: "Tests that reach changed test code alone: helpers, base classes, doubles",
            tests: all.filter(|test| test.is_by_test_code).collect(),
        },
    ];
    parts
        .into_iter()
        .filter(|part| !part.tests.is_empty())
        .collect()
}

/// What was asked, with what it means.
fn subject(answer: &SubjectTests) -> String {
    if let Some(error) = &answer.error {
        return error.clone();
    }
    if let Some(name) = &answer.corrected_to {
        return format!("{name} ({})", crate::look::no_such_symbol(&answer.asked));
    }
    match answer.members.as_slice() {
        [] => format!("{} (no changed members)", answer.asked),
        [one] if *one == answer.asked => one.clone(),
        [one] => format!("{} ({one})", answer.asked),
        several => format!("{} ({} members)", answer.asked, several.len()),
    }
}

/// A mark for tests that runners leave out.
fn skipped(test: &ReachingTest) -> String {
    let skipped = if test.skipped { " (skipped)" } else { "" };
    skipped.to_owned() + &only_in(&test.frameworks)
}

fn summary(answer: &SubjectTests) -> String {
    if answer.n_all == 0 {
        return "no tests in this repository".to_owned();
    }
    let n = answer.tests.len() + answer.set_up.len();
    let share = 100.0 * n as f64 / answer.n_all as f64;
    format!("{n} of {} tests ({share:.1}%)", answer.n_all)
}

fn further(part: &Part<'_>, max: usize, options: &RenderOptions<'_>) -> String {
    match part.tests.len().saturating_sub(max) {
        0 => String::new(),
        n => format!(
            "  … and {n} more ({})\n",
            options.more(More::Tests {
                total: part.tests.len()
            })
        ),
    }
}

/// The members between the test and the target, with the target; none for the test itself.
fn way(test: &ReachingTest) -> Option<String> {
    let names: Vec<&str> = test.path.iter().skip(1).map(|id| short(id)).collect();
    (!names.is_empty()).then(|| arrows(&names, MAX_WAY))
}

/// Names with arrows; what lies between the first and the last ones is left out beyond `max`.
pub(crate) fn arrows(names: &[&str], max: usize) -> String {
    if names.len() <= max {
        return names.join(" → ");
    }
    let (head, tail) = (&names[..max / 2], &names[names.len() - max / 2..]);
    format!("{} → … → {}", head.join(" → "), tail.join(" → "))
}
