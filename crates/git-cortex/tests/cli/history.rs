//! `history`: what it tells of one symbol, that it agrees with `diff-context`, and what it follows.

use cortex_context::{O200kBase, Tokenizer};
use serde_json::Value;

use crate::{
    harness::{World, check},
    ranges::PROJECT,
};

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
