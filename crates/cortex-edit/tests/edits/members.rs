//! Edits that name a symbol and bring a text, case by case.

use std::fs;

use cortex_edit::{Edit, EditError, MemberAction, MemberEdit, Rename, op::Op};
use cortex_fixture::Fixture;
use cortex_wire::{DoubtReason, EditVerdict, UnusedWhy, WarningReason};

use crate::world::World;

fn request<'r>(symbol: &'r str, action: MemberAction<'r>) -> MemberEdit<'r> {
    MemberEdit {
        symbol,
        file: None,
        action,
    }
}

fn body<'r>(text: &'r str) -> MemberAction<'r> {
    MemberAction::ReplaceBody {
        text,
        accessor: None,
    }
}

fn removed() -> MemberAction<'static> {
    MemberAction::Remove {
        others: &[],
        although_used: false,
    }
}

/// Plans an edit of one file `A.cs` and lets git apply its patch, whatever the verdict: the operation, and the file
/// afterwards.
#[track_caller]
fn edited(text: &str, symbol: &str, action: MemberAction<'_>) -> (Op, String) {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let before = world.files();
    let mut op = match world.edit(&request(symbol, action)) {
        Ok(op) => op,
        Err(error) => panic!("it is not planned: {error}"),
    };
    assert_eq!(world.files(), before, "planning writes nothing");
    let patch = world.work().parent().expect("a folder").join("patch.diff");
    fs::write(&patch, &op.answer.patch).expect("a file");
    Fixture::git(&world.work(), &["apply", &patch.to_string_lossy()]).expect("git takes the patch");
    let by_git = world.files();
    if op.answer.verdict != EditVerdict::ChangedMeaning {
        Fixture::git(&world.work(), &["checkout", "-q", "."]).expect("git checks out");
        world.apply(&mut op).expect("it can be applied");
        assert_eq!(world.files(), by_git);
        world.undo(&mut op).expect("it can be undone");
        assert_eq!(world.files(), before);
    }
    let file = by_git.iter().find(|(path, _)| path.ends_with("A.cs"));
    let text = file.expect("the file is there").1;
    (op, String::from_utf8_lossy(text).into_owned())
}

/// What a proven edit makes of one file.
#[track_caller]
fn becomes(text: &str, symbol: &str, action: MemberAction<'_>, expected: &str) {
    let (op, new) = edited(text, symbol, action);
    assert_eq!(new.trim_end(), expected.trim_end());
    let answer = &op.answer;
    assert_eq!(
        answer.verdict,
        EditVerdict::Proven,
        "{:?}",
        answer.differences
    );
}

/// Why an edit is refused, with what would help.
#[track_caller]
fn refusal(text: &str, symbol: &str, action: MemberAction<'_>) -> String {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    match world.edit(&request(symbol, action)) {
        Ok(op) => panic!("it is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, help, .. }) => format!("{reason}; {}", help.join("; ")),
        Err(error) => error.to_string(),
    }
}

const CLASS: &str = "\
class A
{
    int x = 1;

    /// <summary>One.</summary>
    int One() => 1;

    // Two of them.
    int Two(int a)
    {
        return a + x;
    }

    int P { get { return x; } set => x = value; }
}

class User
{
    int U(A a) => 1;
}
";

#[test]
fn a_body_is_replaced_in_the_form_that_is_given() {
    for (new, expected) in [
        ("=> 2", "    int One() => 2;"),
        ("2", "    int One() => 2;"),
        ("{ return 2; }", "    int One() { return 2; }"),
        (
            "return 2;",
            "    int One()\n    {\n        return 2;\n    }",
        ),
        (
            "{\n  if (x > 1)\n  {\n    return 3;\n  }\n  return 2;\n}",
            "    int One()\n    {\n        if (x > 1)\n        {\n            return 3;\n        }\n        return 2;\n    }",
        ),
    ] {
        becomes(
            CLASS,
            "A.One",
            body(new),
            &CLASS.replace("    int One() => 1;", expected),
        );
    }
    let old = "    {\n        return a + x;\n    }";
    for (new, expected) in [
        ("a", "    int Two(int a) => a;"),
        ("{ return a; }", "    int Two(int a)\n    { return a; }"),
        (
            "x++;\nreturn a;",
            "    int Two(int a)\n    {\n        x++;\n        return a;\n    }",
        ),
        (
            "        x++;\n        return a;",
            "    int Two(int a)\n    {\n        x++;\n        return a;\n    }",
        ),
    ] {
        let expected = CLASS.replace(&format!("    int Two(int a)\n{old}"), expected);
        becomes(CLASS, "A.Two", body(new), &expected);
    }
}

#[test]
fn an_accessor_is_replaced_alone() {
    let get = |text| MemberAction::ReplaceBody {
        text,
        accessor: Some("get"),
    };
    becomes(
        CLASS,
        "A.P",
        get("x + 1"),
        &CLASS.replace("get { return x; }", "get => x + 1;"),
    );
    becomes(
        CLASS,
        "A.P",
        body("=> x"),
        &CLASS.replace(
            "int P { get { return x; } set => x = value; }",
            "int P => x;",
        ),
    );
    assert!(refusal(CLASS, "A.One", get("1")).contains("no accessors"));
    assert!(refusal(CLASS, "A.P", body("return 1;")).contains("accessors or an expression"));
}

#[test]
fn constructors_operators_and_partial_members_have_bodies() {
    becomes(
        "class B { public B(int i) { } }\nclass A : B\n{\n    A() : base(1) { }\n    public static A operator +(A a, A b) => a;\n}",
        "A.A",
        body("{ System.Console.WriteLine(); }"),
        "class B { public B(int i) { } }\nclass A : B\n{\n    A() : base(1) { System.Console.WriteLine(); }\n    public static A operator +(A a, A b) => a;\n}",
    );
    becomes(
        "class A\n{\n    public static A operator +(A a, A b) => a;\n}",
        "M:A.op_Addition(A,A)",
        body("b"),
        "class A\n{\n    public static A operator +(A a, A b) => b;\n}",
    );
    becomes(
        "partial class A\n{\n    partial void M();\n}\npartial class A\n{\n    partial void M() { }\n}",
        "A.M",
        body("{ int i = 0; }"),
        "partial class A\n{\n    partial void M();\n}\npartial class A\n{\n    partial void M() { int i = 0; }\n}",
    );
}

#[test]
fn what_does_not_parse_or_breaks_out_is_refused_with_its_line() {
    let error = refusal(CLASS, "A.Two", body("{\n    return (a;\n}"));
    assert!(
        error.contains("line 2 of the new text does not parse"),
        "{error}"
    );
    let error = refusal(
        CLASS,
        "A",
        MemberAction::Add {
            text: "int y; } class C {",
        },
    );
    assert!(error.contains("does not end where it began"), "{error}");
    let error = refusal(CLASS, "A.x", body("{ }"));
    assert!(error.contains("has no body"), "{error}");
    assert!(refusal(CLASS, "A.One", body("=> 1")).contains("change nothing"));
    assert!(
        refusal(
            "class A { void M() { } void M(int i) { } }",
            "A.M",
            body("{ }")
        )
        .contains("`M:A.M(System.Int32)`")
    );
}

#[test]
fn an_edit_whose_new_text_has_names_that_mean_nothing_is_not_proven() {
    let (op, _) = edited(
        CLASS,
        "A.One",
        body("{\n    Missing(1);\n    return Two();\n}"),
    );
    let warnings = &op.answer.warnings;
    let found: Vec<_> = warnings
        .iter()
        .map(|it| (it.line, &*it.name, it.reason))
        .collect();
    assert_eq!(
        found,
        [
            (8, "Missing", WarningReason::NotFound),
            (9, "Two", WarningReason::NoOverload)
        ]
    );
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
}

#[test]
fn a_name_that_meant_nothing_before_says_nothing_of_an_edit() {
    let text = "class A\n{\n    [Fact] void One() { }\n}\n";
    let action = MemberAction::Add {
        text: "[Fact] void Two() { }",
    };
    let (op, _) = edited(text, "A", action);
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
    assert_eq!(op.answer.warnings[0].reason, WarningReason::NotFoundBefore);
    // It is gone from the new text, and was not found where it stood.
    let action = MemberAction::Replace {
        text: "[Fact] void Three() { }",
    };
    let (op, _) = edited(text, "A.One", action);
    assert_eq!(op.answer.verdict, EditVerdict::Proven);
}

#[test]
fn a_member_is_replaced_with_its_attributes_and_keeps_its_documentation_and_its_uses() {
    let text = "class A\n{\n    /// <summary>M.</summary>\n    [System.Obsolete]\n    public int M(int a) => a;\n}\nclass U { int N(A a) => a.M(1); }\n";
    becomes(
        text,
        "A.M",
        MemberAction::Replace {
            text: "public int M(int a)\n{\n    return a + 1;\n}",
        },
        "class A\n{\n    /// <summary>M.</summary>\n    public int M(int a)\n    {\n        return a + 1;\n    }\n}\nclass U { int N(A a) => a.M(1); }\n",
    );
    let (op, _) = edited(
        text,
        "A.M",
        MemberAction::Replace {
            text: "public long M(long a) => a;",
        },
    );
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    assert_eq!(op.answer.differences[0].line, 7);
}

#[test]
fn a_type_is_replaced_with_the_members_that_it_keeps() {
    becomes(
        "class A\n{\n    public int M() => 1;\n    public int N() => 2;\n}\nclass U { int N(A a) => a.M() + a.N(); }\n",
        "T:A",
        MemberAction::Replace {
            text: "sealed class A\n{\n    public int M() => N();\n    int O() => 3;\n    public int N() => 2;\n}",
        },
        "sealed class A\n{\n    public int M() => N();\n    int O() => 3;\n    public int N() => 2;\n}\nclass U { int N(A a) => a.M() + a.N(); }\n",
    );
}

#[test]
fn members_are_added_after_those_of_their_kind() {
    let add = |text| MemberAction::Add { text };
    becomes(
        CLASS,
        "T:A",
        add("int y;"),
        &CLASS.replace("    int x = 1;\n", "    int x = 1;\n    int y;\n"),
    );
    becomes(
        CLASS,
        "T:A",
        add("int Three() => 3;"),
        &CLASS.replace(
            "        return a + x;\n    }\n",
            "        return a + x;\n    }\n\n    int Three() => 3;\n",
        ),
    );
    becomes(
        CLASS,
        "T:A",
        add("A() { }"),
        &CLASS.replace("    int x = 1;\n", "    int x = 1;\n\n    A() { }\n"),
    );
    becomes(
        "class A\n{\n}\n",
        "A",
        add("int y;"),
        "class A\n{\n    int y;\n}\n",
    );
    becomes(
        "class A { }\n",
        "A",
        add("int y;"),
        "class A\n{\n    int y;\n}\n",
    );
    becomes(
        "record A(int X);\n",
        "A",
        add("int y;"),
        "record A(int X)\n{\n    int y;\n}\n",
    );
    becomes(
        "enum A\n{\n    X,\n    Y\n}\n",
        "A",
        add("Z,"),
        "enum A\n{\n    X,\n    Y,\n    Z\n}\n",
    );
    becomes(
        "enum A\n{\n    X, // x\n}\n",
        "A",
        add("Z"),
        "enum A\n{\n    X, // x\n    Z,\n}\n",
    );
    becomes(
        "class A { int x; }\n",
        "A",
        add("int y;"),
        "class A { int x;\n    int y;\n}\n",
    );
}

#[test]
fn declarations_are_inserted_around_others() {
    becomes(
        CLASS,
        "A.Two",
        MemberAction::InsertBefore {
            text: "int Three() => 3;",
        },
        &CLASS.replace(
            "    // Two of them.\n",
            "    int Three() => 3;\n\n    // Two of them.\n",
        ),
    );
    becomes(
        CLASS,
        "T:A",
        MemberAction::InsertAfter {
            text: "class B\n{\n\tint i;\n}",
        },
        &CLASS.replace(
            "}\n\nclass User",
            "}\n\nclass B\n{\n    int i;\n}\n\nclass User",
        ),
    );
}

#[test]
fn line_ends_byte_order_mark_and_missing_final_newline_stay() {
    let text = "\u{feff}class A\r\n{\r\n\tint One()\r\n\t{\r\n\t\treturn 1;\r\n\t}\r\n}";
    let world = World::new("//- /B.cs\nclass B { }\n");
    fs::write(world.work().join("A.cs"), text).expect("a file");
    let action = MemberAction::Add {
        text: "int Two()\n{\n    return 2;\n}\n",
    };
    let mut op = world
        .edit(&request("A", action))
        .expect("it can be planned");
    world.apply(&mut op).expect("it can be applied");
    let new = fs::read_to_string(world.work().join("A.cs")).expect("a file");
    let expected = text.replace(
        "return 1;\r\n\t}",
        "return 1;\r\n\t}\r\n\r\n\tint Two()\r\n\t{\r\n\t\treturn 2;\r\n\t}",
    );
    assert_eq!(new, expected);
}

#[test]
fn an_unused_member_is_removed_with_its_comments_and_one_blank_line() {
    becomes(
        CLASS,
        "A.Two",
        removed(),
        &CLASS.replace(
            "    // Two of them.\n    int Two(int a)\n    {\n        return a + x;\n    }\n\n",
            "",
        ),
    );
    becomes(
        CLASS,
        "A.P",
        removed(),
        &CLASS.replace("\n    int P { get { return x; } set => x = value; }\n", ""),
    );
    becomes(
        "class A\n{\n    int a = 1, b, c;\n}",
        "A.a",
        removed(),
        "class A\n{\n    int b, c;\n}",
    );
    becomes(
        "class A\n{\n    int a = 1, b, c;\n}",
        "A.c",
        removed(),
        "class A\n{\n    int a = 1, b;\n}",
    );
    becomes(
        "enum A\n{\n    X,\n    Y,\n}",
        "A.Y",
        removed(),
        "enum A\n{\n    X,\n}",
    );
}

#[test]
fn files_that_are_not_csharp_and_have_the_name_are_listed() {
    let world = World::new(
        "//- /A.cs\nclass Mail { public int Year { get; } public int Month { get; } }\n//- /Layout.hbs\n<p>\n{{Year}}\n</p>\n",
    );
    let op = world.edit(&request("Mail.Year", removed()));
    let op = op.expect("it is planned");
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
    let doubt = &op.answer.doubts[0];
    assert_eq!((doubt.file.as_str(), doubt.line), ("Layout.hbs", 2));
    assert_eq!(doubt.reason, DoubtReason::Mentioned);
    let op = world.edit(&request("Mail.Month", removed()));
    assert_eq!(
        op.expect("it is planned").answer.verdict,
        EditVerdict::Proven
    );
    // A rename leaves the text as it is, and says so.
    let op = world.rename("Mail.Year", "Annus").expect("it is planned");
    let residue = &op.answer.residue[0];
    assert_eq!(
        (residue.file.as_str(), residue.text.as_str()),
        ("Layout.hbs", "{{Year}}")
    );
}

#[test]
fn a_used_member_is_not_removed_but_a_group_that_uses_itself_is() {
    let text = "class A\n{\n    void M() => N();\n    void N() => M();\n    int x;\n}\ninterface I { void F(); }\nclass B : I { public void F() { } }\n";
    let error = refusal(text, "A.M", removed());
    assert!(error.contains("used in A.cs:4"), "{error}");
    assert!(error.starts_with("1 line of other code use it"), "{error}");
    let others = ["A.N".to_owned()];
    becomes(
        text,
        "A.M",
        MemberAction::Remove {
            others: &others,
            although_used: false,
        },
        &text.replace("    void M() => N();\n    void N() => M();\n", ""),
    );
    let error = refusal(text, "B.F", removed());
    assert!(error.contains("belongs together with"), "{error}");
}

#[test]
fn other_code_that_binds_otherwise_is_a_change_of_meaning() {
    let (op, _) = edited(
        "class A\n{\n    public void M(long i) { }\n}\nclass U { void N(A a) => a.M(1); }\n",
        "A",
        MemberAction::Add {
            text: "public void M(int i) { }",
        },
    );
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    assert_eq!(op.answer.differences[0].line, 5);
    let (op, _) = edited(
        "class A\n{\n    public void M(int i) { }\n}\n",
        "A",
        MemberAction::Add {
            text: "public void M(int j) { }",
        },
    );
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn a_new_member_that_hides_an_inherited_one_is_a_warning() {
    let text = "class B { public int M() => 1; public int N() => 1; }\nclass A : B\n{\n}\n";
    let add = |text| MemberAction::Add { text };
    let (op, _) = edited(text, "A", add("public int M() => 2;"));
    assert_eq!(op.answer.warnings[0].reason, WarningReason::Hides);
    let (op, _) = edited(text, "A", add("public new int M() => 2;"));
    assert!(op.answer.warnings.is_empty());
}

#[test]
fn a_batch_is_its_parts_in_order() {
    let world = World::new(&format!(
        "//- /A.cs\n{CLASS}//- /B.cs\nclass B {{ int U(A a) => 1; }}\n"
    ));
    let before = world.files();
    let steps = [
        Edit::Rename(Rename {
            symbol: "T:A",
            to: "C",
            keep_file: false,
            also: &[],
        }),
        Edit::Member(request("C.One", body("=> 2"))),
        Edit::Member(request("C.Two", removed())),
    ];
    let mut together = world.batch(&steps).expect("it can be planned");
    assert_eq!(together.answer.verdict, EditVerdict::Proven);
    world.apply(&mut together).expect("it can be applied");
    let at_once = world.files();
    world.undo(&mut together).expect("it can be undone");
    assert_eq!(world.files(), before);
    for step in &steps {
        let mut op = match step {
            Edit::Rename(rename) => world.rename(rename.symbol, rename.to),
            Edit::Member(edit) => world.edit(edit),
            _ => continue,
        }
        .expect("it can be planned");
        world.apply(&mut op).expect("it can be applied");
    }
    assert_eq!(world.files(), at_once);

    let steps = [steps[1].clone(), steps[2].clone()];
    let error = world
        .batch(&steps[1..])
        .expect_err("there is no such type any more");
    assert!(!error.to_string().is_empty());
    let collides = Edit::Rename(Rename {
        symbol: "C.x",
        to: "P",
        keep_file: false,
        also: &[],
    });
    let error = world
        .batch(&[collides])
        .expect_err("a property is called so");
    assert!(error.to_string().starts_with("edit 1: "), "{error}");
}

/// What nobody names may still be made and filled by others: the judgment is that of `unused`.
#[test]
fn what_may_be_in_use_is_not_proven_to_be_removable() {
    let world = World::new(
        "class Reader { T Read<T>() => default; object R() => Read<Order>(); }\nclass Order { int a; internal int Id { get; set; } internal int Sum() => a; }\n",
    );
    let op = world.edit(&request("Order.Id", removed()));
    let answer = op.expect("it is planned").answer;
    assert_eq!(answer.verdict, EditVerdict::NotProven);
    let doubt = &answer.doubts[0];
    assert_eq!(doubt.reason, DoubtReason::MayBeUsed);
    let used_by = doubt.used_by.as_ref().expect("a reason");
    assert_eq!(used_by.why, UnusedWhy::TypeArgument);
    let op = world.edit(&request("Order.Sum", removed()));
    let answer = op.expect("it is planned").answer;
    assert_eq!(answer.verdict, EditVerdict::Proven, "{answer:?}");
}
