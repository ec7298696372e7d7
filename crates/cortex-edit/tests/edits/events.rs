//! Events that code outside of their type may only subscribe to.

use cortex_edit::{Edit, InlineMethod, MoveMember, op::Op};
use cortex_wire::{EditVerdict, WarningReason};

use crate::world::{World, add};

/// How often an edit lets an event be used outside of its type.
#[track_caller]
fn n_misused(op: &Op) -> usize {
    let differences = op.answer.differences.iter();
    let events = differences.filter(|it| it.question.contains("event may be used"));
    let n_events = events.count();
    let is_changed = op.answer.verdict == EditVerdict::ChangedMeaning;
    assert_eq!(is_changed, n_events > 0, "{:#?}", op.answer);
    n_events
}

const FIXTURE: &str = "//- /A.cs\nusing System;\npublic class A\n{\n\
    public static event Action Done;\n\
    public event Action Own;\n\
    public static void Raise() { Done?.Invoke(); }\n\
    public static void Add(Action a) { Done += a; Done -= a; }\n\
    public static string Name() { return nameof(Done); }\n\
    public void RaiseOwn() { Own(); }\n}\n\
    class B\n{\n    void M(A a)\n    {\n        a.RaiseOwn();\n    }\n}\n";

#[test]
fn an_event_is_not_raised_outside_of_its_type() {
    let move_to_b = |symbol: &str| {
        let request = MoveMember { symbol, into: "B" };
        let planned = World::new(FIXTURE).one(&Edit::MoveMember(request));
        planned.expect("it is planned")
    };
    assert_eq!(n_misused(&move_to_b("A.Raise")), 1);
    assert_eq!(n_misused(&move_to_b("A.Add")), 0);
    assert_eq!(n_misused(&move_to_b("A.Name")), 0);
    let request = InlineMethod {
        symbol: "A.RaiseOwn",
    };
    let op = World::new(FIXTURE).one(&Edit::InlineMethod(request));
    assert_eq!(n_misused(&op.expect("it is planned")), 1);
}

#[test]
fn new_text_that_raises_an_event_of_another_type_is_not_proven() {
    let world = World::new(FIXTURE);
    let op = world.edited(
        "B",
        add("void N(A a) { a.Own += () => { }; a.Own(); var own = a.Own; }"),
    );
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
    let reasons = op.answer.warnings.iter().map(|it| it.reason);
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        [WarningReason::NotAllowed, WarningReason::NotAllowed]
    );
}
