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
        ("class T1 { }", "T1", "notnull"),
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
        (
            "record struct A(int X) { public int Foo => 1; }",
            "A.Foo",
            "EqualityContract",
        ),
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
