//! Attributes (C# specification, §22).

use crate::check::check_refs;

#[test]
fn an_attribute_is_found_with_and_without_its_suffix() {
    check_refs(
        "
class MarkAttribute : System.Attribute { } class Mark { }
            [ Mark] class A { }
            //^^^^ T:MarkAttribute
            [ MarkAttribute] class B { }
            //^^^^^^^^^^^^^ T:MarkAttribute
        ",
    );
}

#[test]
fn arguments_choose_the_constructor() {
    check_refs(
        r#"
class MarkAttribute : System.Attribute { public MarkAttribute(int x) { } public MarkAttribute(string x) { } public MarkAttribute(System.Type t) { } }
            [ Mark(1)] class A { }
            //^^^^ use new M:MarkAttribute.#ctor(System.Int32)
            [ Mark("")] class B { }
            //^^^^ use new M:MarkAttribute.#ctor(System.String)
            [ Mark(typeof(A))] class D { }
            //^^^^ use new M:MarkAttribute.#ctor(System.Type)
            //            ^ T:A
        "#,
    );
}

#[test]
fn named_arguments_name_members_of_the_attribute() {
    check_refs(
        "
class MarkAttribute : System.Attribute { public int Size; public int Count { get; set; } } class Size { }
            [Mark(Size = 1, Count = 2)] class A { const int Size = 1; const int Count = 2; }
            //    ^^^^ F:MarkAttribute.Size
            //              ^^^^^ P:MarkAttribute.Count
        ",
    );
}

#[test]
fn arguments_see_the_members_of_the_type_that_they_mark() {
    check_refs(
        "
class MarkAttribute : System.Attribute { public MarkAttribute(int x) { } }
            class A { const int Max = 1; [Mark(Max)] void M() { } }
            //                                 ^^^ F:A.Max
            [Mark(B.Max)] class B { public const int Max = 1; }
            //    ^ T:B
            //      ^^^ F:B.Max
        ",
    );
}

#[test]
fn a_verbatim_name_has_no_suffix() {
    check_refs(
        "
class Mark : System.Attribute { } class MarkAttribute : System.Attribute { }
            [ @Mark] class A { }
            //^^^^^ T:Mark
            [ MarkAttribute] class B { }
            //^^^^^^^^^^^^^ T:MarkAttribute
        ",
    );
}

#[test]
fn an_attribute_may_be_generic() {
    check_refs(
        "
class MarkAttribute<T> : System.Attribute { } class MarkAttribute : System.Attribute { } class A { }
            [ Mark<A>] class B { }
            //^^^^ T:MarkAttribute`1
            //     ^ T:A
            [ Mark] class D { }
            //^^^^ T:MarkAttribute
        ",
    );
}

#[test]
fn attributes_of_parameters_and_results_belong_to_the_member() {
    check_refs(
        r#"
class MarkAttribute : System.Attribute { public MarkAttribute(string s) { } }
            class A { [return: Mark("")] int M([ Mark(nameof(x))] int x) => x; }
            //                 ^^^^ T:MarkAttribute
            //                                   ^^^^ T:MarkAttribute
        "#,
    );
}

#[test]
fn a_class_that_is_no_attribute_is_passed_over() {
    check_refs(
        "
            namespace N { class Mark { } [ Mark] class A { } }
            //                             ^^^^ T:MarkAttribute
            class MarkAttribute : System.Attribute { }
        ",
    );
}
