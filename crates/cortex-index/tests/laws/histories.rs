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
