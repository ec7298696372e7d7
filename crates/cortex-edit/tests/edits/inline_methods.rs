//! Methods that go, with their bodies in the place of their calls.

use cortex_edit::{Edit, EditError, InlineMethod, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

/// A class with the method `M` and code that calls it.
fn around(method: &str, code: &str) -> String {
    format!(
        "//- /A.cs\nusing System;\nusing System.Collections.Generic;\nusing System.Linq;\nclass C\n{{\n    int count;\n    readonly int size = 3;\n    static int total;\n    int Next() => count++;\n    static int F(object o) => 1;\n    static int F(long n) => 2;\n    C Other => this;\n\n    {method}\n\n    object Use(int a, int b, string s, C c)\n    {{\n        {code}\n    }}\n}}\n"
    )
}

fn planned(fixture: &str) -> (World, Result<Op, EditError>) {
    let world = World::new(fixture);
    let request = InlineMethod { symbol: "C.M" };
    let op = world.one(&Edit::InlineMethod(request));
    (world, op)
}

/// The code after an edit that is proven, applied and undone.
fn inlined(method: &str, code: &str) -> String {
    let (world, op) = planned(&around(method, code));
    let mut op = op.unwrap_or_else(|error| panic!("{method} {code}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{code}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    let before = world.files();
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    assert!(
        after.contains("C Other => this;\n\n    object Use"),
        "the declaration is gone with its lines: {after}"
    );
    let start = after.find("C c)\n    {\n").expect("there is a method") + "C c)\n    {\n".len();
    let end = after.rfind("\n    }\n}").expect("the method ends");
    after[start..end].trim().to_owned()
}

fn refusal(fixture: &str) -> String {
    match planned(fixture).1 {
        Ok(op) => panic!("it is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn a_body_takes_the_place_of_each_call() {
    let cases = [
        (
            "int M(int n) => n + 1;",
            "return M(a) * M(b);",
            "return (a + 1) * (b + 1);",
        ),
        (
            "int M(int n) { return n * 2; }",
            "return M(a + b);",
            "return (a + b) * 2;",
        ),
        (
            "static int M(int n) => n + total;",
            "return C.M(a);",
            "return a + total;",
        ),
        (
            "int M(int x, int y) => x - y;",
            "return M(y: a, x: b);",
            "return b - a;",
        ),
        (
            "int M(int x, int y = 4) => x - y;",
            "return M(a);",
            "return a - 4;",
        ),
        (
            "void M(string text) => Console.Write(text);",
            "M(s); return null;",
            "Console.Write(s); return null;",
        ),
        (
            "void M() { count = 1; }",
            "M(); c.M(); return null;",
            "count = 1; c.count = 1; return null;",
        ),
        (
            "int M() => this.count + count;",
            "return c.M();",
            "return c.count + c.count;",
        ),
        (
            "int M() => size;",
            "return c.Other.M();",
            "return c.Other.size;",
        ),
        (
            "int M(int n) => F((object)n);",
            "return M(a);",
            "return F((object)a);",
        ),
        (
            "static int M(object o) => F(o);",
            "return M(a);",
            "return F((object)a);",
        ),
        (
            "long M(int n) => n;",
            "return F(M(a));",
            "return F((long)a);",
        ),
        (
            "int M(int n) => n;",
            "return M(Next()) + 1;",
            "return Next() + 1;",
        ),
        (
            "bool M(object o) => o is null;",
            "return !M(s);",
            "return !((object)s is null);",
        ),
        (
            "object M(int n) => new { n, a = 1 };",
            "return M(b);",
            "return new { n = b, a = 1 };",
        ),
        (
            "Func<int> M(int n) => () => n + size;",
            "return M(a);",
            "return (Func<int>)(() => a + size);",
        ),
        (
            "int M(int n) => n;",
            "var x = $\"{M(a)}\"; return x;",
            "var x = $\"{a}\"; return x;",
        ),
        (
            "Exception M(string text, System.Text.StringBuilder other = null) => new Exception(text + (other == null));",
            "throw M(s);",
            "throw new Exception(s + ((System.Text.StringBuilder)null == null));",
        ),
        (
            "int M() => Next();",
            "M(); return null;",
            "Next(); return null;",
        ),
    ];
    for (method, code, after) in cases {
        assert_eq!(inlined(method, code), after, "{method} {code}");
    }
}

#[test]
fn lines_of_a_body_stand_where_the_call_stood() {
    let method =
        "int M(int n)\n    {\n        return n\n            + size\n            + n;\n    }";
    let code = "if (a > b)\n        {\n            return M(a);\n        }\n        return null;";
    let after = "if (a > b)\n        {\n            return a\n                + size\n                + a;\n        }\n        return null;";
    assert_eq!(inlined(method, code), after);
}

#[test]
fn what_would_be_evaluated_otherwise_is_refused() {
    let cases = [
        (
            "int M(int n) => n + n;",
            "return M(Next());",
            "it may do something, and would be evaluated more than once",
        ),
        (
            "int M(int n) => 1;",
            "return M(Next());",
            "it may do something, and would not be evaluated any more",
        ),
        (
            "int M(int x, int y) => y - x;",
            "return M(Next(), Next());",
            "its arguments would be evaluated in another order",
        ),
        (
            "int M(int n) => count + n;",
            "return M(Next());",
            "the method does something before it uses it",
        ),
        (
            "bool M(bool x, int n) => x && n > 0;",
            "return M(a > b, Next());",
            "it may do something, and the method does not always use it",
        ),
        (
            "Func<int> M(int n) => () => n;",
            "return M(Next());",
            "the method uses it in a lambda or query, which may run later or several times",
        ),
        (
            "int M() => 1;",
            "return c.M();",
            "the call fails where there is no object, and the body would not",
        ),
        (
            "int M(int n) => Next() + n;",
            "a = 2; return M(count);",
            "the method does something before it uses it",
        ),
    ];
    for (method, code, reason) in cases {
        let refused = refusal(&around(method, code));
        assert!(refused.ends_with(reason), "{method} {code}: {refused}");
    }
}

#[test]
fn what_more_than_its_calls_needs_stays() {
    let cases = [
        (
            "virtual int M() => 1;",
            "return M();",
            "a call may end in another member: it is virtual or abstract",
        ),
        (
            "async System.Threading.Tasks.Task M() => await M2(); System.Threading.Tasks.Task M2() => null;",
            "return M();",
            "it is asynchronous",
        ),
        (
            "int M<T>() => 1;",
            "return M<int>();",
            "it has type parameters",
        ),
        (
            "[Obsolete] int M() => 1;",
            "return M();",
            "it has attributes, which say something of it to others",
        ),
        (
            "int M() { if (count > 0) return 1; return 2; }",
            "return M();",
            "it returns there before its end",
        ),
        (
            "int M(int n) => n == 0 ? 0 : M(n - 1);",
            "return M(a);",
            "it calls itself",
        ),
        (
            "int M(ref int n) => n;",
            "return M(ref a);",
            "a parameter is passed by reference, or is an array of arguments",
        ),
        (
            "int M(int n) => n++;",
            "return M(a);",
            "a parameter is assigned in it",
        ),
        (
            "int M(string s) => int.TryParse(s, out var n) ? n : 0;",
            "return M(s);",
            "a variable is declared in it",
        ),
        (
            "int M(int n) => n;",
            "Func<int, int> f = M; return f;",
            "it is used there without being called",
        ),
        (
            "int M(int n) => n;",
            "return nameof(M);",
            "it is used there without being called",
        ),
        (
            "int M(int n) => n;",
            "return c?.M(a);",
            "it is called there only if there is an object",
        ),
        ("int M(int n) => n;", "return null;", "nothing calls it"),
        (
            "/// <summary><see cref=\"M\"/></summary>\n    int M(int n) => n; /// <summary><see cref=\"M\"/></summary>\n    int Z;",
            "return M(a);",
            "documentation names it",
        ),
    ];
    for (method, code, reason) in cases {
        let refused = refusal(&around(method, code));
        assert!(refused.ends_with(reason), "{method} {code}: {refused}");
    }
    let elsewhere = format!(
        "{}//- /B.cs\nclass B\n{{\n    int N(C c) => c.M(1);\n}}\n",
        around("internal int M(int n) => n;", "return M(a);")
    );
    assert_eq!(refusal(&elsewhere), "B.cs:3:21: another file uses it");
}

#[test]
fn a_call_that_would_mean_something_else_is_told() {
    // The parameter of the caller hides the field that the body uses.
    let fixture = around(
        "int M(int n) => count + n;",
        "int count = 1; return M(a) + count;",
    );
    let (_, op) = planned(&fixture);
    let answer = op.expect("it is planned").answer;
    assert_eq!(
        answer.verdict,
        EditVerdict::ChangedMeaning,
        "{}",
        answer.patch
    );
}

#[test]
fn several_statements_come_before_the_statement_of_the_call() {
    let cases = [
        // What has no effect stands in the body, and what is read or done becomes a variable.
        (
            "void M(int n) { count = n; Console.Write(n); }",
            "M(5); return null;",
            "count = 5; Console.Write(5); return null;",
        ),
        (
            "void M(int n) { count += n; Console.Write(n); }",
            "M(Next()); return null;",
            "int n = Next();\n        count += n; Console.Write(n); return null;",
        ),
        (
            "void M(int x, int y) { Console.Write(y); Console.Write(x); }",
            "M(y: Next(), x: count); return null;",
            "int y = Next();\n        int x = count;\n        Console.Write(y); Console.Write(x); return null;",
        ),
        // A parameter that is assigned is a variable.
        (
            "void M(int n) { n++; Console.Write(n); }",
            "M(a); return null;",
            "int n = a;\n        n++; Console.Write(n); return null;",
        ),
        // What it returns takes the place of the call.
        (
            "int M(int n) { var twice = n * 2; return twice + 1; }",
            "var r = M(a); return r;",
            "var twice = a * 2;\n        var r = twice + 1; return r;",
        ),
        (
            "long M(int n) { count++; return n; }",
            "var r = M(a); return r;",
            "count++;\n        var r = (long)a; return r;",
        ),
        (
            "int M() { count++; return count; }",
            "count = M(); return null;",
            "count++;\n        count = count; return null;",
        ),
        (
            "object M() { if (count > 0) { count--; } return count; }",
            "return M();",
            "if (count > 0) { count--; }\n        return count;",
        ),
        // Names that are in use there.
        (
            "void M(int n) { var t = n; Console.Write(t); }",
            "int t = a; M(b); M(b); return t;",
            "int t = a; var t2 = b; Console.Write(t2); var t3 = b; Console.Write(t3); return t;",
        ),
        (
            "object M(int n) { var t = n + 1; return new { t, n }; }",
            "int t = 1; return M(t);",
            "int t = 1; var t2 = t + 1;\n        return new { t = t2, n = t };",
        ),
        (
            "int M(string text) { return int.TryParse(text, out var n) ? n : 0; }",
            "return M(s);",
            "return int.TryParse(s, out var n) ? n : 0;",
        ),
        (
            "List<int> M(int n) { var all = new List<int>(); all.Add(n); return all; }",
            "var x = M(a); var y = M(b); return x == y;",
            "var all = new List<int>(); all.Add(a);\n        var x = all; var all2 = new List<int>(); all2.Add(b);\n        var y = all2; return x == y;",
        ),
        (
            "void M() { Console.Write(1); return; }",
            "if (a > 0) { M(); } return null;",
            "if (a > 0) { Console.Write(1); } return null;",
        ),
        (
            "void M(int n) { foreach (var i in new[] { n }) { Func<int> f = () => { return i; }; f(); } }",
            "M(a); return null;",
            "foreach (var i in new[] { a }) { Func<int> f = () => { return i; }; f(); } return null;",
        ),
    ];
    for (method, code, expected) in cases {
        assert_eq!(inlined(method, code), expected, "{method} {code}");
    }
}

#[test]
fn lines_and_comments_of_statements_go_along() {
    let method = "void M(int n)\n    {\n        // First.\n        if (n > 0)\n        {\n            count = n;\n        }\n\n        // Last.\n    }";
    let found = inlined(
        method,
        "if (a > 0)\n        {\n            M(b);\n        }\n\n        return null;",
    );
    assert_eq!(
        found,
        "if (a > 0)\n        {\n            // First.\n            if (b > 0)\n            {\n                count = b;\n            }\n\n            // Last.\n        }\n\n        return null;"
    );
}

#[test]
fn a_name_that_changes_stands_where_its_line_starts() {
    let method =
        "void M(int n)\n    {\n        int t;\n        t = n;\n        Console.Write(t);\n    }";
    let found = inlined(
        method,
        "int t = 0;\n        if (a > t)\n        {\n            M(b);\n        }\n        return null;",
    );
    let code = "int t2;\n            t2 = b;\n            Console.Write(t2);\n";
    assert!(found.contains(code), "{found}");
}

#[test]
fn what_several_statements_cannot_stand_for_is_refused() {
    for (method, code, reason) in [
        (
            "void M(int n) { if (n > 0) return; count = n; }",
            "M(a); return null;",
            "returns there before its end",
        ),
        (
            "int M(int n) { if (n > 0) { return 1; } return 2; }",
            "return M(a);",
            "returns there before its end",
        ),
        (
            "int M(int n) { count++; return n; }",
            "return M(a) + 1;",
            "only a part of a statement",
        ),
        (
            "int M(int n) { count++; return n; }",
            "return F(M(a));",
            "only a part of a statement",
        ),
        (
            "int M(int n) { count++; return n; }",
            "a += M(a); return a;",
            "only a part of a statement",
        ),
        (
            "int M(int n) { count++; return n; }",
            "c.count = M(a); return a;",
            "only a part of a statement",
        ),
        (
            "int M(int n) { count++; return n; }",
            "int x = 1, y = M(a); return a;",
            "only a part of a statement",
        ),
        (
            "void M(int n) { count++; count = n; }",
            "if (a > 0) M(a); return null;",
            "need braces",
        ),
        (
            "void M(int n) { count++; count = n; }",
            "c.M(a); return null;",
            "another object",
        ),
        (
            "void M() { using var e = new System.IO.StringReader(\"\"); count++; }",
            "M(); return null;",
            "`using` variable",
        ),
        (
            "void M() { int L() => 1; count = L(); }",
            "M(); return null;",
            "local function",
        ),
        (
            "IEnumerable<int> M() { yield return 1; }",
            "var x = M(); return x;",
            "iterator",
        ),
        (
            "void M(int n) { count++; count = total; }",
            "int total = 1; M(total); return null;",
            "`total` of the body is a variable there",
        ),
        (
            "void M(int n) { var t = nameof(n); Console.Write(t); Console.Write(n); }",
            "int n = 1; n++; M(n); return null;",
            "`nameof` names `n`",
        ),
        (
            "int M(int n) { count++; return Next(); }",
            "M(a); return null;",
            "may do something, and is not used",
        ),
        (
            "int M(int n) { count++; throw new Exception(); }",
            "return M(a);",
            "does not end with one `return`",
        ),
        (
            "void M() { count++; count++; // Two.\n    }",
            "M(); return null;",
            "ends with a comment",
        ),
    ] {
        let found = refusal(&around(method, code));
        assert!(found.contains(reason), "{method} {code}: {found}");
    }
}

#[test]
fn a_value_keeps_the_type_of_the_method_where_operators_choose_by_it() {
    let cases = [
        (
            "object M(int n) => n;",
            "return M(a) == M(b);",
            "return (object)a == (object)b;",
        ),
        (
            "object M(string n) => n;",
            "return M(s) == M(s);",
            "return (object)s == (object)s;",
        ),
        (
            "long M(int n) => n;",
            "return M(a) << 3;",
            "return (long)a << 3;",
        ),
        // What is assigned or returned is converted there.
        (
            "long M(int n) => n;",
            "long x = M(a); return x;",
            "long x = a; return x;",
        ),
        (
            "long M(int n) => n;",
            "var x = M(a); return x;",
            "var x = (long)a; return x;",
        ),
    ];
    for (method, code, expected) in cases {
        assert_eq!(inlined(method, code), expected, "{method}");
    }
}

#[test]
fn a_copy_that_the_code_behind_a_call_changes_keeps_the_method() {
    let fixture = |method: &str, code: &str| {
        format!(
            "//- /A.cs\nstruct Counter\n{{\n    public int N;\n    public int Inc() => ++N;\n    public int Get => ++N;\n    public readonly int Pure() => N;\n}}\nclass C\n{{\n    Counter held; Counter[] all;\n    {method}\n    int Use() => {code};\n}}\n"
        )
    };
    for (method, code) in [
        ("Counter M() => held;", "M().Inc()"),
        ("Counter M() => held;", "M().Get"),
        ("Counter M(int i) => all[i];", "M(0).Inc()"),
        ("Counter M(Counter m) => m;", "M(held).Inc()"),
    ] {
        let reason = refusal(&fixture(method, code));
        let expected = "a member is used there that may change the value, a copy of a variable";
        assert!(reason.ends_with(expected), "{method} {code}: {reason}");
    }
    for (method, code) in [
        ("Counter M() => new Counter();", "M().Inc()"),
        ("Counter M() => held;", "M().N"),
    ] {
        let (_, op) = planned(&fixture(method, code));
        let op = op.unwrap_or_else(|error| panic!("{method} {code}: {error:?}"));
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{method} {code}");
    }
}
