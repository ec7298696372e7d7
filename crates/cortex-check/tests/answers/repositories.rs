//! `diff-context`: every kind of repository and of change has a sensible answer.

use std::fs;

use cortex_check::{Service, json};
use cortex_fixture::{Fixture, run_git};

use crate::{PROJECT, check_change};

const A: &str = "namespace App;\n\npublic class A\n{\n    public int N() => 1;\n\n    public int O() => N();\n}\n";

fn small() -> Service {
    let world = Service::with_files(&[("App.csproj", PROJECT), ("A.cs", A)]);
    world.edit("A.cs", "N() => 1", "N(int x) => x");
    world.commit("Take x");
    world
}

#[test]
fn shallow() {
    let world = small();
    let source = format!("file://{}", world.path().display());
    let shallow = Service::created_by(|folder| {
        let folder = folder.to_string_lossy();
        world.git(&["clone", "--quiet", "--depth=1", &source, &folder]);
    });
    check_change(
        "repository_shallow",
        &shallow,
        json!({"revisions": ["HEAD"]}),
    );
    check_change(
        "repository_shallow_before",
        &shallow,
        json!({"revisions": ["HEAD~1"]}),
    );
}

#[test]
fn sha256() {
    let world = Service::created_by(|folder| {
        fs::create_dir(folder).expect("the folder is new");
        Fixture::git(folder, &["init", "--quiet", "--object-format=sha256"])
            .expect("git creates the repository");
    });
    world.commit_files(&[("App.csproj", PROJECT), ("A.cs", A)], "Add A");
    world.edit("A.cs", "N() => 1", "N(int x) => x");
    world.commit("Take x");
    check_change(
        "repository_sha256",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
    );
}

#[test]
fn a_submodule_moves() {
    let world = small();
    let other = Service::with_files(&[("S.cs", "class S { }\n")]);
    world.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &other.path().to_string_lossy(),
        "sub",
    ]);
    world.edit(".gitmodules", &other.path().to_string_lossy(), "../other");
    world.commit("Add a submodule");
    check_change(
        "change_submodule_added",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
    );
    other.commit_files(&[("S.cs", "class S { int x; }\n")], "Add x");
    run_git(
        &world.path().join("sub"),
        &["-c", "protocol.file.allow=always", "pull", "--quiet"],
    )
    .expect("git fetches from a folder");
    check_change("change_submodule_dirty", &world, json!({}));
    world.commit("Move the submodule");
    check_change(
        "change_submodule",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
    );
}

#[test]
fn a_binary_file() {
    let world = small();
    world.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\x01");
    world.write("Bad.cs", b"class Bad { }\0\0\x01\xff\xfe");
    world.commit("Add a picture");
    check_change(
        "change_binary",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
    );
}

#[test]
fn a_file_renamed_and_edited() {
    let world = small();
    world.git(&["mv", "A.cs", "Renamed.cs"]);
    world.edit("Renamed.cs", "O() => N()", "O() => 5");
    world.commit("Rename");
    check_change(
        "change_rename",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
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
    check_change(
        "change_mode",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
    );
    fs::remove_file(&file).expect("the file is ours");
    std::os::unix::fs::symlink("App.csproj", &file).expect("links can be made");
    world.commit("Make it a link");
    check_change(
        "change_to_link",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
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
    check_change(
        "change_project_deleted",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
    );
}

#[test]
fn a_merge() {
    let world = small();
    world.git(&["checkout", "--quiet", "-b", "side", "HEAD~1"]);
    world.commit_files(&[("B.cs", "class B { }\n")], "Add B");
    world.git(&["checkout", "--quiet", "main"]);
    world.git(&["merge", "--quiet", "--no-edit", "side"]);
    check_change(
        "change_merge",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
    );
    check_change(
        "change_merge_second_parent",
        &world,
        json!({"revisions": ["HEAD^2..HEAD"]}),
    );
}

#[test]
fn everything_is_deleted() {
    let world = small();
    world.git(&["rm", "--quiet", "-r", "."]);
    world.git(&["commit", "--quiet", "--message", "Remove all"]);
    check_change(
        "change_everything_deleted",
        &world,
        json!({"revisions": ["HEAD~1..HEAD"]}),
    );
}
