//! `diff-context`: ranges mean what they mean to `git diff`.

use cortex_check::{Service, Value, json};

use crate::{PROJECT, check_change};

const A: &str = "namespace App;\n\npublic class A\n{\n    public int N() => 1;\n}\n";
const B: &str = "namespace App;\n\npublic class B\n{\n    public int M() => new A().N();\n}\n";

/// A repository whose branch `side` left `main` one commit ago.
fn with_branch() -> Service {
    let world = Service::with_files(&[("App.csproj", PROJECT), ("A.cs", A), ("B.cs", B)]);
    world.git(&["checkout", "--quiet", "-b", "side"]);
    world.edit("B.cs", "M()", "M(int times)");
    world.commit("Count in B");
    world.git(&["checkout", "--quiet", "main"]);
    world.edit("A.cs", "=> 1", "=> 2");
    world.commit("Return two");
    world
}

/// Checks which files changed.
#[track_caller]
fn check_files(world: &Service, request: Value, expected: &[&str]) {
    let answer = world.answer("diff-context", request);
    let files = answer["files"].as_array().expect("an answer has files");
    let mut paths: Vec<&str> = files
        .iter()
        .filter_map(|file| file["file"].as_str())
        .collect();
    paths.sort_unstable();
    assert_eq!(paths, expected);
}

#[test]
fn two_and_three_dots() {
    let world = with_branch();
    check_files(
        &world,
        json!({"revisions": ["main..side"]}),
        &["A.cs", "B.cs"],
    );
    check_files(
        &world,
        json!({"revisions": ["main", "side"]}),
        &["A.cs", "B.cs"],
    );
    check_files(&world, json!({"revisions": ["main...side"]}), &["B.cs"]);
    check_files(
        &world,
        json!({"revisions": ["main..side"], "paths": ["A.cs"]}),
        &["A.cs"],
    );
    check_files(
        &world,
        json!({"revisions": ["main..side"], "paths": [":!A.cs"]}),
        &["B.cs"],
    );
    check_change(
        "range_two_dots",
        &world,
        json!({"revisions": ["main..side"]}),
    );
    check_change(
        "range_three_dots",
        &world,
        json!({"revisions": ["main...side"]}),
    );
}

#[test]
fn the_index_and_the_work_tree() {
    let world = with_branch();
    check_files(&world, json!({}), &[]);
    world.edit("A.cs", "=> 2", "=> 3");
    world.git(&["add", "A.cs"]);
    world.edit("B.cs", "M()", "M(string name)");
    world.write("C.cs", "namespace App;\n\npublic class C : A\n{\n}\n");
    world.write(".gitignore", "ignored.cs\n");
    world.write("ignored.cs", "class Ignored { }\n");
    check_files(&world, json!({"cached": true}), &["A.cs"]);
    check_files(&world, json!({}), &[".gitignore", "A.cs", "B.cs", "C.cs"]);
    check_change("range_cached", &world, json!({"cached": true}));
    check_change("range_work_tree", &world, json!({}));
    check_change(
        "range_work_tree_from_before",
        &world,
        json!({"revisions": ["HEAD~1"], "paths": ["A.cs"]}),
    );
}
