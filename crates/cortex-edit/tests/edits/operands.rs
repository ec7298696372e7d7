//! New code whose operands, patterns and nested functions the language does not take.

use cortex_wire::EditVerdict;

use crate::world::{World, add};

const FIXTURE: &str = "//- /A.cs project:App properties:LangVersion=latest\nusing System;\nusing System.Collections.Generic;\nusing System.Linq;\nusing System.Threading.Tasks;\n\
    public class Open\n{\n    static int Stat;\n    static int Give() => 1;\n}\n\
    public class Derived : Open { }\n\
    public enum Mode { On }\n\
    public record Rec(int X);\n\
    public record struct Pair(int X);\n\
    public struct Convertible { public static implicit operator int(Convertible c) => 1; }\n\
    public class Named { public static implicit operator string(Named n) => \"\"; }\n\
    public class Parts { }\n\
    public static class PartsExtensions { public static void Deconstruct(this Parts p, out int a, out int b) { a = b = 1; } }\n";

#[track_caller]
fn all_are(expected: EditVerdict, texts: &[&str]) {
    let verdict = |text: &str| {
        let op = World::new(FIXTURE).edited("Open", add(text));
        op.answer.verdict
    };
    let others: Vec<_> = (texts.iter())
        .filter(|text| verdict(text) != expected)
        .collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn operators_take_what_they_compare() {
    all_are(
        EditVerdict::NotProven,
        &[
            "bool N(bool b) => b == 1;",
            "bool N(int n, object o) => n == o;",
            "bool N(Open a, string b) => a == b;",
            "bool N(Open a, Parts b) => a != b;",
            "bool N(Guid a, int b) => a == b;",
            "bool N(Mode a, string b) => a == b;",
            "void N(bool b) { b++; }",
            "void N(string b) { --b; }",
            "int N(bool b) => b ?? 1;",
            "int N(int n) => n ?? 1;",
            "object N(string s) => s ?? 1;",
            "int N(int n) => n / 0;",
            "int N() => 1 % 0;",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "bool N(Guid a, Guid b, DateTime d, DateTime? e, TimeSpan t) => a == b && d == e && d - d == t && e == null;",
            "bool N(IDisposable a, System.IO.Stream b, object o, string s) => a == b && o == s && b == o && a != null;",
            "bool N(Type t, Open a) => t == typeof(Open) && t == a.GetType() && a == null && a == default;",
            "bool N(int a, long b, char c, byte d, nint e, decimal f, double g) => a == b && c == a && d == c && e == a && f == a && g == b;",
            "bool N<T>(T a, T b, object o) where T : class => a == b && a == o && a != null;",
            "bool N(ReadOnlySpan<char> a, Span<int> s) => a == \"x\" && s == default && a == a;",
            "bool N(Action a, Delegate d) => a == d && a == null;",
            "bool N(Mode e, Mode? f, int i) => e == f && e == 0 && (int)e == i && e == Mode.On;",
            "bool N(Rec a, Rec b, Pair c, Pair d) => a == b && c == d;",
            "bool N(Open a, Derived b, IComparable c, string s) => a == b && c == s && a == c;",
            "bool N(Convertible v, int i) => v == i && i == v;",
            "bool N(Named v, string s) => s == v;",
            "bool N(System.Numerics.BigInteger v, int i) => v == i && v == 1L;",
            "bool N(dynamic d) => d == 1 && (d ?? 1) == 2;",
            "void N(int i) { char c = 'a'; c++; double d = 1; d--; int? n = 1; n++; Mode e = Mode.On; e++; nint x = 1; x++; }",
            "string N(string s, object o, int? n) => s ?? o as string ?? (n ?? 1).ToString();",
            "double N(double d, decimal m, int n) => d / 0 + n / 1 + (double)(m / 2);",
        ],
    );
}

#[test]
fn what_has_no_parts_or_elements_is_not_taken_apart() {
    all_are(
        EditVerdict::NotProven,
        &[
            "void N() { var (a, b) = (1, 2, 3); }",
            "void N(bool x) { var (a, b) = x; }",
            "void N(Parts p) { var (a, b, c) = p; }",
            "object N() => new List<int> { \"a\" };",
            "object N() => new Dictionary<int, int> { { 1, \"a\" } };",
            "object N() => new Dictionary<int, int> { [\"\"] = 1 };",
            "int N(string s) => s[\"\"];",
            "int N(Dictionary<int, int> d) => d[\"a\"];",
            "bool N(int n) => n is [1];",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "void N(object o) { var (a, b) = ((int, int))o; (int x, var y) = (1, \"\"); (x, _) = (2, 3); }",
            "void N(Parts p, Rec r) { var (a, b) = p; (a, b) = p; r.Deconstruct(out a); }",
            "void N() { foreach (var (k, v) in new Dictionary<int, int>()) { } var (p, q) = new KeyValuePair<int, int>(1, 2); }",
            "object N() => new Dictionary<string, object> { { \"a\", 1 }, { \"b\", \"c\" } };",
            "object N() => new List<object> { 1, \"a\", null, new Open() };",
            "object N() => new List<Func<int>> { () => 1, Give };",
            "object N(dynamic d) => new List<long> { 1, 'c', (byte)1, d };",
            "int N(Dictionary<string, int> d, string s, List<int> l, Span<int> p) => d[\"a\"] + s[0] + l[^1] + p[1] + s[1..].Length + l[(byte)1];",
            "bool N(int[] s, List<int> l, string t) => s is [1, ..] || l is [1, 2, .. var r] || t is ['a', _];",
        ],
    );
}

#[test]
fn a_value_may_be_of_the_type_that_it_is_tested_for() {
    all_are(
        EditVerdict::NotProven,
        &[
            "object N(bool b) => b as string;",
            "object N(Open o) => o as Parts;",
            "bool N(bool b) => b is string s;",
            "bool N(Open o) => o is Parts { } p || o is Parts q;",
            "bool N(bool b) => b switch { 1 => true, _ => false };",
            "bool N(int n) => n is \"a\";",
            "bool N(int n) => n is > \"a\";",
            "bool N(object o) => o is int x or 2;",
            "bool N(object o) => o is (int x, 1) or (2, 3);",
            "void N() { try { } catch (Open) { } }",
            "void N() { try { } catch (Exception) { } catch (ArgumentException) { } }",
            "void N() { try { } catch (ArgumentException) { } catch (ArgumentException) { } }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "int N(object o) => o is int i ? i : o is Open { } a ? 1 : o is IDisposable d ? 2 : o as string == \"\" ? 3 : 4;",
            "bool N(Open a) => a is IDisposable d || a is Derived b || a as IComparable == null;",
            "bool N(int? a, Mode e, long l, char c, double d) => a is 1 || e is Mode.On || l is 5 || c is 'a' || d is 1 || l is > 3 and < 10;",
            "bool N(object o, string s, byte b, IComparable q) => o is 1 || o is \"a\" || s is \"a\" or null || b is 1 or 2 || q is 1;",
            "bool N(ReadOnlySpan<char> s) => s is \"abc\" || s is ['a', ..];",
            "bool N(object o) => o is int or string || o is (int x, int y) && x == y || o is not null;",
            "int N(object o) { if (o is not string s) { return 1; } return s.Length; }",
            "void N() { try { } catch (ArgumentException e) when (e != null) { } catch (System.IO.IOException) { } catch { } }",
            "void N() { try { } catch (Exception e) when (e == null) { } catch (ArgumentException) { } catch (Exception) { } }",
            "void N<T>() where T : Exception { try { } catch (T) { } }",
            "bool N(char c) => c is >= 'a' and <= 'z' || c is >= 'A' and <= 'Z' || c is '_' or '-';",
            "int N(int n) => n is > 3 and < 10 ? 1 : 2;",
            "string N(int n) { var s = n is < 10 ? \"a\" : \"b\"; return s; }",
            "int? N(int n) => n is not > 3 ? 1 : null;",
            "bool N<T>(T t, object o) => t is string s || o is T u || t is int i;",
        ],
    );
}

#[test]
fn blocks_and_nested_functions_are_whole() {
    all_are(
        EditVerdict::NotProven,
        &[
            "void N() { try { } }",
            "void N(bool b) { if (b) int x = 1; }",
            "void N(bool b) { if (b) { } else int x = 1; }",
            "void N(bool b) { while (b) void F() { } }",
            "void N() { foreach (var x in new[] { 1 }) var y = x; }",
            "void N() { Func<int, int> f = x => { if (x > 1) return 1; }; }",
            "void N() { Func<int, int> f = delegate(int x) { if (x > 1) { return 1; } }; }",
            "void N() { int F(int x) { if (x > 1) { return 1; } } F(1); }",
            "void N() { async Task<int> F(int x) { await Task.Delay(1); } F(1); }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "void N() { int F(int x) { if (x > 1) return 1; throw new Exception(); } F(1); }",
            "void N() { Func<int, int> f = x => { while (true) { if (x > 1) return x; } }; }",
            "void N() { async Task G() { await Task.Delay(1); } IEnumerable<int> H() { yield return 1; } void V() { } Action a = () => { return; }; }",
            "void N() { Func<Task> t = async () => { await Task.Delay(1); }; Func<Task<int>> u = async () => { await Task.Delay(1); return 1; }; ValueTask W() { return default; } }",
            "void N(IDisposable d) { using (var x = d) { } using (d) using (d) { } for (int i = 0; i < 1; i++) { int y = i; } }",
            "int N() { { int x = 1; return x; } }",
        ],
    );
}

#[test]
fn a_nested_function_uses_the_variables_that_it_may() {
    all_are(
        EditVerdict::NotProven,
        &[
            "int N(bool b) { static int F() => b ? 1 : 2; return F(); }",
            "int N(bool b) { Func<int> f = static () => b ? 1 : 2; return f(); }",
            "int N() { int x = 1; Func<int> f = static () => x; return f(); }",
            "int N() { int x = 1; static int F() { int G() => x; return G(); } return F(); }",
            "int N(ref int n) { Func<int> f = () => n; return f(); }",
            "int N(in int n) { int F() => n; return F(); }",
            "int N(out int n) { n = 1; Func<int> f = delegate { return n; }; return f(); }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "int N(int i) { const int k = 3; Func<int> f = static () => k + Stat; Func<int, int> g = static x => x + nameof(i).Length; return f() + g(1); }",
            "int N(int i) { int Own(int y) { return y + i; } static int F(int z) { int w = z; int G() => w; return G(); } return F(2) + Own(1); }",
            "int N(ref int i, in int j, out int k) { k = 1; int c = i; Func<int> f = () => c; return f() + i + j; }",
            "int N(ref int i) { Func<string> f = () => nameof(i); return f().Length; }",
            "void N() { Func<int, int> f = static x => { int y = x; return y; }; }",
        ],
    );
}

#[test]
fn what_a_type_with_an_unknown_base_takes_is_not_known() {
    let fixture = FIXTURE.replace("public class Parts { }", "public class Parts : Missing { }");
    for text in [
        "void N() { try { } catch (Parts) { } }",
        "bool N(Parts a, Open b) => a == b && (a as Open) == b && a is Open c;",
        "object N(Parts a) { var (x, y, z) = a; var w = a[1]; return new Parts { 1 }; }",
        "bool N(Parts a) => a is [1];",
        "Open N(Parts a, Open b) => b ?? a;",
        "void N(Parts a) { throw a; }",
    ] {
        let op = World::new(&fixture).edited("Open", add(text));
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{text}");
    }
}
