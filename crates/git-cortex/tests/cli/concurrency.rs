//! Kills, interrupts and neighbors: the next run works, and nothing acknowledged is lost.

use std::{
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use fastrand::Rng;

use crate::{
    harness::{World, shown, times},
    ranges::PROJECT,
};

/// A repository whose indexing takes long enough to be killed in its midst.
fn sizeable() -> World {
    let world = World::empty();
    world.write("App.csproj", PROJECT);
    for number in 0..60 {
        let mut text = format!(
            "namespace App.N{};\n\npublic class C{number}\n{{\n",
            number % 7
        );
        for member in 0..12 {
            let other = (number * 31 + member) % 60;
            text += &format!(
                "    public int M{member}(App.N{}.C{other} c) => c.M{member}(null) + {member};\n",
                other % 7
            );
        }
        world.write(&format!("src/C{number}.cs"), text + "}\n");
    }
    world.commit("One");
    for number in (0..60).step_by(3) {
        world.edit(&format!("src/C{number}.cs"), "M0(", "Renamed(");
    }
    world.commit("Two");
    world
}

fn start(world: &World, arguments: &[&str]) -> Child {
    let mut command = world.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("the command can be started")
}

/// The root hashes of both commits, and the answer on what is between them.
fn everything(world: &World) -> (Vec<String>, String) {
    let report = world.json(&["index", "HEAD~1", "HEAD"]);
    let roots = report["snapshots"].as_array().expect("a list").iter();
    let roots = roots
        .map(|snapshot| snapshot["root"].as_str().unwrap_or_default().to_owned())
        .collect();
    (
        roots,
        world.answer(&["diff-context", "HEAD~1..HEAD", "--format", "json"]),
    )
}

/// `CORTEX_KILLS=1000` makes it the long test.
#[test]
fn a_kill_at_any_moment_loses_nothing_acknowledged() {
    let world = sizeable();
    let begin = Instant::now();
    let expected = everything(&world);
    let whole = begin.elapsed();
    for round in 0..times("CORTEX_KILLS", 8) {
        // What moment of the work a delay falls into is up to the machine all the same.
        let mut random = Rng::with_seed(round);
        let (arguments, is_kept): (&[&str], bool) = match round % 4 {
            // From nothing.
            0 => {
                world.answer(&["gc", "--all"]);
                (&["index", "HEAD~1", "HEAD"], false)
            }
            // Another snapshot beside those that are acknowledged.
            1 | 2 => {
                let text = format!("namespace App.N1;\npublic class More{round} : C1 {{ }}\n");
                world.write("src/More.cs", text);
                (&["index"], true)
            }
            _ => (&["gc", "--all"], false),
        };
        let mut child = start(&world, arguments);
        let part = random.u64(..1000) as f64 / 1000.0;
        thread::sleep(whole.mul_f64(if is_kept { part / 4.0 } else { part }));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        if is_kept {
            let report = world.json(&["index", "HEAD~1", "HEAD"]);
            for snapshot in report["snapshots"].as_array().expect("a list") {
                assert_eq!(
                    snapshot["work"]["snapshots"], 0,
                    "round {round}: it is kept"
                );
            }
        }
        assert_eq!(everything(&world), expected, "round {round}");
    }
}

/// Kills of `index --history`, two over one store. `CORTEX_KILLS=1000` makes it the long test.
#[test]
fn a_kill_of_a_history_keeps_the_commits_that_were_written() {
    // As many as are written in three groups.
    const N_COMMITS: usize = 150;
    let world = a_long_history(N_COMMITS);
    let history = ["index", "--history", "HEAD", "--format", "json"];
    let revisions: Vec<String> = (0..N_COMMITS).map(|age| format!("HEAD~{age}")).collect();
    let all: Vec<&str> = ["index"]
        .into_iter()
        .chain(revisions.iter().map(String::as_str))
        .collect();
    let roots = || -> Vec<serde_json::Value> {
        let report = world.json(&all);
        let snapshots = report["snapshots"].as_array().expect("a list").iter();
        snapshots
            .inspect(|snapshot| assert_eq!(snapshot["work"]["snapshots"], 0))
            .map(|snapshot| snapshot["root"].clone())
            .collect()
    };
    let begin = Instant::now();
    world.answer(&history);
    let whole = begin.elapsed();
    let expected = roots();
    let n_written = || -> u64 {
        let store = cortex_store::Store::open(&world.path().join(".git/cortex"), &<_>::default());
        let snapshots = store.and_then(|store| store.snapshots());
        snapshots.expect("it can be read").len() as u64
    };
    for round in 0..times("CORTEX_KILLS", 4) / 2 {
        let mut random = Rng::with_seed(round);
        world.answer(&["gc", "--all"]);
        let mut n_kept = 0;
        for _ in 0..2 {
            let mut child = start(&world, &history);
            thread::sleep(whole.mul_f64(random.u64(..1000) as f64 / 1000.0));
            child.kill().expect("it can be killed");
            child.wait().expect("it ends");
            let n_now = n_written();
            assert!(n_now >= n_kept, "round {round}: {n_now} after {n_kept}");
            n_kept = n_now;
        }
        let report = world.json(&["index", "--history", "HEAD"]);
        let n_made = report["history"]["work"]["snapshots"].as_u64();
        assert_eq!(n_made, Some(N_COMMITS as u64 - n_kept), "round {round}");
        assert_eq!(roots(), expected, "round {round}");
    }
}

/// A repository of so many commits, each with another text.
fn a_long_history(n_commits: usize) -> World {
    let world = World::empty();
    let mut stream = String::new();
    for number in 0..n_commits {
        let text = format!(
            "class C{} {{ C{} M() => null; }}\n",
            number % 40,
            number * 7 % 40
        );
        stream += &format!(
            "commit refs/heads/main\ncommitter A U Thor <author@example.com> {} +0000\ndata 1\nx\nM 644 inline C{}.cs\ndata {}\n{text}\n",
            1_700_000_000 + number,
            number % 40,
            text.len(),
        );
    }
    world.import(&stream);
    world
}

/// Processes at a time, whose answers must be those of one alone. `CORTEX_PROCESSES=16` and
/// `CORTEX_OPERATIONS=200` make it the long test: so many commands in each.
#[test]
fn many_processes_at_once_all_get_the_right_answer() {
    const N_COMMITS: u64 = 9;
    let world = World::demo();
    let revision = |number: u64| format!("HEAD~{number}");
    let range = |number: u64| format!("HEAD~{}..HEAD~{number}", number + 1);
    let root = |report: &serde_json::Value| report["snapshots"][0]["root"].clone();
    let expected: Vec<_> = (0..N_COMMITS)
        .map(|number| {
            let status = world.json(&["status", "--at", &revision(number)]);
            (
                world.answer(&["diff-context", &range(number), "--format", "json"]),
                root(&world.json(&["index", &revision(number)])),
                (status["types"].clone(), status["names"].clone()),
            )
        })
        .collect();
    world.answer(&["gc", "--all"]);
    let n_operations = times("CORTEX_OPERATIONS", 4);
    thread::scope(|scope| {
        for process in 0..times("CORTEX_PROCESSES", 8) {
            let (world, expected) = (&world, &expected);
            scope.spawn(move || {
                let mut random = Rng::with_seed(process);
                for _ in 0..n_operations {
                    let number = random.u64(..N_COMMITS);
                    let (diff, root_hash, status) = &expected[number as usize];
                    match random.u64(..20) {
                        0 => drop(world.answer(&["gc", "--days", "0"])),
                        1 => drop(world.answer(&["gc"])),
                        2 => drop(world.answer(&["index", "--history", &revision(number)])),
                        3..8 => {
                            let report = world.json(&["index", &revision(number)]);
                            assert_eq!(root(&report), *root_hash);
                        }
                        8..12 => {
                            let report = world.json(&["status", "--at", &revision(number)]);
                            assert_eq!(report["types"], status.0);
                            assert_eq!(report["names"], status.1);
                        }
                        _ => {
                            let output =
                                world.run(&["diff-context", &range(number), "--format", "json"]);
                            assert!(output.status.success(), "{}", shown(&output));
                            assert!(output.stderr.is_empty(), "{}", shown(&output));
                            assert!(output.stdout == diff.as_bytes(), "{}", range(number));
                        }
                    }
                }
            });
        }
    });
}

/// `CORTEX_FLIPS=10000` makes it the long test.
#[test]
fn a_flipped_bit_changes_no_answer() {
    let world = World::demo();
    let question = ["diff-context", "HEAD~4..HEAD", "--format", "json"];
    let expected = world.answer(&question);
    let database = world.path().join(".git/cortex/index.redb");
    let image = std::fs::read(&database).expect("it was just used");
    for round in 0..times("CORTEX_FLIPS", 16) {
        let mut random = Rng::with_seed(round);
        let anywhere = random.u64(..image.len() as u64) as usize;
        // Two thirds of the flips where much of the structure is: in the first pages, and in the heads
        // of all.
        let byte = match random.u64(..3) {
            0 => anywhere % (64 << 10),
            1 => anywhere / 4096 * 4096 + anywhere % 64,
            _ => anywhere,
        };
        let bit = random.u64(..8);
        let mut damaged = image.clone();
        damaged[byte] ^= 1 << bit;
        std::fs::write(&database, damaged).expect("nobody has it open");
        for attempt in 0..2 {
            let output = world.run(&question);
            let which = format!("round {round}, bit {bit} of {byte}, run {attempt}");
            assert!(output.status.success(), "{which}: {}", shown(&output));
            assert!(
                output.stdout == expected.as_bytes(),
                "{which}: {}",
                shown(&output)
            );
            assert!(
                attempt == 0 || output.stderr.is_empty(),
                "{which}: {}",
                shown(&output)
            );
        }
    }
}

#[test]
fn commands_at_the_same_time_all_succeed() {
    let world = sizeable();
    let children: Vec<Child> = ["HEAD", "HEAD~1", "HEAD"]
        .map(|revision| start(&world, &["index", revision]))
        .into();
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", shown(&output));
    }
    let report = world.json(&["index", "HEAD~1", "HEAD"]);
    for snapshot in report["snapshots"].as_array().expect("a list") {
        assert_eq!(snapshot["work"]["snapshots"], 0);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_usable_store() {
    let world = sizeable();
    let expected = everything(&world);
    for delay in [5, 60, 150, 300] {
        world.answer(&["gc", "--all"]);
        let child = start(&world, &["index", "HEAD~1", "HEAD"]);
        thread::sleep(Duration::from_millis(delay));
        let pid = child.id().to_string();
        let killed = std::process::Command::new("kill")
            .args(["-INT", &pid])
            .output()
            .expect("kill is there");
        let output = child.wait_with_output().expect("it ends");
        // Before its handler is set the system ends it; when it had ended already all is well too.
        let code = output.status.code();
        assert!(
            matches!(code, None | Some(0 | 130)),
            "{delay} ms, {killed:?}: {}",
            shown(&output)
        );
        assert_eq!(everything(&world), expected, "after {delay} ms");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_command_leaves_no_parser_behind() {
    let world = World::with_files(&[("A.cs", &"$\"".repeat(100 << 10))]);
    let mut child = start(&world, &["index"]);
    let begin = Instant::now();
    while world.processes().len() < 2 {
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "it starts a parser"
        );
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let begin = Instant::now();
    while !world.processes().is_empty() {
        assert!(
            begin.elapsed() < Duration::from_secs(3),
            "left behind: {:?}",
            world.processes()
        );
        thread::sleep(Duration::from_millis(50));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn interrupting_a_long_parse_exits_with_130() {
    let world = World::with_files(&[
        ("A.cs", &"$\"".repeat(100 << 10)),
        ("B.cs", "class B { }\n"),
    ]);
    let child = start(&world, &["index"]);
    let begin = Instant::now();
    while world.processes().len() < 2 {
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "it starts a parser"
        );
        thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    std::process::Command::new("kill")
        .args(["-INT", &pid])
        .output()
        .expect("kill is there");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", shown(&output));
    assert!(begin.elapsed() < Duration::from_secs(15));
}
