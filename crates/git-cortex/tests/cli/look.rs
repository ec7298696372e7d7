//! The commands that look at symbols: what a text means, who uses what, what is related to what.

use cortex_context::{O200kBase, Tokenizer};
use serde_json::Value;

use crate::{
    harness::{Random, World},
    ranges::PROJECT,
};

const STORE: &str = "namespace Shop.Storage;

public interface INodeStore
{
    object GetNode(int id);
}

public abstract class BaseStore : INodeStore
{
    public abstract object GetNode(int id);
    protected virtual void Trace(string text) { }
}

public class NodeStore : BaseStore
{
    private int _count;
    private int _unused;
    public override object GetNode(int id) => Make(id);
    public object GetNode(string name) => GetNode(name.Length);
    protected override void Trace(string text) => _count++;
    private object Make(int id) { Trace(nameof(Make)); return id; }
    internal void Idle() { }
}
";

const USER: &str = "namespace Shop;

using Shop.Storage;

/// <summary>Uses <see cref=\"NodeStore\"/>.</summary>
public class User
{
    private readonly INodeStore store = new NodeStore();
    public object Load() => store.GetNode(1);
    public object Twice() { Load(); return Load(); }
    public object Loose(dynamic any) => any.Idle();
}
";

fn shop() -> World {
    World::with_files(&[
        ("App.csproj", PROJECT),
        ("src/Store.cs", STORE),
        ("src/User.cs", USER),
    ])
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
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
fn a_renamed_symbol_is_followed_to_its_new_name() {
    let world = shop();
    world.answer(&["index", "HEAD"]);
    for (old, new) in [("src/Store.cs", "NodeStore"), ("src/User.cs", "NodeStore")] {
        let text = world.read(old).replace(&format!(" {new}"), " GraphStore");
        world.write(old, text.replace("\"NodeStore\"", "\"GraphStore\""));
    }
    let answer = world.json(&["resolve", "NodeStore"]);
    assert_eq!(
        answer["subject"]["symbol"]["path"],
        "Shop.Storage.GraphStore"
    );
    assert_eq!(
        answer["subject"]["redirectedFrom"],
        "Shop.Storage.NodeStore"
    );
    let answer = world.json(&["usages", "Storage.NodeStore"]);
    assert_eq!(
        answer["subject"]["redirectedFrom"],
        "Shop.Storage.NodeStore"
    );
    let answer = world.json(&["resolve", "NodeStore", "--at", "HEAD"]);
    assert_eq!(
        answer["subject"]["symbol"]["path"],
        "Shop.Storage.NodeStore"
    );
    assert!(answer["subject"]["redirectedFrom"].is_null());
}

#[test]
fn calls_are_drawn() {
    let world = shop();
    for (format, start) in [
        ("mermaid", "flowchart"),
        ("dot", "digraph"),
        ("graphml", "<?xml"),
    ] {
        let graph = world.answer(&["callees", "User.Twice", "--format", format]);
        assert!(
            graph.starts_with(start) && graph.contains("Shop.User.Load"),
            "{graph}"
        );
    }
}

/// The answer of a search, also where nothing is found.
fn search(world: &World, arguments: &[&str]) -> Value {
    let output = world.run(&[&["search", "symbols", "--format", "json"], arguments].concat());
    crate::wire::answer_of(&output.stdout)
}

/// The qualified names that a search finds.
fn found(world: &World, arguments: &[&str]) -> Vec<String> {
    (list(&search(world, arguments)["items"]).iter())
        .map(|it| text(&it["path"]).to_owned())
        .collect()
}

#[test]
fn search_has_the_habits_of_go_to_symbol() {
    let world = shop();
    for query in [
        "NSGN",
        "nsGetN",
        "NodeStore.GetN",
        "Storage.GetNode",
        "GetNode",
        "GN",
    ] {
        let found = found(&world, &[query]);
        let wanted = "Shop.Storage.NodeStore.GetNode".to_owned();
        assert!(found.contains(&wanted), "{query}: {found:?}");
    }
    let first = |query: &str| found(&world, &[query]).first().cloned();
    assert_eq!(first("User").as_deref(), Some("Shop.User"));
    assert_eq!(first("BS").as_deref(), Some("Shop.Storage.BaseStore"));
    assert_eq!(first("store").as_deref(), Some("Shop.User.store"));
    assert_eq!(
        found(&world, &["*Store", "--kind", "interface"]),
        ["Shop.Storage.INodeStore"]
    );
    assert!(found(&world, &["GetNode", "--path", "src/User.cs"]).is_empty());
    assert!(found(&world, &["zebra"]).is_empty());
    let printed = world.envelope(&["search", "symbols", "G", "--limit", "2"]);
    let answer = &printed["answer"];
    assert_eq!(list(&answer["items"]).len(), 2);
    let has_more = answer["total"].as_u64().expect("a number") > 2;
    assert_eq!(printed["limits"]["cut"] == true, has_more);
    let item = &search(&world, &["Twice"])["items"][0];
    let place = (
        &item["file"],
        &item["line"],
        &item["column"],
        &item["docId"],
    );
    let expected = (
        "src/User.cs".into(),
        10.into(),
        19.into(),
        "M:Shop.User.Twice".into(),
    );
    assert_eq!(place, (&expected.0, &expected.1, &expected.2, &expected.3));
    let external = search(&world, &["Object", "--external"]);
    assert!(
        list(&external["items"])
            .iter()
            .any(|it| it["kind"] == "external"),
        "{external:#}"
    );
}

/// What is kept of names from one question to the next changes no answer: after any edit they are those of an index
/// that is made from nothing.
#[test]
fn names_that_are_kept_are_those_of_a_new_index() {
    let world = shop();
    let mut random = Random::new(7);
    for step in 0..6 {
        let (path, old, new) = match random.below(5) {
            0 => (
                "src/User.cs",
                "public object Load()",
                "\n\npublic object Load()",
            ),
            1 => (
                "src/Store.cs",
                "private int _unused;",
                "private int _unused, _more;",
            ),
            2 => ("src/User.cs", "Twice()", "Thrice()"),
            3 => (
                "src/Store.cs",
                "public class NodeStore",
                "class Added : BaseStore { public override object GetNode(int id) => id; }\npublic class NodeStore",
            ),
            _ => ("src/User.cs", "namespace Shop;", "namespace Shop.Front;"),
        };
        let text = world.read(path).replacen(old, new, 1);
        world.write(path, text);
        if random.below(2) == 0 && !world.git(&["status", "--porcelain"]).is_empty() {
            world.commit(&format!("Step {step}"));
        }
        for query in ["*", "s"] {
            let arguments = ["search", "symbols", query, "--format", "json"];
            let kept = world.answer(&arguments);
            let fresh = world
                .command(&arguments)
                .env(
                    "GIT_CORTEX_DIR",
                    world.beside(&format!("fresh-{step}-{query}").replace('*', "all")),
                )
                .output()
                .expect("the command can be started");
            assert_eq!(
                kept,
                String::from_utf8_lossy(&fresh.stdout),
                "step {step}, {old}"
            );
        }
    }
}

#[test]
fn no_answer_is_over_its_budget_and_each_is_the_same_twice() {
    let world = World::demo();
    for question in [
        &["resolve", "FiringQueue"][..],
        &["usages", "FiringQueue"],
        &["callers", "FiringQueue", "--depth", "2"],
        &["callees", "IFiringPricer.Price", "--with-overrides"],
        &["implementations", "IFiringPricer"],
        &["hierarchy", "FiringQueue"],
        &["search", "symbols", "Fir"],
    ] {
        for budget in [0, 1, 30, 100, 1_000] {
            let budget_text = budget.to_string();
            let arguments = [question, &["--format", "md", "--budget", &budget_text]].concat();
            let text = world.answer(&arguments);
            let used = O200kBase.count(&text);
            assert!(used <= budget, "{question:?}: {used} of {budget}\n{text}");
        }
        for format in ["text", "json"] {
            let arguments = [question, &["--format", format, "--at", "HEAD"]].concat();
            assert_eq!(
                world.answer(&arguments),
                world.answer(&arguments),
                "{question:?}"
            );
        }
    }
}
