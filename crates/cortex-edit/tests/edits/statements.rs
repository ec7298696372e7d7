//! What the language forbids of statements: variables of one name, jumps that lead nowhere, code that cannot wait or give
//! elements, and labels that stand twice.

use cortex_edit::MemberAction;
use cortex_wire::{EditVerdict, WarningReason};

use crate::world::{World, check_new};

const FIXTURE: &str = "//- /A.cs project:App properties:AllowUnsafeBlocks=true,LangVersion=latest\nusing System;\nusing System.Collections.Generic;\nusing System.Linq;\n\
    using System.Threading.Tasks;\n\
    public class Open\n{\n    object gate = new();\n    static bool Try(string s, out int n) { n = 1; return true; }\n    Task<int> Wait() => null;\n    Task<int[]> Waits() => null;\n    IEnumerable<int> all;\n}\n\
    public class Prim(int n)\n{\n    public int N => n;\n}\n";

#[track_caller]
fn all_are(expected: EditVerdict, texts: &[&str]) {
    let cases: Vec<(&str, &str)> = texts.iter().map(|&text| ("Open", text)).collect();
    check_new(FIXTURE, expected, &cases);
}

#[test]
fn a_variable_has_a_name_that_none_around_it_has() {
    all_are(
        EditVerdict::NotProven,
        &[
            "void N() { int x = 1; int x = 2; }",
            "void N() { int x = 1, x = 2; }",
            "void N(int x) { int x = 2; }",
            "void N(int x, int x) { }",
            "void N() { int x = 1; { int x = 2; } }",
            "void N() { { int x = 2; } int x = 1; }",
            "void N() { for (int i = 0; i < 2; i++) { int i = 1; } }",
            "void N() { foreach (var x in all) { foreach (var x in all) { } } }",
            "void N() { if (Try(\"\", out var n)) { } Try(\"\", out var n); }",
            "void N(object o) { if (o is int x) { } if (o is int x) { } }",
            "void N(object o) { if (o is int x) { } else if (o is int x) { } }",
            "bool N(object o) => o is int x && o is int x;",
            "void N(object o) { while (o is int x) { int x = 1; } }",
            "void N(object o) { do { int x = 1; } while (o is int x); }",
            "void N(object o) { switch (o) { case int x: break; case string s: int x = 1; break; } }",
            "void N(int n) { switch (n) { case 1: int x = 1; break; case 2: int x = 2; break; } }",
            "void N() { try { } catch (Exception e) { int e = 1; } }",
            "void N(object o) { try { } catch (Exception e) when (o is int e) { } }",
            "void N() { using (var m = new System.IO.MemoryStream()) { int m = 1; } }",
            "object N(int x) => from x in all select x;",
            "object N() => from x in all from x in all select x;",
            "object N() { int x = 1; return from y in all join x in all on y equals x select y; }",
            "void N() { int L() => 1; int L = 2; }",
            "void N() { int L(int x) { int x = 1; return x; } L(1); }",
            "void N() { int L(int x, int x) => x; L(1, 2); }",
            "object N() { Func<int, int, int> f = (x, x) => x; return f; }",
            "object N() { Func<int, int> f = x => { int x = 1; return x; }; return f; }",
            "int N { set { int value = 1; } }",
            "int this[int i] { get { int i = 1; return i; } }",
            "void N<T>() { int T = 1; }",
            "void N() { (int a, int b) = (1, 2); var (a, c) = (1, 2); }",
            "void N() { foreach (var (a, b) in new[] { (1, 2) }) { int a = 1; } }",
            "int N(object o) => o switch { int x when o is int x => x, _ => 1 };",
            "class X(int a, int a) { int N => a; }",
        ],
    );
}

#[test]
fn a_variable_may_have_a_name_that_is_out_of_scope_or_hidden() {
    all_are(
        EditVerdict::Proven,
        &[
            "void N() { { int x = 1; } { int x = 2; } }",
            "void N() { for (int i = 0; i < 2; i++) { } for (int i = 0; i < 2; i++) { } }",
            "void N() { foreach (var x in all) { } foreach (var x in all) { int y = x; } }",
            "void N(object o) { while (o is int x) { } while (o is int x) { } }",
            "void N(object o) { if (o is int x) { } }  void M(object o) { if (o is int x) { } }",
            "void N(object o) { { if (o is int x) { } } { if (o is int x) { } } }",
            "void N(object o, bool b) { if (b) Try(\"\", out var n); else Try(\"\", out var n); }",
            "void N(object o) { switch (o) { case int x: break; case string x: break; } }",
            "void N(int n) { switch (n) { case 1: { int x = 1; break; } case 2: { int x = 2; break; } } }",
            "void N() { try { } catch (ArgumentException e) { } catch (Exception e) { } }",
            "void N() { Try(\"\", out _); Try(\"\", out _); _ = 1; _ = 2; }",
            "object N(int x) { Func<int, int> f = x => x; return f; }",
            "object N() { int x = 1; Func<int> f = () => { int x = 2; return x; }; return f; }",
            "object N() { int x = 1; int L(int x) { return x; } return L(x); }",
            "object N() { int x = 1; static int L() { int x = 2; return x; } return L() + x; }",
            "object N() { Func<int, int, int> f = (_, _) => 1; return f; }",
            "object N() => from x in all join y in all on x equals y into g from y in g select y;",
            "object N() => from x in all select x into x select x;",
            "object N() => from x in all select all.Select(x => x);",
            "object N() { var q = from x in all select x; var r = from x in all select x; return q; }",
            "int N(object o) => o switch { int x => x, long x => (int)x, _ => 1 };",
            "bool N(object o) => new Func<bool>(() => o is int x)() && o is int x;",
            "int N { get { int value = 1; return value; } }",
            "void N() { int args = 1; int value = 2; }",
            "void N() { int gate = 1; int Open = 2; }",
            "void N() { int x = 1; void L() { int y = x; } L(); int y = 2; }",
            "class X(int a) { int N() { int a = 1; return a; } int M => a; }",
            "class X { X(int n) : this(Try(\"\", out var m) ? m : n, 1) { int k = 1; } X(int n, int k) { } }",
        ],
    );
}

#[test]
fn variables_of_a_constructor_initializer_are_seen_in_the_body() {
    all_are(
        EditVerdict::NotProven,
        &[
            "class X { X(out int x) { x = 1; } X() : this(out var x) { int x = 2; } }",
            "class X { X(out int x) { x = 1; } X(string s) : this(out var s) { } }",
            "class X { X(bool b) { } X(object o) : this(o is int x) { int k = x; } }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "class B { public B(out int x) { x = 1; } } class D : B { int k; D() : base(out var x) { k = x; x = 2; } }",
            "class B { public B(out int x) { x = 1; } } class D : B { int k; D() : base(out int x) => k = x; }",
            "class X { int k; X(bool b) { } X(object o) : this(o is int x && x > 1) { x = 2; k = x; } }",
            "class X { X(out int x) { x = 1; } X(string s) : this(out var x) { Func<int> f = () => x; void L() { x = 1; } } }",
            "class X { X(out int x) { x = 1; } X() : this(out var x) { Func<int, int> f = x => x; } }",
            "class B(int n) { } class D(int m) : B(M(out var x) + x) { static int M(out int x) { x = 1; return 1; } }",
            "record X(int N) { X(string s) : this(int.TryParse(s, out var n) ? n : 0) { var k = n; } }",
        ],
    );
}

#[test]
fn a_jump_leads_to_where_it_may() {
    all_are(
        EditVerdict::NotProven,
        &[
            "void N() { break; }",
            "void N() { continue; }",
            "void N(int n) { switch (n) { case 1: continue; } }",
            "void N() { while (true) { Action f = () => { break; }; } }",
            "void N() { foreach (var x in all) { void L() { continue; } L(); } }",
            "void N() { goto A; }",
            "void N() { { A: ; } goto A; }",
            "void N() { A: Action f = () => { goto A; }; }",
            "void N() { A: ; A: ; goto A; }",
            "void N() { A: { A: ; goto A; } }",
            "void N() { A: Action f = () => { A: goto A; }; goto A; }",
            "void N() { goto default; }",
            "void N(int n) { goto case 1; }",
            "void N() { while (true) { try { } finally { break; } } }",
            "void N() { while (true) { try { } finally { continue; } } }",
            "void N() { A: try { } finally { goto A; } }",
            "void N() { try { } finally { return; } }",
            "void N() { throw; }",
            "void N() { try { } catch { Action f = () => { throw; }; } }",
            "void N(int n) { switch (n) { case 1: N(1); case 2: break; } }",
            "void N(int n) { switch (n) { case 1: break; default: N(1); } }",
            "void N(int n) { switch (n) { case 1: if (n > 1) break; case 2: break; } }",
            "void N(int n) { switch (n) { case 1: while (true || n > 1) { } case 2: break; } }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "void N() { while (true) { break; } for (;;) { continue; } }",
            "void N() { foreach (var x in all) { if (x > 1) continue; else break; } do { break; } while (true); }",
            "void N(int n) { while (true) { switch (n) { case 1: continue; case 2: return; default: break; } } }",
            "void N(int n) { switch (n) { case 1: goto case 2; case 2: goto default; default: throw null; } }",
            "void N(int n) { switch (n) { case 1: case 2: break; case 3: while (true) { } } }",
            "void N(int n) { switch (n) { case 1: { if (n > 1) return; else break; } case 2: goto A; } A: return; }",
            "void N(int n) { switch (n) { case 1: A: N(1); goto B; case 2: B: goto A; } }",
            "void N() { goto A; A: { goto A; } }",
            "void N() { goto A; A: B: ; goto B; }",
            "void N() { { A: goto A; } { A: goto A; } }",
            "void N() { { Action f = () => { A: goto A; }; } { A: goto A; } }",
            "void N() { try { } finally { while (true) { break; } foreach (var x in all) { continue; } } }",
            "void N() { try { } finally { Action f = () => { return; }; } }",
            "void N() { while (true) { try { break; } catch { continue; } } }",
            "void N() { try { } catch { try { throw; } finally { } } }",
            "void N(int n) { switch (n) { case 1: try { return; } finally { } } }",
            "const bool A = true; void N(int n) { switch (n) { case 1: while (A) { } case 2: do { } while (!false); default: for (; 1 < 2; ) { } } }",
            "void N(int n) { switch (n) { } switch (n) { default: ; break; } }",
            "void N() { unsafe { } checked { } { } }",
        ],
    );
}

#[test]
fn code_waits_where_it_can() {
    all_are(
        EditVerdict::NotProven,
        &[
            "void N() { await Wait(); }",
            "Task N() { await Wait(); return null; }",
            "object N() { Func<Task> f = () => { await Wait(); return null; }; return f; }",
            "async Task N() { Action f = () => { await Wait(); }; await Wait(); }",
            "async Task N() { void L() { await Wait(); } L(); await Wait(); }",
            "int N { get { return await Wait(); } }",
            "async Task N() { lock (gate) { await Wait(); } }",
            "async Task N() { try { } catch (Exception) when (await Wait() > 1) { } }",
            "void N(IAsyncEnumerable<int> a) { await foreach (var x in a) { } }",
            "void N(IAsyncDisposable a) { await using (a) { } }",
            "void N(IAsyncDisposable a) { await using var b = a; }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "async Task N() { await Wait(); }",
            "async Task<int> N() => await Wait();",
            "object N() { Func<Task> f = async () => await Wait(); return f; }",
            "object N() { async Task L() { await Wait(); } return L(); }",
            "async Task N() { lock (gate) { Func<Task> f = async () => { await Wait(); }; } await Wait(); }",
            "async Task N() { try { await Wait(); } catch { await Wait(); } finally { await Wait(); } }",
            "async Task N(IAsyncEnumerable<int> a) { await foreach (var x in a) { } }",
            "async Task N(IAsyncDisposable a) { await using (a) { } await using var b = a; }",
        ],
    );
}

#[test]
fn a_query_waits_for_its_first_sequence_and_for_joined_ones() {
    all_are(
        EditVerdict::NotProven,
        &[
            "async Task<object> N() => from x in all select await Wait();",
            "async Task<object> N() => from x in all where await Wait() > 1 select x;",
            "async Task<object> N() => from x in all from y in await Waits() select x;",
            "async Task<object> N() => from x in all join y in all on await Wait() equals y select x;",
            "async Task<object> N() => from x in all join y in all on x equals await Wait() select x;",
            "async Task<object> N() => from x in all let y = await Wait() select x;",
            "async Task<object> N() => from x in all orderby await Wait() select x;",
            "async Task<object> N() => from x in all group x by await Wait();",
            "async Task<object> N() => from x in all group await Wait() by x;",
            "async Task<object> N() => from x in all select x into g from y in await Waits() select g;",
            "async Task<object> N() => from x in (from y in all select await Wait()) select x;",
            "async Task<object> N() => from x in all from z in (from y in await Waits() select y) select x;",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "async Task<object> N() => from x in await Waits() select x;",
            "async Task<object> N() => from int x in await Waits() select x;",
            "async Task<object> N() => from x in all join y in await Waits() on x equals y select x;",
            "async Task<object> N() => from x in all join y in await Waits() on x equals y into g select g;",
            "async Task<object> N() => from x in all select x into g join y in await Waits() on g equals y select g;",
            "async Task<object> N() => from x in all select (Func<Task<int>>)(async () => await Wait());",
            "async Task<object> N() => from x in (from y in await Waits() select y) select x;",
            "async Task<object> N() => from x in all join y in (from z in await Waits() select z) on x equals y select x;",
            "async Task<object> N() => from x in all select new Func<Task>(async () => { var q = from z in await Waits() select z; });",
        ],
    );
}

#[test]
fn a_function_that_goes_on_later_takes_no_references() {
    all_are(
        EditVerdict::NotProven,
        &[
            "IEnumerable<int> N(ref int x) { yield return 1; }",
            "IEnumerable<int> N(out int x) { x = 1; yield break; }",
            "IEnumerable<int> N(in int x) { yield return 1; }",
            "IEnumerator<int> N(ref readonly int x) { yield return 1; }",
            "void N() { IEnumerable<int> L(ref int x) { yield return 1; } }",
            "IEnumerable<int> this[in int x] { get { yield return 1; } }",
            "async Task N(ref int x) { await Wait(); }",
            "async Task N(out int x) { x = 1; await Wait(); }",
            "async Task N(in int x) { await Wait(); }",
            "void N() { async Task L(ref int x) { await Wait(); } }",
            "delegate Task D(ref int x); void N() { D d = async (ref int x) => { await Wait(); }; }",
            "delegate Task D(in int x); void N() { D d = async (in x) => await Wait(); }",
            "delegate Task D(ref int x); void N() { D d = async delegate(ref int x) { await Wait(); }; }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "IEnumerable<int> N(ref int x) => null;",
            "IEnumerable<int> N(ref int x) { IEnumerable<int> L() { yield return 1; } return L(); }",
            "IEnumerable<int> N(int x, params int[] y) { void L(ref int z) { } yield return 1; }",
            "void N() { IEnumerable<int> L(ref int x) => null; }",
            "IEnumerable<int> this[int x] { get { yield return 1; } }",
            "Task N(ref int x) => null;",
            "async Task N(int x) { int L(ref int y) => y; await Wait(); }",
            "delegate Task D(ref int x); void N() { D d = (ref int x) => null; }",
            "delegate void D(ref int x); async Task N() { D d = (ref int x) => { }; await Wait(); }",
        ],
    );
}

#[test]
fn a_switch_names_each_value_once() {
    all_are(
        EditVerdict::NotProven,
        &[
            "void N(int n) { switch (n) { case 1: break; case 0 + 1: break; } }",
            "void N(string n) { switch (n) { case \"N\": break; case nameof(N): break; } }",
            "const string A = \"a\"; void N(string n) { switch (n) { case \"a\": break; case A: break; } }",
            "const int A = 2; void N(int n) { switch (n) { case A: break; case 2: break; } }",
            "enum E { A, B = 0, C } void N(E n) { switch (n) { case E.A: break; case E.B: break; } }",
            "enum E { A, B = 0, C } void N(E n) { switch (n) { case E.A: break; case (E)0: break; } }",
            "enum E { A, B = 0, C } void N(E n) { switch (n) { case E.A: break; case 0: break; } }",
            "void N(int n) { switch (n) { case 1: break; case 0x1: break; } }",
            "void N(char n) { switch (n) { case 'a': break; case '\\u0061': break; } }",
            "void N(long n) { switch (n) { case 1: break; case 1L: break; } }",
            "void N(byte n) { switch (n) { case 1: break; case 0b1: break; } }",
            "void N(int? n) { switch (n) { case 1: break; case 0 + 1: break; case null: break; } }",
            "void N(object n) { switch (n) { case 1: break; case 2 - 1: break; } }",
            "void N(bool n) { switch (n) { case true: break; case !false: break; } }",
            "void N(int n) { switch (n) { case 1: break; case 0 + 1 when n > 1: break; } }",
            "void N(int n) { const int x = 1; switch (n) { case x: break; case 1: break; } }",
            "int N(int n) => n switch { 1 => 1, 0 + 1 => 2, _ => 3 };",
            "int N(string n) => n switch { \"N\" => 1, nameof(N) => 2, _ => 3 };",
            "int N(int n) => n switch { 1 or 2 => 1, 0 + 1 => 2, (3 or 4) => 3, 2 + 1 or 1 => 4, _ => 5 };",
            "void N(int n) { switch (n) { case 1: break; case (1): break; } }",
            "void N(string n) { switch (n) { case \"ab\": break; case \"a\" + \"b\": break; } }",
            "void N(string n) { switch (n) { case \"a\\\\\": break; case @\"a\\\": break; } }",
            "void N(ulong n) { switch (n) { case 0xFFFFFFFFFFFFFFFF: break; case 18446744073709551615: break; } }",
            "void N(int n) { switch (n) { case -1: break; case ~0: break; } }",
            "void N(int n) { switch (n) { case int.MaxValue: break; case 0x7FFFFFFF: break; } }",
            "void N(DayOfWeek n) { switch (n) { case DayOfWeek.Monday: break; case (DayOfWeek)1: break; } }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "void N(object n) { switch (n) { case 1: break; case 1L: break; case (byte)1: break; case 1u: break; } }",
            "void N(object n) { switch (n) { case 'a': break; case 97: break; } }",
            "enum E { A, B } void N(object n) { switch (n) { case E.B: break; case 1: break; } }",
            "void N(int n) { switch (n) { case 1 when n > 1: break; case 0 + 1: break; } }",
            "void N(int n) { switch (n) { case 1: goto case 0 + 1; case 2: break; } }",
            "void N(string n) { switch (n) { case \"a\": break; case \"A\": break; case \"\": break; case null: break; } }",
            "enum E { A, B = 0, C } void N(E n) { switch (n) { case E.A: break; case E.C: break; case (E)7: break; } }",
            "const int A = 2; void N(int n) { const int A = 3; switch (n) { case A: break; case 2: break; } }",
            "int N(object n) => n switch { 1 => 1, 1L => 2, \"a\" => 3, Prim => 4, _ => 5 };",
            "int N(int n) => n switch { 1 => 1, 0 + 1 or 2 => 2, not 1 and not 2 => 3 };",
            "void N(string n) { switch (n) { case nameof(n): break; case \"N\": break; case nameof(N) + \"n\": break; } }",
            "void N(long n) { switch (n) { case 5000000000: break; case 6000000000: break; case -5000000000: break; } }",
            "void N(int n) { switch (n) { case 1: switch (n) { case 1: break; } break; case 2: break; } }",
            "void N(int n, int m) { switch (n) { case 1: break; } switch (m) { case 0 + 1: break; } }",
            "void N(double n) { switch (n) { case 1: break; case 1.5: break; case double.NaN: break; } }",
        ],
    );
}

#[test]
fn a_label_has_the_value_that_its_type_holds() {
    all_are(
        EditVerdict::Proven,
        &[
            "void N(long n) { switch (n) { case 1 << 31: break; case 0x80000000: break; } }",
            "void N(long n) { switch (n) { case ~0u: break; case -1: break; } }",
            "void N(long n) { switch (n) { case (byte)257: break; case 257: break; } }",
            "void N(string n) { switch (n) { case \"\\uD83D\\uDE00\": break; case \"\\uD83D\\uDE01\": break; } }",
            "void N(string n) { switch (n) { case \"\\uD83D\": break; case \"\\uD83E\": break; } }",
            "void N(char n) { switch (n) { case '\\uD83D': break; case '\\uDE00': break; } }",
        ],
    );
    all_are(
        EditVerdict::NotProven,
        &[
            "void N(long n) { switch (n) { case 0xFFFFFFFF: break; case ~0u: break; } }",
            "void N(int n) { switch (n) { case 257 - 256: break; case (byte)257: break; } }",
            "void N(long n) { switch (n) { case 5000000000: break; case 5_000_000_000L: break; } }",
            "const long Big = 5000000000; void N(long n) { switch (n) { case Big: break; case 5000000000: break; } }",
            "void N(string n) { switch (n) { case \"\\uD83D\\uDE00\": break; case \"\\U0001F600\": break; } }",
            "void N(char n) { switch (n) { case '\\uD83D': break; case '\\xD83D': break; } }",
        ],
    );
}

#[test]
fn a_long_condition_is_followed_once() {
    let check = || {
        let terms = vec!["n == 1"; 1_000].join(" || ");
        let text =
            format!("int N(int n) {{ int x; if ({terms}) x = 1; else return 2; return x; }}");
        let start = std::time::Instant::now();
        all_are(EditVerdict::Proven, &[&text]);
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    };
    // Conditions are followed as deep as they are.
    let thread = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(check);
    thread.expect("it runs").join().expect("it is fast");
}

#[test]
fn elements_are_given_by_iterators() {
    all_are(
        EditVerdict::NotProven,
        &[
            "void N() { yield return 1; }",
            "int N() { yield return 1; }",
            "int N() { yield break; }",
            "Open() { yield break; }",
            "int N { set { yield break; } }",
            "object N() { Func<IEnumerable<int>> f = () => { yield return 1; }; return f; }",
            "IEnumerable<int> N() { yield return 1; return null; }",
            "IEnumerable<int> N() { try { yield return 1; } catch { } }",
            "IEnumerable<int> N() { try { } catch { yield return 1; } }",
            "IEnumerable<int> N() { try { } finally { yield return 1; } }",
            "IEnumerable<int> N() { try { } finally { yield break; } }",
            "IEnumerable<int> N() { void L() { yield return 1; } L(); yield break; }",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "IEnumerable<int> N() { yield return 1; yield break; }",
            "IEnumerator<int> N() { yield break; }",
            "System.Collections.IEnumerable N() { yield return 1; }",
            "System.Collections.IEnumerator N() { yield return null; }",
            "IEnumerable<int> N { get { yield return 1; } }",
            "async IAsyncEnumerable<int> N() { await Wait(); yield return 1; }",
            "IEnumerable<int> N() { try { yield return 1; } finally { } }",
            "IEnumerable<int> N() { try { yield break; } catch { yield break; } }",
            "IEnumerable<int> N() { Func<int> f = () => { return 1; }; yield return f(); }",
            "IEnumerable<int> N() { return L(); IEnumerable<int> L() { yield return 1; } }",
            "IEnumerable<T> N<T>(T t) { yield return t; }",
        ],
    );
}

#[test]
fn a_label_of_a_switch_stands_once() {
    all_are(
        EditVerdict::NotProven,
        &[
            "void N(int n) { switch (n) { case 1: break; case 1: break; } }",
            "void N(int n) { switch (n) { case 1: case 1: break; } }",
            "void N(string s) { switch (s) { case \"a\": break; case \"a\": break; } }",
            "void N(DayOfWeek d) { switch (d) { case DayOfWeek.Monday: break; case DayOfWeek.Monday: break; } }",
            "void N(int n) { switch (n) { default: break; default: break; } }",
            "void N(object o) { switch (o) { case string s: break; case string t: break; } }",
            "void N(int n, bool b) { switch (n) { case 1: break; case 1 when b: break; } }",
            "int N(int n) => n switch { 1 => 1, 1 => 2, _ => 3 };",
            "int N(object o) => o switch { string s => 1, string t => 2, _ => 3 };",
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            "void N(int n) { switch (n) { case 1: case 2: break; case -1: break; default: break; } }",
            "void N(int n, bool b) { switch (n) { case 1 when b: break; case 1: break; } }",
            "void N(object o) { switch (o) { case string s when s == \"\": break; case string t: break; } }",
            "void N(object o) { switch (o) { case string s: switch (o) { case string t: break; } break; } }",
            "int N(int n) => n switch { 1 => n switch { 1 => 1, _ => 2 }, _ => 3 };",
            "void N(object o) { switch (o) { case List<int> a: break; case List<string> a: break; } }",
        ],
    );
}

/// The reasons of warnings about what is not allowed, with their lines.
fn forbidden(files: &str, diff: &str) -> Vec<String> {
    let op = World::new(files).patch(diff).expect("it is planned");
    let warnings = op.answer.warnings.iter();
    let warnings = warnings.filter(|it| it.reason == WarningReason::NotAllowed);
    warnings
        .map(|it| format!("{}: {}", it.line, it.name))
        .collect()
}

#[test]
fn what_was_forbidden_before_is_not_held_against_an_edit() {
    let files = "//- /A.cs\nclass A\n{\nvoid M()\n{\nint x = 1;\nint x = 2;\nbreak;\n}\n}\n";
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -4,2 +4,3 @@\n {\n+int y = 1;\n int x = 1;\n";
    assert_eq!(forbidden(files, diff), [""; 0]);
}

#[test]
fn statements_that_an_edit_leaves_without_what_they_need_are_told() {
    let files = "//- /A.cs\nclass A\n{\nvoid M()\n{\nwhile (true)\n{\nbreak;\n}\n}\n}\n";
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -5,1 +5,1 @@\n-while (true)\n+if (true)\n";
    assert_eq!(
        forbidden(files, diff),
        ["7: break (there is no loop or `switch` around it)"]
    );
    let files =
        "//- /A.cs\nclass A\n{\nasync System.Threading.Tasks.Task M()\n{\nawait M();\n}\n}\n";
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -3,1 +3,1 @@\n-async System.Threading.Tasks.Task M()\n+void M()\n";
    assert!(
        forbidden(files, diff)
            .contains(&"5: await (the function around it is not `async`)".to_owned())
    );
    let files = "//- /A.cs\nclass A\n{\nvoid M()\n{\n{\nint x = 1;\n}\n}\n}\n";
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -7,1 +7,2 @@\n }\n+int x = 2;\n";
    assert_eq!(
        forbidden(files, diff),
        ["6: x (a variable around it or beside it has its name)"]
    );
}

#[test]
fn labels_of_a_switch_that_stand_twice_are_told_where_they_stand_again() {
    let files = "//- /A.cs\nclass A\n{\nvoid M(int n)\n{\nswitch (n)\n{\ncase 1: break;\ndefault: break;\n}\n}\n}\n";
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -8,1 +8,3 @@\n default: break;\n+case 1: break;\n+default: break;\n";
    let told = forbidden(files, diff);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("9: ") && told[0].contains("a label before it is the same"));
    assert!(told[1].starts_with("10: ") && told[1].contains("there is a `default` before it"));
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -8,1 +8,2 @@\n default: break;\n+case 0 + 1: break;\n";
    let told = forbidden(files, diff);
    assert!(
        told.len() == 1 && told[0].contains("a label before it has its value"),
        "{told:?}"
    );
}

#[test]
fn a_diff_may_bring_variables_of_one_name_that_see_none_of_each_other() {
    let files = "//- /A.cs\nclass A\n{\nvoid M(object o)\n{\n}\n}\n";
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -4,1 +4,7 @@\n {\n+switch (o)\n+{\n+case int x: break;\n+case string x: break;\n+}\n+if (o is int y) { } else { var z = o is int w; }\n";
    let op = World::new(files).patch(diff).expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    let diff = "--- a/A.cs\n+++ b/A.cs\n@@ -4,1 +4,3 @@\n {\n+int x = 1;\n+int x = 2;\n";
    let op = World::new(files).patch(diff).expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
}

#[test]
fn a_variable_is_renamed_to_that_of_another_section() {
    let files = "//- /A.cs\nclass A\n{\nint M(object o)\n{\nswitch (o)\n{\ncase int x: return x;\ncase long y: return (int)y;\ndefault: return 1;\n}\n}\n}\n";
    let verdict = |to: &str| {
        let op = World::new(files).rename("A.cs:8:11", to);
        op.expect("it is planned").answer.verdict
    };
    assert_eq!(verdict("x"), EditVerdict::Proven);
    assert_eq!(verdict("o"), EditVerdict::ChangedMeaning);
}

#[test]
fn a_variable_of_an_initial_value_may_have_the_name_of_a_parameter_of_its_type() {
    for (code, expected) in [
        (
            "bool b = int.TryParse(\"\", out var x);",
            EditVerdict::Proven,
        ),
        (
            "bool b = int.TryParse(\"\", out var x) && x > 1;",
            EditVerdict::Proven,
        ),
        (
            "bool P { get; } = int.TryParse(\"\", out var x);",
            EditVerdict::Proven,
        ),
        ("System.Func<int, int> f = x => x;", EditVerdict::Proven),
        ("bool b = \"\" is string x;", EditVerdict::Proven),
        ("int N() { int x = 1; return x; }", EditVerdict::Proven),
    ] {
        for ty in ["class", "struct", "record"] {
            let world = World::new(&format!(
                "//- /A.cs\n{ty} C(int x)\n{{\n    int M() => x;\n}}\n"
            ));
            let op = world.edited("C.M", MemberAction::InsertAfter { text: code });
            assert_eq!(op.answer.verdict, expected, "{ty} {code}: {:#?}", op.answer);
        }
    }
}

#[test]
fn a_variable_gets_the_name_of_a_parameter_of_its_type_that_its_initial_value_does_not_use() {
    for (code, lines) in [
        ("bool b = int.TryParse(\"\", out var z);", &[][..]),
        (
            "bool P { get; } = int.TryParse(\"\", out var z) && z > 1;",
            &[],
        ),
        ("bool b = int.TryParse(\"\", out var z) && x > 1;", &[3]),
    ] {
        for ty in ["class", "record"] {
            let world = World::new(&format!(
                "//- /A.cs\n{ty} C(int x)\n{{\n{code}\nint M() => x;\n}}\n"
            ));
            let column = code.find("var z").expect("it is there") + 5;
            let op = world.rename(&format!("A.cs:3:{column}"), "x");
            let answer = op.expect("it is planned").answer;
            let found: Vec<u32> = answer.differences.iter().map(|it| it.line).collect();
            assert_eq!(found, lines, "{ty} {code}: {answer:#?}");
        }
    }
}

#[test]
fn a_variable_of_the_arguments_of_a_base_has_no_name_of_a_parameter_of_its_type() {
    for ty in ["class", "record"] {
        let base = format!("{ty} D {{ public D(bool b) {{ }} }}\n");
        let derived = |variable: &str| {
            format!(
                "{ty} C(int x) : D(int.TryParse(\"\", out var {variable}))\n{{\n    int M() => x;\n}}\n"
            )
        };
        for (variable, expected) in [("x", EditVerdict::NotProven), ("y", EditVerdict::Proven)] {
            let world = World::new(&format!("//- /A.cs\n{base}{}", derived("z")));
            let text = derived(variable);
            let op = world.edited("C", crate::world::replace(&text));
            assert_eq!(
                op.answer.verdict, expected,
                "{ty} {variable}: {:#?}",
                op.answer
            );
        }
        let world = World::new(&format!("//- /A.cs\n{base}{}", derived("z")));
        let column = derived("z").find("out var z").expect("it is there") + 9;
        let op = world
            .rename(&format!("A.cs:2:{column}"), "x")
            .expect("it is planned");
        assert_eq!(
            op.answer.verdict,
            EditVerdict::ChangedMeaning,
            "{ty}: {:#?}",
            op.answer
        );
    }
}
