//! The demonstration repository is the same on every machine.

use std::{fs, path::Path};

use xtask::demo::{build, hermetic_git, history};

/// Changes with every change to `fixtures/demo/history`: check that `cargo xtask run` still shows what it should.
const HEAD: &str = "c89db764e05e123d8185453c675571855daf96a6";

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = hermetic_git(folder)
        .args(arguments)
        .output()
        .expect("git is installed");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("git answers in UTF-8")
}

#[test]
fn equal_files_give_the_same_commits_everywhere() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let demo = folder.path().join("a demo");
    build(&history(), &demo).expect("the history is well formed");
    assert_eq!(git(&demo, &["rev-parse", "HEAD"]).trim(), HEAD);
    assert_eq!(
        git(&demo, &["status", "--porcelain"]),
        "",
        "the work tree is the commit"
    );
    git(&demo, &["fsck", "--strict", "--no-dangling"]);

    build(&history(), &demo).expect("a demonstration repository is replaced");
    assert_eq!(git(&demo, &["rev-parse", "HEAD"]).trim(), HEAD);
}

#[test]
fn every_folder_of_the_history_is_one_commit() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    build(&history(), folder.path()).expect("the history is well formed");
    let folders = fs::read_dir(history())
        .expect("the history is a folder")
        .count();
    assert_eq!(
        git(folder.path(), &["rev-list", "--count", "HEAD"]).trim(),
        folders.to_string()
    );
}

#[test]
fn the_last_commit_shows_what_the_product_is_for() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    build(&history(), folder.path()).expect("the history is well formed");
    let changes = git(folder.path(), &["diff", "--name-status", "-M", "HEAD~1"]);
    for expected in [
        "M\tDirectory.Packages.props",
        "A\tsrc/Kilnhouse.Core/Pricing/PricingContext.cs",
        "M\tsrc/Kilnhouse.Core/Pricing/IFiringPricer.cs",
        "\tsrc/Kilnhouse.Core/Queues/LoadPlanner.cs\tsrc/Kilnhouse.Core/Queues/RackPlanner.cs",
    ] {
        assert!(changes.contains(expected), "no `{expected}` in\n{changes}");
    }
}

#[test]
fn a_folder_with_something_else_in_it_is_left_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let precious = folder.path().join("precious.txt");
    fs::write(&precious, "mine").expect("the folder can be written");
    let error = build(&history(), folder.path()).expect_err("the folder is not a demonstration");
    assert!(error.to_string().contains("neither empty nor"), "{error}");
    assert!(precious.exists());
}

#[test]
fn a_history_that_breaks_its_format_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let commit = folder.path().join("history/01-first");
    fs::create_dir_all(&commit).expect("the folder can be written");
    fs::write(commit.join("message.txt"), "First\n").expect("the folder can be written");
    fs::write(commit.join("rename.txt"), "old.cs new.cs\n").expect("the folder can be written");
    let error = build(&folder.path().join("history"), &folder.path().join("demo"));
    let error = format!("{:#}", error.expect_err("the line has no arrow"));
    assert!(
        error.contains("01-first") && error.contains("has no ` -> `"),
        "{error}"
    );
}
