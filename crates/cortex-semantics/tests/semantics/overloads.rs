//! Overload resolution (C# specification, §12.6.4).

use crate::check::check_refs;

#[test]
fn arguments_choose_by_their_types() {
    check_refs(
        r#"
class C {
                static int F(int x) => 1; static int F(string x) => 2; static int F(object x) => 3;
                void M() { F(1); F(""); F(1.5); }
                //         ^ M:C.F(System.Int32)
                //               ^ M:C.F(System.String)
                //                      ^ M:C.F(System.Object)
            }
        "#,
    );
}

#[test]
fn the_number_of_arguments_chooses() {
    check_refs(
        "
class C {
                static int F() => 0; static int F(int x) => 1; static int F(int x, int y) => 2;
                void M() { F(); F(1); F(1, 2); }
                //         ^ M:C.F
                //              ^ M:C.F(System.Int32)
                //                    ^ M:C.F(System.Int32,System.Int32)
            }
        ",
    );
}

#[test]
fn the_more_derived_parameter_is_better() {
    check_refs(
        "
class A { } class B : A { } class D : B { }
            class C {
                static void F(A a) { } static void F(B b) { } static void F(object o) { }
                void M(D d, A a) { F(d); F(a); }
                //                 ^ M:C.F(B)
                //                       ^ M:C.F(A)
            }
        ",
    );
}

#[test]
fn null_takes_the_more_specific_reference() {
    check_refs(
        "
class C {
                static void F(object o) { } static void F(string s) { }
                void M() { F(null); }
                //         ^ M:C.F(System.String)
            }
        ",
    );
}

#[test]
fn default_takes_the_more_specific_type() {
    check_refs(
        "
class C {
                static void F(object o) { } static void F(string s) { }
                void M() { F(default); }
                //         ^ M:C.F(System.String)
            }
        ",
    );
}

#[test]
fn of_two_equally_good_overloads_none_is_sure() {
    check_refs(
        "
class A { } class B { }
            class C {
                static void F(A a) { } static void F(B b) { }
                void M() { F(null); }
                //         ^ one of M:C.F(A)
            }
        ",
    );
}

#[test]
fn signed_is_better_than_unsigned() {
    check_refs(
        "
class C {
                static void F(long x) { } static void F(ulong x) { }
                static void G(uint x) { } static void G(long x) { }
                void M(ushort u, int i) { F(u); G(i); }
                //                        ^ M:C.F(System.Int64)
                //                              ^ M:C.G(System.Int64)
            }
        ",
    );
}

#[test]
fn the_narrower_number_is_better() {
    check_refs(
        "
class C {
                static void F(long x) { } static void F(double x) { } static void F(decimal x) { }
                void M(int i) { F(i); }
                //              ^ M:C.F(System.Int64)
            }
        ",
    );
}

#[test]
fn a_value_is_better_than_its_nullable() {
    check_refs(
        "
class C {
                static void F(int? x) { } static void F(int x) { }
                void M(int? n) { F(1); F(n); F(null); }
                //               ^ M:C.F(System.Int32)
                //                     ^ M:C.F(System.Nullable{System.Int32})
                //                           ^ M:C.F(System.Nullable{System.Int32})
            }
        ",
    );
}

#[test]
fn an_ordinary_method_is_better_than_an_equal_generic_one() {
    check_refs(
        r#"
class C {
                static void F<T>(T x) { } static void F(int x) { }
                void M() { F(1); F(""); F<int>(1); }
                //         ^ M:C.F(System.Int32)
                //               ^ M:C.F``1(``0)
                //                      ^ M:C.F``1(``0)
            }
        "#,
    );
}

#[test]
fn an_exact_generic_method_is_better_than_a_conversion() {
    check_refs(
        "
class C {
                static void F<T>(T x) { } static void F(long x) { }
                void M() { F(1); F(1L); }
                //         ^ M:C.F``1(``0)
                //               ^ M:C.F(System.Int64)
            }
        ",
    );
}

#[test]
fn the_more_specific_generic_parameter_is_better() {
    check_refs(
        "
class C {
                static void F<T>(T x) { } static void F<T>(T[] x) { } static void F<T>(System.Collections.Generic.List<T> x) { }
                void M(int[] a, System.Collections.Generic.List<int> l) { F(a); F(l); F(1); }
                //                                                        ^ M:C.F``1(``0[])
                //                                                              ^ M:C.F``1(System.Collections.Generic.List{``0})
                //                                                                    ^ M:C.F``1(``0)
            }
        ",
    );
}

#[test]
fn a_normal_form_is_better_than_an_expanded_one() {
    check_refs(
        "
class C {
                static void F(params int[] x) { } static void F(int x) { } static void F(object x) { }
                void M(int[] a) { F(1); F(1, 2); F(a); F(); }
                //                ^ M:C.F(System.Int32)
                //                      ^ M:C.F(System.Int32[])
                //                               ^ M:C.F(System.Int32[])
                //                                     ^ M:C.F(System.Int32[])
            }
        ",
    );
}

#[test]
fn fewer_elements_of_params_are_better() {
    check_refs(
        "
class C {
                static void F(int a, params int[] x) { } static void F(params int[] x) { }
                void M() { F(1, 2); }
                //         ^ M:C.F(System.Int32,System.Int32[])
            }
        ",
    );
}

#[test]
fn params_of_a_span_are_better_than_of_an_array() {
    check_refs(
        "
class C {
                static void F(params int[] x) { } static void F(params System.ReadOnlySpan<int> x) { }
                void M(int[] a) { F(1, 2); F(a); }
                //                ^ M:C.F(System.ReadOnlySpan{System.Int32})
                //                         ^ M:C.F(System.Int32[])
            }
        ",
    );
}

#[test]
fn an_optional_parameter_that_is_left_out_is_worse() {
    check_refs(
        "
class C {
                static void F(int x, int y = 0) { } static void F(int x) { }
                void M() { F(1); F(1, 2); }
                //         ^ M:C.F(System.Int32)
                //               ^ M:C.F(System.Int32,System.Int32)
            }
        ",
    );
}

#[test]
fn a_better_argument_wins_over_no_optional_parameters() {
    check_refs(
        "
class C {
                static void F(int x, int y = 0) { } static void F(object x) { }
                void M() { F(1); }
                //         ^ M:C.F(System.Int32,System.Int32)
            }
        ",
    );
}

#[test]
fn names_of_arguments_choose() {
    check_refs(
        r#"
class C {
                static void F(int x, string y) { } static void F(string first, int second) { }
                void M() { F(second: 1, first: ""); F(y: "", x: 1); }
                //         ^ M:C.F(System.String,System.Int32)
                //                                  ^ M:C.F(System.Int32,System.String)
            }
        "#,
    );
}

#[test]
fn ref_and_out_are_part_of_the_signature() {
    check_refs(
        "
class C {
                static void F(int x) { } static void F(ref int x) { }
                static void G(int x) { } static void G(out int x) { x = 1; }
                void M(int i) { F(i); F(ref i); G(out i); G(out var j); }
                //              ^ M:C.F(System.Int32)
                //                    ^ M:C.F(System.Int32@)
                //                              ^ M:C.G(System.Int32@)
                //                                        ^ M:C.G(System.Int32@)
            }
        ",
    );
}

#[test]
fn ref_needs_the_same_type() {
    check_refs(
        "
class C {
                static void F(ref object x) { } static void F(ref string x) { }
                void M(string s, object o) { F(ref s); F(ref o); }
                //                           ^ M:C.F(System.String@)
                //                                     ^ M:C.F(System.Object@)
            }
        ",
    );
}

#[test]
fn a_value_parameter_is_better_than_in() {
    check_refs(
        "
class C {
                static void F(int x) { } static void F(in int x) { }
                void M(int i) { F(i); F(in i); }
                //              ^ M:C.F(System.Int32)
                //                    ^ M:C.F(System.Int32@)
            }
        ",
    );
}

#[test]
fn an_out_variable_with_a_type_chooses() {
    check_refs(
        r#"
class C {
                static void F(out int x) { x = 1; } static void F(out string x) { x = ""; }
                void M() { F(out string s); F(out int _); }
                //         ^ M:C.F(System.String@)
                //                          ^ M:C.F(System.Int32@)
            }
        "#,
    );
}

#[test]
fn a_method_of_the_derived_class_hides_better_ones_of_the_base() {
    check_refs(
        "
class A { public void F(int x) { } }
            class B : A { public void F(object x) { } }
            class C { void M(B b, A a) { b.F(1); a.F(1); } }
            //                             ^ M:B.F(System.Object)
            //                                     ^ M:A.F(System.Int32)
        ",
    );
}

#[test]
fn an_override_counts_where_it_was_first_declared() {
    check_refs(
        "
class A { public virtual void F(int x) { } }
            class B : A { public override void F(int x) { } public void F(object x) { } }
            class C { void M(B b) { b.F(1); } }
            //                        ^ M:B.F(System.Object)
        ",
    );
}

#[test]
fn methods_of_the_base_are_taken_where_none_of_the_derived_class_applies() {
    check_refs(
        r#"
class A { public void F(int x) { } }
            class B : A { public void F(string x) { } }
            class C { void M(B b) { b.F(1); b.F(""); } }
            //                        ^ M:A.F(System.Int32)
            //                                ^ M:B.F(System.String)
        "#,
    );
}

#[test]
fn a_higher_priority_wins_over_a_better_conversion() {
    check_refs(
        "
using System.Runtime.CompilerServices;
            class C {
                [OverloadResolutionPriority(1)] static void F(object x) { }
                static void F(int x) { }
                void M() { F(1); }
                //         ^ M:C.F(System.Object)
            }
        ",
    );
}

#[test]
fn constraints_remove_candidates() {
    check_refs(
        r#"
class C {
                static void F<T>(T x) where T : struct { } static void F<T>(T x, int y = 0) where T : class { }
                void M() { F(1); F(""); }
                //         ^ M:C.F``1(``0)
                //               ^ M:C.F``1(``0,System.Int32)
            }
        "#,
    );
}

#[test]
fn an_interpolated_string_is_a_string_first() {
    check_refs(
        r#"
class C {
                static void F(System.FormattableString x) { } static void F(string x) { }
                static void G(object x) { } static void G(System.FormattableString x) { }
                void M(int i) { F($"{i}"); G($"{i}"); }
                //              ^ M:C.F(System.String)
                //                         ^ M:C.G(System.FormattableString)
            }
        "#,
    );
}

#[test]
fn a_handler_is_better_than_a_string() {
    check_refs(
        r#"
using System.Runtime.CompilerServices;
            [InterpolatedStringHandler] struct Handler { public Handler(int a, int b) { } public void AppendFormatted(int x) { } public void AppendLiteral(string s) { } }
            class C {
                static void F(Handler x) { } static void F(string x) { }
                void M(int i) { F($"{i}"); F("plain"); }
                //              ^ M:C.F(Handler)
                //                         ^ M:C.F(System.String)
            }
        "#,
    );
}

#[test]
fn a_collection_expression_is_a_span_first() {
    check_refs(
        "
class C {
                static void F(int[] x) { } static void F(System.ReadOnlySpan<int> x) { }
                static void G(System.Collections.Generic.IEnumerable<int> x) { } static void G(System.Collections.Generic.List<int> x) { }
                void M() { F([1, 2]); G([1]); }
                //         ^ M:C.F(System.ReadOnlySpan{System.Int32})
                //                    ^ M:C.G(System.Collections.Generic.List{System.Int32})
            }
        ",
    );
}

#[test]
fn the_elements_of_a_collection_expression_choose() {
    check_refs(
        r#"
class C {
                static void F(string[] x) { } static void F(int[] x) { }
                void M() { F([1, 2]); F([""]); }
                //         ^ M:C.F(System.Int32[])
                //                    ^ M:C.F(System.String[])
            }
        "#,
    );
}

#[test]
fn tuples_convert_element_by_element() {
    check_refs(
        r#"
class C {
                static void F((int, string) x) { } static void F((long, object) x) { } static void F((string, int) x) { }
                void M() { F((1, "")); F(("", 1)); F((1L, 1)); }
                //         ^ M:C.F(System.ValueTuple{System.Int32,System.String})
                //                     ^ M:C.F(System.ValueTuple{System.String,System.Int32})
                //                                 ^ M:C.F(System.ValueTuple{System.Int64,System.Object})
            }
        "#,
    );
}

#[test]
fn constructors_are_overloads() {
    check_refs(
        r#"
class Item { public Item(int x) { } public Item(string x) { } }
            class C { void M() { _ = new Item(1); _ = new Item(""); Item i = new(2); } }
            //                       ^^^ use new M:Item.#ctor(System.Int32)
            //                           ^^^^ T:Item
            //                                        ^^^ use new M:Item.#ctor(System.String)
            //                                                               ^^^ use new M:Item.#ctor(System.Int32)
        "#,
    );
}

#[test]
fn the_chosen_overload_says_what_the_next_member_means() {
    check_refs(
        r#"
class A { public int Size; } class B { public int Size; }
            class C {
                static A F(int x) => null; static B F(string x) => null;
                int M() => F(1).Size + F("").Size;
                //         ^ M:C.F(System.Int32)
                //              ^^^^ F:A.Size
                //                     ^ M:C.F(System.String)
                //                           ^^^^ F:B.Size
            }
        "#,
    );
}

#[test]
fn a_dynamic_argument_leaves_the_choice_open_unless_there_is_one() {
    check_refs(
        "
class C {
                static int F(int x) => 1;
                static int G(int x) => 1; static int G(int x, int y) => 1;
                static int H(int x) => 1; static int H(string x) => 1;
                void M(dynamic d) { F(d); G(d, d); H(d); }
                //                  ^ M:C.F(System.Int32)
                //                        ^ M:C.G(System.Int32,System.Int32)
                //                                 ^ one of M:C.H(System.Int32)
            }
        ",
    );
}

#[test]
fn what_a_call_with_a_dynamic_argument_gives_is_dynamic() {
    check_refs(
        "
class C {
                static int F(int x) => 1;
                static void G(int x) { } static void G(string x) { }
                void M(dynamic d) { var f = F(d); G(f); G(F(1)); }
                //                                ^ one of M:C.G(System.Int32)
                //                                      ^ M:C.G(System.Int32)
            }
        ",
    );
}

#[test]
#[ignore = "takes half a minute without optimization: `cargo test -p cortex-semantics --release -- --ignored`"]
fn calls_beyond_the_limit_are_reported_as_unbound() {
    let numbered = |form: fn(u32) -> String| (0..1_500).map(form).collect::<String>();
    let types = numbered(|n| format!("class T{n} {{ }} "));
    let overloads = numbered(|n| format!("static void M(T{n} a{n}) {{ }} "));
    let calls = "M(t); ".repeat(130);
    check_refs(&format!(
        "
{types}
class C {{
                static T0 t; {overloads}
                void First() {{ M(t); }}
                //             ^ M:C.M(T0)
                void Rest() {{ {calls} }}
                void Last() {{ M(t); }}
                //            ^ unbound
            }}
        "
    ));
}
