//! Other parameters for methods and constructors, with their families and their calls.

use cortex_edit::{AddedParameter, ChangeSignature, Edit, EditError, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

/// What is asked for: `+int n = 0`, `+int n := 0` with a value, `-n`, `a,b` as the order; several with `;`.
fn change(world: &World, symbol: &str, what: &str) -> Result<Op, EditError> {
    let (mut add, mut remove, mut order) = (None, Vec::new(), Vec::new());
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
        } else {
            order = part.split(',').map(str::to_owned).collect();
        }
    }
    let request = ChangeSignature {
        symbol,
        add,
        remove: &remove,
        order: &order,
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
