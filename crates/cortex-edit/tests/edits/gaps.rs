//! Types that no longer have the members that their interfaces and base classes demand.

use cortex_edit::MemberAction;
use cortex_wire::{EditVerdict, WarningReason};

use crate::world::{World, add, replace, verdict_of_new};

const SHOP: &str = "//- /I.cs\ninterface IShop { void Open(); }\nabstract class Base { public abstract void X(); public virtual void V() { } }\n//- /Shop.cs\nclass Shop : IShop { public void Open() { } }\nclass Derived : Base { public override void X() { } public override void V() { } }\nclass Partly : IShop { void IShop.Open() { } }\n";

/// What an edit leaves a type without, as `FILE:LINE after`; empty where it is proven.
#[track_caller]
fn gaps(symbol: &str, action: MemberAction<'_>) -> Vec<String> {
    let world = World::new(SHOP);
    let op = world.edited(symbol, action);
    let found: Vec<String> = (op.answer.differences.iter())
        .map(|it| {
            let after = it.after.as_deref().unwrap_or("nothing");
            format!("{}:{} {after}", it.file, it.line)
        })
        .collect();
    assert_eq!(
        op.answer.verdict == EditVerdict::Proven,
        found.is_empty(),
        "{:?}",
        op.answer
    );
    found
}

#[test]
fn a_new_type_gives_inherited_members_no_other_meaning() {
    let files = "//- /A.cs\nclass A\n{\n}\nrecord R(int N);\nclass B { public void M() { } }\ninterface I { void M(); }\n";
    for text in ["record X(int N) : R(N);", "class X : B, I { }"] {
        assert_eq!(verdict_of_new(files, ("A", text), ""), EditVerdict::Proven);
    }
}

#[test]
fn a_member_that_an_interface_gets_is_lacking_in_what_implements_it() {
    assert_eq!(
        gaps("IShop", add("void Close();")),
        [
            "Shop.cs:1 Shop does not implement IShop.Close()",
            "Shop.cs:3 Partly does not implement IShop.Close()"
        ]
    );
    assert!(gaps("IShop", add("void Close() { }")).is_empty());
    assert!(gaps("IShop", add("static int Count => 1;")).is_empty());
}

#[test]
fn an_abstract_member_is_lacking_in_classes_that_are_not_abstract() {
    assert_eq!(
        gaps("Base", add("public abstract void Y();")),
        ["Shop.cs:2 Derived does not override Base.Y()"]
    );
    assert!(gaps("Base", add("public virtual void Y() { }")).is_empty());
}

#[test]
fn what_implemented_or_was_overridden_and_is_replaced_is_lacking() {
    assert_eq!(
        gaps("Shop.Open", replace("public void Opens() { }")),
        ["Shop.cs:1 Shop does not implement IShop.Open()"]
    );
    assert_eq!(
        gaps("Shop", replace("class Shop : IShop { }")),
        ["Shop.cs:1 Shop does not implement IShop.Open()"]
    );
    assert_eq!(
        gaps("Base.V", replace("public void V() { }")),
        ["Shop.cs:2 Derived.V() overrides or implements nothing"]
    );
    assert_eq!(
        gaps("IShop.Open", replace("void Open(int at);")),
        [
            "Shop.cs:1 Shop does not implement IShop.Open(int)",
            "Shop.cs:1 nothing",
            "Shop.cs:3 Partly does not implement IShop.Open(int)",
            "Shop.cs:3 Partly.Open() overrides or implements nothing"
        ]
    );
}

#[test]
fn indexers_of_other_parameters_are_other_members() {
    let world = World::new("//- /A.cs\nclass A { public int this[int i] => i; }\n");
    for (parameters, expected) in [
        ("string s", EditVerdict::Proven),
        ("int other", EditVerdict::ChangedMeaning),
    ] {
        let text = format!("public int this[{parameters}] => 1;");
        let op = world.edited("A", add(&text));
        assert_eq!(op.answer.verdict, expected, "{parameters}");
    }
}

#[test]
fn a_new_member_that_overrides_nothing_and_a_new_type_without_its_members_are_not_proven() {
    let cases = [
        (
            "Base",
            add("public override string ToStrin() => \"\";"),
            Some("ToStrin"),
        ),
        (
            "Base",
            add("public override string ToString() => \"\";"),
            None,
        ),
        (
            "IShop",
            MemberAction::InsertAfter {
                text: "class Late : IShop { }",
            },
            Some("Late"),
        ),
        (
            "IShop",
            MemberAction::InsertAfter {
                text: "class Late : IShop { public void Open() { } }",
            },
            None,
        ),
    ];
    for (symbol, action, expected) in cases {
        let world = World::new(SHOP);
        let op = world.edited(symbol, action);
        let told: Vec<&str> = (op.answer.warnings.iter())
            .filter(|it| it.reason == WarningReason::Gap)
            .map(|it| it.name.as_str())
            .collect();
        assert_eq!(
            told,
            expected.into_iter().collect::<Vec<_>>(),
            "{:#?}",
            op.answer
        );
        assert_eq!(
            op.answer.verdict == EditVerdict::Proven,
            expected.is_none(),
            "{:#?}",
            op.answer
        );
    }
}
