//! `index`, `status`, `gc` and the help texts.

use crate::harness::{World, check};

#[test]
fn help() {
    let world = World::empty();
    check("help_short", &world.show(&["-h"]));
    check("help_long", &world.show(&["--help"]));
    for command in ["diff-context", "index", "status", "export", "gc"] {
        check(
            &format!("help_{command}"),
            &world.show(&[command, "--help"]),
        );
    }
    let version = world.answer(&["--version"]);
    assert_eq!(
        version.trim(),
        format!("git-cortex {}", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn indexing_says_what_it_did() {
    let world = World::demo();
    check("index_first", &world.show(&["index"]));
    check("index_again", &world.show(&["index"]));
    check(
        "index_two",
        &world.show(&["index", "HEAD~2", "HEAD~1", "--format", "json"]),
    );
}

#[test]
fn status_in_every_form() {
    let world = World::demo();
    check("status", &world.show(&["status"]));
    check(
        "status_projects",
        &world.show(&["status", "--projects", "--at", "HEAD~5"]),
    );
    let text = world.show(&["status", "--format", "json"]);
    check("status_json", &text);
}

#[test]
fn what_is_indexed_and_what_is_not_add_up() {
    let world = World::demo();
    let files = &world.json(&["status"])["files"];
    let tracked = world.git(&["ls-files", "*.cs"]).lines().count() as u64;
    assert_eq!(files["tracked"].as_u64(), Some(tracked));
    let sum = files["indexed"]
        .as_u64()
        .zip(files["skipped"].as_u64())
        .map(|(a, b)| a + b);
    assert_eq!(sum, Some(tracked));
}

#[test]
fn collecting_keeps_what_is_used_and_loses_no_answer() {
    let world = World::demo();
    let before = world.answer(&["diff-context", "HEAD~1"]);
    check("gc", &world.show(&["gc"]));
    assert_eq!(
        world.json(&["index"])["snapshots"][0]["work"]["snapshots"],
        0,
        "it is kept"
    );
    check("gc_all", &world.show(&["gc", "--all"]));
    assert_eq!(world.answer(&["diff-context", "HEAD~1"]), before);
}

#[test]
fn from_nothing_and_from_a_neighbour_are_equal() {
    let world = World::demo();
    world.answer(&["index", "HEAD~9", "HEAD~3", "HEAD"]);
    let step_by_step = &world.json(&["index", "HEAD"])["snapshots"][0]["root"];
    let fresh = &world.json(&["index", "--fresh", "HEAD"])["snapshots"][0];
    assert_eq!(&fresh["root"], step_by_step);
    assert_eq!(fresh["work"]["parsed"], 0, "facts are kept");
}

#[test]
fn a_store_elsewhere() {
    let world = World::demo();
    let elsewhere = world.beside("elsewhere");
    let output = world
        .command(&["index"])
        .env("GIT_CORTEX_DIR", &elsewhere)
        .output()
        .expect("it can be started");
    assert!(output.status.success());
    assert!(elsewhere.is_dir() && !world.path().join(".git/cortex").exists());
    // A repository's own configuration cannot send writes anywhere.
    let stolen = world.beside("stolen");
    world.git(&["config", "cortex.dir", &stolen.to_string_lossy()]);
    world.answer(&["index"]);
    assert!(!stolen.exists() && world.path().join(".git/cortex").is_dir());
}
