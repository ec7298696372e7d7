//! Names before the colons of positional patterns: they follow the parameter or element that they name.

use std::collections::BTreeMap;

use cortex_edit::{ChangeSignature, Edit};
use cortex_wire::EditVerdict;

use crate::{
    renames::{becomes, changes_meaning},
    world::World,
};

#[test]
fn names_of_parts_follow_the_parameter_of_a_declared_deconstruct() {
    becomes(
        "class P {\n\
         public void Deconstruct(out int X, out P Next) { X = 1; Next = this; }\n\
         bool M(object o) => o is P (X: 1, Next: P (X: 2, Next: _));\n\
         int N(P p) => p switch { (X: 1, Next: (X: var x, Next: _)) => x, P (X: 2, _) => 2, _ => 0 };\n\
         int S(object o) { switch (o) { case P (X: 1, Next: _): return 1; default: return X(X: 2); } }\n\
         int X(int X) => X;\n}",
        "A.cs:2:33",
        "Left",
        "class P {\n\
         public void Deconstruct(out int Left, out P Next) { Left = 1; Next = this; }\n\
         bool M(object o) => o is P (Left: 1, Next: P (Left: 2, Next: _));\n\
         int N(P p) => p switch { (Left: 1, Next: (Left: var x, Next: _)) => x, P (Left: 2, _) => 2, _ => 0 };\n\
         int S(object o) { switch (o) { case P (Left: 1, Next: _): return 1; default: return X(X: 2); } }\n\
         int X(int X) => X;\n}",
    );
}

#[test]
fn names_of_parts_follow_a_signature() {
    let world = World::new(
        "//- /A.cs\nclass P {\n    public void Deconstruct(out int X, out int Y) { X = Y = 1; }\n}\n\
         //- /B.cs\nclass U { bool M(P p) => p is (X: 1, Y: 2); }\n",
    );
    let names = BTreeMap::from([("X".to_owned(), "Left".to_owned())]);
    let nothing = BTreeMap::new();
    let request = ChangeSignature {
        symbol: "P.Deconstruct",
        add: None,
        remove: &[],
        order: &[],
        rename: &names,
        retype: &nothing,
    };
    let mut op = world
        .one(&Edit::ChangeSignature(request))
        .expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let text = String::from_utf8_lossy(&world.files()["B.cs"]).into_owned();
    assert_eq!(text, "class U { bool M(P p) => p is (Left: 1, Y: 2); }\n");
}

#[test]
fn names_of_parts_follow_the_parameter_of_an_extension() {
    becomes(
        "class P { }\n\
         static class E { public static void Deconstruct(this P p, out int X, out int Y) => X = Y = 0; }\n\
         class U { bool M(P p) => p is (X: 1, Y: 2) or { } and not (X: 3, Y: _); }",
        "A.cs:2:67",
        "Left",
        "class P { }\n\
         static class E { public static void Deconstruct(this P p, out int Left, out int Y) => Left = Y = 0; }\n\
         class U { bool M(P p) => p is (Left: 1, Y: 2) or { } and not (Left: 3, Y: _); }",
    );
}

#[test]
fn names_of_parts_follow_the_positional_property_of_a_record() {
    let text = "record R(int X, int Y);\n\
        class U {\n\
        bool M(R r) => r is (X: 1, Y: 2) { X: 1 };\n\
        void N(R r) { r.Deconstruct(X: out var x, Y: out _); }\n}";
    let expected = "record R(int Left, int Y);\n\
        class U {\n\
        bool M(R r) => r is (Left: 1, Y: 2) { Left: 1 };\n\
        void N(R r) { r.Deconstruct(Left: out var x, Y: out _); }\n}";
    for symbol in ["R.X", "A.cs:1:14", "A.cs:3:22"] {
        becomes(text, symbol, "Left", expected);
    }
}

#[test]
fn names_of_parts_follow_an_element_of_a_tuple() {
    becomes(
        "class A {\n\
         (int Count, (int Count, int B) Inner) t;\n\
         (int Count, int B) u;\n\
         bool M() => t is (Count: 1, Inner: (Count: 2, B: _)) && u is (Count: 1, _);\n\
         int N() => t switch { (Count: 1, _) => t.Count, _ => u.Count };\n}",
        "A.cs:2:6",
        "Total",
        "class A {\n\
         (int Total, (int Count, int B) Inner) t;\n\
         (int Count, int B) u;\n\
         bool M() => t is (Total: 1, Inner: (Count: 2, B: _)) && u is (Count: 1, _);\n\
         int N() => t switch { (Total: 1, _) => t.Total, _ => u.Count };\n}",
    );
}

#[test]
fn a_name_of_a_part_that_would_name_another_parameter_is_another_meaning() {
    changes_meaning(
        "class P {\n\
         public void Deconstruct(out int X, out int Y) { X = Y = 1; }\n\
         bool M(P p) => p is (X: 1, Y: 2);\n}",
        "A.cs:2:33",
        "Y",
    );
}

#[test]
fn a_name_of_a_part_of_an_unknown_value_leaves_a_doubt() {
    let world = World::new(
        "//- /A.cs\nclass P {\n\
         public void Deconstruct(out int X, out int Y) { X = Y = 1; }\n\
         bool M(Missing m) => m is (X: 1, Y: 2);\n}",
    );
    let op = world.rename("A.cs:2:33", "Left").expect("it is planned");
    assert_eq!(
        op.answer.verdict,
        EditVerdict::NotProven,
        "{:#?}",
        op.answer
    );
}
