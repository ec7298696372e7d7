//! Code that becomes a method.

use cortex_edit::{Edit, EditError, ExtractMethod, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

/// A class with a method around statements; the code to extract stands between `[[` and `]]`.
fn around(head: &str, statements: &str) -> String {
    format!(
        "using System;\nusing System.Threading.Tasks;\nusing System.Collections.Generic;\nclass C\n{{\n    int count;\n    readonly int size = 3;\n    readonly List<int>.Enumerator at;\n    \
         static int F(int n = 0) => n;\n    int Own() => 1;\n    Task<int> Later() => null;\n    {head}\n    {{\n        {statements}\n    }}\n}}\n"
    )
}

fn position(text: &str, at: usize) -> String {
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |it| it + 1) + 1;
    format!("{line}:{column}")
}

pub(crate) fn extract(text: &str, name: &str) -> (World, Result<Op, EditError>) {
    let start = text.find("[[").expect("the start is marked");
    let text = text.replacen("[[", "", 1);
    let end = text.find("]]").expect("the end is marked");
    let text = text.replacen("]]", "", 1);
    let at = format!("A.cs:{}-{}", position(&text, start), position(&text, end));
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let request = ExtractMethod { at: &at, name };
    let op = world.one(&Edit::ExtractMethod(request));
    (world, op)
}

/// What stands where the code was, and the method, after an edit that is proven, applied and undone.
fn extracted(head: &str, statements: &str) -> String {
    let (world, op) = extract(&around(head, statements), "Made");
    let mut op = op.unwrap_or_else(|error| panic!("{statements}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{statements}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    assert!(
        op.answer.warnings.is_empty(),
        "{statements}: {:#?} {}",
        op.answer.warnings,
        op.answer.patch
    );
    let before = world.files();
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    let start = after.find(head).expect("the member is there") + head.len();
    let rest = after[start..].trim_start().trim_start_matches('{').trim();
    let lines = rest.lines().map(str::trim).filter(|it| !it.is_empty());
    let whole = lines.collect::<Vec<_>>().join(" ");
    whole.strip_suffix(" }").unwrap_or(&whole).to_owned()
}

fn refusal(head: &str, statements: &str) -> String {
    match extract(&around(head, statements), "Made").1 {
        Ok(op) => panic!("{statements} is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => panic!("{statements}: {error:?}"),
    }
}

#[test]
fn what_the_code_needs_and_leaves_behind_crosses_the_call() {
    let cases = [
        // Nothing crosses.
        (
            "void M()",
            "[[F();]]",
            "Made(); } private static void Made() { F(); }",
        ),
        // Parameters, and a member of the object.
        (
            "void M(int a, List<int> b)",
            "[[b.Add(a + count);]]",
            "Made(a, b); } private void Made(int a, List<int> b) { b.Add(a + count); }",
        ),
        // One result, declared inside.
        (
            "int M(int a)",
            "[[var n = F(a);\n        n += 1;]]\n        return n;",
            "var n = Made(a); return n; } private static int Made(int a) { var n = F(a); n += 1; return n; }",
        ),
        (
            "long M(int a)",
            "[[long n = F(a);]]\n        return n;",
            "long n = Made(a); return n; } private static long Made(int a) { long n = F(a); return n; }",
        ),
        // One result, declared outside.
        (
            "int M(int a)",
            "int n = 0;\n        [[if (a > 0) { n = a; }]]\n        return n;",
            "int n = 0; n = Made(a, n); return n; } private static int Made(int a, int n) { if (a > 0) { n = a; } return n; }",
        ),
        // An expression without a value.
        (
            "void M(List<int> b)",
            "Action f = () => [[b.Clear()]];",
            "Action f = () => Made(b); } private static void Made(List<int> b) { b.Clear(); }",
        ),
        (
            "void M()",
            "Func<Task> f = async () => [[await Task.Delay(1)]];",
            "Func<Task> f = async () => await Made(); } private static async Task Made() { await Task.Delay(1); }",
        ),
        // Several.
        (
            "int M(int a)",
            "[[var n = F(a);\n        var m = n + a;]]\n        return n + m;",
            "var (n, m) = Made(a); return n + m; } private static (int n, int m) Made(int a) { var n = F(a); var m = n + a; return (n, m); }",
        ),
        (
            "int M(int a)",
            "[[var n = F(a);\n        a = n;]]\n        return n + a;",
            "int n; (a, n) = Made(a); return n + a; } private static (int a, int n) Made(int a) { var n = F(a); a = n; return (a, n); }",
        ),
        // A variable that the code gives its first value.
        (
            "int M(int a)",
            "int n;\n        [[n = F(a);]]\n        return n;",
            "int n; n = Made(a); return n; } private static int Made(int a) { int n; n = F(a); return n; }",
        ),
        // Of what is not used behind the code nothing comes back.
        (
            "void M(int a)",
            "[[a = F(a);\n        F(a);]]",
            "Made(a); } private static void Made(int a) { a = F(a); F(a); }",
        ),
        // A loop carries it over.
        (
            "void M(int a)",
            "int n = 0;\n        while (F(n) < 3) { [[n = F(n) + a;]] }",
            "int n = 0; while (F(n) < 3) { n = Made(a, n); } } private static int Made(int a, int n) { n = F(n) + a; return n; }",
        ),
    ];
    for (head, before, after) in cases {
        assert_eq!(extracted(head, before), after, "{before}");
    }
}

#[test]
fn code_that_returns_awaits_or_names_type_parameters_is_called_so() {
    let cases = [
        (
            "int M(int a)",
            "F();\n        [[if (a > 0) { return 1; }\n        return F(a);]]",
            "F(); return Made(a); } private static int Made(int a) { if (a > 0) { return 1; } return F(a); }",
        ),
        (
            "void M(int a)",
            "if (a > 0) { [[F(a);\n        return;]] }\n        F();",
            "if (a > 0) { Made(a); return; } F(); } private static void Made(int a) { F(a); return; }",
        ),
        (
            "async Task<int> M(int a)",
            "[[var n = await Later();]]\n        return n + a;",
            "var n = await Made(); return n + a; } private async Task<int> Made() { var n = await Later(); return n; }",
        ),
        (
            "async Task M(int a)",
            "[[await Later();]]\n        F(a);",
            "await Made(); F(a); } private async Task Made() { await Later(); }",
        ),
        (
            "async Task M(IAsyncEnumerable<int> a)",
            "[[await foreach (var n in a) { F(n); }]]\n        F();",
            "await Made(a); F(); } private static async Task Made(IAsyncEnumerable<int> a) { await foreach (var n in a) { F(n); } }",
        ),
        (
            "int M(int a)",
            "[[switch (a) { case 1: return F(1); default: try { return F(a); } catch { throw; } }]]",
            "return Made(a); } private static int Made(int a) { switch (a) { case 1: return F(1); default: try { return F(a); } catch { throw; } } }",
        ),
        (
            "void M(int a)",
            "if (a > 0) [[F(a);]] else F();",
            "if (a > 0) Made(a); else F(); } private static void Made(int a) { F(a); }",
        ),
        (
            "void M(int a)",
            "foreach (var n in new[] { 1 }) [[a += n;]]\n        F(a);",
            "foreach (var n in new[] { 1 }) a = Made(a, n); F(a); } private static int Made(int a, int n) { a += n; return a; }",
        ),
        (
            "void M(int a)",
            "if (a > 0) [[return;]]\n        F();",
            "if (a > 0) { Made(); return; } F(); } private static void Made() { return; }",
        ),
        (
            "async Task<int> M(int a)",
            "[[var n = await Later();\n        return n;]]",
            "return await Made(); } private async Task<int> Made() { var n = await Later(); return n; }",
        ),
        (
            "List<T> M<T>(T b) where T : new()",
            "var l = [[new List<T> { new T() }]]; return l;",
            "var l = Made<T>(); return l; } private static List<T> Made<T>() where T : new() { return new List<T> { new T() }; }",
        ),
        (
            "Type M<T, U>(U u)",
            "return [[u is T ? typeof(T) : typeof(U)]];",
            "return Made<T, U>(u); } private static Type Made<T, U>(U u) { return u is T ? typeof(T) : typeof(U); }",
        ),
        (
            "int P { get => count; set",
            "[[if (value < 0) { throw new ArgumentException(\"x\"); }]]\n        count = value; }",
            "Made(value); count = value; } } private static void Made(int value) { if (value < 0) { throw new ArgumentException(\"x\"); } }",
        ),
        (
            "void M<T>(List<T> a, T b) where T : class",
            "[[a.Add(b);]]",
            "Made<T>(a, b); } private static void Made<T>(List<T> a, T b) where T : class { a.Add(b); }",
        ),
        (
            "int M(int a)",
            "return [[F(a)]] + 1;",
            "return Made(a) + 1; } private static int Made(int a) { return F(a); }",
        ),
        (
            "async Task<string> M(int a)",
            "return ([[await Later()]]).ToString();",
            "return (await Made()).ToString(); } private async Task<int> Made() { return await Later(); }",
        ),
        (
            "Func<int> M(int a)",
            "return () => { [[F(a);]] return 1; };",
            "return () => { Made(a); return 1; }; } private static void Made(int a) { F(a); }",
        ),
        (
            "void M(int a)",
            "foreach (var n in new[] { 1 })\n        {\n            [[if (n > a) { F(n); }]]\n            continue;\n        }",
            "foreach (var n in new[] { 1 }) { Made(a, n); continue; } } private static void Made(int a, int n) { if (n > a) { F(n); } }",
        ),
    ];
    for (head, before, after) in cases {
        assert_eq!(extracted(head, before), after, "{before}");
    }
}

#[test]
fn what_cannot_stand_in_another_method_is_refused_with_its_place() {
    let cases = [
        ("void M()", "while (F() > 0) { [[break;]] }", "`break`"),
        (
            "void M()",
            "while (F() > 0) { [[if (F() > 1) { continue; }]] }",
            "`continue`",
        ),
        ("void M()", "again: F();\n        [[goto again;]]", "`goto`"),
        (
            "int M(int a)",
            "[[if (a > 0) { return 1; }]]\n        return 2;",
            "some ways",
        ),
        ("IEnumerable<int> M()", "[[yield return 1;]]", "`yield`"),
        ("void M(int a)", "[[F(a]]);", "neither whole statements"),
        (
            "void M(int a)",
            "[[F(a);\n        if (a > 0) { F();]] }",
            "neither whole statements",
        ),
        (
            "void M(ref int a)",
            "[[a = 1;]]",
            "reference to another variable",
        ),
        (
            "void M(int a)",
            "[[Span<int> n = stackalloc int[3];]]\n        F(n.Length);",
            "`stackalloc`",
        ),
        (
            "void M(int a)",
            "Action f = () => F(a);\n        [[a = 3;]]\n        f();",
            "shares `a`",
        ),
        (
            "int M(int a)",
            "[[int n;\n        if (a > 0) { n = 1; }]]\n        n = 2;\n        return n;",
            "cannot be told",
        ),
        (
            "void M(int a)",
            "var n = new { a };\n        [[F(n.a);]]",
            "its type is anonymous",
        ),
        (
            "int M(int a)",
            "int n = 0;\n        try { [[n = F(a);\n        F(n);]] } catch { }\n        return n;",
            "exception",
        ),
        (
            "void M(int a)",
            "int G() => a;\n        [[F(G());]]",
            "local function `G`",
        ),
        (
            "void M(int a)",
            "[[\n#if X\n        F();\n#endif\n        F(a);]]",
            "directive",
        ),
        (
            "void M(int a)",
            "switch (a) { case [[1]]: break; }",
            "constant",
        ),
        ("void M(int a)", "[[a]] = 3;", "assigned"),
        ("void M(int a)", "checked { [[F(a);]] }", "`checked`"),
        (
            "Func<int> M(int a)",
            "return () => { [[return F(a);]] };",
            "lambda",
        ),
        (
            "void M(int a)",
            "[[using var n = new System.IO.MemoryStream();]]\n        F(a);",
            "disposed earlier",
        ),
        ("void M(int a)", "byte n = [[1 + 2]];", "constant"),
        (
            "void M(int a)",
            "const int n = 3;\n        [[switch (a) { case n: break; }]]",
            "constant",
        ),
        (
            "int M(int a)",
            "[[throw new Exception();]]",
            "never reaches its end",
        ),
        ("C(int a)", "[[size = a;]]", "constructor"),
        ("C(int a)", "[[at.MoveNext();]]", "constructor"),
        (
            "void M(int a)",
            "switch (a) { case 1: [[int x = 1; F(x); return;]] case 2: x = 3; F(x); break; }",
            "used elsewhere",
        ),
    ];
    for (head, statements, reason) in cases {
        let said = refusal(head, statements);
        assert!(said.contains(reason), "{statements}: {said}");
    }
}

#[test]
fn a_name_that_something_has_is_refused() {
    let text = around("void M(int Local)", "[[F(Local);]]");
    for (name, reason) in [
        ("Own", "has the name"),
        ("Local", "a local"),
        ("C", "a type"),
        ("ToString", "has the name"),
        ("1x", ""),
    ] {
        match extract(&text, name).1 {
            Err(EditError::Refused { reason: said, .. }) => {
                assert!(said.contains(reason), "{name}: {said}")
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_method_is_laid_out_as_the_file_is() {
    let text = "class C\n{\n\tvoid M(int a)\n\t{\n\t\tif (a > 0)\n\t\t{\n\t\t\t// Why.\n\t\t\t[[N(\n\t\t\t\ta,\n\t\t\t\t@\"x\n\t\ty\");\n\n\t\t\tN(1, null); // Last.]]\n\t\t}\n\t}\n\n\tstatic void N(int a, string s) { }\n}\n";
    let (world, op) = extract(text, "Made");
    let mut op = op.expect("it is planned");
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{:#?}",
        op.answer.differences
    );
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    assert_eq!(
        after,
        "class C\n{\n\tvoid M(int a)\n\t{\n\t\tif (a > 0)\n\t\t{\n\t\t\t// Why.\n\t\t\tMade(a);\n\t\t}\n\t}\n\n\tprivate static void Made(int a)\n\t{\n\t\tN(\n\t\t\ta,\n\t\t\t@\"x\n\t\ty\");\n\n\t\tN(1, null); // Last.\n\t}\n\n\tstatic void N(int a, string s) { }\n}\n"
    );
}

#[test]
fn a_variable_that_is_not_null_there_needs_no_test_in_the_method() {
    let cases = [
        (
            "[[F(s.Length);]]",
            "Made(s); } private static void Made(string s) { F(s.Length); }",
        ),
        (
            "[[F(s[0]);]]",
            "Made(s); } private static void Made(string s) { F(s[0]); }",
        ),
        (
            "[[if (s != null) { F(s.Length); }]]",
            "Made(s); } private static void Made(string? s) { if (s != null) { F(s.Length); } }",
        ),
        (
            "[[F(s?.Length ?? 0);]]",
            "Made(s); } private static void Made(string? s) { F(s?.Length ?? 0); }",
        ),
    ];
    for (before, after) in cases {
        assert_eq!(extracted("void M(string? s)", before), after, "{before}");
    }
}

#[test]
fn an_interpolated_string_has_the_type_that_its_place_gives_it() {
    let text = around("void M(int a)", "FormattableString t = [[$\"{a}\"]];");
    let patch = extract(&text, "Made")
        .1
        .expect("it can be planned")
        .answer
        .patch;
    assert!(
        patch.contains("+    private static FormattableString Made(int a)"),
        "{patch}"
    );
    assert_eq!(
        extracted("void M(int a)", "string t = [[$\"{a}\"]];"),
        "string t = Made(a); } private static string Made(int a) { return $\"{a}\"; }"
    );
}

#[test]
fn code_of_a_readonly_member_copies_no_struct() {
    let (_, op) = extract(
        "struct S\n{\n    int f;\n    readonly int M()\n    {\n        return [[f + 1]];\n    }\n}\n",
        "Made",
    );
    let patch = op.expect("it can be planned").answer.patch;
    assert!(
        patch.contains("+    private readonly int Made()"),
        "{patch}"
    );
}

#[test]
fn the_next_round_of_a_loop_gets_what_this_one_leaves() {
    for (statements, call) in [
        (
            "int count = 0; foreach (var i in all) { [[count++; Console.WriteLine(count);]] }",
            "count = Made(count);",
        ),
        (
            "int prev = 0; for (int k = 0; k < 3; k++) { if (k > 0) { [[Console.WriteLine(prev); prev = k;]] } }",
            "prev = Made(prev, k);",
        ),
        (
            "int sum; do { [[sum = F(); Console.WriteLine(sum);]] } while (F() > 0);",
            "Made();",
        ),
    ] {
        let code = extracted("void M(int[] all)", statements);
        assert!(code.contains(&format!(" {call} ")), "{code}");
    }
    let reason = refusal("void M()", "int n = 0; while ([[n++ < 3]]) { F(); }");
    assert!(reason.contains("used behind it"), "{reason}");
}
