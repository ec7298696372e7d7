//! `scope`: how files and folders are written, from wherever one stands, and how files are printed.

use std::path::{Path, PathBuf};

use crate::harness::{World, shown};

fn world() -> World {
    World::with_files(&[
        ("README.md", "# Shop\n"),
        ("src/A.cs", "class A { }\n"),
        ("src/deep/U16.cs", "class U { }\n"),
        ("src/with space/n ä.txt", "1\n"),
        ("test/A.cs", "class T { }\n"),
    ])
}

/// What the command prints in a folder, which must succeed.
#[track_caller]
fn files_in(world: &World, folder: &Path, arguments: &[&str]) -> String {
    let output = world.run_in(folder, &[&["scope", "files"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", shown(&output));
    let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
    text.lines().collect::<Vec<_>>().join(" ")
}

#[cfg(unix)]
#[test]
fn names_are_printed_as_git_prints_them() {
    let names = [
        "a\nb",
        "back\\slash",
        "bell\u{7}\u{1b}",
        "quote\"d",
        "tab\t",
        "ä b",
    ];
    let world = World::with_files(&names.map(|name| (name, "1")));
    let expected = world.git(&["-c", "core.quotePath=false", "ls-files"]);
    assert_eq!(
        world.answer(&["scope", "files", "'Project Files'"]),
        expected
    );
    let expected = world.git(&["ls-files", "-z"]);
    assert_eq!(
        world.answer(&["scope", "files", "'Project Files'", "-z"]),
        expected
    );
}

#[test]
fn paths_that_end_with_nul_have_no_lines_and_those_of_options_are_from_where_one_stands() {
    let world = world();
    assert_eq!(
        world.answer(&["scope", "files", "type:A | dir(test)", "-z"]),
        "src/A.cs\0test/A.cs\0"
    );
    let src = world.path().join("src");
    for (folder, arguments, expected) in [
        (&*src, &["dir(src)", "--contains", "./A.cs"][..], "src/A.cs"),
        (
            &src,
            &["'Open Files'", "--open", "./A.cs", "--open", "README.md"],
            "README.md src/A.cs",
        ),
        (
            &src,
            &["Selection", "--selection", "./A.cs:1-1"],
            "src/A.cs:1",
        ),
        (world.path(), &["-C", "src", "files(./A.cs)"], "src/A.cs"),
    ] {
        assert_eq!(
            files_in(&world, folder, arguments),
            expected,
            "{arguments:?}"
        );
    }
}

#[test]
fn inside_of_the_git_directory_its_work_tree_is_meant() {
    let world = world();
    for folder in [".git", ".git/objects"] {
        let folder: PathBuf = world.path().join(folder);
        let output = world.run_in(&folder, &["search", "text", "Shop"]);
        assert!(
            shown(&output).starts_with("Shop: 1 hit in 1 file"),
            "{}",
            shown(&output)
        );
        assert_eq!(
            files_in(&world, &folder, &["files(./README.md)"]),
            "README.md"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_are_told_apart_and_come_back_as_they_are() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let world = world();
    for name in [&b"src/\xff.cs"[..], b"src/\\xff.cs"] {
        let path = world.path().join(OsStr::from_bytes(name));
        std::fs::write(path, "class Odd { }\n").expect("a file with an odd name");
    }
    world.commit("Add odd names");
    let listed = world.run(&["scope", "files", "dir(src)", "-z"]).stdout;
    let listed: Vec<&[u8]> = listed.split(|byte| *byte == 0).collect();
    for name in [&b"src/\xff.cs"[..], b"src/\\xff.cs"] {
        assert!(listed.contains(&name), "{listed:?}");
    }
    let told = world.answer(&["search", "symbols", "Odd", "--at", "HEAD"]);
    assert!(
        told.contains("2 symbols") || told.matches("Odd").count() > 1,
        "{told}"
    );
}
