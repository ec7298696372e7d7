//! Ranges mean what they mean to `git diff`; a wrong one is an error with a way out.

use crate::harness::{World, check};

/// A world whose branch `side` left `main` one commit ago.
fn with_branch() -> World {
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", A), ("B.cs", B)]);
    world.git(&["checkout", "--quiet", "-b", "side"]);
    world.edit("B.cs", "M()", "M(int times)");
    world.commit("Count in B");
    world.git(&["checkout", "--quiet", "main"]);
    world.edit("A.cs", "=> 1", "=> 2");
    world.commit("Return two");
    world
}

pub(crate) const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n  </PropertyGroup>\n</Project>\n";
const A: &str = "namespace App;\n\npublic class A\n{\n    public int N() => 1;\n}\n";
const B: &str = "namespace App;\n\npublic class B\n{\n    public int M() => new A().N();\n}\n";

#[test]
fn no_change_is_said_and_is_no_failure() {
    let world = with_branch();
    check("range_nothing", &world.show(&["diff-context"]));
    assert_eq!(
        world.show(&["diff-context", "--cached"]),
        world.show(&["diff-context", "--staged"])
    );
    check(
        "range_nothing_patch",
        &world.show(&["diff-context", "--format", "patch"]),
    );
    assert_eq!(
        world.run(&["diff-context", "--exit-code"]).status.code(),
        Some(0)
    );
    assert_eq!(
        world
            .run(&["diff-context", "--exit-code", "HEAD~1"])
            .status
            .code(),
        Some(1)
    );
    assert_eq!(
        world.run(&["diff-context", "HEAD~1"]).status.code(),
        Some(0)
    );
}

#[test]
fn errors_say_what_to_do() {
    let world = with_branch();
    for (name, arguments) in [
        ("before_the_root", &["diff-context", "HEAD~9"][..]),
        ("unknown_revision", &["diff-context", "mian"]),
        ("unknown_revision_of_index", &["index", "mian"]),
        ("not_a_revision_but_a_path", &["diff-context", "A.cs"]),
        ("range_of_three", &["diff-context", "main", "side", "HEAD"]),
        ("outside_path", &["diff-context", "HEAD~1", "--", "../x"]),
        ("no_such_folder", &["-C", "nowhere", "status"]),
        ("bad_budget", &["diff-context", "--budget", "many"]),
        ("bad_command", &["difcontext"]),
        ("no_command", &[]),
    ] {
        check(&format!("error_{name}"), &world.show(arguments));
    }
}

#[test]
fn outside_of_a_repository() {
    let world = World::empty();
    let place = world.beside("nothing");
    std::fs::create_dir(&place).expect("the folder is new");
    check(
        "error_not_a_repository",
        &world.show_in(&place, &["diff-context"]),
    );
}

#[test]
fn a_framework_that_no_project_has_is_refused_about_changes_as_well() {
    let world = with_branch();
    let questions: [&[&str]; 4] = [
        &["diff-context", "main..side"],
        &["api", "main..side"],
        &["history", "App.A"],
        &["tests", "main..side"],
    ];
    for question in questions {
        let output = world.run(&[question, &["--tfm", "net4.0"]].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{question:?}");
        assert!(text.contains("net8.0"), "{question:?}: {text}");
        let output = world.run(&[question, &["--tfm", "net8.0"]].concat());
        assert!(output.status.success(), "{question:?}");
    }
}

#[test]
fn questions_about_changes_say_where_there_is_no_csharp() {
    let world = World::with_files(&[("README.md", "nothing\n")]);
    world.write("README.md", "something\n");
    world.commit("Say something");
    let questions: [&[&str]; 4] = [
        &["diff-context", "HEAD~1..HEAD"],
        &["api", "HEAD~1..HEAD"],
        &["tests", "HEAD~1..HEAD"],
        &["history", "App.A"],
    ];
    for question in questions {
        let output = world.run(question);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            text.contains("no C# files in this repository"),
            "{question:?}: {text}"
        );
    }
}
