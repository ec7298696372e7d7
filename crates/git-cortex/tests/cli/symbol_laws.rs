//! Symbols that answers name can be asked for again, and places mean what stands at them.

use crate::{harness::World, ranges::PROJECT};

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

fn world() -> World {
    World::with_files(&[("App/App.csproj", PROJECT), ("App/A.cs", PROGRAM)])
}

#[test]
fn every_documentation_id_of_an_export_can_be_asked_for() {
    let world = world();
    let export = world.answer(&["export", "--at", "HEAD"]);
    let mut n_asked = 0;
    for line in export.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
        if !matches!(record["k"].as_str(), Some("type" | "member")) {
            continue;
        }
        let id = record["id"].as_str().expect("a documentation id");
        let answer = world.show(&["resolve", id, "--at", "HEAD"]);
        assert!(!answer.contains("error:"), "{id}: {answer}");
        if record["synth"] != true {
            assert!(answer.contains(id), "{id} means itself: {answer}");
        }
        n_asked += 1;
    }
    assert!(n_asked > 30, "{n_asked}");
}
