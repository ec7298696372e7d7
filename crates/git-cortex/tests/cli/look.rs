//! The commands that look at symbols: what a text means, who uses what, what is related to what.

use cortex_check::programs::store;
use serde_json::Value;

use crate::harness::World;

fn shop() -> World {
    World::with_files(store::FILES)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

#[track_caller]
fn check_error(world: &World, arguments: &[&str], status: i32, code: &str) -> Value {
    let output = world.run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(status), "{arguments:?}");
    let answer: Value = crate::wire::answer_of(&output.stdout);
    assert_eq!(answer["error"]["code"], code, "{answer:#}");
    assert!(answer["error"]["message"].is_string());
    answer["error"].clone()
}

#[test]
fn an_error_is_json_where_json_is_asked_for() {
    let world = shop();
    let error = check_error(&world, &["resolve", "NodeSturgeon"], 1, "SymbolNotFound");
    assert!(error["suggestions"].is_array());
    let error = check_error(&world, &["usages", "GetNode"], 2, "AmbiguousSymbol");
    assert_eq!(list(&error["candidates"]).len(), 3, "{error:#}");
    check_error(
        &world,
        &["callers", "User", "--project", "No"],
        2,
        "InvalidFilter",
    );
    check_error(
        &world,
        &["hierarchy", "User", "--at", "nowhere"],
        2,
        "InvalidRange",
    );
    check_error(
        &world,
        &["resolve", "User", "--path", ":(attr:x)a"],
        2,
        "InvalidFilter",
    );
    let words = world.show(&["resolve", "NodeSturgeon"]);
    assert!(
        words.contains("failed to find a symbol `NodeSturgeon`"),
        "{words}"
    );
}
#[test]
fn graphs_are_drawn_and_have_exit_codes() {
    let world = shop();
    for (format, start) in [
        ("mermaid", "flowchart"),
        ("dot", "digraph"),
        ("graphml", "<?xml"),
    ] {
        for (question, symbol) in [
            (["callees", "User.Twice"], "Shop.User.Load"),
            (["deps", "User"], "Shop.User"),
        ] {
            let graph = world.answer(&[&question[..], &["--format", format]].concat());
            assert!(
                graph.starts_with(start) && graph.contains(symbol),
                "{graph}"
            );
        }
    }
    let no_path = ["deps", "NodeStore", "--path-to", "User"];
    assert_eq!(world.run(&no_path).status.code(), Some(1));
    let cycles = ["cycles", "--by", "type", "--exit-code"];
    assert_eq!(world.run(&cycles).status.code(), Some(0));
    world.write(
        "src/Circle.cs",
        "class Left { Right r; } class Right { Left l; }",
    );
    assert_eq!(world.run(&cycles).status.code(), Some(1));
}
