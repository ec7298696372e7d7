//! Patterns (C# specification, §11).

use crate::check::check_refs;

#[test]
fn a_declared_pattern_variable_has_the_type_of_its_pattern() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C { int M(object o) => o is A a ? a.Size : o is B b ? b.Size : 0; }
            //                                ^ T:A
            //                                        ^^^^ F:A.Size
            //                                                            ^^^^ F:B.Size
        ",
    );
}

#[test]
fn a_property_pattern_names_members_of_what_it_matches() {
    check_refs(
        "
class A { public B Next; public int Size; } class B { public int Size; public A Next; }
            class C { bool M(object o) => o is A { Size: 1, Next: { Size: 2, Next.Size: 3 } }; }
            //                                     ^^^^ F:A.Size
            //                                              ^^^^ F:A.Next
            //                                                      ^^^^ F:B.Size
            //                                                               ^^^^ F:B.Next
            //                                                                    ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_property_pattern_without_a_type_has_that_of_the_value() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C { bool M(B b) => b is { Size: > 1 }; }
            //                              ^^^^ F:B.Size
        ",
    );
}

#[test]
fn a_positional_pattern_takes_deconstruct_by_its_number_of_elements() {
    check_refs(
        "
class A { public void Deconstruct(out B x, out B y) { x = y = null; } public void Deconstruct(out int x, out int y, out int z) { x = y = z = 1; } public void Deconstruct(out A x) { x = null; } }
            class B { public int Size; }
            class C { int M(A a) => a is (var x, { Size: 1 }) ? x.Size : 0; }
            //                           ^ use other M:A.Deconstruct(B@,B@)
            //                                     ^^^^ F:B.Size
            //                                                    ^^^^ F:B.Size
        ",
    );
}

#[test]
fn a_positional_pattern_takes_the_elements_of_a_tuple() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C { int M((A, B) t) => t is (var x, { Size: 1 }) ? x.Size : 0; }
            //                                          ^^^^ F:B.Size
            //                                                         ^^^^ F:A.Size
        ",
    );
}

#[test]
fn an_arm_of_a_switch_narrows_its_own_variable() {
    check_refs(
        "
class A { public int Size; } class B { public int Size; }
            class C {
                int M(object o) => o switch {
                    A x when x.Size > 1 => x.Size,
                    //         ^^^^ F:A.Size
                    //                       ^^^^ F:A.Size
                    B x => x.Size,
                    //       ^^^^ F:B.Size
                    _ => 0,
                };
                int N(object o) {
                    switch (o) {
                        case A x: return x.Size;
                        //                 ^^^^ F:A.Size
                        case B { Size: 1 } x when x.Size == 1: return 0;
                        //       ^^^^ F:B.Size
                        //                          ^^^^ F:B.Size
                        default: return 1;
                    }
                }
            }
        ",
    );
}

#[test]
fn a_name_after_is_is_a_type_first_and_in_a_pattern_what_is_found() {
    check_refs(
        "
class A { public const int Max = 1; }
            class C {
                const int A = 1;
                bool M(object o) => o is A;
                //                       ^ T:A
                bool N(object o) => o is not A;
                //                           ^ F:C.A
                int P(object o) => o switch { A => 1, global::A.Max => 2, _ => 3 };
                //                            ^ F:C.A
                //                                            ^ T:A
                //                                              ^^^ F:A.Max
            }
        ",
    );
}

#[test]
fn a_list_pattern_gives_elements_of_the_indexer() {
    check_refs(
        "
class Row { public int Length => 1; public A this[int i] => null; public B this[string i] => null; }
            class A { public int Size; } class B { public int Size; }
            class C { int M(Row r) => r is [{ Size: 1 }, var x] ? x.Size : 0; }
            //                                ^^^^ F:A.Size
            //                                                      ^^^^ F:A.Size
        ",
    );
}

#[test]
fn a_slice_of_an_array_is_an_array() {
    check_refs(
        "
class A { public int Length; }
            class C { int M(A[] a) => a is [var x, .. var rest] ? rest.Length + x.Length : 0; }
            //                                                         ^^^^^^ P:System.Array.Length
            //                                                                    ^^^^^^ F:A.Length
        ",
    );
}

#[test]
fn var_takes_the_type_of_the_value() {
    check_refs(
        "
class A { public int Size; } class B : A { public new int Size; }
            class C { A Make() => null; int M() => Make() is var x ? x.Size : 0; }
            //                                                         ^^^^ F:A.Size
        ",
    );
}

#[test]
fn combined_patterns_narrow_from_left_to_right() {
    check_refs(
        "
class A { public int Size; } class B : A { public new int Size; }
            class C { bool M(A a) => a is B and { Size: 1 } or { Size: 2 }; }
            //                                    ^^^^ F:B.Size
            //                                                   ^^^^ F:A.Size
        ",
    );
}

#[test]
fn the_result_of_a_switch_is_the_best_common_type() {
    check_refs(
        "
class A { public int Size; } class B : A { public new int Size; }
            class C { int M(int i, A a, B b) => (i switch { 1 => a, _ => b }).Size + (i switch { 1 => b, _ => b }).Size; }
            //                                                                ^^^^ F:A.Size
            //                                                                                                     ^^^^ F:B.Size
        ",
    );
}

#[test]
fn an_enum_member_is_named_in_a_case() {
    check_refs(
        "
enum Red { Dark } enum Blue { Dark }
            class C { int M(Blue b) { switch (b) { case Blue.Dark: return 1; } return b switch { Blue.Dark => 1, _ => 0 }; } }
            //                                               ^^^^ F:Blue.Dark
            //                                                                                        ^^^^ F:Blue.Dark
        ",
    );
}
