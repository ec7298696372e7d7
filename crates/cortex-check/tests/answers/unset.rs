//! What changed code newly sets and other code that does the same does not.

use cortex_check::Repository;

const FIXTURE: &str = "
//- /A.cs project:App
public class User { public bool Premium; public string Key { get; set; } public int Revision { get; set; } public int Date; public int Own { get; private set; } }
public class Changed {
    public void Disable(User user) { user.Premium = false; user.Date = 1; }
    public User Create() => new User { Premium = true, Key = \"\" };
}
//- /B.cs project:App
public class Others {
    public void License(User user) { user.Premium = false; user.Date = 2; }
    public User Copy(User user) => new User { Key = user.Key, Premium = user.Premium };
    public void With(User user) { user.Premium = false; user.Date = 1; user.Revision = 1; }
    public bool Reads(User user) => user.Premium && user.Date == 1;
    public void Date(User user) { user.Date = 1; }
}
//- /T.cs project:Tests refs:App packages:xunit
public class Tests { [Xunit.Fact] public void T(User user) { user.Premium = true; user.Date = 1; } }
";

/// What is told where a line of the fixture is edited: what is newly set, by whom, beside what, and the lines that do not.
fn told(from: &str, to: &str) -> Vec<String> {
    let answer = Repository::edited(FIXTURE, from, to).diff_context();
    let told = answer.impact.unset.iter().map(|it| {
        let by = it
            .by
            .iter()
            .map(|id| id[2..].split('(').next().unwrap_or(id));
        let places = it.places.iter().map(|place| {
            let inside = place.inside.as_deref().unwrap_or_default();
            let inside = inside.split('(').next().unwrap_or_default();
            format!("{inside}:{}", place.line)
        });
        format!(
            "{}.{} by {} beside {}: {}",
            it.ty,
            it.members.join(" "),
            by.collect::<Vec<_>>().join(" "),
            it.beside.join(" "),
            places.collect::<Vec<_>>().join(", ")
        )
    });
    told.collect()
}

#[test]
fn code_that_sets_the_rest_and_not_what_is_newly_set_is_told() {
    // Who sets one of two, who reads them, who sets it as well, and tests are not.
    assert_eq!(
        told(
            "user.Date = 1; }\n    public User Create",
            "user.Date = 1; user.Revision++; user.Revision = 2; }\n    public User Create"
        ),
        ["User.Revision by Changed.Disable beside Date Premium: M:Others.License:2"]
    );
    assert_eq!(
        told("Key = \"\" }", "Key = \"\", Revision = 1 }"),
        ["User.Revision by Changed.Create beside Key Premium: M:Others.Copy:3"]
    );
}

#[test]
fn another_value_of_what_was_set_and_what_stands_alone_are_not() {
    assert!(
        told(
            "user.Date = 1; }\n    public User Create",
            "user.Date = 3; }\n    public User Create"
        )
        .is_empty()
    );
    let alone = told(
        "public class Changed {",
        "public class Changed { public void New(User u) { u.Revision = 1; }",
    );
    assert!(alone.is_empty(), "{alone:?}");
}
