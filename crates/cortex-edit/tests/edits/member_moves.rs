//! Static members that go to other types.

use cortex_edit::{Edit, EditError, MoveMember, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

fn moved(world: &World, symbol: &str, into: &str) -> Result<Op, EditError> {
    world.one(&Edit::MoveMember(MoveMember { symbol, into }))
}

/// The files after a move that is proven.
#[track_caller]
fn after(fixture: &str, symbol: &str, into: &str) -> impl Fn(&str) -> String + use<> {
    let world = World::new(fixture);
    let before = world.files();
    let mut op = moved(&world, symbol, into).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    move |path| String::from_utf8_lossy(&files[path]).into_owned()
}

#[test]
fn a_method_goes_with_its_documentation_and_code_names_the_other_type() {
    let after = after(
        "//- /Tools.cs\nusing System.Text;\n\nnamespace Shop;\n\npublic static class Tools\n{\n    public const int One = 1;\n\n    /// <summary>Adds <see cref=\"One\"/>.</summary>\n    public static int Add(int n) => n > 9 ? n : Add(n + One) + Tools.Add(9) + new StringBuilder().Length;\n\n    public static int Two => Add(1);\n}\n\
         //- /Math.cs\nnamespace Shop.Numbers;\n\npublic static class Sums\n{\n    public static int None => 0;\n}\n\
         //- /Use.cs\nusing Shop;\n\nclass Use { int A => Tools.Add(1) + Shop.Tools.Add(2) + global::Shop.Tools.Add(3); string N => nameof(Tools.Add); }\n\
         //- /Static.cs\nusing static Shop.Tools;\n\nclass Static { int A => Add(1) + One; }\n",
        "Tools.Add",
        "Sums",
    );
    assert_eq!(
        after("Math.cs"),
        "using System.Text;\n\nnamespace Shop.Numbers;\n\npublic static class Sums\n{\n    public static int None => 0;\n\n    /// <summary>Adds <see cref=\"Shop.Tools.One\"/>.</summary>\n    public static int Add(int n) => n > 9 ? n : Add(n + Shop.Tools.One) + Add(9) + new StringBuilder().Length;\n}\n"
    );
    assert_eq!(
        after("Tools.cs"),
        "using System.Text;\nusing Shop.Numbers;\n\nnamespace Shop;\n\npublic static class Tools\n{\n    public const int One = 1;\n\n    public static int Two => Sums.Add(1);\n}\n"
    );
    assert_eq!(
        after("Use.cs"),
        "using Shop;\nusing Shop.Numbers;\n\nclass Use { int A => Sums.Add(1) + Shop.Numbers.Sums.Add(2) + global::Shop.Numbers.Sums.Add(3); string N => nameof(Sums.Add); }\n"
    );
    assert_eq!(
        after("Static.cs"),
        "using Shop.Numbers;\nusing static Shop.Tools;\n\nclass Static { int A => Sums.Add(1) + One; }\n"
    );
}

#[test]
fn a_constant_goes_to_a_type_of_the_same_file() {
    let after = after(
        "//- /A.cs\nclass A\n{\n    internal const int Limit = 3;\n    int N => Limit;\n}\n\nclass B\n{\n    int M => A.Limit;\n}\n",
        "A.Limit",
        "B",
    );
    assert_eq!(
        after("A.cs"),
        "class A\n{\n    int N => B.Limit;\n}\n\nclass B\n{\n    internal const int Limit = 3;\n\n    int M => Limit;\n}\n"
    );
}

#[test]
fn a_name_that_would_mean_something_else_is_written_in_full() {
    let after = after(
        "//- /A.cs\nnamespace Shop;\npublic class A\n{\n    public static int F() => 1;\n}\n\
         //- /B.cs\nnamespace Other;\npublic class B\n{\n    public static int G() => 1;\n}\n\
         //- /Use.cs\nnamespace Shop\n{\n    class Use { int B => A.F(); }\n}\n",
        "A.F",
        "Other.B",
    );
    assert!(
        after("Use.cs").contains("int B => Other.B.F();"),
        "{}",
        after("Use.cs")
    );
}

#[test]
fn a_member_that_is_there_already_changes_meaning() {
    let world = World::new(
        "//- /A.cs\nclass A { public static int F() => 1; }\nclass B { public static int F() => 2; int M => F(); }\n",
    );
    let op = moved(&world, "A.F", "B").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn code_that_moves_and_would_mean_something_else_changes_meaning() {
    let world = World::new(
        "//- /A.cs\nclass Line { public int N; }\nclass A { internal static int F(Line line) => line.N; }\nclass B { class Line { public int N; } }\n",
    );
    let op = moved(&world, "A.F", "B").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn what_cannot_move_is_refused_with_its_place() {
    let world = World::new(
        "//- /A.cs\nclass A\n{\n    static int _n;\n    internal static int Next() => ++_n;\n    static int Hidden() => 1;\n    int Use() => Hidden();\n    void Instance() { }\n    internal static int First = Next(), Second;\n    internal static int Third = Next();\n    internal static readonly int Fourth;\n}\n\
         class B { }\ninterface I { }\nclass G<T> { internal static int F() => 1; }\n\
         static class E { internal static int X(this int n) => n; }\n\
         class C { static C() { } internal static int F() => 1; }\n\
         //- /Alias.cs\nusing S = System.String;\nclass D { internal static int F() => S.Empty.Length; }\n",
    );
    for (symbol, into, reason, help) in [
        ("A.Next", "B", "it uses what `B` cannot see", "A.cs:4"),
        ("A.Hidden", "B", "it is private", "A.cs:6"),
        ("A.Instance", "B", "it is no static member", ""),
        ("A.First", "B", "declared together with `Second`", ""),
        ("A.Third", "B", "its initializer runs code", "A.cs:9"),
        ("A.Fourth", "B", "a static constructor gives it", ""),
        ("A.Next", "I", "is no class, struct or record", ""),
        ("G.F", "B", "is generic", ""),
        ("E.X", "B", "it is an extension method", ""),
        ("C.F", "B", "has a static constructor", ""),
        ("D.F", "B", "it uses aliases of its file", "Alias.cs:2"),
        ("A.Next", "A.Instance", "it can only go into a type", ""),
    ] {
        let error = moved(&world, symbol, into).expect_err("it is refused");
        assert!(error.to_string().contains(reason), "{symbol}: {error}");
        if let EditError::Refused { help: found, .. } = error {
            assert!(found[0].contains(help), "{symbol}: {found:?}");
        }
    }
    let error = moved(&world, "A.Next", "A").expect_err("it is refused");
    assert!(matches!(error, EditError::NoChange { .. }));
}

#[test]
fn an_initial_value_that_is_evaluated_at_another_time_is_not_proven() {
    let verdict = |text: &str| {
        let world = World::new(&format!("//- /A.cs\n{text}"));
        let request = MoveMember {
            symbol: "C.Z",
            into: "B",
        };
        let op = world
            .one(&Edit::MoveMember(request))
            .expect("it is planned");
        op.answer.verdict
    };
    let field = "static class C { public static int Z = 5; }";
    for text in [
        format!("static class B {{ public static int Y = C.Z + 1; }} {field}"),
        "static class B { } static class C { public static int Z = 5; static int first = Note(); static int Note() => 1; }".to_owned(),
    ] {
        assert_eq!(verdict(&text), EditVerdict::NotProven, "{text}");
    }
    for text in [
        format!("static class B {{ public static int Y = 1; }} {field}"),
        "static class B { } static class C { public static int Z; static int first = Note(); static int Note() => 1; }".to_owned(),
    ] {
        assert_eq!(verdict(&text), EditVerdict::Proven, "{text}");
    }
}
