//! Every kind of declaration of the language, as code and what is read off it, among them
//! what the grammar has no rule for and a repair carries it over.

use cortex_syntax::{ParseOptions, extract};

/// One line per declaration, indented by nesting: `kind name<type parameters>(parameters)`.
fn declared(text: &str) -> String {
    let facts = extract(text.as_bytes(), &ParseOptions::default());
    let mut out = String::new();
    if facts.is_degraded() {
        out.push_str("degraded\n");
    }
    let mut depths: Vec<usize> = Vec::new();
    for decl in &facts.decls {
        let depth = decl.parent.map_or(0, |parent| depths[parent as usize] + 1);
        depths.push(depth);
        out.push_str(&"  ".repeat(depth));
        out.push_str(&format!("{} {}", decl.kind, facts.name(decl.name)));
        let type_params: Vec<_> = decl
            .type_params
            .iter()
            .map(|param| facts.name(param.name))
            .collect();
        if !type_params.is_empty() {
            out.push_str(&format!("<{}>", type_params.join(", ")));
        }
        if let Some(params) = &decl.params {
            let params: Vec<_> = params.iter().map(|param| facts.name(param.name)).collect();
            out.push_str(&format!("({})", params.join(", ")));
        }
        out.push('\n');
    }
    out
}

#[test]
fn a_block_namespace_and_a_file_scoped_one() {
    insta::assert_snapshot!(declared(r#"namespace A.B { class C { } }"#), @r"
    namespace A.B
      class C
    ");
    insta::assert_snapshot!(declared(r#"namespace A.B;
class C { }"#), @r"
    namespace A.B
      class C
    ");
}

#[test]
fn classes_structs_and_interfaces() {
    insta::assert_snapshot!(declared(r#"class C { } struct S { } interface I { }
readonly ref partial struct R { }
abstract class A { } sealed class D { } static class E { }"#), @r"
    class C
    struct S
    interface I
    struct R
    class A
    class D
    class E
    ");
}

#[test]
fn enums_with_their_members() {
    insta::assert_snapshot!(declared(r#"[System.Flags] enum E : byte { None, [X] One = 1, Two = One << 1, }"#), @r"
    enum E
      enum member None
      enum member One
      enum member Two
    ");
}

#[test]
fn records_and_primary_constructors() {
    insta::assert_snapshot!(declared(r#"record R(int X, string Y = "a") : B(X);
record struct S(int X);
readonly record struct T;
record class U { }
class C(int x) : B(x) { }"#), @r"
    record R(X, Y)
    record struct S(X)
    record struct T
    record U
    class C(x)
    ");
}

#[test]
fn delegates() {
    insta::assert_snapshot!(declared(r#"public delegate T F<in A, out T>(ref A a, params int[] b) where A : class;"#), @"delegate F<A, T>(a, b)");
}

#[test]
fn fields_one_for_each_declarator() {
    insta::assert_snapshot!(declared(r#"unsafe class C { int a, b = 1; const int K = 1, L = 2; static readonly int[] d = [1]; fixed byte e[4]; volatile int f; ref int g; }"#), @r"
    class C
      field a
      field b
      const K
      const L
      field d
      field e
      field f
      field g
    ");
}

#[test]
fn properties() {
    insta::assert_snapshot!(declared(r#"class C { int A { get; set; } int B => 1; required string D { get; init; } = ""; int E { get { return 1; } private set { } } int F { get; } = field; static abstract int G { get; } }"#), @r"
    class C
      property A
      property B
      property D
      property E
      property F
      property G
    ");
}

#[test]
fn indexers() {
    insta::assert_snapshot!(declared(r#"class C { int this[int i] => i; string this[string a, int b] { get => a; set { } } }"#), @r"
    class C
      indexer this(i)
      indexer this(a, b)
    ");
}

#[test]
fn events_field_like_and_custom() {
    insta::assert_snapshot!(declared(r#"class C { event System.Action A, B; event System.Action D { add { } remove { } } }"#), @r"
    class C
      event A
      event B
      event D
    ");
}

#[test]
fn methods_and_their_parameters() {
    insta::assert_snapshot!(declared(r#"class C { void A(ref int a, in int b, out int c, ref readonly int d, scoped System.Span<int> e, params string[] f) { c = 1; } async System.Threading.Tasks.Task B<T>(T t) where T : new() { void Local() { } await null; } partial void D(); extern static int E(); }"#), @r"
    class C
      method A(a, b, c, d, e, f)
      method B<T>(t)
      method D()
      method E()
    ");
}

#[test]
fn operators_and_conversions() {
    insta::assert_snapshot!(declared(r#"struct S { public static S operator +(S a, S b) => a; public static S operator checked -(S a) => a; public static bool operator true(S a) => true; public static bool operator false(S a) => false; public static implicit operator int(S a) => 1; public static explicit operator checked byte(S a) => 1; public static S operator >>>(S a, int b) => a; }"#), @r"
    struct S
      operator +(a, b)
      operator -(a)
      operator true(a)
      operator false(a)
      conversion implicit(a)
      conversion explicit(a)
      operator >>>(a, b)
    ");
}

#[test]
fn compound_assignment_operators() {
    insta::assert_snapshot!(declared(r#"struct S { public void operator +=(int x) { } public void operator checked -=(int x) { } public void operator ++() { } public void operator >>>=(int x) { } }"#), @r"
    struct S
      operator +=(x)
      operator -=(x)
      operator ++()
      operator >>>=(x)
    ");
}

#[test]
fn constructors_and_finalizers() {
    insta::assert_snapshot!(declared(r#"class C : B { public C() : base() { } C(int a) : this() { } static C() { } ~C() { } }
unsafe class D { unsafe ~D() { } }"#), @r"
    class C
      constructor C()
      constructor C(a)
      static constructor C()
      finalizer C()
    class D
      finalizer D()
    ");
}

#[test]
fn explicit_implementations() {
    insta::assert_snapshot!(declared(r#"class C : I<int> { void I<int>.M() { } int I<int>.P => 1; int N.J.this[int i] => i; event System.Action I<int>.E { add { } remove { } } static int I<int>.operator +(int a, C b) => a; }"#), @r"
    class C
      method M()
      property P
      indexer this(i)
      event E
      operator +(a, b)
    ");
}

#[test]
fn extension_methods_and_blocks() {
    insta::assert_snapshot!(declared(r#"static class E {
  public static int Old(this string s) => 1;
  extension(string s) { public int Length2 => s.Length; public void M(int a) { } }
  extension<T>(System.Collections.Generic.IEnumerable<T> source) where T : class { public bool IsEmpty => true; public static int operator +(int a, int b) => a; }
  extension(int) { public static int Zero => 0; }
}"#), @r"
    class E
      method Old(s)
      extension extension(s)
        property Length2
        method M(a)
      extension extension<T>(source)
        property IsEmpty
        operator +(a, b)
      extension extension()
        property Zero
    ");
}

#[test]
fn nested_and_file_local_types() {
    insta::assert_snapshot!(declared(r#"class A { class B<T> { enum C { } delegate void D(); interface I { } } }
file class F { file record G; }"#), @r"
    class A
      class B<T>
        enum C
        delegate D()
        interface I
    class F
      record G
    ");
}

#[test]
fn top_level_statements() {
    insta::assert_snapshot!(declared(r#"using System;
int x = 1;
Console.WriteLine(x);
void Local() { }
class C { }"#), @r"
    top-level statements Program
    class C
    ");
}

#[test]
fn type_parameters_with_constraints() {
    insta::assert_snapshot!(declared(r#"class C<T, U> where T : class?, I<U>, new() where U : unmanaged, allows ref struct { }
interface I<in A, out B> where A : notnull, allows ref struct { }"#), @r"
    class C<T, U>
    interface I<A, B>
    ");
}

#[test]
fn tuples_pointers_and_nullable_types() {
    insta::assert_snapshot!(declared(r#"unsafe class C { (int a, string? b) A; delegate* unmanaged<int, void> B; int*[] D; string?[,]? E; System.Nullable<int> F; nint G; dynamic H; }"#), @r"
    class C
      field A
      field B
      field D
      field E
      field F
      field G
      field H
    ");
}

#[test]
fn names_that_are_contextual_keywords() {
    insta::assert_snapshot!(declared(r#"class C { int required; void partial() { } int async => 1; C with() => null; int record, field, extension; void M(bool async) { if (!async) M(async: async); } }"#), @r"
    class C
      field required
      method partial()
      property async
      method with()
      field record
      field field
      field extension
      method M(async)
    ");
}

#[test]
fn null_conditional_assignments() {
    insta::assert_snapshot!(declared(r#"class C { string n; C a; void M() { a?.n = ""; a?.a?.n = "b"; } int After; }"#), @r"
    class C
      field n
      field a
      method M()
      field After
    ");
}

#[test]
fn lambdas_with_modifiers_and_list_patterns() {
    insta::assert_snapshot!(declared(r#"class C { void M(object[] x) { F((ref x) => x); var b = x is [var a, .. var rest]; G(0) = 1; } int After; }"#), @r"
    class C
      method M(x)
      field After
    ");
}

#[test]
fn pointers_and_suppressions() {
    insta::assert_snapshot!(declared(r#"unsafe class C { void M(int* p, C a) { *p++ = 1; var x = *(int*)p; a!.ToString(); } int After; }"#), @r"
    class C
      method M(p, a)
      field After
    ");
}

#[test]
fn a_verbatim_name() {
    insta::assert_snapshot!(declared(r#"class @class { int @int; void @if(int @else) { } }"#), @r"
    class class
      field int
      method if(else)
    ");
}

#[test]
fn attributes_with_targets() {
    insta::assert_snapshot!(declared(r#"[assembly: X] [module: Y]
[type: A] class C { [field: B] [property: D] int P { get; set; } [return: E] int M([F] int a) => a; [method: G] event System.Action H; }"#), @r"
    class C
      property P
      method M(a)
      event H
    ");
}

#[test]
fn what_stands_after_broken_text() {
    insta::assert_snapshot!(declared(r#"class A { int x; }
class B { int y = ; void M( { } }
class D { int z; }"#), @r"
    degraded
    class A
      field x
    class B
      field y
      property M
    class D
      field z
    ");
}
