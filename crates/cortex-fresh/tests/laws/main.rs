//! Laws of committed context, over random histories.
//!
//! Each compares with an export that knows nothing: every outline rendered from an empty index, byte for byte.

mod hostile;
mod packs;
mod program;
mod rules;
mod story;
mod text;
mod window;
mod world;

use std::collections::BTreeSet;

use cortex_fresh::Policy;
use cortex_git::Side;
use proptest::prelude::*;

use program::{Edit, Program, edits};
use world::{Outlines, World};

/// As many cases as `PROPTEST_CASES` says, else so many.
pub(crate) fn cases(n: u32) -> ProptestConfig {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default(),
        None => ProptestConfig::with_cases(n),
    }
}

/// The files in which two exports differ.
fn differing(old: &Outlines, new: &Outlines) -> BTreeSet<String> {
    let paths: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let paths = paths
        .into_iter()
        .filter(|path| old.get(*path) != new.get(*path));
    paths.cloned().collect()
}

/// A world with fresh context in its only commit.
fn exported(program: &Program) -> World {
    let world = World::new();
    world.write_program(program);
    world.commit("sources");
    world.export();
    world.commit("context");
    world
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn what_was_exported_is_fresh_and_equals_an_export_without_history(edits in edits(1..6)) {
        let mut program = Program::sample();
        let world = exported(&program);
        for edit in &edits {
            program.apply(edit);
        }
        world.write_program(&program);
        world.export();
        prop_assert_eq!(world.stale(Side::WorkTree, None), BTreeSet::new());
        prop_assert_eq!(world.outlines_on_disk(), world.oracle());
        // Nothing is left to write.
        prop_assert_eq!(world.export(), (Vec::new(), Vec::new()));
    }

    #[test]
    fn exactly_the_outlines_whose_text_changed_are_stale_on_every_path(edits in edits(1..6)) {
        let mut program = Program::sample();
        let world = exported(&program);
        let before = world.oracle();
        for edit in &edits {
            program.apply(edit);
        }
        world.write_program(&program);
        let changed = differing(&before, &world.oracle());
        prop_assert_eq!(&world.stale(Side::WorkTree, None), &changed, "work tree");
        prop_assert_eq!(world.stale(Side::Index, None), BTreeSet::new(), "nothing is staged");
        world.git(&["add", "-A"]);
        prop_assert_eq!(&world.stale(Side::Index, None), &changed, "index");
        world.commit("edit");
        prop_assert_eq!(&world.stale(world.head(), None), &changed, "commit");
        prop_assert_eq!(&world.stale(world.head(), Some("HEAD~1")), &changed, "commit, by its base");
        prop_assert_eq!(world.with_new_index().stale(world.head(), None), changed, "empty index");
    }

    #[test]
    fn what_is_fixed_is_fresh(edits in edits(1..8)) {
        let mut program = Program::sample();
        let world = exported(&program);
        for edit in &edits {
            program.apply(edit);
        }
        world.write_program(&program);
        world.fix();
        prop_assert_eq!(world.stale(Side::WorkTree, None), BTreeSet::new());
        prop_assert_eq!(world.outlines_on_disk(), world.oracle());
        world.commit("mended");
        prop_assert_eq!(world.stale(world.head(), None), BTreeSet::new());
    }

    #[test]
    fn a_base_hides_what_it_has_and_nothing_that_the_change_made_stale(
        old in edits(1..5),
        new in edits(1..5),
    ) {
        let mut program = Program::sample();
        let world = exported(&program);
        old.iter().for_each(|edit| program.apply(edit));
        world.write_program(&program);
        world.commit("stale already");
        let before = world.oracle();
        new.iter().for_each(|edit| program.apply(edit));
        world.write_program(&program);
        world.commit("change");
        let changed = differing(&before, &world.oracle());
        let all = world.stale(world.head(), None);
        let shown = world.stale(world.head(), Some("HEAD~1"));
        let made: BTreeSet<String> = all.intersection(&changed).cloned().collect();
        prop_assert_eq!(shown, made);
    }

    #[test]
    fn branches_that_touch_other_types_merge_to_fresh_context(
        ours in edits(1..5),
        theirs in edits(1..5),
    ) {
        let (mut one, mut other) = (Program::sample(), Program::sample());
        let world = exported(&one);
        // Files are shared out, so that git can merge the sources.
        ours.iter().map(|edit| edit.in_half(0)).for_each(|edit| one.apply(&edit));
        theirs.iter().map(|edit| edit.in_half(1)).for_each(|edit| other.apply(&edit));
        world.git(&["checkout", "-q", "-b", "theirs"]);
        world.write_program(&other);
        world.fix();
        world.commit("theirs");
        world.git(&["checkout", "-q", "main"]);
        world.write_program(&one);
        world.fix();
        world.commit("ours");
        world.git(&["merge", "-q", "--no-edit", "theirs"]);
        prop_assert_eq!(world.stale(world.head(), None), BTreeSet::new());
        prop_assert_eq!(world.stale(Side::WorkTree, None), BTreeSet::new());
        prop_assert_eq!(world.outlines_on_disk(), world.oracle());
    }
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn the_result_of_a_merge_is_stale_exactly_where_its_outlines_differ(
        ours in edits(1..5),
        theirs in edits(1..5),
        parts in proptest::collection::vec(0..6usize, 0..3),
        (ours_refresh, theirs_refresh) in (any::<bool>(), any::<bool>()),
    ) {
        let (mut one, mut other) = (Program::sample(), Program::sample());
        let world = exported(&one);
        ours.iter().map(|edit| edit.in_half(0)).for_each(|edit| one.apply(&edit));
        theirs.iter().map(|edit| edit.in_half(1)).for_each(|edit| other.apply(&edit));
        // Parts in files of their own: both branches may change one type, and git merges the sources.
        parts.iter().for_each(|ty| other.apply(&Edit::AddPart { ty: *ty }));
        for (branch, program, refresh) in [("theirs", &other, theirs_refresh), ("ours", &one, ours_refresh)] {
            world.git(&["checkout", "-q", "-b", branch, "main"]);
            world.write_program(program);
            if refresh {
                world.fix();
            }
            world.commit(branch);
        }
        let Some(merge) = world.merged("ours", "theirs") else {
            // Both refreshed the outline of one type; where they did not, git cannot merge the sources.
            prop_assume!(ours_refresh && theirs_refresh);
            return Ok(());
        };
        let found = world.stale(world.revision(&merge), None);
        let base = world.stale(world.revision(&merge), Some("ours"));
        let (ours_fresh, ours_committed) = (world.oracle(), world.outlines_on_disk());
        world.git(&["checkout", "-q", &merge]);
        let (fresh, committed) = (world.oracle(), world.outlines_on_disk());
        let expected = differing(&committed, &fresh);
        prop_assert_eq!(&found, &expected);
        let mut made = differing(&ours_fresh, &fresh);
        made.extend(differing(&ours_committed, &committed));
        let made: BTreeSet<String> = expected.intersection(&made).cloned().collect();
        prop_assert_eq!(base, made, "what the merge made, seen from ours");
    }

    #[test]
    fn line_ends_and_case_of_the_checkout_decide_nothing(edits in edits(1..6)) {
        let mut program = Program::sample().with_twins();
        let world = exported(&program);
        let before = world.oracle();
        for path in before.keys() {
            let same = before.keys().filter(|other| other.eq_ignore_ascii_case(path));
            prop_assert_eq!(same.count(), 1, "{} is one file with another", path);
        }
        edits.iter().for_each(|edit| program.apply(edit));
        world.write_program(&program);
        let changed = differing(&before, &world.oracle());
        world.git(&["add", "-A"]);
        world.git(&["config", "core.autocrlf", "true"]);
        world.git(&["config", "core.ignoreCase", "true"]);
        for path in world.git_files(".") {
            let text = world.read(&path);
            prop_assert!(!text.contains('\r'));
            world.write(&path, &text.replace('\n', "\r\n"));
        }
        let world = world.reopened();
        prop_assert_eq!(&world.stale(Side::WorkTree, None), &changed, "work tree");
        prop_assert_eq!(&world.stale(Side::Index, None), &changed, "index");
        world.fix();
        prop_assert_eq!(world.stale(Side::WorkTree, None), BTreeSet::new());
    }
}

#[test]
fn a_merge_without_conflicts_can_be_stale_and_is_found() {
    let mut program = Program::sample();
    let world = exported(&program);
    // One branch adds a part of a type in another file, the other changes the type: both refresh the context, and the
    // one that merges takes the outline of the other.
    world.git(&["checkout", "-q", "-b", "theirs"]);
    let mut other = program.clone();
    other.apply(&Edit::AddPart { ty: 0 });
    world.write_program(&other);
    world.commit("their sources, without context");
    world.git(&["checkout", "-q", "main"]);
    program.apply(&Edit::AddMember { ty: 1 });
    world.write_program(&program);
    world.fix();
    world.commit("ours");
    world.git(&["merge", "-q", "--no-edit", "theirs"]);
    assert_eq!(world.stale(world.head(), None).len(), 1);
    let policy = {
        let mut policy = Policy::default();
        policy.add("all=ignore").expect("it is a policy");
        policy
    };
    let answer = world.check(world.head(), None, &policy);
    assert!(answer.problems.is_empty(), "a policy decides");
}

#[test]
fn nothing_is_written_through_a_symbolic_link() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    let outside = world.beside("outside");
    std::fs::create_dir(&outside).expect("the folder is new");
    #[cfg(unix)]
    {
        let link = world.path().join(".context");
        std::os::unix::fs::symlink(&outside, &link).expect("links can be made");
        assert!(world.try_export().is_err());
        std::fs::remove_file(&link).expect("it is there");
        std::fs::create_dir(&link).expect("its place is free");
        std::os::unix::fs::symlink(&outside, link.join("types")).expect("links can be made");
        assert!(world.try_export().is_err());
    }
    let n_outside = std::fs::read_dir(&outside).expect("it is there").count();
    assert_eq!(n_outside, 0);
}

#[test]
fn line_ends_of_the_checkout_decide_nothing() {
    let world = exported(&Program::sample());
    world.git(&["config", "core.autocrlf", "true"]);
    std::fs::remove_dir_all(world.path().join(".context")).expect("it is there");
    for file in world.git_files("*.cs") {
        std::fs::remove_file(world.path().join(file)).expect("it is there");
    }
    world.git(&["checkout", "-q", "-f", "HEAD", "--", "."]);
    let world = world.reopened();
    assert_eq!(world.stale(Side::WorkTree, None), BTreeSet::new());
    // A change that is saved with the line ends of Windows is the change and no more.
    let text = world.read("src/A0.cs").replace("\r\n", "\n");
    let text = text.replace("int M0", "long M0").replace('\n', "\r\n");
    world.write("src/A0.cs", &text);
    assert_eq!(world.stale(Side::WorkTree, None).len(), 1);
}

#[test]
fn hostile_names_are_orphans_like_others() {
    let world = exported(&Program::sample());
    for name in [
        "T_\u{1b}[31m.outline.md",
        "../x.outline.md.outline.md",
        "a\nb.outline.md",
    ] {
        let name = name.replace('/', "_");
        world.write(&format!(".context/types/{name}"), "# x\n");
    }
    assert_eq!(world.stale(Side::WorkTree, None).len(), 3);
    world.fix();
    assert_eq!(world.stale(Side::WorkTree, None), BTreeSet::new());
}
