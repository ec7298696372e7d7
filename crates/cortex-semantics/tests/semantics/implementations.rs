//! Which members override or implement which (C# specification, §15.6.5, §19.6.5).

use crate::check::{check_gaps, check_implementations};

#[test]
fn a_public_member_of_the_same_signature_implements() {
    check_implementations(
        "interface I { int M(int x); int M(string x); } class A : I { public int M(int x) => 1; public int M(string x) => 2; public int M(object x) => 3; }",
        &[
            "A: M:A.M(System.Int32) interface M:I.M(System.Int32)",
            "A: M:A.M(System.String) interface M:I.M(System.String)",
        ],
    );
}

#[test]
fn an_explicit_implementation_comes_before_a_public_member() {
    check_implementations(
        "interface I { void M(); } class A : I { public void M() { } void I.M() { } }",
        &["A: M:A.I#M interface M:I.M"],
    );
}

#[test]
fn an_override_is_of_the_nearest_declaration() {
    check_implementations(
        "class A { public virtual void M() { } } class B : A { public override void M() { } } class C : B { public override void M() { } } class D : C { public new void M() { } }",
        &["B: M:B.M override M:A.M", "C: M:C.M override M:B.M"],
    );
}

#[test]
fn an_inherited_member_implements_for_the_derived_type() {
    check_implementations(
        "interface I { void M(); } class A { public void M() { } } class B : A, I { }",
        &["B: M:A.M interface M:I.M"],
    );
}

#[test]
fn a_derived_class_implements_again_only_where_it_lists_the_interface() {
    check_implementations(
        "interface I { void M(); } class A : I { public void M() { } } class B : A { public new void M() { } } class C : A, I { public new void M() { } }",
        &[
            "A: M:A.M interface M:I.M",
            "B: M:A.M interface M:I.M",
            "C: M:C.M interface M:I.M",
        ],
    );
}

#[test]
fn an_override_implements_for_its_type() {
    check_implementations(
        "interface I { void M(); } class A : I { public virtual void M() { } } class B : A { public override void M() { } }",
        &[
            "A: M:A.M interface M:I.M",
            "B: M:B.M override M:A.M",
            "B: M:A.M interface M:I.M",
        ],
    );
}

#[test]
fn type_arguments_are_put_in() {
    check_implementations(
        "interface I<T> { void M(T t); } class A : I<int>, I<string> { public void M(int x) { } public void M(string x) { } public void M(long x) { } }",
        &[
            "A: M:A.M(System.Int32) interface M:I`1.M(`0)",
            "A: M:A.M(System.String) interface M:I`1.M(`0)",
        ],
    );
}

#[test]
fn generic_methods_are_compared_by_position() {
    check_implementations(
        "interface I { void M<T, U>(T t, U u); } class A : I { public void M<X, Y>(X x, Y y) { } public void M<X>(X x, X y) { } public void M(int x, int y) { } }",
        &["A: M:A.M``2(``0,``1) interface M:I.M``2(``0,``1)"],
    );
}

#[test]
fn properties_indexers_and_events_implement() {
    check_implementations(
        "interface I { int P { get; } int this[int x] { get; } event System.Action E; } class A : I { public int P { get; set; } public int this[int x] => 1; public int this[string x] => 1; public event System.Action E; }",
        &[
            "A: P:A.P interface P:I.P",
            "A: P:A.Item(System.Int32) interface P:I.Item(System.Int32)",
            "A: E:A.E interface E:I.E",
        ],
    );
}

#[test]
fn an_override_may_return_a_derived_type() {
    check_implementations(
        "class X { } class Y : X { } class A { public virtual X M() => null; public virtual X P => null; } class B : A { public override Y M() => null; public override Y P => null; }",
        &["B: M:B.M override M:A.M", "B: P:B.P override P:A.P"],
    );
}

#[test]
fn what_is_not_public_or_not_of_the_instance_does_not_implement() {
    check_implementations(
        "interface I { void M() { } void N() { } } class A : I { void M() { } public static void N() { } }",
        &[],
    );
}

#[test]
fn static_members_implement_static_ones() {
    check_implementations(
        "interface I<T> { static abstract T Make(); static abstract T operator +(T a, T b); } class A : I<A> { public static A Make() => null; public static A operator +(A a, A b) => a; public static A operator +(A a, int b) => a; }",
        &[
            "A: M:A.Make interface M:I`1.Make",
            "A: M:A.op_Addition(A,A) interface M:I`1.op_Addition(`0,`0)",
        ],
    );
}

#[test]
fn a_member_of_an_outside_interface_is_implemented() {
    check_implementations(
        "class A : System.IDisposable, System.IEquatable<A> { public void Dispose() { } public void Dispose(bool x) { } public bool Equals(A other) => true; public bool Equals(string other) => true; }",
        &[
            "A: M:A.Dispose interface M:System.IDisposable.Dispose",
            "A: M:A.Equals(A) interface M:System.IEquatable`1.Equals(`0)",
        ],
    );
}

#[test]
fn members_of_object_are_overridden() {
    check_implementations(
        "class A { public override string ToString() => \"\"; public override bool Equals(object o) => true; public bool Equals(A a) => true; public override int GetHashCode() => 1; }",
        &[
            "A: M:A.ToString override M:System.Object.ToString",
            "A: M:A.Equals(System.Object) override M:System.Object.Equals(System.Object)",
            "A: M:A.GetHashCode override M:System.Object.GetHashCode",
        ],
    );
}

#[test]
fn a_class_must_implement_every_member_of_its_interfaces() {
    check_gaps(
        "interface I { void M(); int P { get; set; } static int S => 1; void Default() { } } class A : I { public void M() { } public int P { get; } } abstract class B : I { public abstract void M(); public abstract int P { get; set; } } class C { internal void M() { } public long P { get; set; } } class D : C, I { } struct E : I { void I.M() { } int I.P { get; set; } }",
        &["A lacks P:I.P", "D lacks M:I.M", "D lacks P:I.P"],
    );
}

#[test]
fn another_interface_may_implement_a_member() {
    check_gaps(
        "interface I<T> { void M(T t); } interface J : I<int> { void I<int>.M(int t) { } } class A : J { } class B : I<int> { } class C : J, I<string> { }",
        &["B lacks M:I`1.M(`0)", "C lacks M:I`1.M(`0)"],
    );
}

#[test]
fn a_class_that_is_not_abstract_overrides_every_abstract_member() {
    check_gaps(
        "abstract class A { public abstract void M(); protected abstract int P { get; } } abstract class B : A { public override void M() { } } class C : B { } class D : B { protected override int P => 1; } abstract class E : D { public abstract override void M(); } class F : E { } class G : A { public new void M() { } protected override int P => 1; }",
        &["C lacks P:A.P", "F lacks M:E.M", "G lacks M:A.M"],
    );
}

#[test]
fn what_overrides_or_implements_nothing_is_a_gap() {
    check_gaps(
        "interface I { } class A { public virtual void M(int x) { } } class B : A, I { public override void M(long x) { } void I.N() { } public override string ToString() => null; }",
        &[
            "B has for nothing M:B.M(System.Int64)",
            "B has for nothing M:B.I#N",
        ],
    );
}

#[test]
fn an_override_has_the_accessibility_the_result_and_the_accessors_of_its_base() {
    check_gaps(
        "abstract class A<T> { public virtual int V(int a) => 1; public abstract double Area { get; } protected internal virtual int W => 2; public virtual object Cov() => 1; public virtual T Own() => default; public virtual ref int R() => throw null; public virtual void None() { } }
class Good : A<long> { public override int V(int a) => 1; public override double Area => 1; protected internal override int W => 2; public override string Cov() => null; public override long Own() => 1; public override ref int R() => throw null; }
class Bad : A<long> { internal override int V(int a) => 1; public override double Area { get; set; } protected override int W => 2; public override int Cov() => 1; public override int Own() => 1; public override int R() => 1; public override object None() => null; }
class Narrow : A<long> { public override float Area => 1; }
class Told { public override string ToString() => null; public override bool Equals(object other) => true; public override int GetHashCode() => 1; }",
        &[
            "Bad has unlike its base M:Bad.Cov",
            "Bad has unlike its base M:Bad.None",
            "Bad has unlike its base M:Bad.Own",
            "Bad has unlike its base M:Bad.R",
            "Bad has unlike its base M:Bad.V(System.Int32)",
            "Bad has unlike its base P:Bad.Area",
            "Bad has unlike its base P:Bad.W",
            "Narrow has unlike its base P:Narrow.Area",
        ],
    );
}

#[test]
fn an_unknown_base_may_have_everything() {
    check_gaps(
        "interface I { void M(); } class A : Unknown, I { public override void N() { } } class B : A { }",
        &[],
    );
}

#[test]
fn classes_from_outside_and_records_lack_nothing() {
    check_gaps(
        "using System; using System.IO; using System.Collections.Generic; record R(int X) : IDisposable { public void Dispose() { } } record S : R { public S() : base(1) { } } class A : MemoryStream, IDisposable { } class L : List<int>, IList<int>, IEnumerable<int> { } class E : Exception { } struct V : IEquatable<V> { public bool Equals(V v) => true; }",
        &[],
    );
}

#[test]
fn a_member_that_is_not_virtual_is_not_overridden() {
    check_gaps(
        "abstract class A { public abstract void X(); public void M() { } } class B : A { public override void X() { } public override void M() { } }",
        &["B has for nothing M:B.M"],
    );
}
