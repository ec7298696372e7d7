//! Names that the language itself knows: renames that make it find another member, or none, and names that it keeps for
//! what the compiler makes.

use cortex_edit::MemberAction;
use cortex_wire::EditVerdict;

use crate::world::{World, add, replace};

/// The verdict on a rename in one file.
fn verdict(text: &str, symbol: &str, to: &str) -> EditVerdict {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let op = world.rename(symbol, to);
    op.expect("it can be planned").answer.verdict
}

#[track_caller]
fn all_change_meaning(cases: &[(&str, &str, &str)]) {
    for (text, symbol, to) in cases {
        let found = verdict(text, symbol, to);
        assert_eq!(found, EditVerdict::ChangedMeaning, "{symbol} to {to}");
    }
}

const COUNTED: &str = "\
class A { public int Size => 1; public int Count => 2; public int this[int i] => i; public A Slice(int a, int b) => this; }
class U { int Last(A a) => a[^1]; }
class V { bool One(A a) => a is [_]; }
class W { A Rest(A a) => a[1..]; }
";

#[test]
fn what_counts_is_used_by_indices_ranges_and_list_patterns() {
    all_change_meaning(&[
        (COUNTED, "A.Size", "Length"),
        (COUNTED, "A.Count", "Many"),
        (COUNTED, "A.Slice", "Part"),
    ]);
    for user in ["U", "V", "W"] {
        let kept = COUNTED.lines().next().expect("the class").to_owned();
        let line = COUNTED
            .lines()
            .find(|line| line.contains(&format!("class {user} ")));
        let text = format!("{kept}\n{}\n", line.expect("the user"));
        assert_eq!(
            verdict(&text, "A.Count", "Many"),
            EditVerdict::ChangedMeaning,
            "{user}"
        );
    }
}

#[test]
fn a_loop_disposes_of_what_has_no_interface_by_name() {
    let loops = |name: &str, kind: &str| {
        format!(
            "class A {{ public B GetEnumerator() => default; }}\n\
             {kind} B {{ public int Current => 1; public bool MoveNext() => false; public void {name}() {{ }} }}\n\
             class U {{ void G(A a) {{ foreach (var x in a) {{ }} }} }}\n"
        )
    };
    let refs = [loops("Dispose", "ref struct"), loops("Close", "ref struct")];
    all_change_meaning(&[
        (&refs[0], "B.Dispose", "Close"),
        (&refs[1], "B.Close", "Dispose"),
    ]);
    // Nothing calls it.
    let plain = loops("Dispose", "struct");
    assert_eq!(verdict(&plain, "B.Dispose", "Close"), EditVerdict::Proven);
}

#[test]
fn an_awaiter_and_a_handler_of_strings_are_used_by_name() {
    let awaiter = "class A { public W GetAwaiter() => new(); }\n\
        class W : System.Runtime.CompilerServices.INotifyCompletion { public bool IsCompleted => true; public void GetResult() { } public void OnCompleted(System.Action a) { } }\n\
        class U { async System.Threading.Tasks.Task G(A a) { await a; } }\n";
    let handler = "[System.Runtime.CompilerServices.InterpolatedStringHandler]\n\
        struct H { public H(int a, int b) { } public void AppendLiteral(string s) { } public void AppendFormatted<T>(T t) { } }\n\
        class U { void P(H h) { } void G(int x) { P($\"a{x}\"); } }\n";
    all_change_meaning(&[
        (awaiter, "W.IsCompleted", "Done"),
        (awaiter, "W.GetResult", "Get"),
        (handler, "H.AppendLiteral", "Lit"),
    ]);
}

#[test]
fn what_a_handler_of_strings_gets_by_name_stands_nowhere() {
    let text = "[System.Runtime.CompilerServices.InterpolatedStringHandler]\n\
        struct H { public H(int a, int b) { } public void AppendLiteral(string s) { } public void AppendFormatted<T>(T t, int alignment, string format) { } }\n\
        class U { void P(H h) { } void G(int own) { P($\"a{own,2:x}\"); } }\n";
    for (symbol, to) in [("U.P", "Longer"), ("U.P", "Q"), ("U", "Other")] {
        assert_eq!(
            verdict(text, symbol, to),
            EditVerdict::Proven,
            "{symbol} to {to}"
        );
    }
    for name in ["alignment", "format"] {
        let column = text.lines().nth(1).and_then(|it| {
            it.find(&format!("{name},"))
                .or(it.find(&format!("{name})")))
        });
        let place = format!("A.cs:2:{}", column.expect("it is there") + 1);
        all_change_meaning(&[(text, &place, "form"), (text, &place, "otherwise")]);
    }
}

#[test]
fn names_that_the_compiler_keeps_are_taken() {
    all_change_meaning(&[
        (
            "record A(int X) { public A Copy() => this; }",
            "A.Copy",
            "Clone",
        ),
        (
            "record A(int X) { public int Foo => 1; }",
            "A.Foo",
            "EqualityContract",
        ),
        ("record A(int X);", "A.X", "EqualityContract"),
        ("enum E { A, B }", "E.A", "value__"),
        (
            "class A { public int this[int i] => i; public int Foo(int i) => 1; }",
            "A.Foo",
            "get_Item",
        ),
        (
            "class T1 { }\nclass B { void M<T>() where T : unmanaged { } }",
            "T1",
            "unmanaged",
        ),
        (
            "class T1 { }\nclass B { void M() { void L<T>() where T : notnull { } } }",
            "T1",
            "notnull",
        ),
        (
            "class A { int Own(int x) { _ = x; return 1; } }",
            "A.Own",
            "_",
        ),
        ("file class F { }\nclass G { }", "F", "G"),
        ("file class F { }\nclass G { }", "G", "F"),
        (
            "static class E { extension(string s) { public int Foo() => 1; } public static int Bar(this string s) => 2; }",
            "E.Foo",
            "Bar",
        ),
    ]);
    let proven = [
        ("class A { public A Copy() => this; }", "A.Copy", "Clone"),
        ("class T1 { }\nclass B<T> where T : T1 { }", "T1", "notnull"),
        (
            "class T1 { }\nclass B { void M<T>() where T : notnull { } }",
            "T1",
            "unmanaged",
        ),
        (
            "class A { int Own(int x) => 1; int M(A a) => Own(1) + a.Own(2) + this.Own(3); }",
            "A.Own",
            "_",
        ),
        (
            "record struct A(int X) { public int Foo => 1; }",
            "A.Foo",
            "EqualityContract",
        ),
        (
            "class A { int Own(int x) => 1; System.Func<int, int> F() => Own; }",
            "A.Own",
            "_",
        ),
        ("record struct A(int X);", "A.X", "EqualityContract"),
        ("enum E { A, B }", "E.A", "value"),
        (
            "class A { public int Foo(int i) => 1; }",
            "A.Foo",
            "get_Item",
        ),
        (
            "static class E { extension(string s) { public int Foo() => 1; } public static int Bar(this object s) => 2; }",
            "E.Foo",
            "Bar",
        ),
    ];
    for (text, symbol, to) in proven {
        assert_eq!(
            verdict(text, symbol, to),
            EditVerdict::Proven,
            "{symbol} to {to}"
        );
    }
}

#[test]
fn what_is_called_underscore_takes_the_values_that_code_discards() {
    let discards = [
        "_ = x;",
        "(_, var y) = (1, x);",
        "F(out _);",
        "((_, _), x) = ((1, 2), 3);",
        "foreach ((_, x) in new (int, int)[0]) { }",
    ];
    let kept = [
        "var (_, y) = (1, x);",
        "F(out var _); F(out int _);",
        "System.Func<int, int> f = _ => _ + x; System.Func<int, int, int> g = (_, _) => x;",
        "var y = x switch { 1 => 2, _ => 3 };",
        "var y = (x, 1) is (_, 1);",
        "foreach (var _ in new int[x]) { }",
        "try { } catch (System.Exception _) { }",
    ];
    let symbols = [
        ("Own", "class Own { }\n"),
        ("B.F", ""),
        ("B.Own", ""),
        ("A.Own", "class A { public int Own { get; set; } }\n"),
    ];
    for (codes, expected) in [
        (&discards[..], EditVerdict::ChangedMeaning),
        (&kept[..], EditVerdict::Proven),
    ] {
        for code in codes {
            for (symbol, text) in symbols {
                let text = format!(
                    "{text}class B {{ int Own; static bool F(out int n) {{ n = 1; return true; }} int M(int x) {{ {code} return x + Own; }} }}\n"
                );
                assert_eq!(verdict(&text, symbol, "_"), expected, "{symbol}: {code}");
            }
        }
    }
}

#[test]
fn uses_of_what_is_called_underscore_discard_nothing() {
    let text = "class Own { public int P; }\nclass D\n{\nint N(object x) => x switch { Own => 1, _ => 2 };\n\
        bool O((object, int) x) => x is (Own, _);\nbool T(object x) => x is not Own;\nOwn U => new Own();\n}\n";
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let mut op = world.rename("Own", "_").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
    world.apply(&mut op).expect("it is applied");
    assert_eq!(
        world.files()["A.cs"],
        text.replace("Own", "@_").into_bytes()
    );
}

#[test]
fn a_program_starts_where_it_started() {
    let program = "class A { static void Main() { } static void Other() { } }";
    all_change_meaning(&[
        (program, "A.Main", "Start"),
        ("class A { static void Other() { } }", "A.Other", "Main"),
    ]);
    let no_start = "class A { void Main() { } void Other(int a, int b) { } }";
    assert_eq!(verdict(no_start, "A.Main", "Start"), EditVerdict::Proven);
    let world = World::new("//- /A.cs\nclass A { static void Main(string[] args) { } }");
    for (action, expected) in [
        (
            replace("static string Main(string[] args) => null;"),
            EditVerdict::ChangedMeaning,
        ),
        (
            replace("static async System.Threading.Tasks.Task Main(string[] all) { }"),
            EditVerdict::Proven,
        ),
        (
            MemberAction::InsertAfter {
                text: "static int Main() => 0;",
            },
            EditVerdict::ChangedMeaning,
        ),
        (
            MemberAction::InsertAfter {
                text: "class Q { void Main() { } static void Main(int a) { } }",
            },
            EditVerdict::Proven,
        ),
    ] {
        let op = world.edited("A.Main", action.clone());
        assert_eq!(op.answer.verdict, expected, "{action:?}");
    }
}

#[test]
fn values_are_taken_apart_by_what_took_them_apart() {
    let taken = "class U { int M(R r) { var (a, b) = r; return a + b; } }";
    let record = format!(
        "record R(int A, int B) {{ public void Other(out int x, out int y) {{ x = y = 0; }} }} {taken}"
    );
    let class = format!(
        "class R {{ public void Deconstruct(out object a, out object b) {{ a = b = null; }} public void Other(out int x, out int y) {{ x = y = 0; }} }} {taken}"
    );
    all_change_meaning(&[
        (&record, "R.Other", "Deconstruct"),
        (&class, "R.Other", "Deconstruct"),
    ]);
    // Other files have neither name.
    for declared in [
        "record R(int A, int B);",
        "class R { public void Deconstruct(out object a, out object b) { a = b = null; } }",
    ] {
        let world = World::new(&format!("//- /A.cs\n{declared}\n//- /B.cs\n{taken}"));
        let text = "public void Deconstruct(out int x, out int y) { x = y = 7; }";
        let op = world.edited("R", add(text));
        assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning, "{declared}");
    }
}

#[test]
fn what_has_to_be_implemented_is_not_hidden() {
    let classes = |modifier: &str| {
        format!(
            "abstract class A {{ public {modifier} void X(){} }}\nabstract class B : A {{ public void Y() {{ }} }}",
            if modifier == "abstract" { ";" } else { " { }" }
        )
    };
    all_change_meaning(&[(&classes("abstract"), "B.Y", "X")]);
    assert_eq!(
        verdict(&classes("virtual"), "B.Y", "X"),
        EditVerdict::Proven
    );
}

#[test]
fn words_of_queries_are_written_with_their_sign() {
    let world = World::new(
        "//- /A.cs\nclass A { object M(int[] a) { int x = 1; return from q in a where q > x select q; } }",
    );
    let op = world
        .rename("A.cs:1:35", "where")
        .expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
    assert!(
        op.answer.patch.contains("where q > @where select"),
        "{}",
        op.answer.patch
    );
}

#[test]
fn a_parameter_of_a_record_gets_no_name_of_another_one() {
    let world = World::new("//- /A.cs\nrecord A(int X, int Y);");
    match world.rename("A.cs:1:14", "Y") {
        Ok(op) => assert_eq!(
            op.answer.verdict,
            EditVerdict::ChangedMeaning,
            "{:?}",
            op.answer
        ),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_positional_property_has_no_name_that_its_record_has_for_something_else() {
    let text = "abstract record Shape { public string Owner { get; init; } public int Num; }\n\
        record G(int A) : Shape;\nrecord Emp(string Name);\nrecord struct S(int V);";
    for name in [
        "Owner",
        "GetHashCode",
        "Equals",
        "PrintMembers",
        "ToString",
        "GetType",
        "MemberwiseClone",
        "Clone",
        "Deconstruct",
    ] {
        all_change_meaning(&[(text, "G.A", name), (text, "A.cs:2:14", name)]);
    }
    all_change_meaning(&[
        (text, "Emp.Name", "Emp"),
        (text, "S.V", "S"),
        (text, "Shape.Owner", "A"),
    ]);
    assert_eq!(verdict(text, "G.A", "Other"), EditVerdict::Proven);
}

#[test]
fn static_members_of_an_interface_have_no_name_of_it() {
    let text =
        "interface INum { static abstract int Zero { get; } static int St => 2; int Own { get; } }";
    all_change_meaning(&[
        (text, "INum.Zero", "INum"),
        (text, "INum.St", "INum"),
        (text, "INum", "Zero"),
    ]);
    assert_eq!(verdict(text, "INum.Own", "INum"), EditVerdict::Proven);
}

#[test]
fn variables_of_nested_functions_alone_hide_those_around() {
    let text = "using System;\nclass M { void N(int p) {\n\
        void Lf(int q) { int s = q; }\n\
        foreach (var fe in new[] { 1 }) Lf(fe);\n\
        { int bl = 2; }\n\
        Func<int, int> f = x => { int y = x; return y; };\n\
        int outer = 1; Lf(outer); f(p);\n} }";
    all_change_meaning(&[
        (text, "A.cs:4:14", "Lf"),
        (text, "A.cs:5:7", "Lf"),
        (text, "A.cs:3:6", "fe"),
        (text, "A.cs:3:6", "bl"),
        (text, "A.cs:4:14", "outer"),
        (text, "A.cs:3:22", "q"),
    ]);
    for (place, name) in [
        ("A.cs:3:13", "outer"),
        ("A.cs:3:22", "p"),
        ("A.cs:6:20", "outer"),
        ("A.cs:6:31", "p"),
        ("A.cs:7:5", "x"),
    ] {
        assert_eq!(
            verdict(text, place, name),
            EditVerdict::Proven,
            "{place} {name}"
        );
    }
}

#[test]
fn only_what_can_be_called_takes_nameof_from_the_language() {
    let user = "string Name(int x) => nameof(x);";
    for (declared, symbol) in [
        ("int Size => 1;", "A.Size"),
        ("int Size;", "A.Size"),
        ("class Size { }", "A.Size"),
    ] {
        let text = format!("class A {{ {declared} {user} }}");
        assert_eq!(
            verdict(&text, symbol, "nameof"),
            EditVerdict::Proven,
            "{declared}"
        );
    }
    let called = format!("class A {{ int Size(int x) => 1; System.Action<int> Act; {user} }}");
    let local = "class A { string Name() { int x = 1; return nameof(x); } }";
    all_change_meaning(&[
        (&called, "A.Size", "nameof"),
        (&called, "A.Act", "nameof"),
        (local, "A.cs:1:31", "nameof"),
    ]);
}

#[test]
fn a_method_has_the_name_of_an_operator_that_takes_something_else() {
    let text = "class A { public static A operator +(A a, A b) => a; public static implicit operator int(A a) => 1;\n\
        public static A Sum(A a, A b) => a; public static A More(A a, int b) => a; public static int Count(A a) => 2; void Own() { }\n\
        int Use(A a) => a + a; A Int(A a) => a + a; }";
    all_change_meaning(&[
        (text, "A.Sum", "op_Addition"),
        (text, "A.Count", "op_Implicit"),
    ]);
    for (symbol, to) in [
        ("A.More", "op_Addition"),
        ("A.Own", "op_Addition"),
        ("A.Sum", "op_Subtraction"),
        ("A.Sum", "op_Implicit"),
    ] {
        assert_eq!(
            verdict(text, symbol, to),
            EditVerdict::Proven,
            "{symbol} to {to}"
        );
    }
}

#[test]
fn a_parameter_may_hide_a_property_of_its_record() {
    let text = "record R(int X)\n{\n    int M(int y) => y;\n    int N(int y) => y + X;\n}";
    assert_eq!(verdict(text, "A.cs:3:15", "X"), EditVerdict::Proven);
    all_change_meaning(&[(text, "A.cs:4:15", "X")]);
    let class = "class C(int x)\n{\n    int M(int y) => y;\n    int N() { int z = 1; return z; }\n    int O(int y) => y + x;\n}";
    assert_eq!(verdict(class, "A.cs:3:15", "x"), EditVerdict::Proven);
    assert_eq!(verdict(class, "A.cs:4:19", "x"), EditVerdict::Proven);
    all_change_meaning(&[(class, "A.cs:5:15", "x")]);
}

/// The code of properties and events sees the parameters of their type as methods do.
#[test]
fn a_variable_of_a_property_may_hide_a_parameter_of_its_type() {
    let text = "class C(int x)\n{\n    int P { get { int y = 1; return y; } }\n    int Q\n    {\n        set { int y = 1; x = y; }\n    }\n    \
        event System.Action E { add { int y = 1; y++; } remove { } }\n    int R => F(out var y);\n    int F(out int z) => z = x;\n}";
    for symbol in ["A.cs:3:23", "A.cs:8:39", "A.cs:9:24", "A.cs:10:19"] {
        let found = verdict(text, symbol, "w");
        assert_eq!(found, EditVerdict::Proven, "{symbol} to w");
    }
    for symbol in ["A.cs:3:23", "A.cs:8:39", "A.cs:9:24"] {
        let found = verdict(text, symbol, "x");
        assert_eq!(found, EditVerdict::Proven, "{symbol} to x");
    }
    all_change_meaning(&[(text, "A.cs:6:19", "x"), (text, "A.cs:10:19", "x")]);
}

#[test]
fn a_method_may_have_the_name_of_its_type_parameter() {
    let text = "class A\n{\n    void F<T>(T x) { F<int>(1); T y = x; }\n    void G<T>(T x) { G(x); }\n    void H() { F(1); }\n}";
    for (symbol, to) in [("A.F", "T"), ("A.cs:3:12", "F"), ("A.cs:4:12", "F")] {
        assert_eq!(
            verdict(text, symbol, to),
            EditVerdict::Proven,
            "{symbol} to {to}"
        );
    }
    // In the method, its name alone is the type parameter.
    all_change_meaning(&[(text, "A.G", "T"), (text, "A.cs:4:12", "G")]);
    let class = "class A<T>\n{\n    void F() { }\n}";
    all_change_meaning(&[(class, "A.F", "T"), (class, "A.cs:1:9", "F")]);
}

/// Each was compiled: the ones of the first list are allowed, those of the second one are not.
#[test]
fn a_variable_may_have_the_name_of_a_type_that_patterns_name_where_it_is_not_in_scope() {
    let case = |statements: &str| {
        let at = "class M { void S(object x, int n) { ".len()
            + statements.find('$').expect("a mark")
            + 1;
        let text = statements.replace('$', "");
        let text = format!(
            "class M {{ void S(object x, int n) {{ {text} }} object F; }}\nclass Tag {{ public const int C = 1; }}"
        );
        (text, format!("A.cs:1:{at}"))
    };
    let verdict = |statements: &str| {
        let (text, place) = case(statements);
        verdict(&text, &place, "Tag")
    };
    let mut wrong = Vec::new();
    for allowed in [
        "switch (x) { case 1: int $y = 2; break; case Tag t: break; }",
        "switch (x) { case Tag t: break; case 1: int $y = 2; break; }",
        "{ int $y = 1; } switch (x) { case Tag: break; }",
        "switch (x) { case 1 when x is int $y: break; case Tag: break; }",
        "switch (x) { case int $y: break; case Tag: break; }",
        "switch (x) { case Tag: break; case int $y: break; }",
        "switch (x) { case Tag: break; case 1 when x is int $y: break; }",
        "bool b = x is Tag; int z = x is int $y ? 1 : 2;",
        "bool b = x is Tag; { int $y = 1; }",
        "int z = x switch { Tag => 1, int $y => y, _ => 2 };",
        "switch (x) { case int $y: { bool q = x is Tag; } break; }",
        "int $y = 1; bool q = x is Tag; bool r = x is Tag { }; bool s = x is Tag t; object u = (Tag)x; object v = x as Tag; var w = new Tag(); var t2 = typeof(Tag); Tag one = null;",
    ] {
        if verdict(allowed) != EditVerdict::Proven {
            wrong.push(allowed);
        }
    }
    for forbidden in [
        "switch (x) { case 1: int $y = 2; break; case Tag: break; }",
        "switch (x) { case Tag: break; case 1: int $y = 2; break; }",
        "switch (n) { case 1: int $y = 2; break; case Tag.C: break; }",
        "switch (x) { case Tag: case int $y: break; }",
        "switch (x) { case Tag when x is int $y: break; }",
        "int z = x switch { Tag => 1, _ => 2 }; int $y = 2;",
        "bool z = x is not Tag; int $y = 2;",
        "bool z = x is (Tag); int $y = 2;",
        "bool z = x is Tag or int; int $y = 2;",
        "bool z = this is { F: Tag }; int $y = 2;",
        "int $y = 2; int z = x switch { Tag => 1, _ => 2 };",
        "int $y = 2; bool z = x is not Tag;",
        "int $y = 2; bool z = x is (Tag);",
        "int $y = 2; bool z = x is Tag or int;",
        "int $y = 2; bool z = this is { F: Tag };",
        "int $y = 2; switch (x) { case not Tag: break; }",
    ] {
        if verdict(forbidden) == EditVerdict::Proven {
            wrong.push(forbidden);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
