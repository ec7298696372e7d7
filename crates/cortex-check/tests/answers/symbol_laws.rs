//! Symbols that answers name can be asked for again, and places mean what stands at them.

use cortex_check::{Service, json, programs::spellings};

fn world() -> Service {
    Service::with_files(spellings::FILES)
}

#[test]
fn a_column_tells_declarations_of_one_line_apart() {
    let world = world();
    let at = |column: usize| {
        world.text(
            "resolve",
            json!({"symbol": &format!("App/A.cs:2:{column}"), "at": "HEAD"}),
        )
    };
    let line = spellings::PROGRAM.lines().nth(1).expect("a second line");
    for name in ["First", "Second"] {
        let column = line.find(name).expect("it is there") + 1;
        let answer = at(column);
        assert!(answer.contains(&format!("M:N.Uses.{name}")), "{answer}");
    }
    assert!(at(10).contains("T:N.Uses"), "{}", at(10));
}
#[test]
fn a_delegate_is_written_as_a_method_is() {
    let answer = world().text("resolve", json!({"symbol": "Del", "at": "HEAD"}));
    assert!(
        answer.contains("public delegate int N.Del(string)"),
        "{answer}"
    );
}
