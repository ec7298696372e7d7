//! Records and primary constructors (C# specification, §15.2, records).

use crate::check::check_refs;

#[test]
fn a_positional_parameter_is_a_property() {
    check_refs(
        "
record P(int X, Q Next); record Q(int X);
            class C { int M(P p) => p.X + p.Next.X; }
            //                        ^ P:P.X
            //                              ^^^^ P:P.Next
            //                                   ^ P:Q.X
        ",
    );
}

#[test]
fn a_record_is_created_by_its_parameters() {
    check_refs(
        r#"
            record P(int X) { public P(string s) : this(1) { } }
            //                                     ^^^^ use new M:P.#ctor(System.Int32)
            class C { void M() { _ = new P(1); _ = new P(""); } }
            //                       ^^^ use new M:P.#ctor(System.Int32)
            //                                     ^^^ use new M:P.#ctor(System.String)
        "#,
    );
}

#[test]
fn a_record_is_deconstructed_by_its_parameters() {
    check_refs(
        "
record P(Q A, R B); class Q { public int Size; } class R { public int Size; }
            class C { int M(P p) { var (a, b) = p; return a.Size + b.Size; } }
            //                                ^ use deconstruct M:P.Deconstruct(Q@,R@)
            //                                              ^^^^ F:Q.Size
            //                                                       ^^^^ F:R.Size
        ",
    );
}

#[test]
fn records_are_compared_by_their_own_operator() {
    check_refs(
        "
record P(int X); class Q { }
            class C { bool M(P p, Q q) => p == p && q == q; }
            //                              ^^ use operator M:P.op_Equality(P,P)
            //                                        ^^ no use operator
        ",
    );
}

#[test]
fn a_declared_property_takes_the_place_of_the_parameters() {
    check_refs(
        r#"
record P(int X) { public string X { get; } = ""; }
            class C { int M(P p) => p.X.Length; }
            //                        ^ P:P.X
            //                          ^^^^^^ P:System.String.Length
        "#,
    );
}

#[test]
fn a_derived_record_has_the_properties_of_its_base() {
    check_refs(
        "
            record A(int X); record B(int X, int Y) : A(X);
            //                                        ^ T:A
            //                                        ^ use new M:A.#ctor(System.Int32)
            class C { int M(B b) => b.X + b.Y; }
            //                        ^ P:A.X
            //                              ^ P:B.Y
        ",
    );
}

#[test]
fn an_initializer_sees_the_parameters_of_the_type() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C(A value) { int f = value.Size; int M() => value.Size; }
            //                         ^^^^^ -
            //                               ^^^^ F:A.Size
            //                                                      ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_named_argument_of_a_primary_constructor_is_a_parameter() {
    check_refs(
        r#"
record P(int X, string Y);
            class C { object M() => new P(Y: "", X: 1); }
            //                      ^^^ use new M:P.#ctor(System.Int32,System.String)
            //                            ^ -
            //                                   ^ -
        "#,
    );
}
