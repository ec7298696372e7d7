//! Scopes against an independent model, and the examples of the IDE.

mod data;
mod degradation;
mod extent;
mod infix;
mod laws;
mod matcher;
mod named;
mod patterns;
mod programs;
mod references;
mod resolution;
mod universe;

use std::collections::BTreeMap;

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, TestRunner},
};

/// Cases of each property in a run, where `PROPTEST_CASES` says nothing else.
const N_CASES: u32 = 10_000;

fn cases() -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.and_then(|it| it.parse().ok()).unwrap_or(N_CASES),
        failure_persistence: None,
        ..Config::default()
    }
}

/// So many inputs are looked at for what a generator makes.
const N_LOOKED_AT: u32 = 2_000;

/// Asserts how much of what a generator makes is of some kinds, so that a property does not hold for want of inputs
/// that could break it. `kinds_of` tells those of one input; shares are in percent, at least.
#[track_caller]
fn check_shares<S: Strategy>(
    strategy: &S,
    kinds_of: impl Fn(&S::Value) -> Vec<&'static str>,
    least: &[(&'static str, u32)],
) {
    let mut runner = TestRunner::deterministic();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..N_LOOKED_AT {
        let input = strategy.new_tree(&mut runner).expect("an input").current();
        for kind in kinds_of(&input) {
            *counts.entry(kind).or_default() += 1;
        }
    }
    for (kind, percent) in least {
        let found = counts.get(kind).copied().unwrap_or(0) * 100 / N_LOOKED_AT;
        assert!(
            found >= *percent,
            "{kind}: {found} %, not {percent} %; {counts:?}"
        );
    }
}
