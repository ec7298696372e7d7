//! What answers say of what they leave out: filters, code that is not compiled, names that are none, space and time.

use cortex_check::{Service, Value, json, programs::chain, with};

use crate::PROJECT;

/// A chain from tests through a library: `MiddleTests.Emits` → `Middle.Emit` → `Log.Write` → `Log.Trace`.
fn chain() -> Service {
    Service::with_files(chain::FILES)
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
    let ask = |filter: Value| {
        let answer = world.answer("usages", json!({"symbol": "Log.Trace", "filter": filter}));
        (
            answer["verdict"].as_str().expect("a word").to_owned(),
            answer["elsewhere"].as_u64().unwrap_or_default(),
        )
    };
    assert_eq!(ask(json!({})), ("found".to_owned(), 0));
    for filter in [
        json!({"tests": "only"}),
        json!({"paths": ["Tests"]}),
        json!({"projects": ["Tests"]}),
        json!({"scope": "Tests"}),
        json!({"scope": "Tests & !Tests"}),
    ] {
        assert_eq!(
            ask(filter.clone()),
            ("elsewhere".to_owned(), 1),
            "{filter:?}"
        );
    }
    assert_eq!(ask(json!({"tests": "without"})), ("found".to_owned(), 0));
    let text = world.text(
        "usages",
        json!({"symbol": "Log.Trace", "filter": {"tests": "only"}}),
    );
    assert!(
        text.contains("no uses inside the filter; 1 use outside it"),
        "{text}"
    );
    let some = world.answer(
        "usages",
        json!({"symbol": "Log.Write", "filter": {"paths": ["App/Core.cs"]}}),
    );
    assert_eq!((&some["total"], &some["elsewhere"]), (&1.into(), &1.into()));
    // What is not used at all is not used in a part.
    let none = world.answer(
        "usages",
        json!({"symbol": "Middle.near", "filter": {"tests": "only"}}),
    );
    assert_eq!(
        (&none["verdict"], &none["total"]),
        (&"none".into(), &0.into())
    );
}
#[test]
fn code_that_is_not_compiled_is_a_doubt() {
    let world = Service::with_files(&[
        ("App.csproj", PROJECT),
        (
            "src/A.cs",
            "class A\n{\n    private void Quiet() { }\n    private void Other() { }\n    void M()\n    {\n#if NEVER\n        Quiet(); // Other\n#endif\n    }\n}\n",
        ),
    ]);
    let answer = world.answer("usages", json!({"symbol": "A.Quiet"}));
    assert_eq!(answer["verdict"], "not-known");
    let not_known = &answer["notKnown"];
    assert_eq!(not_known["inactive"], 1);
    let place = &not_known["inactivePlaces"][0];
    assert_eq!(
        (&place["file"], &place["line"], &place["text"]),
        (&"src/A.cs".into(), &8.into(), &"Quiet(); // Other".into())
    );
    assert_eq!(
        world.answer("usages", json!({"symbol": "A.Other"}))["verdict"],
        "none"
    );
    for command in ["usages", "callers"] {
        let text = world.text(command, json!({"symbol": "A.Quiet"}));
        assert!(
            text.contains("1 place with this name in inactive #if code: src/A.cs:8"),
            "{text}"
        );
    }
    // The same of the next work tree, from what was kept of this one.
    world.edit("src/A.cs", "Quiet(); // Other", "Other();");
    assert_eq!(
        world.answer("usages", json!({"symbol": "A.Quiet"}))["verdict"],
        "none"
    );
    assert_eq!(
        world.answer("usages", json!({"symbol": "A.Other"}))["verdict"],
        "not-known"
    );
    // What one project leaves out and another does not is compiled.
    world.write(
        "Twin.csproj",
        PROJECT.replace(
            "</PropertyGroup>",
            "<DefineConstants>NEVER</DefineConstants></PropertyGroup>",
        ),
    );
    let answer = world.answer("usages", json!({"symbol": "A.Other"}));
    assert_eq!(answer["notKnown"]["inactive"], 0, "{answer:#}");
}
#[test]
fn a_walk_goes_through_what_the_answer_does_not_tell() {
    let world = chain();
    let questions: [((&str, Value), &[&str]); 6] = [
        (
            ("callers", json!({"symbol": "Log.Trace", "depth": 4})),
            &["items"],
        ),
        (
            (
                "callees",
                json!({"symbol": "MiddleTests.Emits", "depth": 4}),
            ),
            &["items"],
        ),
        (("hierarchy", json!({"symbol": "ISink"})), &["up", "down"]),
        (
            ("hierarchy", json!({"symbol": "MiddleTests"})),
            &["up", "down"],
        ),
        (
            ("implementations", json!({"symbol": "ISink.Emit"})),
            &["down"],
        ),
        (
            ("overrides", json!({"symbol": "Base.Emit"})),
            &["up", "down"],
        ),
    ];
    let mut n_told = 0;
    for (question, lists) in questions {
        let (operation, request) = question;
        let all = world.answer(operation, request.clone());
        for path in ["App/Core.cs", "App/Middle.cs", "Tests/MiddleTests.cs"] {
            let filter = json!({"filter": {"paths": [path]}});
            let envelope = world.envelope(operation, with(&request, filter));
            let answer = &envelope["answer"];
            for list in lists {
                let mut expected = entries(&all[list]);
                expected.retain(|(_, file)| file == path);
                let found = entries(&answer[list]);
                assert_eq!(found, expected, "{operation} {request} in {path}: {list}");
                n_told += found.len();
            }
            if !answer["items"].is_null() {
                let n = answer["items"].as_array().expect("a list").len();
                assert_eq!(answer["total"], n, "{operation} {request} in {path}");
                assert!(
                    envelope["limits"].is_null(),
                    "{operation} {request} in {path}"
                );
            }
        }
    }
    assert!(n_told > 10, "{n_told}");
}
#[test]
fn what_lies_on_the_way_is_not_named() {
    let world = chain();
    for (operation, request) in [
        ("callers", json!({"symbol": "Log.Trace", "depth": 4})),
        ("callers", json!({"symbol": "Log.Write", "depth": 2})),
        ("hierarchy", json!({"symbol": "ISink"})),
        ("hierarchy", json!({"symbol": "ISink.Emit"})),
        ("implementations", json!({"symbol": "ISink"})),
        ("overrides", json!({"symbol": "Base.Emit"})),
        ("deps", json!({"symbol": "MiddleTests", "pathTo": "Deep"})),
    ] {
        let request = with(&request, json!({"filter": {"scope": "Tests"}}));
        for text in world.forms(operation, request.clone()) {
            let shown = text.replace("MiddleTests", "");
            // The lines of code that are shown may name it.
            let shown: Vec<&str> = shown
                .lines()
                .filter(|line| !line.contains("new Middle()"))
                .collect();
            let shown = shown.join("\n");
            assert!(!shown.contains("Middle"), "{operation} {request}: {text}");
        }
    }
    let answer = world.answer(
        "callers",
        json!({"symbol": "Log.Write", "depth": 2, "filter": {"scope": "Tests"}}),
    );
    assert_eq!(answer["items"][0]["throughOutside"], 1, "{answer:#}");
    let text = world.text(
        "callers",
        json!({"symbol": "Log.Write", "depth": 2, "filter": {"scope": "Tests"}}),
    );
    assert!(text.contains("calls 1 member outside the filter"), "{text}");
    let path = world.answer(
        "deps",
        json!({"symbol": "MiddleTests", "pathTo": "Deep", "filter": {"scope": "Tests"}}),
    );
    assert_eq!(path["path"]["steps"][0]["nOutside"], 1, "{path:#}");
}
#[test]
fn callees_are_counted_as_they_are_told() {
    let world = chain();
    for filter in [
        json!({"paths": ["Tests"]}),
        json!({"scope": "Tests & !Tests"}),
    ] {
        let request = json!({"symbol": "Middle.Emit", "filter": filter});
        let envelope = world.envelope("callees", request.clone());
        assert_eq!(envelope["answer"]["total"], 0, "{filter}");
        assert!(envelope["limits"].is_null(), "{filter}");
        let text = world.text("callees", request);
        assert!(
            text.contains("0 callees") && !text.contains("more"),
            "{text}"
        );
    }
}
#[test]
fn what_the_filter_leaves_out_is_not_resolved() {
    let world = chain();
    for (symbol, filter) in [
        ("Log", json!({"tests": "only"})),
        ("Log", json!({"paths": ["Tests"]})),
        ("Log.Write", json!({"projects": ["Tests"]})),
        ("Middle.Emit", json!({"scope": "Tests & !Tests"})),
        ("MiddleTests", json!({"tests": "without"})),
    ] {
        let error = world.error("resolve", json!({"symbol": symbol, "filter": filter}));
        assert_eq!(error["code"], "SymbolNotFound", "{symbol} {filter}");
        assert!(!error.to_string().contains("Shop."), "{error:#}");
    }
    let answer = world.answer(
        "resolve",
        json!({"symbol": "Emit", "filter": {"tests": "only"}}),
    );
    assert_eq!(
        answer["subject"]["symbol"]["path"],
        "Shop.Tests.MiddleTests.Emit(string)"
    );
    let envelope = world.envelope(
        "resolve",
        json!({"symbol": "Middle", "filter": {"tests": "without"}}),
    );
    assert_eq!(envelope["limitedTo"]["tests"], "without");
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
        let answer = world.answer(command, json!({"symbol": "Midle"}));
        assert_eq!(answer["subject"]["correctedFrom"], "Midle", "{command}");
        let exact = world.answer(command, json!({"symbol": "Middle"}));
        assert!(exact["subject"]["correctedFrom"].is_null());
        let request = json!({"symbol": "Midle"});
        for text in [
            world.text(command, request.clone()),
            world.markdown(command, request.clone()),
        ] {
            assert!(
                text.contains("no symbol is named Midle; showing the closest match"),
                "{command}: {text}"
            );
        }
    }
    let text = world.markdown("map", json!({"focus": ["Midle"]}));
    assert!(text.contains("no symbol is named `Midle`"), "{text}");
    let text = world.text("deps", json!({"symbol": "MiddleTests", "pathTo": "Midle"}));
    assert!(text.contains("no symbol is named Midle"), "{text}");
    let text = world.text("tests", json!({"subjects": ["Midle"]}));
    assert!(text.contains("no symbol is named Midle"), "{text}");
    // Wildcards correct nothing.
    assert!(
        world.answer("resolve", json!({"symbol": "Midd?e"}))["subject"]["correctedFrom"].is_null()
    );
    let request = json!({"query": "Mdidle", "docIds": true});
    let answer = world.answer("search-symbols", request);
    assert_eq!(answer["suggestions"][0]["path"], "Shop.Middle");
    let request = json!({"query": "Midle", "filter": {"tests": "only"}});
    for text in world.forms("search-symbols", request) {
        assert!(!text.contains("Shop.Middle"), "{text}");
    }
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
            let request = match command {
                "tests" => json!({"subjects": [empty]}),
                _ => json!({"symbol": empty}),
            };
            let error = world.error(command, request);
            assert_eq!(error["code"], "InvalidQuery", "{command}: {error:#}");
            let message = error["message"].as_str().unwrap_or_default();
            assert!(
                message.contains("the query is empty"),
                "{command}: {error:#}"
            );
        }
    }
}
#[test]
fn an_unknown_kind_is_refused_with_those_that_there_are() {
    let world = chain();
    let request = json!({"query": "Log", "kinds": ["class", "foo"]});
    let error = world.error("search-symbols", request).to_string();
    assert!(
        error.contains("kind `foo`") && error.contains("enum member"),
        "{error}"
    );
    let text = world.text(
        "search-symbols",
        json!({"query": "Log", "kinds": ["Class"]}),
    );
    assert!(text.starts_with("Log: 1 symbol\n"), "{text}");
}
#[test]
fn every_answer_says_what_it_is_limited_to() {
    let world = chain();
    for (operation, request) in [
        ("usages", json!({"symbol": "Log.Write"})),
        ("callers", json!({"symbol": "Log.Write"})),
        ("callees", json!({"symbol": "Middle.Emit"})),
        ("implementations", json!({"symbol": "ISink"})),
        ("overrides", json!({"symbol": "Base.Emit"})),
        ("hierarchy", json!({"symbol": "ISink"})),
        ("deps", json!({"symbol": "Middle"})),
        ("cycles", json!({})),
        ("unused", json!({})),
        ("map", json!({})),
        ("outline", json!({"symbol": "Middle"})),
        ("outline", json!({"symbol": "Shop"})),
        ("resolve", json!({"symbol": "Middle"})),
        ("search-symbols", json!({"query": "Middle"})),
    ] {
        let limits = json!({"scope": "!Tests", "paths": ["App"], "tests": "without"});
        let limited = with(&request, json!({"filter": limits}));
        let envelope = world.envelope(operation, limited.clone());
        assert_eq!(envelope["limitedTo"], limits, "{operation} {request}");
        let text = world.text(operation, limited.clone()).replace('`', "");
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.contains(", in !Tests, in path App, outside test projects"),
            "{operation} {request}: {first}"
        );
        let markdown = world.markdown(operation, limited);
        let first = markdown.lines().next().unwrap_or_default();
        assert!(
            first.contains(", in `!Tests`, in path `App`, outside test projects"),
            "{operation} {request}: {first}"
        );
        let all = world.envelope(operation, request).to_string();
        assert!(!all.contains("limitedTo"), "{all}");
    }
    let text = world.text("search-text", json!({"query": "Log", "scope": "!Tests"}));
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
    let text = world.markdown("diff-context", json!({"scope": "Tests"}));
    let first = text.lines().next().unwrap_or_default();
    assert!(
        first.ends_with("0 files, +0 -0 in `Tests`, 1 changed file outside it"),
        "{first}"
    );
    let range = &world.answer("diff-context", json!({"scope": "Tests"}))["range"];
    assert_eq!(
        (&range["scope"], &range["nOutside"]),
        (&"Tests".into(), &1.into())
    );
}
#[test]
fn a_member_that_overrides_nothing_tells_what_it_implements() {
    let world = chain();
    let answer = world.answer("overrides", json!({"symbol": "ISink.Emit"}));
    assert_eq!(
        (&answer["totalDown"], &answer["nImplementations"]),
        (&2.into(), &1.into())
    );
    let answer = world.answer("overrides", json!({"symbol": "Base.Emit"}));
    assert_eq!(
        (&answer["totalDown"], &answer["nImplements"]),
        (&2.into(), &1.into())
    );
    let text = world.text("overrides", json!({"symbol": "ISink.Emit"}));
    assert!(
        text.contains("1 member implements it (see Implementations)"),
        "{text}"
    );
}
#[test]
fn nothing_to_show_is_a_sentence() {
    let world = chain();
    let filter = json!({"scope": "Tests & !Tests"});
    for (operation, request) in [
        ("map", json!({"filter": filter})),
        ("outline", json!({"symbol": "Shop", "filter": filter})),
    ] {
        for text in [
            world.markdown(operation, request.clone()),
            world.text(operation, request),
        ] {
            assert!(text.contains("no C# types"), "{text}");
            assert!(!text.contains("```"), "{text}");
        }
    }
}
#[test]
fn a_call_that_could_not_be_bound_is_a_doubt_of_callers_as_of_uses() {
    let world = Service::with_files(&[
        ("App.csproj", PROJECT),
        (
            "src/A.cs",
            "class A { internal void Quiet() { } void M(Missing m) => m.Quiet(); }\n",
        ),
    ]);
    for command in ["usages", "callers"] {
        let answer = world.answer(command, json!({"symbol": "A.Quiet"}));
        assert_eq!(answer["notKnown"]["nameOnly"], 1, "{answer:#}");
        let text = world.text(command, json!({"symbol": "A.Quiet"}));
        let note = "1 place with this name could not be resolved";
        assert!(text.contains(note), "{text}");
    }
    let callees = world.answer("callees", json!({"symbol": "A.Quiet"}));
    assert!(callees["notKnown"].is_null(), "{callees:#}");
}
#[test]
fn roles_are_counted_as_they_are_told() {
    let world = Service::with_files(&[
        ("App.csproj", PROJECT),
        (
            "src/A.cs",
            "class A { int Quiet() => 1; string M() => nameof(Quiet) + nameof(A) + typeof(A); }\n",
        ),
    ]);
    let roles = |symbol: &str| world.answer("usages", json!({"symbol": symbol}))["roles"].clone();
    assert_eq!(roles("A.Quiet"), json!({"nameof": 1}));
    assert_eq!(roles("A"), json!({"nameof": 1, "typeof": 1}));
}
