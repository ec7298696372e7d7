//! Laws of packs, over random programs, filters and budgets.

use std::collections::{BTreeMap, BTreeSet};

use cortex_fresh::{
    FreshError,
    pack::files::{PackChange, build_pack},
};
use cortex_git::Side;
use cortex_wire::{PackAnswer, PackState};
use proptest::prelude::*;

use crate::{
    cases,
    program::{Program, edits},
    world::{Silent, World},
};

/// Filters with every kind of term that reads more than a name.
const FILTERS: [&str; 7] = [
    "namespace:N",
    "type:A*",
    "depends:A1",
    "depends:A0+",
    "changed:HEAD~1...HEAD",
    "access:public !type:A2",
    "scope:\"pattern(file:A1.cs) | pattern(file:A2.cs)\" OR type:Neighbor",
];

fn build(world: &World, filter: &str, budget: usize) -> Result<PackAnswer, FreshError> {
    let change = PackChange {
        filter: Some(filter.to_owned()),
        budget: Some(budget),
        tokenizer: Some("chars/4".to_owned()),
        dependencies: None,
    };
    let side = world.side(Side::WorkTree);
    let (writes, answer) = build_pack(world.index(), &side, "p", &change, &Silent)?;
    writes.apply(&world.index().repo)?;
    Ok(answer)
}

/// Everything that a type uses, directly or through others.
fn reached(uses: &BTreeMap<String, BTreeSet<String>>, start: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(name) = waiting.pop() {
        for target in uses.get(name).into_iter().flatten() {
            if out.insert(target.clone()) {
                waiting.push(target);
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn a_pack_fits_its_budget_has_dependencies_first_and_is_the_same_bytes_twice(
        edits in edits(1..8),
        filter in prop::sample::select(&FILTERS[..]),
        budget in 60..450usize,
    ) {
        let mut program = Program::sample();
        let world = World::new();
        world.write_program(&program);
        world.commit("sources");
        edits.iter().for_each(|edit| program.apply(edit));
        world.write_program(&program);
        world.commit("edits");
        let pack = match build(&world, filter, budget) {
            Ok(pack) => pack,
            Err(FreshError::EmptyPack { .. } | FreshError::SmallBudget { .. }) => return Ok(()),
            // A filter may name a type that the edits removed.
            Err(FreshError::Filter { .. }) if filter.contains("depends:") => return Ok(()),
            Err(error) => return Err(TestCaseError::fail(format!("{error:?}"))),
        };
        let n_tokens = pack.text.chars().count().div_ceil(4);
        prop_assert!(n_tokens <= budget, "{} of {}", n_tokens, budget);
        prop_assert_eq!(pack.tokens as usize, n_tokens);
        prop_assert_eq!(pack.state, PackState::Written);

        let uses = program.uses();
        let names: Vec<&str> = pack.types.iter().map(|ty| ty.path.trim_start_matches("N.")).collect();
        for (at, name) in names.iter().enumerate() {
            for later in &names[at + 1..] {
                let is_circle = reached(&uses, later).contains(*name);
                prop_assert!(
                    is_circle || !reached(&uses, name).contains(*later),
                    "{} comes before {}, which it depends on", name, later
                );
            }
        }

        let again = build(&world, filter, budget).expect("it was built");
        prop_assert_eq!(again.state, PackState::Fresh, "nothing is left to write");
        let anew = world.with_new_index();
        std::fs::remove_file(world.path().join(".context/packs/p.md")).expect("it is written");
        let anew = build(&anew, filter, budget).expect("it was built");
        prop_assert_eq!(anew.text, pack.text);
    }
}

#[test]
fn packs_whose_names_differ_by_case_alone_are_refused() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    build(&world, "type:A1", 500).expect("it is built");
    let change = PackChange {
        filter: Some("type:A2".to_owned()),
        ..PackChange::default()
    };
    let side = world.side(Side::WorkTree);
    let refused = build_pack(world.index(), &side, "P", &change, &Silent);
    assert!(matches!(refused, Err(FreshError::Unsafe { .. })));
}

#[test]
fn semantics_take_the_room_that_outlines_leave() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    let plain = build(&world, "type:A1", 2_000).expect("it is built");
    let id = plain.types.iter().find(|ty| ty.path == "N.A1");
    let id = id.expect("it is selected").type_id.clone();
    let long = "words and words ".repeat(40);
    world.write(
        &format!(".context/semantic/{id}.semantic.md"),
        &format!("# Semantic: N.A1 {id}\nStructureHash: 1\nROLE: does it\n## not a type\nLIFECYCLE: {long}\n"),
    );
    let whole = build(&world, "type:A1", 2_000).expect("it is built");
    assert_eq!(whole.state, PackState::Written, "its semantics are new");
    assert!(
        whole.text.contains("\nROLE: does it\n\\## not a type\n"),
        "{}",
        whole.text
    );
    assert!(whole.text.contains("\nLIFECYCLE: words"));
    let budget = plain.tokens as usize + 30;
    let short = build(&world, "type:A1", budget).expect("it is built");
    assert!(short.tokens as usize <= budget);
    assert!(short.text.contains("ROLE") && !short.text.contains("LIFECYCLE"));
    assert_eq!(
        short.types.len(),
        plain.types.len(),
        "semantics give way, not types"
    );
    // Code that changes makes semantics stale, and no pack.
    let text = world.read("src/A1.cs").replace("var a = 0", "var a = 7");
    world.write("src/A1.cs", &text);
    let again = build(&world, "type:A1", budget).expect("it is built");
    assert_eq!(again.state, PackState::Fresh);
}

#[test]
fn a_scope_that_does_not_exist_is_named_with_its_position() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    let refused = build(&world, "type:A1 OR scope:Gone", 500).expect_err("there is none");
    let FreshError::Filter { source, .. } = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(source.position, 18);
    assert_eq!(source.message, "no scope is named `Gone`");
}

#[test]
fn a_stale_pack_is_reported_with_the_types_that_differ() {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit("sources");
    build(&world, "type:A*", 5_000).expect("it is built");
    let reason = || {
        let policy = cortex_fresh::Policy::default();
        let answer = world.check(Side::WorkTree, None, &policy);
        let problem = answer.problems.into_iter().next();
        let problem = problem.expect("the pack is stale");
        problem.reasons[0].detail.clone().expect("it is named")
    };
    let text = world.read("src/A1.cs");
    world.write("src/A1.cs", &text.replace("int M1", "long M1"));
    assert!(
        reason().starts_with("other text of `N.A1` T_"),
        "{}",
        reason()
    );
    world.write("src/A1.cs", &text.replace("class A1", "class B1"));
    assert!(reason().contains("removed `N.A1` T_"), "{}", reason());
}
