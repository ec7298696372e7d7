//! Edits of declarations that the rules of the language forbid, although every name goes on meaning the same.

use std::collections::BTreeMap;

use cortex_edit::{
    AddedParameter, ChangeSignature, Edit, EditError, EncapsulateField, ImplementInterface,
    MemberAction, MemberEdit, MoveMember, MoveType, Rewrite, op::Op,
};
use cortex_wire::{DoubtReason, EditVerdict, WarningReason};

use crate::world::World;

fn refusal(case: &str, planned: Result<Op, EditError>) -> String {
    match planned {
        Ok(op) => panic!("{case} is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, help, .. }) => format!("{reason} ({})", help.join("; ")),
        Err(error) => panic!("{case}: {error:?}"),
    }
}

fn proven(case: &str, planned: Result<Op, EditError>) -> Op {
    let op = planned.unwrap_or_else(|error| panic!("{case}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{case}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    op
}

/// A file after an edit.
fn after(world: &World, mut op: Op, path: &str) -> String {
    world.apply(&mut op).expect("it can be applied");
    String::from_utf8_lossy(&world.files()[path]).into_owned()
}

fn safe_delete(text: &str, symbol: &str) -> Result<Op, EditError> {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    world.edit(&MemberEdit {
        symbol,
        file: None,
        action: MemberAction::Remove {
            others: &[],
            although_used: false,
        },
    })
}

#[test]
fn constructors_that_derived_types_call_without_naming_them_are_used() {
    let base = "class A\n{\n    public A() { }\n    public A(int x) { }\n}\n";
    let cases = [
        ("class B : A { }\n", "A.cs:6"),
        ("class B : A\n{\n    public B(int y) { }\n}\n", "A.cs:8"),
        ("class B(int y) : A { }\n", "A.cs:6"),
    ];
    for (derived, place) in cases {
        let text = format!("{base}{derived}");
        let reason = refusal(derived, safe_delete(&text, "M:A.#ctor"));
        assert!(reason.contains(place), "{derived}: {reason}");
    }
    for derived in [
        "class B : A\n{\n    public B() : base(1) { }\n}\n",
        "class B(int y) : A(y) { }\n",
        "class B { }\n",
    ] {
        let text = format!("{base}{derived}");
        proven(derived, safe_delete(&text, "M:A.#ctor"));
    }
}

#[test]
fn a_struct_with_initial_values_keeps_a_constructor() {
    let text = "struct S\n{\n    public int X = 1;\n    public S(int a) { }\n}\n";
    let reason = refusal(text, safe_delete(text, "M:S.#ctor(System.Int32)"));
    assert!(
        reason.contains("A.cs:3: a struct with initial values needs a constructor"),
        "{reason}"
    );
    for text in [
        "struct S\n{\n    public int X = 1;\n    public S(int a) { }\n    public S(string a) { }\n}\n",
        "struct S\n{\n    public static int X = 1;\n    public S(int a) { }\n}\n",
    ] {
        proven(text, safe_delete(text, "M:S.#ctor(System.Int32)"));
    }
}

fn change(
    text: &str,
    symbol: &str,
    add: Option<(&str, Option<&str>)>,
    remove: &[&str],
) -> Result<Op, EditError> {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let remove: Vec<String> = remove.iter().map(|&it| it.to_owned()).collect();
    let nothing = BTreeMap::new();
    let request = ChangeSignature {
        symbol,
        add: add.map(|(parameter, value)| AddedParameter {
            parameter,
            value,
            at: None,
        }),
        remove: &remove,
        order: &[],
        rename: &nothing,
        retype: &nothing,
    };
    world.one(&Edit::ChangeSignature(request))
}

#[test]
fn asynchronous_methods_and_iterators_take_values() {
    let text = "using System;\nusing System.Collections.Generic;\nusing System.Threading.Tasks;\nclass A\n{\n    async Task M(int x) { await Task.Yield(); }\n    IEnumerable<int> N(int x) { yield return x; }\n    int P(int x) => x;\n}\n";
    for (symbol, parameter) in [
        ("A.M", "in int z"),
        ("A.M", "Span<int> z"),
        ("A.N", "in int z"),
        ("A.N", "ReadOnlySpan<char> z"),
    ] {
        let reason = refusal(
            parameter,
            change(text, symbol, Some((parameter, Some("default"))), &[]),
        );
        assert!(
            reason.contains("nothing by reference"),
            "{symbol} {parameter}: {reason}"
        );
    }
    proven("P", change(text, "A.P", Some(("in int z", Some("1"))), &[]));
    proven("M", change(text, "A.M", Some(("int z", Some("1"))), &[]));
}

#[test]
fn attributes_take_constants_of_their_types() {
    let text = "using System;\nclass ZAttribute : Attribute\n{\n    public ZAttribute(int x) { }\n}\n[Z(1)]\nclass A { }\n";
    let id = "M:ZAttribute.#ctor(System.Int32)";
    let reason = refusal(
        "decimal",
        change(text, id, Some(("decimal y = 2", None)), &[]),
    );
    assert!(reason.contains("of that type"), "{reason}");
    let reason = refusal(
        "object",
        change(text, id, Some(("object y", Some("new object()"))), &[]),
    );
    assert!(reason.contains("no constant"), "{reason}");
    for (parameter, value) in [
        ("string y", "\"a\""),
        ("Type y", "typeof(int)"),
        ("DayOfWeek y", "DayOfWeek.Monday"),
        ("int[] y", "new[] { 1 }"),
        ("string y", "nameof(A)"),
    ] {
        proven(
            parameter,
            change(text, id, Some((parameter, Some(value))), &[]),
        );
    }
}

#[test]
fn copy_constructors_of_records_come_and_go_on_their_own() {
    let text = "record A(int X)\n{\n    public A(A o, int q) : this(1) { }\n}\n";
    let reason = refusal(
        text,
        change(text, "M:A.#ctor(A,System.Int32)", None, &["q"]),
    );
    assert!(reason.contains("copy constructor"), "{reason}");
    let text = "record A(int X)\n{\n    public A(A o) { X = o.X; }\n}\n";
    let reason = refusal(
        text,
        change(text, "M:A.#ctor(A)", Some(("int q = 1", None)), &[]),
    );
    assert!(reason.contains("copy constructor"), "{reason}");
}

#[test]
fn a_struct_is_given_its_value_field_by_field() {
    let around = |code: &str| {
        format!(
            "//- /A.cs\nstruct A\n{{\n    public int X;\n    public int Y;\n}}\nclass U\n{{\n    int G(A given)\n    {{\n        {code}\n    }}\n}}\n"
        )
    };
    let request = EncapsulateField {
        symbol: "A.X",
        name: None,
    };
    let code = "A a;\n        a.X = 1;\n        a.Y = 2;\n        return a.X;";
    let world = World::new(&around(code));
    let reason = refusal(code, world.one(&Edit::EncapsulateField(request.clone())));
    assert!(reason.contains("field by field"), "{reason}");
    for code in [
        "A a = default;\n        a.X = 1;\n        return a.X;",
        "given.X = 1;\n        return given.X;",
    ] {
        let world = World::new(&around(code));
        proven(code, world.one(&Edit::EncapsulateField(request.clone())));
    }
}

#[test]
fn constraints_are_written_or_inherited() {
    let implement = |fixture: &str, interface: Option<&str>| {
        let world = World::new(fixture);
        let request = ImplementInterface {
            symbol: "A",
            interface,
            file: None,
        };
        let op = proven(fixture, world.one(&Edit::Implement(request)));
        after(&world, op, "A.cs")
    };
    let text = implement(
        "//- /A.cs\ninterface I<T> where T : class\n{\n    U M<U>(U u, T t) where U : T, new();\n}\nclass A : I<string> { }\n",
        None,
    );
    assert!(
        text.contains("    U I<string>.M<U>(U u, string t)\n"),
        "{text}"
    );
    let text = implement(
        "//- /A.cs\ninterface I\n{\n    void R<T>(T t) where T : allows ref struct;\n}\nclass A : I { }\n",
        None,
    );
    assert!(
        text.contains("public void R<T>(T t) where T : allows ref struct"),
        "{text}"
    );
}

#[test]
fn a_type_that_only_its_file_sees_is_not_nested() {
    let world = World::new(
        "//- /A.cs\nfile class Hidden\n{\n    public static int Value => 42;\n}\nclass Cat { }\nclass U\n{\n    int G() => Hidden.Value;\n}\n",
    );
    let request = MoveMember {
        symbol: "Hidden",
        into: "Cat",
    };
    let reason = refusal("Hidden", world.one(&Edit::MoveMember(request)));
    assert!(reason.contains("only its own file sees it"), "{reason}");
}

fn moved(world: &World, symbol: &str, namespace: &str) -> Result<Op, EditError> {
    world.one(&Edit::Move(MoveType {
        symbol,
        namespace: Some(namespace),
        to: None,
    }))
}

#[test]
fn global_directives_for_an_empty_namespace_go() {
    let world = World::new(
        "//- /A.cs\nglobal using System;\nglobal using N1;\n//- /B.cs\nnamespace N1\n{\n    public class X { }\n}\n//- /C.cs\nclass W { X x; }\n//- /D.cs\nusing N1; class V { X x; }\n",
    );
    let op = proven("N1.X", moved(&world, "N1.X", "N3"));
    let mut op = op;
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    let text = |path: &str| String::from_utf8_lossy(&files[path]).into_owned();
    assert_eq!(text("A.cs"), "global using System;\n");
    assert_eq!(text("C.cs"), "using N3;\n\nclass W { X x; }\n");
    assert_eq!(text("D.cs").matches("N1").count(), 0, "{}", text("D.cs"));
    assert!(text("D.cs").starts_with("using N3;"), "{}", text("D.cs"));
}

#[test]
fn a_directive_stands_before_code_on_the_same_line() {
    let world = World::new(
        "//- /A.cs\nnamespace N1 { public static class E { public static int F(this int i) => i; } }\n//- /B.cs\nusing N1; class U { int G() => 1.F(); }\n//- /C.cs\nnamespace N1 { class W { int G() => 2.F(); } }\n",
    );
    let op = proven("N1.E", moved(&world, "N1.E", "N2"));
    assert_eq!(
        after(&world, op, "B.cs"),
        "using N1; using N2; class U { int G() => 1.F(); }\n"
    );
}

fn rewritten(world: &World, pattern: &str, replacement: &str) -> Result<Op, EditError> {
    world.one(&Edit::Rewrite(Rewrite {
        pattern,
        replacement,
        conditions: &[],
        paths: &[],
    }))
}

#[test]
fn a_rewrite_leaves_constants_where_the_language_wants_them() {
    let text = "class A\n{\n    const string K = \"\";\n    void M(string s = \"\")\n    {\n        switch (s) { case \"\": break; }\n        s = \"\";\n    }\n}\n";
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let op = proven("string.Empty", rewritten(&world, "\"\"", "string.Empty"));
    let reasons = op.answer.warnings.iter().map(|it| (it.line, it.reason));
    let constant = WarningReason::NeedsConstant;
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        [(3, constant), (4, constant), (6, constant)]
    );
    assert_eq!(
        after(&world, op, "A.cs"),
        text.replace("s = \"\";", "s = string.Empty;")
    );
    let world = World::new("//- /A.cs\nclass A\n{\n    const int K = 1;\n    int F() => 1;\n}\n");
    let op = proven("2", rewritten(&world, "1", "2"));
    assert_eq!(op.answer.total_warnings, 0, "{:?}", op.answer.warnings);
}

#[test]
fn a_rewrite_leaves_expression_trees_what_they_can_hold() {
    let world = World::new(
        "//- /A.cs\nusing System.Linq;\nclass A\n{\n    object F(IQueryable<string> q) => q.Where(x => x == null);\n    bool G(string x) => x == null;\n}\n",
    );
    let op = rewritten(&world, "$x == null", "$x is null").expect("it is planned");
    let reasons = op.answer.warnings.iter().map(|it| (it.line, it.reason));
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        [(4, WarningReason::InExpressionTree)]
    );
    let text = after(&world, op, "A.cs");
    assert!(
        text.contains("x => x == null") && text.contains("=> x is null"),
        "{text}"
    );
}

#[test]
fn what_does_something_unnamed_does_not_go_unseen() {
    let text = "using System.Collections.Generic;\nclass S\n{\n    static int F = Note();\n    static int Note() => 1;\n    readonly P p = new();\n    event System.Action E = P.Make();\n    int Q { get; } = Note();\n    List<int> all = new() { 1 };\n    object gate = new object();\n    int[] none = [1, 2];\n    System.TimeSpan time = System.TimeSpan.FromSeconds(1);\n    System.Func<int> later = () => Note();\n    string text = string.Empty + nameof(S);\n    static S() { }\n    ~S() { }\n}\nclass P { public P() { } public static System.Action Make() => null; }\nrecord R(int A)\n{\n    public int Y => 3;\n    int W = 4;\n    int Z { get; set; }\n    int V => 1;\n    static int U = 5;\n    protected R(R other) { A = other.A; }\n    protected virtual bool PrintMembers(System.Text.StringBuilder to) => true;\n    public R(string text) : this(1) { }\n}\n[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential)]\nstruct L { public int One; }\nstruct Bare { public int Two; }\n";
    for symbol in [
        "M:R.#ctor(R)",
        "R.PrintMembers",
        "L.One",
        "S.F",
        "S.p",
        "S.E",
        "S.Q",
        "M:S.#cctor",
        "M:S.Finalize",
        "R.Y",
        "R.W",
        "R.Z",
    ] {
        let op = safe_delete(text, symbol).unwrap_or_else(|error| panic!("{symbol}: {error:?}"));
        let doubts: Vec<_> = op.answer.doubts.iter().map(|it| it.reason).collect();
        assert!(
            doubts.contains(&DoubtReason::RunsUnnamed),
            "{symbol}: {doubts:?}"
        );
        assert_ne!(op.answer.verdict, EditVerdict::Proven, "{symbol}");
    }
    for symbol in [
        "S.all",
        "S.gate",
        "S.none",
        "S.time",
        "S.later",
        "S.text",
        "R.V",
        "R.U",
        "M:R.#ctor(System.String)",
        "Bare.Two",
    ] {
        proven(symbol, safe_delete(text, symbol));
    }
}
