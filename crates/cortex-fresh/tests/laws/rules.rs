//! Each rule finds what it is about, once.

use std::collections::BTreeSet;

use cortex_fresh::Policy;
use cortex_git::Side;
use cortex_wire::{CheckProblem, CheckRule, CheckSeverity, CheckVerdict};

use crate::{program::Program, world::World};

/// A world whose every file of the context is fresh.
fn world() -> World {
    let world = World::new();
    world.write_program(&Program::sample());
    world.write("docs/guide.md", "# Guide\n");
    world.write(
        ".context/config.toml",
        "[scopes]\nSources = \"file:A1.cs\"\nPackages = \"lib:*\"\n\n[[area]]\nname = \"docs\"\nroot = \"docs\"\nlanguage = \"markdown\"\nglobs = [\"docs/**\"]\n",
    );
    world.write(".context/window.json", "{\"pins\": [\"N.A1\"]}\n");
    world.write(
        ".context/aliases.json",
        "{\"aliases\": [{\"id\": \"T_00000001\", \"was\": \"N.Old\", \"now\": \"N.A1\"}]}\n",
    );
    world.commit("sources");
    world
}

fn problems(world: &World) -> Vec<CheckProblem> {
    world
        .check(Side::WorkTree, None, &Policy::default())
        .problems
}

/// The rules that are broken after a file has another text, with what each says.
fn broken(path: &str, text: &str) -> Vec<(CheckRule, String)> {
    let world = world();
    assert_eq!(problems(&world), [], "fresh at first");
    world.write(path, text);
    let found = problems(&world).into_iter().map(|problem| {
        assert_eq!(problem.file.as_str(), path);
        let details = problem.reasons.into_iter().filter_map(|it| it.detail);
        (problem.rule, details.collect::<Vec<_>>().join("; "))
    });
    found.collect()
}

#[test]
fn everything_is_counted() {
    let answer = world().check(Side::WorkTree, None, &Policy::default());
    let counts = answer.checked;
    assert_eq!((counts.configured, counts.pins, counts.aliases), (3, 1, 1));
}

#[test]
fn a_configuration_that_is_no_toml_is_reported_once() {
    let found = broken(".context/config.toml", "[scopes]\nA = \n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, CheckRule::ConfigInvalid);
}

#[test]
fn entries_of_the_configuration_that_mean_nothing_are_reported() {
    let found = broken(
        ".context/config.toml",
        "[scopes]\nA = 3\nB = \"file:A1.cs\"\nC = \"(\"\n",
    );
    let rules: Vec<CheckRule> = found.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(rules, [CheckRule::ConfigInvalid; 2], "{found:?}");
    assert!(found[0].1.contains("`A`"), "{found:?}");
    assert!(found[1].1.contains("`C`"), "{found:?}");
}

#[test]
fn a_scope_without_files_is_reported() {
    let found = broken(
        ".context/config.toml",
        "[scopes]\nGone = \"file:gone//*\"\nSources = \"file:A1.cs\"\n",
    );
    assert_eq!(found, [(CheckRule::ScopeEmpty, "scope `Gone`".to_owned())]);
}

#[test]
fn an_area_without_files_is_reported() {
    let found = broken(
        ".context/config.toml",
        "[[area]]\nname = \"web\"\nroot = \"web\"\nlanguage = \"typescript\"\nglobs = [\"web/**\"]\n",
    );
    assert_eq!(found, [(CheckRule::AreaEmpty, "area `web`".to_owned())]);
}

#[test]
fn a_pin_of_a_type_that_does_not_exist_is_reported() {
    let found = broken(".context/window.json", "{\"pins\": [\"N.A1\", \"N.Gone\"]}");
    let detail = "type `N.Gone` does not exist".to_owned();
    assert_eq!(found, [(CheckRule::PinUnknown, detail)]);
    let found = broken(".context/window.json", "{\"pinned\": []}");
    assert_eq!(found[0].0, CheckRule::ConfigInvalid);
}

#[test]
fn an_alias_that_leads_nowhere_is_reported() {
    let alias = "{\"id\": \"T_00000001\", \"was\": \"N.Old\", \"now\": \"N.Gone\"}";
    let text = format!("{{\"aliases\": [{alias}, {alias}]}}");
    let found = broken(".context/aliases.json", &text);
    let rules: BTreeSet<CheckRule> = found.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(rules, [CheckRule::AliasInvalid].into());
    assert_eq!(found.len(), 3, "two lead nowhere, one is there twice");
    assert_eq!(broken(".context/aliases.json", "[").len(), 1);
}

#[test]
fn a_renamed_type_makes_its_pin_and_its_alias_stale() {
    let world = world();
    let text = world.read("src/A1.cs").replace("A1", "Renamed");
    world.write("src/A1.cs", &text);
    let found = problems(&world);
    let rules: BTreeSet<CheckRule> = found.iter().map(|problem| problem.rule).collect();
    assert_eq!(
        rules,
        [CheckRule::PinUnknown, CheckRule::AliasInvalid].into()
    );
    let answer = world.check(Side::WorkTree, Some("HEAD"), &Policy::default());
    assert_eq!(answer.outside_change, 0, "the change made both");
    assert_eq!(answer.verdict, CheckVerdict::Stale);
    let pin = found.iter().find(|it| it.rule == CheckRule::PinUnknown);
    let severity = pin.map(|problem| problem.severity);
    assert_eq!(severity, Some(CheckSeverity::Warning));
}

/// The seconds of a day.
const DAY: i64 = 86_400;

/// A world with a semantics file that is stale since a day of a month: it was written on the first, and a commit of the
/// tenth changed the code. The last commit is of the twentieth.
fn stale_semantics() -> World {
    let world = World::new();
    world.write_program(&Program::sample());
    world.commit_at("sources", 0);
    world.export();
    let outline = world.outlines_on_disk();
    let (path, _) = (outline.iter())
        .find(|(_, text)| text.contains("# `N.A1` "))
        .expect("it has an outline");
    let id = path.trim_start_matches(".context/types/");
    let id = id.trim_end_matches(".outline.md");
    // The hashes are those that the check asks for.
    let name = format!(".context/semantic/{id}.semantic.md");
    let text = |structure: &str, code: &str| {
        format!("# Semantic: N.A1 {id}\nStructureHash: {structure}\nImplHash: {code}\nROLE: x\n")
    };
    world.write(&name, &text("0", "0"));
    let found = problems(&world);
    let reasons = &found.iter().find(|it| it.rule == CheckRule::SemanticStale);
    let reasons = &reasons.expect("its hashes are others").reasons;
    let now = |at: usize| reasons[at].after.clone().expect("there is a hash");
    world.write(&name, &text(&now(0), &now(1)));
    assert_eq!(problems(&world), []);
    world.commit_at("context", DAY);
    world.write(
        "src/A1.cs",
        &world.read("src/A1.cs").replace("var a = 0", "var a = 7"),
    );
    world.commit_at("code", 10 * DAY);
    world.write("README.md", "# Read me\n");
    world.commit_at("words", 20 * DAY);
    world
}

#[test]
fn semantics_may_be_stale_for_as_many_days_as_the_policy_says() {
    let world = stale_semantics();
    let verdict = |side: Side, days: u32| {
        let mut policy = Policy::default();
        policy
            .add(&format!("max-stale-semantics-days={days}"))
            .expect("it is a policy");
        let answer = world.check(side, None, &policy);
        let details = answer.problems.iter().flat_map(|it| &it.reasons);
        let details: Vec<_> = details.filter_map(|it| it.detail.clone()).collect();
        assert_eq!(
            details.join(" ").contains("days"),
            answer.verdict == CheckVerdict::Stale
        );
        answer.verdict
    };
    // Ten days before the last commit the code was changed already.
    assert_eq!(verdict(world.head(), 10), CheckVerdict::Stale);
    assert_eq!(verdict(world.head(), 11), CheckVerdict::Fresh);
    assert_eq!(verdict(world.revision("HEAD~1"), 1), CheckVerdict::Fresh);
    assert_eq!(verdict(world.revision("HEAD~1"), 0), CheckVerdict::Stale);
    assert_eq!(verdict(world.revision("HEAD~2"), 0), CheckVerdict::Fresh);
    // Another text begins anew.
    let name = world.git_files(".context/semantic").remove(0);
    world.write(&name, &format!("{}more\n", world.read(&name)));
    world.commit_at("text", 21 * DAY);
    assert_eq!(verdict(world.head(), 5), CheckVerdict::Fresh);
}

#[test]
fn a_selection_by_a_scope_that_does_not_exist_is_reported() {
    let found = broken(".context/outlines.json", "{\"scope\": \"Gone\"}\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, CheckRule::OutlineSelection);
    assert!(found[0].1.contains("`Gone`"), "{found:?}");
}
