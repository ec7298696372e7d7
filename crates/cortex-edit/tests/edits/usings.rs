//! Using directives: added, put in order, taken out.

use cortex_edit::{AddUsing, Edit, EditError, OrganizeUsings, op::Op};
use cortex_wire::{EditVerdict, LeftAloneReason};

use crate::world::World;

const LIB: &str = "//- /Lib.cs\nnamespace Lib { public class Helper { } public class Tag : System.Attribute { } }\n\
    namespace Ext { public static class More { public static int Twice(this int it) => it * 2; } }\n\
    namespace Doc { public class Shown { } }\nnamespace Unused { public class Nothing { } }\n\
    namespace Add { public static class Adding { public static void Add(this Bag bag, int it) { } }\n\
    public class Bag : System.Collections.IEnumerable { public System.Collections.IEnumerator GetEnumerator() => null; } }\n";

fn organize(world: &World, paths: &[&str]) -> Result<Op, EditError> {
    let paths: Vec<String> = paths.iter().map(|&it| it.to_owned()).collect();
    let request = OrganizeUsings {
        paths: &paths,
        keeps_unneeded: false,
        keeps_order: false,
    };
    world.one(&Edit::OrganizeUsings(request))
}

fn add(world: &World, at: &str, import: &str) -> Result<Op, EditError> {
    let request = AddUsing {
        at,
        import,
        file: None,
    };
    world.one(&Edit::AddUsing(request))
}

/// The text of `A.cs` once its usings are organized, proven.
fn organized(text: &str) -> String {
    let world = World::new(&format!("{LIB}//- /A.cs\n{text}"));
    let before = world.files();
    let mut op = organize(&world, &["A.cs"]).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    after
}

#[test]
fn what_extensions_documentation_attributes_and_aliases_use_stays() {
    let body = "/// <see cref=\"Shown\"/>\n[Tag]\nclass A\n{\n    int M() => 2.Twice();\n    object N() => new Add.Bag { 1 };\n}\n";
    let after = organized(&format!(
        "using Unused;\nusing Lib;\nusing Ext;\nusing Doc;\nusing Add;\nusing H = Lib.Helper;\n\n{body}"
    ));
    assert_eq!(
        after,
        format!("using Add;\nusing Doc;\nusing Ext;\nusing Lib;\nusing H = Lib.Helper;\n\n{body}")
    );
}

#[test]
fn comments_conditions_and_blank_lines_keep_their_places() {
    let after = organized(
        "// header\n\nusing Unused;\nusing Lib;\n// why\nusing Ext; // trailing\n#if DEBUG || !DEBUG\nusing Doc;\n#endif\n\nusing Unused;\n\nclass A { Helper h; int M() => 2.Twice(); }\n",
    );
    assert_eq!(
        after,
        "// header\n\nusing Lib;\n// why\nusing Ext; // trailing\n#if DEBUG || !DEBUG\nusing Doc;\n#endif\n\nclass A { Helper h; int M() => 2.Twice(); }\n"
    );
}

#[test]
fn what_is_around_twice_or_inside_of_a_namespace_is_not_needed() {
    let after = organized(
        "using Lib;\nusing Lib;\nusing Unused;\n\nnamespace Unused\n{\n    using Lib;\n    using Ext;\n\n    class A { Helper h; Nothing n; }\n}\n",
    );
    assert_eq!(
        after,
        "using Lib;\n\nnamespace Unused\n{\n    using Lib;\n\n    class A { Helper h; Nothing n; }\n}\n"
    );
    let all = organized("using Unused;\nusing Ext;\n\nclass A { }\n");
    assert_eq!(all, "class A { }\n");
}

#[test]
fn code_that_nobody_compiles_and_names_that_mean_nothing_keep_every_directive() {
    for body in [
        "#if NEVER\nclass B : Helper { }\n#endif\nclass A { }\n",
        "class A : Missing { }\n",
    ] {
        let after = organized(&format!("using Lib;\nusing Ext;\n\n{body}"));
        assert_eq!(after, format!("using Ext;\nusing Lib;\n\n{body}"));
    }
}

#[test]
fn system_comes_first_as_the_configuration_or_the_file_says() {
    let body = "class A { Helper h; StringBuilder b; }\n";
    let text = "using Lib;\nusing System.Text;\n";
    let configured = |config: &str| {
        let world = World::new(&format!(
            "//- /.editorconfig\n{config}{LIB}//- /A.cs\n{text}\n{body}"
        ));
        organize(&world, &["A.cs"]).map(|op| op.answer.patch)
    };
    let first = "root = true\n[*.cs]\ndotnet_sort_system_directives_first = true\n";
    let patch = configured(first).expect("it can be planned");
    assert!(
        patch.contains("+using System.Text;\n using Lib;\n-using System.Text;"),
        "{patch}"
    );
    for config in [
        "root = true\n",
        "[*]\ndotnet_sort_system_directives_first = false\n",
    ] {
        let nothing = configured(config);
        assert!(
            matches!(nothing, Err(EditError::NoChange { .. })),
            "{config}"
        );
    }
}

#[test]
fn a_folder_is_organized_at_once_and_a_second_time_is_nothing() {
    let world = World::new(&format!(
        "{LIB}//- /src/A.cs\nusing Unused;\nclass A {{ }}\n//- /src/in/B.cs\nusing Lib;\nusing Ext;\nclass B {{ Helper h; }}\n"
    ));
    let mut op = organize(&world, &["src"]).expect("it can be planned");
    assert_eq!(op.answer.files.len(), 2);
    world.apply(&mut op).expect("it can be applied");
    assert!(matches!(
        organize(&world, &["src/"]),
        Err(EditError::NoChange { .. })
    ));
    let error = organize(&world, &["nowhere"]).expect_err("it is refused");
    assert!(error.to_string().contains("no C# file"), "{error}");
}

#[test]
fn a_directive_is_written_where_it_belongs() {
    let cases = [
        (
            "using Ext;\nusing Lib;\n\nclass A { }\n",
            "Doc",
            "using Doc;\nusing Ext;\nusing Lib;\n\nclass A { }\n",
        ),
        ("class A { }\n", "Doc", "using Doc;\n\nclass A { }\n"),
        (
            "// license\n\n/// <summary/>\nclass A { }\n",
            "Doc",
            "// license\n\nusing Doc;\n\n/// <summary/>\nclass A { }\n",
        ),
        (
            "// license\nnamespace N;\nclass A { }\n",
            "Doc",
            "// license\n\nusing Doc;\n\nnamespace N;\nclass A { }\n",
        ),
        (
            "#nullable enable\nnamespace N;\nclass A { }\n",
            "Doc",
            "#nullable enable\nusing Doc;\n\nnamespace N;\nclass A { }\n",
        ),
        (
            "namespace N\n{\n    using Ext;\n\n    class A { }\n}\n",
            "Lib",
            "namespace N\n{\n    using Ext;\n    using Lib;\n\n    class A { }\n}\n",
        ),
        (
            "using Lib;\nusing Ext;\nusing static System.Math;\n\nclass A { }\n",
            "Doc",
            "using Lib;\nusing Ext;\nusing Doc;\nusing static System.Math;\n\nclass A { }\n",
        ),
        (
            "using Ext;\n\nclass A { }\n",
            "H = Lib.Helper",
            "using Ext;\nusing H = Lib.Helper;\n\nclass A { }\n",
        ),
        (
            "global using Ext;\nclass A { }\n",
            "using static System.Math;",
            "global using Ext;\nusing static System.Math;\nclass A { }\n",
        ),
    ];
    for (text, import, expected) in cases {
        let world = World::new(&format!("{LIB}//- /A.cs\n{text}"));
        let mut op = add(&world, "A.cs", import).expect("it can be planned");
        assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:?}", op.answer);
        world.apply(&mut op).expect("it can be applied");
        assert_eq!(
            String::from_utf8_lossy(&world.files()["A.cs"]),
            expected,
            "{import}"
        );
    }
}

#[test]
fn a_directive_that_makes_names_mean_something_is_proven_and_one_that_changes_them_is_told() {
    let world = World::new(&format!("{LIB}//- /A.cs\nclass A {{ Helper h; }}\n"));
    let op = add(&world, "A", "Lib").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:?}", op.answer);
    let world = World::new(
        "//- /Lib.cs\nnamespace One { public static class E { public static int F(this object it) => 1; } }\n\
         namespace Two { public static class E { public static int F(this string it) => 2; } }\n\
         //- /A.cs\nusing One;\nclass A { int M() => \"\".F(); }\n",
    );
    let op = add(&world, "A.cs", "Two").expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    assert!(matches!(
        add(&world, "A.cs", "One"),
        Err(EditError::NoChange { .. })
    ));
    assert!(add(&world, "A.cs", "One; class B { }").is_err());
    let op = add(&world, "A.cs", "Nowhere.At.All").expect("it can be planned");
    assert_eq!(op.answer.total_warnings, 1, "{:?}", op.answer.warnings);
}

#[test]
fn files_that_are_left_alone_are_told_with_the_reason() {
    let world = World::new(&format!(
        "{LIB}//- /A.cs\nusing Unused;\nclass A {{ }}\n//- /B.cs\nusing Unused;\nclass B : Missing {{ }}\n\
         //- /C.cs\nusing Unused;\n#if NEVER\nclass C {{ }}\n#endif\n//- /D.cs\nusing Unused;\nclass D {{ void M( }}\n"
    ));
    let op = organize(&world, &["A.cs", "B.cs", "C.cs", "D.cs"]).expect("it can be planned");
    let left: Vec<(&str, LeftAloneReason)> = (op.answer.left_alone.iter())
        .map(|it| (it.file.as_str(), it.reason))
        .collect();
    assert_eq!(
        left,
        [
            ("B.cs", LeftAloneReason::UnboundNames),
            ("C.cs", LeftAloneReason::UnreadCode),
            ("D.cs", LeftAloneReason::Degraded),
        ]
    );
    assert_eq!(op.answer.total_left_alone, 3);
    let alone = organize(&world, &["B.cs"]).expect_err("nothing changes");
    let EditError::Refused { help, .. } = &alone else {
        panic!("{alone}");
    };
    assert_eq!(
        help[0],
        "`B.cs` keeps its directives: names in it mean nothing, and may need any of them"
    );
}
