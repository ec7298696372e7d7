//! Symbols that answers name can be asked for again, and places mean what stands at them.

use crate::harness::World;
use cortex_check::programs::spellings;

fn world() -> World {
    World::with_files(spellings::FILES)
}

#[test]
fn every_documentation_id_of_an_export_can_be_asked_for() {
    let world = world();
    let export = world.answer(&["export", "--at", "HEAD"]);
    let mut n_asked = 0;
    for line in export.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        if !matches!(record["k"].as_str(), Some("type" | "member")) {
            continue;
        }
        let id = record["id"].as_str().expect("a documentation id");
        let answer = world.show(&["resolve", id, "--at", "HEAD"]);
        assert!(!answer.contains("error:"), "{id}: {answer}");
        if record["synth"] != true {
            assert!(answer.contains(id), "{id} means itself: {answer}");
        }
        n_asked += 1;
    }
    assert!(n_asked > 30, "{n_asked}");
}
