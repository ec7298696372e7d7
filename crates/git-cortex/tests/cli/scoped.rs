//! Questions limited to a scope: nothing of an answer lies outside of it.

use crate::{
    harness::{World, check},
    ranges::PROJECT,
};

const SHOP: &str = "namespace Shop;\npublic interface IPricer { decimal Price(); }\npublic class Plain : IPricer\n{\n    public decimal Price() => Rate;\n    public decimal Rate = 1;\n}\npublic class Half : Plain\n{\n    public decimal Half_() => Price() / 2 + Rate;\n}\n";
const TILL: &str = "namespace Shop.Tills;\npublic class Till\n{\n    public decimal Ring(IPricer pricer, Plain plain) => pricer.Price() + plain.Rate;\n    public decimal Twice(Plain plain) => plain.Price() + plain.Price();\n}\n";

fn world() -> World {
    World::with_files(&[
        ("App.csproj", PROJECT),
        ("src/Shop.cs", SHOP),
        ("src/Tills/Till.cs", TILL),
    ])
}

#[test]
fn a_change_is_limited_to_files_of_a_scope() {
    let world = world();
    world.edit("src/Shop.cs", "/ 2", "/ 3");
    world.edit("src/Tills/Till.cs", "Ring", "Pay");
    world.commit("Change both");
    let types = |options: &[&str]| -> Vec<String> {
        let answer = world.json(&[&["diff-context", "HEAD~1..HEAD"], options].concat());
        let types = answer["types"].as_array().expect("a list").iter();
        types
            .map(|ty| ty["type"]["path"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(types(&[]), ["Shop.Tills.Till", "Shop.Half"]);
    assert_eq!(
        types(&["--scope", "pattern(file:src/Tills//*)"]),
        ["Shop.Tills.Till"]
    );
    assert_eq!(
        types(&["--scope", "!pattern(file:src/Tills//*)"]),
        ["Shop.Half"]
    );
    check(
        "scope_of_a_change_is_local",
        &world.show(&["diff-context", "HEAD~1", "--scope", "type:Shop.Half"]),
    );
    check(
        "scope_of_a_question_is_wrong",
        &world.show(&[
            "usages",
            "Plain",
            "--scope",
            "file:src & ",
            "--format",
            "json",
        ]),
    );
}
