//! What the language forbids of values: for what cannot get another one, where a constant is wanted, and where a statement
//! takes others.

use cortex_wire::EditVerdict;

use crate::world::{World, check_new};

const FIXTURE: &str = "//- /A.cs project:App properties:AllowUnsafeBlocks=true,LangVersion=latest\nusing System;\nusing System.Collections.Generic;\nusing System.Linq;\n\
    using System.IO;\nusing System.Threading.Tasks;\n\
    public class Open\n{\n    readonly int fixedOne = 1;\n    static readonly int fixedAll = 1;\n    const int Two = 2;\n    int free;\n    static int all;\n    int GetOnly { get; }\n    int Computed => 1;\n    int Both { get; set; }\n    int First { get; init; }\n    Part part;\n    readonly Part kept;\n    Part Parts { get; set; }\n    ref int Ref => ref free;\n    static void Fill(out int n) { n = 1; }\n    static void Change(ref int n) { n = 1; }\n    int Call() => 1;\n    ref int Called() => ref free;\n}\n\
    public struct Part\n{\n    public int N;\n    public int P { get; set; }\n    public readonly int K;\n}\n\
    public class Base\n{\n    public readonly int Old;\n    public virtual int Virt { get; set; }\n    public int Init { get; init; }\n    public int Get { get; }\n}\n\
    public class Derived : Base\n{\n    public override int Virt { get => 1; }\n}\n\
    public class Index\n{\n    public int this[int n] => n;\n    public int this[string s] { get => 1; set { } }\n}\n\
    public record Rec(int N);\n\
    public record struct Val(int N);\n\
    public ref struct Closed\n{\n    public void Dispose() { }\n}\n\
    public class Almost\n{\n    public void Dispose() { }\n    public ValueTask DisposeAsync() => default;\n}\n\
    public struct Own : IDisposable\n{\n    public void Dispose() { }\n}\n";

#[track_caller]
fn all_are(expected: EditVerdict, cases: &[(&str, &str)]) {
    check_new(FIXTURE, expected, cases);
}

#[test]
fn what_is_read_alone_gets_no_value() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void N() { fixedOne = 2; }"),
            ("Open", "void N() { fixedOne++; }"),
            ("Open", "void N() { this.fixedOne += 1; }"),
            ("Open", "void N(Open o) { o.fixedOne = 1; }"),
            ("Open", "void N() { fixedAll = 2; }"),
            ("Open", "void N() { Fill(out fixedOne); }"),
            ("Open", "void N() { (fixedOne, free) = (1, 2); }"),
            ("Open", "Open() { fixedAll = 2; }"),
            ("Open", "Open(Open o) { o.fixedOne = 2; }"),
            ("Open", "void N() { Two = 3; }"),
            ("Open", "void N() { Open.Two++; }"),
            ("Open", "void N() { const int x = 1; x = 2; }"),
            ("Open", "void N() { GetOnly = 1; }"),
            ("Open", "void N() { Computed = 1; }"),
            ("Open", "int N { init { GetOnly = 1; } }"),
            ("Open", "void N() { First = 1; }"),
            ("Open", "void N(Rec r) { r.N = 1; }"),
            ("Open", "object N() => new Open { GetOnly = 1 };"),
            ("Open", "object N() => new Open { fixedOne = 1 };"),
            ("Open", "void N() { Fill(out Both); }"),
            ("Open", "void N() { Change(ref Both); }"),
            ("Open", "void N() { Change(ref Two); }"),
            (
                "Open",
                "void N() { foreach (var x in new int[1]) { x = 1; } }",
            ),
            (
                "Open",
                "void N() { foreach (var x in new int[1]) { x++; Fill(out x); } }",
            ),
            (
                "Open",
                "void N() { foreach (var (x, y) in new (int, int)[1]) { x = 1; } }",
            ),
            (
                "Open",
                "void N() { foreach (var x in new Part[1]) { x.N = 1; } }",
            ),
            (
                "Open",
                "void N() { using var x = new MemoryStream(); x = null; }",
            ),
            (
                "Open",
                "void N() { using (var x = new MemoryStream()) { x = null; } }",
            ),
            ("Open", "void N(in int x) { x = 1; }"),
            ("Open", "void N(ref readonly int x) { x = 1; }"),
            ("Open", "void N(in Part x) { x.N = 1; }"),
            ("Open", "void N() { this = null; }"),
            ("Open", "void N() { Call = null; }"),
            ("Open", "void N() { Call() = 1; }"),
            ("Open", "void N() { (free + 1)++; }"),
            ("Open", "void N() { new Open() = null; }"),
            ("Open", "void N() { int L() => 1; L = null; }"),
            ("Open", "object N() => from x in new int[1] select x = 1;"),
            ("Open", "void N() { Parts.N = 1; }"),
            ("Open", "void N() { kept.N = 1; }"),
            ("Open", "void N() { kept.P = 1; }"),
            ("Open", "void N(string s) { s[0] = 'a'; }"),
            ("Open", "void N(Index i) { i[0] = 1; }"),
            ("Open", "void N(ReadOnlySpan<int> s) { s[0] = 1; }"),
            ("Open", "void N(IReadOnlyList<int> s) { s[0] = 1; }"),
            (
                "Open",
                "void N(Exception e) { e.Message = \"\"; e.Data = null; }",
            ),
            ("Open", "Open() { Action f = () => fixedOne = 1; }"),
            ("Open", "Open() { Action f = () => First = 1; }"),
            ("Open", "Open() { void L() { fixedOne = 1; } L(); }"),
            ("Open", "void N(Index i) { i[0]++; }"),
            ("Open", "void N() { ref int r = ref fixedOne; }"),
            ("Open", "void N() { ref int r = ref Both; }"),
            ("Open", "void N(in int k) { ref var r = ref k; }"),
            ("Derived", "public Derived() { Old = 1; }"),
            ("Derived", "public Derived() { Get = 1; }"),
        ],
    );
}

#[test]
fn a_property_is_set_by_the_accessor_that_it_has_or_inherits() {
    all_are(
        EditVerdict::NotProven,
        &[
            (
                "Open",
                "class A : B { public override int P { get => 1; } A() { P = 1; } } class B : A { public override int P { get => 1; } }",
            ),
            (
                "Open",
                "class X { public virtual int P { get; } } class Y : X { public override int P { get => 1; } } object N() => new Y { P = 1 };",
            ),
            (
                "Open",
                "class X { public virtual int P { get; init; } } class Y : X { public override int P { get => 1; } } void N(Y y) { y.P = 1; }",
            ),
            (
                "Open",
                "struct X { int P { get; init; } void M() { P = 1; } }",
            ),
            (
                "Open",
                "record struct X { int P { get; init; } void M() { P = 1; } }",
            ),
            (
                "Open",
                "readonly record struct X(int P); void N(X x) { x.P = 1; }",
            ),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "object N() => new Derived { Virt = 1, Init = 2 };"),
            (
                "Open",
                "class X { public virtual int P { get; init; } } class Y : X { public override int P { get => 1; } Y() { P = 1; } } object N() => new Y { P = 1 };",
            ),
            (
                "Open",
                "record struct X { public readonly int P { get => 1; set { } } void M() { P = 1; } } void N(X x) { x.P = 1; }",
            ),
            (
                "Open",
                "struct X { readonly int P { get => 1; set { } } readonly void M() { P = 1; } }",
            ),
        ],
    );
}

#[test]
fn an_integer_that_is_large_stands_where_its_type_does() {
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "const ulong Big = 10000000000; ulong N() => Big;"),
            ("Open", "ulong N() => 10000000000 / 1000;"),
            ("Open", "ulong N() => 10000000000 * 2;"),
            (
                "Open",
                "ulong? N(ulong n) => n > 10000000000 ? 10000000000 : null;",
            ),
            ("Open", "long N() => -9223372036854775808;"),
            ("Open", "long N() => -10000000000 + 5000000000;"),
            (
                "Open",
                "ulong N() => (ulong)10000000000L | 18446744073709551615;",
            ),
            ("Open", "double N() => 10000000000 + 0.5;"),
            ("Open", "decimal N() => 10000000000;"),
            (
                "Open",
                "enum X : long { A = 10000000000, B = -A } X N() => (X)10000000000;",
            ),
            ("Open", "uint N() => (uint)(10000000000 / 1000);"),
            ("Open", "int N() => unchecked((int)10000000000);"),
        ],
    );
}

#[test]
fn what_is_a_variable_gets_a_value() {
    all_are(
        EditVerdict::Proven,
        &[
            (
                "Open",
                "void N() { free = all = 1; this.free++; Open.all--; }",
            ),
            (
                "Open",
                "void N() { Fill(out free); Change(ref free); Fill(out var x); x = 2; }",
            ),
            (
                "Open",
                "void N() { (free, Both) = (1, 2); Both += 1; Both++; }",
            ),
            (
                "Open",
                "Open() { fixedOne = 2; this.fixedOne++; GetOnly = 1; First = 2; this.First = 3; }",
            ),
            (
                "Open",
                "Open(in int k) { ref int r = ref fixedOne; ref readonly int s = ref k; ref int t = ref Ref; }",
            ),
            (
                "Open",
                "Open() { Fill(out fixedOne); kept.N = 1; (fixedOne, free) = (1, 2); }",
            ),
            ("Open", "static Open() { fixedAll = 2; Open.fixedAll = 3; }"),
            ("Open", "int N { init { fixedOne = value; First = 1; } }"),
            ("Open", "bool N(object o, Base Base) => o is Base;"),
            (
                "Open",
                "static readonly int N = Make(out M); static readonly int M; static int Make(out int n) { n = 1; return 1; }",
            ),
            (
                "Open",
                "void N(in int x) { ref readonly int y = ref x; y = ref free; x = ref free; ref int z = ref all; z = ref free; z = 1; }",
            ),
            (
                "Open",
                "void N() { new int[1].AsSpan()[0] = 1; ref var x = ref part.N; x++; }",
            ),
            (
                "Open",
                "void N() { Fill(out part.N); Change(ref kept2.Item1); } (int, int) kept2;",
            ),
            ("Open", "event Action E; void N() { E = null; E += N; }"),
            ("Open", "class X(int n) { void N() { n = 1; n++; } }"),
            ("Open", "record X(int M) { X() : this(1) { M = 2; } }"),
            (
                "Open",
                "abstract class X { public abstract int P { get; } } class Y : X { public override int P { get; } Y() { P = 1; } }",
            ),
            (
                "Open",
                "struct X { int P { get; init; } X(int n) { P = n; this.P = 2; } }",
            ),
            (
                "Open",
                "interface I { static int P { get; set; } } void N() { I.P = 1; }",
            ),
            (
                "Open",
                "unsafe void N(int[] a) { fixed (int* p = a) { *p = 1; p[0] = 2; } }",
            ),
            (
                "Open",
                "void N(System.Text.StringBuilder b) { b[0] = 'a'; b.Length--; b.Capacity = 1; }",
            ),
            (
                "Open",
                "void N(Dictionary<string, int> d) { d[\"a\"]++; d[\"b\"] = 1; }",
            ),
            (
                "Open",
                "void N(IList<int> d, Span<int> s) { d[0] = 1; s[0] = 2; s[^1]++; }",
            ),
            (
                "Open",
                "void N(System.Threading.Thread t, Exception e) { t.Name = \"\"; e.HelpLink = \"\"; Environment.ExitCode = 1; }",
            ),
            (
                "Open",
                "object N() => new Open { First = 1, Both = 2, free = 3 };",
            ),
            ("Open", "object N(Rec r) => r with { N = 2 };"),
            ("Open", "void N(Val v) { v.N = 1; }"),
        ],
    );
}

#[test]
fn a_variable_of_a_statement_or_type_gets_a_value_where_it_may() {
    all_are(
        EditVerdict::Proven,
        &[
            (
                "Open",
                "void N() { foreach (ref var x in new int[1].AsSpan()) { x = 1; } }",
            ),
            (
                "Open",
                "void N() { foreach (var x in new Open[1]) { x.free = 1; } }",
            ),
            (
                "Open",
                "void N() { foreach (var x in new Part[1]) { var y = x; y.N = 1; } }",
            ),
            (
                "Open",
                "void N() { using var x = new MemoryStream(); x.Position = 1; }",
            ),
            ("Open", "void N(in Open x) { x.free = 1; }"),
            (
                "Open",
                "void N(int x, ref int y, out int z) { x = 1; y = 2; z = 3; }",
            ),
            ("Open", "void N(object o) { if (o is int x) { x = 1; } }"),
            (
                "Open",
                "void N() { try { } catch (Exception e) { e = null; } }",
            ),
            (
                "Open",
                "void N() { Ref = 1; Ref++; Called() = 2; Change(ref Called()); Fill(out Ref); }",
            ),
            (
                "Open",
                "void N() { part.N = 1; part.P = 2; this.part.N++; }",
            ),
            (
                "Open",
                "void N(int[] a, List<int> b, Index i) { a[0] = 1; b[0]++; i[\"\"] = 1; Fill(out a[0]); }",
            ),
            ("Open", "void N(Part[] a) { a[0].N = 1; a[0].P = 1; }"),
            (
                "Open",
                "void N(bool b, int x, int y) { (b ? ref x : ref y) = 1; }",
            ),
            (
                "Open",
                "void N() { Action f = null; f += () => { }; Func<int> g = Call; g = null; }",
            ),
            ("Open", "void N(dynamic d) { d.X = 1; d[0] = 2; }"),
            (
                "Open",
                "void N() { var t = (a: 1, b: 2); t.a = 3; t.Item2++; }",
            ),
            (
                "Open",
                "unsafe void N(int* p, Part* q) { *p = 1; p[0] = 2; q->N = 3; (*q).N = 4; }",
            ),
            ("Open", "void N(Open o) { o?.Both = 1; }"),
            ("Open", "void N() { _ = 1; (_, _) = (1, 2); (free) = 1; }"),
            ("Derived", "void N() { Virt = 1; base.Virt = 2; }"),
            ("Derived", "public Derived() { Init = 1; base.Init = 2; }"),
            ("Part", "void M() { this = default; N = 1; this.P = 2; }"),
            ("Part", "Part(int n) { K = n; N = n; P = n; }"),
        ],
    );
}

#[test]
fn a_property_gets_its_first_value_where_it_has_a_field() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "Open() { Computed = 1; }"),
            ("Open", "int P { get { return 1; } } Open() { P = 1; }"),
            ("Open", "int P { get => 1; } Open() { this.P++; }"),
            ("Open", "static int P => 1; static Open() { P = 1; }"),
            ("Open", "int field; int P => @field; Open() { P = 1; }"),
            ("Open", "Open() { (Computed, free) = (1, 2); }"),
            (
                "Open",
                "abstract class X { public abstract int P { get; } X() { P = 1; } }",
            ),
            (
                "Open",
                "class X { public extern int P { get; } X() { P = 1; } }",
            ),
            (
                "Open",
                "class X : Base { public override int Virt => 1; } class Y { public virtual int P { get; } } class Z : Y { public override int P => 1; Z() { P = 1; } }",
            ),
            ("Open", "struct X { int P => 1; X(int n) { P = 1; } }"),
            (
                "Open",
                "record X(int N) { int N => 1; X() : this(1) { N = 1; } }",
            ),
            (
                "Open",
                "partial class X { partial int P { get; } partial int P => 1; X() { P = 1; } }",
            ),
            ("Open", "int this[int n] => 1; Open() { this[0] = 1; }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            ("Open", "int P { get; } Open() { P = 1; this.P++; }"),
            ("Open", "int P => field; Open() { P = 1; }"),
            (
                "Open",
                "int P { get { return field + 1; } } Open() { P = 1; }",
            ),
            ("Open", "static int P { get; } static Open() { P = 1; }"),
            ("Open", "int P { [Obsolete] get; } = 2; Open() { P = 1; }"),
            (
                "Open",
                "class X { public virtual int P { get; } public X() { P = 1; } } class Y : X { public override int P { get; } Y() { P = 1; } }",
            ),
            (
                "Open",
                "interface I { static int P { get; } static I() { P = 1; } }",
            ),
            (
                "Open",
                "class X : Base { public override int Virt => 1; X() { Virt = 1; } }",
            ),
        ],
    );
}

#[test]
fn a_readonly_member_changes_nothing_of_its_struct() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Part", "readonly void M() { N = 1; }"),
            ("Part", "readonly void M() { this.N++; }"),
            ("Part", "readonly void M() { N += 1; }"),
            (
                "Part",
                "static void Change(ref int n) { } readonly void M() { Change(ref N); }",
            ),
            (
                "Part",
                "static void Fill(out int n) { n = 1; } readonly void M() { Fill(out N); }",
            ),
            ("Part", "readonly void M() { (N, _) = (1, 2); }"),
            ("Part", "readonly void M() { ref int r = ref N; }"),
            ("Part", "readonly void M() { P = 1; }"),
            ("Part", "readonly void M() { this = default; }"),
            ("Part", "readonly void M() { _ = N = 2; }"),
            ("Part", "readonly int Q { get { N = 1; return 1; } }"),
            (
                "Part",
                "int Q { readonly get { N = 1; return 1; } set { N = 2; } }",
            ),
            (
                "Part",
                "int Q { get { N = 1; return 1; } readonly set { N = 2; } }",
            ),
            ("Part", "readonly int Q => N = 1;"),
            (
                "Part",
                "readonly event Action E { add { N = 1; } remove { } }",
            ),
            ("Part", "event Action E; readonly void M() { E = null; }"),
            (
                "Part",
                "public readonly override string ToString() { N = 1; return null; }",
            ),
            (
                "Part",
                "int this[int i] { get => 1; set { } } readonly void M() { this[0] = 1; }",
            ),
            (
                "Open",
                "struct X { Part p; readonly void M() { p.N = 1; } }",
            ),
            (
                "Open",
                "struct X { Part p; readonly void M() { p.P = 1; } }",
            ),
            (
                "Open",
                "struct X { Sub p; readonly void M() { p[0] = 1; } } struct Sub { public int this[int i] { get => 1; set { } } }",
            ),
            (
                "Open",
                "struct X { (int, int) t; readonly void M() { t.Item1 = 1; } }",
            ),
            ("Open", "struct X { int? t; readonly void M() { t = 1; } }"),
            ("Open", "struct X(int n) { readonly void M() { n = 1; } }"),
            ("Open", "readonly struct X { void M() { this = default; } }"),
            (
                "Open",
                "readonly struct X { readonly int n; void M() { n = 1; } }",
            ),
            (
                "Open",
                "readonly struct X { readonly Part p; void M() { p.N = 1; } }",
            ),
            ("Open", "readonly struct X(int n) { void M() { n = 1; } }"),
            (
                "Open",
                "record struct X(int N) { readonly void M() { N = 1; } }",
            ),
        ],
    );
}

#[test]
fn an_element_that_its_struct_holds_is_a_part_of_it() {
    all_are(
        EditVerdict::NotProven,
        &[
            (
                "Open",
                "unsafe struct X { fixed int a[4]; readonly void M() { a[0] = 1; } }",
            ),
            (
                "Open",
                "unsafe struct X { fixed int a[4]; readonly void M() { this.a[0]++; } }",
            ),
            (
                "Open",
                "unsafe readonly struct Y { readonly X x; void M() { x.a[0] = 1; } } unsafe struct X { public fixed int a[4]; }",
            ),
            (
                "Open",
                "unsafe struct X { public fixed int a[4]; } unsafe void N(in X x) { x.a[0] = 1; }",
            ),
            (
                "Open",
                "[System.Runtime.CompilerServices.InlineArray(4)] struct X { int n; readonly void M() { this[0] = 1; } }",
            ),
            (
                "Open",
                "struct Y { X x; readonly void M() { x[0] = 1; } } [System.Runtime.CompilerServices.InlineArray(4)] struct X { int n; }",
            ),
            (
                "Open",
                "struct Y { X x; readonly void M() { x[^1].N++; } } [System.Runtime.CompilerServices.InlineArray(4)] struct X { Part n; }",
            ),
            (
                "Open",
                "[System.Runtime.CompilerServices.InlineArray(4)] struct X { int n; } readonly X x; void N(in X y, List<X> l) { x[0] = 1; }",
            ),
            (
                "Open",
                "[System.Runtime.CompilerServices.InlineArray(4)] struct X { int n; } void N(List<X> l) { l[0][0] = 1; }",
            ),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            (
                "Open",
                "unsafe struct X { public fixed int a[4]; void M() { a[0] = 1; this.a[1]++; } readonly int N => a[0]; }",
            ),
            (
                "Open",
                "unsafe struct X { public fixed int a[4]; } unsafe void N(X x, ref X y, in X z, X* p) { x.a[0] = 1; y.a[0] = 1; p->a[0] = 1; fixed (int* q = z.a) { q[0] = 1; } }",
            ),
            (
                "Open",
                "unsafe struct X { int* a; readonly void M() { a[0] = 1; } }",
            ),
            (
                "Open",
                "[System.Runtime.CompilerServices.InlineArray(4)] struct X { int n; void M() { this[0] = 1; } } X x; readonly X y; void N(ref X z, X[] all) { x[0] = 1; z[^1]++; all[0][1] = 2; Fill(out x[2]); } Open() { y[0] = 1; }",
            ),
            (
                "Open",
                "struct Y { X x; readonly void M() { x[0].free = 1; x[1].Both = 2; var c = x; c[0] = null; } } [System.Runtime.CompilerServices.InlineArray(4)] struct X { Open n; }",
            ),
        ],
    );
}

#[test]
fn a_readonly_member_changes_what_its_struct_does_not_hold() {
    all_are(
        EditVerdict::Proven,
        &[
            ("Part", "void M() { N = 1; P = 2; this.N++; }"),
            (
                "Part",
                "static void In(in int n) { } readonly void M() { In(in N); In(N); ref readonly int r = ref N; }",
            ),
            (
                "Part",
                "static int all; readonly void M() { all = 1; Part.all++; }",
            ),
            (
                "Part",
                "readonly void M(Part p) { p.N = 1; p.P = 2; Part q = this; q.N = 3; }",
            ),
            ("Part", "readonly object M() => new Part { N = N, P = 2 };"),
            ("Part", "readonly Part M() => this with { N = 1 };"),
            (
                "Part",
                "int Q { get => 1; readonly set { } } readonly void M() { Q = 1; }",
            ),
            (
                "Part",
                "int this[int i] { get => 1; readonly set { } } readonly void M() { this[0] = 1; }",
            ),
            ("Part", "int Q { readonly get => 1; set { N = 2; } }"),
            (
                "Part",
                "int Q { get { N = 1; return field; } set { field = value; } }",
            ),
            ("Part", "event Action E; readonly void M() { E += null; }"),
            ("Part", "Part(int n) { N = n; K = n; P = n; this.N = 2; }"),
            ("Part", "int Q { get; init { N = value; } }"),
            (
                "Open",
                "struct X { Open o; int[] a; readonly void M() { o.free = 1; o.Both = 2; a[0] = 1; } }",
            ),
            (
                "Open",
                "struct X { Sub p; readonly void M() { p.Q = 1; p[0] = 1; } } struct Sub { public int Q { get => 1; readonly set { } } public int this[int i] { get => 1; readonly set { } } }",
            ),
            (
                "Open",
                "struct X { readonly Sub p; void M() { p.Q = 1; } } struct Sub { public int Q { get => 1; readonly set { } } }",
            ),
            (
                "Open",
                "readonly struct X { readonly int n; X(int k) { n = k; this = default; this.n = 2; } int P { get; init { n = value; } } }",
            ),
            (
                "Open",
                "readonly struct X { int P { get => 1; set { } } void M() { P = 1; } int Q { get; init; } X(int n) { Q = n; } }",
            ),
            (
                "Open",
                "readonly ref struct X { readonly ref int n; readonly Span<int> s; void M() { n = 1; n++; s[0] = 2; } }",
            ),
            (
                "Open",
                "interface I { int P { get; set; } } struct X<T> where T : I { T t; readonly void M() { t.P = 1; } }",
            ),
            (
                "Open",
                "struct X(int n) { void M() { n = 1; } readonly int K => n; }",
            ),
            (
                "Open",
                "struct X { int n; readonly void M(List<Part> l, Part[] a) { a[0].N = n; l[0] = default; } }",
            ),
        ],
    );
}

#[test]
fn a_part_of_a_value_gets_no_value() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void N(List<Part> l) { l[0].N = 1; }"),
            ("Open", "void N(List<Part> l) { l[0].N++; }"),
            ("Open", "void N(List<Part> l) { l[0].P = 1; }"),
            ("Open", "void N(List<Part> l) { (l[0]).N = 1; }"),
            ("Open", "void N(List<Part> l) { l[^1].N = 1; }"),
            ("Open", "void N(List<Part> l) { Change(ref l[0].N); }"),
            ("Open", "void N(List<Part> l) { Fill(out l[0].N); }"),
            ("Open", "void N(List<Part> l) { (l[0].N, _) = (1, 2); }"),
            ("Open", "void N(IList<Part> l) { l[0].N = 1; }"),
            (
                "Open",
                "void N(Dictionary<string, Part> d) { d[\"a\"].N += 1; }",
            ),
            (
                "Open",
                "void N(List<Whole> l) { l[0].Sub.N = 1; } struct Whole { public Part Sub; }",
            ),
            (
                "Open",
                "void N(List<Sub> l) { l[0].Q = 1; } struct Sub { public int Q { get => 1; readonly set { } } }",
            ),
            (
                "Open",
                "void N(List<Sub> l) { l[0][0] = 1; } struct Sub { public int this[int i] { get => 1; set { } } }",
            ),
            ("Open", "void N(List<(int, int)> l) { l[0].Item1 = 1; }"),
            ("Open", "void N(List<(int a, int b)> l) { l[0].a++; }"),
            ("Open", "void N(ReadOnlySpan<Part> l) { l[0].N = 1; }"),
            ("Open", "Part Give() => default; void N() { Give().N = 1; }"),
            ("Open", "void N() { new Part().N = 1; }"),
            ("Open", "void N(object o) { ((Part)o).N = 1; }"),
            ("Open", "void N(Part? p) { p.Value.N = 1; }"),
            ("Open", "async Task N(Task<Part> t) { (await t).N = 1; }"),
            ("Open", "void N() { Parts.P = 1; }"),
            ("Open", "void N(Func<Part> f) { f().N = 1; }"),
            ("Open", "void N(Func<Part> f) { f.Invoke().P = 1; }"),
            ("Open", "void N(Func<Func<Part>> f) { f()().N++; }"),
            ("Open", "void N(Func<int> f) { f() = 1; }"),
            (
                "Open",
                "void N(bool b, Part x, Part y) { (b ? x : y).N = 1; }",
            ),
            (
                "Open",
                "void N(bool b, Part x, Part y) { (b ? x : y).P++; }",
            ),
            (
                "Open",
                "void N(bool b, int x, int y) { Change(ref (b ? x : y)); }",
            ),
            ("Open", "void N(Part x) { (x with { N = 1 }).N = 2; }"),
            (
                "Open",
                "void N(int n, Part x) { (n switch { _ => x }).N = 2; }",
            ),
        ],
    );
}

#[test]
fn a_part_of_a_variable_gets_a_value() {
    all_are(
        EditVerdict::Proven,
        &[
            (
                "Open",
                "void N(Part[] a) { a[0].N = 1; a[^1].P = 2; a[0].N++; Fill(out a[0].N); }",
            ),
            (
                "Open",
                "void N(Span<Part> s) { s[0].N = 1; s[^1].P = 1; Change(ref s[0].N); }",
            ),
            (
                "Open",
                "void N(List<Open> l) { l[0].free = 1; l[0].Both++; l[0].part.N = 2; }",
            ),
            ("Open", "void N(List<Part[]> l) { l[0][0].N = 1; }"),
            (
                "Open",
                "Part p; ref Part this[int i] => ref p; ref Part Give() => ref p; void N() { this[0].N = 1; Give().P = 1; }",
            ),
            ("Open", "unsafe void N(Part* p) { p[0].N = 1; p->N = 2; }"),
            (
                "Open",
                "unsafe (int, int)* All => null; unsafe (int, int)* Give() => null; unsafe void N() { All->Item1 = 1; Give()->Item2++; }",
            ),
            ("Open", "void N(dynamic d) { d[0].N = 1; }"),
            (
                "Open",
                "void N<T>(List<T> l) where T : I { l[0].P = 1; } interface I { int P { get; set; } }",
            ),
            (
                "Open",
                "void N(List<Part> l) { l[0] = new Part { N = 1 }; var p = l[0]; p.N = 2; }",
            ),
            ("Open", "void N(List<Part> l) { l[0].GetHashCode(); }"),
            (
                "Open",
                "struct X { public event Action E; } void N(List<X> l) { l[0].E += null; }",
            ),
            (
                "Open",
                "void N(bool b, Part x, Part y) { (b ? ref x : ref y).N = 1; (x).N = 2; }",
            ),
            (
                "Open",
                "delegate ref Part Gives(); void N(Gives f, Func<Open> g, Func<Part[]> h) { f().N = 1; g().free = 2; g().Both++; h()[0].N = 3; }",
            ),
            (
                "Open",
                "void N(bool b, Open x, Open y, Rec r) { (b ? x : y).free = 1; (b ? x : y).part.N = 2; (b ? x : y).Both++; }",
            ),
            (
                "Open",
                "class X { public Func<Part> F; public Part[] All; } void N(X x) { x.F = null; x.F += null; x.All[0].N = 1; }",
            ),
        ],
    );
}

#[test]
fn a_statement_takes_a_value_that_it_can_take() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "void N() { lock (free) { } }"),
            ("Open", "void N() { lock (part) { } }"),
            ("Open", "void N() { using (new Open()) { } }"),
            ("Open", "void N() { using (var x = new Open()) { } }"),
            ("Open", "void N() { using var x = new Open(); }"),
            ("Open", "void N() { using var x = 1; }"),
            ("Open", "void N(Almost a) { using (a) { } }"),
            ("Open", "void N<T>(T t) { using (t) { } }"),
            ("Open", "void N(IAsyncDisposable a) { using (a) { } }"),
            (
                "Open",
                "async Task N() { await using (new MemoryStream() as IDisposable) { } }",
            ),
            ("Open", "async Task N(Own o) { await using var x = o; }"),
            ("Open", "Open N() { yield return 1; }"),
            ("Open", "List<int> N() { yield return 1; }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            (
                "Open",
                "void N(object o) { lock (o) { } lock (this) { } lock (\"\") { } lock (typeof(Open)) { } }",
            ),
            (
                "Open",
                "void N<T, U>(T t, U u) where T : class { lock (t) { } lock (u) { } }",
            ),
            ("Open", "void N<T>(T t) where T : Open { lock (t) { } }"),
            ("Open", "void N(dynamic d) { using (d) { } }"),
            (
                "Open",
                "void N() { using (null) { } using (MemoryStream x = null) { } }",
            ),
            (
                "Open",
                "void N(Own o, Own? p) { using (o) { } using (p) { } }",
            ),
            (
                "Open",
                "void N() { using var x = new Closed(); using (new Closed()) { } }",
            ),
            (
                "Open",
                "void N<T>(T t) where T : IDisposable { using (t) { } }",
            ),
            (
                "Open",
                "void N(IEnumerator<int> e) { using (e) { } using var f = e; }",
            ),
            (
                "Open",
                "async Task N(Almost a) { await using (a) { } await using var b = a; }",
            ),
            (
                "Open",
                "async Task N(IAsyncDisposable a) { await using (a) { } await using (a.ConfigureAwait(false)) { } }",
            ),
            (
                "Open",
                "async Task N() { await using var b = new MemoryStream(); }",
            ),
        ],
    );
}

#[test]
fn a_type_of_another_project_may_have_bases_that_this_view_leaves_out() {
    let fixture = "//- /App/A.cs project:App refs:Lib\nusing System;\nusing System.Threading.Tasks;\n\
        public class Open\n{\n}\npublic class Own\n#if ASYNC\n: IAsyncDisposable\n#endif\n{\n}\n\
        //- /Lib/B.cs project:Lib\nusing System;\npublic class Plain\n{\n}\n\
        public class Writer\n#if ASYNC\n: IAsyncDisposable\n#endif\n{\n}\npublic class Derived : Writer\n{\n}\n\
        #if ASYNC\npublic class Other\n{\n}\n#endif\n";
    let uses = |ty: &str| format!("async Task N({ty} it) {{ await using (it) {{ }} }}");
    for ty in ["Writer", "Derived"] {
        check_new(fixture, EditVerdict::Proven, &[("Open", &uses(ty))]);
    }
    for ty in ["Plain", "Own"] {
        check_new(fixture, EditVerdict::NotProven, &[("Open", &uses(ty))]);
    }
}

#[test]
fn a_constant_is_known_before_code_runs() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "const int N = all;"),
            ("Open", "const string N = string.Empty;"),
            ("Open", "const int N = \"a\".Length;"),
            ("Open", "const int N = 1 + fixedAll;"),
            ("Open", "const object N = new object();"),
            ("Open", "void N() { const int x = all; }"),
            ("Open", "void N(int y) { const int x = y; }"),
            ("Open", "void N() { int y = 1; const int x = 2 * y; }"),
            ("Open", "static int F() => 1; const int N = F();"),
            ("Open", "enum E { A = all }"),
            ("Open", "void N(int x = all) { }"),
            ("Open", "void N(string s = string.Empty) { }"),
            ("Open", "void N(object o = typeof(Open)) { }"),
            ("Open", "void N() { int L(int x = all) => x; L(); }"),
            ("Open", "[Obsolete(string.Empty)] void N() { }"),
            (
                "Open",
                "[Obsolete(\"\", error: Flag)] void N() { } static bool Flag => true;",
            ),
            ("Open", "void N(int x) { switch (x) { case all: break; } }"),
            ("Open", "bool N(int x) => x is Computed;"),
            (
                "Open",
                "Base Base { get; } void N(object o) { switch (o) { case Base: break; } }",
            ),
            ("Open", "bool N(int x, int y) => x is > 1 and < y;"),
            (
                "Open",
                "int N(string s) => s switch { string.Empty => 1, _ => 2 };",
            ),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            (
                "Open",
                "const int N = Two * 2 + (int)DayOfWeek.Monday + sizeof(int) + 'a';",
            ),
            (
                "Open",
                "const string N = nameof(all) + \"a\" + null; const string M = $\"{N}b\";",
            ),
            (
                "Open",
                "const decimal N = decimal.MaxValue; const double M = double.NaN; const long L = int.MaxValue;",
            ),
            (
                "Open",
                "const object N = null; const string M = default; const int L = default(int);",
            ),
            (
                "Open",
                "const bool N = true ? !false : 1 > 2; const int M = unchecked((int)0xffffffff);",
            ),
            (
                "Open",
                "void N() { const int x = Two; const int y = x + 1; }",
            ),
            (
                "Open",
                "enum E { A = 1, B = A << 1, C = A | B, D = Two, F = -1 }",
            ),
            (
                "Open",
                "void N(int x = Two, string s = null, Part p = default, Part q = new Part(), DayOfWeek d = DayOfWeek.Friday, Guid g = new()) { }",
            ),
            (
                "Open",
                "void N(decimal d = 1.5m, int? i = null, object o = null, double e = Math.PI) { }",
            ),
            (
                "Open",
                "[Obsolete(\"a\" + nameof(all), false)] void N() { }",
            ),
            (
                "Open",
                "class XAttribute : Attribute { public XAttribute(Type t, params int[] n) { } public object O; } [X(null, new int[] { 1 }, O = new[] { \"a\" })] void N() { }",
            ),
            (
                "Open",
                "bool N(object o) => o is -1 or Two or null or \"a\" or DayOfWeek.Monday or Open or Part { N: Two };",
            ),
            (
                "Open",
                "int N(int x) { const int y = 1; switch (x) { case y: return 1; case Two + 1: return 2; case > y: return 3; default: return 4; } }",
            ),
            (
                "Open",
                "int N(double d) => d switch { double.NaN => 1, Math.PI => 2, _ => 3 };",
            ),
            (
                "Open",
                "int N(Type t) { Func<int, int> f = (int x = Two) => x; return f(1); }",
            ),
        ],
    );
}

#[test]
fn nothing_depends_on_itself() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "class X : X { }"),
            ("Open", "class X : Y { } class Y : X { }"),
            ("Open", "interface X : Y { } interface Y : X { }"),
            ("Open", "interface X<T> : X<X<T>> { }"),
            ("Open", "struct X { X x; }"),
            ("Open", "struct X { Y y; } struct Y { X x; }"),
            ("Open", "struct X { X? x; }"),
            ("Open", "struct X { (int, X) x; }"),
            ("Open", "struct X { X P { get; set; } }"),
            ("Open", "struct X { Y<X> y; } struct Y<T> { T t; }"),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            (
                "Open",
                "class X : IComparable<X> { public int CompareTo(X x) => 1; X next; }",
            ),
            ("Open", "class X<T> { } class Y : X<Y> { }"),
            ("Open", "interface X<T> where T : X<T> { }"),
            ("Open", "class X : List<X> { }"),
            (
                "Open",
                "struct X { static X x; X[] all; List<X> more; X P => default; static X Q { get; set; } }",
            ),
            (
                "Open",
                "struct X { Y y; } struct Y { int n; } struct Z { X x; Y y; }",
            ),
            ("Open", "struct X { Y<X> y; } struct Y<T> { T[] t; }"),
            (
                "Open",
                "struct X : IEquatable<X> { public bool Equals(X x) => true; }",
            ),
            ("Open", "unsafe struct X { X* x; Func<X> f; }"),
        ],
    );
}

#[test]
fn no_constant_is_computed_from_itself() {
    all_are(
        EditVerdict::NotProven,
        &[
            ("Open", "const int N = N;"),
            ("Open", "const int N = 1 + M; const int M = Open.N;"),
            ("Open", "enum E { A = B, B = A }"),
            (
                "Open",
                "class X { public const int N = Y.M; } class Y { public const int M = X.N; }",
            ),
            (
                "Open",
                "class X { public const int N = Y.M + 1; } class Y { public const int M = Z.K; } class Z { public const int K = X.N; }",
            ),
            (
                "Open",
                "class X { public const string N = nameof(Y) + Y.M; } class Y { public const string M = X.N; }",
            ),
            ("Open", "enum E { A = (int)F.A } enum F { A = (int)E.A }"),
            ("Open", "enum E { A = (int)F.B } enum F { A = (int)E.A, B }"),
            (
                "Open",
                "class X { public const int N = (int)E.P; } enum E { P = X.N }",
            ),
            (
                "Open",
                "class X { public const int N = Y.Z.M; } class Y { public class Z { public const int M = X.N; } }",
            ),
            (
                "Open",
                "class X { public const int N = global::Open.Y.M; } class Y { public const int M = X.N; }",
            ),
            (
                "Open",
                "class X { public const int N = Y.N; } class Y : X { }",
            ),
            ("Open", "class X<T> { public const int N = X<int>.N; }"),
            (
                "Open",
                "class X { public const int N = true ? 1 : Y.M; } class Y { public const int M = X.N; }",
            ),
            (
                "Open",
                "class X { public const int M = N; } const int N = X.M;",
            ),
            (
                "Open",
                "const int N = Base.Open; class Base { public const int Open = N; }",
            ),
        ],
    );
    all_are(
        EditVerdict::Proven,
        &[
            (
                "Open",
                "const int N = M + M; const int M = 1; const string S = nameof(S);",
            ),
            ("Open", "enum E { A = 1, B = A, C = B | A }"),
            (
                "Open",
                "class X { public const int N = Y.M; } class Y { public const int M = 1; public const int N = X.N; }",
            ),
            (
                "Open",
                "class X { public const string N = nameof(Y.M); } class Y { public const string M = X.N; }",
            ),
            ("Open", "enum E { A = (int)F.B } enum F { A = 1, B }"),
            (
                "Open",
                "class X { public const int N = sizeof(E); enum E { A = N } }",
            ),
            (
                "Open",
                "class X { public const int N = Open.K; public const int M = 1; } const int K = X.M;",
            ),
            (
                "Open",
                "class X { const int N = Two; const int Two = Open.Two; }",
            ),
            (
                "Open",
                "class X { const int N = int.MinValue + (int)DayOfWeek.Friday; const int MinValue = N; }",
            ),
            (
                "Open",
                "enum E { Monday = (int)DayOfWeek.Monday, Other = (int)DayOfWeek.Friday }",
            ),
        ],
    );
}

#[test]
fn a_conditional_converts_as_a_whole_before_it_does_by_its_values() {
    let both = "class A { static int M(short x) => 1; static int Two(long x) => 2; static int N(bool b) => M(b ? 1 : 2); }";
    changes_meaning(both, "A.Two", "M");
    // With another argument that prefers the other method, none is better.
    let pair = "class A { void M(long x, long y) { } void Two(short x, short y) { } void N(bool b) { M(b ? 1 : 2, 1); } }";
    changes_meaning(pair, "A.Two", "M");
    let whole = "class A { static int M(long x) => 1; static int Two(short x) => 2; static int N(bool b) => M(b ? 1 : 2); }";
    becomes(whole, "A.Two", "M");
    let constant = "class A { static int M(int x) => 1; static int Two(byte x) => 2; static int N(bool b) => M(b ? 1 : 2) + Two(true ? 1 : 2); }";
    becomes(constant, "A.Two", "Three");
}

/// A rename that is proven.
#[track_caller]
fn becomes(text: &str, symbol: &str, to: &str) {
    assert_eq!(renamed(text, symbol, to), EditVerdict::Proven, "{text}");
}

/// A rename that is not.
#[track_caller]
fn changes_meaning(text: &str, symbol: &str, to: &str) {
    assert_eq!(
        renamed(text, symbol, to),
        EditVerdict::ChangedMeaning,
        "{text}"
    );
}

fn renamed(text: &str, symbol: &str, to: &str) -> EditVerdict {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let op = world.rename(symbol, to).expect("it is planned");
    op.answer.verdict
}
