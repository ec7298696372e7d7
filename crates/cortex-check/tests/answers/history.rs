//! `history`: what it tells of one symbol, that it agrees with `diff-context`, and what it follows.

use std::collections::BTreeMap;

use cortex_check::{Format, Service, Value, expect, json, render, with};
use cortex_context::{O200kBase, Tokenizer};
use proptest::prelude::*;

use crate::{PROJECT, check};

/// A repository with one project and one file in it.
fn with_source(text: &str) -> Service {
    Service::with_files(&[("App.csproj", PROJECT), ("A.cs", text)])
}

/// Commits a new text of a file.
fn next(world: &Service, path: &str, text: &str, message: &str) {
    world.commit_files(&[(path, text)], message);
}

/// The subjects and classes of a history, newest first.
fn told(world: &Service, symbol: &str, more: Value) -> Vec<String> {
    let answer = world.answer("history", with(&json!({"symbol": symbol}), more));
    let entries = answer["entries"].as_array().expect("an answer has entries");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (entries.iter())
        .map(|entry| {
            let class = text(&entry["change"]["class"]);
            format!("{}: {class}", text(&entry["commit"]["subject"]))
        })
        .collect()
}

/// What `diff-context` tells of each commit of a history is what `history` tells of each type.
#[test]
fn a_history_is_what_its_commits_do() {
    let world = crate::demo();
    let commits = world.git(&["rev-list", "--first-parent", "HEAD"]);
    let commits: Vec<&str> = commits.lines().collect();
    let mut expected: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    for pair in commits.windows(2) {
        let range = format!("{}..{}", pair[1], pair[0]);
        let answer = world.answer("diff-context", json!({"revisions": [&range]}));
        for ty in answer["types"].as_array().expect("an answer has types") {
            let name = ty["type"]["path"].as_str().expect("a name").to_owned();
            let class = ty["class"].clone();
            let entries = expected.entry(name).or_default();
            entries.push((pair[0].to_owned(), class));
        }
    }
    assert!(expected.len() > 20, "the demonstration changes many types");
    let range = format!("{}..HEAD", commits[commits.len() - 1]);
    let mut n_renamed = 0;
    for (name, changes) in &expected {
        let answer = world.answer(
            "history",
            json!({"symbol": name, "range": &range, "cosmetic": "shown"}),
        );
        let entries = answer["entries"].as_array().expect("an answer has entries");
        let ours = entries.iter().map(|entry| {
            let id = entry["commit"]["id"].as_str().expect("an id");
            (id.to_owned(), entry["change"]["class"].clone())
        });
        // `diff-context` tells of files that a type only moved to, not of the type.
        let ours: Vec<(String, Value)> = ours.filter(|(_, class)| *class != "unchanged").collect();
        // What a type did under an older name belongs to it as well.
        let renames = entries
            .iter()
            .filter(|it| it["change"]["renamedFrom"].is_string());
        let n_renames = renames.count();
        n_renamed += n_renames;
        if n_renames == 0 && answer["redirectedFrom"].is_null() {
            assert_eq!(ours, *changes, "{name}");
        } else {
            let all = changes.iter().all(|change| ours.contains(change));
            assert!(all, "{name}: {ours:?} lacks some of {changes:?}");
        }
    }
    assert!(n_renamed > 0, "the demonstration renames a type");
}
#[test]
fn a_rename_is_followed_from_either_name() {
    let world = with_source("namespace N; public class Old { public int F() => 1; }\n");
    world.edit("A.cs", "=> 1", "=> 2");
    world.commit("Edit");
    world.git(&["mv", "A.cs", "B.cs"]);
    world.edit("B.cs", "class Old", "class New");
    world.commit("Rename");
    world.edit("B.cs", "=> 2", "=> 3");
    world.commit("Edit again");
    let all = [
        "Edit again: public-behavior",
        "Rename: structure",
        "Edit: public-behavior",
        "Add files: added",
    ];
    assert_eq!(told(&world, "New", json!({"range": "HEAD"})), all);
    assert_eq!(told(&world, "N.Old", json!({"range": "HEAD"})), all);
    assert_eq!(
        told(
            &world,
            "T:N.New",
            json!({"range": "HEAD", "show": "structure"})
        ),
        [all[1], all[3]]
    );
    assert_eq!(
        told(
            &world,
            "New",
            json!({"range": "HEAD~3..HEAD", "maxCount": 2})
        ),
        all[..2]
    );
    world.check_text(
        "history",
        json!({"symbol": "Old"}),
        expect![[r#"
        N.New: class T_98W0ZP21, 4 changes in 4 commits of HEAD, first parents
          N.Old was renamed to this symbol

        20c4f4f1c 2026-01-02 public behavior changed | A U Thor: Edit again
          * F
          at B.cs:1

        03c0ec3ed 2026-01-02 renamed, breaking | A U Thor: Rename
          was N.Old
          moved A.cs → B.cs
          - public class Old
          + public class New
          at B.cs:1

        06ce31cb0 2026-01-02 public behavior changed | A U Thor: Edit
          * F
          at A.cs:1

        3c5434799 2026-01-02 added | A U Thor: Add files
          + public class Old
          + public int F()
          at A.cs:1
    "#]],
    );
}
#[test]
fn what_is_gone_came_again_or_moved_is_found() {
    let world = with_source("namespace N; public class A { public int F() => 1; }\n");
    next(
        &world,
        "A.cs",
        "namespace N; public class Other;\n",
        "Remove",
    );
    assert_eq!(
        told(&world, "A", json!({"range": "HEAD"})),
        ["Remove: removed", "Add files: added"]
    );
    next(
        &world,
        "A.cs",
        "namespace N; public class Other;\npublic record A { public int F() => 1; }\n",
        "Bring back",
    );
    let expected = ["Bring back: added", "Remove: removed", "Add files: added"];
    assert_eq!(
        told(&world, "T:N.A", json!({"range": "HEAD"}))[..1],
        expected[..1]
    );
    world.edit("A.cs", "record A", "struct A");
    world.commit("Make it a struct");
    assert_eq!(
        told(&world, "N.A", json!({"range": "HEAD", "show": "structure"}))[..2],
        ["Make it a struct: structure", "Bring back: added"]
    );
    world.git(&["mv", "A.cs", "Moved.cs"]);
    world.commit("Move");
    assert_eq!(
        told(&world, "N.A", json!({"range": "HEAD"}))[0],
        "Move: unchanged"
    );
}
#[test]
fn members_are_followed_through_signatures_names_and_overloads() {
    let world = with_source(
        "namespace N; public class A { public int First(int x) { return x + 1; } public void G() { } }\n",
    );
    world.edit("A.cs", "x + 1", "x + 2");
    world.commit("Edit");
    world.edit("A.cs", "First(int x)", "First(long x)");
    world.edit("A.cs", "public int", "public long");
    world.commit("Widen");
    world.edit("A.cs", "First", "Second");
    world.commit("Rename");
    world.edit("A.cs", "public long", "[System.Obsolete] public long");
    world.commit("Deprecate");
    world.edit(
        "A.cs",
        "public void G",
        "public long Second() => 0; public void G",
    );
    world.commit("Overload");
    let all = [
        "Deprecate: structure",
        "Rename: structure",
        "Widen: structure",
        "Edit: public-behavior",
        "Add files: added",
    ];
    assert_eq!(
        told(&world, "A.Second(long)", json!({"range": "HEAD"})),
        all
    );
    assert_eq!(
        told(
            &world,
            "M:N.A.Second(System.Int64)",
            json!({"range": "HEAD"})
        ),
        all
    );
    assert_eq!(told(&world, "A.First", json!({"range": "HEAD"})), all);
    assert_eq!(
        told(&world, "A.Second", json!({"range": "HEAD"}))[..2],
        ["Overload: structure", all[0]]
    );
    assert_eq!(
        told(&world, "A.G", json!({"range": "HEAD"})),
        ["Add files: added"]
    );
    assert_eq!(
        told(&world, "A.cs:1", json!({"range": "HEAD"})),
        told(&world, "A.G", json!({"range": "HEAD"}))
    );
    world.check_text(
        "history",
        json!({"symbol": "A.Second(long)", "range": "HEAD"}),
        expect![[r#"
            N.A.Second(long): method T_5JVMB7T1_VMAZ7Y, 5 changes in 6 commits of HEAD

            0652b9edf 2026-01-02 structure changed | A U Thor: Deprecate
              ~ public long Second(long) (`[Obsolete]` added; made obsolete)
              at A.cs:1

            cdc4cf419 2026-01-02 structure changed, breaking | A U Thor: Rename
              - public long First(long)
              + public long Second(long) (renamed from `First`, otherwise unchanged)
              at A.cs:1

            d5467ca54 2026-01-02 structure changed, breaking | A U Thor: Widen
              - public int First(int)
              + public long First(long)
              at A.cs:1

            b31d5e88b 2026-01-02 public behavior changed | A U Thor: Edit
              * First
              at A.cs:1

            90f3e8ba8 2026-01-02 added | A U Thor: Add files
              + public int First(int)
              at A.cs:1
        "#]],
    );
}
#[test]
fn a_merge_is_told_where_first_parents_are_followed_and_its_commits_otherwise() {
    let world = with_source("namespace N; public class A { public int F() => 1; }\n");
    world.git(&["checkout", "--quiet", "-b", "side"]);
    world.edit("A.cs", "=> 1", "=> 2");
    world.commit("Edit aside");
    world.git(&["checkout", "--quiet", "main"]);
    next(&world, "B.cs", "namespace N; public class B;\n", "Add B");
    world.git(&["merge", "--quiet", "--message", "Merge", "side"]);
    assert_eq!(
        told(&world, "A", json!({"range": "HEAD", "firstParent": true})),
        ["Merge: public-behavior", "Add files: added"]
    );
    assert_eq!(
        told(&world, "A", json!({"range": "HEAD"})),
        ["Edit aside: public-behavior", "Add files: added"]
    );
    assert_eq!(
        told(&world, "B", json!({"range": "HEAD"})),
        ["Add B: added"]
    );
}
#[test]
fn only_what_is_asked_for_is_told() {
    let world = with_source(
        "namespace N; public class A { public int F() => 1; private int g; internal int H() => 1; }\n",
    );
    world.edit("A.cs", "private int g", "private long g");
    world.commit("Inside");
    world.edit("A.cs", "public int", "/* says */ public int");
    world.commit("Comment");
    world.edit("A.cs", "=> 1", "=> 2");
    world.commit("Behave");
    world.edit("A.cs", "F()", "F(int x)");
    world.commit("Break");
    let all = [
        "Break: structure",
        "Behave: public-behavior",
        "Comment: cosmetic",
        "Inside: internal",
        "Add files: added",
    ];
    assert_eq!(
        told(&world, "A", json!({"range": "HEAD", "cosmetic": "shown"})),
        all
    );
    assert_eq!(
        told(&world, "A", json!({"range": "HEAD"})),
        [all[0], all[1], all[3], all[4]]
    );
    assert_eq!(
        told(&world, "A", json!({"range": "HEAD", "show": "structure"})),
        [all[0], all[4]]
    );
    assert_eq!(
        told(&world, "A", json!({"range": "HEAD", "show": "api"})),
        [all[0], all[4]]
    );
    assert_eq!(
        told(&world, "A.g", json!({"range": "HEAD"})),
        ["Inside: structure", all[4]]
    );
}

#[test]
fn no_budget_is_exceeded() {
    let world = crate::demo();
    let request = json!({"symbol": "FiringQueue", "range": "HEAD"});
    let history = world.envelope("history", request);
    let request = json!({"revisions": ["HEAD~9..HEAD"]});
    let change = world.envelope("diff-context", request);
    for (name, envelope) in [("history", &history), ("diff-context", &change)] {
        for budget in [0, 1, 20, 50, 100, 200, 400, 1_000, 8_000, 64_000] {
            let text = render(envelope, Format::Markdown, budget);
            let text = text.expect("the operation has Markdown");
            let n_tokens = O200kBase.count(&text);
            assert!(
                n_tokens <= budget,
                "{name}: {n_tokens} tokens of {budget}\n{text}"
            );
        }
    }
}

#[test]
fn without_a_range_only_what_is_indexed_is_searched_and_the_gap_is_named() {
    let world = crate::demo();
    let request = json!({"symbol": "FiringQueue"});
    check(
        "history_gap_all",
        &world,
        Format::Text,
        "history",
        request.clone(),
    );
    world.answer("index", json!({"history": "HEAD~5..HEAD~2"}));
    check(
        "history_gap_unindexed",
        &world,
        Format::Markdown,
        "history",
        request.clone(),
    );
    world.answer("index", json!({"revisions": ["HEAD~1", "HEAD~8"]}));
    let answer = world.answer("history", request.clone());
    assert_eq!(answer["range"]["nCommits"], 5);
    let fill = &answer["gap"]["fill"];
    let end = |name: &str| {
        fill[name]
            .as_str()
            .expect("the gap has two ends")
            .to_owned()
    };
    let range = format!("{}..{}", end("from"), end("to"));
    world.answer("index", json!({"history": range, "firstParent": true}));
    let answer = world.answer("history", request);
    assert_eq!(answer["range"]["nCommits"], 9, "the request fills the gap");
}

#[test]
fn a_symbol_that_does_not_exist_or_is_not_the_only_one_is_an_error_with_a_way_out() {
    let world = Service::with_files(&[
        ("App.csproj", PROJECT),
        (
            "A.cs",
            "namespace N; public class Order { public void Submit() { } }\n",
        ),
        (
            "B.cs",
            "namespace M; public class Order { } public class Orders<T> { }\n",
        ),
    ]);
    for (name, symbol) in [
        ("unknown", "Nowhere.Thing"),
        ("unknown_member", "N.Order.Sumbitt"),
        ("unknown_place", "A.cs:99"),
        ("ambiguous", "Order"),
    ] {
        let name = format!("error_symbol_{name}");
        check(
            &name,
            &world,
            Format::Text,
            "history",
            json!({"symbol": symbol}),
        );
    }
    let added = ["Add files: added"];
    assert_eq!(told(&world, "N.Ordr", json!({"range": "HEAD"})), added);
    for symbol in ["Orders<int>", "orders`1", "N.O*r"] {
        assert_eq!(told(&world, symbol, json!({})), added);
    }
    check(
        "history_guess",
        &world,
        Format::Text,
        "history",
        json!({"symbol": "N.Ordr"}),
    );
}

/// One state of a small repository: what each file says is drawn.
fn drawn_files(draws: &[u8]) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut draws = draws.iter().copied().cycle();
    let mut draw = |n: u8| usize::from(draws.next().unwrap_or_default() % n);
    for (file, name) in ["A", "B", "C", "D"].into_iter().enumerate() {
        if draw(8) == 0 {
            continue;
        }
        let namespace = ["N", "M", "N.O"][draw(3)];
        let base = ["", " : A", " : B", " : C"][draw(4)];
        let inner = ["", "public class Inner { }", "public class Timer { }"][draw(3)];
        let ty = ["int", "A", "B", "Inner", "Timer", "O.D"][draw(6)];
        let using = [
            "",
            "using M;",
            "global using N;",
            "using Timer = System.Int32;",
        ][draw(4)];
        let called = [name, name, name, "Other"][draw(4)];
        let folder = ["", "src/", "src/", "src/in/"][draw(4)];
        let body = draw(3);
        let text = format!(
            "{using}\nnamespace {namespace} {{ public partial class {called}{base} {{ {inner} public {ty} P; int M() => {body}; }} }}\n"
        );
        out.push((format!("{folder}F{file}.cs"), text));
    }
    let assembly = ["App", "App", "App", "Other"][draw(4)];
    let project = format!(
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net8.0</TargetFramework><AssemblyName>{assembly}</AssemblyName></PropertyGroup></Project>\n"
    );
    out.push(("App.csproj".to_owned(), project));
    out
}

/// A namespace that begins may hide another one, and shows it again when its last file goes.
#[test]
fn namespaces_that_begin_and_end_are_seen_in_a_range() {
    let world = Service::with_files(&[
        ("App.csproj", PROJECT),
        (
            "src/A.cs",
            "namespace N { using O; public class A { public D P; } }\n",
        ),
        ("src/D.cs", "namespace O { public class D { } }\n"),
    ]);
    let z = "namespace N.O { public class Z { } }\n";
    let y = "namespace N.O { public class Y { } }\n";
    next(&world, "src/Z.cs", z, "Hide");
    next(&world, "src/Y.cs", y, "Beside");
    world.remove("src/Z.cs");
    world.commit("Stay hidden");
    next(&world, "src/Y.cs", &format!("// {y}"), "Show");
    let range = told(&world, "N.A", json!({"range": "HEAD"}));
    world.answer("index", json!({"history": "HEAD"}));
    assert_eq!(told(&world, "N.A", json!({})), range);
    assert_eq!(
        range,
        ["Show: structure", "Hide: structure", "Add files: added"]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    /// Commits of a range that cannot matter are not indexed, which changes no answer.
    #[test]
    fn a_range_says_what_is_said_where_everything_is_indexed(
        first in proptest::collection::vec(any::<u8>(), 38),
        edits in proptest::collection::vec((0..38usize, any::<u8>()), 6),
    ) {
        let world = Service::empty();
        let mut draws = first;
        let mut written: Vec<String> = Vec::new();
        for (nth, (at, draw)) in std::iter::once((0, draws[0])).chain(edits).enumerate() {
            draws[at] = draw;
            for path in written.drain(..) {
                world.remove(&path);
            }
            for (path, text) in drawn_files(&draws) {
                world.write(&path, text);
                written.push(path);
            }
            world.write("notes.txt", format!("{nth}"));
            world.commit(&format!("Commit {nth}"));
        }
        world.answer("index", json!({"history": "HEAD"}));
        for symbol in ["A", "B", "C", "Other", "N.A.M"] {
            let on_demand = world.with_new_index();
            let range = json!({"symbol": symbol, "range": "HEAD"});
            let told = |found: Option<Value>| found.map(|it| (it["entries"].clone(), it["existedBefore"].clone()));
            let indexed = told(world.try_answer("history", json!({"symbol": symbol})));
            prop_assert_eq!(told(on_demand.try_answer("history", range)), indexed, "{}", symbol);
        }
    }
}
