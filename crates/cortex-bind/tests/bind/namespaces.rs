//! Namespaces and the names in them (§7.8.1, §14.3).

use crate::check::check_uses;

#[test]
fn namespaces_are_searched_inner_to_outer() {
    check_uses(
        "
class Item { }
namespace A {
    class Item { }
    namespace B {
        class X { Item a; }
//                ^^^^ A.Item
    }
}
namespace C { class Y { Item a; } }
//                      ^^^^ Item
",
    );
}

#[test]
fn a_dotted_namespace_is_one_level_for_each_name() {
    check_uses(
        "
//- /A.cs
namespace A.B.C;
class X { One a; Two b; Three c; }
//        ^^^ A.B.C.One
//               ^^^ A.B.Two
//                      ^^^^^ A.Three
//- /B.cs
class One { }
class Two { }
class Three { }
namespace A { class One { } class Two { } class Three { } }
namespace A.B { class One { } class Two { } }
namespace A.B.C { class One { } }
namespace Other { class One { } class Two { } class Three { } }
",
    );
}

#[test]
fn a_sibling_namespace_is_not_searched() {
    check_uses(
        "
namespace A.B { class Item { } }
namespace A.C { class X { Item a; B.Item b; } }
//                        ^^^^ -
//                                  ^^^^ A.B.Item
",
    );
}

#[test]
fn an_enclosing_namespace_comes_before_a_using_of_the_file() {
    check_uses(
        "
//- /A.cs
using Far;
namespace Near.Inner { class X { Item a; } }
//                               ^^^^ Near.Item
//- /B.cs
namespace Far { class Item { } }
namespace Near { class Item { } }
",
    );
}

#[test]
fn the_first_name_of_a_qualified_name_decides() {
    check_uses(
        "
namespace A.Data { class Row { } }
namespace Data { class Row { } class Column { } }
namespace A {
    class X { Data.Row a; Data.Column b; global::Data.Column c; }
//                 ^^^ A.Data.Row
//                             ^^^^^^ -
//                                                    ^^^^^^ Data.Column
}
",
    );
}

#[test]
fn global_starts_at_the_outermost_namespace() {
    check_uses(
        "
class Item { }
namespace N {
    class Item { }
    namespace global { class Item { } }
    class X { global::Item a; global::N.Item b; Item c; }
//                    ^^^^ Item
//                                      ^^^^ N.Item
//                                              ^^^^ N.Item
}
",
    );
}

#[test]
fn a_type_hides_an_outer_namespace_of_its_name() {
    check_uses(
        "
namespace Log { class Item { } }
namespace N {
    class Log { public class Item { } }
    class X { Log.Item a; }
//            ^^^ N.Log
//                ^^^^ N.Log+Item
}
",
    );
}

#[test]
fn a_generic_type_is_not_hidden_by_a_namespace_of_its_name() {
    check_uses(
        "
class Log<T> { }
namespace N.Log { class Item { } }
namespace N { class X { Log<int> a; Log.Item b; } }
//                      ^^^ Log`1
//                                      ^^^^ N.Log.Item
",
    );
}

#[test]
fn names_of_other_repositories_stay_unresolved() {
    check_uses(
        "
//- /A.cs
using System.Collections.Generic;
namespace N {
    class List { }
    class Task { }
    class X { List<int> a; System.Threading.Tasks.Task b; Unknown.Task c; }
//            ^^^^ -
//                                                ^^^^ -
//                                                                ^^^^ -
}
",
    );
}
