//! Attributes on declarations.

use cortex_edit::{MemberAction, MemberEdit};
use cortex_wire::{EditVerdict, WarningReason};

use crate::world::{World, replace};

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
    let tag = "[System.AttributeUsage(System.AttributeTargets.All, AllowMultiple = true)] class T : System.Attribute { public T(string s = \"\") { } }\n";
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

/// What is wrong with an attribute that a symbol gets: lines and reasons.
#[track_caller]
fn wrong(text: &str, symbol: &str, attribute: &str) -> Vec<(String, WarningReason)> {
    let world = World::new(&format!("//- /A.cs\n{text}"));
    let op = world.edited(symbol, MemberAction::AddAttribute { text: attribute });
    let found: Vec<_> = (op.answer.warnings.iter())
        .map(|it| (it.name.clone(), it.reason))
        .collect();
    let is_proven = op.answer.verdict == EditVerdict::Proven;
    assert_eq!(is_proven, found.is_empty(), "{:#?}", op.answer);
    found
}

#[test]
fn an_attribute_stands_where_its_usage_allows_it() {
    let text = "using System;\n\
        [AttributeUsage(AttributeTargets.Method | AttributeTargets.ReturnValue)] class OfMethodAttribute : Attribute { }\n\
        class DerivedAttribute : OfMethodAttribute { }\n\
        [AttributeUsage(AttributeTargets.All, AllowMultiple = true)] class ManyAttribute : Attribute { public ManyAttribute(int n = 0) { } public string Name { get; set; } }\n\
        class OnceAttribute : Attribute { }\n\
        abstract class AbstractAttribute : Attribute { }\n\
        class Thing { }\n\
        [Once, Many] class A { [Once] [return: OfMethod] int M() => 1; int F; int P { get; set; } }";
    let not_allowed = |name: &str| vec![(name.to_owned(), WarningReason::NotAllowed)];
    for (symbol, attribute, name) in [
        ("A", "OfMethod", "OfMethod"),
        ("A.F", "Derived", "Derived"),
        ("A.P", "[return: OfMethod]", ""),
        ("A.M", "OnceAttribute", "OnceAttribute"),
        ("A", "Once()", "Once"),
        ("A", "Thing", "Thing"),
        ("A", "Abstract", "Abstract"),
        ("A.M", "Flags", "Flags"),
        ("A.M", "[Obsolete] [Obsolete]", "Obsolete"),
        ("A.P", "[return: Once]", ""),
    ] {
        let expected = match name {
            "" => Vec::new(),
            name => not_allowed(name),
        };
        assert_eq!(wrong(text, symbol, attribute), expected, "{attribute}");
    }
    for (symbol, attribute) in [
        ("A.M", "OfMethod"),
        ("A.M", "Derived"),
        ("A", "Many(1, Name = \"a\")"),
        ("A", "Many"),
        ("A.P", "Once"),
        ("A.P", "[field: Once]"),
        ("A", "Serializable"),
    ] {
        assert!(wrong(text, symbol, attribute).is_empty(), "{attribute}");
    }
}

#[test]
fn an_attribute_takes_its_arguments() {
    let text = "using System;\n\
        class TAttribute : Attribute { public TAttribute(int n) { } public string Name { get; set; } }\n\
        class A { }";
    for (attribute, reason) in [
        ("T", WarningReason::NoOverload),
        ("T(\"a\")", WarningReason::NoOverload),
        ("T(1, 2)", WarningReason::NoOverload),
        ("T(1, Other = 2)", WarningReason::NotFound),
        ("Obsolete(1, 2, 3)", WarningReason::NoOverload),
    ] {
        let found = wrong(text, "A", attribute);
        let reasons: Vec<WarningReason> = found.iter().map(|it| it.1).collect();
        assert_eq!(reasons, [reason], "{attribute}");
    }
    assert!(wrong(text, "A", "T(1, Name = \"a\")").is_empty());
}

#[test]
fn attributes_that_their_class_no_longer_allows_are_reported() {
    let world = World::new(
        "//- /A.cs\nusing System;\nclass TAttribute : Attribute { }\n//- /B.cs\n[T] class B { [T] void M() { } }\n",
    );
    let text = "[AttributeUsage(AttributeTargets.Method)] class TAttribute : Attribute { }";
    let op = world.edited("TAttribute", replace(text));
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
    let places = op.answer.differences.iter();
    let places: Vec<_> = places.map(|it| (it.file.as_str(), it.line)).collect();
    assert_eq!(places, [("B.cs", 1)], "{:#?}", op.answer.differences);
}

#[test]
fn attributes_that_change_what_code_does_are_another_meaning() {
    let text = "using System;\nusing System.Diagnostics;\nclass A { public static void M() { } void U() => M(); }";
    for (attribute, verdict) in [
        ("Conditional(\"X\")", EditVerdict::ChangedMeaning),
        (
            "System.ObsoleteAttribute(\"x\", true)",
            EditVerdict::ChangedMeaning,
        ),
        ("Obsolete(\"x\")", EditVerdict::Proven),
        ("DebuggerStepThrough", EditVerdict::Proven),
    ] {
        let world = World::new(&format!("//- /A.cs\n{text}"));
        let op = world.edited("A.M", MemberAction::AddAttribute { text: attribute });
        assert_eq!(op.answer.verdict, verdict, "{attribute}");
    }
}
