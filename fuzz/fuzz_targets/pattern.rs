//! Any text is a pattern with one normal form, or has an error at one of its places.

#![no_main]

use cortex_scope::pattern::PatternSet;
use libfuzzer_sys::fuzz_target;

/// The same set without lists in lists of their own kind, which no normal form tells apart.
fn flat(set: PatternSet) -> PatternSet {
    match set {
        PatternSet::Or(sets) => {
            let each = sets.into_iter().map(flat);
            PatternSet::Or(
                each.flat_map(|set| match set {
                    PatternSet::Or(inner) => inner,
                    other => vec![other],
                })
                .collect(),
            )
        }
        PatternSet::And(sets) => {
            let each = sets.into_iter().map(flat);
            PatternSet::And(
                each.flat_map(|set| match set {
                    PatternSet::And(inner) => inner,
                    other => vec![other],
                })
                .collect(),
            )
        }
        PatternSet::Not(set) => PatternSet::Not(Box::new(flat(*set))),
        leaf => leaf,
    }
}

/// Asks every pattern of a set for a text.
fn matches(set: &PatternSet, subject: &str) -> bool {
    match set {
        PatternSet::Or(sets) => sets.iter().any(|set| matches(set, subject)),
        PatternSet::And(sets) => sets.iter().all(|set| matches(set, subject)),
        PatternSet::Not(set) => !matches(set, subject),
        PatternSet::Named(_) => false,
        PatternSet::Leaf(leaf) => leaf.matches(subject),
    }
}

fuzz_target!(|text: &str| {
    match PatternSet::parse(text) {
        Err(error) => assert!(
            (1..=text.chars().count() + 1).contains(&error.position),
            "{error}"
        ),
        Ok(pattern) => {
            let normal = pattern.to_string();
            let again = PatternSet::parse(&normal).expect("a normal form is a pattern");
            assert_eq!(again.to_string(), normal, "normal forms are their own");
            assert_eq!(
                matches(&again, text),
                matches(&pattern, text),
                "both match alike"
            );
            assert_eq!(flat(again), flat(pattern), "the normal form means the same");
        }
    }
});
