//! Members of one type whose ids give the same tag: found by trying, as 32 bits are few.

use cortex_fixture::Fixture;
use cortex_index::{BoundTarget, Snapshot};

use crate::harness::{History, Tree, check_order};

/// SHA-256 of `M.Nc44` and of `M.N11c62` start with the same four bytes, and so do those of `M.N40bd` and `M.N1df3f`.
const TWINS: [&str; 2] = ["Nc44", "N11c62"];

fn tree(members: &[&str], called: &str) -> Tree {
    let members: String = members
        .iter()
        .map(|name| format!("public void {name}() {{ }} "))
        .collect();
    let text = format!(
        "//- /A.cs\nclass A {{ {members} }}\n//- /First.cs\nclass First {{ void M(A a) => a.{}(); }}\n//- /Second.cs\nclass Second {{ void M(A a) => a.{called}(); }}\n",
        TWINS[0]
    );
    Fixture::parse(&text).tree().into_iter().collect()
}

/// The members of `A` that the names of a file mean.
fn used(snapshot: &Snapshot, file: &str) -> Vec<String> {
    let path = file.into();
    let summary = snapshot.file(&path).expect("files").expect("a file");
    let bindings = snapshot
        .bindings(&path, &summary.projects[0])
        .expect("bindings");
    let mut out = Vec::new();
    for target in &bindings.targets {
        let BoundTarget::Member(key, tag) = target else {
            continue;
        };
        let node = snapshot.type_node(*key).expect("types").expect("a type");
        let symbols = snapshot.symbols(*key).expect("symbols");
        let found = symbols.tags().position(|it| it == *tag);
        let found = found.expect("a tag means a member");
        if node.fqn == "A" {
            out.push(symbols.members[found].id.to_string());
        }
    }
    out
}

#[test]
fn two_members_whose_ids_give_one_tag_are_told_apart() {
    let history = History::new(&[tree(&TWINS, TWINS[1])]);
    let (snapshot, _) = history.snapshot(&history.index("store"), 0);
    assert_eq!(used(&snapshot, "First.cs"), ["M.Nc44"]);
    assert_eq!(used(&snapshot, "Second.cs"), ["M.N11c62"]);
}

#[test]
fn a_member_that_takes_the_tag_of_another_has_its_users_bound_again() {
    // The second name stands before the first one in the order of ids.
    let trees = [
        tree(&TWINS[..1], TWINS[0]),
        tree(&TWINS, TWINS[0]),
        tree(&TWINS, TWINS[1]),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1]] {
        check_order(&trees, &order);
    }
    let history = History::new(&trees);
    let index = history.index("store");
    for number in [0, 1] {
        let (snapshot, _) = history.snapshot(&index, number);
        assert_eq!(used(&snapshot, "First.cs"), ["M.Nc44"]);
        assert_eq!(used(&snapshot, "Second.cs"), ["M.Nc44"]);
    }
}
