//! New declarations that the language forbids whatever their names mean, and values that do not convert.

use cortex_wire::EditVerdict;

use crate::world::{World, add, replace, verdict_of_new};

const FIXTURE: &str = "//- /A.cs project:App properties:LangVersion=latest\nusing System.Collections.Generic;\nusing System.Threading.Tasks;\n\
    class Open\n{\n}\n\
    abstract class Abstract\n{\n}\n\
    sealed class Sealed\n{\n}\n\
    static class Static\n{\n}\n\
    struct Value\n{\n}\n\
    interface IFace\n{\n}\n\
    partial class Part\n{\n}\n\
    class Base\n{\n    public virtual int Size => 1;\n}\n\
    class Derived : Base\n{\n}\n";

/// What the new text of a type of the fixture is told to be.
fn verdict(ty: &str, text: &str) -> EditVerdict {
    verdict_of_new(FIXTURE, (ty, text), "")
}

/// Each is refused by the compiler.
#[test]
fn what_no_declaration_may_be_is_not_proven() {
    for (ty, text) in [
        ("Open", "public static virtual int N() => 1;"),
        ("Open", "public abstract int N();"),
        ("Open", "virtual int N() => 1;"),
        ("Open", "public sealed int N() => 1;"),
        ("Open", "public readonly int N() => 1;"),
        ("Open", "public required int N() => 1;"),
        ("Open", "public static required int N { get; set; }"),
        ("Open", "public static const int N = 1;"),
        ("Open", "public async int N { get; set; }"),
        ("Open", "public volatile readonly int N;"),
        ("Open", "public partial void N();"),
        ("Open", "public int N();"),
        ("Open", "public async int N() => 1;"),
        ("Open", "extension(int n) { public int N => n; }"),
        ("Open", "public virtual Open(int n) { }"),
        ("Open", "public static Open() { }"),
        ("Open", "static Open operator +(Open a, Open b) => a;"),
        (
            "Open",
            "private static class Inner { public virtual int N => 1; }",
        ),
        ("Open", "abstract sealed class Inner { }"),
        ("Open", "readonly class Inner { }"),
        ("Abstract", "public abstract int N() { return 1; }"),
        ("Sealed", "public virtual int N => 1;"),
        ("Static", "protected static int N;"),
        ("Value", "protected int N;"),
        ("Value", "public virtual int N() => 1;"),
        ("Value", "~Value() { }"),
        ("IFace", "~IFace() { }"),
        ("IFace", "private int N { get; }"),
        ("IFace", "private int N();"),
        ("Derived", "public virtual override int Size => 2;"),
    ] {
        assert_ne!(verdict(ty, text), EditVerdict::Proven, "{ty}: {text}");
    }
}

/// Each compiles.
#[test]
fn what_declarations_may_be_is_proven() {
    for (ty, text) in [
        ("Open", "public virtual int N() => 1;"),
        ("Open", "public required int N { get; set; }"),
        ("Open", "public const int N = 1;"),
        ("Open", "static Open() { }"),
        (
            "Open",
            "public static Open operator +(Open a, Open b) => a;",
        ),
        ("Open", "public async Task N() { await Task.Yield(); }"),
        ("Open", "~Open() { }"),
        ("Open", "private sealed class Inner { }"),
        (
            "Open",
            "[System.Runtime.InteropServices.DllImport(\"a\")] static extern int N();",
        ),
        ("Abstract", "public abstract int N();"),
        ("Abstract", "protected abstract int N { get; set; }"),
        ("Static", "internal static int N;"),
        ("Static", "extension(int n) { public int N => n; }"),
        ("Value", "public readonly int N() => 1;"),
        ("Value", "public readonly int N => 1;"),
        ("Value", "public override string ToString() => \"\";"),
        ("IFace", "private int N() => 1;"),
        ("IFace", "sealed int N() => 1;"),
        ("IFace", "virtual int N() => 1;"),
        ("Part", "partial void N();"),
    ] {
        assert_eq!(verdict(ty, text), EditVerdict::Proven, "{ty}: {text}");
    }
}

/// The compiler refuses all of them but the last ones.
#[test]
fn an_explicit_implementation_has_no_modifiers_of_its_own() {
    let files = "//- /A.cs\ninterface I { int P { get; } void M(); }\n\
        abstract class A : I { int I.P => 1; void I.M() { } }\n\
        interface J : I { void I.M() { } }\n";
    let proven = |ty: &str, text: &str| {
        let op = World::new(files).edited(ty, replace(text));
        op.answer.verdict == EditVerdict::Proven
    };
    for modifiers in [
        "public", "private", "abstract", "virtual", "override", "sealed", "new",
    ] {
        let class =
            format!("abstract class A : I {{ int I.P => 1; {modifiers} void I.M() {{ }} }}");
        assert!(!proven("A", &class), "{class}");
    }
    let class = "abstract class A : I { int I.P { private get => 1; } void I.M() { } }";
    assert!(!proven("A", class));
    assert!(!proven("J", "interface J : I { virtual void I.M() { } }"));
    let class = "abstract class A : I { int I.P => 1; async void I.M() { } }";
    assert!(proven("A", class));
}

/// Each is refused by the compiler.
#[test]
fn a_body_with_a_way_that_returns_nothing_is_not_proven() {
    for text in [
        "int N() { }",
        "int N(bool b) { if (b) return 1; }",
        "int N(bool b) { while (b) return 1; }",
        "int N(int n) { switch (n) { case 1: return 1; } }",
        "int N() { try { return 1; } catch { } }",
        "int N { get { } }",
        "int this[int n] { get { if (n > 1) return n; } set { } }",
        "async Task<int> N() { await Task.Yield(); }",
        "public static Open operator +(Open a, int n) { }",
        "int N(bool b) { while (true || b) { } }",
        "int N(bool b) { for (; b || true; ) { } }",
        "int N(bool b) { do { } while (!(false && b)); }",
        "int N(bool b) { if (true || b) return 1; }",
        "static readonly bool A = true; int N() { while (A) { } }",
        "const bool A = true; int N() { while (A) { break; } }",
        "const bool A = false; int N() { while (A) { } }",
    ] {
        assert_eq!(verdict("Open", text), EditVerdict::NotProven, "{text}");
    }
}

/// Each compiles.
#[test]
fn a_body_that_returns_on_all_ways_is_proven() {
    for text in [
        "int N() { return 1; }",
        "int N(bool b) { if (b) return 1; else return 2; }",
        "int N() { while (true) { } }",
        "int N() { for (;;) { } }",
        "int N() { throw null; }",
        "int N(int n) { switch (n) { case 1: return 1; default: return 2; } }",
        "int N(int n) { switch (n) { case 1: goto default; default: throw null; } }",
        "int N() { try { return 1; } finally { } }",
        "int N(object o) { lock (o) { return 1; } }",
        "int N { get { return 1; } set { } }",
        "IEnumerable<int> N() { yield return 1; }",
        "async Task N() { await Task.Yield(); }",
        "void N() { }",
        "int N() { int F() { return 1; } return F(); }",
        "const bool A = true; int N() { while (A) { } }",
        "const bool A = true; int N() { while (Open.A && !false) { } }",
        "class X { public const bool A = !B, B = false; } int N() { for (; X.A; ) { } }",
        "int N() { do { } while (!false); }",
        "int N() { while (1 < 2) { } }",
        "const int A = 2; int N() { while (A == 2) { } }",
        "int N() { const bool a = 1 > 0; while (a) { } }",
        "const bool A = true; int N() { if (A) return 1; }",
        "const bool A = true; int N { get { while (A) { } } }",
        "int N() { do { continue; } while (true); }",
        "Open(int n) { }",
    ] {
        assert_eq!(verdict("Open", text), EditVerdict::Proven, "{text}");
    }
}

/// Each is refused by the compiler.
#[test]
fn a_value_that_does_not_convert_is_not_proven() {
    for text in [
        "void N() { int n = \"\"; }",
        "int N() { return \"\"; }",
        "int N() => \"\";",
        "int N = null;",
        "int N { get; } = \"\";",
        "void N(string s) { if (s) { } }",
        "void N(int n = \"\") { }",
        "void N() { System.Func<int> f = () => \"\"; }",
        "Base N(object o) => o;",
        "void N(long l) { int n = l; }",
        "byte N() => 300;",
        "void N() { return 1; }",
        "void N() => default;",
        "void N(int n) => n + 1;",
        "async Task N() => 1;",
        "int N { get => 1; set => value; }",
        "void N(bool b) => b ? N(b) : N(b);",
        "async Task N() { return 1; }",
        "int N() { return; }",
        "Open(int n) { return n; }",
        "int N { get { return; } set { return 1; } }",
        "bool N(string s) => s > 1;",
        "int N(object o) => -o;",
        "bool N(object o) => !o;",
        "bool N(string s, int n) => s && n == 1;",
    ] {
        assert_eq!(verdict("Open", text), EditVerdict::NotProven, "{text}");
    }
}

/// Each compiles.
#[test]
fn a_value_that_converts_is_proven() {
    for text in [
        "void N() { long n = 1; byte b = 255; int? m = null; object o = n; }",
        "long N() => -9223372036854775808;",
        "int N() => -2147483648;",
        "void N() { return; }",
        "void N() => N();",
        "void N(int n) => n++;",
        "void N(string s) => s?.ToString();",
        "async Task N() => await N();",
        "int N { get => 1; set => _ = value; }",
        "void N() => new Open();",
        "async Task N() { return; }",
        "void N() { System.Action a = () => { return; }; int F() { return 1; } F(); }",
        "void N() { System.Func<int> f = () => { return 1; }; }",
        "int N { get { return 1; } set { return; } }",
        "bool N(string s, object o) => s == o && o != null && 1 + \"\" != s + o;",
        "object N(dynamic d) => d + 1 > d;",
        "byte N() => 'a' - 'b' + 5;",
        "enum Inner { A = 1, B = 2 | A }",
        "Base N() => new Derived();",
        "IEnumerable<object> N(List<string> all) => all;",
        "System.Func<object> N() => () => \"\";",
        "(long, object) N() => (1, \"\");",
        "int N(bool b) => b ? 1 : default;",
        "string N(int n) => n switch { 1 => \"\", _ => null };",
        "System.ReadOnlySpan<char> N(string s) => s;",
    ] {
        assert_eq!(verdict("Open", text), EditVerdict::Proven, "{text}");
    }
}

/// Each names a type that less code sees: the compiler refuses it.
#[test]
fn a_member_names_no_type_that_less_code_sees() {
    let fixture = "//- /A.cs\npublic class Out\n{\n    class Inner { }\n    internal class Near\n    {\n    }\n}\n\
        class Own\n{\n}\n\
        public class Wide\n{\n}\n";
    let verdict = |ty: &str, text: &str| {
        let answer = World::new(fixture).edited(ty, add(text)).answer;
        answer.verdict
    };
    for (ty, text) in [
        ("Wide", "public Own N() => null;"),
        ("Wide", "protected Own[] N;"),
        ("Wide", "public void N((int, Own) own) { }"),
        ("Out", "public Inner N;"),
        ("Out", "internal Inner N;"),
        ("Out.Near", "public Inner N;"),
    ] {
        assert_eq!(verdict(ty, text), EditVerdict::NotProven, "{ty}: {text}");
    }
    for (ty, text) in [
        ("Wide", "internal Own N() => null;"),
        ("Wide", "public Out N() => null;"),
        ("Own", "public Own N;"),
        ("Own", "public Out.Near N;"),
        ("Out", "Inner N;"),
        ("Out", "internal Near N;"),
        ("Out", "class Deep { public Inner N; }"),
    ] {
        assert_eq!(verdict(ty, text), EditVerdict::Proven, "{ty}: {text}");
    }
}

#[test]
fn unsafe_code_is_not_proven_where_the_project_does_not_allow_it() {
    let code = |properties: &str| {
        format!(
            "//- /A.cs project:App{properties}\nclass Open\n{{\n    unsafe void Before() {{ }}\n}}\n"
        )
    };
    for text in [
        "unsafe void N() { }",
        "void N() { unsafe { } }",
        "[System.Runtime.CompilerServices.SkipLocalsInit] void N() { }",
    ] {
        let words = "the project does not set `AllowUnsafeBlocks`";
        let verdict = |properties| verdict_of_new(&code(properties), ("Open", text), words);
        assert_eq!(verdict(""), EditVerdict::NotProven, "{text}");
        let allowed = " properties:AllowUnsafeBlocks=true";
        assert_ne!(verdict(allowed), EditVerdict::NotProven, "{text}");
    }
    // What was there is no part of the edit, and a comment is no code.
    let comment = verdict_of_new(&code(""), ("Open", "void N() { /* unsafe */ }"), "");
    assert_ne!(comment, EditVerdict::NotProven);
}

#[test]
fn what_a_later_version_of_the_language_has_is_not_proven_before_it() {
    let code = |version: &str| {
        format!("//- /A.cs project:App properties:LangVersion={version}\nclass Open\n{{\n}}\n")
    };
    for (text, before, since, words) in [
        ("public record Inner(int N);", "8.0", "9.0", "C# 9"),
        ("public int N { get; init; }", "8", "9", "C# 9"),
        ("public record struct Inner(int N);", "9.0", "10.0", "C# 10"),
        (
            "public required int N { get; set; }",
            "9.0",
            "11.0",
            "C# 11",
        ),
        (
            "class Inner(int n) { int N => n; }",
            "11.0",
            "12.0",
            "C# 12",
        ),
    ] {
        let verdict = |version| verdict_of_new(&code(version), ("Open", text), words);
        assert_eq!(verdict(before), EditVerdict::NotProven, "{text}");
        for allowed in [since, "latest", "preview"] {
            assert_ne!(
                verdict(allowed),
                EditVerdict::NotProven,
                "{text}: {allowed}"
            );
        }
    }
}

#[test]
fn operators_and_members_of_interfaces_are_declared_as_the_language_has_them() {
    let wrong = [
        ("Open", "public int operator -(Open a) => 1;"),
        ("Open", "public implicit operator int(Open a) => 1;"),
        ("Open", "public static void operator --(Open a) { }"),
        (
            "IFace",
            "public static bool operator ==(IFace a, IFace b) => true; public static bool operator !=(IFace a, IFace b) => false;",
        ),
        ("IFace", "public virtual int P { get; }"),
        ("IFace", "int P { get; } = 3;"),
    ];
    for (ty, text) in wrong {
        assert_ne!(verdict(ty, text), EditVerdict::Proven, "{text}");
    }
    let right = [
        ("Open", "public static int operator -(Open a) => 1;"),
        (
            "Value",
            "public static implicit operator int(Value a) => 1;",
        ),
        ("Value", "public static Value operator ++(Value a) => a;"),
        ("Value", "public void operator ++() { }"),
        ("Value", "public void operator +=(int n) { }"),
        ("IFace", "static int operator +(IFace a, int n) => n;"),
        ("IFace", "public virtual int P => 1;"),
        ("IFace", "static int P { get; } = 3;"),
        ("IFace", "int P { get; }"),
    ];
    for (ty, text) in right {
        assert_eq!(verdict(ty, text), EditVerdict::Proven, "{text}");
    }
}
