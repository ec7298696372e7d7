//! Attributes on declarations.

use cortex_edit::{MemberAction, MemberEdit};
use cortex_wire::EditVerdict;

use crate::world::World;

/// `A.cs` with an attribute on a symbol, proven.
fn with_attribute(text: &str, symbol: &str, attribute: &str) -> String {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let request = MemberEdit {
        symbol,
        file: None,
        action: MemberAction::AddAttribute { text: attribute },
    };
    let before = world.files();
    let mut op = world.edit(&request).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    after
}

#[test]
fn attributes_stand_behind_those_that_are_there() {
    let tag = "class T : System.Attribute { public T(string s = \"\") { } }\n";
    for (text, symbol, attribute, expected) in [
        (
            "class A\n{\n    /// <summary>M</summary>\n    void M() { }\n}\n",
            "A.M",
            "T(\"]\")",
            "class A\n{\n    /// <summary>M</summary>\n    [T(\"]\")]\n    void M() { }\n}\n",
        ),
        (
            "class A\n{\n#if X || !X\n    [T(\"[\")] // why\n#endif\n    public int P => 1;\n}\n",
            "A.P",
            "[T] [field: T]",
            "class A\n{\n#if X || !X\n    [T(\"[\")] // why\n#endif\n    [T] [field: T]\n    public int P => 1;\n}\n",
        ),
        (
            "enum A { One, Two }\n",
            "A.Two",
            "T",
            "enum A { One, [T] Two }\n",
        ),
        (
            "[T(\"a\")] class A { }\n",
            "A",
            "T",
            "[T(\"a\")] [T] class A { }\n",
        ),
    ] {
        let after = with_attribute(&format!("{tag}{text}"), symbol, attribute);
        assert_eq!(after, format!("{tag}{expected}"));
    }
}

#[test]
fn what_is_no_attribute_or_is_there_is_refused() {
    let world = World::new("//- /A.cs\nclass A { [System.Obsolete] void M() { } int x, y; }");
    for (symbol, attribute, reason) in [
        ("A.M", "System . Obsolete", "would change nothing"),
        ("A.M", "T] int z; [T", "no attribute"),
        ("A.M", "", "no attribute"),
        ("A.M", "T(", "no attribute"),
        ("A.x", "T", "declared together with `y`"),
    ] {
        let request = MemberEdit {
            symbol,
            file: None,
            action: MemberAction::AddAttribute { text: attribute },
        };
        let error = world.edit(&request).expect_err("it is refused");
        assert!(error.to_string().contains(reason), "{attribute}: {error}");
    }
    let request = MemberEdit {
        symbol: "A.M",
        file: None,
        action: MemberAction::AddAttribute { text: "Missing" },
    };
    let op = world.edit(&request).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::NotProven);
    assert_eq!(op.answer.warnings[0].name, "Missing");
}
