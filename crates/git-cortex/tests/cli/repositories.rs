//! Every kind of repository and of change has a sensible answer.

use crate::{
    harness::{World, check},
    ranges::PROJECT,
};

const A: &str = "namespace App;\n\npublic class A\n{\n    public int N() => 1;\n\n    public int O() => N();\n}\n";

fn small() -> World {
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", A)]);
    world.edit("A.cs", "N() => 1", "N(int x) => x");
    world.commit("Take x");
    world
}

#[test]
fn without_a_commit() {
    let world = World::empty();
    check("repository_empty", &world.show(&["diff-context"]));
    check("repository_empty_status", &world.show(&["status"]));
    check(
        "repository_empty_head",
        &world.show(&["diff-context", "HEAD"]),
    );
    world.write("A.cs", A);
    check("repository_unborn", &world.show(&["diff-context"]));
    world.git(&["add", "A.cs"]);
    check(
        "repository_unborn_cached",
        &world.show(&["diff-context", "--cached"]),
    );
}

#[test]
fn bare() {
    let world = small();
    let bare = world.beside("bare.git");
    world.git(&["clone", "--quiet", "--bare", ".", &bare.to_string_lossy()]);
    check(
        "repository_bare",
        &world.show_in(&bare, &["diff-context", "HEAD~1..HEAD"]),
    );
    check(
        "repository_bare_default",
        &world.show_in(&bare, &["diff-context"]),
    );
    check("repository_bare_status", &world.show_in(&bare, &["status"]));
    assert!(
        bare.join("cortex").is_dir(),
        "the store lies in the repository"
    );
}

#[test]
fn a_second_work_tree_finds_the_commit_indexed() {
    let world = small();
    world.answer(&["index", "HEAD"]);
    let second = world.beside("second");
    world.git(&[
        "worktree",
        "add",
        "--quiet",
        "--detach",
        &second.to_string_lossy(),
    ]);
    let output = world.run_in(&second, &["index", "--format", "json"]);
    let answer: serde_json::Value = crate::wire::answer_of(&output.stdout);
    assert_eq!(
        answer["snapshots"][0]["work"],
        serde_json::json!({ "parsed": 0, "bound": 0, "snapshots": 0 })
    );
    let from_there = world.run_in(&second, &["diff-context", "HEAD~1"]).stdout;
    assert_eq!(from_there, world.run(&["diff-context", "HEAD~1"]).stdout);
}

#[test]
fn from_a_folder_inside() {
    let world = small();
    world.commit_files(&[("lib/B.cs", "class B { }\n")], "Add B");
    let folder = world.path().join("lib");
    let inside = world.run_in(&folder, &["diff-context", "HEAD~1"]).stdout;
    assert_eq!(inside, world.run(&["diff-context", "HEAD~1"]).stdout);
    check(
        "repository_folder",
        &world.show_in(&folder, &["diff-context", "HEAD~2", "--", "."]),
    );
}

#[test]
fn the_repository_that_the_environment_names_goes_first() {
    let (world, other) = (small(), World::demo());
    let output = other
        .command(&["diff-context", "HEAD~1..HEAD"])
        .env("GIT_DIR", world.path().join(".git"))
        .output()
        .expect("the command can be started");
    let expected = world.run(&["diff-context", "HEAD~1..HEAD"]);
    assert_eq!(output.stdout, expected.stdout);
}
