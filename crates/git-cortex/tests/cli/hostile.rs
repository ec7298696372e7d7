//! Repositories that mean harm: parser bombs, text that commands terminals, configuration that
//! names programs.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use crate::{
    harness::{World, shown},
    ranges::PROJECT,
};

const MIB: usize = 1 << 20;

/// A text that drives the parser to gigabytes or minutes.
struct Bomb {
    name: &'static str,
    text: String,
}

fn bomb(name: &'static str, text: String) -> Bomb {
    Bomb { name, text }
}

/// One of each kind of ending, in little time.
fn few_bombs() -> Vec<Bomb> {
    vec![
        bomb("Generic60K", "a<".repeat(30_000)),
        bomb(
            "Semicolons",
            format!("class C {{ void M() {{ {} }} }}", ";".repeat(MIB)),
        ),
        bomb(
            "Interpolated200K",
            format!("class C {{ string s = {}; }}", "$\"".repeat(100 << 10)),
        ),
        bomb(
            "Large",
            format!("class C {{ }}\n{}", "// c\n".repeat(2 * MIB)),
        ),
    ]
}

/// Every shape that is known to hurt, at its full size.
fn many_bombs() -> Vec<Bomb> {
    let within = |text: String| format!("class C {{ void M() {{ {text} }} }}");
    let value = |text: String| format!("class C {{ object x = {text}; }}");
    let pairs = |open: &str, close: &str, n: usize| open.repeat(n) + close.repeat(n).as_str();
    let mut bombs = few_bombs();
    bombs.extend([
        bomb("Semicolons5M", within(";".repeat(5 * MIB))),
        bomb("Generic10K", within("a<".repeat(5 << 10))),
        bomb("Generic20K", within("a<".repeat(10 << 10))),
        bomb("Generic200K", within("a<".repeat(100 << 10))),
        bomb("Parentheses", value(pairs("(", ")", 5 * MIB / 2))),
        bomb("ParenthesesOpen", value("(".repeat(5 * MIB))),
        bomb("Braces", within(pairs("{", "}", 5 * MIB / 2))),
        bomb("BracesOpen", within("{".repeat(5 * MIB))),
        bomb("Depth100K", value(pairs("(", ")", 100_000))),
        bomb("Brackets", value("a[".repeat(MIB))),
        bomb("Ternary", value("a?".repeat(200 << 10))),
        bomb("Types", "class A{".repeat(300_000)),
        bomb("Namespaces", "namespace A{".repeat(300_000)),
        bomb("Lambdas", value("a=>".repeat(500_000))),
        bomb("Sum", value("1+".repeat(2_000_000))),
        bomb("Dots", value("a.".repeat(2_000_000))),
        bomb("Directives", "#if A\n".repeat(200_000)),
    ]);
    bombs
}

/// Indexes a repository of ordinary files and bombs; gives the report on the files.
#[track_caller]
fn check_bombs(bombs: &[Bomb], ordinary: usize) -> BTreeMap<String, String> {
    let world = World::empty();
    world.write("App.csproj", PROJECT);
    for number in 0..ordinary {
        let text = format!(
            "namespace App;\n\npublic class C{number}\n{{\n    public int M() => {number};\n}}\n"
        );
        world.write(&format!("src/C{number}.cs"), text);
    }
    for bomb in bombs {
        world.write(&format!("bombs/{}.cs", bomb.name), &bomb.text);
    }
    world.commit("Add all");
    let report = &world.json(&["index", "HEAD"])["snapshots"][0];
    assert_eq!(report["files"]["tracked"], ordinary + bombs.len());
    let status = world.json(&["status", "--at", "HEAD"]);
    let troubled: BTreeMap<String, String> =
        (status["troubled"].as_array().expect("a list").iter())
            .map(|file| (text_of(&file["file"]), trouble(file)))
            .collect();
    assert!(
        troubled.keys().all(|path| path.starts_with("bombs/")),
        "{troubled:?}"
    );
    assert!(
        report["types"].as_u64() >= Some(ordinary as u64),
        "every ordinary file is indexed: {report}"
    );
    let again = world.json(&["index", "--fresh", "HEAD"]);
    assert_eq!(
        again["snapshots"][0]["work"]["parsed"], 0,
        "what a bomb cost is paid once"
    );
    // A worker that was killed is gone some moments later.
    for _ in 0..20 {
        if world.processes().is_empty() {
            return troubled;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("left behind: {:?}", world.processes());
}

/// What became of a file, as the text form says it.
fn trouble(file: &serde_json::Value) -> String {
    match (file["places"].as_u64(), file["skipped"].as_str()) {
        (_, Some(reason)) => format!("skipped: {reason}"),
        (Some(1), _) => "1 syntax error".to_owned(),
        (places, _) => format!("{} syntax errors", places.unwrap_or_default()),
    }
}

fn text_of(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[test]
fn bombs_are_reported_and_all_else_is_indexed() {
    let troubled = check_bombs(&few_bombs(), 60);
    let expected = [
        (
            "bombs/Generic60K.cs",
            "skipped: the parser ran out of memory",
        ),
        (
            "bombs/Interpolated200K.cs",
            "skipped: the parser took too long",
        ),
        ("bombs/Large.cs", "skipped: too large"),
        (
            "bombs/Semicolons.cs",
            "skipped: the parser ran out of memory",
        ),
    ];
    let expected = expected.map(|(path, what)| (path.to_owned(), what.to_owned()));
    // Memory is bounded on Unix alone; time and size are everywhere.
    if cfg!(unix) {
        assert_eq!(troubled, BTreeMap::from(expected));
    }
}

#[test]
#[ignore = "takes a minute: `cargo test -p git-cortex --release -- --ignored`"]
fn every_bomb_is_survived() {
    let start = std::time::Instant::now();
    check_bombs(&many_bombs(), 500);
    assert!(
        start.elapsed() < Duration::from_secs(90),
        "{:?}",
        start.elapsed()
    );
}

#[cfg(unix)]
#[test]
fn no_name_or_text_commands_the_terminal() {
    let world = World::with_files(&[("App.csproj", PROJECT), ("Old.cs", "class Old { }\n")]);
    let name = "src/\u{1b}[31mred\u{202e}sc.\u{7}\u{9b}2J.cs";
    let code = "/// <summary>\u{1b}[2Jcleared\u{200b}\u{e0041} \u{202e}\u{2066}reversed\u{85}</summary>\npublic class Evil\n{\n    \
                public string S(string s = \"\u{1b}]0;title\u{7}\") => \"\u{202e}\u{200f}\u{9b}\";\n}\n\
                public class \u{410}dmin { /* < \u{1b}[8m */ ( \u{1b} }\n";
    world.write(name, code);
    world.write("src/\n\r.cs", "class NewLine { ( }\n");
    world.write("Old.cs", "class Old { public Evil E; \u{1b}[31m }\n");
    world.write(
        "src/Evil\u{1b}[0m.csproj",
        format!("<Project>\u{202e}<Import Project=\"$(\u{202e})\" />{PROJECT}"),
    );
    world.git(&["add", "--all"]);
    world.git(&[
        "commit",
        "--quiet",
        "--message",
        "Subject \u{1b}[31mred\u{202e} \u{7}\r.",
        "--author",
        "\u{1b}[1m <a@b>",
    ]);
    world.git(&["branch", "\u{202e}niam"]);
    for arguments in [
        &["diff-context", "HEAD~1..HEAD", "--budget", "64000"][..],
        &["diff-context", "HEAD~1"],
        &["search", "text", "cleared"],
        &["search", "text", "cleared", "--format", "json"],
        &["source", "Evil"],
        &["diff-context", "HEAD~1..HEAD", "--format", "json"],
        &["status", "--projects"],
        &["status", "--format", "json"],
        &["index", "\u{202e}niam"],
        &["diff-context", "\u{202e}nia"],
        &["diff-context", "\u{1b}[31m"],
        &["diff-context", "HEAD", "--", "\u{1b}[31m"],
        &["-C", "\u{1b}[31m", "status"],
    ] {
        let text = shown(&world.run(arguments));
        let raw: Vec<char> = text
            .chars()
            .filter(|&c| c != '\n' && c != '\t' && is_command(c))
            .collect();
        assert!(
            raw.is_empty(),
            "{arguments:?}: {raw:?} in\n{}",
            text.escape_debug()
        );
    }
}

/// Whether a terminal obeys a character or writes it in another direction.
fn is_command(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{e0041}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(unix)]
#[test]
fn no_program_of_a_repository_runs_and_no_byte_of_it_changes() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", "class A { }\n")]);
    world.commit_files(
        &[
            ("A.cs", "class A { int x; }\n"),
            (".gitattributes", "*.cs filter=evil diff=evil merge=evil\n"),
        ],
        "Two",
    );
    let marker = world.beside("marker");
    let program = world.beside("evil.sh");
    fs::write(
        &program,
        format!("#!/bin/sh\necho \"$0 $@\" >> '{}'\ncat\n", marker.display()),
    )
    .expect("files can be written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let program = program.to_string_lossy().into_owned();
    let hooks = world.path().join(".git/hooks");
    fs::create_dir_all(&hooks).expect("folders can be made");
    for hook in [
        "post-checkout",
        "post-index-change",
        "pre-auto-gc",
        "reference-transaction",
        "fsmonitor-watchman",
    ] {
        fs::copy(&program, hooks.join(hook)).expect("files can be copied");
    }
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.gitProxy",
        "core.alternateRefsCommand",
        "pager.diff",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "merge.evil.driver",
        "credential.helper",
        "gpg.program",
        "alias.diff",
        "alias.status",
        "uploadpack.packObjectsHook",
        "interactive.diffFilter",
        "remote.origin.uploadpack",
        "remote.origin.vcs",
        "cortex.program",
    ] {
        world.git(&["config", key, &program]);
    }
    world.git(&["config", "core.hooksPath", &hooks.to_string_lossy()]);
    for (key, value) in [
        ("filter.evil.required", "true"),
        ("core.fsmonitorHookVersion", "2"),
        ("core.untrackedCache", "true"),
        ("remote.origin.url", "ssh://nowhere.invalid/x"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.partialclonefilter", "blob:none"),
        ("log.showSignature", "true"),
    ] {
        world.git(&["config", key, value]);
    }
    // A newer time stamp makes git itself refresh the index, and read the file through the filter.
    world.write("A.cs", "class A { int x; int y; }\n");
    world.write("B.cs", "class B : A { }\n");
    let _ = fs::remove_file(&marker);
    let before = bytes_below(&world.path().join(".git"));
    for arguments in [
        &["diff-context"][..],
        &["diff-context", "HEAD~1"],
        &["diff-context", "HEAD~1..HEAD", "--format", "patch"],
        &["diff-context", "--cached", "--format", "json"],
        &["index", "HEAD", "HEAD~1"],
        &["status", "--projects"],
        &["gc"],
        &["gc", "--all"],
    ] {
        world.answer(arguments);
        let log = fs::read_to_string(&marker).unwrap_or_default();
        assert!(log.is_empty(), "{arguments:?} ran {log}");
    }
    let after = bytes_below(&world.path().join(".git"));
    assert!(
        before == after,
        "the git directory changed outside of cortex/"
    );
    // The trap works: git itself falls into it.
    world.git(&["status"]);
    assert!(marker.exists(), "git runs what this test forbids");
}

/// Every file below a git directory but those of the store, with its bytes.
fn bytes_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() && path.file_name().is_none_or(|name| name != "cortex") {
                folders.push(path);
            } else if path.is_file() {
                let bytes = fs::read(&path).expect("the file can be read");
                found.insert(path.to_string_lossy().into_owned(), bytes);
            }
        }
    }
    found
}

#[test]
fn a_missing_object_is_named() {
    let world = World::with_files(&[("App.csproj", PROJECT), ("A.cs", "class A { }\n")]);
    world.edit("A.cs", "{ }", "{ int x; }");
    world.commit("Two");
    let blob = world.git(&["rev-parse", "HEAD~1:A.cs"]);
    let blob = blob.trim();
    let object = world
        .path()
        .join(".git/objects")
        .join(&blob[..2])
        .join(&blob[2..]);
    fs::remove_file(object).expect("a new object is loose");
    let output = world.run(&["diff-context", "HEAD~1..HEAD"]);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains(blob), "{text}");
}
