//! Types that code has as type arguments, and that an edit lets no longer meet the constraints.

use cortex_edit::{MemberAction, op::Op};
use cortex_wire::{EditVerdict, WarningReason};

use crate::world::{World, add, replace};

/// The lines outside of `A.cs` where type arguments no longer meet the constraints after an edit of `A.cs`.
#[track_caller]
fn unmet(fixture: &str, symbol: &str, action: MemberAction<'_>) -> Vec<String> {
    let world = World::new(fixture);
    let op = world.edited(symbol, action);
    let is_about = |it: &&cortex_wire::Difference| it.question.contains("meet the constraints");
    let differences = op.answer.differences.iter().filter(is_about);
    let found: Vec<String> = differences
        .map(|it| format!("{}:{}", it.file, it.line))
        .collect();
    let is_changed = op.answer.verdict == EditVerdict::ChangedMeaning;
    assert!(is_changed || found.is_empty(), "{:#?}", op.answer);
    found
}

fn proven(op: &Op) {
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
}

const USERS: &str = "//- /B.cs\nclass G<T> where T : new() { public static int N; }\n\
    class M { public static void Make<T>(T t) where T : new() { } }\n\
    class U {\nG<A> field;\nint N() => G<A>.N;\nvoid O(A a) => M.Make(a);\nobject P() => new G<A>();\n}\n\
    class D : G<A> { }\n";

#[test]
fn a_type_that_new_no_longer_creates_is_no_type_argument_for_it() {
    let everywhere = ["B.cs:4", "B.cs:5", "B.cs:7", "B.cs:9"];
    let with = |a: &str| format!("//- /A.cs\n{a}\n{USERS}");
    let open = with("public class A\n{\n    public A() { }\n    public A(int x) { }\n}");
    assert_eq!(
        unmet(&open, "M:A.#ctor", replace("internal A() { }")),
        everywhere
    );
    assert_eq!(
        unmet(&open, "M:A.#ctor", replace("public A(string s) { }")),
        everywhere
    );
    // The method is called nevertheless: what is required decides about no overload.
    assert_eq!(
        unmet(&open, "A", add("public required int Size { get; set; }")),
        ["B.cs:4", "B.cs:5", "B.cs:6", "B.cs:7", "B.cs:9"]
    );
    let record = with("public record A\n{\n    public int X;\n}");
    assert_eq!(unmet(&record, "A", add("public A(int x) { }")), everywhere);
    let world = World::new(&open);
    proven(&world.edited("A", add("public int Size { get; set; }")));
}

#[test]
fn a_struct_that_holds_a_reference_is_no_unmanaged_type_argument() {
    let fixture = "//- /A.cs\npublic struct A\n{\n    public int X;\n}\n\
        //- /B.cs\nstruct Outer { public A Inner { get; set; } }\nstruct Pair<T> { public T Left; public A Right; }\n\
        class G<T> where T : unmanaged { public static void Take(T t) { } }\n\
        //- /C.cs\nclass C {\nvoid M(Outer outer) => G<Outer>.Take(outer);\nstatic void Use<T>(T t) where T : unmanaged { }\n\
        void N(A a) => Use(a);\nG<Pair<int>> pair;\nG<int> other;\nvoid O<T>(T t) where T : unmanaged => Use(t);\n}\n";
    let lines = ["C.cs:2", "C.cs:4", "C.cs:5"];
    assert_eq!(unmet(fixture, "A", add("public string Name;")), lines);
    assert_eq!(unmet(fixture, "A", add("public int[] All { get; }")), lines);
    assert_eq!(unmet(fixture, "A", add("event System.Action E;")), lines);
    for text in [
        "public long Y;",
        "public string Name => null;",
        "public static string Name;",
        "public System.DateTime Time;",
    ] {
        let world = World::new(fixture);
        proven(&world.edited("A", add(text)));
    }
}

#[test]
fn new_text_with_type_arguments_that_do_not_meet_the_constraints_is_not_proven() {
    let world = World::new(
        "//- /A.cs\nclass G<T> where T : unmanaged { }\nstruct S { string s; }\nclass U\n{\n}\n",
    );
    let op = world.edited("U", add("G<S> field;"));
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
    let reasons = op.answer.warnings.iter().map(|it| (it.line, it.reason));
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        [(5, WarningReason::NotAllowed)]
    );
}
