//! Types named by expressions (§12.8.4 simple names, §12.8.7 member access).

use crate::check::check_refs;

#[test]
fn a_local_hides_a_type_before_a_dot() {
    check_refs(
        "
class Item { public static int Count; }
class X {
    int M() { return Item.Count; }
//                   ^^^^ T:Item
    int N(string Item) { return Item.Count; }
//                              ^^^^ -
    int O() { var Item = \"\"; return Item.Count; }
//                                  ^^^^ -
    int P() { Item Item = null; return Item.Count; }
//            ^^^^ T:Item
//                                     ^^^^ T:Item
}
",
    );
}

#[test]
fn a_member_hides_a_type_before_a_dot() {
    check_refs(
        "
class Item { public static int Count; }
class X {
    string Item;
    int M() { return Item.Length; }
//                   ^^^^ F:X.Item
    Item N() => null;
//  ^^^^ T:Item
}
",
    );
}

#[test]
fn an_inherited_member_hides_a_type() {
    check_refs(
        "
//- /A.cs
class Item { public static int Count; }
class Derived : Base { int M() => Item.Count; }
//                                ^^^^ F:Base.Item
class Other { int M() => Item.Count; }
//                       ^^^^ T:Item
//- /B.cs
class Base { protected string Item; }
",
    );
}

#[test]
fn a_nested_type_of_an_inner_type_comes_before_a_member_of_an_outer_one() {
    check_refs(
        "
class Outer {
    string Item;
    class Inner {
        class Item { public static int Count; }
        int M() => Item.Count;
//                 ^^^^ T:Outer.Inner.Item
    }
}
",
    );
}

#[test]
fn a_member_does_not_hide_a_type_in_a_type_position() {
    check_refs(
        "
class Item { }
class X {
    Item Item;
//  ^^^^ T:Item
    object M(object o) => o is Item ? (Item)o : new Item();
//                                     ^^^^ T:Item
//                                                  ^^^^ T:Item
    object N(object o) => o as Item;
//                             ^^^^ T:Item
}
",
    );
}

#[test]
fn a_parameter_of_a_primary_constructor_hides_a_type() {
    check_refs(
        "
class Item { public static int Count; }
class X(string Item) {
    int M() => Item.Length;
//             ^^^^ -
}
",
    );
}

#[test]
fn static_access_goes_through_namespaces_and_nested_types() {
    check_refs(
        "
namespace A.B { class Item { public class Inner { public static int Count; } } }
namespace A {
    class X { int M() => B.Item.Inner.Count; }
//                         ^^^^ T:A.B.Item
//                              ^^^^^ T:A.B.Item.Inner
}
",
    );
}

#[test]
fn a_name_of_a_nested_type_after_a_value_is_no_type() {
    check_refs(
        "
class Item { public class Inner { } public int Inner2; }
class Inner2 { }
class X {
    int M(Item item) => item.Inner2.GetHashCode();
//                           ^^^^^^ F:Item.Inner2
}
",
    );
}

#[test]
fn nameof_and_typeof_name_types() {
    check_refs(
        "
class Item { }
class Item<T> { }
class X {
    string a = nameof(Item);
//                    ^^^^ T:Item
    object b = typeof(Item<>);
//                    ^^^^ T:Item`1
}
",
    );
}

#[test]
fn patterns_and_catch_clauses_name_types() {
    check_refs(
        "
class Item { }
class Failure : System.Exception { }
class X {
    int M(object o) {
        try { return o switch { Item i => 1, _ => 0 }; }
//                              ^^^^ T:Item
        catch (Failure) { throw new Failure(); }
//             ^^^^^^^ T:Failure
//                                  ^^^^^^^ T:Failure
    }
}
",
    );
}

#[test]
fn a_generic_call_is_no_type() {
    check_refs(
        "
class Item { }
class Make<T> { }
class X {
    void Make<T>() { Make<Item>(); }
//                   ^^^^ M:X.Make``1
//                        ^^^^ T:Item
}
",
    );
}

#[test]
fn a_cref_is_bound_where_its_declaration_stands() {
    check_refs(
        "
class Item { }
namespace N {
    class Item { }
    class X {
        /** <see cref=\"Item\"/> <see cref=\"Inner\"/> <see cref=\"System.Item\"/> */ void M() { }
//                     ^^^^ T:N.Item
//                                        ^^^^^ T:N.X.Inner
//                                                                   ^^^^ -
        class Inner { }
    }
    class Inner { }
}
",
    );
}

#[test]
fn a_cref_says_arity_with_braces() {
    check_refs(
        "
class Box { }
class Box<T> { }
    /** <see cref=\"Box{T}\"/> <see cref=\"Box\"/> */ class X { }
//                 ^^^ T:Box`1
//                                      ^^^ T:Box
",
    );
}

#[test]
fn an_attribute_of_a_type_sees_its_nested_types() {
    check_refs(
        "
class Item { }
namespace System { class UsesAttribute : Attribute { } }
    [System.Uses(typeof(Item))] class C { class Item { } }
//                      ^^^^ T:C.Item
",
    );
}
