//! Kills, interrupts and neighbours: the next run works, and nothing acknowledged is lost.

use std::{
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    harness::{World, shown},
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

#[test]
fn a_kill_at_any_moment_loses_nothing_acknowledged() {
    let world = sizeable();
    let begin = Instant::now();
    let expected = everything(&world);
    let whole = begin.elapsed();
    // A fixed seed; what moment of the work a delay falls into is up to the machine all the same.
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..8 {
        if round % 4 == 0 {
            world.answer(&["gc", "--all"]);
        }
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mut child = start(&world, &["index", "HEAD~1", "HEAD"]);
        thread::sleep(whole.mul_f64((seed >> 40) as f64 / (1u64 << 24) as f64));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        if round % 2 == 0 {
            assert_eq!(everything(&world), expected, "round {round}");
            let again = &world.json(&["index", "HEAD"])["snapshots"][0]["work"]["snapshots"];
            assert_eq!(again, 0, "what was acknowledged is kept");
        }
    }
    assert_eq!(everything(&world), expected);
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
