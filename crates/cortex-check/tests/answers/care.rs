//! `index` and `status`: what they say adds up.

use cortex_check::json;

#[test]
fn what_is_indexed_and_what_is_not_add_up() {
    let world = crate::demo();
    let status = world.answer("status", json!({}));
    let files = &status["snapshot"]["files"];
    let count = |name: &str| files[name].as_u64().expect("a number");
    let n_tracked = world.git(&["ls-files", "*.cs"]).lines().count() as u64;
    assert_eq!(count("tracked"), n_tracked);
    assert_eq!(count("indexed") + count("skipped"), n_tracked);
}

#[test]
fn from_nothing_and_from_a_neighbor_are_equal() {
    let world = crate::demo();
    let index = |revisions: &[&str], fresh: bool| {
        let request = json!({"revisions": revisions, "fresh": fresh});
        world.answer("index", request)["snapshots"][0].take()
    };
    index(&["HEAD~9", "HEAD~3", "HEAD"], false);
    let step_by_step = index(&["HEAD"], false);
    let fresh = index(&["HEAD"], true);
    assert_eq!(fresh["root"], step_by_step["root"]);
    assert_eq!(fresh["work"]["parsed"], 0, "facts are kept");
}
