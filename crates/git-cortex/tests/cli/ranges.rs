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
