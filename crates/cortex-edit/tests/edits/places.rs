//! Code that goes to a place which makes something else of it, or does not take it.

use cortex_edit::{Edit, EditError, ExtractMethod, InlineMethod, InlineVariable, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

/// A class with members, and the using directives that they need.
fn class(members: &str) -> String {
    format!(
        "using System;\nusing System.Collections.Generic;\nusing System.Linq;\nusing System.Linq.Expressions;\nclass C\n{{\n    {members}\n}}\n"
    )
}

fn position(text: &str, at: usize) -> String {
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |it| it + 1) + 1;
    format!("{line}:{column}")
}

/// Inlines the variable whose name is behind `$0`.
fn inline_variable(members: &str) -> Result<Op, EditError> {
    let text = class(members);
    let at = text.find("$0").expect("the name is marked");
    let at = format!("A.cs:{}", position(&text, at));
    let world = World::new(&format!("//- /A.cs\n{}", text.replace("$0", "")));
    world.one(&Edit::InlineVariable(InlineVariable { at: &at }))
}

/// Inlines `C.M`.
fn inline_method(members: &str) -> Result<Op, EditError> {
    let world = World::new(&format!("//- /A.cs\n{}", class(members)));
    world.one(&Edit::InlineMethod(InlineMethod { symbol: "C.M" }))
}

/// Extracts what stands between `[[` and `]]` of a file.
fn extract(text: &str) -> Result<Op, EditError> {
    let start = text.find("[[").expect("the start is marked");
    let text = text.replacen("[[", "", 1);
    let end = text.find("]]").expect("the end is marked");
    let text = text.replacen("]]", "", 1);
    let at = format!("A.cs:{}-{}", position(&text, start), position(&text, end));
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let name = "Made";
    world.one(&Edit::ExtractMethod(ExtractMethod { at: &at, name }))
}

fn refusal(case: &str, planned: Result<Op, EditError>) -> String {
    match planned {
        Ok(op) => panic!("{case} is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => panic!("{case}: {error:?}"),
    }
}

/// The lines that a proven edit adds.
fn added(case: &str, planned: Result<Op, EditError>) -> String {
    let op = planned.unwrap_or_else(|error| panic!("{case}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{case}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    let lines = op.answer.patch.lines();
    let lines = lines.filter(|it| it.starts_with('+') && !it.starts_with("+++"));
    let lines = lines.map(|it| it[1..].trim());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn arithmetic_stays_checked_or_unchecked() {
    let refused = [
        "int F(int a, int b) { int $0x = a + b; checked { return x; } }",
        "int F(int a) { int $0x = -a; return checked(x); }",
        "byte F(int a) { byte $0x = (byte)a; return checked(x); }",
        "int F(int a, int b) { unchecked { int $0x = a * b; Func<int> f = () => checked(x); return f(); } }",
    ];
    for case in refused {
        let reason = refusal(case, inline_variable(case));
        assert!(reason.contains("checked for overflow"), "{case}: {reason}");
    }
    let kept = [
        (
            "double F(double a, double b) { double $0x = a + b; checked { return x; } }",
            "return a + b;",
        ),
        (
            "int F() { int $0x = 1 + 2; checked { return x; } }",
            "return 1 + 2;",
        ),
        (
            "int F(int a, int b) { checked { int $0x = a + b; return x; } }",
            "return a + b;",
        ),
    ];
    for (case, after) in kept {
        let added = added(case, inline_variable(case));
        assert!(added.contains(after), "{case}: {added}");
    }
    let refused = [
        "int M(int a) => a + 1;\n    int F(int b) { checked { return M(b); } }",
        "int M(int a) => checked(a + 1);\n    int F(int b) => M(b * 2);",
        "int M(int a) => checked(a + 1);\n    int F(int b) { unchecked { return M(b + 1); } }",
        "int M(int a) { var n = a; n += a; return n; }\n    int F(int b) { checked { return M(b); } }",
    ];
    for case in refused {
        let reason = refusal(case, inline_method(case));
        assert!(reason.contains("checked for overflow"), "{case}: {reason}");
    }
    let case = "int M(int a) => checked(a + 1);\n    int F(int b) => M(b);";
    assert_eq!(
        added(case, inline_method(case)),
        "int F(int b) => checked(b + 1);"
    );
}

#[test]
fn constants_compile_where_they_go() {
    let refused = [
        "byte F() { int $0x = 300; return (byte)x; }",
        "int F() { int $0x = int.MaxValue; return x + 1; }",
        "int F() { int $0x = 0; return 10 / x; }",
        "int F(int a) { int $0x = 0; return a % x; }",
        "int F() { int $0x = int.MinValue; return -x; }",
        "uint F() { int $0x = 1; return (uint)(x - 2); }",
        "int F() { double $0x = 1e20; return (int)x; }",
        "int[] F() { int $0x = -1; return new int[x]; }",
    ];
    for case in refused {
        refusal(case, inline_variable(case));
    }
    let kept = [
        (
            "byte F() { int $0x = 3; return (byte)x; }",
            "return (byte)3;",
        ),
        ("int F() { int $0x = 0; return x / 10; }", "return 0 / 10;"),
        (
            "int F(int a) { int $0x = 1; return a + x; }",
            "return a + 1;",
        ),
        (
            "byte F() { int $0x = 300; return unchecked((byte)x); }",
            "unchecked((byte)300)",
        ),
        (
            "int F() { const int $0x = 4; return x + 1; }",
            "return 4 + 1;",
        ),
        (
            "double F() { double $0x = 0; return 1 / x; }",
            "return 1 / (double)0;",
        ),
        (
            "DayOfWeek F() { int $0x = 3; return (DayOfWeek)x; }",
            "(DayOfWeek)3",
        ),
        (
            "string F() { string $0x = \"a\"; return x + 1; }",
            "return \"a\" + 1;",
        ),
    ];
    for (case, after) in kept {
        let added = added(case, inline_variable(case));
        assert!(added.contains(after), "{case}: {added}");
    }
    let refused = [
        "int M(int x) => 10 / x;\n    int F() => M(0);",
        "int M(int x) => x + 1;\n    int F() => M(int.MaxValue);",
        "int M(int x, int y = 0) => x % y;\n    int F(int a) => M(a);",
        "byte M(int x) => (byte)x;\n    byte F() => M(300);",
        "int M() => 300;\n    byte F() => (byte)M();",
        "int M(int x) { var n = 10 / x; return n; }\n    int F() { return M(0); }",
    ];
    for case in refused {
        refusal(case, inline_method(case));
    }
    let case = "int M(int x) => x + 1;\n    int F() => M(2) * 3;";
    assert_eq!(added(case, inline_method(case)), "int F() => (2 + 1) * 3;");
}

#[test]
fn names_stay_in_name_of() {
    let case = "string M(int x) => nameof(x);\n    string F(int y) => M(y);";
    assert!(refusal(case, inline_method(case)).contains("`nameof`"));
    let case = class("string F(int q) => nameof([[q]]);");
    assert!(refusal(&case, extract(&case)).contains("`nameof`"));
}

#[test]
fn expression_trees_hold_what_they_can() {
    let refused = [
        "static string M(string x) => x?.Trim();\n    object F(IQueryable<string> d) => d.Where(x => M(x) == null);",
        "static bool M(object x) => x is not null;\n    object F(IQueryable<string> d) => from x in d where M(x) select x;",
        "static (int, int) M(int x) => (x, x);\n    object F(IQueryable<int> d) => d.Select(x => M(x));",
        "static int M(int x) => x switch { 1 => 2, _ => 3 };\n    Expression<Func<int, int>> F() => x => M(x);",
        "static int M(int x) => G(x);\n    static int G(int x, int y = 1) => x;\n    Expression<Func<int, int>> F() => x => M(x);",
    ];
    for case in refused {
        let reason = refusal(case, inline_method(case));
        assert!(
            reason.contains("an expression tree cannot hold"),
            "{case}: {reason}"
        );
    }
    let case = "static int M(int x) => x + 1;\n    Expression<Func<int, int>> F() => x => M(x);";
    assert!(added(case, inline_method(case)).contains("x => x + 1;"));
    let case = "static string M(string x) => x?.Trim();\n    object F(IEnumerable<string> d) => d.Where(x => M(x) == null);";
    assert!(added(case, inline_method(case)).contains("x?.Trim() == null"));
    let case = "object F(IQueryable<int> d, string s) { var $0n = s is not null; return d.Where(x => n); }";
    let reason = refusal(case, inline_variable(case));
    assert!(reason.contains("a pattern"), "{reason}");
    let refused = [
        "object F(IQueryable<int> q) => q.Where(x => [[x > 1]]);",
        "object F(IQueryable<int> q, int k) => from x in q where [[x > k]] select x;",
        "object F(IQueryable<int> q, int k) => from x in q orderby [[x + k]] select x;",
        "object F(IQueryable<int> q, IQueryable<int> r) => from x in q from y in r select [[x + y]];",
        "Expression<Func<int, int>> F() => x => [[x + 1]];",
    ];
    for case in refused {
        let case = class(case);
        let reason = refusal(&case, extract(&case));
        assert!(reason.contains("expression tree"), "{case}: {reason}");
    }
    let case =
        class("object F(IEnumerable<int> q, int k) => from x in q where [[x > k]] select x;");
    assert!(added(&case, extract(&case)).contains("where Made(k, x)"));
}

#[test]
fn a_value_that_nobody_uses_is_no_statement() {
    let refused = [
        "int M(int x) => x + 1;\n    Action F() => () => M(1);",
        "int M(int x) => x + 1;\n    void F() => M(2);",
        "int M(int x) => x + 1;\n    void F(List<int> l) => l.ForEach(x => M(x));",
        "int M(int x) => x + 1;\n    void F() { for (var i = 0; i < 2; M(i)) { break; } }",
        "int M(int x) => x + 1;\n    int P { set => M(value); }",
    ];
    for case in refused {
        let reason = refusal(case, inline_method(case));
        assert!(reason.contains("the call does nothing"), "{case}: {reason}");
    }
    let kept = [
        (
            "int n;\n    int M(int x) => n = x;\n    Action F() => () => M(1);",
            "Action F() => () => n = 1;",
        ),
        (
            "int[] n;\n    int M(int x) => n[x];\n    void F(int a) => M(a);",
            "void F(int a) => _ = n[a];",
        ),
        (
            "int M(int x) => x + 1;\n    Func<int> F() => () => M(1);",
            "Func<int> F() => () => 1 + 1;",
        ),
    ];
    for (case, after) in kept {
        assert_eq!(added(case, inline_method(case)), after, "{case}");
    }
}

#[test]
fn a_struct_is_not_changed_in_a_copy() {
    let case =
        "struct C\n{\n    int v;\n    void Inc() => v++;\n    void F() { [[this]].Inc(); }\n}\n";
    assert!(refusal(case, extract(case)).contains("a copy"));
}

#[test]
fn constants_stay_where_the_language_wants_them() {
    let refused = [
        "int F() { const int k = [[1 + 2]]; return k; }",
        "int[] F() => new int[ [[1 + 1]] ] { 1, 2 };",
        "int F(int a) { switch (a) { case [[1 + 2]]: return 1; } return 2; }",
        "bool F(int a) => a is > [[1 + 2]];",
        "string F(int a) => $\"{a,[[1 + 2]]}\";",
        "object F() => (int a = [[1 + 2]]) => a;",
        "int F(int a) { switch (a) { case 1: goto case [[1 + 1]]; case 2: return 1; } return 2; }",
        "const int K = 1;\n    int F() { const int k = -[[K]]; return k; }",
    ];
    for case in refused {
        let case = class(case);
        let reason = refusal(&case, extract(&case));
        assert!(reason.contains("constant"), "{case}: {reason}");
    }
    let case = class("int[] F() => new int[ [[1 + 1]] ];");
    assert!(added(&case, extract(&case)).contains("new int[ Made() ]"));
}

#[test]
fn methods_go_where_their_signature_can_be() {
    let case = "int x = 1;\nSystem.Console.WriteLine([[x + 1]]);\n";
    assert!(refusal(case, extract(case)).contains("top-level"));
    let case = "file class P { public int V; }\nclass A\n{\n    void M()\n    {\n        P p = new();\n        [[p.V = 1;\n        p.V++;]]\n    }\n}\n";
    assert!(refusal(case, extract(case)).contains("its own file sees"));
    let case = case.replace("class A", "file class A");
    assert!(added(&case, extract(&case)).contains("private static void Made(P p)"));
}

#[test]
fn tokens_stay_apart() {
    let cases = [
        (
            "unsafe int F(int* p, int a) { int $0t = *p; return a/t; }",
            "return a/(*p);",
        ),
        (
            "int F(int a, int b) { int $0t = -a; return b-t; }",
            "return b-(-a);",
        ),
        (
            "string F(string s) { var $0f = global::System.String.Concat(s, s); return $\"{f}\"; }",
            "return $\"{(global::System.String.Concat(s, s))}\";",
        ),
        (
            "string F(string s) { var $0f = global::System.String.Concat(s, s); return $\"{F(f)}\"; }",
            "return $\"{F(global::System.String.Concat(s, s))}\";",
        ),
    ];
    for (case, after) in cases {
        let added = added(case, inline_variable(case));
        assert!(added.contains(after), "{case}: {added}");
    }
}

#[test]
fn a_function_has_a_type() {
    let refused = [
        "int F() { var $0t = (int x) => x + 1; return t(3); }",
        "int F() { var $0t = (int x) => x + 1; return t.Invoke(3); }",
        "object F() { var $0t = F; return t.Method; }",
    ];
    for case in refused {
        let reason = refusal(case, inline_variable(case));
        assert!(
            reason.contains("gives the function a type"),
            "{case}: {reason}"
        );
    }
    let case = "object F(int[] xs) { var $0t = (int x) => x + 1; return xs.Select(t); }";
    assert!(added(case, inline_variable(case)).contains("xs.Select((int x) => x + 1)"));
}

#[test]
fn one_object_stays_one() {
    let refused = [
        "bool F(int i) { object $0t = i; return t == t; }",
        "bool F(int i) { var $0t = (object)i; return t == t; }",
        "bool F(int i) { IComparable $0t = i; return ReferenceEquals(t, t); }",
        "bool F(int i) { var $0u = \"a\" + i; return (object)u == (object)u; }",
        "bool F(string i) { var $0u = $\"a{i}\"; return ReferenceEquals(u, u); }",
    ];
    for case in refused {
        let reason = refusal(case, inline_variable(case));
        assert!(
            reason.contains("boxed") || reason.contains("made anew") || reason.contains("times"),
            "{case}: {reason}"
        );
    }
    let kept = [
        (
            "object F(int i) { object $0t = i; return t; }",
            "return (object)i;",
        ),
        (
            "string F(string i) { var $0u = \"a\" + i; return u + u; }",
            "return \"a\" + i + (\"a\" + i);",
        ),
    ];
    for (case, after) in kept {
        let added = added(case, inline_variable(case));
        assert!(added.contains(after), "{case}: {added}");
    }
}
