//! What code means in the merge of two commits, and what a patch would do.

use cortex_check::Service;
use serde_json::{Value, json};

const PROGRAM: &[(&str, &str)] = &[
    (
        "Shop.csproj",
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>",
    ),
    (
        "Orders.cs",
        "\
namespace Shop;
public class Orders
{
    public void Cancel(int id) { }
    public void Cancel(object id) { }

    public int Limit = 1;

    public int Total() => Limit;
}
",
    ),
    (
        "Use.cs",
        "\
namespace Shop;
class Use
{
    void First(Orders orders) => orders.Cancel(1);

    int Sum(Orders orders) => orders.Total();
}
",
    ),
    (
        "More.cs",
        "\
namespace Shop;
class More
{
    void Nothing() { }
}
",
    ),
];

/// What two branches do to the program: file, old text, new text.
type Edits<'e> = &'e [(&'e str, &'e str, &'e str)];

/// A repository with the program on `main`, as `ours` has it, and on `theirs`.
fn branches(ours: Edits<'_>, theirs: Edits<'_>) -> Service {
    let repo = Service::with_files(PROGRAM);
    repo.git(&["branch", "theirs"]);
    for (file, old, new) in ours {
        repo.edit(file, old, new);
    }
    if !ours.is_empty() {
        repo.commit("ours");
    }
    repo.git(&["branch", "ours"]);
    repo.git(&["checkout", "-q", "theirs"]);
    for (file, old, new) in theirs {
        repo.edit(file, old, new);
    }
    if !theirs.is_empty() {
        repo.commit("theirs");
    }
    repo
}

fn merged(repo: &Service, ours: &str, theirs: &str) -> Value {
    repo.answer("prove", json!({"revisions": [ours, theirs], "merge": true}))
}

/// The places that mean something else: file, line, what it means before and after.
fn told(answer: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let all = answer["elsewhere"].as_array().expect("a list");
    let names = all.iter().filter(|it| {
        it["question"]
            .as_str()
            .is_some_and(|it| it.contains("name"))
    });
    let lines = names.map(|it| {
        let (before, after) = (text(&it["before"]), text(&it["after"]));
        format!("{}:{} {before} -> {after}", text(&it["file"]), it["line"])
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

#[test]
fn what_one_branch_writes_may_mean_something_else_beside_the_other_one() {
    let new_call = (
        "More.cs",
        "void Nothing() { }",
        "void New(Orders it) { it.Cancel(2); }",
    );
    let cases: [(Edits<'_>, Edits<'_>, &[&str]); 6] = [
        // A rename, and a call of the old name that finds another overload.
        (
            &[
                ("Orders.cs", "Cancel(int id)", "Withdraw(int id)"),
                ("Use.cs", "Cancel(1)", "Withdraw(1)"),
            ],
            &[new_call],
            &["More.cs:4 Shop.Orders.Cancel(int) -> Shop.Orders.Cancel(object)"],
        ),
        // A member that goes, and one that uses it.
        (
            &[
                ("Orders.cs", "    public int Total() => Limit;\n", ""),
                ("Use.cs", "=> orders.Total()", "=> orders.Limit"),
            ],
            &[(
                "More.cs",
                "void Nothing() { }",
                "int New(Orders it) => it.Total();",
            )],
            &["More.cs:4 Shop.Orders.Total() -> nothing"],
        ),
        // Another overload, which a new call fits better.
        (
            &[(
                "Orders.cs",
                "    public int Limit",
                "    public void Cancel(byte id) { }\n    public int Limit",
            )],
            &[(
                "More.cs",
                "void Nothing() { }",
                "void New(Orders it, byte id) { it.Cancel(id); }",
            )],
            &["More.cs:4 Shop.Orders.Cancel(int) -> Shop.Orders.Cancel(byte)"],
        ),
        // A type that hides the one that the other branch begins to use.
        (
            &[("Use.cs", "    int Sum", "    class Limits { }\n    int Sum")],
            &[
                ("More.cs", "class More", "class Limits { }\nclass More"),
                (
                    "Use.cs",
                    "void First(Orders orders)",
                    "void First(Orders orders, Limits limits = null)",
                ),
            ],
            &["Use.cs:4 Shop.Limits -> Shop.Use.Limits"],
        ),
        // What both branches do is known to both.
        (
            &[
                ("Orders.cs", "Cancel(int id)", "Withdraw(int id)"),
                ("Use.cs", "Cancel(1)", "Withdraw(1)"),
            ],
            &[
                ("Orders.cs", "Cancel(int id)", "Withdraw(int id)"),
                ("Use.cs", "Cancel(1)", "Withdraw(1)"),
            ],
            &[],
        ),
        // What one branch changes for itself, code of the other one that nobody touched included.
        (
            &[("Orders.cs", "    public void Cancel(int id) { }\n", "")],
            &[(
                "More.cs",
                "void Nothing() { }",
                "void Nothing() { int one = 1; }",
            )],
            &[],
        ),
    ];
    for (ours, theirs, expected) in cases {
        let repo = branches(ours, theirs);
        let answer = merged(&repo, "ours", "theirs");
        assert_eq!(told(&answer), expected, "{ours:?} {theirs:?}");
        assert_eq!(answer["isProven"], json!(expected.is_empty()));
        // Into which one the other is merged says nothing about what the merge means.
        assert_eq!(told(&merged(&repo, "theirs", "ours")), expected);
        assert_eq!(repo.git(&["status", "--short"]), "");
    }
}

#[test]
fn a_merge_that_a_person_must_make_is_refused_with_its_files() {
    let repo = branches(
        &[("Use.cs", "orders.Cancel(1)", "orders.Cancel(2)")],
        &[("Use.cs", "orders.Cancel(1)", "orders.Cancel(3)")],
    );
    let error = repo.error(
        "prove",
        json!({"revisions": ["ours", "theirs"], "merge": true}),
    );
    assert_eq!(error["code"], "Conflict");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|it| it.contains("`Use.cs`")),
        "{error}"
    );
    for wrong in [
        json!({"revisions": ["ours"], "merge": true}),
        json!({"revisions": ["ours", "theirs"], "merge": true, "cached": true}),
        json!({"revisions": ["ours", "theirs"], "patch": "--- a"}),
    ] {
        assert_eq!(repo.error("prove", wrong)["code"], "InvalidRequest");
    }
}

#[test]
fn a_merge_with_an_ancestor_means_what_the_descendant_means() {
    let repo = branches(
        &[("Orders.cs", "Cancel(object id)", "Cancel(string id)")],
        &[],
    );
    for [a, b] in [["ours", "ours~1"], ["ours~1", "ours"], ["ours", "ours"]] {
        assert_eq!(merged(&repo, a, b)["isProven"], json!(true), "{a} {b}");
    }
}

#[test]
fn a_patch_is_judged_like_the_commit_that_it_comes_from() {
    let repo = branches(
        &[
            ("Orders.cs", "Cancel(int id)", "Withdraw(int id)"),
            ("Use.cs", "Cancel(1)", "Withdraw(1)"),
            ("Use.cs", "orders.Total()", "orders.Total() + 1"),
            ("More.cs", "void Nothing() { }", "void Something() { }"),
        ],
        &[],
    );
    let patch = repo.git(&["diff", "ours~1", "ours"]) + "\n";
    let of_patch = repo.answer("prove", json!({"revisions": ["ours~1"], "patch": patch}));
    let of_commit = repo.answer("prove", json!({"revisions": ["ours~1", "ours"]}));
    for part in [
        "proven",
        "toRead",
        "elsewhere",
        "notCompared",
        "isProven",
        "comparedDecisions",
    ] {
        assert_eq!(of_patch[part], of_commit[part], "{part}");
    }
    assert_eq!(of_commit["toRead"].as_array().map(Vec::len), Some(1));
    // The work tree is what the other branch has.
    let here = repo.answer("prove", json!({"patch": patch}));
    assert_eq!(here["toRead"], of_commit["toRead"]);
    assert_eq!(repo.git(&["status", "--short"]), "");
}

#[test]
fn a_patch_for_a_commit_is_not_held_to_the_work_tree() {
    let repo = Service::with_files(PROGRAM);
    repo.write(
        "New.cs",
        "namespace Shop;\nclass New { void M(Orders it) => it.Cancel(2); }\n",
    );
    repo.git(&["add", "."]);
    repo.git(&["commit", "--quiet", "--message", "Add a class"]);
    repo.edit("Use.cs", "Cancel(1)", "Cancel(3)");
    repo.git(&[
        "commit",
        "--quiet",
        "--all",
        "--message",
        "Cancel another one",
    ]);
    let added = repo.git(&["diff", "HEAD~2", "HEAD~1"]) + "\n";
    let of_patch = repo.answer("prove", json!({"revisions": ["HEAD~2"], "patch": added}));
    let of_commit = repo.answer("prove", json!({"revisions": ["HEAD~2", "HEAD~1"]}));
    assert_eq!(of_patch["toRead"], of_commit["toRead"]);
    assert_eq!(of_patch["isProven"], of_commit["isProven"]);

    // The file is there already, and in a patch of what was done its lines are others.
    let again = repo.error("prove", json!({"patch": added}));
    assert!(
        again["message"]
            .as_str()
            .is_some_and(|it| it.contains("there already")),
        "{again}"
    );
    let done = repo.git(&["diff", "HEAD~1", "HEAD"]) + "\n";
    let done = repo.error("prove", json!({"patch": done}));
    assert!(done.to_string().contains("name the commit"), "{done}");
}

#[test]
fn what_both_branches_declare_is_told_although_nobody_uses_it() {
    let at_top = (
        "Orders.cs",
        "    public int Limit = 1;\n",
        "    public int Limit = 1;\n    public int Next() => 1;\n",
    );
    let at_end = (
        "Orders.cs",
        "=> Limit;\n}\n",
        "=> Limit;\n\n    public int Next() => 2;\n}\nclass Extra { }\n",
    );
    let elsewhere = (
        "More.cs",
        "void Nothing() { }\n}\n",
        "void Nothing() { }\n}\nclass Extra { }\n",
    );
    let cases: [(Edits<'_>, Edits<'_>, &[&str]); 3] = [
        (&[at_top], &[at_end], &["Orders.cs Orders.Next()"]),
        (&[elsewhere], &[at_end], &["More.cs Extra"]),
        (
            &[at_top, elsewhere],
            &[("Use.cs", "orders.Total()", "orders.Limit")],
            &[],
        ),
    ];
    for (ours, theirs, expected) in cases {
        let repo = branches(ours, theirs);
        for [a, b] in [["ours", "theirs"], ["theirs", "ours"]] {
            let answer = merged(&repo, a, b);
            let all = answer["elsewhere"].as_array().expect("a list").iter();
            let twice = all.filter(|it| it["question"] == "what is declared twice");
            let told: Vec<String> = twice
                .map(|it| {
                    format!(
                        "{} {}",
                        it["file"].as_str().unwrap_or("-"),
                        it["after"].as_str().unwrap_or("-")
                    )
                })
                .collect();
            assert_eq!(told, expected, "{ours:?} {theirs:?}");
        }
    }
}
