//! Creation of objects, collections and arrays (C# specification, §12.8.17).

use crate::check::check_refs;

#[test]
fn a_target_typed_new_takes_its_type_from_where_it_goes() {
    check_refs(
        r#"
class A { public A(int x) { } public A(string x) { } } class B { public B(int x) { } }
            class C { A f = new(""); A M() => new(1); static void F(B b) { } void N() { F(new(1)); } }
            //              ^^^ use new M:A.#ctor(System.String)
            //                                ^^^ use new M:A.#ctor(System.Int32)
            //                                                                            ^^^ use new M:B.#ctor(System.Int32)
        "#,
    );
}

#[test]
fn an_initializer_names_members_of_what_is_created() {
    check_refs(
        "
class A { public int Size; public B Next { get; set; } } class B { public int Size; }
            class C { int Size; object M() => new A { Size = Size, Next = { Size = 1 } }; }
            //                                        ^^^^ F:A.Size
            //                                               ^^^^ F:C.Size
            //                                                     ^^^^ P:A.Next
            //                                                              ^^^^ F:B.Size
        ",
    );
}

#[test]
fn elements_of_a_collection_initializer_are_added() {
    check_refs(
        r#"
using System.Collections;
            class Many : IEnumerable { public void Add(int x) { } public void Add(string x) { } public void Add(int x, string y) { } public IEnumerator GetEnumerator() => null; }
            class C { object M() => new Many { 1, "", { 1, "" } }; }
            //                                 ^ use add M:Many.Add(System.Int32)
            //                                    ^^ use add M:Many.Add(System.String)
            //                                        ^ use add M:Many.Add(System.Int32,System.String)
        "#,
    );
}

#[test]
fn an_initializer_may_use_an_indexer() {
    check_refs(
        r#"
class A { public int this[string s] { set { } } public int this[int i] { set { } } }
            class C { object M() => new A { [""] = 1, [1] = 1 }; }
            //                              ^ use index P:A.Item(System.String)
            //                                        ^ use index P:A.Item(System.Int32)
        "#,
    );
}

#[test]
fn constructors_of_this_and_base_are_overloads() {
    check_refs(
        r#"
class A { public A(int x) { } public A(string x) { } }
            class B : A { public B(int x) : base("") { } public B(string x) : this(1) { } }
            //                              ^^^^ use new M:A.#ctor(System.String)
            //                                                                ^^^^ use new M:B.#ctor(System.Int32)
        "#,
    );
}

#[test]
fn a_base_with_arguments_is_constructed() {
    check_refs(
        "
class A(int x) { public A(string s) : this(1) { } }
            class B(string s) : A(s);
            //                  ^ T:A
            //                  ^ use new M:A.#ctor(System.String)
        ",
    );
}

#[test]
fn a_class_without_constructors_has_one() {
    check_refs(
        "
class A { } class B { public B(int x = 0) { } }
            class C { void M() { _ = new A(); _ = new B(); } }
            //                       ^^^ use new M:A.#ctor
            //                                    ^^^ use new M:B.#ctor(System.Int32)
        ",
    );
}

#[test]
fn elements_of_an_array_are_converted() {
    check_refs(
        "
class Money { public static implicit operator Money(int x) => null; public int Size; }
            class C { Money[] M() => new Money[] { 1 }; }
            //                                     ^ use conversion M:Money.op_Implicit(System.Int32)~Money
        ",
    );
}

#[test]
fn an_implicitly_typed_array_has_the_best_common_type() {
    check_refs(
        "
class A { public int Size; } class B : A { public new int Size; }
            class C { int M(A a, B b) => new[] { a, b }[0].Size + new[] { b }[0].Size; }
            //                                             ^^^^ F:A.Size
            //                                                                   ^^^^ F:B.Size
        ",
    );
}

#[test]
fn a_collection_expression_takes_its_type_from_where_it_goes() {
    check_refs(
        "
using System.Collections.Generic;
            class Money { public static implicit operator Money(int x) => null; }
            class C { List<Money> M() => [ 1 ]; Money[] N() => [ 2 ]; }
            //                             ^ use conversion M:Money.op_Implicit(System.Int32)~Money
            //                                                   ^ use conversion M:Money.op_Implicit(System.Int32)~Money
        ",
    );
}

#[test]
fn a_delegate_is_created_of_a_method() {
    check_refs(
        "
delegate int Op(string s);
            class C { static int F(int x) => 1; static int F(string s) => 2; object M() => new Op(F); }
            //                                                                                 ^^ T:Op
            //                                                                                    ^ M:C.F(System.String)
        ",
    );
}

#[test]
fn default_and_typeof_name_types() {
    check_refs(
        "
class A { public int Size; } class Box<T> { }
            class C { int M() => default(A).Size; object N() => typeof(Box<>); object P() => typeof(Box<A>); }
            //                           ^ T:A
            //                              ^^^^ F:A.Size
            //                                                         ^^^ T:Box`1
            //                                                                                          ^ T:A
        ",
    );
}

#[test]
fn a_with_expression_names_members() {
    check_refs(
        "
record struct P(int X) { public int Y; } class Q { public int X; public int Y; }
            class C { int X; P M(P p) => p with { X = X, Y = 2 }; }
            //                                    ^ P:P.X
            //                                        ^ F:C.X
            //                                           ^ F:P.Y
        ",
    );
}

#[test]
fn an_argument_of_unknown_type_decides_nothing_where_one_constructor_takes_so_many() {
    // A record has one that copies it as well.
    check_refs(
        "
class A { public A(int x, int y) { } public A(int x) { } public A(string x) { } } record R(string X, int Y);
            class C { void M(Missing m) { new A(m.X, 1); new R(m.X, 1); } }
            //                            ^^^ use new M:A.#ctor(System.Int32,System.Int32)
            //                                           ^^^ use new M:R.#ctor(System.String,System.Int32)
        ",
    );
}

#[test]
fn a_params_collection_is_made_by_its_constructor_and_add_or_by_its_builder() {
    check_refs(
        r#"
using System.Collections;
            class Bag : IEnumerable { public Bag() { } public IEnumerator GetEnumerator() => null; public void Add(long x) { } }
            class C { void M(int x, params Bag all) { } void N() { M(1, 2); M(3); } }
            //                             ^^^ T:Bag
            //                                                     ^ M:C.M(System.Int32,Bag)
            //                                                     ^ use other M:Bag.#ctor
            //                                                          ^ use other M:Bag.Add(System.Int64)
            //                                                              ^ M:C.M(System.Int32,Bag)
            //                                                              ^ use other M:Bag.#ctor
        "#,
    );
}

#[test]
fn a_params_collection_with_a_builder_uses_its_method() {
    check_refs(
        r#"
using System; using System.Collections.Generic; using System.Runtime.CompilerServices;
            [CollectionBuilder(typeof(Maker), "Of")] abstract class Bag : IEnumerable<int> { }
            static class Maker { public static Bag Of(ReadOnlySpan<int> all) => null; }
            class C { void M(params Bag all) { } void N() { M(1, 2); } }
            //                      ^^^ T:Bag
            //                                              ^ M:C.M(Bag)
            //                                              ^ use other M:Maker.Of(System.ReadOnlySpan{System.Int32})
        "#,
    );
}
