//! `scope`: how files and folders are written, from wherever one stands, and how files are printed.

use std::path::{Path, PathBuf};

use serde_json::Value;

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

#[track_caller]
fn refused(world: &World, folder: &Path, arguments: &[&str]) -> String {
    let output = world.run_in(folder, &[&["scope", "files"], arguments].concat());
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    String::from_utf8(output.stderr).expect("errors are UTF-8")
}

fn url(path: &Path) -> String {
    format!("file://{}", path.display())
}

#[cfg(unix)]
#[test]
fn absolute_paths_and_urls_mean_the_same_from_everywhere() {
    let world = world();
    let link = world.beside("link");
    std::os::unix::fs::symlink(world.path(), &link).expect("links can be made");
    let real = world.path().canonicalize().expect("it is there");
    let src = world.path().join("src");
    for root in [world.path(), &link, &real] {
        for start in [world.path(), &src, &link] {
            let file = url(&root.join("README.md"));
            let folder = url(&root.join("src/deep"));
            let plain = root.join("src/deep/U16.cs").display().to_string();
            let is = |arguments: &[&str], expected: &str| {
                assert_eq!(
                    files_in(&world, start, arguments),
                    expected,
                    "{arguments:?}"
                );
            };
            is(&[&format!("files({file})")], "README.md");
            is(&[&format!("dir({folder})")], "src/deep/U16.cs");
            is(&[&format!("files({plain})")], "src/deep/U16.cs");
            is(
                &[&format!("dir({})", root.join("test").display())],
                "test/A.cs",
            );
            is(&["dir(src/deep)", "--contains", &plain], "src/deep/U16.cs");
            is(&["'Project Files'", "--contains", &file], "README.md");
            is(&["'Current File'", "--current", &plain], "src/deep/U16.cs");
            let program = format!(
                r#"{{"atoms":[{{"atomId":"a","kind":"FILES","fileUrls":["{file}"]}},{{"atomId":"b","kind":"DIRECTORY","directoryUrl":"{folder}"}}],"tokens":[{{"op":"PUSH_ATOM","atomId":"a"}},{{"op":"PUSH_ATOM","atomId":"b"}},{{"op":"OR"}}]}}"#
            );
            is(&[&program], "README.md src/deep/U16.cs");
        }
    }
    let spaced = url(&real.join("src/with%20space/n%20%C3%A4.txt"));
    assert_eq!(
        files_in(&world, world.path(), &[&format!("files({spaced})")]),
        "src/with space/n ä.txt"
    );
}

#[cfg(unix)]
#[test]
fn what_lies_outside_is_refused() {
    let world = world();
    for scope in [
        "files(/nowhere/A.cs)",
        "dir(/nowhere)",
        "files(file:///nowhere/A.cs)",
    ] {
        let error = refused(&world, world.path(), &[scope]);
        assert!(
            error.contains("is outside the repository at `file:///"),
            "{error}"
        );
    }
    let error = refused(
        &world,
        world.path(),
        &["Tests", "--contains", "/nowhere/A.cs"],
    );
    assert!(error.contains("is outside the repository"), "{error}");
    let error = refused(&world, &world.path().join("src"), &["files(../../A.cs)"]);
    assert!(error.contains("leads out of the repository"), "{error}");
}

#[test]
fn paths_with_dots_are_from_where_one_stands_and_all_others_from_the_root() {
    let world = world();
    let src = world.path().join("src");
    let is = |folder: &Path, arguments: &[&str], expected: &str| {
        assert_eq!(
            files_in(&world, folder, arguments),
            expected,
            "{arguments:?}"
        );
    };
    is(&src, &["files(src/A.cs)"], "src/A.cs");
    is(&src, &["files(./A.cs, ../README.md)"], "README.md src/A.cs");
    is(
        &src,
        &["dir(.) & !dir(src/deep)"],
        "src/A.cs src/with space/n ä.txt",
    );
    is(&src, &["dir(./deep)"], "src/deep/U16.cs");
    is(&src, &["dir(..) & pattern(file:*.md)"], "README.md");
    is(&src, &["dir(src)", "--contains", "./A.cs"], "src/A.cs");
    is(
        &src,
        &["'Open Files'", "--open", "./A.cs", "--open", "README.md"],
        "README.md src/A.cs",
    );
    is(
        &src,
        &["Selection", "--selection", "./A.cs:1-1"],
        "src/A.cs:1",
    );
    is(world.path(), &["-C", "src", "files(./A.cs)"], "src/A.cs");
    // As data a folder is the same from everywhere.
    let output = world.run_in(
        &src,
        &["scope", "describe", "dir(.) | dir(..)", "--format", "json"],
    );
    let program = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert!(
        program.contains(r#""repo:/src""#) && program.contains(r#""repo:/""#),
        "{program}"
    );
    is(
        &world.path().join("test"),
        &[&program, "--limit", "1"],
        "README.md",
    );
    let descriptor = crate::wire::answer_of(program.as_bytes())["descriptor"].take();
    let name = descriptor["displayName"].as_str().expect("it is shown");
    is(&src, &[name, "--limit", "1"], "README.md");
}

#[test]
fn a_path_without_a_file_is_an_error_that_says_what_may_be_meant() {
    let world = world();
    let src = world.path().join("src");
    for arguments in [
        &["files(U16.cs)"][..],
        &["Tests", "--contains", "U16.cs"],
        &["'Open Files'", "--open", "U16.cs"],
        &["'Current File'", "--current", "U16.cs"],
        &["Selection", "--selection", "U16.cs:1-2"],
    ] {
        let error = refused(&world, &src, arguments);
        assert!(
            error.contains("no file `repo:/U16.cs`; did you mean `repo:/src/deep/U16.cs`?"),
            "{arguments:?}: {error}"
        );
    }
    let error = refused(&world, &src, &["dir(deep)"]);
    assert!(error.contains("did you mean `repo:/src/deep`?"), "{error}");
    let error = refused(&world, &src, &["files(src/deep)"]);
    assert!(error.contains("write `dir(src/deep)`"), "{error}");
    let error = refused(&world, &src, &["dir(src/A.cs)"]);
    assert!(error.contains("write `files(src/A.cs)`"), "{error}");
}

#[test]
fn whether_a_file_is_in_a_scope_is_said_in_json() {
    let world = world();
    let ask = |path: &str| {
        let arguments = [
            "scope",
            "files",
            "dir(src)",
            "--contains",
            path,
            "--format",
            "json",
        ];
        let output = world.run(&arguments);
        let answer: Value = crate::wire::answer_of(&output.stdout);
        (output.status.code(), answer)
    };
    let (code, answer) = ask("src/A.cs");
    assert_eq!((code, &answer["contains"]), (Some(0), &Value::Bool(true)));
    assert_eq!(answer["files"][0]["file"], "src/A.cs");
    let (code, answer) = ask("README.md");
    assert_eq!((code, &answer["contains"]), (Some(1), &Value::Bool(false)));
    assert!(answer.get("has_more").is_none(), "{answer}");
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
fn paths_that_end_with_nul_have_no_lines() {
    let world = world();
    assert_eq!(
        world.answer(&["scope", "files", "type:A | dir(test)", "-z"]),
        "src/A.cs\0test/A.cs\0"
    );
}

#[test]
fn a_file_that_a_change_deletes_or_adds_can_be_named() {
    let world = world();
    std::fs::remove_file(world.path().join("src/A.cs")).expect("it is there");
    std::fs::remove_file(world.path().join("src/deep/U16.cs")).expect("it is there");
    world.write("new/New.cs", "class New { }\n");
    for (scope, path) in [
        ("files(src/A.cs)", "src/A.cs"),
        ("files(new/New.cs)", "new/New.cs"),
        ("dir(src/deep)", "src/deep/U16.cs"),
        ("dir(new)", "new/New.cs"),
    ] {
        let answer = world.json(&["diff-context", "HEAD", "--scope", scope]);
        let files = answer["files"].as_array().expect("a list");
        let paths: Vec<&Value> = files
            .iter()
            .map(|it| {
                if it["file"].is_null() {
                    &it["oldFile"]
                } else {
                    &it["file"]
                }
            })
            .collect();
        assert_eq!(paths, [path], "{scope}");
    }
    world.write("new/New.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\" />");
    let arguments = [
        "diff-context",
        "HEAD",
        "--scope",
        "module(New) | files(src/A.cs)",
    ];
    let paths: Vec<Value> = world.json(&arguments)["files"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["file"].clone())
        .collect();
    assert_eq!(paths, ["new/New.cs", "new/New.csproj", "src/A.cs"]);
    let output = world.run(&["diff-context", "HEAD", "--scope", "module(Gone)"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    let output = world.run(&["diff-context", "HEAD", "--scope", "files(src/gone.cs)"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
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
