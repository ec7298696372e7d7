//! Files whose paths start with the same bits of a hash, which are all that some maps keep of them.

use std::collections::HashMap;

use cortex_model::Hash;

use crate::harness::{Tree, check_order};

/// Two paths of which the maps of mentions and users keep the same three bytes.
fn twins() -> [String; 2] {
    let mut seen: HashMap<[u8; 3], String> = HashMap::new();
    let mut paths = (0..).map(|number| format!("src/F{number}.cs"));
    loop {
        let path = paths.next().expect("there is no end of them");
        let hash = Hash::of(path.as_bytes());
        let start = std::array::from_fn(|i| hash.as_bytes()[i]);
        if let Some(other) = seen.insert(start, path.clone()) {
            return [other, path];
        }
    }
}

#[test]
fn what_one_of_two_files_needs_stays_when_the_other_one_goes() {
    let paths = twins();
    let target =
        "static class T { public static void M0(int x) { } public static void M1(int x) { } }\n";
    let tree = |uses: [Option<bool>; 2]| {
        let mut tree = Tree::from([("src/T.cs".to_owned(), target.to_owned())]);
        for (number, (path, uses)) in paths.iter().zip(uses).enumerate() {
            let Some(uses) = uses else { continue };
            let body = if uses {
                format!("void M() => T.M{number}(Y.Z);")
            } else {
                String::new()
            };
            tree.insert(path.clone(), format!("class U{number} {{ {body} }}\n"));
        }
        tree
    };
    let check = |from, to| check_order(&[tree(from), tree(to)], &[0, 1]);
    let (used, idle, absent) = (Some(true), Some(false), None);
    check([used, used], [used, idle]);
    check([used, used], [absent, used]);
    check([used, idle], [idle, used]);
    check([absent, used], [used, absent]);
    check([idle, used], [used, used]);
}
