//! `search text`, `search files`, `search ask` and `areas`: what is found is what is there, limits hold, and errors
//! say what to do.

use cortex_check::programs::languages;
use serde_json::Value;

use crate::harness::{World, shown};

/// A back end in C#, a front end in TypeScript, a script, and more.
fn shop() -> World {
    World::with_files(languages::FILES)
}

/// What a question prints as JSON, whatever its exit status.
fn ask(world: &World, arguments: &[&str]) -> Value {
    let output = world.run(&[&["--quiet"], arguments, &["--format", "json"]].concat());
    crate::wire::answer_of(&output.stdout)
}

/// The same with the envelope around the answer.
fn envelope(world: &World, arguments: &[&str]) -> Value {
    let output = world.run(&[&["--quiet"], arguments, &["--format", "json"]].concat());
    serde_json::from_slice(&output.stdout).expect("answers are JSON")
}

#[test]
fn limits_are_exact_and_told() {
    let world = shop();
    for limit in ["1", "3", "9"] {
        let answer = ask(&world, &["search", "text", "Basket", "--limit", limit]);
        assert_eq!(answer["total"].to_string(), limit);
        let asked = ["search", "text", "Basket", "--limit", limit];
        let cut = &envelope(&world, &asked)["limits"]["cut"];
        assert_eq!(cut == true, limit != "9");
    }
    let text = world.answer(&[
        "--quiet",
        "search",
        "text",
        "Basket",
        "--limit",
        "2",
        "--context",
        "1",
    ]);
    assert_eq!(
        text,
        "Basket: at least 2 hits in 2 files\n\nREADME.md\n  1- # Shop\n  2: A Basket of orders.\n\n\
         src/Shop/Order.cs\n  Order\n    2- \n    3: /// <summary>An order; see Basket.</summary>\n    \
         4- public class Order\n\nnote: more hits not shown (--limit N)\nnote: 1 binary file skipped\n"
    );
    let answer = envelope(&world, &["search", "text", "Basket", "--timeout", "0"]);
    assert_eq!(
        (&answer["limits"]["timedOut"], &answer["answer"]["total"]),
        (&Value::from(true), &Value::from(0))
    );
}
#[test]
fn too_broad_questions_are_refused_with_a_way_out() {
    let world = shop();
    for (arguments, code, exit) in [
        (vec![".*"], "QueryTooBroad", 2),
        (vec!["all files"], "QueryTooBroad", 2),
        (vec!["e"], "QueryTooBroad", 2),
        (vec!["Basket", "--area", "nowhere"], "UnknownArea", 2),
        (vec!["(", "--regex"], "InvalidPattern", 2),
        (
            vec!["Basket", "--max-files", "1", "--strict"],
            "LimitExceeded",
            3,
        ),
    ] {
        let all = [&["search", "safe"], &arguments[..], &["--format", "json"]].concat();
        let output = world.run(&all);
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}");
        let answer: Value = crate::wire::answer_of(&output.stdout);
        let error = &answer["error"];
        assert_eq!(error["code"], code, "{arguments:?}: {answer}");
        assert_eq!(error["next"][0]["operation"], "search-safe", "{answer}");
        assert!(error["hint"]["kind"].is_string(), "{answer}");
    }
    let told = shown(&world.run(&["search", "safe", ".*"]));
    assert!(
        told.contains("hint: ") && told.contains("matches every line"),
        "{told}"
    );
}
#[test]
fn a_search_that_had_no_time_does_not_say_that_nothing_is_there() {
    let world = shop();
    let answer = ask(&world, &["search", "safe", "Basket", "--timeout", "0"]);
    assert_eq!(answer["coverage"]["limitedBy"], "time");
    let next = answer["nextSteps"].as_array().expect("steps");
    assert_eq!(next.len(), 1, "{answer:#}");
}
/// An example is made of the question and the repository, and answers as it stands.
#[test]
fn the_example_of_a_refusal_can_be_run() {
    let world = shop();
    for (arguments, expected) in [
        (vec![".*"], "OrderService --area csharp"),
        (vec!["all files"], "OrderService --area csharp"),
        (
            vec!["b", "--area", "web-typescript"],
            "basket --area web-typescript",
        ),
        (vec!["(Basket)?", "--regex"], "Basket"),
        (
            vec!["Basket", "--area", "web"],
            "Basket --area web-typescript",
        ),
        (vec!["Basket(", "--regex"], r#""Basket\\(" --regex"#),
        (
            vec!["Basket", "--max-files", "1", "--strict"],
            "Basket --max-files 4",
        ),
    ] {
        let all = [&["search", "safe"], &arguments[..]].concat();
        let told = shown(&world.run(&all));
        let call = format!("search ask {expected}");
        assert!(told.contains(&format!("`git cortex {call}`\n")), "{told}");
        let words = shlex::split(&call).expect("the command has words");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = world.run(&words);
        assert_eq!(output.status.code(), Some(0), "{call}: {}", shown(&output));
    }
}
#[test]
fn whatever_goes_wrong_has_a_code_and_a_way_out() {
    let world = shop();
    let outside = world.beside("outside");
    std::fs::create_dir(&outside).expect("the folder is new");
    let ask = ["search", "safe", "Basket", "--format", "json"];
    let at = [&ask[..], &["--at", "nowhere"]].concat();
    let glob = [&ask[..], &["--include-area", "web=["]].concat();
    for (output, code, exit) in [
        (world.run_in(&outside, &ask), "NotARepository", 3),
        (world.run(&at), "InvalidRange", 2),
        (world.run(&glob), "InvalidFilter", 2),
    ] {
        assert_eq!(output.status.code(), Some(exit), "{}", shown(&output));
        let answer: Value = crate::wire::answer_of(&output.stdout);
        assert_eq!(answer["error"]["code"], code, "{answer:#}");
    }
}
