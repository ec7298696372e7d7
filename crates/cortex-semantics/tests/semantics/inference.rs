//! Type inference (C# specification, §12.6.3).

use crate::check::check_refs;

#[test]
fn a_type_argument_comes_from_an_argument() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C {
                static T F<T>(T x) => x;
                int M(A a, B b) => F(a).Size + F(b).Size;
                //                      ^^^^ F:A.Size
                //                                  ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn a_type_argument_comes_from_inside_of_a_constructed_type() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class Box<T> { } class Pair<T, U> { }
            class C {
                static U F<T, U>(Box<Pair<T, U>> x) => default;
                int M(Box<Pair<A, B>> x) => F(x).Size;
                //                               ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn a_type_argument_comes_from_an_implemented_interface() {
    check_refs(
        "
using System.Collections.Generic;
            class A { public int Size; } class B { public int Size; }
            class Many : List<A> { }
            class C {
                static T F<T>(IEnumerable<T> x) => default;
                int M(Many m, B[] b) => F(m).Size + F(b).Size;
                //                           ^^^^ F:A.Size
                //                                       ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn several_arguments_give_their_best_common_type() {
    check_refs(
        "
class A { public int Size; } class B : A { public new int Size; }
            class C {
                static T F<T>(T x, T y) => x;
                int M(A a, B b) => F(a, b).Size + F(b, b).Size;
                //                         ^^^^ F:A.Size
                //                                        ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn a_lambda_gives_its_result() {
    check_refs(
        "
using System;
            class A { public B Next; public int Size; } class B { public int Size; }
            class C {
                static U F<T, U>(T x, Func<T, U> f) => f(x);
                int M(A a) => F(a, x => x.Next).Size;
                //                        ^^^^ F:A.Next
                //                              ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn results_of_lambdas_go_on_from_left_to_right() {
    check_refs(
        "
using System;
            class A { public B Next; } class B { public A Back; public int Size; } class D { public int Size; }
            class C {
                static V F<T, U, V>(T x, Func<T, U> f, Func<U, V> g) => g(f(x));
                int M(A a) => F(a, x => x.Next, y => y.Size);
                //                        ^^^^ F:A.Next
                //                                     ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn a_method_group_gives_its_result() {
    check_refs(
        "
using System;
            class A { public int Size; } class B { public int Size; }
            class C {
                static A Make(B b) => null; static B Make(A a) => null;
                static U F<T, U>(T x, Func<T, U> f) => f(x);
                int M(A a) => F(a, Make).Size;
                //                 ^^^^ M:C.Make(A)
                //                       ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn explicit_parameters_of_a_lambda_are_types_to_infer_from() {
    check_refs(
        "
using System;
            class A { public int Size; } class B { public int Size; }
            class C {
                static T F<T>(Action<T> f) => default;
                int M() => F((A a) => { }).Size;
                //                         ^^^^ F:A.Size
            }
        ",
    );
}

#[test]
fn written_type_arguments_are_not_inferred() {
    check_refs(
        "
class A { public int Size; } class B : A { public new int Size; }
            class C {
                static T F<T>(T x) => x;
                int M(B b) => F<A>(b).Size + F(b).Size;
                //                    ^^^^ F:A.Size
                //                                ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn a_tuple_gives_its_elements() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C {
                static U F<T, U>((T, U) x) => x.Item2;
                int M(A a, B b) => F((a, b)).Size + F((b, a)).Size;
                //                           ^^^^ F:B.Size
                //                                            ^^^^ F:A.Size
            }
        ",
    );
}

#[test]
fn a_nullable_gives_its_value() {
    check_refs(
        "
struct A { public int Size; } class B { public int Size; }
            class C {
                static T F<T>(T? x) where T : struct => default;
                int M(A? a) => F(a).Size;
                //                  ^^^^ F:A.Size
            }
        ",
    );
}

#[test]
fn what_cannot_be_inferred_does_not_apply() {
    check_refs(
        "
class C {
                static void F<T>(int x) { } static void F(long x) { }
                void M() { F(1); }
                //         ^ M:C.F(System.Int64)
            }
        ",
    );
}

#[test]
fn a_contravariant_parameter_takes_the_most_derived_type() {
    check_refs(
        "
using System;
            class A { public int Size; } class B : A { public new int Size; }
            class C {
                static T F<T>(Action<T> f, Action<T> g) => default;
                int M(Action<A> a, Action<B> b) => F(a, b).Size;
                //                                         ^^^^ F:B.Size
            }
        ",
    );
}

#[test]
fn an_async_lambda_gives_the_result_of_its_task() {
    check_refs(
        "
using System; using System.Threading.Tasks;
            class A { public int Size; } class B { public int Size; }
            class C {
                static T F<T>(Func<Task<T>> f) => default;
                int M(A a) => F(async () => { await Task.Yield(); return a; }).Size;
                //                                                             ^^^^ F:A.Size
            }
        ",
    );
}

#[test]
fn an_element_of_a_collection_expression_gives_its_type() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C {
                static T F<T>(T[] x) => x[0];
                int M(A a) => F([a]).Size;
                //                   ^^^^ F:A.Size
            }
        ",
    );
}

#[test]
fn an_out_argument_takes_the_inferred_type() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C {
                static void F<T>(T x, out T y) => y = x;
                int M(A a) { F(a, out var y); return y.Size; }
                //                                     ^^^^ F:A.Size
            }
        ",
    );
}

#[test]
fn chains_of_queries_keep_their_elements() {
    check_refs(
        "
using System.Linq;
            class A { public B[] Parts; public int Size; } class B { public int Size; public string Name; }
            class C {
                int M(A[] all) => all.Where(x => x.Size > 1).SelectMany(x => x.Parts).Select(x => x.Size).Sum();
                //                                 ^^^^ F:A.Size
                //                                                             ^^^^^ F:A.Parts
                //                                                                                  ^^^^ F:B.Size
                int N(A[] all) => all.GroupBy(x => x.Size).Select(g => g.First().Parts[0].Size).First();
                //                                   ^^^^ F:A.Size
                //                                                               ^^^^^ F:A.Parts
                //                                                                        ^^^^ F:B.Size
            }
        ",
    );
}
