//! Types that go to other tables, and names that several types of a table have.

use cortex_fixture::Fixture;
use cortex_index::Snapshot;

use crate::harness::{History, Tree, check_order};

fn tree(text: &str) -> Tree {
    Fixture::parse(text).tree().into_iter().collect()
}

/// The types that differ between two trees, with whether they were there before and are there after.
fn differing(before: &str, after: &str) -> Vec<(String, bool, bool)> {
    let history = History::new(&[tree(before), tree(after)]);
    let index = history.index("store");
    let (old, _) = history.snapshot(&index, 0);
    let (new, _) = history.snapshot(&index, 1);
    let mut found = Vec::new();
    Snapshot::differing_types(&old, &new, &mut |_, before, after| {
        let either = before.as_ref().or(after.as_ref());
        let name = either.map(|node| node.fqn.clone()).unwrap_or_default();
        found.push((name, before.is_some(), after.is_some()));
    })
    .expect("both are there");
    found.sort();
    found
}

#[test]
fn a_type_that_moves_to_another_file_differs_once() {
    let other = "//- /Other.cs\nclass Other { }\n";
    let found = differing(
        &format!("{other}//- /A.cs\nclass C {{ int f; }}\nclass D {{ }}\n//- /B.cs\nclass E {{ }}"),
        &format!("{other}//- /A.cs\nclass D {{ }}\n//- /B.cs\nclass E {{ }}\nclass C {{ int f; }}"),
    );
    let moved = |name: &str| (name.to_owned(), true, true);
    assert_eq!(found, [moved("C"), moved("D")]);
}

#[test]
fn a_type_that_did_not_change_does_not_differ_where_its_neighbor_goes() {
    let found = differing(
        "//- /A.cs\nclass C { int f; }\nclass D { }",
        "//- /A.cs\nclass C { int f; }\n",
    );
    assert_eq!(found, [("D".to_owned(), true, false)]);
}

#[test]
fn a_name_is_known_as_long_as_a_type_of_a_file_has_it() {
    let both = "//- /A.cs\nclass A { class N { } }\nclass B { class N { } }\n//- /Z.cs\nclass Z : B { N f; }";
    let one = "//- /A.cs\nclass A { }\nclass B { class N { } }\n//- /Z.cs\nclass Z : B { N f; }";
    let none = "//- /A.cs\nclass A { }\nclass B { }\n//- /Z.cs\nclass Z : B { N f; }";
    let trees = [both, one, none].map(tree);
    check_order(&trees, &[0, 1, 2]);
    check_order(&trees, &[2, 1, 0]);
    let history = History::new(&trees);
    let index = history.index("store");
    let n_named = |number| {
        let (snapshot, _) = history.snapshot(&index, number);
        snapshot.types_named("n").expect("names").len()
    };
    assert_eq!([0, 1, 2].map(n_named), [2, 1, 0]);
}

#[test]
fn the_first_declaration_decides_which_table_a_partial_type_is_in() {
    let trees = [
        "//- /B.cs\npartial class C { int f; }",
        "//- /A.cs\npartial class C { int g; }\n//- /B.cs\npartial class C { int f; }",
        "//- /A.cs\npartial class C { int g; }",
        "//- /A.cs\npartial class C { int g; }\n//- /Z.cs\npartial class C { int f; }",
    ]
    .map(tree);
    check_order(&trees, &[0, 1, 2, 3]);
    check_order(&trees, &[3, 2, 1, 0]);
    check_order(&trees, &[0, 3, 1]);
}
