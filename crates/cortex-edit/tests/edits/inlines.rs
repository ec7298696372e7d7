//! Local variables that go.

use cortex_edit::{Edit, EditError, InlineVariable, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

/// A method around statements, the name to inline behind `$0`.
fn around(statements: &str) -> String {
    format!(
        "using System;\nusing System.Collections.Generic;\nusing System.Linq;\nclass C\n{{\n    int count;\n    readonly int size = 3;\n    \
         int F(int n = 0) => n;\n    static int G(object o) => 1;\n    static int G(string s) => 2;\n    static int L(long n) => 1;\n    static int L(int n) => 2;\n    C Next => this;\n    \
         object M(int a, int b, string s, object o, int[] xs)\n    {{\n        {statements}\n    }}\n}}\n"
    )
}

fn inline(text: &str) -> (World, Result<Op, EditError>) {
    let at = text.find("$0").expect("the name is marked");
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |it| it + 1) + 1;
    let world = World::new(&format!("//- /A.cs\n{}", text.replace("$0", "")));
    let at = format!("A.cs:{line}:{column}");
    let request = InlineVariable { at: &at };
    let op = world.one(&Edit::InlineVariable(request));
    (world, op)
}

/// The statements after an edit that is proven, applied and undone.
fn inlined(statements: &str) -> String {
    let text = around(statements);
    let (world, op) = inline(&text);
    let mut op = op.unwrap_or_else(|error| panic!("{statements}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{statements}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    let before = world.files();
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    let open = text.find("xs)\n    {\n").expect("there is a method") + "xs)\n    {\n".len();
    let close = after.rfind("    }\n}").expect("the method ends");
    let lines = after[open..close].lines().map(str::trim);
    lines.collect::<Vec<_>>().join("\n")
}

fn refusal(statements: &str) -> String {
    match inline(&around(statements)).1 {
        Ok(op) => panic!("{statements} is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => panic!("{statements}: {error:?}"),
    }
}

#[test]
fn a_value_takes_the_place_of_each_use() {
    let cases = [
        ("var $0n = 1;\n        return F(n) + n;", "return F(1) + 1;"),
        (
            "var $0n = a + b;\n        return n * n;",
            "return (a + b) * (a + b);",
        ),
        ("var $0n = a + b;\n        return F(n);", "return F(a + b);"),
        ("int $0n = F();\n        return n;", "return F();"),
        (
            "var $0n = a < b;\n        return Tuple.Create(n, a > (b));",
            "return Tuple.Create((a < b), a > (b));",
        ),
        (
            "var $0n = -a;\n        return n.ToString();",
            "return (-a).ToString();",
        ),
        (
            "var $0list = xs;\n        list.Clone();\n        return list.Length + list[0];",
            "xs.Clone();\nreturn xs.Length + xs[0];",
        ),
        (
            "var $0n = Next?.count;\n        return n.ToString();",
            "return (Next?.count).ToString();",
        ),
        (
            "var $0n = a;\n        Func<int> f = () => n + size;\n        return f;",
            "Func<int> f = () => a + size;\nreturn f;",
        ),
        (
            "int $0n = a, m = b;\n        return n + m;",
            "int m = b;\nreturn a + m;",
        ),
        (
            "int m = b, $0n = a;\n        return n + m;",
            "int m = b;\nreturn a + m;",
        ),
        (
            "var $0n = a;\n        return new { n, b };",
            "return new { n = a, b };",
        ),
        (
            "var $0n = a;\n        var t = (n, b);\n        return t.n;",
            "var t = (n: a, b);\nreturn t.n;",
        ),
        (
            "var $0n = a == b ? 1 : 2;\n        return $\"{n}\";",
            "return $\"{(a == b ? 1 : 2)}\";",
        ),
        (
            "const int $0n = 5;\n        switch (a) { case n: return s; }\n        return null;",
            "switch (a) { case 5: return s; }\nreturn null;",
        ),
        (
            "var $0n = Next.F(a);\n        foreach (var x in xs) { Console.Write(x); }\n        return o;",
            "",
        ),
        (
            "var $0n = xs.Select(x => x + a);\n        foreach (var x in n) { Console.Write(x); }\n        return o;",
            "foreach (var x in xs.Select(x => x + a)) { Console.Write(x); }\nreturn o;",
        ),
        (
            "var $0n = count;\n        var m = n + n;\n        count = 2;\n        return m;",
            "var m = count + count;\ncount = 2;\nreturn m;",
        ),
        (
            "var $0n = nameof(count);\n        while (F() > 0) { G(n); }\n        return n;",
            "while (F() > 0) { G(nameof(count)); }\nreturn nameof(count);",
        ),
    ];
    for (before, after) in cases {
        if after.is_empty() {
            assert!(
                refusal(before).contains("nothing uses the variable"),
                "{before}"
            );
        } else {
            assert_eq!(inlined(before), after, "{before}");
        }
    }
}

#[test]
fn a_value_keeps_the_type_that_its_variable_gave_it() {
    let cases = [
        (
            "object $0n = \"x\";\n        return G(n);",
            "return G((object)\"x\");",
        ),
        ("long $0n = 1;\n        return L(n);", "return L((long)1);"),
        (
            "long $0n = a;\n        return n * b;",
            "return (long)a * b;",
        ),
        (
            "object $0n = null;\n        return G(n);",
            "return G((object)null);",
        ),
        (
            "int $0n = default;\n        return n + a;",
            "return default(int) + a;",
        ),
        (
            "List<int> $0n = new() { 1 };\n        return n;",
            "return new List<int>() { 1 };",
        ),
        (
            "int[] $0n = { 1, 2 };\n        return n.Length;",
            "return (new int[] { 1, 2 }).Length;",
        ),
        (
            "Func<int, int> $0n = x => x + a;\n        return n(3);",
            "return ((Func<int, int>)(x => x + a))(3);",
        ),
        (
            "string $0n = \"x\";\n        return G(n);",
            "return G(\"x\");",
        ),
    ];
    for (before, after) in cases {
        assert_eq!(inlined(before), after, "{before}");
    }
}

/// Statements with the place of a variable, and why it is not inlined.
const REFUSED: &[(&str, &str)] = &[
    ("var $0n = F();\n        return n + n;", "evaluated 2 times"),
    (
        "var $0n = F();\n        Console.Write(a);\n        return n;",
        "before the use",
    ),
    ("var $0n = F();\n        return F(1) + n;", "before the use"),
    (
        "var $0n = F();\n        return count + n;",
        "before the use",
    ),
    (
        "var $0n = F();\n        return a > 0 ? n : 0;",
        "not always",
    ),
    (
        "var $0n = F();\n        return a > 0 && n > 0;",
        "not always",
    ),
    (
        "var $0n = F();\n        if (a > 0) { return n; }\n        return o;",
        "not always",
    ),
    (
        "var $0n = F();\n        Func<int> f = () => n;\n        return f;",
        "lambda",
    ),
    (
        "var $0n = F();\n        while (n > 0) { }\n        return o;",
        "loop",
    ),
    (
        "var $0n = F();\n        for (; n > 0;) { }\n        return o;",
        "loop",
    ),
    (
        "var $0n = F();\n        try { return n; } finally { }",
        "treated otherwise",
    ),
    (
        "var $0n = F();\n        return xs.Length > 0 ? from x in xs select x + n : null;",
        "query",
    ),
    (
        "var $0n = F();\n        return from x in xs select x + n;",
        "query",
    ),
    (
        "var $0n = F();\n        return new List<int> { n };",
        "object is made",
    ),
    (
        "var $0n = count;\n        count = 2;\n        return n;",
        "may write",
    ),
    (
        "var $0n = count;\n        Console.Write(a);\n        return n;",
        "may write",
    ),
    (
        "var $0n = count;\n        Func<int> f = () => n;\n        count = 2;\n        return f;",
        "lambda",
    ),
    (
        "var $0n = a;\n        a = 3;\n        return n;",
        "may write",
    ),
    (
        "var $0n = 1;\n        n = 2;\n        return n;",
        "assigned",
    ),
    ("var $0n = 1;\n        n++;\n        return n;", "assigned"),
    (
        "var $0n = 1;\n        int.TryParse(s, out n);\n        return n;",
        "reference",
    ),
    (
        "var $0n = (1, 2);\n        n.Item1 = 3;\n        return n;",
        "a part",
    ),
    ("var $0n = 1;\n        return nameof(n);", "nameof"),
    (
        "int $0n;\n        n = 1;\n        return n;",
        "no initial value",
    ),
    (
        "using var $0n = new System.IO.MemoryStream();\n        return n;",
        "disposed",
    ),
    (
        "foreach (var $0n in xs) { return n; }\n        return o;",
        "loop",
    ),
    (
        "if (o is string $0n) { return n; }\n        return o;",
        "pattern",
    ),
    (
        "int.TryParse(s, out var $0n);\n        return n;",
        "pattern or an argument",
    ),
    ("for (var $0n = 1; ; ) { return n; }", "head of another"),
    (
        "ref int $0n = ref xs[0];\n        return n;",
        "a reference to another one",
    ),
    ("var n = $0a;\n        return n;", "is no local variable"),
    (
        "var $0n = \"x\";\n        return $\"{n}\";",
        "cannot stand in an interpolated string",
    ),
    (
        "var $0n = a;\n#if X\n        F(n);\n#endif\n        return n;",
        "not compiled",
    ),
    (
        "int $0n = F();\n        int m = F(1);\n        return n + m;",
        "before the use",
    ),
];

#[test]
fn what_would_be_evaluated_otherwise_is_refused_with_its_place() {
    for (statements, reason) in REFUSED {
        let said = refusal(statements);
        assert!(said.contains(reason), "{statements}: {said}");
    }
}

#[test]
fn a_name_that_means_something_else_where_the_use_is_changes_the_meaning() {
    // The value names a field that a parameter of the lambda hides.
    let text =
        around("var $0n = size;\n        Func<int, int> f = size => n + size;\n        return f;");
    let (_, op) = inline(&text);
    let op = op.expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

/// A struct of which members change the value, and code with the name to inline behind `$0`.
fn of_counter(members: &str) -> String {
    format!(
        "using System.Collections.Generic;\nstruct Counter\n{{\n    public int N;\n    public int Inc() => ++N;\n    public int Get => ++N;\n    public int this[int i] => ++N;\n    public readonly int Pure => N;\n    public int Auto {{ get; set; }}\n    public override string ToString() => Inc().ToString();\n}}\n\
         static class Extensions {{ public static void Bump(this ref Counter c) => c.N++; }}\nclass C\n{{\n    Counter held; Counter[] all; List<Counter> list; Counter Made {{ get; set; }}\n    ref Counter ByRef() => ref held;\n    Counter ByValue() => held;\n    {members}\n}}\n"
    )
}

#[test]
fn a_copy_that_its_use_changes_stays() {
    let changed = [
        "int M(Counter s) { var $0t = s; return t.Inc() + s.N; }",
        "int M() { var $0t = held; return t.Inc(); }",
        "int M() { var $0t = this.held; return t.Get; }",
        "int M() { var $0t = held; return t[1]; }",
        "string M() { var $0t = held; return t.ToString(); }",
        "void M() { var $0t = held; t.Bump(); }",
        "int M() { var $0t = all[0]; return t.Inc(); }",
        "int M() { var $0t = ByRef(); return t.Inc(); }",
        "int M(ref Counter s) { var $0t = s; return t.Inc(); }",
        "int M() { var $0t = (held); return t.Inc(); }",
    ];
    for members in changed {
        match inline(&of_counter(members)).1 {
            Ok(op) => panic!("{members} is planned: {}", op.answer.patch),
            Err(EditError::Refused { reason, .. }) => assert!(
                reason.ends_with("a member is used there that may change the variable"),
                "{members}: {reason}"
            ),
            Err(error) => panic!("{members}: {error:?}"),
        }
    }
    // A value that no variable holds is a copy in any case, and what changes nothing needs none.
    let kept = [
        "int M() { var $0t = new Counter(); return t.Inc(); }",
        "int M() { var $0t = ByValue(); return t.Inc(); }",
        "int M() { var $0t = Made; return t.Inc(); }",
        "int M() { var $0t = held; return t.Auto; }",
        "bool M() { var $0t = list.GetEnumerator(); return t.MoveNext(); }",
    ];
    for members in kept {
        let (_, op) = inline(&of_counter(members));
        let op = op.unwrap_or_else(|error| panic!("{members}: {error:?}"));
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{members}");
    }
}

#[test]
fn a_written_cast_keeps_the_operator_that_converts_the_value() {
    let text = "class B { public static implicit operator int(B b) => 1; }\nclass D : B { }\nclass U { int M(D d) { B $0t = d; return t; } }\n";
    let (_, op) = inline(text);
    let op = op.expect("it can be planned");
    assert!(
        op.answer.patch.contains("return (B)d;"),
        "{}",
        op.answer.patch
    );
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{:?}",
        op.answer.differences
    );
}
