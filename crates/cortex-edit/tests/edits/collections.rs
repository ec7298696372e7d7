//! Collection expressions: the object that is made, and the `Add` that each element is given to.

use cortex_edit::{Edit, EditError, MemberAction, MemberEdit, OrganizeUsings, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

const BAG: &str = "//- /A.cs
using System.Collections;
public class Bag : IEnumerable
{
    public Bag() { }
    public IEnumerator GetEnumerator() => null;
    public void Add(long item) { }
}
class User { Bag Make() => [1, 2]; }
";

fn verdict(op: Result<Op, EditError>) -> EditVerdict {
    op.unwrap_or_else(|error| panic!("{error:?}"))
        .answer
        .verdict
}

fn added(text: &str) -> EditVerdict {
    let request = MemberEdit {
        symbol: "Bag",
        file: None,
        action: MemberAction::Add { text },
    };
    verdict(World::new(BAG).one(&Edit::Member(request)))
}

#[test]
fn an_element_is_given_to_the_overload_that_takes_it() {
    assert_eq!(
        added("public void Add(int item) { }"),
        EditVerdict::ChangedMeaning
    );
    assert_eq!(
        added("public void Add(string item) { }"),
        EditVerdict::Proven
    );
    let renamed = World::new(BAG).rename("Bag.Add", "Put");
    assert!(!matches!(renamed, Ok(op) if op.answer.verdict == EditVerdict::Proven));
}

#[test]
fn an_extension_method_that_takes_elements_keeps_its_using() {
    let text = "using System.Collections.Generic;\nusing Extensions;\nusing None;\n\nclass User { Stack<int> Make() => [1, 2]; }\n";
    let world = World::new(&format!(
        "//- /A.cs\n{text}//- /B.cs\nusing System.Collections.Generic;\nnamespace Extensions {{ static class X {{ public static void Add(this Stack<int> all, int item) {{ }} }} }}\nnamespace None {{ class N {{ }} }}\n"
    ));
    let paths = ["A.cs".to_owned()];
    let request = OrganizeUsings {
        paths: &paths,
        keeps_unneeded: false,
        keeps_order: true,
    };
    let mut op = world
        .one(&Edit::OrganizeUsings(request))
        .expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    assert_eq!(after, text.replace("using None;\n", ""));
}

/// The same objects, which calls of a method with a `params` parameter make.
fn by_call() -> String {
    BAG.replace(
        "class User { Bag Make() => [1, 2]; }",
        "class User { int Count(string s, params Bag all) => 0; int Make() => Count(\"\", 1, 2); }",
    )
}

#[test]
fn an_argument_of_a_params_collection_is_given_to_the_overload_that_takes_it() {
    let added = |text| {
        let request = MemberEdit {
            symbol: "Bag",
            file: None,
            action: MemberAction::Add { text },
        };
        verdict(World::new(&by_call()).one(&Edit::Member(request)))
    };
    assert_eq!(
        added("public void Add(int item) { }"),
        EditVerdict::ChangedMeaning
    );
    assert_eq!(
        added("public void Add(string item) { }"),
        EditVerdict::Proven
    );
}

#[test]
fn what_makes_a_params_collection_keeps_its_name_and_parameters() {
    let proves = |planned: Result<Op, EditError>| matches!(planned, Ok(op) if op.answer.verdict == EditVerdict::Proven);
    let calls = [
        "Count(\"\", 1, 2)",
        "Count(all: [1], s: \"\")",
        "this[1]",
        "new User(1) == null ? 0 : 1",
        "(int)_counts(1)",
    ];
    for call in calls {
        let text = by_call().replace(
            "int Make() => Count(\"\", 1, 2); }",
            &format!(
                "int this[params Bag all] => 0; User(params Bag all) {{ }} delegate int Counts(params Bag all); Counts _counts; int Make() => {call}; }}"
            ),
        );
        let world = World::new(&text);
        assert!(!proves(world.rename("Bag.Add", "Put")), "{call}");
    }
    let unused = World::new(&by_call().replace("Count(\"\", 1, 2)", "Count(\"\", null)"));
    assert!(proves(unused.rename("Bag.Add", "Put")));
    let without_elements = World::new(&by_call().replace("Count(\"\", 1, 2)", "Count(\"\")"));
    let constructor = MemberEdit {
        symbol: "Bag..ctor",
        file: None,
        action: MemberAction::Remove {
            others: &[],
            although_used: false,
        },
    };
    assert!(without_elements.edit(&constructor).is_err());
}

/// The same objects, which constructors of derived classes make without naming anything.
#[test]
fn what_a_constructor_that_nothing_names_collects_keeps_its_constructor() {
    let removed = |derived: &str| {
        let text = BAG.replace(
            "class User { Bag Make() => [1, 2]; }",
            &format!("class User {{ protected User(params Bag all) {{ }} protected User(int x) {{ }} }}\n{derived}"),
        );
        let constructor = MemberEdit {
            symbol: "Bag..ctor",
            file: None,
            action: MemberAction::Replace {
                text: "public Bag(int x) { }",
            },
        };
        verdict(World::new(&text).edit(&constructor))
    };
    for derived in [
        "class Derived : User { }",
        "class Derived : User { Derived() { } }",
        "class Derived(int x) : User { int X => x; }",
        "class Derived : User { public Derived(int x) : base() { } }",
        "class Derived : User { public Derived(int x) : this() { } Derived(params Bag all) : base(x: 1) { } }",
    ] {
        assert_eq!(removed(derived), EditVerdict::ChangedMeaning, "{derived}");
    }
    let named = "class Derived : User { Derived() : base(x: 1) { } }";
    assert_eq!(removed(named), EditVerdict::Proven);
}

#[test]
fn a_collection_that_makes_itself_is_looked_at_once() {
    let text = by_call()
        .replace("public Bag() { }", "public Bag(params Bag all) { }")
        .replace("Add(long item)", "Add(params Bag item)");
    let world = World::new(&text);
    assert!(world.rename("Bag.Add", "Put").is_ok());
}
