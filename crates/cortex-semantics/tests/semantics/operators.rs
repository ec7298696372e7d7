//! Operators (C# specification, §12.4, §12.9 to §12.14, §15.10).

use crate::check::check_refs;

#[test]
fn an_operator_is_chosen_by_its_operands() {
    check_refs(
        "
class M { public static M operator +(M a, M b) => a; public static M operator +(M a, int b) => a; public static M operator -(M a, M b) => a; }
            class C { void F(M a) { _ = a + a; _ = a + 1; _ = a - a; } }
            //                            ^ use operator M:M.op_Addition(M,M)
            //                                       ^ use operator M:M.op_Addition(M,System.Int32)
            //                                                  ^ use operator M:M.op_Subtraction(M,M)
        ",
    );
}

#[test]
fn an_operator_is_found_in_the_type_of_either_side() {
    check_refs(
        "
class A { } class B { public static A operator *(A a, B b) => a; public static A operator *(B b, A a) => a; }
            class C { void F(A a, B b) { _ = a * b; _ = b * a; } }
            //                                 ^ use operator M:B.op_Multiply(A,B)
            //                                            ^ use operator M:B.op_Multiply(B,A)
        ",
    );
}

#[test]
fn the_result_of_an_operator_says_what_the_next_member_means() {
    check_refs(
        "
class A { public static B operator +(A a, A b) => null; public static A operator +(A a, int b) => null; public int Size; } class B { public int Size; }
            class C { int F(A a) => (a + a).Size + (a + 1).Size; }
            //                              ^^^^ F:B.Size
            //                                             ^^^^ F:A.Size
        ",
    );
}

#[test]
fn an_operator_of_a_base_class_is_found() {
    check_refs(
        "
class A { public static A operator !(A a) => a; public int Size; } class B : A { public new int Size; }
            class C { int F(B b) => (!b).Size; }
            //                       ^ use operator M:A.op_LogicalNot(A)
            //                           ^^^^ F:A.Size
        ",
    );
}

#[test]
fn unary_and_binary_operators_of_one_token_are_told_apart() {
    check_refs(
        "
class A { public static A operator -(A a) => a; public static A operator -(A a, A b) => a; }
            class C { void F(A a) { _ = -a; _ = a - a; } }
            //                          ^ use operator M:A.op_UnaryNegation(A)
            //                                    ^ use operator M:A.op_Subtraction(A,A)
        ",
    );
}

#[test]
fn an_operator_of_values_is_lifted() {
    check_refs(
        "
struct A { public static A operator +(A a, A b) => a; public static bool operator <(A a, A b) => true; public static bool operator >(A a, A b) => true; public int Size; }
            class C { int? F(A? a, A b) => (a + b)?.Size; bool G(A? a, A? b) => a < b; }
            //                                ^ use operator M:A.op_Addition(A,A)
            //                                      ^^^^ F:A.Size
            //                                                                    ^ use operator M:A.op_LessThan(A,A)
        ",
    );
}

#[test]
fn a_compound_assignment_uses_the_binary_operator() {
    check_refs(
        r#"
class A { public static A operator +(A a, int b) => a; public static A operator +(A a, string b) => a; }
            class C { void F(A a) { a += 1; a += ""; } }
            //                        ^^ use operator M:A.op_Addition(A,System.Int32)
            //                                ^^ use operator M:A.op_Addition(A,System.String)
        "#,
    );
}

#[test]
fn an_instance_operator_comes_before_the_binary_one() {
    check_refs(
        r#"
class A { public void operator +=(int b) { } public static A operator +(A a, int b) => a; public static A operator +(A a, string b) => a; }
            class C { void F(A a) { a += 1; a += ""; } }
            //                        ^^ use operator M:A.op_AdditionAssignment(System.Int32)
            //                                ^^ use operator M:A.op_Addition(A,System.String)
        "#,
    );
}

#[test]
fn increments_use_their_operator() {
    check_refs(
        "
class A { public static A operator ++(A a) => a; public static A operator --(A a) => a; }
            class C { void F(A a) { a++; --a; } }
            //                       ^^ use operator M:A.op_Increment(A)
            //                           ^^ use operator M:A.op_Decrement(A)
        ",
    );
}

#[test]
fn equality_of_declared_operators_is_used_and_of_references_not() {
    check_refs(
        "
class A { public static bool operator ==(A a, A b) => true; public static bool operator !=(A a, A b) => true; } class B { }
            class C { void F(A a, B b, object o) { _ = a == null; _ = a != a; _ = b == b; _ = o == o; } }
            //                                           ^^ use operator M:A.op_Equality(A,A)
            //                                                          ^^ use operator M:A.op_Inequality(A,A)
            //                                                                      ^^ no use operator
            //                                                                                  ^^ no use operator
        ",
    );
}

#[test]
fn conversions_of_operands_are_used_where_an_operator_wants_them() {
    check_refs(
        "
class A { public static implicit operator A(int x) => null; public static A operator +(A a, A b) => a; }
            class C { void F(A a) { _ = a + 1; } }
            //                            ^ use operator M:A.op_Addition(A,A)
            //                              ^ use conversion M:A.op_Implicit(System.Int32)~A
        ",
    );
}

#[test]
fn built_in_operators_take_converted_operands() {
    check_refs(
        "
class A { public static implicit operator int(A a) => 1; }
            class C { int F(A a) => a + 1; }
            //                      ^ use conversion M:A.op_Implicit(A)~System.Int32
            //                        ^ no use operator
        ",
    );
}

#[test]
fn a_string_is_added_without_an_operator() {
    check_refs(
        r#"
class A { public static implicit operator string(A a) => ""; public int Length; }
            class C { int F(A a) => ("" + 1).Length; }
            //                          ^ no use operator
            //                               ^^^^^^ P:System.String.Length
        "#,
    );
}

#[test]
fn shifts_use_their_operator() {
    check_refs(
        "
class A { public static A operator <<(A a, int b) => a; public static A operator >>(A a, int b) => a; public static A operator >>>(A a, int b) => a; }
            class C { void F(A a) { _ = a << 1; _ = a >> 1; _ = a >>> 1; } }
            //                            ^^ use operator M:A.op_LeftShift(A,System.Int32)
            //                                        ^^ use operator M:A.op_RightShift(A,System.Int32)
            //                                                    ^^^ use operator M:A.op_UnsignedRightShift(A,System.Int32)
        ",
    );
}

#[test]
fn a_conditional_logical_operator_uses_the_plain_one() {
    check_refs(
        "
class A { public static A operator &(A a, A b) => a; public static A operator |(A a, A b) => a; public static bool operator true(A a) => true; public static bool operator false(A a) => false; }
            class C { void F(A a) { _ = a && a; _ = a || a; } }
            //                            ^^ use operator M:A.op_BitwiseAnd(A,A)
            //                                        ^^ use operator M:A.op_BitwiseOr(A,A)
        ",
    );
}

#[test]
fn tuples_are_compared_element_by_element() {
    check_refs(
        "
class A { public static bool operator ==(A a, A b) => true; public static bool operator !=(A a, A b) => true; }
            class C { bool F((A, int) x, (A, int) y) => x == y; }
            //                                            ^^ use other M:A.op_Equality(A,A)
        ",
    );
}

#[test]
fn a_generic_operator_is_that_of_the_constraint() {
    check_refs(
        "
interface IAdd<T> where T : IAdd<T> { static abstract T operator +(T a, T b); }
            class A { public static A operator +(A a, A b) => a; }
            class C { T F<T>(T a) where T : IAdd<T> => a + a; }
            //                                           ^ use operator M:IAdd`1.op_Addition(`0,`0)
        ",
    );
}

#[test]
fn a_checked_context_takes_the_checked_operator() {
    check_refs(
        "
class M {
                public static M operator +(M a, M b) => a; public static M operator checked +(M a, M b) => a; public static M operator +(M a, int b) => a;
                public static explicit operator int(M a) => 1; public static explicit operator checked int(M a) => 1;
                public static M operator ++(M a) => a; public static M operator checked ++(M a) => a;
            }
            class C {
                void F(M a) {
                    _ = a + a;
                    //    ^ use operator M:M.op_Addition(M,M)
                    _ = checked(a + a);
                    //            ^ use operator M:M.op_CheckedAddition(M,M)
                    checked {
                        a++;
                       //^^ use operator M:M.op_CheckedIncrement(M)
                        _ = (int)a;
                        //  ^ use conversion M:M.op_CheckedExplicit(M)~System.Int32
                        _ = a + 1;
                        //    ^ use operator M:M.op_Addition(M,System.Int32)
                        _ = unchecked(a + a);
                        //              ^ use operator M:M.op_Addition(M,M)
                    }
                }
            }
        ",
    );
}
