//! File-local types (§7.7.1 of C# 11's addition to accessibility), documentation and `Program`.

use crate::check::check_uses;

#[test]
fn a_file_local_type_is_seen_in_its_file_alone() {
    check_uses(
        "
//- /A.cs
file class Item { }
class X { Item a; }
//        ^^^^ Item@A.cs
//- /B.cs
file class Item { }
class Y { Item a; }
//        ^^^^ Item@B.cs
//- /C.cs
class Z { Item a; }
//        ^^^^ -
",
    );
}

#[test]
fn a_file_local_type_comes_before_one_of_the_same_namespace() {
    check_uses(
        "
//- /A.cs
file class Item { }
class X { Item a; }
//        ^^^^ Item@A.cs
//- /B.cs
class Item { }
class Y { Item a; }
//        ^^^^ Item@App
",
    );
}

#[test]
fn top_level_statements_make_program() {
    check_uses(
        "
//- /A.cs
new Item();
//- /B.cs
class Item { Program a; Inner b; }
//           ^^^^^^^ Program
//                      ^^^^^ -
partial class Program { class Inner { } Inner c; }
//                                      ^^^^^ Program+Inner
",
    );
}
