//! Using directives (§14.5, §14.6, §7.8.1).

use crate::check::check_uses;

#[test]
fn a_using_belongs_to_its_namespace_declaration() {
    check_uses(
        "
//- /A.cs
namespace N { using A; class X { Item a; } }
//                               ^^^^ A.Item
namespace N { using B; class Y { Item a; } }
//                               ^^^^ B.Item
namespace N { class Z { Item a; } }
//                      ^^^^ -
//- /B.cs
namespace A { class Item { } }
namespace B { class Item { } }
",
    );
}

#[test]
fn an_inner_using_comes_before_one_of_the_file() {
    check_uses(
        "
//- /A.cs
using B;
namespace N { using A; class X { Item a; Other b; } }
//                               ^^^^ A.Item
//                                       ^^^^^ B.Other
//- /B.cs
namespace A { class Item { } }
namespace B { class Item { } class Other { } }
",
    );
}

#[test]
fn a_using_of_a_dotted_namespace_declaration_comes_before_the_outer_levels() {
    check_uses(
        "
//- /A.cs
namespace N.M { using A; class X { Item a; } }
//                                 ^^^^ A.Item
//- /B.cs
namespace A { class Item { } }
namespace N { class Item { } }
",
    );
}

#[test]
fn a_using_brings_no_namespaces_in() {
    check_uses(
        "
//- /A.cs
using A;
class X { B.Item a; }
//          ^^^^ -
//- /B.cs
namespace A.B { class Item { } }
",
    );
}

#[test]
fn a_using_is_relative_to_its_namespace() {
    check_uses(
        "
//- /A.cs
namespace A { using B; class X { Item a; } }
//                               ^^^^ A.B.Item
namespace C { using B; class Y { Item a; } }
//                               ^^^^ B.Item
//- /B.cs
namespace A.B { class Item { } }
namespace B { class Item { } }
",
    );
}

#[test]
fn two_usings_with_the_same_type_are_ambiguous() {
    check_uses(
        "
//- /A.cs
using A;
using B;
class X { Item a; Only b; }
//        ^^^^ ambiguous
//                ^^^^ B.Only
//- /B.cs
namespace A { class Item { } }
namespace B { class Item { } class Only { } }
",
    );
}

#[test]
fn an_unseen_type_makes_no_name_ambiguous() {
    check_uses(
        "
//- /A.cs project:App refs:Lib
using A;
using B;
class X { Item a; }
//        ^^^^ A.Item
//- /B.cs project:Lib
namespace A { public class Item { } }
namespace B { class Item { } }
",
    );
}

#[test]
fn the_same_using_twice_is_not_ambiguous() {
    check_uses(
        "
//- /A.cs usings:A
using A;
class X { Item a; }
//        ^^^^ A.Item
//- /B.cs
namespace A { class Item { } }
",
    );
}

#[test]
fn an_alias_names_a_type_or_a_namespace() {
    check_uses(
        "
//- /A.cs
using T = A.Item;
using S = A.B;
class X { T a; S.Item b; S::Item c; }
//        ^ A.Item
//               ^^^^ A.B.Item
//                          ^^^^ A.B.Item
//- /B.cs
namespace A { class Item { } }
namespace A.B { class Item { } }
",
    );
}

#[test]
fn an_alias_names_a_constructed_type() {
    check_uses(
        "
//- /A.cs
using Map = A.Item<int>;
using Pair = (int, A.Item);
class X { Map a; Map.Key b; Pair c; }
//        ^^^ A.Item`1
//                   ^^^ A.Item`1+Key
//                          ^^^^ -
//- /B.cs
namespace A {
    class Item { }
    class Item<T> { public class Key { } }
    class Pair { }
}
",
    );
}

#[test]
fn an_alias_comes_before_the_types_of_usings() {
    check_uses(
        "
//- /A.cs
namespace N {
    using A;
    using Item = B.Other;
    class X { Item a; }
//            ^^^^ B.Other
}
//- /B.cs
namespace A { class Item { } }
namespace B { class Other { } }
",
    );
}

#[test]
fn an_alias_has_no_arity() {
    check_uses(
        "
//- /A.cs
using A;
using Item = B.Other;
class X { Item<int> a; }
//        ^^^^ A.Item`1
//- /B.cs
namespace A { class Item<T> { } }
namespace B { class Other { } }
",
    );
}

#[test]
fn a_using_does_not_affect_the_usings_beside_it() {
    check_uses(
        "
//- /A.cs
namespace N {
    using A;
    using T = Item;
    class X { T a; }
//            ^ Item
}
//- /B.cs
class Item { }
namespace A { class Item { } }
",
    );
}

#[test]
fn an_alias_of_an_inner_namespace_sees_the_aliases_of_the_file() {
    check_uses(
        "
//- /A.cs
using L = Long.Name;
namespace N {
    using T = L.Item;
    class X { T a; }
//            ^ Long.Name.Item
}
//- /B.cs
namespace Long.Name { class Item { } }
",
    );
}

#[test]
fn a_using_of_a_global_name_starts_at_the_outermost_namespace() {
    check_uses(
        "
//- /A.cs
namespace N {
    using T = global::Data.Item;
    class X { T a; }
//            ^ Data.Item
}
//- /B.cs
namespace Data { class Item { } }
namespace N.Data { class Item { } }
",
    );
}

#[test]
fn using_static_brings_nested_types_in() {
    check_uses(
        "
//- /A.cs
using static A.Shapes;
class X { Circle a; Square b; Item c; }
//        ^^^^^^ A.Shapes+Circle
//                  ^^^^^^ A.Base+Square
//                            ^^^^ -
//- /B.cs
namespace A {
    class Base { public class Square { } }
    class Shapes : Base { public class Circle { } private class Item { } }
    class Circle { }
}
",
    );
}

#[test]
fn using_static_of_a_constructed_type_brings_nested_types_in() {
    check_uses(
        "
//- /A.cs
using static A.Set<int>;
class X { Entry a; }
//        ^^^^^ A.Set`1+Entry
//- /B.cs
namespace A { class Set<T> { public class Entry { } } class Set { public class Entry { } } }
",
    );
}

#[test]
fn a_global_using_holds_for_the_whole_project_and_no_other() {
    check_uses(
        "
//- /App/G.cs project:App refs:Lib
global using A;
global using T = A.Item;
//- /App/A.cs project:App
class X { Item a; T b; }
//        ^^^^ A.Item
//                ^ A.Item
//- /Lib/B.cs project:Lib
namespace A { public class Item { } }
class Y { Item a; }
//        ^^^^ -
",
    );
}

#[test]
fn the_usings_of_a_project_file_are_global() {
    check_uses(
        "
//- /A.cs usings:A,static:B.Shapes,T=B.Other
class X { Item a; Circle b; T c; }
//        ^^^^ A.Item
//                ^^^^^^ B.Shapes+Circle
//                          ^ B.Other
//- /B.cs
namespace A { class Item { } }
namespace B { class Item { } class Other { } class Shapes { public class Circle { } } }
",
    );
}

#[test]
fn a_global_using_and_one_of_the_file_are_equals() {
    check_uses(
        "
//- /A.cs usings:A
using B;
class X { Item a; }
//        ^^^^ ambiguous
//- /B.cs
namespace A { class Item { } }
namespace B { class Item { } }
",
    );
}
