//! Arguments that name a parameter which gets another name.

use cortex_wire::EditVerdict;

use crate::world::World;

/// `B.cs` after a rename of what stands at a place of `A.cs`, which has to be proven.
#[track_caller]
fn becomes(a: &str, b: &str, (place, to): (&str, &str), expected: &str) {
    let world = World::new(&format!("//- /A.cs\n{a}\n//- /B.cs\n{b}\n"));
    let mut op = world.rename(place, to).expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let text = String::from_utf8_lossy(&world.files()["B.cs"]).into_owned();
    assert_eq!(text.trim_end(), expected);
}

#[test]
fn arguments_follow_although_a_variable_has_the_same_name() {
    let methods = "public class Over {\n\
        public Over(string name) { }\n\
        public void F(int a, int b) { }\n\
        public void F(int a, int b, int c = 6) { }\n}\n\
        public class Primary(string name) { public string Name => name; }\n\
        public delegate void Run(int count);\n\
        public record Entry(string name);";
    for (place, to, before, after) in [
        (
            "A.cs:2:20",
            "title",
            "class M { void N() { var name = \"x\"; new Over(name: name); } }",
            "class M { void N() { var name = \"x\"; new Over(title: name); } }",
        ),
        (
            "A.cs:3:26",
            "bb",
            "class M { void N(Over o) { o.F(b: 3, a: 4); var f = (int a, int b = 7) => a * b; } }",
            "class M { void N(Over o) { o.F(bb: 3, a: 4); var f = (int a, int b = 7) => a * b; } }",
        ),
        (
            "A.cs:6:29",
            "title",
            "class M { void N(string name) => new Primary(name: name); }",
            "class M { void N(string name) => new Primary(title: name); }",
        ),
        (
            "A.cs:7:30",
            "n",
            "class M { void N(Run run, int count) { run(count: count); } }",
            "class M { void N(Run run, int count) { run(n: count); } }",
        ),
        (
            "Entry.name",
            "title",
            "class M { object N(string name) => new Entry(name: name); }",
            "class M { object N(string name) => new Entry(title: name); }",
        ),
    ] {
        becomes(methods, before, (place, to), after);
    }
}
