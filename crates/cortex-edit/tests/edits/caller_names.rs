//! Calls that receive the name of the member around them: code that goes to another member passes another name.

use cortex_edit::{Edit, ExtractMethod, InlineMethod, MoveMember, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

const FIXTURE: &str = "//- /A.cs\nusing System.Runtime.CompilerServices;\npublic class C\n{\n\
    public void Caller()\n    {\n        Log(\"a\");\n        Log(\"b\", \"own\");\n        Plain();\n    }\n\
    public int Size\n    {\n        set\n        {\n            Log(\"c\");\n        }\n    }\n\
    public static void Raise() { Log(\"d\"); }\n\
    static void Plain() { }\n\
    internal static void Log(string s, [CallerMemberName] string m = \"\") { }\n}\n\
    class D\n{\n    void M()\n    {\n        C.Raise();\n    }\n}\n";

/// How often an edit lets a call receive another name.
#[track_caller]
fn n_renamed(edit: &Edit<'_>) -> usize {
    let op: Op = World::new(FIXTURE).one(edit).expect("it is planned");
    let differences = op.answer.differences.iter();
    let names = differences.filter(|it| it.question.contains("name the call receives"));
    let n_names = names.count();
    let is_changed = op.answer.verdict == EditVerdict::ChangedMeaning;
    assert_eq!(is_changed, n_names > 0, "{:#?}", op.answer);
    n_names
}

#[test]
fn code_that_goes_to_another_member_passes_another_name() {
    let extract = |at| Edit::ExtractMethod(ExtractMethod { at, name: "New" });
    assert_eq!(n_renamed(&extract("A.cs:6-7")), 1);
    assert_eq!(n_renamed(&extract("A.cs:7-8")), 0);
    assert_eq!(n_renamed(&extract("A.cs:14")), 1);
    let inline = InlineMethod { symbol: "C.Raise" };
    assert_eq!(n_renamed(&Edit::InlineMethod(inline)), 1);
}

#[test]
fn a_member_that_moves_passes_its_name() {
    let request = MoveMember {
        symbol: "C.Raise",
        into: "D",
    };
    assert_eq!(n_renamed(&Edit::MoveMember(request)), 0);
}
