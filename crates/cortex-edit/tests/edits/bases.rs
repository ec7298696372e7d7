//! Approvals on a base that is not the one that an operation was planned on.

use std::fs;

use cortex_edit::{EditError, base_to_approve, check_base, op::Op};
use cortex_wire::{Approval, ApprovedHow, OpState};

use crate::world::{Silent, World};

const A: &str = "class Old { void U() => B.M(1); Old o; }\n";
const B: &str = "static class B { public static void M(long n) { } }\n";

/// A repository with an operation that is approved.
fn approved() -> (World, Op) {
    let world = World::new(&format!(
        "//- /A.cs\n{A}//- /B.cs\n{B}//- /C.cs\nclass C {{ }}\n"
    ));
    let mut op = world.rename("Old", "New").expect("it can be planned");
    approve(&world, &mut op);
    (world, op)
}

fn approve(world: &World, op: &mut Op) {
    let base = world.plan(|view| base_to_approve(&[view], &world.ops, op, &Silent));
    op.base = base.expect("the files can be bound");
    op.approval = Some(Approval {
        by: "A".to_owned(),
        how: ApprovedHow::Terminal,
        digest: op.digest.clone(),
        time: String::new(),
        signature: None,
    });
    op.states.push((OpState::Approved, 3));
    world.ops.write(op).expect("it is written");
}

fn write(world: &World, file: &str, text: &str) {
    fs::write(world.work().join(file), text).expect("it is written");
}

fn check(world: &World, op: &mut Op) -> Result<(), EditError> {
    world.plan(|view| check_base(&[view], &world.ops, op, &Silent))
}

#[test]
fn an_approval_survives_what_its_files_do_not_bind_to() {
    let (world, mut op) = approved();
    write(&world, "C.cs", "class C { B b; int N() => 1; }\n");
    write(&world, "B.cs", &format!("// Moved.\n\nclass D {{ }}\n{B}"));
    check(&world, &mut op).expect("the approval counts");
    // The same edit is the same operation, with its approval.
    let again = world.rename("Old", "New").expect("it can be planned");
    assert_eq!(again.id(), op.id());
    assert_eq!(again.state(), OpState::Approved);
}

#[test]
fn an_approval_is_void_where_the_files_bind_to_something_else() {
    let other =
        "static class B { public static void M(long n) { } public static void M(int n) { } }\n";
    let typed = "static class B { public static int M(long n) => 1; }\n";
    for text in [other, typed] {
        let (world, mut op) = approved();
        write(&world, "B.cs", text);
        let Err(EditError::Void { reason, .. }) = check(&world, &mut op) else {
            panic!("the approval counts with {text}");
        };
        assert!(
            reason.contains("code in `New.cs`") || reason.contains("`A.cs`"),
            "{reason}"
        );
        let read = world.ops.read(op.id()).expect("it is recorded");
        assert_eq!(read.approval, None);
        assert_eq!(read.voided, Some(reason));
        assert_eq!(read.state(), OpState::Proven);
        // Who reviews it again approves the base as it is.
        let mut again = world.rename("Old", "New").expect("it can be planned");
        approve(&world, &mut again);
        check(&world, &mut again).expect("the approval counts");
    }
    let (world, op) = approved();
    write(&world, "B.cs", other);
    let again = world.rename("Old", "New").expect("it can be planned");
    assert_eq!(again.id(), op.id());
    assert_eq!(again.approval, None);
    assert!(again.voided.is_some());
}

#[test]
fn an_approval_is_void_where_a_file_has_changed() {
    let (world, mut op) = approved();
    write(&world, "A.cs", &format!("// New.\n{A}"));
    let Err(EditError::Void { reason, .. }) = check(&world, &mut op) else {
        panic!("the approval counts");
    };
    assert_eq!(reason, "`A.cs` has changed since");
}
