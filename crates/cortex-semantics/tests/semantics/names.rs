//! Simple names, types and namespaces (C# specification, §7.8, §12.8.4, §14.5).

use crate::check::check_refs;

#[test]
fn a_local_hides_a_field() {
    check_refs(
        "
class C {
                int value;
                int M() { int value = 1; return value + this.value; }
                //                              ^^^^^ -
                //                                           ^^^^^ F:C.value
            }
        ",
    );
}

#[test]
fn a_parameter_hides_a_property() {
    check_refs(
        "
class C {
                int Size { get; }
                int M(int Size) => Size + this.Size;
                //                 ^^^^ -
                //                             ^^^^ P:C.Size
                int N() => Size;
                //         ^^^^ P:C.Size
            }
        ",
    );
}

#[test]
fn a_member_hides_a_type_in_expressions_and_not_in_types() {
    check_refs(
        "
class Item { public static int Count; }
            class C {
                int Item;
                int M() => Item;
                //         ^^^^ F:C.Item
                Item N() => null;
              //^^^^ T:Item
            }
        ",
    );
}

#[test]
fn a_member_of_the_name_of_its_type_is_both() {
    check_refs(
        "
class Color { public static int Make() => 1; public int Shade() => 2; }
            class C {
                Color Color;
                int M() => Color.Make();
                //         ^^^^^ T:Color
                //               ^^^^ M:Color.Make
                int N() => Color.Shade();
                //         ^^^^^ F:C.Color
                //               ^^^^^ M:Color.Shade
            }
        ",
    );
}

#[test]
fn a_type_parameter_hides_a_type() {
    check_refs(
        "
class T { }
            class C<T> {
                T value;
              //^ -
                global::T other;
                //      ^ T:T
            }
        ",
    );
}

#[test]
fn arity_is_part_of_a_types_name() {
    check_refs(
        "
class Box { }
            class Box<T> { }
            class Box<T, U> { }
            class C {
                Box a;
              //^^^ T:Box
                Box<int> b;
              //^^^ T:Box`1
                Box<int, string> c;
              //^^^ T:Box`2
            }
        ",
    );
}

#[test]
fn the_innermost_namespace_comes_first() {
    check_refs(
        "
namespace A {
                class X { }
                namespace B {
                    class X { }
                    class C {
                        X a;
                      //^ T:A.B.X
                        A.X b;
                        //^ T:A.X
                    }
                }
            }
        ",
    );
}

#[test]
fn a_type_around_comes_before_a_using_of_the_file() {
    check_refs(
        "
using Other;
            namespace N {
                class X { }
                class C { X x; }
                //        ^ T:N.X
            }
            namespace Other { class X { } }
        ",
    );
}

#[test]
fn a_using_of_the_namespace_comes_before_what_is_around_it() {
    check_refs(
        "
class X { }
            namespace N {
                using Other;
                class C { X x; }
                //        ^ T:Other.X
            }
            namespace Other { class X { } }
        ",
    );
}

#[test]
fn an_alias_names_its_target_and_not_a_type_of_a_using() {
    check_refs(
        "
using X = Other.Y;
            using More;
            class C { X x; }
            //        ^ T:Other.Y
            namespace Other { class Y { } class X { } }
            namespace More { class X { } }
        ",
    );
}

#[test]
fn an_alias_of_a_constructed_type_has_its_members() {
    check_refs(
        "
using Names = System.Collections.Generic.List<Item>;
            class Item { public int Size; }
            class Other { public int Size; }
            class C {
                int M(Names names) => names[0].Size;
                //                             ^^^^ F:Item.Size
            }
        ",
    );
}

#[test]
fn using_static_brings_static_members_in_after_members() {
    check_refs(
        "
using static Tools;
            static class Tools { public static int Twice(int x) => x; }
            class C { int M() => Twice(2); }
            //                   ^^^^^ M:Tools.Twice(System.Int32)
            class D {
                int Twice(long x) => 0;
                int M() => Twice(2);
                //         ^^^^^ M:D.Twice(System.Int64)
            }
        ",
    );
}

#[test]
fn using_static_does_not_call_extension_methods_by_simple_name() {
    check_refs(
        "
using static Tools;
            static class Tools { public static int Twice(this int x) => x; }
            class C {
                int M() => Twice(2);
                //         ^^^^^ unbound
                int N() => 2.Twice();
                //           ^^^^^ M:Tools.Twice(System.Int32)
            }
        ",
    );
}

#[test]
fn members_of_two_static_usings_are_one_group() {
    check_refs(
        "
using static A;
            using static B;
            static class A { public static int F(string x) => 1; }
            static class B { public static int F(int x) => 2; }
            class C {
                int M() => F(1);
                //         ^ M:B.F(System.Int32)
                int N() => F(null);
                //         ^ M:A.F(System.String)
            }
        ",
    );
}

#[test]
fn an_imported_member_and_an_imported_type_are_ambiguous_and_methods_come_first() {
    check_refs(
        "
using static N.Util;
            using N2;
            namespace N { static class Util { public const int A = 1; public static int F() => 2; } }
            namespace N2 { class A { public static int X; } class F { } }
            class C {
                int M() => A;
                //         ^ unbound
                A n;
            //  ^ T:N2.A
                int O() => F();
                //         ^ M:N.Util.F
                System.Func<int> P() => F;
                //                      ^ M:N.Util.F
            }
        ",
    );
}

#[test]
fn a_nested_type_is_inherited_with_its_arguments() {
    check_refs(
        "
class Base<T> { public class Node { public T Value; } }
            class Item { public int Size; }
            class Other { public int Size; }
            class Node { public Other Value; }
            class D : Base<Item> {
                int M(Node node) => node.Value.Size;
                //    ^^^^ T:Base`1.Node
                //                       ^^^^^ F:Base`1.Node.Value
                //                             ^^^^ F:Item.Size
            }
        ",
    );
}

#[test]
fn what_is_called_is_no_field() {
    check_refs(
        "
class B { public int Run(int x) => x; }
            class C : B {
                public new int Run;
                int M() => Run(1);
                //         ^^^ M:B.Run(System.Int32)
                int N() => Run;
                //         ^^^ F:C.Run
            }
        ",
    );
}

#[test]
fn an_inaccessible_member_is_passed_over() {
    check_refs(
        "
class Base { private static int Size() => 1; }
            class Outer {
                static int Size() => 2;
                class Inner : Base {
                    int M() => Size();
                    //         ^^^^ M:Outer.Size
                }
            }
        ",
    );
}

#[test]
fn a_local_function_hides_a_method() {
    check_refs(
        "
class C {
                int Run() => 1;
                int M() { int Run() => 2; return Run() + this.Run(); }
                //                               ^^^ -
                //                                            ^^^ M:C.Run
            }
        ",
    );
}

#[test]
fn nameof_names_without_a_value() {
    check_refs(
        "
class Item { public int Size; }
            class C {
                string M() => nameof(Item.Size);
                //                   ^^^^ T:Item
                //                        ^^^^ F:Item.Size
                string N() => nameof(N);
                //                   ^ M:C.N
            }
        ",
    );
}

#[test]
fn a_name_that_leads_nowhere_is_unbound() {
    check_refs(
        "
class C {
                int M() => Missing;
                //         ^^^^^^^ unbound
                Absent f;
              //^^^^^^ unbound
            }
        ",
    );
}

#[test]
fn an_underscore_is_a_discard_unless_there_is_one() {
    check_refs(
        "
class C {
                int _;
                void M() { _ = 1; }
                //         ^ F:C._
            }
            class D {
                void M() { _ = 1; }
                //         ^ -
            }
        ",
    );
}

#[test]
fn a_primary_constructor_parameter_comes_after_members_inside_of_bodies() {
    check_refs(
        "
class B { protected int size; }
            class C(int size) : B {
                int a = size;
                //      ^^^^ -
                int M() => size;
                //         ^^^^ F:B.size
            }
        ",
    );
}

#[test]
fn a_global_using_of_the_project_counts_everywhere() {
    check_refs(
        "
//- /A.cs project:App usings:Other
            class C { X x; }
            //        ^ T:Other.X
            //- /B.cs project:App
            namespace Other { class X { } }
            namespace More { class X { } }
        ",
    );
}

#[test]
fn a_file_local_type_comes_first_in_its_file() {
    check_refs(
        "
//- /A.cs
            namespace N { file class X { public int Here; } class C { int M(X x) => x.Here; } }
            //                                                                        ^^^^ F:N.X.Here
            //- /B.cs
            namespace N { class X { public int There; } class D { int M(X x) => x.There; } }
            //                                                                    ^^^^^ F:N.X.There
        ",
    );
}

#[test]
fn types_of_projects_that_are_not_referenced_do_not_exist() {
    check_refs(
        "
//- /A.cs project:App refs:Lib
            class C { X x; Y y; }
            //        ^ T:X
            //             ^ unbound
            //- /B.cs project:Lib
            public class X { }
            //- /D.cs project:Other
            public class X { }
            public class Y { }
        ",
    );
}

#[test]
fn internals_are_for_friends() {
    check_refs(
        "
//- /A.cs project:App refs:Lib
            class C { void M(X x) { x.Open(); x.Hidden(); } }
            //                        ^^^^ M:X.Open
            //                                  ^^^^^^ unbound
            //- /F.cs project:Friend refs:Lib
            class D { void M(X x) { x.Hidden(); } }
            //                        ^^^^^^ M:X.Hidden
            //- /B.cs project:Lib friends:Friend
            public class X { public void Open() { } internal void Hidden() { } }
        ",
    );
}

#[test]
fn a_type_of_the_own_project_wins() {
    check_refs(
        "
//- /A.cs project:App refs:Lib
            namespace N { class X { public int Mine; } class C { int M(X x) => x.Mine; } }
            //                                                                   ^^^^ F:N.X.Mine
            //- /B.cs project:Lib
            namespace N { public class X { public int Theirs; } }
        ",
    );
}

#[test]
fn a_type_of_source_hides_one_from_outside() {
    check_refs(
        "
using System;
            namespace N {
                class Uri { public int Own; }
                class C { int M(Uri uri) => uri.Own; }
                //              ^^^ T:N.Uri
                //                              ^^^ F:N.Uri.Own
            }
            class D { void M(Uri uri) { } }
            //               ^^^ T:System.Uri
        ",
    );
}

#[test]
fn symbols_decide_which_lines_count() {
    check_refs(
        "
//- /A.cs project:App symbols:FAST
            class C {
            #if FAST
                int M() => F(1);
                //         ^ M:C.F(System.Int32)
            #endif
                int F(int x) => x;
                int F(string x) => 0;
            }
        ",
    );
}

#[test]
fn the_parameter_list_of_a_cref_decides_among_overloads() {
    check_refs(
        r#"
            class A<T> {
                /// <see cref="G(int)"/>
                //             ^ M:A`1.G(System.Int32)
                int field1;
                /// <see cref="G(string)"/>
                //             ^ M:A`1.G(System.String)
                int field2;
                /// <see cref="G(ref int)"/>
                //             ^ M:A`1.G(System.Int32@)
                int field3;
                /// <see cref="G"/>
                //             ^ M:A`1.G(System.String)
                int field4;
                /// <see cref="G{V}"/>
                //             ^ M:A`1.G``1(``0,`0)
                int field5;
                /// <see cref="G(long)"/>
                //             ^ -
                int field6;
                /// <see cref="G()"/>
                //             ^ -
                int field7;
                public void G(string x) { }
                public void G(int x) { }
                public void G(ref int x) { }
                public void G<U>(U x, T y) { }
                public void G(List<T[]> x) { }
                public void G((int, T) x) { }
                public void G(Missing x, int y, int z) { }
                void Hidden(int x) { }
            }
            class List<T> { }
            class B : A<string> {
                void G(bool x) { }
                /// <see cref="A{X}.G{Y}(Y, X)"/>
                //                  ^ M:A`1.G``1(``0,`0)
                int field8;
                /// <see cref="A{X}.G(List{X[]})"/>
                //                  ^ M:A`1.G(List{`0[]})
                int field9;
                /// <see cref="A&lt;X&gt;.G((int a, X b))"/>
                //                        ^ M:A`1.G(System.ValueTuple{System.Int32,`0})
                int field10;
                /// <see cref="G(bool)"/>
                //             ^ M:B.G(System.Boolean)
                int field11;
                /// <see cref="G(List{string[]})"/>
                //             ^ M:A`1.G(List{`0[]})
                int field12;
                /// <see cref="B.G{Z}(Z, string)"/>
                //               ^ M:A`1.G``1(``0,`0)
                int field13;
                /// <see cref="A{X}.Hidden(int)"/>
                //                  ^^^^^^ M:A`1.Hidden(System.Int32)
                int field14;
            }
        "#,
    );
}

#[test]
fn a_cref_says_arity_with_braces() {
    check_refs(
        r#"
            /// <see cref="Box{T}"/> <see cref="Box"/>
            //             ^^^ T:Box`1
            //                                  ^^^ T:Box
            class Box { }
            class Box<T> {
                /// <see cref="Only"/>
                //             ^^^^ M:Box`1.Only(`0)
                void Only(T x) { }
            }
        "#,
    );
}
