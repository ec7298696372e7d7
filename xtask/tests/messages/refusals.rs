//! Requires a test that states it for every reason for which `cortex-edit` refuses an edit.
//!
//! Reasons are compared by their words: placeholders, code and numbers may be anything.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;
use xtask::workspace;

use crate::code::{files, literals, parts};

/// Reasons that no test states, with why.
const EXEMPT: &[(&str, &str)] = &[
    (
        "the repository belongs to another user",
        "one user runs the tests",
    ),
    (
        "its name leads elsewhere",
        "paths are checked when a plan is made",
    ),
    (
        "no project compiles it",
        "files without a project are one of their own",
    ),
    (
        "its uses cannot be followed",
        "a limit of rounds, which no code is known to need",
    ),
    (
        "its projects differ by target framework",
        "needs a repository with several frameworks",
    ),
    (
        "the assembly `{name}` declares the namespace as well",
        "needs an assembly on disk",
    ),
    (
        "{place}: the name is used, not the value",
        "all known uses of a local have their value",
    ),
    (
        "one edit gives `{}` another path, and another one makes a file there",
        "new paths are looked for on disk first",
    ),
    ("its declaration cannot be read", GUARD),
    ("its type cannot be read", GUARD),
    ("two edits would overlap", GUARD),
    ("two places that change overlap", GUARD),
    ("two places of `{path}` that change overlap", GUARD),
    ("two places of `{path}` overlap", GUARD),
    ("its code changes with the using directives", GUARD),
    ("its members and its using directives share a place", GUARD),
    (
        "the content {id} is damaged",
        "needs an operation whose stored files somebody edited",
    ),
];

/// Why some cannot be produced: they catch a plan that contradicts itself, which would be an error of this program.
const GUARD: &str = "guards against a plan that contradicts itself";

/// A reason in the code of a refusal.
static REASON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?:refused\(\s*|reason:\s*|reason = |refusal\(\s*|Err\()(?:format!\(\s*)?"((?:[^"\\]|\\.)*)""#,
    )
    .expect("it is an expression")
});

/// What differs from case to case: placeholders, code, numbers, and line ends of the source.
static VARIABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`[^`]*`|\{[^}]*\}|\d+|\\\n\s*").expect("it is an expression"));

/// The words that a text has in every case.
fn words(text: &str) -> String {
    let words = VARIABLE.replace_all(text, " ");
    let words: Vec<&str> = words.split_whitespace().collect();
    (words.join(" ").trim_matches([' ', ':', ',', ';'])).to_owned()
}

/// Whether a literal of a test states a reason: it has all of its words, or at least two of them in their order.
fn is_stated(reason: &str, literal: &str) -> bool {
    literal.contains(reason)
        || literal.contains(' ') && literal.len() > 8 && reason.contains(literal)
}

/// What the tests of all crates state.
fn stated() -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for path in files(&workspace::root().join("crates")) {
        let (_, tests) = parts(&path);
        out.extend(literals(&tests).into_iter().map(|(_, it)| words(it)));
    }
    out
}

#[test]
fn every_reason_of_a_refusal_is_stated_by_a_test() {
    let stated = stated();
    let mut unstated = BTreeSet::new();
    for path in files(&workspace::root().join("crates/cortex-edit/src")) {
        let (code, _) = parts(&path);
        for found in REASON.captures_iter(&code) {
            let reason = words(&found[1]);
            if !stated.iter().any(|literal| is_stated(&reason, literal)) {
                unstated.insert(found[1].to_owned());
            }
        }
    }
    let exempt: BTreeSet<String> = EXEMPT
        .iter()
        .map(|(reason, _)| (*reason).to_owned())
        .collect();
    let missing: Vec<_> = unstated.difference(&exempt).collect();
    let useless: Vec<_> = exempt.difference(&unstated).collect();
    assert!(missing.is_empty(), "no test states: {missing:#?}");
    assert!(
        useless.is_empty(),
        "tests state, or nothing gives: {useless:#?}"
    );
}

#[test]
fn a_test_states_a_reason_by_its_words() {
    let reason = words("it is declared together with `{other}`");
    assert!(is_stated(
        &reason,
        &words("A.cs:3: it is declared together with `b`")
    ));
    assert!(is_stated(&reason, &words("declared together with `b`")));
    assert!(!is_stated(&reason, "together"));
    assert!(!is_stated(&reason, &words("declared with `b`")));
    assert_eq!(words("evaluated {} times"), words("evaluated 2 times"));
}
