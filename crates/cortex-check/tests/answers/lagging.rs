//! Code that uses most of what a type holds, and nothing of what it newly holds.

use cortex_check::Repository;

const FIXTURE: &str = "
//- /A.cs project:App
public class Order {
    public int A { get; set; }
    public int B { get; init; }
    public int C;
    public static int Count { get; set; }
    public int Sum => A + B + C;
    int own;
}
public class Row { public int A, B, C; }
public static class Code {
    public static Order Make() => new Order { A = 1, B = 2, C = 3 };
    public static Row Copy(Order from) => new Row { A = from.A, B = from.B };
    public static int One(Order from) => from.A;
    public static string Told(Order from) => $\"{from.A}{from.B}{from.C}\";
    public static int Calls(Order from) => from.Sum + Order.Count;
}
//- /T.cs project:Tests refs:App packages:xunit
using Xunit;
public class Tests { [Fact] public void T() => Assert.NotNull(new Order { A = 1, B = 2, C = 3 }); }
";

/// The members that lag behind a change of the fixture, with how much they use.
fn lagging(edits: &[[&str; 2]]) -> Vec<String> {
    let mut after = FIXTURE.to_owned();
    for [from, to] in edits {
        assert!(after.contains(from), "{from}");
        after = after.replace(from, to);
    }
    let answer = Repository::history(&[FIXTURE, &after]).diff_context();
    let told = answer.impact.lagging.iter().map(|it| {
        let inside = it.inside.as_deref().unwrap_or("-");
        format!(
            "{} {} {}/{} :{} lacks {}",
            it.ty,
            inside.split('(').next().unwrap_or(inside),
            it.n_used,
            it.n_others,
            it.line,
            it.lacks.join(" ")
        )
    });
    told.collect()
}

const NEW: [&str; 2] = ["public int C;", "public int C; public int D { get; set; }"];

#[test]
fn product_code_that_uses_most_others_and_not_the_new_member_is_told() {
    assert_eq!(
        lagging(&[NEW]),
        [
            "Order P:Order.Sum 3/3 :6 lacks D",
            "Order M:Code.Make 3/3 :11 lacks D",
            "Order M:Code.Told 3/3 :14 lacks D",
        ]
    );
}

#[test]
fn code_that_calls_what_took_a_new_member_along_does_not_lag() {
    let rows = lagging(&[
        NEW,
        [
            "public static int One(Order from) => from.A;",
            "public static int One(Order from) => from.D;",
        ],
        [
            "$\"{from.A}{from.B}{from.C}\"",
            "$\"{from.A}{from.B}{from.C}{One(from)}\"",
        ],
    ]);
    assert_eq!(
        rows,
        [
            "Order P:Order.Sum 3/3 :6 lacks D",
            "Order M:Code.Make 3/3 :11 lacks D",
        ]
    );
}

#[test]
fn a_constructor_that_chains_to_one_which_took_a_new_member_along_does_not_lag() {
    let before = "
//- /A.cs project:App
public class Plan { public int A, B, C; }
public class Model {
    public Model(Plan plan) { Sum = plan.A + plan.B + plan.C; }
    public Model(Plan plan, int n) : this(plan) { Sum = n + plan.A + plan.B + plan.C; }
    public Model(Plan plan, string s) { Sum = plan.A + plan.B + plan.C; }
    public int Sum;
}
";
    let after = before.replacen("A, B, C;", "A, B, C, D;", 1);
    let after = after.replacen("Sum = plan.A", "Sum = plan.D + plan.A", 1);
    let answer = Repository::history(&[before, &after]).diff_context();
    let lines: Vec<u32> = answer.impact.lagging.iter().map(|it| it.line).collect();
    assert_eq!(lines, [5]);
}

#[test]
fn code_that_took_a_new_member_along_does_not_lag() {
    let rows = lagging(&[
        [
            "public int C;",
            "public int C; public int D { get; set; } public int E;",
        ],
        [
            "C = 3 };\n    public static Row",
            "C = 3, E = 5 };\n    public static Row",
        ],
        ["=> A + B + C", "=> A + B + C + D"],
    ]);
    assert_eq!(rows, ["Order M:Code.Told 3/3 :14 lacks E D"]);
}

#[test]
fn what_holds_nothing_or_is_no_one_elses_is_not_missed() {
    for new in [
        "public int C; public int D => 1;",
        "public int C; public static int D { get; set; }",
        "public int C; int D;",
        "public int C; public int D() => 1;",
    ] {
        assert!(lagging(&[["public int C;", new]]).is_empty(), "{new}");
    }
    // A type that is new has no old users.
    let new = [
        "public static class Code",
        "public class Other { public int A, B, C, D; }\npublic static class Code",
    ];
    assert!(lagging(&[new]).is_empty());
}

#[test]
fn code_that_uses_what_goes_with_a_new_member_elsewhere_is_told() {
    let before = "
//- /A.cs project:App
public class Plan { public bool A, B, C, D, E, F, Links; }
public static class Code {
    public static bool One(Plan plan) => plan.Links;
    public static bool Two(Plan plan) => plan.Links && plan.A;
    public static bool Three(Plan plan) => plan.Links || plan.B;
    public static bool Four(Plan plan) => plan.Links;
    public static bool Five(Plan plan) => plan.A && plan.B;
}
";
    let after = before
        .replace("Links; }", "Links, Pam; }")
        .replace(
            "One(Plan plan) => plan.Links",
            "One(Plan plan) => plan.Links && plan.Pam",
        )
        .replace(
            "=> plan.Links && plan.A",
            "=> plan.Links && plan.Pam && plan.A",
        );
    let like = |after: &str| -> Vec<String> {
        let answer = Repository::history(&[before, after]).diff_context();
        let told = answer.impact.lagging.into_iter();
        told.map(|it| format!("{} {:?}", it.inside.unwrap_or_default(), it.like))
            .collect()
    };
    // Two say nothing yet.
    assert!(like(&after).is_empty());
    let after = after.replace(
        "=> plan.Links || plan.B",
        "=> plan.Links || plan.Pam || plan.B",
    );
    assert_eq!(like(&after), ["M:Code.Four(Plan) Some(\"Links\")"]);
}

#[test]
fn types_that_take_values_under_their_names_are_told() {
    let before = "
//- /A.cs project:App
public interface IEvent {
    int A { get; set; } int B { get; set; } int C { get; set; } int D { get; set; } int E { get; set; } int F { get; set; }
    int G { get; set; } int H { get; set; } int I { get; set; } int J { get; set; } int K { get; set; } int L { get; set; }
}
public class Model {
    public Model(IEvent it) { A = it.A; B = it.B; C = it.C; D = it.D; E = it.E; }
    public int A, B, C, D, E;
}
public class View {
    public IEvent Event;
    public int A => Event.A;
    public int B => Event.B;
    public int C => Event.C;
    public int D => Event.D;
    public int E => Event.E;
}
public class Sums { public int Of(IEvent it) { var sum = it.A + it.B; return sum + it.C + it.D + it.E; } }
public class Full { public Full(IEvent it) { A = it.A; B = it.B; C = it.C; D = it.D; E = it.E; } public int A, B, C, D, E, M; }
";
    let after = before
        .replace(
            "int A { get; set; } int B",
            "int M { get; set; } int A { get; set; } int B",
        )
        .replace(
            "E = it.E; } public int A, B, C, D, E, M",
            "E = it.E; M = it.M; } public int A, B, C, D, E, M",
        );
    let answer = Repository::history(&[before, &after]).diff_context();
    let told = answer.impact.lagging.iter();
    let told: Vec<(Option<&str>, usize, usize)> = told
        .map(|it| (it.inside.as_deref(), it.n_used, it.n_others))
        .collect();
    assert_eq!(told, [(Some("T:Model"), 5, 12), (Some("T:View"), 5, 12)]);
}
