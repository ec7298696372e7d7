//! Members of objects where there is no object, and bases that cannot be made.

use cortex_wire::EditVerdict;

use crate::world::{World, changed_lines, check_new, replace};

const FIXTURE: &str = "//- /A.cs project:App properties:LangVersion=latest\nusing System;\n\
    public class Own\n{\n    int count = 1;\n    int Prop { get; set; }\n    event Action Event;\n    int Call() => count;\n    static int Free() => 2;\n    static int Both(string s) => 3;\n    int Both(int n) => 4;\n    class Inner\n    {\n        int Of(Own own) => own.count;\n    }\n}\n\
    public class Prim(int n)\n{\n    int Get() => n;\n}\n\
    public interface IFace\n{\n    int Value { get; }\n}\n\
    public class Color\n{\n    public static int Red = 1;\n    public int Depth = 2;\n    public static int Mix() => 1;\n}\n\
    public class Pen\n{\n    Color Color;\n}\n\
    public class Base\n{\n    public Base(int n) { }\n}\n\
    public class Open\n{\n    public Open(int n = 1, params string[] rest) { }\n}\n\
    public class Shut\n{\n    private Shut() { }\n    public Shut(int n) { }\n    class In : Shut { }\n}\n\
    public abstract class Kept\n{\n    protected Kept() { }\n}\n\
    public record Rec(int N);\n";

#[track_caller]
fn all_are(expected: EditVerdict, cases: &[(&str, &str)]) {
    check_new(FIXTURE, expected, cases);
}

#[test]
fn members_of_objects_are_named_where_there_is_one() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Own", "static int N() => count;"),
            ("Own", "static int N() => Prop;"),
            ("Own", "static int N() => Call();"),
            ("Own", "static void N() { Event += null; }"),
            ("Own", "static Func<int> N() => Call;"),
            ("Own", "static object N() => this;"),
            ("Own", "static string N() => base.ToString();"),
            ("Own", "static Type N() => GetType();"),
            ("Own", "static int N() => Both(1);"),
            ("Own", "static int N => count;"),
            ("Own", "static int n = Free() + Call();"),
            ("Own", "int n = Call();"),
            ("Own", "object n = this;"),
            (
                "Own",
                "Own(int n) : this(count + \"\") { } Own(string s) { }",
            ),
            ("Own", "static Func<int> N() => () => count;"),
            ("Own", "static int N() { int L() => count; return L(); }"),
            ("Own", "int N() => Own.count;"),
            ("Own.Inner", "int N() => count;"),
            ("Own.Inner", "int N() => Call();"),
            ("Prim", "static int N() => n;"),
            ("Prim", "class X { int N() => n; }"),
            ("IFace", "static int N() => Value;"),
            ("Pen", "static int N() => Color.Depth;"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Own", "int N() => count + Prop + Call() + this.count;"),
            ("Own", "void N() { Event += null; Func<int> f = Call; }"),
            ("Own", "static int N() => Free() + Both(\"\");"),
            ("Own", "static int N(Own own) => own.count + own.Call();"),
            (
                "Own",
                "static string N() => nameof(count) + nameof(Own.Prop);",
            ),
            ("Own", "static Own N() => new Own { count = 2, Prop = 3 };"),
            ("Own", "static bool N(Own own) => own is { count: 1 };"),
            ("Own", "Func<int> n = () => Free();"),
            ("Own", "int N() { int L() => count; return L(); }"),
            ("Own.Inner", "int N() => Free();"),
            ("Own.Inner", "string N() => nameof(count) + ToString();"),
            ("Own.Inner", "class X : Own { int N() => count; }"),
            ("Prim", "int N() => n;"),
            ("Prim", "int x = n; Prim(string s) : this(s.Length) { }"),
            ("IFace", "int N() => Value + ToString().Length;"),
            ("Pen", "static int N() => Color.Red + Color.Mix();"),
            ("Pen", "int N() => Color.Depth + Color.Red;"),
        ],
    );
}

#[test]
fn a_base_is_made_without_arguments_where_none_are_written() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Own", "class X : Base { }"),
            ("Own", "class X : Base { public X() { } }"),
            ("Own", "class X(int n) : Base { int N => n; }"),
            ("Own", "class X : Shut { }"),
            ("Own", "record X : Rec { }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Own", "class X : Base { public X() : base(1) { } }"),
            (
                "Own",
                "class X : Base { X(int n) : base(n) { } X() : this(1) { } }",
            ),
            ("Own", "class X(int n) : Base(n) { }"),
            (
                "Own",
                "partial class X : Base { public partial X(); public partial X() : base(1) { } }",
            ),
            ("Own", "class X : Open { }"),
            ("Own", "class X : Kept { }"),
            ("Own", "class X : Base { static X() { } X() : base(1) { } }"),
            (
                "Own",
                "record X(int N) : Rec(N) { protected X(X other) : base(other) { } }",
            ),
            ("Shut", "class X : Shut { X() { } }"),
            ("Own", "struct X { int n; public X(int m) { n = m; } }"),
        ],
    );
}

#[test]
fn a_member_that_becomes_static_has_no_object() {
    let files = "//- /A.cs\nclass A\n{\nint n;\nint F()\n{\nreturn n;\n}\n}\n";
    let text = "static int F()\n{\nreturn n;\n}";
    let op = World::new(files).edited("A.F", replace(text));
    assert_ne!(op.answer.verdict, EditVerdict::Proven);
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -4 +4 @@\n-int F()\n+static int F()\n";
    let op = World::new(files).patch(diff).expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn a_constructor_that_goes_leaves_no_base_without_one() {
    let files = "//- /A.cs\nclass A\n{\npublic A() { }\npublic A(int n) { }\n}\n\
        //- /B.cs\nclass B : A { }\n\
        //- /C.cs\nclass C : A\n{\nC(int n) { }\nC() : base(1) { }\n}\n\
        //- /D.cs\nclass D(int n) : A\n{\nint N => n;\n}\n";
    let ctor = "M:A.#ctor";
    assert_eq!(
        changed_lines(files, ctor, "public A(string s) { }"),
        ["B.cs:1", "C.cs:3", "D.cs:1"]
    );
    assert!(changed_lines(files, ctor, "public A(string s = null) { }").is_empty());
    let files = "//- /A.cs\nclass A { }\n//- /B.cs\nclass B : A { }\n";
    assert_eq!(
        changed_lines(files, "A", "class A { public A(int n) { } }"),
        ["B.cs:1"]
    );
}

#[test]
fn a_struct_from_outside_is_made_without_arguments() {
    all_are(
        EditVerdict::Proven,
        &[
            ("Own", "object N() => new DateTime();"),
            ("Own", "Guid N() => new();"),
        ],
    );
}

#[test]
fn a_conversion_that_makes_a_constructor_ambiguous_is_changed_lines() {
    let files = "//- /A.cs\npublic interface I { }\npublic class A : I\n{\nint n;\n}\n\
        //- /B.cs\npublic class B { public B(I i) { } public B(int n) { } }\n\
        //- /C.cs\nclass C\n{\nobject M(A a) => new B(a);\nobject N(I i) => new B(i);\n}\n";
    let text = "int n; public static implicit operator int(A a) => 1;";
    assert_eq!(changed_lines(files, "A.n", text), ["C.cs:3"]);
}

#[test]
fn a_constructor_with_the_same_parameters_stands_once() {
    all_are(
        EditVerdict::ChangedMeaning,
        &[
            ("Base", "public Base(int m) { }"),
            ("Kept", "protected Kept() { }"),
            ("Own", "static Own() { } static Own() { }"),
            ("Own", "~Own() { } ~Own() { }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Base", "public Base(string s) { }"),
            ("Base", "static Base() { }"),
            ("Rec", "protected Rec(Rec other) { N = other.N; }"),
            ("Own", "struct X { public X() { } }"),
        ],
    );
}
