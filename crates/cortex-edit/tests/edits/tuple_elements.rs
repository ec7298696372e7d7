//! Elements of tuples that get other names.

use cortex_edit::EditError;
use cortex_wire::EditVerdict;

use crate::world::World;

/// One file `A.cs` after a rename of an element that is proven.
#[track_caller]
fn becomes(text: &str, place: &str, to: &str, expected: &str) {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let before = world.files();
    let mut op = world.rename(place, to).expect("it can be planned");
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    assert_eq!(after.trim_end(), expected.trim_end());
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
}

#[track_caller]
fn refusal(text: &str, place: &str, to: &str) -> String {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    match world.rename(place, to) {
        Ok(op) => panic!("it is planned: {:#?}", op.answer),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_element_is_renamed_where_a_type_declares_it_and_values_of_it_are_used() {
    becomes(
        "class A {\n\
         (int Count, string Name) Find() => (Count: 1, Name: \"a\");\n\
         int Use() { var found = Find(); return found.Count + Find().Count + found.Name.Length; }\n\
         (int Count, string Name) Other() => (2, \"\");\n\
         int UseOther() => Other().Count;\n}",
        "A.cs:2:6",
        "Total",
        "class A {\n\
         (int Total, string Name) Find() => (Total: 1, Name: \"a\");\n\
         int Use() { var found = Find(); return found.Total + Find().Total + found.Name.Length; }\n\
         (int Count, string Name) Other() => (2, \"\");\n\
         int UseOther() => Other().Count;\n}",
    );
}

#[test]
fn an_element_is_followed_through_type_arguments_and_literals() {
    becomes(
        "using System.Collections.Generic;\nclass A {\n\
         List<(int Count, string Name)> all = new();\n\
         int Use() { var n = 0; foreach (var one in all) { n += one.Count; } foreach (var (count, _) in all) n += count; return n + all[0].Count; }\n}",
        "A.cs:3:11",
        "Total",
        "using System.Collections.Generic;\nclass A {\n\
         List<(int Total, string Name)> all = new();\n\
         int Use() { var n = 0; foreach (var one in all) { n += one.Total; } foreach (var (count, _) in all) n += count; return n + all[0].Total; }\n}",
    );
    becomes(
        "class A { int M() { var t = (Count: 1, Name: \"a\"); return t.Count + t.Item1; } }",
        "A.cs:1:30",
        "Total",
        "class A { int M() { var t = (Total: 1, Name: \"a\"); return t.Total + t.Item1; } }",
    );
}

#[test]
fn what_takes_its_name_from_the_element_keeps_it() {
    becomes(
        "class A { (int Count, int B) t; int M() { var o = new { t.Count }; var u = (t.Count, 1); return o.Count + u.Count; } }",
        "A.cs:1:16",
        "Total",
        "class A { (int Total, int B) t; int M() { var o = new { Count = t.Total }; var u = (Count: t.Total, 1); return o.Count + u.Count; } }",
    );
}

#[test]
fn a_tuple_of_another_declaration_keeps_its_name() {
    becomes(
        "class A { (int Count, int B) t; int M() { (int Count, int B) other = t; return other.Count; } }",
        "A.cs:1:16",
        "Total",
        "class A { (int Total, int B) t; int M() { (int Count, int B) other = t; return other.Count; } }",
    );
}

#[test]
fn a_type_that_is_inferred_of_two_tuples_is_not_proven() {
    let world = World::new(
        "//- /A.cs\nclass A { (int Count, int B) t; (int Count, int B) u; int M(bool b) => (b ? t : u).Count; }",
    );
    let op = world.rename("A.cs:1:16", "Total").expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
}

#[test]
fn what_cannot_be_renamed_so_is_refused() {
    let text = "interface I { (int Count, int B) M(); }\nclass A : I {\npublic (int Count, int B) M() => default;\n\
        int Use() => M().Count;\n}\n\
        class L : System.Collections.Generic.List<(int Count, int B)> { }\n\
        class Own { (int Count, int B) t; }\n";
    for (place, to, reason) in [
        ("A.cs:3:13", "Total", "must agree on it"),
        ("A.cs:1:20", "Total", "must agree on it"),
        ("A.cs:4:18", "Total", "it is a use of an element"),
        ("A.cs:6:48", "Total", "a base type or constraint names it"),
        ("A.cs:7:18", "B", "another element is called `B`"),
        ("A.cs:7:18", "Item2", "is a member of every tuple"),
        ("A.cs:7:18", "Count", "would change nothing"),
        ("A.cs:7:18", "a-b", "letters, digits"),
    ] {
        let found = refusal(text, place, to);
        assert!(found.contains(reason), "{place} to {to}: {found}");
    }
}
