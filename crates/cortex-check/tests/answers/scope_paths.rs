//! `scope`: how files and folders are written, from wherever one stands.

use std::path::Path;

use cortex_check::{Service, Value, error_lines, json};

fn world() -> Service {
    Service::with_files(&[
        ("README.md", "# Shop\n"),
        ("src/A.cs", "class A { }\n"),
        ("src/deep/U16.cs", "class U { }\n"),
        ("src/with space/n ä.txt", "1\n"),
        ("test/A.cs", "class T { }\n"),
    ])
}

/// The files that a request asked in a folder lists, a space between them.
#[track_caller]
fn files_from(world: &Service, folder: &str, request: Value) -> String {
    let envelope = world.envelope_from(folder, "scope-files", request);
    let files = envelope["answer"]["files"].as_array().expect("a list");
    let files: Vec<&str> = (files.iter())
        .map(|file| file["file"].as_str().expect("a path"))
        .collect();
    files.join(" ")
}

#[track_caller]
fn check_files(world: &Service, folder: &str, request: Value, expected: &str) {
    assert_eq!(
        files_from(world, folder, request.clone()),
        expected,
        "{request}"
    );
}

/// The error of a request asked in a folder.
#[track_caller]
fn check_error(world: &Service, folder: &str, request: Value, part: &str) {
    let text = error_lines(&world.error_from(folder, "scope-files", request.clone()));
    assert!(text.contains(part), "{request}: {text}");
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
    let real = world.path().canonicalize().expect("the repository exists");
    let text = |path: &Path| path.to_str().expect("paths are UTF-8").to_owned();
    for root in [world.path(), &link, &real] {
        // A folder that is an absolute path replaces that of the repository.
        for start in ["", "src", &text(&link)] {
            let file = url(&root.join("README.md"));
            let folder = url(&root.join("src/deep"));
            let plain = text(&root.join("src/deep/U16.cs"));
            let test = text(&root.join("test"));
            let program = json!({
                "atoms": [
                    {"atomId": "a", "kind": "FILES", "fileUrls": [file]},
                    {"atomId": "b", "kind": "DIRECTORY", "directoryUrl": folder},
                ],
                "tokens": [
                    {"op": "PUSH_ATOM", "atomId": "a"},
                    {"op": "PUSH_ATOM", "atomId": "b"},
                    {"op": "OR"},
                ],
            });
            for (request, expected) in [
                (json!({"scope": format!("files({file})")}), "README.md"),
                (
                    json!({"scope": format!("dir({folder})")}),
                    "src/deep/U16.cs",
                ),
                (
                    json!({"scope": format!("files({plain})")}),
                    "src/deep/U16.cs",
                ),
                (json!({"scope": format!("dir({test})")}), "test/A.cs"),
                (
                    json!({"scope": "dir(src/deep)", "contains": plain}),
                    "src/deep/U16.cs",
                ),
                (
                    json!({"scope": "'Project Files'", "contains": file}),
                    "README.md",
                ),
                (
                    json!({"scope": "'Current File'", "current": plain}),
                    "src/deep/U16.cs",
                ),
                (
                    json!({"scope": program.to_string()}),
                    "README.md src/deep/U16.cs",
                ),
            ] {
                check_files(&world, start, request, expected);
            }
        }
    }
    let spaced = url(&real.join("src/with%20space/n%20%C3%A4.txt"));
    let request = json!({"scope": format!("files({spaced})")});
    check_files(&world, "", request, "src/with space/n ä.txt");
}

#[test]
fn paths_outside_the_repository_are_errors() {
    let world = world();
    for scope in [
        "files(/nowhere/A.cs)",
        "dir(/nowhere)",
        "files(file:///nowhere/A.cs)",
    ] {
        let part = "is outside the repository at `file:///";
        check_error(&world, "", json!({"scope": scope}), part);
    }
    let request = json!({"scope": "Tests", "contains": "/nowhere/A.cs"});
    check_error(&world, "", request, "is outside the repository");
    let request = json!({"scope": "files(../../A.cs)"});
    check_error(&world, "src", request, "leads out of the repository");
}

#[test]
fn paths_with_dots_are_from_where_one_stands_and_all_others_from_the_root() {
    let world = world();
    for (scope, expected) in [
        ("files(src/A.cs)", "src/A.cs"),
        ("files(./A.cs, ../README.md)", "README.md src/A.cs"),
        ("dir(.) & !dir(src/deep)", "src/A.cs src/with space/n ä.txt"),
        ("dir(./deep)", "src/deep/U16.cs"),
        ("dir(..) & pattern(file:*.md)", "README.md"),
    ] {
        check_files(&world, "src", json!({"scope": scope}), expected);
    }
    // As data a folder is the same from everywhere.
    let request = json!({"scope": "dir(.) | dir(..)"});
    let answer = world.envelope_from("src", "scope-describe", request)["answer"].take();
    let program = answer["descriptor"].to_string();
    assert!(
        program.contains(r#""repo:/src""#) && program.contains(r#""repo:/""#),
        "{program}"
    );
    let name = &answer["descriptor"]["displayName"];
    for (folder, scope) in [("test", json!(program)), ("src", name.clone())] {
        let request = json!({"scope": scope, "limit": 1});
        check_files(&world, folder, request, "README.md");
    }
}

#[test]
fn a_path_without_a_file_is_an_error_that_says_what_may_be_meant() {
    let world = world();
    for request in [
        json!({"scope": "files(U16.cs)"}),
        json!({"scope": "Tests", "contains": "U16.cs"}),
        json!({"scope": "'Open Files'", "open": ["U16.cs"]}),
        json!({"scope": "'Current File'", "current": "U16.cs"}),
        json!({"scope": "Selection", "selection": [{"path": "U16.cs", "first": 1, "last": 2}]}),
    ] {
        let part = "no file `repo:/U16.cs`; did you mean `repo:/src/deep/U16.cs`?";
        check_error(&world, "src", request, part);
    }
    for (scope, part) in [
        ("dir(deep)", "did you mean `repo:/src/deep`?"),
        ("files(src/deep)", "write `dir(src/deep)`"),
        ("dir(src/A.cs)", "write `files(src/A.cs)`"),
    ] {
        check_error(&world, "src", json!({"scope": scope}), part);
    }
}

#[test]
fn a_file_that_a_change_deletes_or_adds_can_be_named() {
    let world = world();
    world.remove("src/A.cs");
    world.remove("src/deep/U16.cs");
    world.write("new/New.cs", "class New { }\n");
    let files = |scope: &str| -> Vec<String> {
        let request = json!({"revisions": ["HEAD"], "scope": scope});
        let answer = world.answer("diff-context", request);
        let files = answer["files"].as_array().expect("a list").iter();
        let path = |file: &Value| {
            let path = file["file"].as_str().or_else(|| file["oldFile"].as_str());
            path.expect("a file has a path").to_owned()
        };
        files.map(path).collect()
    };
    assert_eq!(files("files(src/A.cs)"), ["src/A.cs"]);
    assert_eq!(files("files(new/New.cs)"), ["new/New.cs"]);
    assert_eq!(files("dir(src/deep)"), ["src/deep/U16.cs"]);
    assert_eq!(files("dir(new)"), ["new/New.cs"]);
    world.write("new/New.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\" />");
    assert_eq!(
        files("module(New) | files(src/A.cs)"),
        ["new/New.cs", "new/New.csproj", "src/A.cs"]
    );
    for scope in ["module(Gone)", "files(src/gone.cs)"] {
        let request = json!({"revisions": ["HEAD"], "scope": scope});
        let error = world.error("diff-context", request);
        assert_eq!(error["code"], "InvalidScope", "{scope}");
    }
}
