//! Anonymous functions (C# specification, §12.21, §10.7).

use crate::check::check_refs;

#[test]
fn parameters_have_the_types_of_the_delegate() {
    check_refs(
        "
using System;
            class A { public int Size; } class B { public int Size; }
            class C { Func<A, B, int> f = (x, y) => x.Size + y.Size; }
            //                                        ^^^^ F:A.Size
            //                                                 ^^^^ F:B.Size
        ",
    );
}

#[test]
fn a_lambda_parameter_hides_a_field() {
    check_refs(
        "
using System;
            class A { public int Size; } class B { public int Size; }
            class C { B x; Func<A, int> M() => x => x.Size + this.x.Size; }
            //                                      ^ -
            //                                        ^^^^ F:A.Size
            //                                                    ^ F:C.x
            //                                                      ^^^^ F:B.Size
        ",
    );
}

#[test]
fn a_lambda_that_fits_decides_the_overload() {
    check_refs(
        "
using System;
            class A { public int Size; } class B { public string Name; }
            class C {
                static void F(Func<A, int> f) { } static void F(Func<B, string> f) { }
                void M() { F(x => x.Size); F(x => x.Name); }
                //         ^ M:C.F(System.Func{A,System.Int32})
                //                  ^^^^ F:A.Size
                //                         ^ M:C.F(System.Func{B,System.String})
                //                                  ^^^^ F:B.Name
            }
        ",
    );
}

#[test]
fn a_value_wants_a_func_and_a_statement_an_action() {
    check_refs(
        "
using System;
            class C {
                static void F(Func<int> f) { } static void F(Action f) { }
                void M(int i) { F(() => i); F(() => { i = 1; }); F(() => i = 1); }
                //              ^ M:C.F(System.Func{System.Int32})
                //                          ^ M:C.F(System.Action)
                //                                               ^ M:C.F(System.Func{System.Int32})
            }
        ",
    );
}

#[test]
fn the_better_result_decides() {
    check_refs(
        r#"
using System;
            class C {
                static void F(Func<int> f) { } static void F(Func<object> f) { } static void F(Func<long> f) { }
                void M() { F(() => 1); F(() => ""); }
                //         ^ M:C.F(System.Func{System.Int32})
                //                     ^ M:C.F(System.Func{System.Object})
            }
        "#,
    );
}

#[test]
fn an_async_lambda_is_a_func_of_a_task_first() {
    check_refs(
        "
using System; using System.Threading.Tasks;
            class C {
                static void F(Action f) { } static void F(Func<Task> f) { } static void F(Func<Task<int>> f) { }
                void M() { F(async () => { await Task.Yield(); }); F(async () => 1); }
                //         ^ M:C.F(System.Func{System.Threading.Tasks.Task})
                //                                                 ^ M:C.F(System.Func{System.Threading.Tasks.Task{System.Int32}})
            }
        ",
    );
}

#[test]
fn the_number_of_parameters_decides() {
    check_refs(
        "
using System;
            class A { public int Size; }
            class C {
                static void F(Func<A, int> f) { } static void F(Func<A, A, int> f) { }
                void M() { F((x, y) => y.Size); F(x => x.Size); }
                //         ^ M:C.F(System.Func{A,A,System.Int32})
                //                       ^^^^ F:A.Size
                //                              ^ M:C.F(System.Func{A,System.Int32})
            }
        ",
    );
}

#[test]
fn a_lambda_without_a_target_has_a_delegate_type_of_its_own() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C { int M(A a) { var f = (B b) => a; return f(null).Size; } }
            //                                                        ^^^^ F:A.Size
        ",
    );
}

#[test]
fn names_in_a_lambda_are_told_once_however_often_it_is_tried() {
    check_refs(
        "
using System;
            class A { public int Size; public A Next(Func<A, A> f) => this; public A Next(Func<A, int> f) => this; }
            class C { A M(A a) => a.Next(x => x.Next(y => y.Next(z => z.Size))); }
            //                      ^^^^ M:A.Next(System.Func{A,A})
            //                                  ^^^^ M:A.Next(System.Func{A,A})
            //                                              ^^^^ M:A.Next(System.Func{A,System.Int32})
            //                                                          ^^^^ F:A.Size
        ",
    );
}

#[test]
fn an_expression_tree_is_bound_as_its_lambda() {
    check_refs(
        "
using System; using System.Linq.Expressions;
            class A { public int Size; } class B { public int Size; }
            class C { Expression<Func<A, int>> e = x => x.Size; }
            //                                            ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_written_return_type_is_a_type() {
    check_refs(
        "
class A { public int Size; } class B : A { }
            class C { int M() { var f = A (B b) => b; return f(null).Size; } }
            //                          ^ T:A
            //                             ^ T:B
            //                                                       ^^^^ F:A.Size
        ",
    );
}

#[test]
fn ref_parameters_of_a_lambda_choose() {
    check_refs(
        "
delegate void ByRef(ref int x); delegate void ByValue(int x);
            class C {
                static void F(ByRef f) { } static void F(ByValue f) { }
                void M() { F((ref int x) => { }); F((int x) => { }); }
                //         ^ M:C.F(ByRef)
                //                                ^ M:C.F(ByValue)
            }
        ",
    );
}

#[test]
fn an_anonymous_method_without_parameters_fits_any() {
    check_refs(
        "
using System;
            class C { static int Run() => 1; Func<string, int> f = delegate { return Run(); }; static int Run(string s) => 2; }
            //                                                                       ^^^ M:C.Run
        ",
    );
}

#[test]
fn returned_lambdas_have_the_type_that_is_returned() {
    check_refs(
        "
using System;
            class A { public int Size; } class B { public int Size; }
            class C { Func<A, Func<B, int>> M() => a => b => a.Size + b.Size; }
            //                                                 ^^^^ F:A.Size
            //                                                          ^^^^ F:B.Size
        ",
    );
}
