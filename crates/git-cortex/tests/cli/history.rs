//! `history`: what it tells of one symbol, that it agrees with `diff-context`, and what it follows.

use std::collections::BTreeMap;

use cortex_context::{O200kBase, Tokenizer};
use serde_json::Value;

use crate::{
    harness::{World, check},
    ranges::PROJECT,
};

/// A repository with one project and one file in it.
fn with_source(text: &str) -> World {
    World::with_files(&[("App.csproj", PROJECT), ("A.cs", text)])
}

/// Commits a new text of a file.
fn next(world: &World, path: &str, text: &str, message: &str) {
    world.commit_files(&[(path, text)], message);
}

/// The subjects and classes of a history, newest first.
fn told(world: &World, arguments: &[&str]) -> Vec<String> {
    let answer = world.json(&[&["history"], arguments].concat());
    let entries = answer["entries"].as_array().expect("an answer has entries");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (entries.iter())
        .map(|entry| {
            let class = text(&entry["change"]["class"]);
            format!("{}: {class}", text(&entry["commit"]["subject"]))
        })
        .collect()
}

#[test]
fn the_history_of_a_type_and_a_member_in_every_form() {
    let world = World::demo();
    for (name, symbol) in [
        ("type", "RackPlanner"),
        ("member", "IFiringPricer.Price"),
        ("large", "FiringQueue"),
    ] {
        for format in ["text", "md", "json"] {
            let arguments = ["history", symbol, "HEAD", "--format", format];
            let first = world.show(&arguments);
            if name != "large" || format == "text" {
                check(&format!("history_{name}_{format}"), &first);
            }
            let second = world.show(&arguments);
            assert_eq!(second, first, "the same question has the same answer");
        }
    }
}

#[test]
fn no_budget_is_exceeded() {
    let world = World::demo();
    for budget in [0, 1, 20, 50, 100, 200, 400, 1_000, 8_000] {
        let arguments = ["history", "FiringQueue", "HEAD", "--budget"];
        let text = world.answer(&[&arguments[..], &[&budget.to_string()]].concat());
        let used = O200kBase.count(&text);
        assert!(used <= budget, "{used} tokens of {budget}\n{text}");
    }
}

/// What `diff-context` tells of each commit of a history is what `history` tells of each type.
#[test]
fn a_history_is_what_its_commits_do() {
    let world = World::demo();
    let commits = world.git(&["rev-list", "--first-parent", "HEAD"]);
    let commits: Vec<&str> = commits.lines().collect();
    let mut expected: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    for pair in commits.windows(2) {
        let range = format!("{}..{}", pair[1], pair[0]);
        let answer = world.json(&["diff-context", &range]);
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
        let answer = world.json(&["history", name, &range, "--cosmetic"]);
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
    assert_eq!(told(&world, &["New", "HEAD"]), all);
    assert_eq!(told(&world, &["N.Old", "HEAD"]), all);
    assert_eq!(
        told(&world, &["T:N.New", "HEAD", "--structure"]),
        [all[1], all[3]]
    );
    assert_eq!(told(&world, &["New", "HEAD~3..HEAD", "-n", "2"]), all[..2]);
    check(
        "history_renamed",
        &world.show(&["history", "Old", "--format", "text"]),
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
        told(&world, &["A", "HEAD"]),
        ["Remove: removed", "Add files: added"]
    );
    next(
        &world,
        "A.cs",
        "namespace N; public class Other;\npublic record A { public int F() => 1; }\n",
        "Bring back",
    );
    let expected = ["Bring back: added", "Remove: removed", "Add files: added"];
    assert_eq!(told(&world, &["T:N.A", "HEAD"])[..1], expected[..1]);
    world.edit("A.cs", "record A", "struct A");
    world.commit("Make it a struct");
    assert_eq!(
        told(&world, &["N.A", "HEAD", "--structure"])[..2],
        ["Make it a struct: structure", "Bring back: added"]
    );
    world.git(&["mv", "A.cs", "Moved.cs"]);
    world.commit("Move");
    assert_eq!(told(&world, &["N.A", "HEAD"])[0], "Move: unchanged");
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
    assert_eq!(told(&world, &["A.Second(long)", "HEAD"]), all);
    assert_eq!(told(&world, &["M:N.A.Second(System.Int64)", "HEAD"]), all);
    assert_eq!(told(&world, &["A.First", "HEAD"]), all);
    assert_eq!(
        told(&world, &["A.Second", "HEAD"])[..2],
        ["Overload: structure", all[0]]
    );
    assert_eq!(told(&world, &["A.G", "HEAD"]), ["Add files: added"]);
    assert_eq!(
        told(&world, &["A.cs:1", "HEAD"]),
        told(&world, &["A.G", "HEAD"])
    );
    check(
        "history_member",
        &world.show(&["history", "A.Second(long)", "HEAD", "--format", "text"]),
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
        told(&world, &["A", "HEAD", "--first-parent"]),
        ["Merge: public-behavior", "Add files: added"]
    );
    assert_eq!(
        told(&world, &["A", "HEAD"]),
        ["Edit aside: public-behavior", "Add files: added"]
    );
    assert_eq!(told(&world, &["B", "HEAD"]), ["Add B: added"]);
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
    assert_eq!(told(&world, &["A", "HEAD", "--cosmetic"]), all);
    assert_eq!(
        told(&world, &["A", "HEAD"]),
        [all[0], all[1], all[3], all[4]]
    );
    assert_eq!(
        told(&world, &["A", "HEAD", "--structure"]),
        [all[0], all[4]]
    );
    assert_eq!(told(&world, &["A", "HEAD", "--api"]), [all[0], all[4]]);
    assert_eq!(
        told(&world, &["A.g", "HEAD"]),
        ["Inside: structure", all[4]]
    );
}

#[test]
fn without_a_range_what_is_indexed_is_looked_at_and_the_gap_is_told() {
    let world = World::demo();
    check(
        "history_gap_all",
        &world.show(&["history", "FiringQueue", "--format", "text"]),
    );
    check(
        "error_symbol_gap",
        &world.show(&["history", "FiringQueu3s"]),
    );
    world.answer(&["index", "--history", "HEAD~5..HEAD~2"]);
    check(
        "history_gap_unindexed",
        &world.show(&["history", "FiringQueue"]),
    );
    world.answer(&["index", "HEAD~1", "HEAD~8"]);
    let answer = world.json(&["history", "FiringQueue"]);
    assert_eq!(answer["range"]["nCommits"], 5);
    let fill = &answer["gap"]["fill"];
    let end = |name: &str| {
        fill[name]
            .as_str()
            .expect("the gap has two ends")
            .to_owned()
    };
    let range = format!("{}..{}", end("from"), end("to"));
    world.answer(&["index", "--history", &range, "--first-parent"]);
    let answer = world.json(&["history", "FiringQueue"]);
    assert_eq!(answer["range"]["nCommits"], 9, "the command fills the gap");
}

#[test]
fn a_symbol_that_is_not_there_or_not_the_only_one_is_an_error_with_a_way_out() {
    let world = World::with_files(&[
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
        check(
            &format!("error_symbol_{name}"),
            &world.show(&["history", symbol]),
        );
    }
    assert_eq!(told(&world, &["N.Ordr", "HEAD"]), ["Add files: added"]);
    assert_eq!(told(&world, &["Orders<int>"]), ["Add files: added"]);
    assert_eq!(told(&world, &["orders`1"]), ["Add files: added"]);
    assert_eq!(told(&world, &["N.O*r"]), ["Add files: added"]);
    check(
        "history_guess",
        &world.show(&["history", "N.Ordr", "--format", "text"]),
    );
}
