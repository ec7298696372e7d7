//! What answers say of what they leave out: filters, code that is not compiled, names that are none, space and time.

use serde_json::Value;

use crate::{
    harness::{World, shown},
    ranges::PROJECT,
};

const TESTS: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework><IsTestProject>true</IsTestProject></PropertyGroup>
  <ItemGroup><ProjectReference Include="../App/App.csproj" /></ItemGroup>
</Project>
"#;

const CORE: &str = "namespace Shop;
public interface ISink { void Emit(string text); }
public static class Log
{
    public static void Write(string text) => Trace(text);
    private static void Trace(string text) { }
}
public class Base : ISink { public virtual void Emit(string text) => Log.Write(text); }
";

const MIDDLE: &str = "namespace Shop;
public class Middle : Base
{
    public override void Emit(string text) { Helper(); Log.Write(text); }
    public void Helper() => Deep.Run();
    private Near near = new Near();
}
public class Near { }
public static class Deep { public static void Run() { } }
";

const TEST: &str = "namespace Shop.Tests;
public class MiddleTests : Middle
{
    public void Emits() => new Middle().Emit(\"a\");
    public override void Emit(string text) => base.Emit(text);
}
";

/// A chain from tests through a library: `MiddleTests.Emits` → `Middle.Emit` → `Log.Write` → `Log.Trace`.
fn chain() -> World {
    World::with_files(&[
        ("App/App.csproj", PROJECT),
        ("App/Core.cs", CORE),
        ("App/Middle.cs", MIDDLE),
        ("Tests/Tests.csproj", TESTS),
        ("Tests/MiddleTests.cs", TEST),
    ])
}

/// Documentation ids with the files of the entries of a list.
fn entries(list: &Value) -> Vec<(String, String)> {
    let all = list.as_array().expect("a list").iter();
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    all.map(|it| (text(&it["docId"]), text(&it["file"])))
        .collect()
}

#[test]
fn none_is_said_of_the_whole_repository_alone() {
    let world = chain();
    let ask = |options: &[&str]| {
        let answer = world.json(&[&["usages", "Log.Trace"], options].concat());
        (
            answer["verdict"].as_str().expect("a word").to_owned(),
            answer["elsewhere"].as_u64().unwrap_or_default(),
        )
    };
    assert_eq!(ask(&[]), ("found".to_owned(), 0));
    for filter in [
        &["--test"][..],
        &["--path", "Tests"],
        &["--project", "Tests"],
        &["--scope", "Tests"],
        &["--scope", "Tests & !Tests"],
    ] {
        assert_eq!(ask(filter), ("elsewhere".to_owned(), 1), "{filter:?}");
    }
    assert_eq!(ask(&["--no-test"]), ("found".to_owned(), 0));
    let text = world.answer(&["usages", "Log.Trace", "--test"]);
    assert!(
        text.contains("no uses inside the filter; 1 use outside it"),
        "{text}"
    );
    let some = world.json(&["usages", "Log.Write", "--path", "App/Core.cs"]);
    assert_eq!((&some["total"], &some["elsewhere"]), (&1.into(), &1.into()));
    // What is not used at all is not used in a part.
    let none = world.json(&["usages", "Middle.near", "--test"]);
    assert_eq!(
        (&none["verdict"], &none["total"]),
        (&"none".into(), &0.into())
    );
}

#[test]
fn code_that_is_not_compiled_is_a_doubt() {
    let world = World::with_files(&[
        ("App.csproj", PROJECT),
        (
            "src/A.cs",
            "class A\n{\n    private void Quiet() { }\n    private void Other() { }\n    void M()\n    {\n#if NEVER\n        Quiet(); // Other\n#endif\n    }\n}\n",
        ),
    ]);
    let answer = world.json(&["usages", "A.Quiet"]);
    assert_eq!(answer["verdict"], "not-known");
    let not_known = &answer["notKnown"];
    assert_eq!(not_known["inactive"], 1);
    let place = &not_known["inactivePlaces"][0];
    assert_eq!(
        (&place["file"], &place["line"], &place["text"]),
        (&"src/A.cs".into(), &8.into(), &"Quiet(); // Other".into())
    );
    assert_eq!(world.json(&["usages", "A.Other"])["verdict"], "none");
    for command in ["usages", "callers"] {
        let text = world.answer(&[command, "A.Quiet"]);
        assert!(
            text.contains("1 place with this name in inactive #if code: src/A.cs:8"),
            "{text}"
        );
    }
    // The same of the next work tree, from what was kept of this one.
    world.edit("src/A.cs", "Quiet(); // Other", "Other();");
    assert_eq!(world.json(&["usages", "A.Quiet"])["verdict"], "none");
    assert_eq!(world.json(&["usages", "A.Other"])["verdict"], "not-known");
    // What one project leaves out and another does not is compiled.
    world.write(
        "Twin.csproj",
        PROJECT.replace(
            "</PropertyGroup>",
            "<DefineConstants>NEVER</DefineConstants></PropertyGroup>",
        ),
    );
    let answer = world.json(&["usages", "A.Other"]);
    assert_eq!(answer["notKnown"]["inactive"], 0, "{answer:#}");
}

#[test]
fn a_walk_goes_through_what_the_answer_does_not_tell() {
    let world = chain();
    let questions: [(&[&str], &[&str]); 6] = [
        (&["callers", "Log.Trace", "--depth", "4"], &["items"]),
        (
            &["callees", "MiddleTests.Emits", "--depth", "4"],
            &["items"],
        ),
        (&["hierarchy", "ISink"], &["up", "down"]),
        (&["hierarchy", "MiddleTests"], &["up", "down"]),
        (&["implementations", "ISink.Emit"], &["down"]),
        (&["overrides", "Base.Emit"], &["up", "down"]),
    ];
    let mut n_told = 0;
    for (question, lists) in questions {
        let all = world.json(question);
        for path in ["App/Core.cs", "App/Middle.cs", "Tests/MiddleTests.cs"] {
            let printed = world.envelope(&[question, &["--path", path]].concat());
            let answer = &printed["answer"];
            for list in lists {
                let mut expected = entries(&all[list]);
                expected.retain(|(_, file)| file == path);
                let found = entries(&answer[list]);
                assert_eq!(found, expected, "{question:?} in {path}: {list}");
                n_told += found.len();
            }
            if !answer["items"].is_null() {
                let n = answer["items"].as_array().expect("a list").len();
                assert_eq!(answer["total"], n, "{question:?} in {path}");
                assert!(printed["limits"].is_null(), "{question:?} in {path}");
            }
        }
    }
    assert!(n_told > 10, "{n_told}");
}

#[test]
fn what_lies_on_the_way_is_not_named() {
    let world = chain();
    let from_tests = ["--scope", "Tests"];
    for question in [
        &["callers", "Log.Trace", "--depth", "4"][..],
        &["callers", "Log.Write", "--depth", "2"],
        &["hierarchy", "ISink"],
        &["hierarchy", "ISink.Emit"],
        &["implementations", "ISink"],
        &["overrides", "Base.Emit"],
        &["deps", "MiddleTests", "--path-to", "Deep"],
    ] {
        for format in ["text", "md", "json", "mermaid", "dot"] {
            let arguments = [question, &from_tests, &["--format", format]].concat();
            let output = world.run(&arguments);
            let text = shown(&output);
            assert!(output.status.success(), "{arguments:?}: {text}");
            let told = text.replace("MiddleTests", "");
            // The lines of code that are told may name it.
            let told: Vec<&str> = told
                .lines()
                .filter(|it| !it.contains("new Middle()"))
                .collect();
            let told = told.join("\n");
            assert!(!told.contains("Middle"), "{arguments:?}: {text}");
        }
    }
    let answer = world.json(&["callers", "Log.Write", "--depth", "2", "--scope", "Tests"]);
    assert_eq!(answer["items"][0]["throughOutside"], 1, "{answer:#}");
    let text = world.answer(&["callers", "Log.Write", "--depth", "2", "--scope", "Tests"]);
    assert!(text.contains("calls 1 member outside the filter"), "{text}");
    let path = world.json(&[
        "deps",
        "MiddleTests",
        "--path-to",
        "Deep",
        "--scope",
        "Tests",
    ]);
    assert_eq!(path["path"]["steps"][0]["nOutside"], 1, "{path:#}");
}

#[test]
fn callees_are_counted_as_they_are_told() {
    let world = chain();
    for filter in [&["--path", "Tests"], &["--scope", "Tests & !Tests"]] {
        let printed = world.envelope(&[&["callees", "Middle.Emit"], &filter[..]].concat());
        assert_eq!(printed["answer"]["total"], 0, "{filter:?}");
        assert!(printed["limits"].is_null(), "{filter:?}");
        let text = world.answer(&[&["callees", "Middle.Emit"], &filter[..]].concat());
        assert!(
            text.contains("0 callees") && !text.contains("more"),
            "{text}"
        );
    }
}

#[test]
fn what_the_filter_leaves_out_is_not_resolved() {
    let world = chain();
    for arguments in [
        &["Log", "--test"][..],
        &["Log", "--path", "Tests"],
        &["Log.Write", "--project", "Tests"],
        &["Middle.Emit", "--scope", "Tests & !Tests"],
        &["MiddleTests", "--no-test"],
    ] {
        let output = world.run(&[&["resolve"], arguments].concat());
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(!text.contains("Shop."), "{text}");
    }
    let answer = world.json(&["resolve", "Emit", "--test"]);
    assert_eq!(
        answer["subject"]["symbol"]["path"],
        "Shop.Tests.MiddleTests.Emit(string)"
    );
    let printed = world.envelope(&["resolve", "Middle", "--no-test"]);
    assert_eq!(printed["limitedTo"]["tests"], "without");
}

#[test]
fn a_corrected_name_is_said_to_be_one() {
    let world = chain();
    for command in [
        "resolve",
        "usages",
        "callers",
        "callees",
        "implementations",
        "overrides",
        "hierarchy",
        "deps",
        "cycles",
        "source",
        "outline",
    ] {
        let answer = world.json(&[command, "Midle"]);
        assert_eq!(answer["subject"]["correctedFrom"], "Midle", "{command}");
        assert!(world.json(&[command, "Middle"])["subject"]["correctedFrom"].is_null());
        for format in ["text", "md"] {
            let text = world.answer(&[command, "Midle", "--format", format]);
            assert!(
                text.contains("no symbol is named Midle; showing the closest match"),
                "{command}: {text}"
            );
        }
    }
    let text = world.answer(&["map", "--focus", "Midle"]);
    assert!(text.contains("no symbol is named `Midle`"), "{text}");
    let text = world.answer(&["deps", "MiddleTests", "--path-to", "Midle"]);
    assert!(text.contains("no symbol is named Midle"), "{text}");
    let text = world.answer(&["tests", "Midle"]);
    assert!(text.contains("no symbol is named Midle"), "{text}");
    // Wildcards correct nothing.
    assert!(world.json(&["resolve", "Midd?e"])["subject"]["correctedFrom"].is_null());
    let output = world.run(&["search", "symbols", "Midle", "--format", "json"]);
    let answer: Value = crate::wire::answer_of(&output.stdout);
    assert_eq!(answer["suggestions"][0]["path"], "Shop.Middle");
    let text = world.run(&["search", "symbols", "Midle", "--test"]);
    assert!(!shown(&text).contains("Shop.Middle"), "{}", shown(&text));
}

#[test]
fn an_empty_symbol_is_refused() {
    let world = chain();
    for command in [
        "resolve",
        "usages",
        "callers",
        "callees",
        "implementations",
        "overrides",
        "hierarchy",
        "deps",
        "cycles",
        "source",
        "outline",
        "history",
        "tests",
    ] {
        for empty in ["", " "] {
            let output = world.run(&[command, empty]);
            let text = shown(&output);
            assert_eq!(output.status.code(), Some(2), "{command}: {text}");
            assert!(text.contains("the query is empty"), "{command}: {text}");
        }
    }
}

#[test]
fn an_unknown_kind_is_refused_with_those_that_there_are() {
    let world = chain();
    let output = world.run(&["search", "symbols", "Log", "--kind", "class,foo"]);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("kind `foo`") && text.contains("enum member"),
        "{text}"
    );
    let text = world.answer(&["search", "symbols", "Log", "--kind", "Class"]);
    assert!(text.starts_with("Log: 1 symbol\n"), "{text}");
}

#[test]
fn every_answer_says_what_it_is_limited_to() {
    let world = chain();
    for question in [
        &["usages", "Log.Write"][..],
        &["callers", "Log.Write"],
        &["callees", "Middle.Emit"],
        &["implementations", "ISink"],
        &["overrides", "Base.Emit"],
        &["hierarchy", "ISink"],
        &["deps", "Middle"],
        &["cycles"],
        &["unused"],
        &["map"],
        &["outline", "Middle"],
        &["outline", "Shop"],
        &["resolve", "Middle"],
        &["search", "symbols", "Middle"],
    ] {
        let limits = ["--scope", "!Tests", "--path", "App", "--no-test"];
        let run = |format: &str| {
            let arguments = [question, &limits, &["--format", format]].concat();
            let output = world.run(&arguments);
            String::from_utf8(output.stdout).expect("answers are UTF-8")
        };
        let answer: Value = serde_json::from_str(&run("json")).expect("it is JSON");
        let expected = serde_json::json!({
            "scope": "!Tests", "paths": ["App"], "tests": "without",
        });
        assert_eq!(answer["limitedTo"], expected, "{question:?}");
        let text = run("text").replace('`', "");
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.contains(", in !Tests, in path App, outside test projects"),
            "{question:?}: {first}"
        );
        let markdown = run("md");
        let first = markdown.lines().next().unwrap_or_default();
        assert!(
            first.contains(", in `!Tests`, in path `App`, outside test projects"),
            "{question:?}: {first}"
        );
        let all = world.answer(&[question, &["--format", "json"]].concat());
        assert!(!all.contains("limitedTo"), "{all}");
    }
    let text = world.answer(&["search", "text", "Log", "--scope", "!Tests"]);
    assert!(
        text.lines()
            .next()
            .is_some_and(|it| it.ends_with(", in !Tests")),
        "{text}"
    );
}

#[test]
fn a_change_outside_of_a_scope_is_counted() {
    let world = chain();
    world.edit("App/Core.cs", "{ }", "{ _ = text; }");
    let text = world.answer(&["diff-context", "--scope", "Tests"]);
    let first = text.lines().next().unwrap_or_default();
    assert!(
        first.ends_with("0 files, +0 -0 in `Tests`, 1 changed file outside it"),
        "{first}"
    );
    let range = &world.json(&["diff-context", "--scope", "Tests"])["range"];
    assert_eq!(
        (&range["scope"], &range["nOutside"]),
        (&"Tests".into(), &1.into())
    );
}

#[test]
fn a_member_that_overrides_nothing_tells_what_it_implements() {
    let world = chain();
    let answer = world.json(&["overrides", "ISink.Emit"]);
    assert_eq!(
        (&answer["totalDown"], &answer["nImplementations"]),
        (&2.into(), &1.into())
    );
    let answer = world.json(&["overrides", "Base.Emit"]);
    assert_eq!(
        (&answer["totalDown"], &answer["nImplements"]),
        (&2.into(), &1.into())
    );
    let text = world.answer(&["overrides", "ISink.Emit"]);
    assert!(
        text.contains("1 member implements it (see git cortex implementations)"),
        "{text}"
    );
}

#[test]
fn nothing_to_show_is_a_sentence() {
    let world = chain();
    for arguments in [
        &["map", "--scope", "Tests & !Tests"][..],
        &["outline", "Shop", "--scope", "Tests & !Tests"],
    ] {
        for format in ["md", "text"] {
            let text = world.answer(&[arguments, &["--format", format]].concat());
            assert!(text.contains("no C# types"), "{text}");
            assert!(!text.contains("```"), "{text}");
        }
    }
}

#[test]
fn what_the_budget_left_out_is_shown_by_the_command_that_was_asked() {
    let world = chain();
    let many: String = (0..400)
        .map(|n| format!("    void M{n}() => Log.Write(\"\");\n"))
        .collect();
    world.write(
        "App/Many.cs",
        format!("namespace Shop;\nclass Many\n{{\n{many}}}\n"),
    );
    let options = [
        "--path",
        "App",
        "--no-test",
        "--limit",
        "500",
        "--budget",
        "2000",
    ];
    let text = world.answer(&[&["usages", "Log.Write", "--format", "md"], &options[..]].concat());
    assert!(
        text.contains("git cortex usages Log.Write --path App --no-test --limit 500 --budget"),
        "{text}"
    );
    // More room is no use where the limit is what keeps the rest away.
    let options = ["--path", "App", "--limit", "300", "--budget", "2000"];
    let text = world.answer(&[&["usages", "Log.Write", "--format", "md"], &options[..]].concat());
    assert!(
        text.contains("git cortex usages Log.Write --path App --limit 402 --budget"),
        "{text}"
    );
}

#[test]
fn time_that_is_over_is_said() {
    let world = chain();
    world.answer(&["map"]);
    for command in [
        &["outline", "Middle"][..],
        &["map"],
        &["deps", "Middle"],
        &["cycles"],
    ] {
        let output = world.run(&[command, &["--timeout", "0ms"]].concat());
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(3), "{command:?}: {text}");
        assert!(
            text.contains("time") && text.contains("--timeout"),
            "{text}"
        );
    }
}
