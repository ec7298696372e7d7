//! `diff-context` of the demonstration: its forms, its budgets, and that git accepts its patches.

use std::{collections::BTreeSet, process::Stdio};

use serde_json::Value;

use crate::harness::{World, check};

#[test]
fn the_main_job_in_every_form() {
    let world = World::demo();
    for (name, arguments) in [
        ("md_8000", &[][..]),
        ("md_1000", &["--budget", "1000"]),
        ("json", &["--format", "json"]),
        ("patch", &["--format", "patch"]),
    ] {
        let arguments = [&["diff-context", "HEAD~1..HEAD"], arguments].concat();
        let first = world.show(&arguments);
        check(&format!("demo_{name}"), &first);
        assert_eq!(
            world.show(&arguments),
            first,
            "the same question has the same answer"
        );
    }
}

#[test]
fn git_accepts_the_patch_of_every_commit() {
    let world = World::demo();
    for back in 0..9 {
        let (old, new) = (format!("HEAD~{}", back + 1), format!("HEAD~{back}"));
        let patch = world.answer(&[
            "diff-context",
            &format!("{old}..{new}"),
            "--format",
            "patch",
        ]);
        assert!(!patch.is_empty(), "{new} changes something");
        let file = world.beside("change.patch");
        std::fs::write(&file, patch).expect("files can be written");
        world.git(&["read-tree", &old]);
        world.git(&["apply", "--cached", &file.to_string_lossy()]);
        let tree = world.git(&["write-tree"]);
        let wanted = world.git(&["rev-parse", &format!("{new}^{{tree}}")]);
        assert_eq!(tree, wanted, "the patch of {new} gives its tree");
    }
}

#[test]
fn a_patch_is_exact_whatever_is_in_the_file() {
    let world = World::with_files(&[
        ("A.cs", "class A { } // \u{1b}[31m\r\n\tx\u{202e}\n"),
        ("b.txt", "\u{1b}[2J"),
    ]);
    world.commit_files(
        &[
            ("A.cs", "class A { int x; } // \u{1b}[32m\r\n\tx\u{202e}\n"),
            ("b.txt", "\u{1b}[3J\r\n"),
        ],
        "Two",
    );
    let patch = world.answer(&["diff-context", "HEAD~1..HEAD", "--format", "patch"]);
    let file = world.beside("change.patch");
    std::fs::write(&file, patch).expect("files can be written");
    world.git(&["apply", "--check", "--reverse", &file.to_string_lossy()]);
    world.write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\x01");
    world.write("Bad.cs", b"class Bad { }\0\0\x01\xff\xfe");
    world.commit("Add a picture");
    check(
        "change_binary_patch",
        &world.show(&["diff-context", "HEAD~1..HEAD", "--format", "patch"]),
    );
}

#[test]
fn a_closed_pipe_is_silent() {
    let world = World::demo();
    for arguments in [
        &["diff-context", "HEAD~9"][..],
        &["status", "--projects"],
        &["export"],
        &["export", "--format", "graphml"],
        &["index"],
        &["-h"],
        &["--help"],
    ] {
        let mut child = world
            .command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn nothing_but_the_answer_is_printed_into_a_pipe() {
    let world = World::demo();
    for arguments in [&["index"][..], &["diff-context", "HEAD~1"], &["status"]] {
        let output = world.run(arguments);
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "",
            "{arguments:?} shows no progress"
        );
        assert!(
            !output.stdout.contains(&0x1b),
            "{arguments:?} shows no colors"
        );
    }
}

/// Each step of a path that a structural change took is an edge of the graph, and the first one changed.
#[test]
fn a_propagated_change_names_the_way_it_came() {
    let world = World::demo();
    let mut n_steps = 0;
    for back in 0..9 {
        let (old, new) = (format!("HEAD~{}", back + 1), format!("HEAD~{back}"));
        let range = format!("{old}..{new}");
        let text = world.answer(&["diff-context", &range, "--format", "json"]);
        let answer: Value = crate::wire::answer_of(text.as_bytes());
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let types = list(&answer["types"]);
        let is_structural = |class: &Value| class == "structure" || class == "removed";
        let structural: BTreeSet<&str> = types
            .iter()
            .filter(|ty| is_structural(&ty["class"]))
            .flat_map(|ty| [&ty["type"]["path"], &ty["renamedFrom"]])
            .filter_map(Value::as_str)
            .collect();
        let edges: BTreeSet<(String, String)> = [&old, &new]
            .iter()
            .flat_map(|side| edges_at(&world, side))
            .collect();
        let reached = [&answer["impact"]["direct"], &answer["impact"]["further"]];
        let reached = reached.into_iter().flat_map(list);
        for ty in types.iter().cloned().chain(reached) {
            let mut path = list(&ty["propagated"]["path"]);
            let Some(first) = path.first().cloned() else {
                continue;
            };
            let first = first.as_str().expect("a name");
            assert!(structural.contains(first), "{range}: {first}");
            path.push(ty["type"]["path"].clone());
            for step in path.windows(2) {
                let [to, from] = [&step[0], &step[1]].map(|name| name.as_str().expect("a name"));
                let edge = (id_name(from), id_name(to));
                assert!(edges.contains(&edge), "{range}: {edge:?}");
                n_steps += 1;
            }
        }
    }
    assert!(n_steps > 2, "{n_steps}");
}

/// A canonical name as documentation ids write it.
fn id_name(name: &str) -> String {
    name.replace('+', ".")
}

/// The dependencies of types on types at a commit, as documentation ids without their kind.
fn edges_at(world: &World, side: &str) -> Vec<(String, String)> {
    let text = world.answer(&["export", "--at", side]);
    let records = text.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect("it is JSON");
        record
    });
    let edges = records.filter(|record| record["k"] == "edge");
    let name = |id: &Value| id.as_str().unwrap_or_default().replace("T:", "");
    edges
        .map(|edge| (name(&edge["from"]), name(&edge["to"])))
        .collect()
}
