//! The programs of `corpus/rules`, bound whole, against what the C# compiler says of them.
//!
//! Owns: the comparison. Must not know: why anything means what it means. What still differs is listed,
//! rule by rule, in `conformance/expected-misses.txt`: a new miss fails, and so does a line of that
//! file that no longer misses.

mod bound;
mod truth;

use std::{collections::BTreeSet, path::PathBuf};

use self::truth::Records;

/// The kinds of records that are compared.
const KINDS: [&str; 7] = ["ref", "use", "in", "type", "member", "impl", "edge"];

/// Precision and recall must not fall below this, for references and uses.
const ENOUGH: f64 = 0.99;

fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/rules")
}

/// Precision, recall and what differs, one line each: `wrong KIND RULE …` for what should not be there,
/// `missed KIND RULE …` for what should be.
fn compare(kind: &str, truth: &Records, bound: &Records) -> (f64, f64, Vec<String>) {
    let (mut wanted, mut found) = (truth.of(kind).clone(), bound.of(kind).clone());
    if kind == "in" {
        // Of the references that mean the same on both sides alone.
        let same: BTreeSet<&str> = truth
            .of("ref")
            .intersection(bound.of("ref"))
            .map(|record| truth::place(record))
            .collect();
        wanted.retain(|record| same.contains(truth::place(record)));
        found.retain(|record| same.contains(truth::place(record)));
    }
    found.retain(|record| wanted.contains(record) || !truth.is_ignored(kind, record));
    let hits = wanted.intersection(&found).count() as f64;
    let share = |of: usize| if of == 0 { 1.0 } else { hits / of as f64 };
    let wrong = found.difference(&wanted);
    let missed = wanted.difference(&found);
    let lines = wrong
        .map(|it| format!("wrong {kind} {it}"))
        .chain(missed.map(|it| format!("missed {kind} {it}")));
    (share(found.len()), share(wanted.len()), lines.collect())
}

#[test]
fn the_rules_mean_what_the_compiler_says() {
    let truth = truth::read(&corpus().join("rules.jsonl.zst"));
    let bound = bound::bind(&corpus(), &truth.projects);
    let mut misses: BTreeSet<String> = BTreeSet::new();
    let mut scores = Vec::new();
    for kind in KINDS {
        let (precision, recall, found) = compare(kind, &truth.records, &bound);
        misses.extend(found);
        scores.push((kind, precision, recall));
    }
    let listed = include_str!("conformance/expected-misses.txt");
    let listed: BTreeSet<String> = listed
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(str::to_owned)
        .collect();
    let new: Vec<&str> = misses.difference(&listed).map(String::as_str).collect();
    let mended: Vec<&str> = listed.difference(&misses).map(String::as_str).collect();
    assert!(
        new.is_empty() && mended.is_empty(),
        "new misses:\n{}\n\nmended, to be struck off expected-misses.txt:\n{}\n\n{scores:.4?}",
        new.join("\n"),
        mended.join("\n")
    );
    for (kind, precision, recall) in scores {
        assert!(
            !matches!(kind, "ref" | "use") || (precision >= ENOUGH && recall >= ENOUGH),
            "{kind}: precision {precision:.4}, recall {recall:.4}"
        );
    }
}
