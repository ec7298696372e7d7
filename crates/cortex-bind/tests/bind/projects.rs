//! What a project sees of the others (§7.5, and the compiler's rules for references).

use crate::check::check_uses;

#[test]
fn an_unreferenced_project_is_invisible() {
    check_uses(
        "
//- /A.cs project:App refs:Lib
class X { Item a; Hidden b; }
//        ^^^^ Item@Lib
//                ^^^^^^ -
//- /B.cs project:Lib
public class Item { }
//- /C.cs project:Other
public class Item { }
public class Hidden { }
",
    );
}

#[test]
fn references_are_transitive() {
    check_uses(
        "
//- /A.cs project:App refs:Lib
class X { Item a; }
//        ^^^^ Item
//- /B.cs project:Lib refs:Base
//- /C.cs project:Base
public class Item { }
",
    );
}

#[test]
fn internal_types_are_seen_inside_the_assembly_and_by_its_friends() {
    check_uses(
        "
//- /A.cs project:App refs:Lib
class X { Item a; Open b; }
//        ^^^^ -
//                ^^^^ Open
//- /T.cs project:Tests refs:Lib
class Y { Item a; }
//        ^^^^ Item
//- /B.cs project:Lib friends:Tests
internal class Item { }
public class Open { Item a; }
//                  ^^^^ Item
",
    );
}

#[test]
fn an_internal_nested_type_is_seen_by_friends_alone() {
    check_uses(
        "
//- /A.cs project:App refs:Lib
class X { Open.Item a; Open.Both b; }
//             ^^^^ -
//                          ^^^^ Open+Both
//- /B.cs project:Lib
public class Open { internal class Item { } public class Both { } }
",
    );
}

#[test]
fn an_internal_type_of_another_project_hides_nothing() {
    check_uses(
        "
//- /A.cs project:App refs:Lib
using Far;
namespace N { class X { Item a; } }
//                      ^^^^ Far.Item
//- /B.cs project:Lib
namespace N { internal class Item { } }
namespace Far { public class Item { } }
",
    );
}

#[test]
fn a_type_of_the_own_project_wins_over_a_referenced_one() {
    check_uses(
        "
//- /A.cs project:App refs:Lib
namespace N { public class Item { } class X { Item a; } }
//                                            ^^^^ N.Item@App
//- /B.cs project:Lib
namespace N { public class Item { } class Y { Item a; } }
//                                            ^^^^ N.Item@Lib
",
    );
}

#[test]
fn a_type_of_two_references_is_ambiguous() {
    check_uses(
        "
//- /A.cs project:App refs:Lib,Other
class X { Item a; }
//        ^^^^ ambiguous
//- /B.cs project:Lib
public class Item { }
//- /C.cs project:Other
public class Item { }
",
    );
}
