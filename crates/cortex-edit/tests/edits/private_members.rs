//! Names that only some files can mean: private members, variables, and members that markup uses.

use cortex_edit::{Edit, Rename};
use cortex_wire::{DoubtReason, EditVerdict, ResidueKind};

use crate::world::World;

const PARTS: &str = "\
//- /A.cs
public partial class A { private int own; public int Get() => own; }
//- /A2.cs
public partial class A { class Inside { int Of(A a) => a.own; } }
//- /A3.cs
public partial class A { class Later { int fresh; int Get() => fresh; } }
";

/// What the rename of `A.own` to another name is found to do beside another file.
fn renamed_beside(other: &str, to: &str) -> cortex_wire::EditAnswer {
    let world = World::new(&format!("{PARTS}//- /Other.cs\n{other}\n"));
    world.rename("A.own", to).expect("it is planned").answer
}

#[test]
fn a_private_member_is_looked_for_in_the_files_of_its_type_alone() {
    for other in [
        "class B : A { int own; int Get() => own; }",
        "class B { int Get(Missing it) => it.own; }",
        "static class B { static int own(this A a) => 1; static int Get(A a) => a.own(); }",
        "class B { int fresh; int Get(A a, int own) => own; string Say() => \"own\"; }",
    ] {
        let answer = renamed_beside(other, "fresher");
        assert_eq!(answer.verdict, EditVerdict::Proven, "{other}: {answer:#?}");
        assert_eq!(answer.compared_files, 2, "{other}");
        let answer = renamed_beside(other, "fresh");
        assert_eq!(answer.verdict, EditVerdict::Proven, "{other}: {answer:#?}");
        assert_eq!(answer.compared_files, 3, "{other}");
    }
}

#[test]
fn a_member_that_others_see_is_looked_for_everywhere() {
    let parts = PARTS.replace("private", "internal");
    let other = "class B { int own; int Get() => own; }";
    let world = World::new(&format!("{parts}//- /Other.cs\n{other}\n"));
    let answer = world
        .rename("A.own", "fresher")
        .expect("it is planned")
        .answer;
    assert_eq!(answer.verdict, EditVerdict::Proven);
    assert_eq!(answer.compared_files, 3);
}

#[test]
fn documentation_elsewhere_may_mean_a_private_member() {
    let named = "/// <see cref=\"A.own\"/>\nclass B { }";
    let world = World::new(&format!("{PARTS}//- /Other.cs\n{named}\n"));
    let mut op = world.rename("A.own", "fresher").expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
    world.apply(&mut op).expect("it is applied");
    let after = String::from_utf8(world.files()["Other.cs"].clone()).expect("it is text");
    assert_eq!(after.trim_end(), named.replace("own", "fresher"));
    let answer = renamed_beside("/// <see cref=\"A.later\"/>\nclass B { }", "later");
    assert_eq!(answer.verdict, EditVerdict::ChangedMeaning, "{answer:#?}");
    assert_eq!(answer.differences[0].file.to_string(), "Other.cs");
}

#[test]
fn code_that_nobody_compiles_may_mean_what_it_names() {
    let inactive = |code: &str| format!("class B {{ }}\n#if NEVER\n{code}\n#endif");
    let lines = |fixture: &str| {
        let answer = World::new(fixture).rename("A.own", "fresher");
        let answer = answer.expect("it is planned").answer;
        let doubts = answer.doubts.iter();
        let doubts = doubts.filter(|it| it.reason == DoubtReason::Inactive);
        let lines: Vec<u32> = doubts.map(|it| it.line).collect();
        assert_eq!(answer.verdict == EditVerdict::Proven, lines.is_empty());
        lines
    };
    let part = inactive("partial class A { int Again() => own; }");
    assert_eq!(lines(&format!("{PARTS}//- /Other.cs\n{part}\n")), [3]);
    let part = inactive("partial class A { int fresher; }");
    assert_eq!(lines(&format!("{PARTS}//- /Other.cs\n{part}\n")), [3]);
    // Of a private member, another type means another one.
    let other = inactive("class C { int own; int Get() => own; }");
    assert!(lines(&format!("{PARTS}//- /Other.cs\n{other}\n")).is_empty());
    let parts = PARTS.replace("private", "internal");
    assert_eq!(lines(&format!("{parts}//- /Other.cs\n{other}\n")), [3, 3]);
}

#[test]
fn a_variable_is_looked_for_in_its_own_file() {
    let world = World::new(
        "//- /A.cs\nclass A { int Get() { int own = 1; return own; } T Of<T>(T it) => it; }\n\
         //- /B.cs\nclass B { int own; T Get<T>(int own) => default; }\n",
    );
    for (place, to) in [("A.cs:1:27", "fresh"), ("A.cs:1:58", "U")] {
        let answer = world.rename(place, to).expect("it is planned").answer;
        assert_eq!(answer.verdict, EditVerdict::Proven, "{answer:#?}");
        assert_eq!(answer.compared_files, 1, "{place}");
    }
}

#[test]
fn markup_of_a_type_may_use_what_no_other_code_sees() {
    let world = World::new(
        "//- /Pages/Count.razor.cs\npublic partial class Count { private int own; public int Seen; void Add() => own++; }\n\
         //- /Pages/Count.razor\n<p>@own</p>\n<button @onclick=\"Add\">\n@Seen own@own\n\
         //- /Window.xaml.cs\npublic partial class Window { private void OnClick() { } private void Other() { } }\n\
         //- /Window.xaml\n<Button Click=\"OnClick\" />\n\
         //- /Plain.cs\nclass Plain { int own; int Seen; }\n",
    );
    let doubted = |symbol: &str| {
        let answer = world.rename(symbol, "Fresh").expect("it is planned").answer;
        let doubts = answer.doubts.iter();
        let doubts = doubts.filter(|it| it.reason == DoubtReason::Mentioned);
        let places: Vec<String> = doubts
            .map(|it| format!("{}:{}", it.file, it.line))
            .collect();
        let mut residue = answer.residue.iter();
        assert!(
            !residue.any(|it| it.kind == ResidueKind::File),
            "{answer:#?}"
        );
        assert_eq!(answer.verdict == EditVerdict::Proven, places.is_empty());
        places
    };
    assert_eq!(
        doubted("Count.own"),
        ["Pages/Count.razor:1", "Pages/Count.razor:3"]
    );
    assert_eq!(doubted("Count.Add"), ["Pages/Count.razor:2"]);
    assert_eq!(doubted("Count.Seen"), ["Pages/Count.razor:3"]);
    assert_eq!(doubted("Window.OnClick"), ["Window.xaml:1"]);
    assert_eq!(doubted("Window"), ["Window.xaml:1"]);
    assert!(doubted("Window.Other").is_empty());
    assert!(doubted("Plain.own").is_empty());
}

#[test]
fn code_that_one_framework_compiles_is_no_code_that_none_does() {
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFrameworks>net10.0;net8.0</TargetFrameworks></PropertyGroup></Project>";
    for (condition, expected) in [
        ("NET10_0", EditVerdict::Proven),
        ("!NET10_0", EditVerdict::Proven),
        ("NEVER", EditVerdict::NotProven),
    ] {
        let world = World::new(&format!(
            "//- /A.cs project:App\npublic class A {{ internal int own; }}\n\
             //- /B.cs project:App\n#if {condition}\nclass B {{ int Get(A a) => a.own; }}\n#endif\n"
        ));
        std::fs::write(world.work().join("App.csproj"), project).expect("its folder is there");
        let request = Edit::Rename(Rename {
            symbol: "A.own",
            to: "fresh",
            keep_file: false,
            also: &[],
        });
        let op = world.in_frameworks(&["net10.0", "net8.0"], &request);
        assert_eq!(
            op.expect("it is planned").answer.verdict,
            expected,
            "{condition}"
        );
    }
}
