//! Members of types and values (C# specification, §12.5, §12.8.7, §12.8.12).

use crate::check::check_refs;

#[test]
fn a_member_of_the_derived_class_hides_that_of_the_base() {
    check_refs(
        "
class A { public int Size; }
            class B : A { public new string Size; }
            class C { void M(A a, B b) { _ = a.Size; _ = b.Size.Length; } }
            //                                 ^^^^ F:A.Size
            //                                             ^^^^ F:B.Size
            //                                                  ^^^^^^ P:System.String.Length
        ",
    );
}

#[test]
fn an_override_is_named_by_the_type_of_the_receiver() {
    check_refs(
        "
class A { public virtual int F() => 1; }
            class B : A { public override int F() => base.F(); }
            //                                            ^ M:A.F
            class C : B { }
            class D { int M(A a, B b, C c) => a.F() + b.F() + c.F(); }
            //                                  ^ M:A.F
            //                                          ^ M:B.F
            //                                                  ^ M:B.F
        ",
    );
}

#[test]
fn members_of_interfaces_that_do_not_extend_each_other_are_ambiguous() {
    check_refs(
        "
interface IA { int N { get; } }
            interface IB { int N { get; } }
            interface IC : IA, IB { }
            class C { int M(IC c) => c.N + ((IA)c).N; }
            //                         ^ unbound
            //                                     ^ P:IA.N
        ",
    );
}

#[test]
fn a_derived_interface_hides() {
    check_refs(
        "
interface IA { int N(); }
            interface IB : IA { new string N(); }
            interface IC : IA, IB { }
            class C { int M(IC c) => c.N().Length; }
            //                         ^ M:IB.N
            //                             ^^^^^^ P:System.String.Length
        ",
    );
}

#[test]
fn an_interface_has_the_members_of_object() {
    check_refs(
        r#"
interface IA { }
            class Other { public override string ToString() => ""; }
            class C { string M(IA a) => a.ToString(); }
            //                            ^^^^^^^^ M:System.Object.ToString
        "#,
    );
}

#[test]
fn a_type_parameter_has_the_members_of_its_constraints() {
    check_refs(
        "
interface I { int Size(); int Far(); }
            class B { public int Size() => 1; }
            class C { int M<T>(T t) where T : B, I => t.Size() + t.Far(); }
            //                                          ^^^^ M:B.Size
            //                                                     ^^^ M:I.Far
        ",
    );
}

#[test]
fn a_type_parameter_of_a_type_parameter_has_its_members() {
    check_refs(
        "
class B { public int Size; }
            class Other { public int Size; }
            class C<T, U> where T : U where U : B { int M(T t) => t.Size; }
            //                                                      ^^^^ F:B.Size
        ",
    );
}

#[test]
fn members_are_seen_with_type_arguments_put_in() {
    check_refs(
        "
class Box<T> { public T Value; public Box<T[]> Many; }
            class Item { public int Size; }
            class Other { public int Size; }
            class C {
                int M(Box<Item> a, Box<Other> b) => a.Value.Size + b.Value.Size;
                //                                    ^^^^^ F:Box`1.Value
                //                                          ^^^^ F:Item.Size
                //                                                         ^^^^ F:Other.Size
                int N(Box<Item> a) => a.Many.Value[0].Size;
                //                                    ^^^^ F:Item.Size
            }
        ",
    );
}

#[test]
fn a_conditional_access_has_the_members_of_what_is_there() {
    check_refs(
        "
class Leaf { public int Size; public Leaf Next; }
            class Tree { public int Size; public Leaf Next; }
            class C { int? M(Tree t) => t?.Next?.Next.Size; }
            //                             ^^^^ F:Tree.Next
            //                                   ^^^^ F:Leaf.Next
            //                                        ^^^^ F:Leaf.Size
        ",
    );
}

#[test]
fn a_conditional_access_looks_into_nullable_values() {
    check_refs(
        "
struct Point { public int X; public Point Half() => this; }
            struct Other { public int X; }
            class C { int? M(Point? p) => p?.Half().X; int N(Point? p) => p.Value.X; }
            //                               ^^^^ M:Point.Half
            //                                      ^ F:Point.X
            //                                                              ^^^^^ P:System.Nullable`1.Value
            //                                                                    ^ F:Point.X
        ",
    );
}

#[test]
fn tuple_elements_are_no_references_and_what_follows_is() {
    check_refs(
        "
class A { public int Name; }
            class B { public int Name; }
            class C {
                int M((A first, B second) t) => t.second.Name + t.Item1.Name;
                //                                ^^^^^^ -
                //                                       ^^^^ F:B.Name
                //                                                ^^^^^ -
                //                                                      ^^^^ F:A.Name
            }
        ",
    );
}

#[test]
fn a_property_of_an_anonymous_type_has_its_own_type() {
    check_refs(
        "
class A { public int Size; }
            class B { public int Size; }
            class C { int M(A a, B b) { var x = new { First = a, b }; return x.First.Size + x.b.Size; } }
            //                                                                       ^^^^ F:A.Size
            //                                                                                  ^^^^ F:B.Size
        ",
    );
}

#[test]
fn indexers_are_chosen_as_methods_are() {
    check_refs(
        r#"
class Sheet {
                public int this[int row] => 1;
                public string this[string name] => "";
                public int this[int row, int column] => 2;
            }
            class C {
                void M(Sheet s) {
                    _ = s[1];
                    //   ^ use index P:Sheet.Item(System.Int32)
                    _ = s[""].Length;
                    //   ^ use index P:Sheet.Item(System.String)
                    //        ^^^^^^ P:System.String.Length
                    _ = s[1, 2];
                    //   ^ use index P:Sheet.Item(System.Int32,System.Int32)
                }
            }
        "#,
    );
}

#[test]
fn an_index_from_the_end_takes_the_indexer_of_int() {
    check_refs(
        "
class Row {
                public int Length => 1;
                public int this[int at] => 1;
                public int this[string at] => 1;
            }
            class C { int M(Row r) => r[^1]; }
            //                         ^ use index P:Row.Item(System.Int32)
        ",
    );
}

#[test]
fn an_event_is_named_where_handlers_are_added() {
    check_refs(
        "
            class Button { public event System.Action Clicked; public void Fire() => Clicked(); }
            //                                                                       ^^^^^^^ E:Button.Clicked
            class Other { public event System.Action Clicked; }
            class C { void M(Button b) { b.Clicked += Run; } void Run() { } void Run(int x) { } }
            //                             ^^^^^^^ E:Button.Clicked
            //                                        ^^^ M:C.Run
        ",
    );
}

#[test]
fn a_value_of_a_delegate_type_is_called_by_its_own_name() {
    check_refs(
        "
delegate int Op(int x);
            class C {
                Op Run { get; }
                int M() => Run(1);
                //         ^^^ P:C.Run
            }
        ",
    );
}

#[test]
fn a_protected_member_is_accessed_through_the_own_type() {
    check_refs(
        "
class B { protected int Size() => 1; }
            class Outer {
                static int Size() => 2;
                class D : B { int M(D d) => d.Size(); }
                //                            ^^^^ M:B.Size
            }
        ",
    );
}

#[test]
fn a_method_group_before_a_dot_is_no_type() {
    check_refs(
        "
class Run { public static int Fast; }
            class C {
                void Run() { }
                int M() => global::Run.Fast;
                //                 ^^^ T:Run
                //                     ^^^^ F:Run.Fast
            }
        ",
    );
}

#[test]
fn static_and_instance_of_one_name_are_told_apart_by_the_receiver() {
    check_refs(
        r#"
class Item {
                public static int F(object x) => 1;
                public int F(string x) => 2;
            }
            class C {
                int M() => Item.F("");
                //              ^ M:Item.F(System.Object)
                int N(Item item) => item.F("");
                //                       ^ M:Item.F(System.String)
            }
        "#,
    );
}

#[test]
fn an_array_has_the_members_of_its_class_and_elements_those_of_theirs() {
    check_refs(
        "
class A { public int Length; }
            class C { int M(A[] a) => a.Length + a[0].Length; int N(A[][] a) => a[0][1].Length; }
            //                          ^^^^^^ P:System.Array.Length
            //                                        ^^^^^^ F:A.Length
            //                                                                          ^^^^^^ F:A.Length
        ",
    );
}

#[test]
fn enum_members_are_fields() {
    check_refs(
        "
enum Red { Dark, Light = Dark + 1 }
            enum Blue { Dark }
            class C { int M() => (int)Red.Dark + (int)Blue.Dark; }
            //                            ^^^^ F:Red.Dark
            //                                             ^^^^ F:Blue.Dark
        ",
    );
}

#[test]
fn this_and_base_have_the_members_of_their_types() {
    check_refs(
        "
class A { public int Size; }
            class B : A { public new int Size; int M() => this.Size + base.Size; }
            //                                                 ^^^^ F:B.Size
            //                                                             ^^^^ F:A.Size
        ",
    );
}

#[test]
fn what_is_behind_an_unknown_receiver_is_unbound() {
    check_refs(
        "
class A { public int Size; }
            class C { int M(Missing m) => m.Size; }
            //                              ^^^^ unbound
        ",
    );
}

#[test]
fn members_of_dynamic_are_unbound() {
    check_refs(
        "
class A { public int Size(int x) => x; }
            class C { int M(dynamic d, A a) => d.Size(1) + a.Size(d); }
            //                                   ^^^^ unbound
            //                                               ^^^^ M:A.Size(System.Int32)
        ",
    );
}
