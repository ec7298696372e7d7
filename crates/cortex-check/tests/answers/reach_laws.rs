//! `tests`: laws about what is among the tests of a member.

use cortex_check::{Service, json, programs::dispatch};

fn world() -> Service {
    Service::with_files(dispatch::FILES)
}

fn answer(world: &Service, symbol: &str) -> serde_json::Value {
    world.answer("tests", json!({"subjects": [symbol], "at": "HEAD"}))
}

#[test]
fn a_call_through_an_interface_or_an_abstract_member_is_a_test_of_that_member() {
    let world = world();
    assert_eq!(
        named(&answer(&world, "IDo.Go"), "tests"),
        [
            "DoTests.A_type_argument_of_the_base",
            "GivenTests.A_parameter_behind_an_interface",
            "GivenTests.A_skipped_one",
            "GivenTests.An_attribute_of_its_own",
            "GivenTests.An_interface_alone",
            "OtherTests.A_type_argument_of_the_base",
        ]
    );
    for member in ["Machine.Turn", "Machine.Halt"] {
        let tests = named(&answer(&world, member), "tests");
        assert_eq!(tests, ["GivenTests.An_abstract_member"], "{member}");
    }
}
#[test]
fn what_a_test_is_given_exists_and_decides_where_calls_end() {
    let world = world();
    assert_eq!(
        named(&answer(&world, "Goal.Inner"), "tests"),
        [
            "DoTests.A_type_argument_of_the_base",
            "GivenTests.A_parameter_behind_an_interface",
            "GivenTests.A_type_argument_of_a_parameter",
        ]
    );
}
#[test]
fn what_names_the_arguments_of_a_test_runs() {
    let answer = answer(&world(), "Goal.Row");
    let mut all = named(&answer, "tests");
    all.extend(named(&answer, "setUp"));
    all.sort();
    assert_eq!(
        all,
        [
            "DataTests.By_class",
            "DataTests.By_name",
            "DataTests.By_text"
        ]
    );
}

/// The tests of a list of an answer: class and method.
fn named(answer: &serde_json::Value, list: &str) -> Vec<String> {
    let answer = answer.get("answer").unwrap_or(answer);
    let tests = answer["subjects"][0][list].as_array();
    let tests = tests.expect("a list of tests");
    let text = |test: &serde_json::Value, key: &str| test[key].as_str().expect("a text").to_owned();
    let name = |test: &serde_json::Value| {
        let class = text(test, "class");
        let possible = if test["certainty"] == "possible" {
            "? "
        } else {
            ""
        };
        let class = class.rsplit('.').next().unwrap_or_default().to_owned();
        format!("{possible}{class}.{}", text(test, "method"))
    };
    let mut all: Vec<String> = tests.iter().map(name).collect();
    all.sort();
    all
}
