//! Statements (C# specification, §13).

use crate::check::check_refs;

#[test]
fn foreach_takes_the_pattern_before_the_interface() {
    check_refs(
        "
using System.Collections.Generic;
            class A { public int Size; } class B { public int Size; }
            class Many : IEnumerable<B> {
                public Walk GetEnumerator() => null;
                IEnumerator<B> IEnumerable<B>.GetEnumerator() => null;
                System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null;
            }
            class Walk { public A Current => null; public bool MoveNext() => true; }
            class C {
                void M(Many m) {
                    foreach (var x in m) _ = x.Size;
                  //^^^^^^^ use foreach M:Many.GetEnumerator
                  //^^^^^^^ use foreach M:Walk.MoveNext
                  //^^^^^^^ use foreach P:Walk.Current
                    //                         ^^^^ F:A.Size
                }
            }
        ",
    );
}

#[test]
fn foreach_takes_the_interface_where_there_is_no_pattern() {
    check_refs(
        "
using System.Collections.Generic;
            class A { public int Size; } class B { public int Size; }
            abstract class Many : IEnumerable<A> { public abstract B GetEnumerator(int x); IEnumerator<A> IEnumerable<A>.GetEnumerator() => null; System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null; }
            class C { void M(Many m) { foreach (var x in m) _ = x.Size; } }
            //                                                    ^^^^ F:A.Size
        ",
    );
}

#[test]
fn foreach_takes_an_extension_last() {
    check_refs(
        "
class A { public int Size; }
            class Many { }
            class Walk { public A Current => null; public bool MoveNext() => true; }
            static class Ext { public static Walk GetEnumerator(this Many m) => null; public static Walk GetEnumerator(this string m) => null; }
            class C { void M(Many m) { foreach (var x in m) _ = x.Size; } }
            //                         ^^^^^^^ use foreach M:Ext.GetEnumerator(Many)
            //                                                    ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_written_element_type_is_a_reference() {
    check_refs(
        "
class A { public int Size; } class B : A { public new int Size; }
            class C { void M(A[] all) { foreach (B x in all) _ = x.Size; } }
            //                                   ^ T:B
            //                                                     ^^^^ F:B.Size
        ",
    );
}

#[test]
fn foreach_over_an_array_gives_its_elements() {
    check_refs(
        "
class A { public int Length; }
            class C { void M(A[][] all) { foreach (var row in all) foreach (var x in row) _ = x.Length + row.Length; } }
            //                                                                                  ^^^^^^ F:A.Length
            //                                                                                               ^^^^^^ P:System.Array.Length
        ",
    );
}

#[test]
fn a_deconstruction_takes_the_method_by_its_number_of_targets() {
    check_refs(
        "
class A { public int Size; public void Deconstruct(out A x, out B y) { x = null; y = null; } public void Deconstruct(out B x, out B y, out B z) { x = y = z = null; } }
            class B { public int Size; }
            class C {
                void M(A a) {
                    var (x, y) = a;
                    //         ^ use deconstruct M:A.Deconstruct(A@,B@)
                    _ = x.Size + y.Size;
                    //    ^^^^ F:A.Size
                    //             ^^^^ F:B.Size
                    (B p, var q, _) = a;
                    //              ^ use deconstruct M:A.Deconstruct(B@,B@,B@)
                    _ = q.Size;
                    //    ^^^^ F:B.Size
                }
            }
        ",
    );
}

#[test]
fn a_deconstruction_may_use_an_extension_and_go_deeper() {
    check_refs(
        "
class A { public int Size; } class B { public void Deconstruct(out A x, out A y) { x = y = null; } }
            static class Ext { public static void Deconstruct(this A a, out int x, out B y) { x = 1; y = null; } }
            class C { void M(A a) { var (x, (y, z)) = a; _ = y.Size; } }
            //                                      ^ use deconstruct M:Ext.Deconstruct(A,System.Int32@,B@)
            //                                                 ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_tuple_is_deconstructed_without_a_method() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C { void M((A, B) t) { var (x, y) = t; _ = y.Size; } }
            //                                      ^ no use deconstruct
            //                                                 ^^^^ F:B.Size
        ",
    );
}

#[test]
fn foreach_deconstructs_its_elements() {
    check_refs(
        "
class A { public void Deconstruct(out B x, out int y) { x = null; y = 1; } } class B { public int Size; }
            class C { void M(A[] all) { foreach (var (x, y) in all) _ = x.Size; } }
            //                          ^^^^^^^ use deconstruct M:A.Deconstruct(B@,System.Int32@)
            //                                                            ^^^^ F:B.Size
        ",
    );
}

#[test]
fn await_takes_the_awaiter_of_the_type() {
    check_refs(
        "
using System; using System.Runtime.CompilerServices;
            class A { public Awaiter GetAwaiter() => null; public int Size; } class B { public int Size; }
            class Awaiter : INotifyCompletion { public bool IsCompleted => true; public B GetResult() => null; public void OnCompleted(Action f) { } }
            class C { async void M(A a) { _ = (await a).Size; } }
            //                                 ^^^^^ use await M:A.GetAwaiter
            //                                          ^^^^ F:B.Size
        ",
    );
}

#[test]
fn await_of_a_task_gives_its_result() {
    check_refs(
        "
using System.Threading.Tasks;
            class A { public int Size; public int Result; }
            class C { async Task<int> M(Task<A> t) => (await t).Size + t.Result.Result; }
            //                                                  ^^^^ F:A.Size
            //                                                           ^^^^^^ P:System.Threading.Tasks.Task`1.Result
            //                                                                  ^^^^^^ F:A.Result
        ",
    );
}

#[test]
fn await_foreach_takes_the_asynchronous_pattern() {
    check_refs(
        "
using System.Threading.Tasks; using System.Collections.Generic;
            class A { public int Size; }
            class C { async Task M(IAsyncEnumerable<A> all) { await foreach (var x in all) _ = x.Size; } }
            //                                                                                   ^^^^ F:A.Size
        ",
    );
}

#[test]
fn using_disposes_by_pattern_in_a_ref_struct() {
    check_refs(
        "
ref struct A { public void Dispose() { } public void Dispose(int x) { } public int Size; }
            class C { void M() { using (var a = new A()) _ = a.Size; } }
            //                   ^^^^^ use dispose M:A.Dispose
            //                                                 ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_caught_exception_has_its_type_in_the_filter() {
    check_refs(
        "
class A : System.Exception { public int Size; } class B : System.Exception { public int Size; }
            class C { void M() { try { } catch (A e) when (e.Size > 1) { } catch (B e) { _ = e.Size; } } }
            //                                  ^ T:A
            //                                               ^^^^ F:A.Size
            //                                                                    ^ T:B
            //                                                                                 ^^^^ F:B.Size
        ",
    );
}

#[test]
fn var_takes_the_type_of_its_value_unless_there_is_a_type_var() {
    check_refs(
        "
class A { public int Size; }
            class C { void M(A a) { var x = a; _ = x.Size; } }
            //                      ^^^ -
            //                                       ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_type_named_var_is_a_type() {
    check_refs(
        "
class var { public int Size; public static implicit operator var(A a) => null; } class A { public int Size; }
            class C { void M(A a) { var x = a; _ = x.Size; } }
            //                      ^^^ T:var
            //                                       ^^^^ F:var.Size
        ",
    );
}

#[test]
fn a_local_is_seen_in_its_block_alone() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C { A x; void M(B b) { { B x = b; _ = x.Size; } _ = x.Size; } }
            //                                            ^^^^ F:B.Size
            //                                                        ^ F:C.x
            //                                                          ^^^^ F:A.Size
        ",
    );
}

#[test]
fn an_out_variable_is_seen_after_its_call() {
    check_refs(
        r#"
class A { public int Size; }
            class C { A x; static bool F(out string s) { s = ""; return true; } void M() { if (F(out var x)) { _ = x.Length; } } }
            //                                                                                                     ^ -
            //                                                                                                       ^^^^^^ P:System.String.Length
        "#,
    );
}

#[test]
fn a_ref_local_has_the_type_of_what_it_refers_to() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C { A a; ref A F() => ref a; void M() { ref var x = ref F(); _ = x.Size; } }
            //                                                                       ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_return_converts_to_the_result() {
    check_refs(
        r#"
class Money { public static implicit operator Money(int x) => null; public static implicit operator Money(string x) => null; }
            class C { Money M(bool b) { if (b) return 1; return ""; } }
            //                                        ^ use conversion M:Money.op_Implicit(System.Int32)~Money
            //                                                  ^^ use conversion M:Money.op_Implicit(System.String)~Money
        "#,
    );
}

#[test]
fn a_yielded_value_converts_to_the_element() {
    check_refs(
        "
using System.Collections.Generic;
            class Money { public static implicit operator Money(int x) => null; }
            class C { IEnumerable<Money> M() { yield return 1; } }
            //                                              ^ use conversion M:Money.op_Implicit(System.Int32)~Money
        ",
    );
}

#[test]
fn a_local_function_has_parameters_and_results_of_its_own() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C { A x; int M(B b) { return F(b).Size; T F<T>(T x) { _ = x; return x; } } }
            //                                      ^^^^ F:B.Size
            //                                                              ^ -
        ",
    );
}
