//! What answers say of what they leave out: filters, code that is not compiled, names that are none, space and time.

use crate::harness::{World, shown};
use cortex_check::programs::chain;

/// A chain from tests through a library: `MiddleTests.Emits` → `Middle.Emit` → `Log.Write` → `Log.Trace`.
fn chain() -> World {
    World::with_files(chain::FILES)
}

#[test]
fn what_the_budget_left_out_is_shown_by_the_command_that_was_asked() {
    let world = chain();
    let many: String = (0..400)
        .map(|n| format!("    void M{n}() => Log.Write(\"\");\n"))
        .collect();
    world.write(
        "App/Many.cs",
        format!("namespace Shop;\nclass Many\n{{\n{many}}}\n"),
    );
    let options = [
        "--path",
        "App",
        "--no-test",
        "--limit",
        "500",
        "--budget",
        "2000",
    ];
    let text = world.answer(&[&["usages", "Log.Write", "--format", "md"], &options[..]].concat());
    assert!(
        text.contains("git cortex usages Log.Write --path App --no-test --limit 500 --budget"),
        "{text}"
    );
    // More room is no use where the limit is what keeps the rest away.
    let options = ["--path", "App", "--limit", "300", "--budget", "2000"];
    let text = world.answer(&[&["usages", "Log.Write", "--format", "md"], &options[..]].concat());
    assert!(
        text.contains("git cortex usages Log.Write --path App --limit 402 --budget"),
        "{text}"
    );
}
#[test]
fn time_that_is_over_is_said() {
    let world = chain();
    world.answer(&["map"]);
    for command in [
        &["outline", "Middle"][..],
        &["map"],
        &["deps", "Middle"],
        &["cycles"],
        &["callers", "Middle"],
        &["callees", "Middle"],
        &["usages", "Middle"],
        &["implementations", "Middle"],
        &["unused"],
    ] {
        let output = world.run(&[command, &["--timeout", "0ms"]].concat());
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(3), "{command:?}: {text}");
        assert!(
            text.contains("time") && text.contains("--timeout"),
            "{text}"
        );
    }
}
