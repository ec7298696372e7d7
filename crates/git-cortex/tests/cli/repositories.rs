//! Every kind of repository and of change has a sensible answer.

use std::fs;

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
fn shallow() {
    let world = small();
    let shallow = world.beside("shallow");
    let source = format!("file://{}", world.path().display());
    world.git(&[
        "clone",
        "--quiet",
        "--depth=1",
        &source,
        &shallow.to_string_lossy(),
    ]);
    check(
        "repository_shallow",
        &world.show_in(&shallow, &["diff-context", "HEAD"]),
    );
    check(
        "repository_shallow_before",
        &world.show_in(&shallow, &["diff-context", "HEAD~1"]),
    );
}

#[test]
fn sha256() {
    let world = World::initialized(&["--object-format=sha256"]);
    world.commit_files(&[("App.csproj", PROJECT), ("A.cs", A)], "Add A");
    world.edit("A.cs", "N() => 1", "N(int x) => x");
    world.commit("Take x");
    check(
        "repository_sha256",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
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

#[test]
fn a_submodule_moves() {
    let world = small();
    let other = World::with_files(&[("S.cs", "class S { }\n")]);
    world.git(&[
        "submodule",
        "--quiet",
        "add",
        &other.path().to_string_lossy(),
        "sub",
    ]);
    world.edit(".gitmodules", &other.path().to_string_lossy(), "../other");
    world.commit("Add a submodule");
    check(
        "change_submodule_added",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
    other.commit_files(&[("S.cs", "class S { int x; }\n")], "Add x");
    world.git_in(&world.path().join("sub"), &["pull", "--quiet"]);
    check("change_submodule_dirty", &world.show(&["diff-context"]));
    world.commit("Move the submodule");
    check(
        "change_submodule",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
}

#[test]
fn a_binary_file() {
    let world = small();
    world.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\x01");
    world.write("Bad.cs", b"class Bad { }\0\0\x01\xff\xfe");
    world.commit("Add a picture");
    check(
        "change_binary",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
    check(
        "change_binary_patch",
        &world.show(&["diff-context", "HEAD~1..HEAD", "--format", "patch"]),
    );
}

#[test]
fn a_file_renamed_and_edited() {
    let world = small();
    world.git(&["mv", "A.cs", "Renamed.cs"]);
    world.edit("Renamed.cs", "O() => N()", "O() => 5");
    world.commit("Rename");
    check(
        "change_rename",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
}

#[cfg(unix)]
#[test]
fn a_mode_change() {
    use std::os::unix::fs::PermissionsExt;
    let world = small();
    let file = world.path().join("A.cs");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    world.commit("Make it executable");
    check(
        "change_mode",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
    fs::remove_file(&file).expect("the file is ours");
    std::os::unix::fs::symlink("App.csproj", &file).expect("links can be made");
    world.commit("Make it a link");
    check(
        "change_to_link",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
}

#[test]
fn a_project_is_deleted() {
    let world = small();
    world.commit_files(
        &[
            ("Lib/Lib.csproj", PROJECT),
            ("Lib/L.cs", "namespace Lib;\n\npublic class L\n{\n}\n"),
        ],
        "Add Lib",
    );
    world.git(&["rm", "--quiet", "-r", "Lib"]);
    world.commit("Remove Lib");
    check(
        "change_project_deleted",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
}

#[test]
fn a_merge() {
    let world = small();
    world.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    world.commit_files(&[("B.cs", "class B { }\n")], "Add B");
    world.git(&["checkout", "--quiet", "main"]);
    world.git(&["merge", "--quiet", "--no-edit", "side"]);
    check(
        "change_merge",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
    check(
        "change_merge_second_parent",
        &world.show(&["diff-context", "HEAD^2..HEAD"]),
    );
}

#[test]
fn everything_is_deleted() {
    let world = small();
    world.git(&["rm", "--quiet", "-r", "."]);
    world.git(&["commit", "--quiet", "--message", "Remove all"]);
    check(
        "change_everything_deleted",
        &world.show(&["diff-context", "HEAD~1..HEAD"]),
    );
}
