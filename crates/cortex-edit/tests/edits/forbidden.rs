//! What the language forbids of declarations and expressions for what the types are that they name: in new text, and in
//! code that an edit does not write.

use cortex_edit::{Edit, Rewrite};
use cortex_wire::EditVerdict;

use crate::world::{World, changed_lines, check_new, replace, verdict_of_new};

const FIXTURE: &str = "//- /A.cs project:App properties:LangVersion=latest\nusing System;\nusing System.Collections.Generic;\n\
    public class Open\n{\n}\n\
    public abstract class Abs\n{\n}\n\
    public sealed class Seal\n{\n}\n\
    public static class Stat\n{\n}\n\
    public struct Val\n{\n}\n\
    public interface IFace\n{\n}\n\
    public interface IVar<out T>\n{\n}\n\
    public class Prim(int n)\n{\n    public int N => n;\n}\n\
    public record Rec(int N)\n{\n}\n\
    public struct PrimVal(int n)\n{\n    public int N => n;\n}\n\
    public class Gen<T>\n{\n}\n\
    class Own\n{\n}\n\
    public class Req\n{\n    public required int X { get; set; }\n}\n\
    public class Alike(int n)\n{\n    public int N => n;\n}\n\
    public delegate int Del(int n);\n";

#[track_caller]
fn all_are(expected: EditVerdict, cases: &[(&str, &str)]) {
    check_new(FIXTURE, expected, cases);
}

#[test]
fn a_modifier_stands_once() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "public public int N;"),
            ("Open", "private internal int N;"),
            ("Open", "static static int N;"),
            ("Open", "[Obsolete] static static int N() => 1;"),
            ("Open", "sealed sealed class X { }"),
            ("Open", "public static public int N() => 1;"),
            ("Open", "public int N { get; private private set; }"),
            ("Open", "public int N { get; private internal set; }"),
            ("Open", "void N() { static static void L() { } L(); }"),
            (
                "Open",
                "object N() { Func<int> f = static static () => 1; return f; }",
            ),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "protected internal int N;"),
            ("Open", "private protected int N;"),
            (
                "Open",
                "readonly struct X { public static readonly int N; }",
            ),
            ("Val", "public readonly ref readonly int N() => throw null;"),
            ("Open", "ref partial struct X { }"),
            ("Open", "public int N { get; private protected set; }"),
            ("Open", "void N() { static void L() { } L(); }"),
            (
                "Open",
                "object N() { Func<int, int> f = async => async; return f; }",
            ),
        ],
    );
}

#[test]
fn a_constructor_beside_a_primary_one_calls_one_of_its_type() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Prim", "public Prim() { }"),
            ("Prim", "public Prim() : base() { }"),
            ("Rec", "public Rec() { }"),
            ("PrimVal", "public PrimVal(string s) { }"),
        ],
    );
    let reason = "it calls no constructor of its type: that has parameters of its own";
    let verdict = verdict_of_new(FIXTURE, ("Prim", "public Prim() { }"), reason);
    assert_eq!(verdict, EditVerdict::NotProven);
    all_are(
        EditVerdict::Proven,
        &[
            ("Prim", "public Prim() : this(1) { }"),
            ("Prim", "static Prim() { }"),
            ("Rec", "public Rec() : this(1) { }"),
            ("PrimVal", "public PrimVal(string s) : this(1) { }"),
            ("Open", "public Open(int n) { }"),
        ],
    );
}

#[test]
fn an_object_is_made_of_a_type_that_has_its_own() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "object N() => new Abs();"),
            ("Open", "object N() => new Stat();"),
            ("Open", "object N() => new IFace();"),
            ("Open", "Abs N() => new();"),
            ("Open", "object N<T>() => new T();"),
            ("Open", "object N() => new Req();"),
            ("Open", "Req N() => new();"),
            ("Open", "Req N() => new() { };"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "object N() => new Seal();"),
            ("Open", "Open N() => new();"),
            ("Open", "object N() => new Abs[1];"),
            ("Open", "object N<T>() where T : new() => new T();"),
            ("Open", "object N<T>() where T : struct => new T();"),
            ("Open", "Req N() => new() { X = 1 };"),
            ("Open", "object N() => new Req { X = 1 };"),
            ("Open", "Del N() => new Del(n => n);"),
        ],
    );
}

#[test]
fn a_static_class_is_no_type_of_values() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "Stat N() => null;"),
            ("Open", "void N(Stat s) { }"),
            ("Open", "Stat N;"),
            ("Open", "Gen<Stat> N;"),
            ("Open", "void N() { Stat s; }"),
            ("Open", "object N() => new Stat[1];"),
            ("Open", "object N(object o) => (Stat)o;"),
            ("Open", "object N() => new Gen<Stat>();"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "object N() => typeof(Stat);"),
            ("Open", "object N() => nameof(Stat);"),
            ("Open", "string N() => System.Console.Title;"),
        ],
    );
}

#[test]
fn a_type_derives_from_what_it_may() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "class X : Stat { }"),
            ("Open", "class X : Seal { }"),
            ("Open", "class X : Val { }"),
            ("Open", "class X : Del { }"),
            ("Open", "class X : IFace, Open { }"),
            ("Open", "class X : Open, Abs { }"),
            ("Open", "class X<T> : T { }"),
            ("Open", "struct X : Open { }"),
            ("Open", "interface X : Open { }"),
            ("Open", "class X : IFace, IFace { }"),
            ("Open", "record X : Open { }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "class X : Open, IFace, IVar<int>, IVar<string> { }"),
            ("Open", "struct X : IFace { }"),
            ("Open", "interface X : IFace { }"),
            ("Open", "record X : IFace { }"),
            ("Open", "enum X : int { A }"),
        ],
    );
}

#[test]
fn a_type_parameter_has_constraints_that_it_may_have() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void N<T>() where T : Seal { }"),
            ("Open", "void N<T>() where T : Val { }"),
            ("Open", "void N<T>() where T : Stat { }"),
            ("Open", "void N<T>() where T : Val[] { }"),
            ("Open", "void N<T>() where T : object { }"),
            ("Open", "void N<T>() where T : T { }"),
            ("Open", "void N<T>() where T : IFace, Open { }"),
            ("Open", "void N<T>() where T : class, Open { }"),
            ("Open", "void N<T>() where T : class, struct { }"),
            ("Open", "void N<T>() where T : new(), IFace { }"),
            ("Open", "void N<T>() where T : struct, new() { }"),
            ("Open", "class X<T> where T : Seal { }"),
            ("Open", "void N<T>() where U : class { }"),
            ("Open", "void N<T>() where T : class where T : IFace { }"),
            ("Open", "class X<T> where N : class { }"),
            ("Open", "delegate void X<T>(T t) where N : class;"),
            (
                "Open",
                "void N() { void L<T>() where U : class { } L<int>(); }",
            ),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "void N<T>() where T : Abs { }"),
            ("Open", "void N<T, U>() where T : U { }"),
            ("Open", "void N<T>() where T : Delegate { }"),
            ("Open", "void N<T>() where T : class, IFace, new() { }"),
            ("Open", "void N<T>() where T : struct, Enum { }"),
            ("Open", "void N<T>() where T : notnull, Abs { }"),
            ("Open", "void N<T>() where T : allows ref struct { }"),
            ("Open", "class X<T> where T : Open, IFace { }"),
            ("Open", "class X<T, U> where T : Open where U : IFace { }"),
            ("Open", "void N<@T>(int n = 1) where T : class { }"),
            (
                "Open",
                "void N() { void L<T>() where T : class { } L<Open>(); }",
            ),
        ],
    );
}

#[test]
fn a_type_has_members_that_it_may_have() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Stat", "public int N() => 1;"),
            ("Stat", "int ToString() => 1;"),
            ("Stat", "public int N;"),
            ("Stat", "public Stat() { }"),
            ("IFace", "int n;"),
            ("IFace", "IFace() { }"),
            ("Stat", "public void N(this int n) { }"),
            ("Open", "public static void N(this int n) { }"),
            ("Open", "public void N(this int n) { }"),
            (
                "Open",
                "public static bool operator ==(Open a, Open b) => true;",
            ),
            (
                "Open",
                "public static bool operator <(Open a, Val b) => true; public static bool operator >(Open a, Open b) => true;",
            ),
            (
                "Open",
                "public static implicit operator Open(IFace i) => null;",
            ),
            (
                "Rec",
                "public static bool operator ==(Rec a, Rec b) => true;",
            ),
            (
                "Open",
                "public static explicit operator IVar<int>(Open o) => null;",
            ),
            ("IFace", "static implicit operator int(IFace i) => 1;"),
            ("Open", "public static explicit operator Open(Open o) => o;"),
            ("Val", "public static implicit operator Val?(Val v) => v;"),
            (
                "Open",
                "public static implicit operator object(Open o) => o;",
            ),
            (
                "Open",
                "class X : Open { public static explicit operator X(Open o) => null; }",
            ),
            ("Open", "public static int operator +(int a, int b) => a;"),
            (
                "Open",
                "public static implicit operator Seal(int a) => null;",
            ),
            (
                "Open",
                "interface X<T> where T : X<T> { static explicit operator T(int n) => default; }",
            ),
            (
                "Stat",
                "static class X { public static void N(this int n) { } }",
            ),
            ("IVar", "class X { }"),
            ("Open", "class X { public required int N { get; } }"),
            ("Open", "class X { public required readonly int N; }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Stat", "public static int N() => 1;"),
            ("Stat", "public const int N = 1;"),
            ("Stat", "public static void N(this int n) { }"),
            ("Stat", "extension(int n) { public int N() => n; }"),
            ("Stat", "extension(Stat) { public static int N() => 1; }"),
            ("IFace", "static int n;"),
            (
                "Open",
                "public static bool operator <(Open a, Val b) => true; public static bool operator >(Open a, Val b) => true;",
            ),
            (
                "Open",
                "public static implicit operator Open(int i) => null;",
            ),
            (
                "Rec",
                "public static bool operator ==(Rec a, Open b) => true; public static bool operator !=(Rec a, Open b) => true;",
            ),
            (
                "Open",
                "interface X<T> where T : X<T> { static abstract explicit operator T(int n); }",
            ),
            ("Open", "public static int operator +(int a, Open b) => a;"),
            (
                "Val",
                "public static implicit operator Val?(int a) => null;",
            ),
            (
                "Gen",
                "public static implicit operator Gen<T>(T t) => null; public static explicit operator T(Gen<T> g) => default;",
            ),
            ("IVar", "interface X { }"),
            ("IVar", "delegate void X();"),
            ("Open", "class X { public required int N { get; init; } }"),
        ],
    );
}

#[test]
fn a_declaration_names_no_type_that_less_code_sees() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "public Own N() => null;"),
            ("Open", "public class X : Own { }"),
            ("Open", "public class X : Gen<Own> { }"),
            ("Open", "interface IIn { } public interface X : IIn { }"),
            ("Open", "public void N<T>() where T : Own { }"),
            ("Open", "public class X<T> where T : Own { }"),
            ("Open", "public delegate Own X();"),
            (
                "Open",
                "public class X(Own own) { public object N => own; }",
            ),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "class X : Own { }"),
            ("Open", "internal class X : Gen<Own> { public Own N; }"),
            ("Open", "interface IIn { } public class X : IIn { }"),
            ("Open", "internal void N<T>() where T : Own { }"),
            ("Open", "internal delegate Own X();"),
            ("Own", "public Own N;"),
        ],
    );
}

#[test]
fn a_variable_without_a_written_type_has_a_value_with_one() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void N() { var x = null; }"),
            ("Open", "void N() { var x = default; }"),
            ("Open", "void N() { var x = new(); }"),
            ("Open", "void N() { var x = N(); }"),
            ("Open", "void N() { var x = (1, null); }"),
            ("Open", "void N() { var x = [1]; }"),
            ("Open", "void N(bool b) { var x = b ? null : null; }"),
            ("Open", "void N() { var x = () => null; }"),
            ("Open", "void N() { var x = y => 1; }"),
            ("Open", "void N() { var x = delegate { }; }"),
            ("Open", "void N() { var x = (int y) => { return null; }; }"),
            ("Open", "void N() { var x = M; } void M<T>() { }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "void N() { var x = 1; }"),
            ("Open", "void N() { var x = default(Val); }"),
            ("Open", "void N() { var x = (object)null; }"),
            ("Open", "void N() { string x = null; }"),
            ("Open", "void N() { var x = () => 1; }"),
            ("Open", "void N() { var x = () => { }; }"),
            ("Open", "void N() { var x = (int y) => { throw null; }; }"),
            ("Open", "void N() { var x = string () => null; }"),
            ("Open", "void N() { var x = N; }"),
            ("Open", "void N() { var x = M<int>; } void M<T>() { }"),
        ],
    );
}

#[test]
fn a_type_is_no_value_and_nameof_takes_a_name() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "object N() => (Console).Title;"),
            ("Open", "object N() => (System.Console).Title;"),
            ("Open", "object N() => Console;"),
            ("Open", "object N() => System;"),
            ("Open", "string N() => nameof((Open));"),
            ("Open", "string N(int x) => nameof((x));"),
            ("Open", "string N() => nameof(1);"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "object N() => Console.Title;"),
            ("Open", "object N(string s) => (s).Length;"),
            ("Open", "string N(int x) => nameof(x);"),
            ("Open", "string N() => nameof(Gen<int>);"),
            ("Open", "string N() => nameof(System.Console.Title);"),
            ("Open", "string N() => nameof(string.Length);"),
            ("Alike", "Seal Seal; object M() => (Seal).ToString;"),
        ],
    );
}

#[test]
fn a_type_that_becomes_abstract_is_made_nowhere() {
    let files = "//- /A.cs\npublic class A { }\n\
        //- /B.cs\npublic class B { public A Own; public void Take(A a) { } }\n\
        //- /C.cs\nclass C\n{\nvoid M(B b) { b.Own = new(); }\nvoid N(B b) { b.Take(null); }\n}\n";
    assert_eq!(
        changed_lines(files, "A", "public abstract class A { }"),
        ["C.cs:3"]
    );
    assert!(changed_lines(files, "A", "public partial class A { }").is_empty());
    let files = "//- /A.cs\nclass A { }\n//- /B.cs\nclass B : A { }\n";
    assert!(changed_lines(files, "A", "abstract class A { }").is_empty());
}

#[test]
fn a_required_member_is_set_where_the_type_is_not_named() {
    let files = "//- /A.cs\npublic class A { public A(int n) { } public int X; }\n\
        //- /B.cs\npublic class B { public A Own; }\n\
        //- /C.cs\nclass C\n{\nvoid M(B b) { b.Own = new(1); }\nvoid N(B b) { b.Own = new(1) { X = 2 }; }\n}\n";
    assert_eq!(
        changed_lines(files, "A.X", "public required int X;"),
        ["C.cs:3"]
    );
}

#[test]
fn a_type_that_less_code_sees_is_named_by_less_code() {
    let files = "//- /A.cs\npublic class A { }\n\
        //- /B.cs\npublic class B\n{\npublic A Own => null;\ninternal A Near => null;\n}\n\
        //- /C.cs\npublic class C : A { }\n\
        //- /D.cs\npublic interface D<T> where T : A { }\n";
    assert_eq!(
        changed_lines(files, "A", "internal class A { }"),
        ["B.cs:3", "C.cs:1", "D.cs:1"]
    );
    assert!(changed_lines(files, "A", "public partial class A { }").is_empty());
}

#[test]
fn a_class_that_is_no_longer_static_has_no_extensions() {
    let files = "//- /A.cs\npublic static class A\n{\npublic static int F(this int n) => n;\n}\n";
    let class = "public class A\n{\npublic static int F(this int n) => n;\n}";
    let op = World::new(files).edited("A", replace(class));
    assert_ne!(op.answer.verdict, EditVerdict::Proven);
    let method = replace("public int F(this int n) => n;");
    let op = World::new(files).edited("A.F", method);
    assert_ne!(op.answer.verdict, EditVerdict::Proven);
}

#[test]
fn a_member_of_a_static_class_stays_static() {
    let files = "//- /A.cs\npublic static class A\n{\npublic static int F(int n) => n;\n}\n";
    assert_eq!(
        changed_lines(files, "A.F", "public int F(int n) => n;"),
        ["A.cs:3"]
    );
    assert!(changed_lines(files, "A.F", "public static int F(int n) => n + 1;").is_empty());
}

#[test]
fn a_discard_is_none_where_a_type_has_its_name() {
    let files = "//- /A.cs\nclass A { }\n//- /B.cs\nclass B\n{\nstatic void F(out int n) { n = 1; }\n\
        static void G() { F(out _); }\n}\n";
    let op = World::new(files).rename("A", "_").expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn a_rewrite_writes_no_parentheses_around_a_type() {
    let files = "//- /A.cs\nstatic class Own\n{\npublic static int F(int n) => n;\n\
        static int G(int n) => Own.F(nameof(n).Length);\n}\n";
    for (pattern, text) in [("$a.F($b)", "($a).F($b)"), ("nameof($a)", "nameof(($a))")] {
        let rewrite = Rewrite {
            pattern,
            replacement: text,
            conditions: &[],
            paths: &[],
        };
        let op = World::new(files)
            .one(&Edit::Rewrite(rewrite))
            .expect("it is planned");
        assert_ne!(op.answer.verdict, EditVerdict::Proven, "{pattern}");
    }
}

#[test]
fn variance_says_where_a_type_parameter_may_stand() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("IVar", "void N(T t);"),
            ("IVar", "T N { get; set; }"),
            ("IVar", "IList<T> N();"),
            ("IVar", "void N(IEnumerable<T> all);"),
            ("IVar", "Action<T> N();"),
            ("IVar", "ref T N();"),
            ("IVar", "void N(out T t);"),
            ("IVar", "(T, int) N();"),
            ("IVar", "void N<U>() where U : T;"),
            ("IVar", "event Func<T> N;"),
            ("IVar", "static abstract void N(T t);"),
            ("Open", "interface X<in T> { T N(); }"),
            ("Open", "interface X<in T> { T N { get; } }"),
            ("Open", "interface X<in T> : IVar<T> { }"),
            ("Open", "interface X<out T> : IList<T> { }"),
            ("Open", "delegate T X<in T>();"),
            ("Open", "delegate void X<out T>(T t);"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("IVar", "T N();"),
            ("IVar", "T N { get; }"),
            ("IVar", "T[] N();"),
            ("IVar", "IEnumerable<T> N(Action<T> use);"),
            ("IVar", "event Action<T> N;"),
            ("IVar", "static void N(T t) { }"),
            ("IVar", "void N<U>() where U : IList<int>;"),
            ("Open", "interface X<in T> { void N(T t); T M { set; } }"),
            ("Open", "interface X<T> { T N(ref T t); }"),
            ("Open", "interface X<out T> : IVar<T> { }"),
            ("Open", "delegate T X<out T>(Action<T> use);"),
            ("Open", "class X<T> { T N(T t) => t; }"),
        ],
    );
}

#[test]
fn foreach_goes_over_what_has_elements() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void N() { foreach (var x in null) { } }"),
            ("Open", "void N() { foreach (var x in 1) { } }"),
            ("Open", "void N(Open o) { foreach (var x in o) { } }"),
            ("Open", "void N<T>(T t) { foreach (var x in t) { } }"),
            ("Open", "void N() { foreach (var x in N) { } }"),
            ("Open", "void N((int, int) t) { foreach (var x in t) { } }"),
            (
                "Open",
                "public int GetEnumerator() => 1; void N() { foreach (var x in this) { } }",
            ),
            (
                "Open",
                "async void N(List<int> all) { await foreach (var x in all) { } }",
            ),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "void N(int[] a) { foreach (var x in a) { } }"),
            ("Open", "void N(string s) { foreach (var x in s) { } }"),
            (
                "Open",
                "void N(IEnumerable<int> a) { foreach (var x in a) { } }",
            ),
            (
                "Open",
                "void N<T>(T t) where T : List<int> { foreach (var x in t) { } }",
            ),
            ("Open", "void N(dynamic d) { foreach (var x in d) { } }"),
            (
                "Open",
                "[System.Runtime.CompilerServices.InlineArray(4)] struct X { int n; } void N(X a) { foreach (var x in a) { } }",
            ),
            ("Open", "void N(Array a) { foreach (object x in a) { } }"),
            (
                "Open",
                "public IEnumerator<int> GetEnumerator() => null; void N() { foreach (var x in this) { } }",
            ),
            (
                "Open",
                "async void N(IAsyncEnumerable<int> all) { await foreach (var x in all) { } }",
            ),
        ],
    );
}

#[test]
fn code_that_loses_its_elements_is_changed_lines() {
    let files = "//- /A.cs\npublic class A\n{\npublic System.Collections.Generic.IEnumerator<int> GetEnumerator() => null;\n}\n\
        //- /B.cs\nclass B\n{\nvoid M(A a) { foreach (var x in a) { } }\n}\n";
    let text = "public int Get() => 1;";
    assert_eq!(changed_lines(files, "A.GetEnumerator", text), ["B.cs:3"]);
    let files = "//- /A.cs\npublic interface IA<out T> { }\n\
        //- /B.cs\npublic interface IB<out T> { IA<T> N(); }\n";
    let text = "public interface IA<T> { }";
    assert_eq!(changed_lines(files, "IA`1", text), ["B.cs:1"]);
}

#[test]
fn a_value_of_a_type_parameter_is_compared_with_null() {
    all_are(
        EditVerdict::Proven,
        &[
            ("Gen", "bool N(T t) => t == null || null != default(T);"),
            ("Gen", "bool N<U>(U u) where U : class => u == null;"),
        ],
    );
    all_are(EditVerdict::NotProven, &[("Gen", "T N() => null;")]);
}

#[test]
fn parameters_stand_in_their_order() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void N(int a = 1, int b) { }"),
            ("Open", "void N(params int[] a, int b) { }"),
            ("Open", "void N(ref int a = 1) { }"),
            ("Open", "public Open(int a = 1, string b) { }"),
            ("Open", "int this[] => 1;"),
            ("Open", "delegate void X(int a = 1, int b);"),
            ("Open", "class X(int a = 1, int b) { int N => a + b; }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "void N(int a, int b = 1, params int[] c) { }"),
            ("Open", "void N(in int a = 1) { }"),
            ("Open", "void N(ref readonly int a = 1) { }"),
            ("Open", "int this[int n, int m = 1] => n;"),
            ("Stat", "public static void N(this int a, int b = 1) { }"),
        ],
    );
}

#[test]
fn a_type_holds_what_it_may() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void n;"),
            ("Open", "void N { get; }"),
            ("Open", "int N { set; }"),
            ("Open", "readonly struct X { int n; }"),
            ("Open", "readonly struct X { int N { get; set; } }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "int N { set { } }"),
            (
                "Open",
                "abstract class X { protected abstract int N { set; } }",
            ),
            ("IFace", "int N { set; }"),
            (
                "Open",
                "readonly struct X { readonly int n; static int m; }",
            ),
            (
                "Open",
                "readonly struct X { int N { get; init; } int M => 1; }",
            ),
            ("Val", "int n; int N { get; set; }"),
        ],
    );
}

#[test]
fn a_function_stands_where_one_is_wanted() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "int n = x => x;"),
            ("Open", "string N() => () => 1;"),
            ("Open", "Action n = x => { };"),
            ("Open", "Func<int> n = () => { };"),
            ("Open", "Func<int, int> n = () => 1;"),
            ("Open", "Action n = () => 1;"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "Action n = () => { };"),
            ("Open", "Action n = delegate { };"),
            ("Open", "Action<int> n = delegate { };"),
            ("Open", "Action n = () => throw null;"),
            ("Open", "Func<int> n = () => throw null;"),
            ("Open", "Func<int> n = () => { throw null; };"),
            ("Open", "Func<int, int> n = x => x;"),
            ("Open", "object n = () => 1;"),
            ("Open", "Delegate n = (int x) => x;"),
            (
                "Open",
                "System.Linq.Expressions.Expression<Func<int, int>> n = x => x;",
            ),
            (
                "Open",
                "Func<System.Threading.Tasks.Task> n = async () => { };",
            ),
        ],
    );
}

#[test]
fn what_is_thrown_is_an_exception_and_a_cast_is_one_that_there_is() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void N() { throw 1; }"),
            ("Open", "int N() => throw \"a\";"),
            ("Open", "string N() => (string)5;"),
            ("Open", "object N(Seal s) => (Open)s;"),
            ("Open", "object N(Seal s) => (IFace)s;"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "void N() { throw null; }"),
            (
                "Open",
                "void N(Exception e) { throw e ?? new InvalidOperationException(); }",
            ),
            ("Open", "void N() { try { } catch { throw; } }"),
            ("Open", "object N<T>(T t) where T : Exception => throw t;"),
            ("Open", "object N(Open s) => (IFace)s;"),
            ("Open", "object N(IFace s) => (Open)s;"),
            ("Open", "T N<T>(object o) => (T)o;"),
            ("Open", "int N<T>(T t) => (int)(object)t;"),
            ("Open", "DayOfWeek N(int n) => (DayOfWeek)n;"),
            ("Open", "object N(object[] all) => (string[])all;"),
            ("Open", "int? N(long n) => (int?)n;"),
            (
                "Open",
                "object N(IEnumerable<object> all) => (List<string>)all;",
            ),
            ("Open", "object N() => (object)null;"),
        ],
    );
}
