//! Inside a type: its parameters, its nested types, its bases (§7.8.1, §15.3.4, §10.3.5).

use crate::check::check_uses;

#[test]
fn a_nested_type_comes_before_one_of_the_namespace() {
    check_uses(
        "
namespace N {
    class Item { }
    class Outer {
        class Item { }
        Item a;
//      ^^^^ N.Outer+Item
    }
    class Other { Item a; }
//                ^^^^ N.Item
}
",
    );
}

#[test]
fn nested_types_are_found_inner_to_outer() {
    check_uses(
        "
class Item { }
class A {
    class Item { }
    public class B {
        class C { Item a; }
//                ^^^^ A+Item
    }
}
class D { A.B b; A.Item c; }
//          ^ A+B
//                 ^^^^ -
",
    );
}

#[test]
fn arity_is_part_of_the_name() {
    check_uses(
        "
interface I { }
interface I<T> { }
interface I<T, U> { }
class Zero : I { }
//           ^ I
class One : I<int> { }
//          ^ I`1
class Two : I<int, int> { }
//          ^ I`2
class Three : I<int, int, int> { }
//            ^ -
",
    );
}

#[test]
fn a_type_of_another_arity_does_not_hide() {
    check_uses(
        "
class Box { }
class Outer {
    class Box<T> { }
    Box a;
//  ^^^ Box
    Box<int> b;
//  ^^^ Outer+Box`1
}
",
    );
}

#[test]
fn a_type_parameter_hides_a_type() {
    check_uses(
        "
class T { }
class C<T> {
    T a;
//  ^ -
    class D { T b; }
//            ^ -
}
class E {
    void M<T>(T a) { T b; }
//            ^ -
//                   ^ -
    void N(T a) { }
//         ^ T
}
",
    );
}

#[test]
fn a_type_parameter_of_a_method_comes_before_a_nested_type() {
    check_uses(
        "
class C {
    class T { }
    T M<T>(T a) => a;
//  ^ -
//         ^ -
    T b;
//  ^ C+T
}
",
    );
}

#[test]
fn a_nested_type_comes_before_a_type_parameter_of_an_outer_type() {
    check_uses(
        "
class C<T> {
    class D {
        class T { }
        T a;
//      ^ C`1+D+T
    }
}
",
    );
}

#[test]
fn nested_types_of_bases_are_inherited() {
    check_uses(
        "
class Item { }
class Base { public class Item { } }
class Middle : Base { }
class Derived : Middle {
    Item a;
//  ^^^^ Base+Item
}
class Other { Derived.Item b; }
//                    ^^^^ Base+Item
",
    );
}

#[test]
fn the_nearest_base_wins() {
    check_uses(
        "
class Base { public class Item { } }
class Middle : Base { public new class Item { } }
class Derived : Middle { Item a; }
//                       ^^^^ Middle+Item
",
    );
}

#[test]
fn a_private_nested_type_is_not_inherited() {
    check_uses(
        "
class Item { }
class Base {
    private class Item { }
    Item a;
//  ^^^^ Base+Item
}
class Derived : Base {
    Item b;
//  ^^^^ Item
}
",
    );
}

#[test]
fn a_protected_nested_type_is_seen_by_derived_types_alone() {
    check_uses(
        "
class Base { protected class Item { } }
class Derived : Base {
    Base.Item a;
//       ^^^^ Base+Item
    class Inner { Item b; }
//                ^^^^ Base+Item
}
class Other { Base.Item c; }
//                 ^^^^ -
",
    );
}

#[test]
fn nested_types_of_a_generic_base_are_inherited() {
    check_uses(
        "
class Key { }
class Base<T> { public class Key { } }
class Derived : Base<int> { Key a; }
//                          ^^^ Base`1+Key
",
    );
}

#[test]
fn a_base_list_is_looked_up_outside_of_the_bases() {
    check_uses(
        "
class Item { }
class Base { public class Item { } }
class Derived : Base, System.IEquatable<Item> { }
//                                      ^^^^ Item
class Own : System.IEquatable<Inner> { public class Inner { } }
//                            ^^^^^ -
class Outer : Base { class X : System.IEquatable<Item> { } }
//                                               ^^^^ Base+Item
",
    );
}

#[test]
fn a_base_list_sees_the_nested_types_of_outer_types() {
    check_uses(
        "
class Node { }
class Tree {
    class Node { }
    class Leaf : Node { }
//               ^^^^ Tree+Node
}
",
    );
}

#[test]
fn a_constraint_is_looked_up_with_the_type_parameters() {
    check_uses(
        "
interface I<T> { }
class T { }
class C<T, U> where U : I<T> { }
//                      ^ I`1
//                        ^ -
",
    );
}

#[test]
fn partial_types_are_one_type() {
    check_uses(
        "
//- /A.cs
class Item { }
partial class C { Item a; }
//                ^^^^ C+Item
//- /B.cs
partial class C { class Item { } }
",
    );
}

#[test]
fn bases_named_by_one_part_are_bases_of_all_parts() {
    check_uses(
        "
//- /A.cs
class Item { }
partial class C { Item a; }
//                ^^^^ Base+Item
//- /B.cs
partial class C : Base { }
class Base { public class Item { } }
",
    );
}

#[test]
fn parts_in_another_namespace_are_another_type() {
    check_uses(
        "
//- /A.cs
namespace N { partial class C { Item a; } }
//                              ^^^^ N.Item
//- /B.cs
namespace M { partial class C { class Item { } } }
namespace N { class Item { } }
",
    );
}

#[test]
fn attributes_are_found_with_and_without_their_suffix() {
    check_uses(
        "
class MarkAttribute : System.Attribute { }
class Plain : System.Attribute { }
class C {
    [Mark] int a;
//   ^^^^ MarkAttribute
    [MarkAttribute] int b;
//   ^^^^^^^^^^^^^ MarkAttribute
    [Plain] int c;
//   ^^^^^ Plain
    [return: N.Mark] int D() => 1;
//             ^^^^ N.MarkAttribute
}
namespace N { class MarkAttribute : System.Attribute { } class Mark { } }
",
    );
}

#[test]
fn a_type_that_is_no_attribute_does_not_hide_one() {
    check_uses(
        "
class Mark { }
class MarkAttribute : System.Attribute { }
    [Mark] class A { Mark a; }
//   ^^^^ MarkAttribute
//                   ^^^^ Mark
",
    );
}

#[test]
fn a_parameter_of_a_member_sees_the_nested_types() {
    check_uses(
        "
class Item { }
class C {
    class Item { }
    void M(Item item) { }
//         ^^^^ C+Item
    int this[Item item] => 0;
//           ^^^^ C+Item
    void G<T>(Item item) where T : Item { }
//            ^^^^ C+Item
//                                 ^^^^ C+Item
}
",
    );
}
