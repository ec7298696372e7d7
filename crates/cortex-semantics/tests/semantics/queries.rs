//! Query expressions (C# specification, §12.22).

use crate::check::check_refs;

#[test]
fn a_clause_uses_the_method_of_its_source() {
    check_refs(
        "
using System;
            class Source { public Source Where(Func<A, bool> f) => this; public Result Select(Func<A, int> f) => null; }
            class Result { public int Size; } class A { public int Size; } class B { public int Size; }
            class C {
                int M(Source s) => (from x in s where x.Size > 1 select x.Size).Size;
                //                              ^^^^^ use query M:Source.Where(System.Func{A,System.Boolean})
                //                                      ^^^^ F:A.Size
                //                                               ^^^^^^ use query M:Source.Select(System.Func{A,System.Int32})
                //                                                        ^^^^ F:A.Size
                //                                                              ^^^^ F:Result.Size
            }
        ",
    );
}

#[test]
fn range_variables_have_the_types_of_their_sources() {
    check_refs(
        "
using System.Linq;
            class A { public int Size; public B[] Parts; } class B { public int Size; }
            class C { int M(A[] a) => (from x in a from y in x.Parts where x.Size > y.Size select y).First().Size; }
            //                                                 ^^^^^ F:A.Parts
            //                                                               ^^^^ F:A.Size
            //                                                                        ^^^^ F:B.Size
            //                                                                                               ^^^^ F:B.Size
        ",
    );
}

#[test]
fn let_introduces_a_variable() {
    check_refs(
        "
using System.Linq;
            class A { public B Next; } class B { public int Size; }
            class C { int M(A[] a) => (from x in a let y = x.Next orderby y.Size select y.Size).Sum(); }
            //                                               ^^^^ F:A.Next
            //                                                              ^^^^ F:B.Size
            //                                                                            ^^^^ F:B.Size
        ",
    );
}

#[test]
fn both_sides_of_a_join_see_their_own_variable() {
    check_refs(
        "
using System.Linq;
            class A { public int Key; public int Size; } class B { public int Key; public int Size; }
            class C { int M(A[] a, B[] b) => (from x in a join y in b on x.Key equals y.Key select x.Size + y.Size).Sum(); }
            //                                                             ^^^ F:A.Key
            //                                                                          ^^^ F:B.Key
            //                                                                                       ^^^^ F:A.Size
            //                                                                                                ^^^^ F:B.Size
        ",
    );
}

#[test]
fn a_group_join_gives_a_sequence() {
    check_refs(
        "
using System.Linq;
            class A { public int Key; } class B { public int Key; public int Size; }
            class C { int M(A[] a, B[] b) => (from x in a join y in b on x.Key equals y.Key into all select all.First().Size).Sum(); }
            //                                                                                                          ^^^^ F:B.Size
        ",
    );
}

#[test]
fn a_group_has_a_key_and_elements() {
    check_refs(
        "
using System.Linq;
            class A { public B Owner; public int Size; } class B { public int Size; }
            class C { int M(A[] a) => (from x in a group x by x.Owner into g select g.Key.Size + g.First().Size).Sum(); }
            //                                                  ^^^^^ F:A.Owner
            //                                                                            ^^^^ F:B.Size
            //                                                                                             ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_typed_range_variable_is_cast() {
    check_refs(
        "
using System.Linq;
            class A { public int Size; } class B { public int Size; }
            class C { int M(System.Collections.ArrayList a) => (from A x in a select x.Size).Sum(); }
            //                                                       ^ T:A
            //                                                                         ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_query_operator_may_be_an_extension() {
    check_refs(
        "
using System;
            class Source { } class A { public int Size; }
            static class Ext { public static A Select(this Source s, Func<A, int> f) => null; public static A Select(this string s, Func<A, int> f) => null; }
            class C { int M(Source s) => (from x in s select x.Size).Size; }
            //                                        ^^^^^^ use query M:Ext.Select(Source,System.Func{A,System.Int32})
            //                                                 ^^^^ F:A.Size
            //                                                       ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_range_variable_hides_a_field() {
    check_refs(
        "
using System.Linq;
            class A { public int Size; } class B { public int Size; }
            class C { B x; int M(A[] a) => (from x in a select x.Size).Sum() + x.Size; }
            //                                                 ^ -
            //                                                   ^^^^ F:A.Size
            //                                                                 ^ F:C.x
            //                                                                   ^^^^ F:B.Size
        ",
    );
}
