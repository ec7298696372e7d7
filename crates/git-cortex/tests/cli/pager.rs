//! On a terminal, an answer goes through the user's pager, and through no one else's.

use std::{
    fs::{File, OpenOptions},
    io::Read,
    process::{Command, Stdio},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::{harness::World, ranges::PROJECT};

/// Runs a command whose standard output is a terminal; what it wrote there.
fn on_a_terminal(mut command: Command) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&terminal).expect("the terminal is ours");
    unlockpt(&terminal).expect("the terminal can be opened");
    let name = ptsname(&terminal, Vec::new()).expect("it has a name");
    let name = name.to_str().expect("it is ASCII");
    let mut options = OpenOptions::new();
    let other_end = options.read(true).write(true).open(name);
    command
        .stdin(Stdio::null())
        .stdout(other_end.expect("it can be opened"))
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the command can be started");
    // What is left open here would keep the terminal from ending.
    drop(command);
    let mut written = Vec::new();
    // An error is how a terminal ends that nobody writes to any more.
    let _ = File::from(terminal).read_to_end(&mut written);
    let output = child.wait_with_output().expect("it ends");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&written).into_owned()
}

/// A shell command that leaves a mark beside the repository, and prints what it reads.
fn marking(world: &World, mark: &str) -> String {
    format!("touch '{}'; cat", world.beside(mark).display())
}

fn has_mark(world: &World, mark: &str) -> bool {
    world.beside(mark).exists()
}

fn world() -> World {
    World::with_files(&[
        ("App.csproj", PROJECT),
        (
            "A.cs",
            "namespace App;\npublic class A { public int N() => 1; }\npublic class B { int M(A a) => a.N(); }\n",
        ),
    ])
}

/// Everything a repository can say of pagers.
fn set_everywhere(world: &World, pager: &str) {
    let keys = [
        "core.pager",
        "pager.cortex",
        "pager.usages",
        "pager.git-cortex",
        "pager.diff-context",
        "cortex.pager",
        "interactive.diffFilter",
    ];
    for key in keys {
        world.git(&["config", key, pager]);
    }
    world.git(&["config", "extensions.worktreeConfig", "true"]);
    world.git(&["config", "--worktree", "core.pager", pager]);
    let included = world.path().join("included.gitconfig");
    let included = included.display().to_string();
    world.git(&["config", "--file", &included, "core.pager", pager]);
    world.git(&["config", "include.path", &included]);
    world.write(".context/config.toml", format!("pager = {pager:?}\n"));
    world.write(".gitconfig", format!("[core]\n\tpager = {pager:?}\n"));
}

const QUESTIONS: [&[&str]; 6] = [
    &["usages", "A.N"],
    &["outline", "A", "--format", "text"],
    &["map"],
    &["scope", "list"],
    &["search", "text", "N"],
    &["status"],
];

#[test]
fn a_repository_never_names_the_pager() {
    let world = world();
    set_everywhere(&world, &marking(&world, "theirs"));
    for question in QUESTIONS {
        // With no pager of the user there would be `less`, which is none that waits for anybody.
        let mut command = world.command(question);
        command
            .env("PAGER", marking(&world, "user"))
            .env("TERM", "xterm");
        let written = on_a_terminal(command);
        assert!(!has_mark(&world, "theirs"), "{question:?}: {written}");
        assert!(!written.trim().is_empty(), "{question:?}");
    }
    // So that the terminal was seen as one.
    assert!(has_mark(&world, "user"));
}

#[test]
fn the_users_pager_is_the_one_that_git_would_take() {
    let world = world();
    set_everywhere(&world, &marking(&world, "theirs"));
    let home = world.beside("home").join(".gitconfig");
    let mine = format!("[core]\n\tpager = {:?}\n", marking(&world, "configured"));
    std::fs::write(home, mine).expect("the home can be written");
    let question = QUESTIONS[0];
    let with = |set: &dyn Fn(&mut Command)| {
        let mut command = world.command(question);
        command
            .env("TERM", "xterm")
            .env("PAGER", marking(&world, "general"));
        set(&mut command);
        on_a_terminal(command)
    };
    let forget = || {
        for mark in ["configured", "general", "git"] {
            let _ = std::fs::remove_file(world.beside(mark));
        }
    };
    let marks = || ["configured", "general", "git"].map(|mark| has_mark(&world, mark));

    assert!(with(&|_| {}).contains("A.cs"));
    assert_eq!(marks(), [true, false, false]);
    forget();
    with(&|command| _ = command.env("GIT_PAGER", marking(&world, "git")));
    assert_eq!(marks(), [false, false, true]);
    forget();
    with(&|command| _ = command.arg("--no-pager"));
    with(&|command| _ = command.env("GIT_PAGER", "cat"));
    with(&|command| _ = command.env("GIT_PAGER", ""));
    assert_eq!(marks(), [false; 3]);
    assert!(!has_mark(&world, "theirs"));
    // Into a file nothing goes through a pager.
    let output = world
        .command(question)
        .env("PAGER", marking(&world, "general"))
        .output();
    assert!(output.expect("it runs").status.success());
    assert_eq!(marks(), [false; 3]);
}
