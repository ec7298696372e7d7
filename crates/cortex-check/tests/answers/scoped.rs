//! Questions limited to a scope: nothing of an answer lies outside of it.

use cortex_check::{Service, Value, json, with};

use crate::{PROJECT, check_change};

const SHOP: &str = "namespace Shop;\npublic interface IPricer { decimal Price(); }\npublic class Plain : IPricer\n{\n    public decimal Price() => Rate;\n    public decimal Rate = 1;\n}\npublic class Half : Plain\n{\n    public decimal Half_() => Price() / 2 + Rate;\n}\n";
const TILL: &str = "namespace Shop.Tills;\npublic class Till\n{\n    public decimal Ring(IPricer pricer, Plain plain) => pricer.Price() + plain.Rate;\n    public decimal Twice(Plain plain) => plain.Price() + plain.Price();\n}\n";

fn world() -> Service {
    Service::with_files(&[
        ("App.csproj", PROJECT),
        ("src/Shop.cs", SHOP),
        ("src/Tills/Till.cs", TILL),
    ])
}

/// A file with its first and last line that a scope may speak of.
type Lines = (&'static str, u64, u64);

/// Every file and line that an answer places something at.
fn places(value: &Value, out: &mut Vec<(String, u64)>) {
    match value {
        Value::Array(all) => all.iter().for_each(|it| places(it, out)),
        Value::Object(fields) => {
            if let (Some(file), Some(line)) = (fields.get("file"), fields.get("line")) {
                let file = file.as_str().unwrap_or_default().to_owned();
                out.push((file, line.as_u64().unwrap_or_default()));
            }
            // What was asked about may lie anywhere.
            let answers = fields.iter().filter(|(name, _)| *name != "resolved");
            answers.for_each(|(_, field)| places(field, out));
        }
        _ => {}
    }
}

#[test]
fn nothing_outside_of_a_scope_is_told() {
    let world = world();
    let questions: [(&str, Value); 8] = [
        (
            "usages",
            json!({"symbol": "Plain.Price", "withOverrides": true}),
        ),
        ("usages", json!({"symbol": "Plain"})),
        ("callers", json!({"symbol": "Plain.Price"})),
        ("callees", json!({"symbol": "Till.Twice"})),
        ("implementations", json!({"symbol": "IPricer"})),
        ("hierarchy", json!({"symbol": "Plain"})),
        ("search-symbols", json!({"query": "R"})),
        ("unused", json!({})),
    ];
    // Line ranges that a scope may speak of, by file.
    let scopes: [(&str, &[Lines]); 4] = [
        (
            "pattern(file:src/Tills//*)",
            &[("src/Tills/Till.cs", 1, 99)],
        ),
        ("type:Shop.Half", &[("src/Shop.cs", 8, 11)]),
        ("members:Till.Twice", &[("src/Tills/Till.cs", 5, 5)]),
        (
            "type:Shop.Half | pattern(file:src/Tills//*)",
            &[("src/Shop.cs", 8, 11), ("src/Tills/Till.cs", 1, 99)],
        ),
    ];
    let mut n_told = 0;
    for (operation, request) in questions {
        for (scope, allowed) in scopes {
            let answer = world.answer(
                operation,
                with(&request, json!({"filter": {"scope": scope}})),
            );
            let mut found = Vec::new();
            places(&answer, &mut found);
            for (file, line) in found {
                n_told += 1;
                let is_in = allowed
                    .iter()
                    .any(|&(path, first, last)| path == file && (first..=last).contains(&line));
                assert!(is_in, "{operation} {request} in {scope}: {file}:{line}");
            }
        }
    }
    assert!(n_told > 20, "{n_told}");
}
#[test]
fn a_scope_of_everything_changes_nothing() {
    let world = world();
    for (operation, symbol) in [("usages", "Plain.Price"), ("callers", "Plain.Rate")] {
        let request = json!({"symbol": symbol});
        let all = world.text(operation, request.clone());
        let everything = json!({"filter": {"scope": "'All Places'"}});
        let scoped = world.text(operation, with(&request, everything));
        // Except that it names the scope.
        assert_eq!(all, scoped.replacen(", in 'All Places'", "", 1));
    }
}

#[test]
fn a_change_is_limited_to_files_of_a_scope() {
    let world = world();
    world.edit("src/Shop.cs", "/ 2", "/ 3");
    world.edit("src/Tills/Till.cs", "Ring", "Pay");
    world.commit("Change both");
    let types = |scope: Option<&str>| -> Vec<String> {
        let request = json!({"revisions": ["HEAD~1..HEAD"], "scope": scope});
        let answer = world.answer("diff-context", request);
        let types = answer["types"].as_array().expect("a list").iter();
        types
            .map(|ty| ty["type"]["path"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(types(None), ["Shop.Tills.Till", "Shop.Half"]);
    assert_eq!(
        types(Some("pattern(file:src/Tills//*)")),
        ["Shop.Tills.Till"]
    );
    assert_eq!(types(Some("!pattern(file:src/Tills//*)")), ["Shop.Half"]);
    let request = json!({"revisions": ["HEAD~1"], "scope": "type:Shop.Half"});
    check_change("scope_of_a_change_is_local", &world, request);
    let request = json!({"symbol": "Plain", "filter": {"scope": "file:src & "}});
    let error = world.error("usages", request);
    assert_eq!(error["code"], "InvalidScope");
    assert_eq!(error["position"], 11);
}
