//! Declarations that allow less than they did: code that uses them binds the same and does not compile, or runs otherwise.

use cortex_edit::MemberAction;
use cortex_wire::EditVerdict;

use crate::world::{World, add, replace};

/// The lines of `B.cs` that an edit of `A.cs` breaks, with what they were allowed to do and what holds instead.
#[track_caller]
fn broken(a: &str, b: &str, symbol: &str, action: MemberAction<'_>) -> Vec<String> {
    let world = World::new(&format!("//- /A.cs\n{a}\n//- /B.cs\n{b}\n"));
    let op = world.edited(symbol, action);
    let found: Vec<String> = (op.answer.differences.iter())
        .map(|it| {
            let [before, after] = [&it.before, &it.after].map(|it| it.as_deref().unwrap_or("-"));
            format!("{}:{} {before} -> {after}", it.file, it.line)
        })
        .collect();
    let is_changed = op.answer.verdict == EditVerdict::ChangedMeaning;
    assert_eq!(is_changed, !found.is_empty(), "{:?}", op.answer);
    found
}

#[test]
fn what_can_no_longer_be_written_breaks_writes_alone() {
    let a = "class A { public int X { get; set; } public int F; public event System.Action E; }";
    let b = "class B {\nvoid W(A a) { a.X = 1; }\nint R(A a) => a.X;\nvoid V(A a) { a.F = 2; }\nint S(A a) => a.F;\n}";
    let cases = [
        (
            "A.X",
            "public int X => 5;",
            "B.cs:2 can be written -> cannot be written",
        ),
        (
            "A.X",
            "public int X { get; private set; }",
            "B.cs:2 can be written -> written by private code",
        ),
        (
            "A.X",
            "public int X { get; init; }",
            "B.cs:2 can be written -> written by initializers",
        ),
        (
            "A.X",
            "public int X { set { } }",
            "B.cs:3 can be read -> cannot be read",
        ),
        (
            "A.F",
            "public readonly int F;",
            "B.cs:4 can be written -> readonly",
        ),
    ];
    for (symbol, text, expected) in cases {
        assert_eq!(broken(a, b, symbol, replace(text)), [expected], "{text}");
    }
    assert!(broken(a, b, "A.X", replace("public int X { get; set; } = 3;")).is_empty());
    assert!(broken(a, b, "A.F", replace("internal int F;")).is_empty());
}

#[test]
fn a_method_that_a_delegate_is_made_of_takes_and_gives_the_same() {
    let a = "public static class C { public static void Print(int n) { } public static int Inc(int n) => n; public static string Name(object o) => null; }";
    let b = "using System;\nunsafe class B {\nAction<int> a = C.Print;\nvoid Run(Action<int> q) => Run(C.Print);\n\
        delegate*<int, int> p = &C.Inc;\nFunc<string, object> f = C.Name;\n}";
    let lines = |symbol: &str, text: &str| -> Vec<u32> {
        let world = World::new(&format!("//- /A.cs\n{a}\n//- /B.cs\n{b}\n"));
        let op = world.edited(symbol, replace(text));
        let differences = op.answer.differences.iter();
        let about = differences.filter(|it| it.question.contains("arguments"));
        let mut lines: Vec<u32> = about.map(|it| it.line).collect();
        lines.dedup();
        lines
    };
    for (symbol, text, expected) in [
        (
            "C.Print",
            "public static void Print(long n) { }",
            vec![3, 4],
        ),
        (
            "C.Print",
            "public static int Print(int n) => 3;",
            vec![3, 4],
        ),
        ("C.Inc", "public static long Inc(int n) => n;", vec![5]),
        ("C.Name", "public static int Name(object o) => 1;", vec![6]),
        (
            "C.Name",
            "public static object Name(string s) => s;",
            vec![],
        ),
        ("C.Inc", "public static int Inc(int other) => 1;", vec![]),
    ] {
        assert_eq!(lines(symbol, text), expected, "{text}");
    }
}

#[test]
fn another_default_value_changes_calls() {
    let a = "class A { public static int F(int x = 1) => x; }";
    let b = "class B { int M() => A.F(); }";
    let text = "public static int F(int x = 2) => x;";
    assert_eq!(
        broken(a, b, "A.F", replace(text)),
        ["B.cs:1 `1` by default -> `2` by default"]
    );
    let text = "public static int F(int x = 1) => x + 1;";
    assert!(broken(a, b, "A.F", replace(text)).is_empty());
}

#[test]
fn a_required_member_breaks_new_objects() {
    let a = "class A { public int X { get; set; } }";
    let b = "class B {\nA M() => new A { X = 1 };\nA N(A a) => a;\n}";
    let text = "public required string Name { get; set; }";
    assert_eq!(
        broken(a, b, "A", add(text)),
        ["B.cs:2 - -> an object without a member that it must set"]
    );
    assert!(broken(a, b, "A", add("public string Name { get; set; }")).is_empty());
}

#[test]
fn a_constructor_that_takes_the_place_of_the_implicit_one_breaks_derived_types() {
    let a = "class A { }";
    let b = "class B : A { }\nclass C { void G<T>() where T : new() { G<A>(); } }";
    assert_eq!(
        broken(a, b, "A", add("public A(int x) { }")),
        [
            "B.cs:1 - -> a base that has no constructor without arguments",
            "B.cs:2 - -> no member that takes these arguments"
        ]
    );
    let b = "class B : A { }";
    assert!(broken(a, b, "A", add("public A(int x = 0) { }")).is_empty());
    let a = "class A { public A() { } public A(int x) { } }";
    let one = "class A { public A(int x) { } }";
    let says = "class B : A { public B() : base(1) { } public B(int x) : this() { } }";
    assert!(broken(a, says, "A", replace(one)).is_empty());
    let silent = "class B : A { public B() : base(1) { } public B(int x) { } }";
    assert_eq!(broken(a, silent, "A", replace(one)).len(), 1);
}

#[test]
fn a_type_that_is_less_than_it_was_breaks_what_needs_it() {
    let b = "class B : A {\nA M() => new A();\n}";
    let cases = [
        (
            "class A { }",
            "sealed class A { }",
            vec!["B.cs:1 - -> a type that cannot be a base here"],
        ),
        (
            "class A { }",
            "abstract class A { }",
            vec!["B.cs:2 - -> a type that cannot be created"],
        ),
        ("class A { }", "public class A { }", vec![]),
    ];
    for (a, text, expected) in cases {
        assert_eq!(broken(a, b, "A", replace(text)), expected, "{text}");
    }
    let b = "class B {\nSystem.IDisposable M(A a) => a;\n}";
    let a = "class A : System.IDisposable { public void Dispose() { } }";
    let found = broken(a, b, "A", replace("class A { public void Dispose() { } }"));
    assert!(
        found
            .iter()
            .any(|it| it.starts_with("B.cs:2 a `System.IDisposable`")),
        "{found:?}"
    );
    let found = broken(
        "class A { public int V; }",
        "class B { A M(A a) => a; }",
        "A",
        replace("struct A { public int V; }"),
    );
    assert!(
        found.iter().all(|it| it.ends_with("class -> struct")) && !found.is_empty(),
        "{found:?}"
    );
}

#[test]
fn a_member_that_cannot_be_overridden_any_more_breaks_its_overrides() {
    let a = "class A { public virtual int V() => 1; public virtual int P => 1; }";
    let b = "class B : A { public override int V() => 2; public override int P => 3; }";
    let found = broken(a, b, "A.V", replace("protected virtual int V() => 1;"));
    assert!(
        found.contains(&"A.cs:1 public -> protected".to_owned()),
        "{found:?}"
    );
    let found = broken(a, b, "B.V", replace("public sealed override int V() => 2;"));
    assert!(found.is_empty(), "{found:?}");
    let text = "public virtual int P { get => 1; }";
    assert!(broken(a, b, "A.P", replace(text)).is_empty());
    let a = "abstract class A { public abstract int P { get; } }";
    let b = "class B : A { public override int P => 3; }";
    let found = broken(a, b, "A.P", replace("public abstract int P { get; set; }"));
    assert_eq!(found, ["A.cs:1 these accessors -> other accessors"]);
}

#[test]
fn overloads_of_operators_and_conversions_stand_beside_each_other() {
    let a = "class Op { public static Op operator +(Op a, Op b) => a; public static implicit operator Op(int i) => null; }";
    for text in [
        "public static implicit operator Op(string s) => null;",
        "public static implicit operator int(Op o) => 1;",
        "public static Op operator +(Op a, int b) => a;",
    ] {
        assert!(broken(a, "", "Op", add(text)).is_empty(), "{text}");
    }
    let twice = "public static Op operator +(Op a, Op b) => b;";
    assert!(!broken(a, "", "Op", add(twice)).is_empty());
}

#[test]
fn a_new_member_of_a_base_takes_over_the_code_of_an_interface() {
    let a = "interface I { int Count => 1; int Size { get; } }\nclass B { }";
    let b = "class D : B, I { int I.Size => 1; }";
    let found = broken(a, b, "B", add("public int Count => 9;"));
    assert_eq!(found, ["B.cs:1 - -> B.Count implements I.Count"]);
    assert!(broken(a, b, "B", add("public int Other => 9;")).is_empty());
    assert!(broken(a, b, "D", add("public int Count => 9;")).is_empty());
}

#[test]
fn an_explicit_implementation_stays_like_what_it_implements() {
    let b = "interface I {\nint P { get; }\nvoid M();\n}\ninterface J : I { int I.P => 1; }";
    let a = "class D : I { int I.P => 1; void I.M() { } }";
    for (class, member) in [
        ("class D : I { int I.P { get; set; } void I.M() { } }", "P"),
        ("class D : I { int I.P => 1; int I.M() => 1; }", "M"),
    ] {
        let found = broken(a, b, "D", replace(class));
        let end = "is not as what it implements";
        let is_told = found
            .iter()
            .any(|it| it.contains(member) && it.ends_with(end));
        assert!(is_told, "{class}: {found:?}");
    }
    let class = "class D : I { int I.P { get; } void I.M() => throw null; }";
    assert!(broken(a, b, "D", replace(class)).is_empty());
    let of_interface = broken(
        a,
        b,
        "J",
        replace("interface J : I { int I.P { get => 1; set { } } }"),
    );
    assert_eq!(of_interface.len(), 1, "{of_interface:?}");
}

#[test]
fn an_override_stays_like_what_it_overrides() {
    let b = "abstract class B {\npublic virtual int V(int a) => 1;\npublic abstract double Area { get; }\npublic virtual object Own() => 1;\n}";
    let a = "class D : B { public override int V(int a) => 2; public override double Area => 3; public override object Own() => 2; }";
    for (symbol, text) in [
        ("D.V", "internal override int V(int a) => 2;"),
        ("D.Area", "public override double Area { get; set; }"),
        ("D.Area", "public override float Area => 3;"),
        ("D.Own", "public override int Own() => 3;"),
    ] {
        let expected = format!("A.cs:1 - -> {symbol}");
        let found = broken(a, b, symbol, replace(text));
        let is_told = found
            .iter()
            .any(|it| it.starts_with(&expected) && it.ends_with("is not as what it overrides"));
        assert!(is_told, "{text}: {found:?}");
    }
    for (symbol, text) in [
        ("D.V", "public override int V(int other) => 3;"),
        ("D.Area", "public override double Area { get; } = 3;"),
        ("D.Own", "public override string Own() => null;"),
    ] {
        assert_eq!(
            broken(a, b, symbol, replace(text)),
            Vec::<String>::new(),
            "{text}"
        );
    }
}
