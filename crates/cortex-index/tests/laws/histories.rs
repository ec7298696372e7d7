//! Random histories.

use proptest::prelude::*;

use crate::{
    harness::{History, Silent, Tree, cases, check_order, difference},
    program::programs,
    world::histories,
};

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn what_expressions_mean_is_bound_again_where_it_changes(trees in programs(5)) {
        let order: Vec<usize> = (0..trees.len()).collect();
        check_order(&trees, &order);
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn incremental_equals_full(trees in histories(5)) {
        let order: Vec<usize> = (0..trees.len()).collect();
        check_order(&trees, &order);
    }
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn the_order_of_indexing_does_not_matter(
        (trees, order) in histories(4).prop_flat_map(|trees| {
            let order = Just((0..trees.len()).collect::<Vec<_>>()).prop_shuffle();
            (Just(trees), order)
        })
    ) {
        check_order(&trees, &order);
    }

    #[test]
    fn the_work_tree_equals_the_commit_made_of_it(trees in histories(2)) {
        check_overlay(&trees[0], &trees[trees.len() - 1]);
    }
}

/// Checks `before` out, writes `after` over it, and compares both overlays with the commit of `after`.
#[track_caller]
fn check_overlay(before: &Tree, after: &Tree) {
    use cortex_git::Side;

    let history = History::new(&[after.clone(), before.clone()]);
    let work = history.work();
    let git =
        |arguments: &[&str]| cortex_fixture::Fixture::git(&work, arguments).expect("git succeeds");
    git(&["reset", "-q", "--hard"]);
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        std::fs::remove_file(work.join(path)).expect("the file was checked out");
    }
    for (path, text) in after {
        let path = work.join(path);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder"))
            .expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }
    let fresh = history.index("fresh");
    let (full, _) = history.snapshot(&fresh, 0);
    let index = history.index("overlaid");
    let (dirty, _) = index
        .side(Side::WorkTree, &Silent)
        .expect("the work tree can be indexed");
    if let Some(difference) = difference(&dirty.snapshot, &full) {
        panic!("the work tree differs:\n{difference}\n{before:#?}\n{after:#?}");
    }
    git(&["add", "-A"]);
    let index = history.index("staged");
    let (staged, _) = index
        .side(Side::Index, &Silent)
        .expect("the index can be indexed");
    if let Some(difference) = difference(&staged.snapshot, &full) {
        panic!("the index differs:\n{difference}\n{before:#?}\n{after:#?}");
    }
}

/// Every snapshot of a history that is indexed at once is the one that its commit alone gives; and the
/// history is made once.
#[test]
fn a_history_indexed_at_once_is_the_snapshots_of_its_commits() {
    let n_commits = 150;
    let trees: Vec<Tree> = (0..n_commits).map(grown).collect();
    let history = History::new(&trees);
    let mut bulk = history.index("bulk");
    bulk.parallel = 2;
    let head = bulk.repo.resolve("refs/heads/main").expect("a commit");
    let commits = bulk
        .repo
        .history(None, head, cortex_git::Parents::All, usize::MAX)
        .expect("a walk");
    assert_eq!(commits.len(), n_commits);
    let outcome = bulk.history(&commits, &Silent).expect("indexed");
    assert_eq!(outcome.snapshots, n_commits);
    assert!(outcome.rebound < n_commits * 6, "{outcome:?}");
    let again = bulk.history(&commits, &Silent).expect("indexed");
    assert_eq!(again.snapshots, 0);
    for number in (0..n_commits).step_by(13) {
        let (made, outcome) = history.snapshot(&bulk, number);
        assert_eq!(outcome.snapshots, 0, "commit {number} was made already");
        let fresh = history.index(&format!("fresh{number}"));
        let (full, _) = history.snapshot(&fresh, number);
        if let Some(difference) = difference(&made, &full) {
            panic!("commit {number} differs:\n{difference}");
        }
    }
}

/// A program that grows by a type now and then, and changes a body at each step.
fn grown(number: usize) -> Tree {
    let mut tree = Tree::new();
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>\n";
    tree.insert("App/App.csproj".into(), project.into());
    for ty in 0..=number / 9 {
        // Each file is as of the last step that changed it.
        let state = number - (number + 7 * ty) % 11.min(number + 1);
        let other = (ty * 5 + 1) % (number / 9 + 1);
        let text = format!(
            "namespace App;\nclass C{ty}\n{{\n    int M() => {state};\n    C{other} Other() => null;\n}}\n"
        );
        tree.insert(format!("App/C{ty}.cs"), text);
    }
    tree
}
