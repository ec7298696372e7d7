//! `history`: what it tells of one symbol, that it agrees with `diff-context`, and what it follows.

use crate::harness::{World, check};

#[test]
fn the_history_of_a_type_and_a_member_in_every_form() {
    let world = World::demo();
    for (name, symbol) in [
        ("type", "RackPlanner"),
        ("member", "IFiringPricer.Price"),
        ("large", "FiringQueue"),
    ] {
        for format in ["text", "md", "json"] {
            let arguments = ["history", symbol, "HEAD", "--format", format];
            let first = world.show(&arguments);
            if name != "large" || format == "text" {
                check(&format!("history_{name}_{format}"), &first);
            }
            let second = world.show(&arguments);
            assert_eq!(second, first, "the same question has the same answer");
        }
    }
    let world = World::demo();
    check(
        "error_symbol_gap",
        &world.show(&["history", "FiringQueu3s"]),
    );
}
