//! What comes first where not all fits: what runs otherwise before what says more about null, one row of each symbol
//! before a second one, and how many tests a command runs.

use cortex_check::{Format, Service, json, render};

fn within(world: &Service, budget: usize) -> String {
    let request = json!({"revisions": ["HEAD~1..HEAD"]});
    let envelope = world.envelope("diff-context", request);
    render(&envelope, Format::Markdown, budget).expect("the answer has Markdown")
}

/// The lines of the answer within a budget.
fn lines(before: &str, edits: &[(&str, &str)], budget: usize) -> Vec<String> {
    let world = Service::parse(before);
    for (old, new) in edits {
        world.edit("A.cs", old, new);
    }
    world.commit("change");
    let text = within(&world, budget);
    text.lines().map(str::to_owned).collect()
}

fn position(lines: &[String], start: &str) -> usize {
    let at = lines.iter().position(|line| line.starts_with(start));
    at.unwrap_or_else(|| panic!("no line starts with {start}:\n{}", lines.join("\n")))
}

const SHOP: &str = "
//- /A.cs project:Shop
public abstract class Job { protected abstract int Execute(); public int Run() => Execute(); }
public class First : Job { protected override int Execute() => 1; }
public class Second : Job { protected override int Execute() => 2; }
public class Third : Job { protected override int Execute() => 3; }
public class Order {
    public string Name { get; set; }
    public string Note { get; set; }
    public string Read(string from) { return from; }
}
public class Page {
    public string Show(Order order) => order.Name + order.Note;
    public string Print(Order order) => order.Read(order.Name);
    public string Again(Order order) => order.Read(order.Note);
}
";

#[test]
fn what_runs_otherwise_comes_before_annotations_about_null() {
    let edits = [
        ("string Name {", "string? Name {"),
        ("string Note {", "string? Note {"),
        (
            "{ return from; }",
            "{ if (from == null) return \"\"; return from; }",
        ),
    ];
    let lines = lines(SHOP, &edits, 8_000);
    let at = |start| position(&lines, start);
    assert!(at("Order.Read (body)") < at("Order.Name (signature)"));
    assert!(at("Order.Read (body)") < at("Order.Note (signature)"));
}

#[test]
fn siblings_that_did_not_change_are_cut_before_the_row_of_a_symbol() {
    let edits = [
        ("=> 1;", "=> 10;"),
        (
            "{ return from; }",
            "{ if (from == null) return \"\"; return from; }",
        ),
    ];
    let mut n_both = 0;
    for budget in (200..1_200).step_by(20) {
        let lines = lines(SHOP, &edits, budget);
        let has = |text: &str| lines.iter().any(|line| line.contains(text));
        if has("also implemented, unchanged") {
            assert!(has("A.cs:12 in Print"), "{budget}:\n{}", lines.join("\n"));
            n_both += 1;
        }
    }
    assert!(n_both > 0, "the siblings are shown where all fits");
}

#[test]
fn every_symbol_has_a_row_before_one_has_two() {
    let members = |guard: &str| -> String {
        let members =
            (0..12).map(|i| format!("    public int M{i}(int n) {{ {guard}return n + {i}; }}\n"));
        members.collect()
    };
    let users: String = (0..12)
        .map(|i| {
            let call = format!("new Busy().M{i}(1)");
            format!("class User{i} {{\n  int a() => {call};\n  int b() => {call} + 1;\n}}\n")
        })
        .collect();
    let busy = |guard: &str| format!("public class Busy {{\n{}}}\n{users}", members(guard));
    let world = Service::parse(&format!("//- /A.cs project:Shop\n{}", busy("")));
    world.write("A.cs", busy("if (n > 9) { return 0; } "));
    world.commit("change");
    for budget in (600..3_000).step_by(100) {
        let text = within(&world, budget);
        let impact = text.split("## Impact").nth(1).unwrap_or_default();
        let impact = impact.split("\n## ").next().unwrap_or_default();
        let heads = impact.matches(" (body): 2 lines").count();
        let rows = impact.matches(" in a").count() + impact.matches(" in b").count();
        assert!(rows <= heads || heads == 12, "{budget}:\n{impact}");
    }
}

#[test]
fn generated_code_is_shown_last() {
    let fixture = "
//- /A.cs project:Shop
public class A { public int M() { return 1; } }
//- /ShopModelSnapshot.cs project:Shop
public class ShopModelSnapshot { public int Build() { if (true) return 1; return 2; } }
public class User { int a(ShopModelSnapshot shop) => shop.Build(); }
";
    let world = Service::parse(fixture);
    world.edit("A.cs", "return 1", "var n = 1; return n");
    world.edit("ShopModelSnapshot.cs", "return 1", "return 3");
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = |start| position(&lines, start);
    assert!(at("@@ A A.cs") < at("@@ ShopModelSnapshot"), "{text}");
}

/// A change with tests that reach it in three ways: by code, by what reflection may do, through a double.
const TESTS: &str = "
//- /App/Plan.cs project:App
namespace App;
public abstract class Plan { public bool Old { get; set; } public int Price() => 1; }
public class Shop { public int Sell() => 2; }
//- /Tests/PlanTests.cs project:Tests refs:App packages:xunit
using Xunit;
namespace App.Tests;
public class Mock : Plan { public Mock() { Old = true; } }
public class ShopTests {
    [Fact] public void Sells() => Assert.Equal(2, new Shop().Sell());
    [Fact] public void Other() { }
}
public class MockTests {
    [Fact] public void Makes() => Assert.Equal(1, new Mock().Price());
}
";

#[test]
fn the_command_runs_as_many_tests_as_the_answer_says() {
    let world = Service::parse(TESTS);
    world.edit("App/Plan.cs", "=> 2", "=> 3");
    world.edit(
        "App/Plan.cs",
        "bool Old {",
        "bool New { get; set; } public bool Old {",
    );
    world.edit(
        "Tests/PlanTests.cs",
        "Old = true;",
        "Old = true; New = true;",
    );
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    // The command names the class, which has another test.
    assert!(
        text.contains("\n2 of 3 tests (66.7%), the classes of 1 that reach it\n"),
        "{text}"
    );
    assert!(
        text.contains("FullyQualifiedName~App.Tests.ShopTests."),
        "{text}"
    );
    assert!(!text.contains("MockTests"), "{text}");
}

#[test]
fn a_new_value_alone_reaches_the_tests_that_set_it() {
    let world = Service::parse(TESTS);
    world.edit(
        "App/Plan.cs",
        "bool Old {",
        "bool New { get; set; } public bool Old {",
    );
    world.edit(
        "Tests/PlanTests.cs",
        "Old = true;",
        "Old = true; New = true;",
    );
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    assert!(text.contains("\n1 of 3 tests (33.3%)\n"), "{text}");
    assert!(text.contains("MockTests"), "{text}");
}
