//! What project files import: edits leave it as it is.

use cortex_edit::{Edit, MemberAction, MoveType, op::Op};
use cortex_model::RepoPath;
use cortex_wire::EditVerdict;

use crate::world::{World, add};

const FIXTURE: &str = "//- /A.cs project:App usings:Ext.Stuff,System,static:Ext.Stuff.Tools,Short=Ext.Stuff.Box\n\
    namespace Ext.Stuff { public static class Tools { public static int Size => 1; } public class Box { } }\n\
    //- /B.cs project:App\nclass Repo { int M() => Size; }\n";

/// The lines of a project file with imports that mean something else after an edit.
#[track_caller]
fn lost(op: &Op) -> Vec<(u32, EditVerdict)> {
    let is_project = |file: &RepoPath| file.as_str() == "App.csproj";
    let differences = op.answer.differences.iter();
    let hidden = differences
        .filter(|it| is_project(&it.file))
        .map(|it| it.line);
    let doubts = op.answer.doubts.iter();
    let gone = doubts.filter(|it| is_project(&it.file)).map(|it| it.line);
    let found = hidden.chain(gone).map(|line| (line, op.answer.verdict));
    found.collect()
}

#[test]
fn an_import_of_a_project_names_what_it_named() {
    let world = World::new(FIXTURE);
    let renamed = |symbol: &str, to: &str| lost(&world.rename(symbol, to).expect("it is planned"));
    let lines = |symbol, to| -> Vec<u32> {
        let found = renamed(symbol, to);
        assert!(found.iter().all(|it| it.1 != EditVerdict::Proven));
        found.into_iter().map(|it| it.0).collect()
    };
    assert_eq!(lines("N:Ext.Stuff", "Ext.Other"), [10, 12, 13]);
    assert_eq!(lines("Ext.Stuff.Tools", "Helpers"), [12]);
    assert_eq!(lines("Ext.Stuff.Box", "Case"), [13]);
    assert_eq!(
        renamed("Repo", "System"),
        [(11, EditVerdict::ChangedMeaning)]
    );
    assert!(renamed("Repo", "Other").is_empty());
}

#[test]
fn a_namespace_that_a_project_imports_is_not_left_empty() {
    let world = World::new(
        "//- /A.cs project:App usings:N1\nnamespace N1 { public class X { } }\n//- /B.cs project:App\nclass U { X x; }\n",
    );
    let request = MoveType {
        symbol: "N1.X",
        namespace: Some("N3"),
        to: None,
    };
    let op = world.one(&Edit::Move(request)).expect("it is planned");
    assert_eq!(lost(&op), [(10, EditVerdict::NotProven)]);
}

#[test]
fn a_new_type_does_not_hide_what_a_project_imports() {
    let world = World::new(FIXTURE);
    let op = world.edited(
        "Repo",
        MemberAction::InsertAfter {
            text: "class System { }",
        },
    );
    assert_eq!(lost(&op), [(11, EditVerdict::ChangedMeaning)]);
    let op = world.edited("Repo", add("class System { }"));
    assert!(lost(&op).is_empty());
}
