//! Types named by expressions (§12.8.4 simple names, §12.8.7 member access).

use crate::check::check_uses;

#[test]
fn a_local_hides_a_type_before_a_dot() {
    check_uses(
        "
class Item { public static int Count; }
class X {
    int M() { return Item.Count; }
//                   ^^^^ Item
    int N(string Item) { return Item.Count; }
//                              ^^^^ -
    int O() { var Item = \"\"; return Item.Count; }
//                                  ^^^^ -
    int P() { Item Item = null; return Item.Count; }
//            ^^^^ Item
//                                     ^^^^ -
}
",
    );
}

#[test]
fn a_member_hides_a_type_before_a_dot() {
    check_uses(
        "
class Item { public static int Count; }
class X {
    string Item;
    int M() { return Item.Length; }
//                   ^^^^ -
    Item N() => null;
//  ^^^^ Item
}
",
    );
}

#[test]
fn an_inherited_member_hides_a_type() {
    check_uses(
        "
//- /A.cs
class Item { public static int Count; }
class Derived : Base { int M() => Item.Count; }
//                                ^^^^ -
class Other { int M() => Item.Count; }
//                       ^^^^ Item
//- /B.cs
class Base { protected string Item; }
",
    );
}

#[test]
fn a_nested_type_of_an_inner_type_comes_before_a_member_of_an_outer_one() {
    check_uses(
        "
class Outer {
    string Item;
    class Inner {
        class Item { public static int Count; }
        int M() => Item.Count;
//                 ^^^^ Outer+Inner+Item
    }
}
",
    );
}

#[test]
fn a_member_does_not_hide_a_type_in_a_type_position() {
    check_uses(
        "
class Item { }
class X {
    Item Item;
//  ^^^^ Item
    object M(object o) => o is Item ? (Item)o : new Item();
//                                     ^^^^ Item
//                                                  ^^^^ Item
    object N(object o) => o as Item;
//                             ^^^^ Item
}
",
    );
}

#[test]
fn a_parameter_of_a_primary_constructor_hides_a_type() {
    check_uses(
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
    check_uses(
        "
namespace A.B { class Item { public class Inner { public static int Count; } } }
namespace A {
    class X { int M() => B.Item.Inner.Count; }
//                         ^^^^ A.B.Item
//                              ^^^^^ A.B.Item+Inner
}
",
    );
}

#[test]
fn a_name_of_a_nested_type_after_a_value_is_no_type() {
    check_uses(
        "
class Item { public class Inner { } public int Inner2; }
class Inner2 { }
class X {
    int M(Item item) => item.Inner2.GetHashCode();
//                           ^^^^^^ -
}
",
    );
}

#[test]
fn nameof_and_typeof_name_types() {
    check_uses(
        "
class Item { }
class Item<T> { }
class X {
    string a = nameof(Item);
//                    ^^^^ Item
    object b = typeof(Item<>);
//                    ^^^^ Item`1
}
",
    );
}

#[test]
fn patterns_and_catch_clauses_name_types() {
    check_uses(
        "
class Item { }
class Failure : System.Exception { }
class X {
    int M(object o) {
        try { return o switch { Item i => 1, _ => 0 }; }
//                              ^^^^ Item
        catch (Failure) { throw new Failure(); }
//             ^^^^^^^ Failure
//                                  ^^^^^^^ Failure
    }
}
",
    );
}

#[test]
fn a_generic_call_is_no_type() {
    check_uses(
        "
class Item { }
class Make<T> { }
class X {
    void Make<T>() { Make<Item>(); }
//                   ^^^^ -
//                        ^^^^ Item
}
",
    );
}
