//! Extension members (C# specification, §12.8.10.3, extension blocks).

use crate::check::check_refs;

#[test]
fn an_instance_method_comes_before_an_extension() {
    check_refs(
        "
class A { public void F(object x) { } }
            static class Ext { public static void F(this A a, int x) { } }
            class C { void M(A a) { a.F(1); } }
            //                        ^ M:A.F(System.Object)
        ",
    );
}

#[test]
fn an_extension_is_taken_where_no_instance_method_applies() {
    check_refs(
        "
class A { public void F(string x) { } }
            static class Ext { public static void F(this A a, int x) { } }
            class C { void M(A a) { a.F(1); } }
            //                        ^ M:Ext.F(A,System.Int32)
        ",
    );
}

#[test]
fn an_extension_of_a_nearer_namespace_comes_first() {
    check_refs(
        "
class A { }
            static class Far { public static void F(this A a, int x) { } }
            namespace N { static class Near { public static void F(this A a, object x) { } } class C { void M(A a) { a.F(1); } } }
            //                                                                                                         ^ M:N.Near.F(A,System.Object)
            class D { void M(A a) { a.F(1); } }
            //                        ^ M:Far.F(A,System.Int32)
        ",
    );
}

#[test]
fn an_extension_needs_its_namespace() {
    check_refs(
        "
using Near;
            class A { }
            class C { void M(A a) { a.F(1); } }
            //                        ^ M:Near.Ext.F(A,System.Object)
            namespace Near { static class Ext { public static void F(this A a, object x) { } } }
            namespace Far { static class Ext { public static void F(this A a, int x) { } } }
        ",
    );
}

#[test]
fn the_better_receiver_is_taken() {
    check_refs(
        "
class A { } class B : A { }
            static class Ext { public static void F(this A a) { } public static void F(this B b) { } public static void F(this object o) { } }
            class C { void M(A a, B b, string s) { a.F(); b.F(); s.F(); } }
            //                                       ^ M:Ext.F(A)
            //                                              ^ M:Ext.F(B)
            //                                                     ^ M:Ext.F(System.Object)
        ",
    );
}

#[test]
fn a_receiver_is_not_converted_by_an_operator() {
    check_refs(
        "
class A { public static implicit operator B(A a) => null; } class B { }
            static class Ext { public static void F(this B b) { } }
            class C { void M(A a, B b) { b.F(); a.F(); } }
            //                             ^ M:Ext.F(B)
            //                                    ^ unbound
        ",
    );
}

#[test]
fn a_receiver_gives_type_arguments() {
    check_refs(
        "
using System.Collections.Generic;
            class A { public int Size; } class B { public int Size; }
            static class Ext { public static T Pick<T>(this IEnumerable<T> all) => default; public static T Pick<T>(this T[,] all) => default; }
            class C { int M(List<A> a, B[] b) => a.Pick().Size + b.Pick().Size; }
            //                                     ^^^^ M:Ext.Pick``1(System.Collections.Generic.IEnumerable{``0})
            //                                            ^^^^ F:A.Size
            //                                                            ^^^^ F:B.Size
        ",
    );
}

#[test]
fn an_extension_may_be_called_as_the_static_method_that_it_is() {
    check_refs(
        "
class A { } static class Ext { public static void F(this A a) { } public static void F(this string a) { } }
            class C { void M(A a) { Ext.F(a); } }
            //                      ^^^ T:Ext
            //                          ^ M:Ext.F(A)
        ",
    );
}

#[test]
fn a_block_declares_properties_and_methods() {
    check_refs(
        r#"
class A { } class B { }
            static class Ext {
                extension(A a) { public int Size => 1; public int F(int x) => x; public int F(string x) => 1; }
                extension(B b) { public string Size => ""; }
            }
            class C { void M(A a, B b) { _ = a.Size; _ = b.Size.Length; a.F(""); } }
            //                                 ^^^^ P:Ext.extension(A).Size
            //                                             ^^^^ P:Ext.extension(B).Size
            //                                                  ^^^^^^ P:System.String.Length
            //                                                            ^ M:Ext.extension(A).F(System.String)
        "#,
    );
}

#[test]
fn a_static_member_of_a_block_belongs_to_the_type() {
    check_refs(
        "
class A { } class B { }
            static class Ext { extension(A) { public static A Make() => null; public int F() => 1; } extension(B) { public static B Make() => null; } }
            class C { void M() { _ = A.Make(); _ = B.Make(); } }
            //                         ^^^^ M:Ext.extension(A).Make
            //                                       ^^^^ M:Ext.extension(B).Make
        ",
    );
}

#[test]
fn a_generic_block_takes_its_arguments_from_the_receiver() {
    check_refs(
        "
using System.Collections.Generic;
            class A { public int Size; } class B { public int Size; }
            static class Ext { extension<T>(IEnumerable<T> all) { public T First0 => default; } }
            class C { int M(A[] a, List<B> b) => a.First0.Size + b.First0.Size; }
            //                                     ^^^^^^ P:Ext.extension(System.Collections.Generic.IEnumerable{`0})`1.First0
            //                                            ^^^^ F:A.Size
            //                                                            ^^^^ F:B.Size
        ",
    );
}

#[test]
fn an_extension_becomes_a_delegate_without_its_receiver() {
    check_refs(
        "
class A { } static class Ext { public static int F(this A a, int x) => x; public static int F(this A a, string x) => 1; }
            class C { System.Func<string, int> M(A a) => a.F; }
            //                                             ^ M:Ext.F(A,System.String)
        ",
    );
}

#[test]
fn an_extension_of_a_constraint_is_for_type_parameters() {
    check_refs(
        "
interface I { } class B { }
            static class Ext { public static void F(this I i) { } public static void F(this B b) { } }
            class C { void M<T>(T t) where T : I { t.F(); } }
            //                                       ^ M:Ext.F(I)
        ",
    );
}

#[test]
fn an_extension_is_called_on_this_and_in_conditional_accesses() {
    check_refs(
        "
            class A { public int Size; public A M() => this.F(); public int? N(A a) => a?.F()?.Size; }
            //                                              ^ M:Ext.F(A)
            //                                                                            ^ M:Ext.F(A)
            //                                                                                 ^^^^ F:A.Size
            static class Ext { public static A F(this A a) => a; public static string F(this string a) => a; }
        ",
    );
}

#[test]
fn base_is_no_receiver_of_an_extension() {
    check_refs(
        "
            class A : Missing { void M() { base.F = null; } object N() => this.F(1); }
            //                                  ^ unbound
            //                                                                 ^ M:Ext.F(System.Object,System.Int32)
            static class Ext { public static object F(this object a, int x) => a; }
        ",
    );
}
