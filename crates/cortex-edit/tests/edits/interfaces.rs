//! What types lack of their interfaces.

use cortex_edit::{Edit, EditError, ImplementInterface, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

fn implement(world: &World, symbol: &str, interface: Option<&str>) -> Result<Op, EditError> {
    let request = ImplementInterface {
        symbol,
        interface,
        file: None,
    };
    world.one(&Edit::Implement(request))
}

/// `A.cs` with all that `A` lacks, proven; nothing is missing afterwards.
#[track_caller]
fn implemented(fixture: &str, interface: Option<&str>) -> String {
    let world = World::new(fixture);
    let before = world.files();
    let mut op = implement(&world, "A", interface).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    assert_eq!(op.answer.total_warnings, 0, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let after = String::from_utf8_lossy(&world.files()["A.cs"]).into_owned();
    let again = implement(&world, "A", interface);
    assert!(matches!(again, Err(EditError::NoChange { .. })), "{after}");
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    after
}

#[test]
fn every_kind_of_member_is_written_with_the_arguments_of_the_interface() {
    let after = implemented(
        "//- /I.cs\nusing System.Collections.Generic;\nnamespace Lib;\npublic interface I<T> : IBase\n{\n    List<T> Find<U>(in T value, ref int count, params U[] others) where U : class, new();\n    \
         string @event { get; set; }\n    int this[T at] { get; }\n    event System.Action Done;\n    int Known(int x);\n    void Ready() { }\n}\n\
         public interface IBase { bool IsIt { get; } }\n\
         //- /A.cs\nusing Lib;\n\nclass A : I<string?>\n{\n    public int Known(int x) => x;\n}\n",
        None,
    );
    assert_eq!(
        after,
        "using System;\nusing System.Collections.Generic;\nusing Lib;\n\nclass A : I<string?>\n{\n    public int Known(int x) => x;\n\n    \
         public List<string> Find<U>(in string value, ref int count, params U[] others) where U : class, new()\n    {\n        throw new NotImplementedException();\n    }\n\n    \
         public string @event { get => throw new NotImplementedException(); set => throw new NotImplementedException(); }\n\n    \
         public int this[string at] => throw new NotImplementedException();\n\n    \
         public event Action Done { add => throw new NotImplementedException(); remove => throw new NotImplementedException(); }\n\n    \
         public bool IsIt => throw new NotImplementedException();\n}\n"
    );
}

#[test]
fn a_type_gets_an_interface_and_what_two_interfaces_share_is_written_for_each() {
    let after = implemented(
        "//- /A.cs\nusing System.Collections.Generic;\n\nclass A // why\n{\n}\n",
        Some("IEnumerable<int>"),
    );
    assert_eq!(
        after,
        "using System;\nusing System.Collections;\nusing System.Collections.Generic;\n\nclass A : IEnumerable<int> // why\n{\n    \
         public IEnumerator<int> GetEnumerator()\n    {\n        throw new NotImplementedException();\n    }\n\n    \
         IEnumerator IEnumerable.GetEnumerator()\n    {\n        throw new NotImplementedException();\n    }\n}\n"
    );
    let after = implemented(
        "//- /I.cs\ninterface I { void M(); }\n//- /A.cs\nusing System;\nclass B<T> { }\nclass A<T> : B<T> where T : class\n{\n    int x;\n}\n",
        Some("I"),
    );
    assert!(
        after.contains("class A<T> : B<T>, I where T : class\n"),
        "{after}"
    );
}

#[test]
fn what_is_no_interface_or_has_everything_is_refused() {
    let world = World::new(
        "//- /A.cs\ninterface I { void M(); }\nclass A : I { public void M() { } }\nclass B { }\n",
    );
    for (symbol, interface, reason) in [
        ("A", None, "would change nothing"),
        ("A", Some("I"), "would change nothing"),
        ("B", Some("IMissing"), "no interface that its file sees"),
        ("B", Some("I { }"), "that is no interface"),
        ("I", None, "no class, struct or record"),
        ("A.M", None, "no class, struct or record"),
    ] {
        let error = implement(&world, symbol, interface).expect_err("it is refused");
        assert!(error.to_string().contains(reason), "{symbol}: {error}");
    }
}

#[test]
fn a_static_class_implements_nothing() {
    let world = World::new("//- /A.cs\nstatic class A { }\n");
    let error = implement(&world, "A", Some("System.IDisposable"));
    let Err(EditError::Refused { reason, .. }) = error else {
        panic!("it is planned: {error:?}");
    };
    assert_eq!(reason, "a static class implements nothing");
}

#[test]
fn a_member_that_names_what_users_of_the_type_do_not_see_is_written_for_its_interface() {
    let after = implemented(
        "//- /A.cs\nusing System;\ninternal class Hidden { }\ninternal interface I { void M(Hidden[] h); int Seen(int n); }\npublic class A\n{\n}\n",
        Some("I"),
    );
    assert!(after.contains("    void I.M(Hidden[] h)\n"), "{after}");
    assert!(after.contains("    public int Seen(int n)\n"), "{after}");
    let after = implemented(
        "//- /A.cs\nusing System;\nclass Hidden { }\ninterface I { void M(Hidden h); }\nclass A\n{\n}\n",
        Some("I"),
    );
    assert!(after.contains("    public void M(Hidden h)\n"), "{after}");
}

#[test]
fn an_explicit_implementation_has_no_default_values() {
    let after = implemented(
        "//- /A.cs\nusing System;\ninterface I { int M(int x = 3); }\nclass A\n{\n    void M(int x) { }\n}\n",
        Some("I"),
    );
    assert!(after.contains("    int I.M(int x)\n"), "{after}");
}

#[test]
fn a_member_with_a_pointer_is_unsafe() {
    let after = implemented(
        "//- /A.cs project:App properties:AllowUnsafeBlocks=true\nusing System;\ninterface I { unsafe void M(int* p); void N(int n); }\nclass A\n{\n}\n",
        Some("I"),
    );
    assert!(
        after.contains("    public unsafe void M(int* p)\n"),
        "{after}"
    );
    assert!(after.contains("    public void N(int n)\n"), "{after}");
}

#[test]
fn a_member_that_is_there_already_implements_the_interface() {
    let after = implemented(
        "//- /A.cs\nusing System;\nclass A\n{\n    public void Dispose() { }\n}\n",
        Some("IDisposable"),
    );
    assert!(after.contains("class A : IDisposable\n"), "{after}");
}
