//! Simple names, types and namespaces (C# specification, §7.8, §12.8.4).

use crate::check::check_refs;

#[test]
fn a_local_hides_a_field() {
    check_refs(
        "class C {
            int value;
            int M() { int value = 1; return value + this.value; }
            //                              ^^^^^ -
            //                                           ^^^^^ F:C.value
        }",
    );
}
