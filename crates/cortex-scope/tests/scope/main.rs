//! Scopes against an independent model, and the examples of the IDE.

mod data;
mod extent;
mod infix;
mod laws;
mod matcher;
mod named;
mod patterns;
mod programs;
mod resolution;
mod universe;

use proptest::test_runner::Config;

/// So many cases of a property, or as many as `PROPTEST_CASES` says.
fn cases(default: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok();
    Config {
        cases: asked.and_then(|it| it.parse().ok()).unwrap_or(default),
        failure_persistence: None,
        ..Config::default()
    }
}
