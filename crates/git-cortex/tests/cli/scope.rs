//! `scope`: what each kind of scope means in a repository, by what git itself says where git knows; the forms of
//! answers and of errors.

use cortex_check::programs::scopes;
use std::{
    io::Write,
    process::{Output, Stdio},
};

use serde_json::Value;

use crate::harness::{World, check, shown};

/// A library with its tests, owners and named scopes.
fn shop() -> World {
    World::with_files(scopes::FILES)
}

/// The files that a scope lists, a space between them.
#[track_caller]
fn files(world: &World, scope: &str) -> String {
    let text = world.answer(&["--quiet", "scope", "files", scope]);
    text.lines().collect::<Vec<_>>().join(" ")
}

/// Runs the command with a text on its standard input.
fn with_input(world: &World, arguments: &[&str], text: &str) -> Output {
    let mut child = world
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(text.as_bytes()).expect("it is read");
    drop(input);
    child.wait_with_output().expect("the command ends")
}

#[test]
fn a_scope_is_the_same_in_each_of_its_forms() {
    let world = shop();
    let expression = "'Project Files' & !(Tests | pattern(file:*.md))";
    let text = world.answer(&["scope", "describe", expression]);
    check("scope_describe_text", &text);
    check(
        "scope_without_editor",
        &world.show(&["scope", "files", "Selection"]),
    );
    check(
        "scope_missing_skip",
        &world.show(&[
            "scope",
            "files",
            "Tests & !module(Gone)",
            "--missing",
            "skip",
        ]),
    );
    let program = world.answer(&["scope", "describe", expression, "--format", "json"]);
    let expected = files(&world, expression);
    assert!(!expected.is_empty());
    assert_eq!(files(&world, &program), expected);
    let mut request = crate::wire::answer_of(program.as_bytes())["descriptor"].take();
    let fields = request.as_object_mut().expect("an object");
    fields.retain(|name, _| name == "atoms" || name == "tokens");
    let output = with_input(&world, &["scope", "files", "-"], &request.to_string());
    assert_eq!(
        String::from_utf8_lossy(&output.stdout)
            .replace('\n', " ")
            .trim(),
        expected
    );
}
#[test]
fn one_file_is_in_a_scope_or_not() {
    let world = shop();
    let contains = |scope: &str, path: &str| {
        let output = world.run(&["scope", "files", scope, "--contains", path]);
        (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            output.status.code(),
        )
    };
    assert_eq!(
        contains("Tests", "test/OrderTests.cs"),
        ("test/OrderTests.cs\n".to_owned(), Some(0))
    );
    assert_eq!(
        contains("type:Order.Add", "src/Shop/Order.cs"),
        ("src/Shop/Order.cs:8-9\n".to_owned(), Some(0))
    );
    assert_eq!(contains("Tests", "README.md"), (String::new(), Some(1)));
    assert_eq!(contains("Tests", "gone.cs"), (String::new(), Some(2)));
    for (path, code, expected) in [("test/OrderTests.cs", 0, true), ("README.md", 1, false)] {
        let arguments = ["scope", "files", "Tests", "--contains", path];
        let output = world.run(&[&arguments[..], &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(code), "{path}");
        let answer: Value = crate::wire::answer_of(&output.stdout);
        assert_eq!(answer["contains"], expected, "{answer}");
    }
    let place = std::fs::canonicalize(world.path()).expect("it is there");
    let place = place.display().to_string().replace('\\', "/");
    let url = format!("file:///{}/README.md", place.trim_start_matches('/'));
    assert_eq!(
        contains("'Project Files'", &url),
        ("README.md\n".to_owned(), Some(0))
    );
    assert_eq!(contains("Tests", &url), (String::new(), Some(1)));
    let folder = url.replace("README.md", "src/Shop/Pages");
    for place in [world.path(), &world.path().join("src")] {
        for scope in [
            format!("dir('{folder}')"),
            format!("files('{folder}/Home.razor')"),
        ] {
            let output = world.run_in(place, &["--quiet", "scope", "files", &scope]);
            assert_eq!(shown(&output), "src/Shop/Pages/Home.razor\n", "{scope}");
        }
    }
}
#[test]
fn errors_have_one_shape() {
    let world = shop();
    for (name, arguments) in [
        (
            "pattern",
            vec!["scope", "validate", "file:*.cpp && file:*.h"],
        ),
        ("expression", vec!["scope", "files", "Tests & (Production"]),
        ("program", vec!["scope", "files", "{\"atoms\": 1}"]),
        (
            "name",
            vec!["scope", "files", "Test | 'No such thing' | type:Ordr"],
        ),
        (
            "provider",
            vec![
                "scope",
                "files",
                "git:changed:nowhere | git:author:Thor | git:churn:x | codeowners:@nobody | submodule:x",
            ],
        ),
        ("shape", vec!["scope", "describe", "!type:Order"]),
    ] {
        let text = world.show(&arguments);
        assert!(text.ends_with("──── exit code 2\n"), "{text}");
        check(&format!("scope_error_{name}"), &text);
        let output = world.run(&[&arguments[..], &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        let error: Value = crate::wire::answer_of(&output.stdout);
        let expected = if name == "pattern" {
            "InvalidPattern"
        } else {
            "InvalidScope"
        };
        assert_eq!(error["error"]["code"], expected);
        assert!(
            error["error"]["message"].is_string() && error["error"]["hint"]["kind"].is_string()
        );
    }
    assert_eq!(
        world.answer(&["scope", "validate", "file:a&&(file:b&&file:c)"]),
        "file:a&&file:b&&file:c\n"
    );
}
/// Each `$ git cortex scope …` of the page, run by a shell in the demonstration repository, prints what follows it.
#[cfg(unix)]
#[test]
fn the_examples_of_the_page_are_what_is_printed() {
    let world = World::demo();
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scopes.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let program = crate::harness::program();
    let program = program.to_str().expect("its path is UTF-8");
    let blocks = page.split("```").skip(1).step_by(2);
    let mut n_examples = 0;
    for block in blocks.filter(|block| block.starts_with("\n$ ")) {
        for example in block.split("\n$ ").skip(1) {
            let (command, expected) = example.split_once('\n').expect("a command has a line");
            let script = command.replace("git cortex", &format!("'{program}' --quiet"));
            let mut shell = world.command(&[]);
            let environment: Vec<_> = shell
                .get_envs()
                .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())))
                .collect();
            shell = std::process::Command::new("sh");
            let output = shell
                .env_clear()
                .envs(environment)
                .current_dir(world.path())
                .args(["-c", &script])
                .output()
                .expect("there is a shell");
            assert_eq!(shown(&output).trim_end(), expected.trim_end(), "{command}");
            n_examples += 1;
        }
    }
    assert!(n_examples >= 4, "the page has examples");
}
