//! `tests`: laws about what is among the tests of a member.

use crate::harness::World;
use cortex_check::programs::dispatch;

fn world() -> World {
    World::with_files(dispatch::FILES)
}

#[test]
fn skipped_tests_are_marked_in_every_form() {
    let world = world();
    let text = world.answer(&["tests", "IDo.Go", "--at", "HEAD"]);
    assert!(text.contains("A_skipped_one (skipped)"), "{text}");
    assert_eq!(text.matches("(skipped)").count(), 1, "{text}");
    let lines = world.answer(&["tests", "IDo.Go", "--at", "HEAD", "--format", "jsonl"]);
    assert_eq!(lines.matches(r#""skipped":true"#).count(), 1, "{lines}");
}
