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
