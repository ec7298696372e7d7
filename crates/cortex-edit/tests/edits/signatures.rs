//! Other parameters for methods and constructors, with their families and their calls.

use std::collections::BTreeMap;

use cortex_edit::{AddedParameter, ChangeSignature, Edit, EditError, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

/// What is asked for: `+int n = 0`, `+int n := 0` with a value, `-n`, `a->b` for another name, `a: T` for another type,
/// `a,b` as the order; several with `;`.
fn change(world: &World, symbol: &str, what: &str) -> Result<Op, EditError> {
    let (mut add, mut remove, mut order) = (None, Vec::new(), Vec::new());
    let (mut rename, mut retype) = (BTreeMap::new(), BTreeMap::new());
    for part in what.split(';') {
        if let Some(text) = part.strip_prefix('+') {
            let (parameter, value) = match text.split_once(":=") {
                Some((parameter, value)) => (parameter, Some(value)),
                None => (text, None),
            };
            add = Some(AddedParameter {
                parameter,
                value,
                at: None,
            });
        } else if let Some(name) = part.strip_prefix('-') {
            remove.push(name.to_owned());
        } else if let Some((old, new)) = part.split_once("->") {
            rename.insert(old.to_owned(), new.to_owned());
        } else if let Some((name, ty)) = part.split_once(": ") {
            retype.insert(name.to_owned(), ty.to_owned());
        } else {
            order = part.split(',').map(str::to_owned).collect();
        }
    }
    let request = ChangeSignature {
        symbol,
        add,
        remove: &remove,
        order: &order,
        rename: &rename,
        retype: &retype,
    };
    world.one(&Edit::ChangeSignature(request))
}

/// `A.cs` after a change that is proven, applied and undone.
fn changed(text: &str, symbol: &str, what: &str) -> String {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let before = world.files();
    let mut op = change(&world, symbol, what).unwrap_or_else(|error| panic!("{what}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{what}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    after
}

fn refusal(text: &str, symbol: &str, what: &str) -> String {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    match change(&world, symbol, what) {
        Ok(op) => panic!("{what} is planned: {}", op.answer.patch),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_whole_family_and_every_form_of_call_follows() {
    let text = "interface I { int M(int a, string b); }\n\
        class Base : I { public virtual int M(int a, string b) => a; }\n\
        class Derived : Base { public override int M(int a, string b) => base.M(a, b) + M(b: b, a: a); }\n\
        class Explicit : I { int I.M(int a, string b) => a; }\n\
        class User { int U(I i, Base c) => i.M(1, \"x\") + c?.M(2, \"y\") ?? 0; string N() => nameof(I.M); }\n";
    let after = changed(text, "I.M", "+bool c:=true");
    assert_eq!(
        after,
        text.replace("string b)", "string b, bool c)")
            .replace("base.M(a, b)", "base.M(a, b, true)")
            .replace("M(b: b, a: a)", "M(b: b, a: a, c: true)")
            .replace("\"x\")", "\"x\", true)")
            .replace("\"y\")", "\"y\", true)")
    );
    let after = changed(text, "Base.M", "b,a");
    assert!(after.contains("int M(string b, int a);"), "{after}");
    assert!(after.contains("int I.M(string b, int a) => a;"), "{after}");
    assert!(after.contains("base.M(b, a) + M(b: b, a: a)"), "{after}");
    assert!(after.contains("i.M(\"x\", 1) + c?.M(\"y\", 2)"), "{after}");
}

#[test]
fn arguments_with_effects_keep_their_order() {
    let text = "class A { static int n; static int Next() => n++; static int M(int a, int b) => a - b;\n\
        int U() => M(Next(), Next()) + M(1, n) + M(b: Next(), a: 2); }\n";
    let after = changed(text, "A.M", "b,a");
    assert!(after.contains("M(int b, int a)"), "{after}");
    assert!(
        after.contains("M(a: Next(), b: Next()) + M(n, 1) + M(b: Next(), a: 2)"),
        "{after}"
    );
}

#[test]
fn the_type_that_a_parameter_has_is_no_change() {
    let world = World::new("//- /A.cs\nclass A { int M(int a) => a; }\n");
    let same = change(&world, "A.M", "a: int");
    assert!(matches!(same, Err(EditError::NoChange { .. })));
    assert!(change(&world, "A.M", "a: long").is_ok());
}

#[test]
fn optional_parameters_params_and_extensions_follow() {
    let text = "static class E { public static int M(this string it, int a = 1, params int[] rest) => a;\n\
        static int U(string s) => s.M() + s.M(2) + s.M(2, 3, 4) + E.M(s, 5) + E.M(s, a: 6); }\n";
    let after = changed(text, "E.M", "+bool b:=false");
    assert!(
        after.contains("M(this string it, bool b, int a = 1, params int[] rest)"),
        "{after}"
    );
    assert!(
        after.contains("s.M(false) + s.M(false, 2) + s.M(false, 2, 3, 4) + E.M(s, false, 5) + E.M(s, false, a: 6)"),
        "{after}"
    );
    let text =
        "class A { int M(int a, int b = 2) => a; int U() => M(1) + M(1, 3) + M(b: 4, a: 5); }\n";
    let after = changed(text, "A.M", "+int c = 0");
    assert_eq!(after, text.replace("int b = 2", "int b = 2, int c = 0"));
}

#[test]
fn constructors_follow_in_initializers_attributes_and_creations() {
    let text = "class TagAttribute : System.Attribute { public TagAttribute(int a) { } public int P { get; set; } }\n\
        [Tag(1, P = 2)] class B { public B(int a) { } public B() : this(1) { } }\n\
        class D : B { public D() : base(2) { } D d = new(); B b = new B(3) { }; B c = new(4); }\n";
    let after = changed(text, "B.#ctor(System.Int32)", "+string s:=\"x\"");
    assert_eq!(
        after,
        text.replace("public B(int a)", "public B(int a, string s)")
            .replace("this(1)", "this(1, \"x\")")
            .replace("base(2)", "base(2, \"x\")")
            .replace("new B(3)", "new B(3, \"x\")")
            .replace("B c = new(4)", "B c = new(4, \"x\")")
    );
    let after = changed(text, "TagAttribute.#ctor", "+int b:=7");
    assert!(after.contains("[Tag(1, 7, P = 2)]"), "{after}");
}

#[test]
fn documentation_and_partial_halves_follow() {
    let text = "partial class A\n{\n    /// <summary>See <see cref=\"M(int, string)\"/>.</summary>\n    \
        /// <param name=\"a\">A.</param>\n    /// <param name=\"b\">B.</param>\n    \
        partial void M(int a, string b);\n    partial void M(int a, string b) { System.Console.Write(b); }\n    void U() => M(1, \"\");\n}\n";
    let after = changed(text, "A.M", "-a");
    assert_eq!(
        after,
        text.replace("M(int, string)", "M(string)")
            .replace("    /// <param name=\"a\">A.</param>\n", "")
            .replace("M(int a, string b)", "M(string b)")
            .replace("M(1, \"\")", "M(\"\")")
    );
    let after = changed(text, "A.M", "+System.Collections.Generic.List<int> c:=null");
    assert!(
        after.contains("M(int, string, System.Collections.Generic.List{int})"),
        "{after}"
    );
    assert!(
        after.contains("B.</param>\n    /// <param name=\"c\"></param>\n"),
        "{after}"
    );
}

#[test]
fn what_cannot_follow_is_refused_with_its_place() {
    let text = "using System;\nclass A { int M(int a) => 1; int N(int a) => a;\n    Func<int, int> F() => M;\n    \
        int O(int a, string b) => a; int O(int a) => a; }\n";
    assert!(
        refusal(text, "A.M", "+int b = 0")
            .contains("A.cs:3: it is used there without being called")
    );
    assert!(refusal(text, "A.N", "-a").contains("A.cs:2: its code uses the parameter"));
    assert!(refusal(text, "A.N", "-x").contains("no parameter `x`"));
    assert!(refusal(text, "A.N", "+int").contains("does not parse"));
    assert!(
        refusal(text, "A.O(System.Int32)", "+string b")
            .contains("another one with these parameters")
    );
    assert!(
        refusal(
            "class A { public A() { } } class B : A { }\n",
            "A.#ctor",
            "+int a"
        )
        .contains("derived types")
    );
    assert!(
        refusal(
            "class A { int M(int a) => 1; int U() => M(2); }\n",
            "A.M",
            "+int b"
        )
        .contains("the new parameter `b`")
    );
    assert!(refusal("record R(int A);\n", "R.#ctor", "+int b").contains("primary constructor"));
    assert!(
        refusal(
            "class A { public override string ToString() => null; }\n",
            "A.ToString",
            "+int b"
        )
        .contains("not declared here")
    );
    assert!(
        refusal(
            "class A { int M(int a = 1, int b = 2) => 1; }\n",
            "A.M",
            "+int c;a,b,c"
        )
        .contains("default value")
    );
}

#[test]
fn an_argument_that_did_something_is_told() {
    let world = World::new(
        "//- /A.cs\nclass A { int N() => 1; int M(int a) => 1; int U() => M(N()) + M(2); }\n",
    );
    let op = change(&world, "A.M", "-a").expect("it can be planned");
    assert_eq!(op.answer.total_warnings, 1);
    assert_eq!(op.answer.warnings[0].name, "N()");
}

#[test]
fn the_whole_family_gets_other_names() {
    let text = "using System.Runtime.CompilerServices;\n\
        interface I\n{\n    /// <param name=\"a\">See <paramref name=\"a\"/>.</param>\n    int M(int a, string b);\n}\n\
        class Base : I { public virtual int M(int a, string b) { int F() => a; return F() + nameof(a).Length; } }\n\
        class Other : Base { public override int M(int x, string b) => x; }\n\
        static class U { static int S(I i, Base c, Other o) => i.M(b: \"x\", a: 1) + c.M(a: 2, \"y\") + o.M(x: 3, b: \"\");\n    \
        static object Check(int a, string b, [CallerArgumentExpression(\"a\")] string n = null) => new { a, n };\n    \
        static System.Func<int, string, int> G(I i) => i.M; }\n";
    let after = changed(text, "I.M", "a->count");
    assert_eq!(
        after,
        text.replace("<param name=\"a\"", "<param name=\"count\"")
            .replace("<paramref name=\"a\"", "<paramref name=\"count\"")
            .replace("M(int a,", "M(int count,")
            .replace("F() => a;", "F() => count;")
            .replace("nameof(a)", "nameof(count)")
            .replace("a: 1)", "count: 1)")
            .replace("a: 2", "count: 2")
    );
    let after = changed(text, "U.Check", "a->value");
    assert_eq!(
        after,
        text.replace("Check(int a", "Check(int value")
            .replace(
                "CallerArgumentExpression(\"a\")",
                "CallerArgumentExpression(\"value\")"
            )
            .replace("new { a, n }", "new { a = value, n }")
    );
}

#[test]
fn what_changes_places_takes_its_new_name_along() {
    let text = "class A { static int N() => 1; int M(int a, int b) => a - b; int U() => M(N(), N()) + M(b: M(a: 1, b: 2), a: 2) + M(1, 2); }\n";
    let after = changed(text, "A.M", "a->x;b->class;class,a");
    assert_eq!(
        after,
        "class A { static int N() => 1; int M(int @class, int x) => x - @class; int U() => \
         M(x: N(), @class: N()) + M(@class: M(@class: 2, x: 1), x: 2) + M(2, 1); }\n"
    );
    let after = changed(
        "class A { int M(int a, int b) => a - b; int U() => M(1, b: 2); }\n",
        "A.M",
        "a->b;b->a",
    );
    assert_eq!(
        after,
        "class A { int M(int b, int a) => b - a; int U() => M(1, a: 2); }\n"
    );
}

#[test]
fn names_that_are_taken_are_refused_or_told() {
    let text = "class A { int n; int M(int a, int b) { int c = n; return a + b + c; } int U(int n) => M(a: n, b: 2); }\n";
    assert!(refusal(text, "A.M", "a->b").contains("two parameters"));
    assert!(refusal(text, "A.M", "+int a").contains("two parameters"));
    assert!(refusal(text, "A.M", "-b;b->d").contains("is removed"));
    assert!(refusal(text, "A.M", "a->1").contains("a name starts with a letter"));
    assert!(refusal(text, "A.M", "a->a").contains("would change nothing"));
    let world = World::new(&format!("//- /A.cs\n{text}"));
    for name in ["c", "n"] {
        let op = change(&world, "A.M", &format!("a->{name}")).expect("it can be planned");
        assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning, "{name}");
    }
    let world = World::new(
        "//- /A.cs\nclass A { // the id\n    string M(int id) => \"id\" + id; // an id\n    int id; }\n",
    );
    let op = change(&world, "A.M", "id->key").expect("it can be planned");
    let residue: Vec<u32> = op.answer.residue.iter().map(|it| it.line).collect();
    assert_eq!(residue, [2]);
}

#[test]
fn types_change_where_calls_and_code_take_them() {
    let text = "using System.Collections.Generic;\n\
        interface I { void M(List<int> a, int n); }\n\
        class C : I { public void M(List<int> a, int n) { long l = n; foreach (int i in a) { N(a); } } void N(IEnumerable<int> e) { } }\n\
        class U { /// <see cref=\"I.M(List{int}, int)\"/>\n    void V(I i, List<int> l, short s) { i.M(l, 1); i.M(n: s, a: l); } }\n";
    let after = changed(text, "I.M", "n: long");
    assert_eq!(
        after,
        text.replace("List<int> a, int n)", "List<int> a, long n)")
            .replace("List{int}, int)", "List{int}, long)")
    );
    let after = changed(
        "using System.Collections.Generic;\nclass A { int M(int n, List<string> a = null) => N(a); int N(IEnumerable<string> a) => 1; int U() => M(1, new List<string>()); }\n",
        "A.M",
        "a: IReadOnlyList<string>;a->items",
    );
    assert!(after.contains("=> N(items)"), "{after}");
}

#[test]
fn what_a_new_type_changes_is_told_or_refused() {
    let text = "class A { public int M(int n, int d = 3) { int x = n; return n + 1; } public int M(object o) => 2;\n    \
        int U() => M(1); int V(int q) => q; System.Func<int, int> W() => V; class P { } }\n";
    let world = World::new(&format!("//- /A.cs\n{text}"));
    for ty in ["long", "string", "object"] {
        let op = change(
            &world,
            "A.M(System.Int32,System.Int32)",
            &format!("n: {ty}"),
        );
        let op = op.expect("it can be planned");
        assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning, "{ty}");
    }
    let m = "A.M(System.Int32,System.Int32)";
    assert!(refusal(text, m, "n: Missing").contains("not found"));
    assert!(refusal(text, m, "n: P").contains("fewer places"));
    assert!(refusal(text, m, "d: string").contains("its default value `3`"));
    assert!(refusal(text, m, "d: ref int").contains("is not a type"));
    assert!(refusal(text, "A.V", "q: long").contains("A.cs:2: it is used there without"));
    assert!(
        refusal("class A { void M(ref int a) { } }\n", "A.M", "a: long").contains("by reference")
    );
    let calls = "class A { void M(int n) { } void U() { M(1); M(\"x\".Length); } }\n";
    let world = World::new(&format!("//- /A.cs\n{calls}"));
    let op = change(&world, "A.M", "n: string").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    assert_eq!(op.answer.differences[0].line, 1);
    let op = change(&world, "A.M", "n: object").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
}

#[test]
fn calls_in_expression_trees_pass_every_argument_by_position() {
    let text = "using System;\nusing System.Linq.Expressions;\nclass C { int M(int a, int b) => a; static int F() => 1; int R(int a) => a; int S(int a) => a;\n\
         void T() { Expression<Func<int>> f = () => M(F(), F()); Expression<Func<int>> g = () => R(1); Func<int> h = () => S(1); } }";
    let omitted = refusal(text, "C.R", "+int n = 3");
    assert!(
        omitted.contains("would leave the new argument out"),
        "{omitted}"
    );
    let named = refusal(text, "C.M", "b,a");
    assert!(named.contains("would name an argument"), "{named}");
    let passed = changed(text, "C.R", "+int n := 3");
    assert!(passed.contains("() => R(1, 3)"), "{passed}");
    let in_code = changed(text, "C.S", "+int n = 3");
    assert!(in_code.contains("() => S(1)"), "{in_code}");
}

#[test]
fn only_files_that_change_are_in_the_patch() {
    let world = World::new(
        "//- /A.cs\nclass A { public static int M(int a) => 1; }\n//- /B.cs\nclass B { int U() => A.M(1); }\n",
    );
    for what in ["+int b = 0", "a->x", "a: object"] {
        let op = change(&world, "A.M", what).expect("it can be planned");
        let files: Vec<&str> = (op.answer.files.iter().map(|it| it.file.as_str())).collect();
        assert_eq!(files, ["A.cs"], "{what}");
    }
}

#[test]
fn a_value_that_the_new_parameter_does_not_take_is_reported_at_every_call() {
    let world = World::new(
        "//- /A.cs\nclass A { int M(int a) => a; static int N(string s) => 1;\n\
         int U() => M(1);\n\
         int V(object o) => N(o) + M(2); }\n",
    );
    let op = change(&world, "A.M", "+int b := \"x\"").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    // A call that did not fit before is no difference.
    let lines: Vec<u32> = op.answer.differences.iter().map(|it| it.line).collect();
    assert_eq!(lines, [2, 3]);
    let op = change(&world, "A.M", "+long b := 1").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
}

#[test]
fn a_new_parameter_has_a_type_that_every_file_of_the_family_finds() {
    let text = "using System.Threading;\ninterface I { void M(); }\n//- /B.cs\nclass C : I { public void M() { } }\n";
    let refused = refusal(text, "I.M", "+CancellationToken t:=default");
    assert!(
        refused.contains("B.cs") && refused.contains("not found in that file"),
        "{refused}"
    );
    changed(
        text,
        "I.M",
        "+System.Threading.CancellationToken t:=default",
    );
}

#[test]
fn a_default_value_is_one_of_its_type() {
    let text = "enum E { A } class C { const short S = 3; public void M() { } void U() => M(); class P { } internal void N() { } }\n";
    for wrong in [
        "+int b = \"x\"",
        "+string s = 1",
        "+byte b = E.A",
        "+bool b = null",
    ] {
        let refused = refusal(text, "C.M", wrong);
        assert!(refused.contains("default value"), "{wrong}: {refused}");
    }
    for right in [
        "+int b = S",
        "+byte b = 5",
        "+long? b = 1",
        "+E e = E.A",
        "+E e = default",
        "+string s = nameof(U)",
        "+object o = null",
        "+double d = 1 + 2",
    ] {
        changed(text, "C.M", right);
    }
    assert!(refusal(text, "C.N", "+P p = null").contains("fewer places"));
}

#[test]
fn the_documentation_of_a_new_parameter_stands_where_the_parameter_does() {
    let text = "class A\n{\n    /// <param name=\"a\">First.</param>\n    /// <param name=\"b\">Second.</param>\n    void M(int a, int b = 1) { }\n    void U() => M(1);\n}\n";
    let after = changed(text, "A.M", "+int n:=0");
    assert!(
        after.contains(
            "First.</param>\n    /// <param name=\"n\"></param>\n    /// <param name=\"b\">"
        ),
        "{after}"
    );
}

#[test]
fn elements_of_a_tuple_that_change_places_are_other_elements() {
    let world = World::new(
        "//- /A.cs\nclass A\n{\n    int M((int a, int b) x) => x.a;\n    int G() => M((1, 2));\n}\n",
    );
    for (ty, expected) in [
        ("(int b, int a)", EditVerdict::ChangedMeaning),
        ("(int a, int c)", EditVerdict::Proven),
    ] {
        let op = change(&world, "A.M", &format!("x: {ty}")).expect("it can be planned");
        assert_eq!(op.answer.verdict, expected, "{ty}: {:#?}", op.answer);
    }
}

#[test]
fn a_list_with_directives_in_it_is_not_rewritten() {
    let around = |code: &str| format!("class A\n{{\n    int N(int a, int b) => a;\n{code}}}\n");
    for (symbol, code, reason) in [
        (
            "A.N",
            "    int U() => N(1,\n#if X\n        3\n#else\n        2\n#endif\n    );\n",
            "A.cs:4: its arguments cannot be read",
        ),
        (
            "A.N",
            "    int U() => N(1\n#if X\n        , 3)\n#else\n        , 2)\n#endif\n    ;\n",
            "A.cs:4: its arguments cannot be read",
        ),
        (
            "A.O",
            "    int O(int a,\n#if X\n        int c, int d\n#else\n        int b\n#endif\n    ) => a;\n",
            "A.cs:4: its parameters cannot be read",
        ),
    ] {
        let refused = refusal(&around(code), symbol, "b,a");
        assert!(refused.contains(reason), "{code}: {refused}");
    }
    // What stands beside the list decides nothing.
    let beside =
        "    int U() =>\n#pragma warning disable\n        N(1, 2);\n#pragma warning restore\n";
    let after = changed(&around(beside), "A.N", "b,a");
    assert!(after.contains("N(2, 1)"), "{after}");
}
