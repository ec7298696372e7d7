//! `api`: every rule by the example that the documentation gives for it, and the gate.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    harness::{World, check, shown},
    ranges::PROJECT,
};

const DOCUMENT: &str = include_str!("../../../../docs/api.md");

/// The two sides of a rule's example, by its identifier.
fn examples() -> BTreeMap<&'static str, [&'static str; 2]> {
    let mut out = BTreeMap::new();
    for section in DOCUMENT.split("\n### ").skip(1) {
        let (id, text) = section.split_once('\n').expect("a title is a line");
        let Some((_, code)) = text.split_once("```csharp\n// before\n") else {
            continue;
        };
        let (code, _) = code.split_once("```").expect("a block ends");
        let sides = code
            .split_once("// after\n")
            .expect("an example has two sides");
        out.insert(id, sides.into());
    }
    out
}

/// The records of an answer.
fn records(world: &World, arguments: &[&str]) -> Vec<Value> {
    let answer = world.answer(&[&["api", "--format", "jsonl"], arguments].concat());
    let lines = answer.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

fn text<'a>(record: &'a Value, field: &str) -> &'a str {
    record[field].as_str().unwrap_or_default()
}

/// A repository with one library and one file, which a second commit changes.
fn changed(before: &str, after: &str) -> World {
    let world = World::with_files(&[("Lib.csproj", PROJECT), ("A.cs", before)]);
    world.commit_files(&[("A.cs", after)], "Change");
    world
}

/// The differences of one library: `rule what symbol`, of every mode.
#[track_caller]
fn check_differences(before: &str, after: &str, expected: &[&str]) {
    let world = changed(before, after);
    let records = records(&world, &["HEAD~1", "HEAD"]);
    let mut found: Vec<String> = records
        .iter()
        .filter(|it| !text(it, "symbol").is_empty() && text(it, "k") != "undecided")
        .map(|it| {
            let [k, id, what, symbol] = ["k", "id", "what", "symbol"].map(|field| text(it, field));
            format!("{k} {id} {what} {symbol}")
        })
        .collect();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn every_rule_reports_its_example() {
    let examples = examples();
    let world = World::empty();
    for side in [0, 1] {
        for (id, sides) in &examples {
            world.write(&format!("{id}/{id}.csproj"), PROJECT);
            world.write(&format!("{id}/{id}.cs"), sides[side]);
        }
        world.commit("Side");
    }
    let records = records(&world, &["HEAD~1", "HEAD"]);
    for id in examples.keys() {
        let mut of_example = records.iter().filter(|it| text(it, "asm") == *id);
        assert!(
            of_example.any(|it| text(it, "id") == *id),
            "the example of {id} reports something else: {records:#?}"
        );
    }
    let known = cortex_wire::API_RULES.iter().map(|rule| rule.id);
    let documented = |id: &str| DOCUMENT.contains(&format!("\n### {id}\n"));
    assert_eq!(
        known.filter(|id| !documented(id)).collect::<Vec<_>>(),
        [""; 0]
    );
    assert!(
        examples
            .keys()
            .all(|id| cortex_wire::API_RULES.iter().any(|rule| rule.id == *id))
    );
}

#[test]
fn a_diff_tells_what_the_gate_does() {
    for (id, [before, after]) in examples() {
        let world = changed(before, after);
        let counts = |id: &str, severity: &str| id != "CX2003" && severity != "compatible";
        let gate: BTreeSet<String> = records(&world, &["HEAD~1", "HEAD"])
            .iter()
            .filter(|it| counts(text(it, "id"), text(it, "severity")))
            .filter(|it| !text(it, "symbol").is_empty())
            .map(|it| text(it, "id").to_owned())
            .collect();
        let answer = world.json(&["diff-context", "HEAD~1", "HEAD"]);
        let diff: BTreeSet<String> = (answer["api"].as_array().expect("it has API changes").iter())
            .filter(|it| counts(text(it, "rule"), text(it, "severity")))
            .map(|it| text(it, "rule").to_owned())
            .collect();
        assert_eq!(diff, gate, "the example of {id}");
    }
}

#[test]
fn accessors_count_on_their_own_and_properties_do_not() {
    check_differences(
        "public class Tank { public int Level { get; set; } public event System.Action Full; }",
        "public class Tank { public int Level { get; private set; } }",
        &[
            "breaking CP0002 removed M:Tank.add_Full(System.Action)",
            "breaking CP0002 removed M:Tank.remove_Full(System.Action)",
            "breaking CP0002 removed M:Tank.set_Level(System.Int32)",
            "strict CP0002 removed M:Tank.add_Full(System.Action)",
            "strict CP0002 removed M:Tank.remove_Full(System.Action)",
            "strict CP0002 removed M:Tank.set_Level(System.Int32)",
        ],
    );
}

#[test]
fn a_member_that_moves_to_a_base_class_is_not_missed() {
    check_differences(
        "public class Base { } public class Derived : Base { public void Do(int x) { } }",
        "public class Base { public void Do(int x) { } } public class Derived : Base { }",
        &["strict CP0002 added M:Base.Do(System.Int32)"],
    );
}

#[test]
fn what_others_cannot_see_is_not_compared() {
    check_differences(
        "public sealed class A { protected void F() { } internal void G() { } private int x; } class B { public void H() { } }",
        "public sealed class A { } class B { } file class C { public void I() { } }",
        &[],
    );
}

#[test]
fn a_base_that_changes_is_told_of_what_derives_from_it() {
    check_differences(
        "public interface I { } public interface J : I { } public class A : J { } public class B : A { }",
        "public interface I { } public interface J { } public class A : J { } public class B : A { }",
        &[
            "breaking CP0008 changed T:A",
            "breaking CP0008 changed T:B",
            "breaking CP0008 changed T:J",
            "strict CP0008 changed T:A",
            "strict CP0008 changed T:B",
            "strict CP0008 changed T:J",
        ],
    );
}

#[test]
fn an_attribute_whose_constant_changes_elsewhere_has_other_arguments() {
    let before = "static class Texts { public const string Gone = \"a\" + \"b\"; } public class A { [System.Obsolete(Texts.Gone)] public void F() { } }";
    check_differences(before, &before.replace("\"a\" + \"b\"", "\"ab\""), &[]);
    check_differences(
        before,
        &before.replace("\"b\"", "\"c\""),
        &[
            "breaking CP0015 changed M:A.F:[T:System.ObsoleteAttribute]",
            "strict CP0015 changed M:A.F:[T:System.ObsoleteAttribute]",
        ],
    );
}

#[test]
fn a_gate_fails_for_what_breaks_and_passes_what_is_allowed() {
    let world = changed(
        "public class A { public void F() { } public void G(int x = 1) { } }",
        "public class A { public void G(int x = 2) { } public void H() { } }",
    );
    let code = |arguments: &[&str]| {
        let all = [&["api", "HEAD~1", "HEAD", "--exit-code"], arguments].concat();
        world.run(&all).status.code()
    };
    assert_eq!(code(&[]), Some(1));
    assert_eq!(code(&["--allow", "cp0002"]), Some(0));
    assert_eq!(
        code(&["--allow", "CP0002", "--fail-on", "behavioural"]),
        Some(1)
    );
    assert_eq!(
        code(&["--assembly", "Lib", "--fail-on", "breaking"]),
        Some(1)
    );
    let file = |entries: &str| {
        world.write(
            "../allowed.xml",
            format!("\u{feff}<Suppressions>{entries}</Suppressions>"),
        );
    };
    file(
        "<Suppression><DiagnosticId>CP0002</DiagnosticId><Target>M:A.F</Target><Left>lib/net8.0/Lib.dll</Left></Suppression>",
    );
    assert_eq!(code(&["--allow-file", "../allowed.xml"]), Some(0));
    file("<Suppression><DiagnosticId>CP0002</DiagnosticId><Target>M:A.G</Target></Suppression>");
    assert_eq!(code(&["--allow-file", "../allowed.xml"]), Some(1));
    file("<Suppression />");
    check(
        "api_empty_suppression",
        &world.show(&["api", "--allow-file", "../allowed.xml"]),
    );
    check(
        "api_unknown_assembly",
        &world.show(&["api", "--assembly", "Libb"]),
    );
}

#[test]
fn a_gate_does_not_pass_what_was_not_understood() {
    let world = changed("public class A { }", "public class A { void F( }");
    let output = world.run(&["api", "HEAD~1", "HEAD", "--exit-code"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    let allowed = ["api", "HEAD~1", "HEAD", "--exit-code", "--allow-undecided"];
    assert_eq!(world.run(&allowed).status.code(), Some(0));
    let world = changed("public class A { }", "public class A : Missing.Base { }");
    let output = world.run(&["api", "HEAD~1", "HEAD", "--exit-code"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}

#[test]
fn every_form_says_the_same() {
    let world = changed(
        "namespace N; public class A { public void F() { } public int P { get; set; } }\npublic enum E { X }",
        "namespace N; public class A { public void F(int times) { } public int P { get; init; } }\npublic enum E { X, Y }",
    );
    world.write("Other/Other.csproj", PROJECT);
    for format in ["text", "md", "json", "jsonl", "sarif", "github"] {
        let arguments = ["api", "HEAD~1", "HEAD", "--format", format];
        let first = world.show(&arguments);
        check(&format!("api_{format}"), &first);
        assert_eq!(
            world.show(&arguments),
            first,
            "the same question has the same answer"
        );
    }
    check("api_all", &world.show(&["api", "HEAD~1", "HEAD", "--all"]));
}

#[test]
fn assemblies_come_and_go() {
    let world = World::with_files(&[("Old/Old.csproj", PROJECT), ("Old/A.cs", "public class A;")]);
    world.git(&["mv", "Old", "New"]);
    world.git(&["mv", "New/Old.csproj", "New/New.csproj"]);
    world.commit("Rename");
    check(
        "api_lone_assemblies",
        &world.show(&["api", "HEAD~1", "HEAD", "--all", "--exit-code"]),
    );
    // The folder alone means nothing to others.
    world.git(&["mv", "New", "Moved"]);
    world.commit("Move");
    assert_eq!(
        world
            .run(&["api", "HEAD~1", "HEAD", "--exit-code", "--fail-on", "any"])
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn what_is_removed_one_way_is_added_the_other_way_and_nothing_differs_from_itself() {
    let world = World::demo();
    let missing = |from: &str, to: &str, wanted: &str| -> Vec<String> {
        let mut found: Vec<String> = records(&world, &[from, to])
            .iter()
            .filter(|it| matches!(text(it, "id"), "CP0001" | "CP0002"))
            .filter(|it| text(it, "k") == "strict" && text(it, "what") == wanted)
            .map(|it| format!("{} {}", text(it, "id"), text(it, "symbol")))
            .collect();
        found.sort();
        found
    };
    let mut n_found = 0;
    for back in 1..9 {
        let (old, new) = (format!("HEAD~{back}"), format!("HEAD~{}", back - 1));
        let added = missing(&old, &new, "added");
        n_found += added.len();
        assert_eq!(missing(&new, &old, "removed"), added, "{old} and {new}");
        let same = records(&world, &[&new, &new]);
        assert!(
            same.iter().all(|it| text(it, "symbol").is_empty()),
            "{same:?}"
        );
    }
    assert!(n_found > 20, "the history adds something: {n_found}");
}
