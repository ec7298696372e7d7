//! Conversions (C# specification, §10).

use crate::check::check_refs;

#[test]
fn an_implicit_operator_is_used_where_its_value_is_wanted() {
    check_refs(
        r#"
class Money { public static implicit operator Money(int x) => null; public static implicit operator Money(string x) => null; }
            class C {
                Money F = 1;
                //        ^ use conversion M:Money.op_Implicit(System.Int32)~Money
                Money M() => "";
                //           ^^ use conversion M:Money.op_Implicit(System.String)~Money
                void N(Money m) { N(2); m = ""; }
                //                  ^ use conversion M:Money.op_Implicit(System.Int32)~Money
                //                          ^^ use conversion M:Money.op_Implicit(System.String)~Money
            }
        "#,
    );
}

#[test]
fn a_cast_takes_the_operator_of_its_type() {
    check_refs(
        r#"
class Money { public static explicit operator int(Money m) => 1; public static explicit operator string(Money m) => ""; }
            class C {
                int M(Money m) => (int)m;
                //                ^ use conversion M:Money.op_Explicit(Money)~System.Int32
                string N(Money m) => (string)m;
                //                   ^ use conversion M:Money.op_Explicit(Money)~System.String
            }
        "#,
    );
}

#[test]
fn the_most_specific_source_type_is_taken() {
    check_refs(
        "
class Money { public static implicit operator Money(long x) => null; public static implicit operator Money(int x) => null; public static implicit operator Money(double x) => null; }
            class C { Money M(short s) => s; Money N(uint u) => u; }
            //                            ^ use conversion M:Money.op_Implicit(System.Int32)~Money
            //                                                  ^ use conversion M:Money.op_Implicit(System.Int64)~Money
        ",
    );
}

#[test]
fn a_standard_conversion_may_follow_an_operator() {
    check_refs(
        "
class Money { public static implicit operator int(Money m) => 1; }
            class C { long M(Money m) => m; }
            //                           ^ use conversion M:Money.op_Implicit(Money)~System.Int32
        ",
    );
}

#[test]
fn conversions_to_bases_and_interfaces_use_no_operator() {
    check_refs(
        "
interface I { }
            class Money : I { public static implicit operator Money(int x) => null; public static implicit operator int(Money m) => 1; }
            class Cash : Money { }
            class C {
                object M(Cash m) => m;
                //                  ^ no use conversion
                Money N(Cash m) => m;
                //                 ^ no use conversion
                I P(Cash m) => m;
                //             ^ no use conversion
            }
        ",
    );
}

#[test]
fn an_operator_of_a_base_class_is_found() {
    check_refs(
        "
class Money { public static implicit operator int(Money m) => 1; }
            class Cash : Money { }
            class C { int M(Cash m) => m; }
            //                         ^ use conversion M:Money.op_Implicit(Money)~System.Int32
        ",
    );
}

#[test]
fn an_operator_of_values_is_lifted() {
    check_refs(
        "
struct Meter { public static implicit operator Meter(int x) => default; }
            class C { Meter? M(int? x) => x; }
            //                            ^ use conversion M:Meter.op_Implicit(System.Int32)~Meter
        ",
    );
}

#[test]
fn an_operator_of_a_generic_type_has_its_arguments() {
    check_refs(
        "
class Box<T> { public T Value; public static implicit operator Box<T>(T x) => null; }
            class C { Box<int> M() => 1; }
            //                        ^ use conversion M:Box`1.op_Implicit(`0)~Box{`0}
        ",
    );
}

#[test]
fn is_and_as_use_no_operator() {
    check_refs(
        "
class Money { public static explicit operator Cash(Money m) => null; }
            class Cash { }
            class C { bool M(Money m, object o) => o is Cash; Cash N(object o) => o as Cash; }
            //                                     ^ no use conversion
            //                                                                    ^ no use conversion
        ",
    );
}

#[test]
fn a_condition_may_be_converted_to_bool() {
    check_refs(
        "
class Flag { public static implicit operator bool(Flag f) => true; public static implicit operator int(Flag f) => 1; }
            class C { void M(Flag f) { if (f) { } } }
            //                             ^ use conversion M:Flag.op_Implicit(Flag)~System.Boolean
        ",
    );
}

#[test]
fn arms_of_a_conditional_are_converted_to_its_type() {
    check_refs(
        "
class Money { public static implicit operator Money(int x) => null; public int Size; }
            class C { int M(bool b, Money m) => (b ? m : 1).Size; }
            //                                           ^ use conversion M:Money.op_Implicit(System.Int32)~Money
            //                                              ^^^^ F:Money.Size
        ",
    );
}

#[test]
fn arms_without_a_common_type_are_converted_to_the_target() {
    check_refs(
        r#"
class Money { public static implicit operator Money(int x) => null; public static implicit operator Money(string x) => null; }
            class C { Money M(bool b) => b ? 1 : ""; }
            //                               ^ use conversion M:Money.op_Implicit(System.Int32)~Money
            //                                   ^^ use conversion M:Money.op_Implicit(System.String)~Money
        "#,
    );
}

#[test]
fn a_literal_zero_is_an_enum() {
    check_refs(
        "
enum E { A }
            class C {
                static int F(E e) => 1;
                static int F(string s) => 2;
                int M() => F(0);
                //         ^ M:C.F(E)
            }
        ",
    );
}

#[test]
fn a_constant_fits_into_a_smaller_type() {
    check_refs(
        "
class C {
                static int F(byte b) => 1;
                static int F(string s) => 2;
                int M() => F(200);
                //         ^ M:C.F(System.Byte)
            }
        ",
    );
}

#[test]
fn a_method_group_becomes_the_delegate_that_is_wanted() {
    check_refs(
        r#"
class C {
                static int Run(int x) => x;
                static int Run(string x) => 0;
                static string Run(long x) => "";
                System.Func<string, int> a = Run;
                //                           ^^^ M:C.Run(System.String)
                System.Func<int, int> b = Run;
                //                        ^^^ M:C.Run(System.Int32)
                System.Func<long, string> c = Run;
                //                            ^^^ M:C.Run(System.Int64)
            }
        "#,
    );
}

#[test]
fn a_method_group_may_take_wider_parameters() {
    check_refs(
        "
class A { } class B : A { }
            class C {
                static B Run(A a) => null;
                static B Run(string a) => null;
                System.Func<B, A> f = Run;
                //                    ^^^ M:C.Run(A)
            }
        ",
    );
}

#[test]
fn a_cast_that_goes_on_from_its_operator_has_two_steps() {
    check_refs(
        "
class Money { public static implicit operator int(Money m) => 1; }
            class C { long M(Money m) => (long)m; int N(Money m) => (int)m; }
            //                           ^ use other M:Money.op_Implicit(Money)~System.Int32
            //                                                      ^ use conversion M:Money.op_Implicit(Money)~System.Int32
        ",
    );
}

#[test]
fn null_coalescing_converts_to_the_left_type() {
    check_refs(
        "
class Money { public static implicit operator Money(int x) => null; public int Size; }
            class C { int M(Money m) => (m ?? 1).Size; }
            //                                ^ use conversion M:Money.op_Implicit(System.Int32)~Money
            //                                   ^^^^ F:Money.Size
        ",
    );
}

#[test]
fn a_span_is_made_of_an_array() {
    check_refs(
        "
class C {
                static int F(System.ReadOnlySpan<int> s) => 1;
                static int F(string s) => 2;
                int M(int[] a) => F(a);
                //                ^ M:C.F(System.ReadOnlySpan{System.Int32})
            }
        ",
    );
}
