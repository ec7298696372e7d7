//! Who uses what changed, in each way in which C# can use something; renames and moves; what is no change.

use serde_json::Value;

use crate::{harness::World, ranges::PROJECT};

/// The answer for one edit of a repository with two files: what changes, and who uses it.
fn answer(changed: &str, old: &str, new: &str, users: &str) -> Value {
    let world = World::with_files(&[
        ("App.csproj", PROJECT),
        ("Changed.cs", changed),
        ("Users.cs", users),
    ]);
    world.edit("Changed.cs", old, new);
    world.commit("Change it");
    let answer = world.json(&["diff-context", "HEAD~1..HEAD"]);
    answer
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().expect("there is a list")
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Where a use is and what it is: `Users.cs:1:5 calls proven`.
fn place(used: &Value) -> String {
    let mut out = format!(
        "{}:{}:{} {} {}",
        word(used, "path"),
        used["line"],
        used["column"],
        word(used, "kind"),
        word(used, "certainty")
    );
    if let Some(via) = used.get("via") {
        out += &format!(" {} {}", word(via, "relation"), word(via, "to"));
    }
    out
}

/// Every use, below the symbol that it uses.
fn uses(answer: &Value) -> Vec<String> {
    let mut out = Vec::new();
    for symbol in list(&answer["impact"], "symbols") {
        let uses = list(symbol, "uses");
        if !uses.is_empty() {
            out.push(format!("{} {}", word(symbol, "change"), word(symbol, "id")));
            out.extend(uses.iter().map(|used| format!("  {}", place(used))));
        }
    }
    out
}

#[track_caller]
fn check_uses([changed, old, new]: [&str; 3], users: &str, expected: &[&str]) {
    assert_eq!(uses(&answer(changed, old, new, users)), expected);
}

#[test]
fn a_changed_body_reaches_calls_by_name_and_through_interfaces_and_overrides() {
    let changed = "public interface I { int M(); }\npublic class B : I { public virtual int M() => 0; }\npublic class C : B { public override int M() => 1; }\n";
    check_uses(
        [changed, "=> 1", "=> 2"],
        "class U {\n  int a(I i) => i.M();\n  int b(B b) => b.M();\n  int c(C c) => c.M();\n}\n",
        &[
            "body M:C.M",
            "  Users.cs:4:19 calls proven",
            "  Users.cs:2:19 calls possible interface M:I.M",
            "  Users.cs:3:19 calls possible override M:B.M",
        ],
    );
}

#[test]
fn a_changed_private_member_reaches_those_who_use_what_runs_it() {
    let changed = "public interface I { int M(); }\npublic class C : I {\n  public int M() => Deeper();\n  public int N() => M();\n  int Deeper() => Deepest();\n  int Deepest() => 1;\n}\n";
    check_uses(
        [changed, "=> 1", "=> 2"],
        "class U {\n  int a(I i) => i.M();\n  int b(C c) => c.M();\n  int c(C c) => c.N();\n}\n",
        &[
            "body M:C.Deepest",
            "  Changed.cs:5:19 calls proven",
            "  Changed.cs:4:21 calls possible caller M:C.M",
            "  Users.cs:2:19 calls possible interface M:I.M",
            "  Users.cs:3:19 calls possible caller M:C.M",
        ],
    );
}

#[test]
fn users_of_users_are_found_through_what_these_implement() {
    let users = "public interface J { int P(); }\npublic class A : J { public int P() => new C().M(); }\nclass B { int Q(J j) => j.P(); int R(A a) => a.P() + a.P(); int S() => 1; }\n";
    let answer = answer(
        "public class C { public int M() => 1; }\n",
        "=> 1",
        "=> 2",
        users,
    );
    let next: Vec<String> = (list(&answer["impact"], "next").iter())
        .map(|user| {
            format!(
                "{} {} {}",
                word(user, "id"),
                user["n_uses"],
                word(user, "through")
            )
        })
        .collect();
    assert_eq!(next, ["M:B.R(A) 2 M:A.P", "M:B.Q(J) 1 M:A.P"]);
}

#[test]
fn what_is_read_beside_a_change_is_what_its_lines_name() {
    let users = "public class Used { public int Named; public int Other; }\npublic class Unused { public int N; }\n";
    let changed = "public class C {\n  public int M(Used used, Unused unused) {\n    var n = unused.N;\n    return n;\n  }\n}\n";
    let answer = answer(changed, "return n;", "return n + used.Named;", users);
    let reading = list(&answer, "reading");
    let told: Vec<String> = (reading.iter())
        .map(|it| format!("{} {} {}", word(it, "name"), it["members"], it["n_members"]))
        .collect();
    assert_eq!(told, [r#"Used ["public int Named"] 2"#]);
}

#[test]
fn a_changed_member_of_an_interface_names_what_implements_it() {
    let changed = "public interface I { int M(); }\npublic class C : I { public int M() => 1; }\npublic class D : C { }\n";
    let answer = answer(changed, "int M(); }", "long M(); }", "");
    let symbol = &list(&answer["impact"], "symbols")[0];
    assert_eq!(word(symbol, "id"), "M:I.M");
    // `long` is no longer what the class returns.
    assert_eq!(list(symbol, "implemented_by"), &[] as &[Value]);
}

#[test]
fn extension_methods_operators_and_conversions_are_uses() {
    let changed = "public static class E { public static int Twice(this int n) => n + n; }\npublic struct S {\n  public static S operator +(S a, S b) => a;\n  public static implicit operator S(int n) => default;\n}\n";
    let users = "class U {\n  int a() => 1.Twice();\n  int b() => E.Twice(1);\n  S c(S s) => s + s;\n  S d() => 7;\n}\n";
    check_uses(
        [changed, "n + n", "2 * n"],
        users,
        &[
            "body M:E.Twice(System.Int32)",
            "  Users.cs:2:16 extension proven",
            "  Users.cs:3:16 calls proven",
        ],
    );
    check_uses(
        [changed, "=> a", "=> b"],
        users,
        &[
            "body M:S.op_Addition(S,S)",
            "  Users.cs:4:17 operator proven",
        ],
    );
    check_uses(
        [changed, "=> default", "=> new()"],
        users,
        &[
            "body M:S.op_Implicit(System.Int32)~S",
            "  Users.cs:5:12 conversion proven",
        ],
    );
}

#[test]
fn attributes_and_nameof_are_uses() {
    let changed = "public class MarkAttribute : System.Attribute {\n  public MarkAttribute(int n) { }\n  public int Level { get => 1; set { } }\n}\n";
    let users =
        "class U {\n  [Mark(1, Level = 2)]\n  string a() => nameof(MarkAttribute.Level);\n}\n";
    check_uses(
        [changed, "(int n) { }", "(int n) { Level = n; }"],
        users,
        &[
            "body M:MarkAttribute.#ctor(System.Int32)",
            "  Users.cs:2:4 new proven",
        ],
    );
    check_uses(
        [changed, "=> 1", "=> 2"],
        users,
        &[
            "body P:MarkAttribute.Level",
            "  Users.cs:2:12 writes proven",
            "  Users.cs:3:38 typeof proven",
        ],
    );
}

#[test]
fn what_is_removed_is_used_on_the_older_side() {
    let changed = "public class C {\n  public int M() => 1;\n  public int N() => 2;\n}\n";
    check_uses(
        [changed, "  public int M() => 1;\n", ""],
        "class U {\n  int a(C c) => c.M() + c.N();\n}\n",
        &["removed M:C.M", "  Users.cs:2:19 calls proven"],
    );
}

#[test]
fn a_string_with_the_name_is_possible_where_reflection_is_used() {
    let changed = "public class C {\n  public int Run() => 1;\n}\n";
    check_uses(
        [changed, "=> 1", "=> 2"],
        "class U {\n  object a() => typeof(C).GetMethod(\"Run\");\n  // \"Run\"\n}\nclass V { string b() => \"Runner\"; }\n",
        &["body M:C.Run", "  Users.cs:2:37 literal possible"],
    );
}

#[test]
fn a_registration_names_the_service_and_who_takes_it() {
    let changed = "public interface I { }\npublic class C : I {\n  public int Run() => 1;\n}\n";
    let users = "class Services { }\nstatic class Di {\n  public static Services AddScoped<A, B>(this Services s) => s;\n}\nclass Start {\n  void a(Services s) => s.AddScoped<I, C>();\n}\nclass Taker {\n  public Taker(I i) { }\n  void Other(I i) { }\n}\n";
    let answer = answer(changed, "=> 1", "=> 2", users);
    let found = list(&answer["impact"], "registrations");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (word(&found[0], "id"), word(&found[0], "service")),
        ("T:C", "T:I")
    );
    assert_eq!(place(&found[0]["at"]), "Users.cs:6:40 local possible");
    let takers: Vec<String> = list(&found[0], "consumers").iter().map(place).collect();
    assert_eq!(
        takers,
        ["Users.cs:9:16 parameter possible registration T:I"]
    );
}

#[test]
fn white_space_comments_and_documentation_are_no_impact() {
    let changed = "public class C {\n  /// <summary>One.</summary>\n  public int M() => 1;\n  public int N() => 2;\n}\n";
    let users = "class U {\n  int a(C c) => c.M() + c.N();\n}\n";
    check_uses(
        [changed, "  public int N", "\n    // Two.\n    public int N"],
        users,
        &[],
    );
    check_uses([changed, "One.", "The first."], users, &[]);
}

#[test]
fn a_renamed_member_is_one_change() {
    let changed = "public class C {\n  public int First(int n) => n * 3 + 1;\n  public string Name { get; set; }\n}\n";
    let users = "class U {\n  int a(C c) => c.First(1);\n}\n";
    for (old, new, note) in [
        ("First", "Initial", "renamed from `First`"),
        ("Name", "Named", "renamed from `Name`"),
    ] {
        let answer = answer(changed, old, new, users);
        let members = list(&list(&answer, "types")[0], "members");
        assert_eq!(members.len(), 1, "{members:?}");
        assert_eq!(word(&members[0], "change"), "signature");
        assert_eq!(members[0]["notes"][0], note);
    }
    // Another name for other types is another member.
    let answer = answer(changed, "string Name", "int Count", users);
    let members = list(&list(&answer, "types")[0], "members");
    assert_eq!(members.len(), 2, "{members:?}");
}

#[test]
fn a_member_that_moves_to_another_type_is_told_on_both() {
    let changed = "public class A {\n  public int Sum(int n)\n  {\n    var sum = n;\n    sum += 1;\n    sum += 2;\n    return sum;\n  }\n}\npublic class B {\n}\n";
    let moved = "public class A {\n}\npublic class B {\n  public int Sum(int n)\n  {\n    var sum = n;\n    sum += 1;\n    sum += 3;\n    return sum;\n  }\n}\n";
    let answer = answer(changed, changed, moved, "");
    let notes: Vec<(&str, &str)> = list(&answer, "types")
        .iter()
        .flat_map(|ty| {
            let members = list(ty, "members").iter();
            members.map(|member| (word(ty, "name"), member["notes"][0].as_str().unwrap_or("")))
        })
        .collect();
    assert_eq!(notes, [("A", "moved to `B`"), ("B", "moved from `A`")]);
}

#[test]
fn a_namespace_that_moves_is_told_once() {
    let changed = "namespace Old;\npublic class A { public int M() => 1; public int N() => 2; }\npublic class B { public int O() => 3; public int P() => 4; }\n";
    let answer = answer(changed, "namespace Old", "namespace New.Place", "");
    let moves = list(&answer, "namespaces");
    assert_eq!(moves.len(), 1, "{moves:?}");
    assert_eq!(
        (word(&moves[0], "from"), word(&moves[0], "to")),
        ("Old", "New.Place")
    );
    assert_eq!(moves[0]["n_types"], 2);
}
