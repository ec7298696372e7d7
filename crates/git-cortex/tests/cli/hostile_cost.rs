//! Repositories that cost more than their bytes: what is left out says so, and everything else is answered.

use std::{fs::File, process::Stdio};

use crate::{
    harness::{World, shown},
    ranges::PROJECT,
};

#[test]
fn names_overloads_and_usings_without_end_cost_their_own_file() {
    let numbered = |n: u32, form: fn(u32) -> String| (0..n).map(form).collect::<String>();
    let fields = numbered(20_000, |n| format!("T{n} f{n};\n"));
    let usings = numbered(1_000, |n| format!("using N{n};\n"));
    let files = [
        (
            "Segments",
            format!("namespace {}A {{ class C {{ }} }}", "Part.".repeat(20_000)),
            "a name is too long",
        ),
        (
            "Nested",
            format!(
                "{}class C {{ }}{}",
                "namespace N { ".repeat(5_000),
                "}".repeat(5_000)
            ),
            "a name is too long",
        ),
        (
            "Identifier",
            format!("class {} {{ void M() {{ }} }}", "A".repeat(1 << 20)),
            "a name is too long",
        ),
        (
            "Overloads",
            format!(
                "class O {{ {} }}",
                numbered(5_000, |n| format!("void M(int a{n}) {{ M(); }}\n"))
            ),
            "too many members have one name",
        ),
        (
            "Extensions",
            format!(
                "static class E {{ {} }}",
                numbered(5_000, |n| format!("static void M(this T{n} it) {{ }}\n"))
            ),
            "too many members have one name",
        ),
        (
            "Usings",
            format!("{usings}class U {{ {fields} }}"),
            "too many using directives",
        ),
    ];
    let world = World::with_files(&[("App.csproj", PROJECT), ("Good.cs", "class Good { }\n")]);
    for (name, text, _) in &files {
        world.write(&format!("{name}.cs"), text);
    }
    world.commit("Add costly files");
    let status = world.json(&["status", "--at", "HEAD"]);
    let mut skipped: Vec<(String, String)> =
        (status["troubled"].as_array().expect("a list").iter())
            .map(|file| {
                let text = |key: &str| file[key].as_str().unwrap_or_default().to_owned();
                (text("file"), text("skipped"))
            })
            .collect();
    skipped.sort();
    let mut expected: Vec<(String, String)> = (files.iter())
        .map(|(name, _, why)| (format!("{name}.cs"), (*why).to_owned()))
        .collect();
    expected.sort();
    assert_eq!(skipped, expected);
    let answer = world.answer(&["diff-context", "HEAD~1..HEAD"]);
    assert!(answer.contains("a name is too long"), "{answer}");
    world.answer(&["resolve", "Good", "--at", "HEAD"]);
}

#[test]
fn a_program_in_one_line_is_shown_once() {
    let members: String = (0..3_000)
        .map(|n| format!("const int A{n}=A{}+A{};", n + 1, n + 1))
        .collect();
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", "class A { }\n")]);
    world.write("A.cs", format!("class A {{ {members} }}"));
    world.commit("Put everything in one line");
    let answer = world.answer(&["diff-context", "HEAD~1..HEAD", "--format", "json"]);
    assert!(answer.len() < 16 << 20, "{} bytes", answer.len());
    // Each constant asks for the next one twice.
    world.run(&["api", "HEAD~1..HEAD"]);
}

/// Each would take hours if a type cost as much as there are types: the time is a limit that no machine needs.
#[test]
fn a_long_chain_and_many_types_and_extensions_in_one_file_cost_their_length() {
    let chain: String = (0..3_000)
        .map(|n| format!("class C{n} : C{} {{ }}\n", n + 1))
        .collect();
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", "class A { }\n")]);
    world.write("B.cs", format!("{chain}class C3000 {{ }}\n"));
    let extensions: String = (0..5_000)
        .map(|n| {
            format!(
                "    internal static void M{n}(this A it) => it.M{}();\n",
                n + 1
            )
        })
        .collect();
    world.write("E.cs", format!("static class E\n{{\n{extensions}}}\n"));
    world.commit("Derive and extend");
    for arguments in [
        &["diff-context", "HEAD~1..HEAD"][..],
        &["tests", "HEAD~1..HEAD"],
        &["hierarchy", "C0", "--at", "HEAD"],
        &["usages", "E.M2500", "--at", "HEAD"],
    ] {
        let output = world.run(&[arguments, &["--timeout", "300"]].concat());
        assert_eq!(
            output.status.code(),
            Some(0),
            "{arguments:?}: {}",
            shown(&output)
        );
    }
}

/// Each look-up by name read all names of the table: one change in the file looks up every type of it.
#[test]
fn a_type_more_in_a_file_of_many_costs_its_length() {
    let types: String = (0..20_000).map(|n| format!("class T{n} {{ }}\n")).collect();
    let world = World::with_files(&[("App.csproj", PROJECT)]);
    world.write("T.cs", &types);
    world.commit("Declare many types");
    world.answer(&["resolve", "T1", "--at", "HEAD"]);
    world.write("T.cs", format!("{types}class More {{ }}\n"));
    let output = world.run(&["diff-context", "HEAD", "--timeout", "60"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(shown(&output).contains("More"), "{}", shown(&output));
}

#[test]
fn what_is_too_large_to_be_searched_is_named() {
    let world = World::with_files(&[("A.cs", "class A { } // needle\n")]);
    world.write("large.txt", "needle\n".repeat(5 << 20));
    world.commit("Add a large text");
    for arguments in [
        &["search", "text", "needle"][..],
        &["search", "text", "needle", "--at", "HEAD"],
    ] {
        let text = shown(&world.run(arguments));
        assert!(
            text.contains("`large.txt` was not searched: larger than 32 MiB"),
            "{text}"
        );
        assert!(text.contains("A.cs"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn standard_input_may_be_endless() {
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", "class A { }\n")]);
    for arguments in [&["tests", "--stdin"][..], &["scope", "files", "-"]] {
        let zero = File::open("/dev/zero").expect("the system has it");
        let output = world.command(arguments).stdin(Stdio::from(zero)).output();
        let output = output.expect("the command can be started");
        let text = shown(&output);
        assert!(!output.status.success(), "{arguments:?}: {text}");
        assert!(text.contains("more than 16 MiB"), "{arguments:?}: {text}");
    }
}

#[test]
fn owners_without_end_are_refused_or_found() {
    let rules = |n: usize| -> String {
        (0..n)
            .map(|n| format!("/src/dir{n}/**/file*.cs @team{n}\n"))
            .collect()
    };
    let world = World::with_files(&[
        ("src/dir7/file1.cs", "class A { }\n"),
        ("CODEOWNERS", &rules(50_000)),
    ]);
    let found = world.answer(&["scope", "files", "codeowners:@team7"]);
    assert!(found.contains("src/dir7/file1.cs"), "{found}");
    let output = shown(&world.run(&["scope", "files", "codeowners:@nobody"]));
    assert!(
        output.contains("and 49980 more") && output.len() < 2_000,
        "{output}"
    );
    world.commit_files(&[("CODEOWNERS", &rules(100_000))], "Own more");
    let output = world.run(&["scope", "files", "codeowners:@team7"]);
    assert!(!output.status.success(), "{}", shown(&output));
    assert!(
        shown(&output).contains("by GitHub neither"),
        "{}",
        shown(&output)
    );
}

#[test]
fn an_index_that_cannot_be_written_gives_way_to_the_cache_or_is_named() {
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", "class A { }\n")]);
    std::fs::create_dir_all(world.path().join(".git/cortex/index.redb")).expect("a new folder");
    let answer = world.answer(&["status"]);
    assert!(answer.contains("/.cache/git-cortex/"), "{answer}");
    let own = world.beside("own");
    std::fs::create_dir_all(own.join("index.redb")).expect("a new folder");
    let mut command = world.command(&["status"]);
    let output = command.env("GIT_CORTEX_DIR", &own).output();
    let text = shown(&output.expect("the command can be started"));
    let path = own.join("index.redb");
    assert!(text.contains(&format!("at `{}`", path.display())), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_one_plain_error() {
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", "class A { }\n")]);
    for arguments in [
        &["export"][..],
        &["export", "--format", "dot"],
        &["status"],
        &["diff-context", "HEAD"],
    ] {
        let full = File::options().write(true).open("/dev/full");
        let mut command = world.command(arguments);
        let child = command.stdout(full.expect("the system has it"));
        let child = child.stderr(Stdio::piped()).spawn();
        let output = child.and_then(std::process::Child::wait_with_output);
        let output = output.expect("the command can be started");
        let told = String::from_utf8_lossy(&output.stderr);
        let expected = "error: failed to write the answer\n  caused by: No space left on device (os error 28)\n";
        assert_eq!(told, expected, "{arguments:?}");
        assert_eq!(output.status.code(), Some(3), "{arguments:?}");
    }
}
