//! `index`, `status`, `gc` and the help texts.

use cortex_store::{OpenOptions, SnapshotId, Store};

use crate::harness::{World, check, shown};

/// The store of a repository, while no command runs.
fn store_of(world: &World) -> Store {
    let folder = world.path().join(".git/cortex");
    Store::open(&folder, &OpenOptions::default()).expect("nobody uses it")
}

/// When each snapshot was last used.
fn uses(store: &Store) -> Vec<i64> {
    let all = store.snapshots().expect("it can be read");
    all.iter().map(|(_, snapshot)| snapshot.last_used).collect()
}

/// Makes all snapshots look as if they had been used long ago.
fn age(world: &World) {
    let store = store_of(world);
    let mut batch = store.begin_write().expect("it can be read");
    for (key, _) in store.snapshots().expect("it can be read") {
        batch.touch_snapshot(&key, 1);
    }
    batch.commit().expect("there is space");
}

fn n_snapshots(world: &World) -> usize {
    uses(&store_of(world)).len()
}

#[test]
fn help() {
    let world = World::empty();
    check("help_short", &world.show(&["-h"]));
    check("help_long", &world.show(&["--help"]));
    for command in ["diff-context", "history", "index", "status", "export", "gc"] {
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

#[test]
fn using_a_snapshot_keeps_it() {
    let world = World::demo();
    world.answer(&["index", "HEAD~3", "HEAD~2"]);
    age(&world);
    world.answer(&["status", "--at", "HEAD~2"]);
    let used = uses(&store_of(&world)).iter().filter(|&&at| at > 1).count();
    assert_eq!(used, 1, "it is noted when a snapshot is used");
    world.answer(&["gc"]);
    assert_eq!(n_snapshots(&world), 1);
}

#[test]
fn the_store_is_collected_by_itself_after_some_new_snapshots() {
    let world = World::demo();
    world.answer(&["index", "HEAD~6", "HEAD~5", "HEAD~4"]);
    age(&world);
    world.git(&["config", "cortex.gcAuto", "0"]);
    world.answer(&["index", "HEAD~3"]);
    assert_eq!(n_snapshots(&world), 4, "never");
    world.git(&["config", "cortex.gcAuto", "6"]);
    world.answer(&["index", "HEAD~2"]);
    assert_eq!(n_snapshots(&world), 5, "not yet");
    world.answer(&["index", "HEAD~1"]);
    // The base of what was made is in use as well.
    assert!(
        (3..=4).contains(&n_snapshots(&world)),
        "{}",
        n_snapshots(&world)
    );
}

#[test]
fn what_was_used_last_stays_within_the_size() {
    let world = World::demo();
    world.answer(&["index", "HEAD~6", "HEAD~5", "HEAD~4", "HEAD"]);
    let store = store_of(&world);
    let tip = world.git(&["rev-parse", "HEAD"]);
    let is_tip =
        |id: &SnapshotId| matches!(id, SnapshotId::Commit(id) if id.to_string() == tip.trim());
    age(&world);
    drop(store);
    world.answer(&["gc", "--days", "99999", "--max-size", "1k"]);
    let left = store_of(&world).snapshots().expect("it can be read");
    assert_eq!(left.len(), 1, "one always stays");
    assert!(is_tip(&left[0].0.id), "the tip goes last");
    let bad = world.run(&["gc", "--max-size", "much"]);
    assert_eq!(bad.status.code(), Some(2), "{}", shown(&bad));
}

#[test]
fn collecting_keeps_other_frameworks_and_drops_what_older_versions_made() {
    let world = World::demo();
    world.answer(&["index", "HEAD", "--tfm", "net8.0"]);
    world.answer(&["index", "HEAD"]);
    world.answer(&["gc"]);
    assert_eq!(n_snapshots(&world), 2);
    let store = store_of(&world);
    let mut batch = store.begin_write().expect("it can be read");
    for (config, _) in store.names("configs").expect("it can be read") {
        batch.put_name("configs", &config, &7u64.to_le_bytes());
    }
    batch.commit().expect("there is space");
    drop(store);
    world.answer(&["gc"]);
    assert_eq!(
        n_snapshots(&world),
        1,
        "the one of this version and framework"
    );
}

#[test]
fn collecting_all_keeps_and_names_what_cannot_be_computed_again() {
    let world = World::demo();
    world.answer(&["index"]);
    assert!(world.run(&["gc", "--all"]).stderr.is_empty());
    let store = store_of(&world);
    let mut batch = store.begin_write().expect("it can be read");
    batch.put_name("pins", "main", b"HEAD");
    batch.put_name("reviews", "a", b"1");
    batch.put_name("reviews", "b", b"2");
    batch.commit().expect("there is space");
    drop(store);
    let said = shown(&world.run(&["gc", "--all"]));
    assert!(said.contains("pins (1), reviews (2)"), "{said}");
    let store = store_of(&world);
    assert_eq!(
        store.name("pins", "main").expect("it can be read"),
        Some(b"HEAD".to_vec())
    );
    assert_eq!(store.snapshots().expect("it can be read"), []);
}

#[test]
fn a_history_that_is_too_large_for_the_store_leaves_its_newest_commits() {
    let world = World::demo();
    world.answer(&["index", "--history", "HEAD", "--first-parent"]);
    let n_all = n_snapshots(&world);
    let store = &world.json(&["status"])["store"];
    let bytes = ["factBytes", "pageBytes"].map(|name| store[name].as_u64().expect("a number"));
    world.answer(&["gc", "--all"]);
    let max = bytes.iter().sum::<u64>() * 9 / 10;
    world.git(&["config", "cortex.maxSize", &max.to_string()]);
    let output = world.run(&["index", "--history", "HEAD", "--first-parent"]);
    let text = shown(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("exceeded `cortex.maxSize`"), "{text}");
    let left = store_of(&world).snapshots().expect("it can be read");
    assert!(left.len() < n_all, "{} of {n_all}", left.len());
    for age in 0..left.len() {
        let commit = world.git(&["rev-parse", &format!("HEAD~{age}")]);
        let is_it = |id: &SnapshotId| matches!(id, SnapshotId::Commit(id) if id.to_string() == commit.trim());
        assert!(
            left.iter().any(|(key, _)| is_it(&key.id)),
            "HEAD~{age} of {}",
            left.len()
        );
    }
}
