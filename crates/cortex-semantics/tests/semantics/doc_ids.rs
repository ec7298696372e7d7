//! Documentation ids (C# specification, annex D.4.2).

use crate::check::check_doc_ids;

#[test]
fn a_type_has_its_arity_and_the_types_around_it() {
    check_doc_ids(
        "namespace N.M { class A<T, U> { class B { } struct D<V> { } } interface I { } enum E { X } delegate void F(); }",
        &[
            "T:N.M.A`2",
            "T:N.M.A`2.B",
            "T:N.M.A`2.D`1",
            "T:N.M.I",
            "T:N.M.E",
            "F:N.M.E.X",
            "T:N.M.F",
        ],
    );
}

#[test]
fn parameters_are_written_as_the_types_that_they_are() {
    check_doc_ids(
        "using S = System.String; interface I { void M(int a, S b, object[] c, int[,] d, int[][,] e, int? f, dynamic g, nint h); }",
        &[
            "T:I",
            "M:I.M(System.Int32,System.String,System.Object[],System.Int32[0:,0:],System.Int32[0:,0:][],System.Nullable{System.Int32},System.Object,System.IntPtr)",
        ],
    );
}

#[test]
fn type_parameters_are_numbered_from_the_outermost_type() {
    check_doc_ids(
        "interface A<T> { interface B<U> { void M<V>(T t, U u, V v, A<V[]> a, B<T> b); } }",
        &[
            "T:A`1",
            "T:A`1.B`1",
            "M:A`1.B`1.M``1(`0,`1,``0,A{``0[]},A{`0}.B{`0})",
        ],
    );
}

#[test]
fn references_and_pointers_are_marked() {
    check_doc_ids(
        "unsafe interface I { void M(ref int a, in string b, out int* c, void** d); }",
        &[
            "T:I",
            "M:I.M(System.Int32@,System.String@,System.Int32*@,System.Void**)",
        ],
    );
}

#[test]
fn tuples_are_value_tuples() {
    check_doc_ids(
        "interface I { void M((int A, string B) t, (int, int, int, int, int, int, int, int) u); }",
        &[
            "T:I",
            "M:I.M(System.ValueTuple{System.Int32,System.String},System.ValueTuple{System.Int32,System.Int32,System.Int32,System.Int32,System.Int32,System.Int32,System.Int32,System.ValueTuple{System.Int32}})",
        ],
    );
}

#[test]
fn constructors_and_finalizers_have_names_of_their_own() {
    check_doc_ids(
        "class A { static A() { } A(int x) { } ~A() { } }",
        &[
            "T:A",
            "M:A.#cctor",
            "M:A.#ctor(System.Int32)",
            "M:A.Finalize",
        ],
    );
}

#[test]
fn operators_have_their_metadata_names_and_conversions_their_result() {
    check_doc_ids(
        "class A { public static A operator +(A a, A b) => a; public static A operator +(A a) => a; public static A operator checked -(A a, A b) => a; public static A operator -(A a, A b) => a; public static implicit operator int(A a) => 1; public static explicit operator A[](A a) => null; public static bool operator true(A a) => true; public static bool operator false(A a) => true; public void operator +=(int x) { } }",
        &[
            "T:A",
            "M:A.op_Addition(A,A)",
            "M:A.op_UnaryPlus(A)",
            "M:A.op_CheckedSubtraction(A,A)",
            "M:A.op_Subtraction(A,A)",
            "M:A.op_Implicit(A)~System.Int32",
            "M:A.op_Explicit(A)~A[]",
            "M:A.op_True(A)",
            "M:A.op_False(A)",
            "M:A.op_AdditionAssignment(System.Int32)",
        ],
    );
}

#[test]
fn indexers_are_properties_with_parameters() {
    check_doc_ids(
        "abstract class A { public abstract int this[int x, string y] { get; } } class B { [System.Runtime.CompilerServices.IndexerName(\"At\")] public int this[int x] => 1; }",
        &[
            "T:A",
            "P:A.Item(System.Int32,System.String)",
            "T:B",
            "P:B.At(System.Int32)",
        ],
    );
}

#[test]
fn explicit_implementations_name_their_interface() {
    check_doc_ids(
        "namespace N { interface I<T> { int P { get; } void M(T t); event System.Action E; } class A : I<int> { int I<int>.P => 1; void I<int>.M(int x) { } event System.Action I<int>.E { add { } remove { } } } }",
        &[
            "T:N.I`1",
            "P:N.I`1.P",
            "M:N.I`1.M(`0)",
            "E:N.I`1.E",
            "T:N.A",
            "P:N.A.N#I{System#Int32}#P",
            "M:N.A.N#I{System#Int32}#M(System.Int32)",
            "E:N.A.N#I{System#Int32}#E",
        ],
    );
}

#[test]
fn members_of_extension_blocks_stand_inside_of_their_block() {
    check_doc_ids(
        "static class E { extension<T>(T[] all) { public int Size => 1; public void M<U>(U u) { } } extension(string) { public static int Make() => 1; } }",
        &[
            "T:E",
            "P:E.extension(`0[])`1.Size",
            "M:E.extension(`0[])`1.M``1(``0)",
            "M:E.extension(System.String).Make",
        ],
    );
}

#[test]
fn partial_declarations_are_one_member() {
    check_doc_ids(
        "//- /A.cs\npartial class A { partial void M(int x); int F; }\n//- /B.cs\npartial class A { partial void M(int x) { } int G, H; }",
        &["T:A", "M:A.M(System.Int32)", "F:A.F", "F:A.G", "F:A.H"],
    );
}
