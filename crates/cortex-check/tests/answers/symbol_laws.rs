//! Symbols that answers name can be asked for again, and places mean what stands at them.

use cortex_check::{Service, json};

use crate::PROJECT;

const PROGRAM: &str = "namespace N;
public class Uses { public void First() { } public void Second<T>(T one) { } ~Uses() { }
    public static Uses operator +(Uses a, Uses b) => a;
    public static implicit operator int(Uses uses) => 1;
    public static implicit operator long(Uses uses) => 1;
    public string this[int at] => \"\";
    public int[] Arrays(int[,] one, int[][] other, ref int last) => null;
}
public class Plain { }
public record Made(int Value);
public struct Bare { public event System.Action Raised; }
public delegate int Del(string text);
public abstract class Base { public abstract void Act(); }
public class Derived<T> : Base { public override void Act() { } public class Inner<U> { public T Of(U one) => default; } }
public enum Kind { One, Two }
";

fn world() -> Service {
    Service::with_files(&[("App/App.csproj", PROJECT), ("App/A.cs", PROGRAM)])
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
    let line = PROGRAM.lines().nth(1).expect("a second line");
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
