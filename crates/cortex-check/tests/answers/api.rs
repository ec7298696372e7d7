//! `api`: every rule by the example in the documentation, and what counts as a difference.

use std::collections::{BTreeMap, BTreeSet};

use cortex_check::{Format, Repository, Service, expect, json};
use cortex_wire::{API_RULES, ApiAnswer, ApiDifference, Mode, Severity, What};

use crate::{PROJECT, check};

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

fn changed(before: &str, after: &str) -> Repository {
    let side = |code: &str| format!("//- /A.cs project:Lib\n{code}");
    Repository::history(&[&side(before), &side(after)])
}

#[test]
fn every_rule_reports_its_example() {
    let examples = examples();
    let side = |side: usize| -> String {
        let files = examples.iter();
        files
            .map(|(id, sides)| format!("//- /{id}.cs project:{id}\n{}\n", sides[side]))
            .collect()
    };
    let answer = Repository::history(&[&side(0), &side(1)]).api();
    for id in examples.keys() {
        let assembly = answer.assemblies.iter().find(|it| it.assembly == *id);
        let found = assembly.is_some_and(|it| it.differences.iter().any(|it| it.rule == *id));
        assert!(
            found,
            "the example of {id} reports something else: {answer:#?}"
        );
    }
    let rules: BTreeSet<&str> = API_RULES.iter().map(|rule| rule.id).collect();
    for id in &rules {
        assert!(
            DOCUMENT.contains(&format!("\n### {id}\n")),
            "{id} is not documented"
        );
    }
    assert!(examples.keys().all(|id| rules.contains(id)));
}

#[test]
fn a_diff_reports_what_the_gate_does() {
    for (id, [before, after]) in examples() {
        let repository = changed(before, after);
        let counts =
            |id: &str, severity: Severity| id != "CX2003" && severity != Severity::Compatible;
        let answer = repository.api();
        let gate: BTreeSet<String> = (answer.assemblies.iter())
            .flat_map(|assembly| &assembly.differences)
            .filter(|it| counts(&it.rule, it.severity) && !it.symbol.is_empty())
            .map(|it| it.rule.clone())
            .collect();
        let diff: BTreeSet<String> = (repository.diff_context().api.iter())
            .filter_map(|it| Some((it.rule.clone()?, it.severity)))
            .filter(|(rule, severity)| counts(rule, *severity))
            .map(|(rule, _)| rule)
            .collect();
        assert_eq!(diff, gate, "the example of {id}");
    }
}

#[test]
fn accessors_count_and_properties_do_not() {
    changed(
        "public class Tank { public int Level { get; set; } public event System.Action Full; }",
        "public class Tank { public int Level { get; private set; } }",
    )
    .check_api(expect![[r#"
        both CP0002 removed M:Tank.add_Full(System.Action)
        both CP0002 removed M:Tank.remove_Full(System.Action)
        both CP0002 removed M:Tank.set_Level(System.Int32)
    "#]]);
}

#[test]
fn a_member_that_moves_to_a_base_class_is_not_removed() {
    changed(
        "public class Base { } public class Derived : Base { public void Do(int x) { } }",
        "public class Base { public void Do(int x) { } } public class Derived : Base { }",
    )
    .check_api(expect![[r#"
        strict CP0002 added M:Base.Do(System.Int32)
    "#]]);
}

#[test]
fn members_that_other_assemblies_cannot_see_are_not_compared() {
    changed(
        "public sealed class A { protected void F() { } internal void G() { } private int x; } class B { public void H() { } }",
        "public sealed class A { } class B { } file class C { public void I() { } }",
    )
    .check_api(expect![[""]]);
}

#[test]
fn what_had_to_be_set_and_what_was_an_overload_before_is_not_reported_as_new() {
    let before = "public class A { public required int Set { get; set; } public void Seed(string name, int n) { } public void Seed(int[] all) { } public void Go(string text) { } public void Go(int n) { } }";
    let after = before
        .replace("required int Set", "required long Set")
        .replace(
            "Seed(string name, int n)",
            "Seed(string name, int n, bool more = false)",
        )
        .replace("Go(string text)", "Go(object value)");
    let answer = changed(before, &after).api();
    let found = answer.assemblies.iter().flat_map(|it| &it.differences);
    let own = found.filter(|it| it.rule.starts_with("CX1"));
    let own: Vec<String> = own.map(|it| format!("{} {}", it.rule, it.symbol)).collect();
    assert_eq!(own, ["CX1007 M:A.Go(System.Object)"]);
}

/// The rules beyond the SDK's that a change of one file meets, with what they name.
fn own_rules(before: &str, after: &str) -> Vec<String> {
    let answer = changed(before, after).api();
    let found = answer.assemblies.iter().flat_map(|it| &it.differences);
    let own = found.filter(|it| it.rule.starts_with("CX"));
    own.map(|it| format!("{} {} {:?}", it.rule, it.symbol, it.severity))
        .collect()
}

#[test]
fn what_the_compiler_makes_of_a_record_is_no_overload_and_has_no_annotations() {
    let before = "using System; public class A : IEquatable<A> { public int N; public bool Equals(A other) => true; public override int GetHashCode() => N; }";
    let after = "public record A { public int N; }";
    assert_eq!(own_rules(before, after), ["CX1008 T:A Behavioral"]);
    let structs = [before, after].map(|it| {
        it.replace("class A", "struct A")
            .replace("record A", "record struct A")
    });
    assert_eq!(
        own_rules(&structs[0], &structs[1]),
        ["CX1008 T:A Compatible"]
    );
    let overload = own_rules(
        "public class A { public void Go(string s) { } }",
        "public class A { public void Go(string s) { } public override bool Equals(object o) => true; public bool Equals(A o) => true; public void Go(object o) { } }",
    );
    assert_eq!(overload, ["CX1007 M:A.Go(System.Object) SourceBreaking"]);
}

#[test]
fn callers_get_warnings_only_where_less_is_taken_or_more_given() {
    let code = |returned: &str, taken: &str, modifier: &str| {
        format!(
            "#nullable enable\npublic class A {{ public {modifier} {returned} Go({taken} s) => s!; }}"
        )
    };
    let rules = |before: [&str; 2], after: [&str; 2], modifier: &str| {
        let sides = [before, after].map(|[returned, taken]| code(returned, taken, modifier));
        own_rules(&sides[0], &sides[1])
    };
    let (none, some) = ("string", "string?");
    let warns = |suffix: &str| {
        vec![format!(
            "CX1001 M:A.Go(System.String){suffix} SourceBreaking"
        )]
    };
    assert_eq!(rules([none, none], [some, none], ""), warns(""));
    assert!(rules([some, none], [none, none], "").is_empty());
    assert_eq!(rules([some, none], [none, none], "virtual"), warns(""));
    assert_eq!(rules([none, some], [none, none], ""), warns("$0"));
    assert!(rules([none, none], [none, some], "").is_empty());
    assert_eq!(rules([none, none], [none, some], "virtual"), warns("$0"));
}

#[test]
fn a_changed_base_is_reported_for_derived_types() {
    changed(
        "public interface I { } public interface J : I { } public class A : J { } public class B : A { }",
        "public interface I { } public interface J { } public class A : J { } public class B : A { }",
    )
    .check_api(expect![[r#"
        both CP0008 changed T:A
        both CP0008 changed T:B
        both CP0008 changed T:J
    "#]]);
}

#[test]
fn an_attribute_changes_with_the_constant_in_its_arguments() {
    let before = "static class Texts { public const string Gone = \"a\" + \"b\"; } public class A { [System.Obsolete(Texts.Gone)] public void F() { } }";
    changed(before, &before.replace("\"a\" + \"b\"", "\"ab\"")).check_api(expect![[""]]);
    changed(before, &before.replace("\"b\"", "\"c\"")).check_api(expect![[r#"
        both CP0015 changed M:A.F:[T:System.ObsoleteAttribute]
    "#]]);
}

#[test]
fn an_attribute_has_a_value_for_every_parameter_of_its_constructor() {
    let side = |constructor: &str, user: &str| {
        let class = format!(
            "internal sealed class MarkAttribute : System.Attribute {{ internal MarkAttribute({constructor}) {{ }} }}"
        );
        format!("//- /Mark.cs project:Lib\n{class}\n//- /A.cs project:Lib\n{user}")
    };
    let user = "public class A { [Mark(1)] public void F() { } }";
    let changed =
        |before: &str, after: &str| Repository::history(&[&side(before, user), &side(after, user)]);
    // Neither the file nor the type of `F` differs.
    for (before, after) in [
        ("int level, string text = null", "int level"),
        ("int level", "int level, string text = null"),
        ("int level, int depth = 1", "int level, int depth = 2"),
        ("params int[] levels", "int level"),
    ] {
        changed(before, after).check_api(expect![[r#"
            both CP0015 changed M:A.F:[T:MarkAttribute]
        "#]]);
    }
    for (before, after) in [
        ("int level, int depth = 1", "int level, int depth = 2 - 1"),
        (
            "int level, string text = null",
            "int rank, string note = null",
        ),
    ] {
        changed(before, after).check_api(expect![[""]]);
    }
    let history = |before: &str, after: &str| {
        let constructor = "int level, int depth = 2, params int[] rest";
        Repository::history(&[&side(constructor, before), &side(constructor, after)])
    };
    for other in [
        "1, 2",
        "depth: 2, level: 1",
        "1, 2, new int[] { }",
        "level: 1",
    ] {
        history(user, &user.replace("Mark(1)", &format!("Mark({other})"))).check_api(expect![[""]]);
    }
    history(user, &user.replace("Mark(1)", "Mark(1, 2, 3)")).check_api(expect![[r#"
        both CP0015 changed M:A.F:[T:MarkAttribute]
    "#]]);
}

#[test]
fn assemblies_come_and_go() {
    let world =
        Service::with_files(&[("Old/Old.csproj", PROJECT), ("Old/A.cs", "public class A;")]);
    world.git(&["mv", "Old", "New"]);
    world.git(&["mv", "New/Old.csproj", "New/New.csproj"]);
    world.commit("Rename");
    let request = json!({"revisions": ["HEAD~1", "HEAD"]});
    check(
        "api_lone_assemblies",
        &world,
        Format::Text,
        "api",
        request.clone(),
    );
    // The folder alone means nothing to others.
    world.git(&["mv", "New", "Moved"]);
    world.commit("Move");
    let answer = world.answer("api", request);
    let lists = [
        &answer["assemblies"][0]["differences"],
        &answer["gone"],
        &answer["came"],
    ];
    assert_eq!(lists, [&json!([]); 3], "{answer:#}");
}

/// The differences between two commits that strict mode reports.
fn strict_differences(world: &Service, from: &str, to: &str) -> Vec<ApiDifference> {
    let answer = world.answer("api", json!({"revisions": [from, to]}));
    let answer: ApiAnswer = serde_json::from_value(answer).expect("an answer reads back");
    let assemblies = answer.assemblies.into_iter();
    let differences = assemblies.flat_map(|assembly| assembly.differences);
    differences
        .filter(|difference| matches!(difference.mode, Mode::Both | Mode::Strict))
        .collect()
}

#[test]
fn what_is_removed_one_way_is_added_the_other_way_and_nothing_differs_from_itself() {
    let world = crate::demo();
    let missing = |from: &str, to: &str, wanted: What| -> Vec<String> {
        let mut found: Vec<String> = strict_differences(&world, from, to)
            .iter()
            .filter(|difference| matches!(&*difference.rule, "CP0001" | "CP0002"))
            .filter(|difference| difference.what == wanted)
            .map(|difference| format!("{} {}", difference.rule, difference.symbol))
            .collect();
        found.sort();
        found
    };
    let mut n_found = 0;
    for back in 1..9 {
        let (old, new) = (format!("HEAD~{back}"), format!("HEAD~{}", back - 1));
        let added = missing(&old, &new, What::Added);
        n_found += added.len();
        assert_eq!(missing(&new, &old, What::Removed), added, "{old} and {new}");
        let same = world.answer("api", json!({"revisions": [new, new]}));
        let same: ApiAnswer = serde_json::from_value(same).expect("an answer reads back");
        assert!(
            same.assemblies.iter().all(|it| it.differences.is_empty()),
            "{same:?}"
        );
    }
    assert!(n_found > 20, "the history adds something: {n_found}");
}

#[test]
fn optional_parameters_behind_the_others_break_compiled_code_alone() {
    let reason = |after: &str| {
        let before = "public class C { public int F(int a) => 1; }";
        let answer = changed(
            before,
            &format!("public class C {{ public int F({after}) => 1; }}"),
        )
        .api();
        let found = answer.assemblies.iter().flat_map(|it| &it.differences);
        let mut reasons = found
            .filter(|it| it.rule == "CP0002")
            .map(|it| it.reason.clone());
        reasons.next().unwrap_or_default()
    };
    let compiles = "its parameters changed, calls still compile: ";
    assert!(reason("int a, int b = 0").starts_with(compiles));
    for breaks in [
        "int a, int b",
        "int c, int b = 0",
        "long a, int b = 0",
        "int b = 0, int a = 1",
    ] {
        assert!(
            reason(breaks).starts_with("its parameters changed: "),
            "{breaks}"
        );
    }
}

#[test]
fn an_extension_block_compiles_to_extension_methods() {
    let classic = "
using System.Collections.Generic;
public static class Ext {
    public static bool IsSmall(this System.Type type, int most = 3) => true;
    public static T First<T>(this IEnumerable<T> all) where T : class => null;
}
";
    let block = "
using System.Collections.Generic;
public static class Ext {
    extension(System.Type type) { public bool IsSmall(int most = 3) => true; }
    extension<T>(IEnumerable<T> all) where T : class { public T First() => null; }
}
";
    let told = |before: &str, after: &str| -> Vec<String> {
        let answer = changed(before, after).api();
        let all = (answer.assemblies.iter()).flat_map(|it| &it.differences);
        let all = all.filter(|it| it.what == What::Removed);
        all.map(|it| format!("{:?} {} {}", it.severity, it.rule, it.reason))
            .collect()
    };
    assert_eq!(told(classic, block), [""; 0]);
    assert_eq!(told(block, classic), [""; 0]);
    // What has no `this` is called as before where it gets one.
    let plain = classic.replace("this System", "System");
    for after in [classic, block] {
        assert_eq!(
            told(&plain, after),
            ["Compatible CP0002 is an extension method now"]
        );
        assert_eq!(
            told(after, &plain),
            ["SourceBreaking CP0002 no longer an extension method: `this` was removed"]
        );
    }
}
