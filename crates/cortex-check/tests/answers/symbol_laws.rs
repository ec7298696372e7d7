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
        answer.contains("public delegate int Del(string)"),
        "{answer}"
    );
}

/// Members whose paths differ in little.
const ALIKE: &str = "
//- /src/Alike.cs project:App
using System;
namespace N;
public interface ISource<T> { T Take(); void Put(T one); int Count { get; } }
public class Alike : ISource<int>, ISource<string>, IConvertible2
{
    int ISource<int>.Take() => 0;
    string ISource<string>.Take() => null;
    int ISource<int>.Count => 0;
    int ISource<string>.Count => 0;
    void ISource<int>.Put(int one) { }
    void ISource<string>.Put(string one) { }
    public char ToChar(int at) => 'a';
    char IConvertible2.ToChar(int at) => 'b';
    public void Run(Action one) { }
    public void Run(Action<int> one) { }
    public void Run(Action<string> one) { }
    public void Run<T>(Action<T> one) { }
    public void Run<T, U>(Action<T> one) { }
    public void Of(int one) { }
    public void Of(int? one) { }
    public void Of(in long one) { }
    public void Of(long[] one) { }
    public static implicit operator int(Alike one) => 1;
    public static implicit operator int?(Alike one) => 1;
    public static implicit operator Alike(Guid one) => null;
    public static implicit operator Alike(Guid? one) => null;
    public string this[int at] => null;
    public string this[string at] => null;
    public class Inner<T> { public void Run<U>(T one, U two) { } public Inner(T one) { } public Inner(int one) { } }
}
public interface IConvertible2 { char ToChar(int at); }
";

#[test]
fn every_path_that_an_answer_prints_can_be_asked_again() {
    let world = Service::parse(ALIKE);
    let mut n = 0;
    for ty in ["N.Alike", "N.Alike+Inner`1", "N.ISource`1"] {
        let whole = world.answer("outline", json!({"symbol": ty, "members": "all"}));
        let mut ids = Vec::new();
        doc_ids(&whole, &mut ids);
        ids.retain(|id| !id.starts_with("T:"));
        assert!(!ids.is_empty(), "{whole}");
        for id in ids {
            let of_id = world.answer("resolve", json!({"symbol": &id}));
            let symbol = &of_id["subject"]["symbol"];
            assert_eq!(symbol["docId"], json!(&id), "{of_id}");
            let path = symbol["path"].as_str().unwrap_or_default();
            for operation in ["resolve", "outline", "source", "usages", "history"] {
                let again = world.answer(operation, json!({"symbol": path}));
                let found = match operation {
                    "history" => &again["symbol"],
                    _ => &again["subject"]["symbol"],
                };
                assert_eq!(found["path"], symbol["path"], "{operation} {path}");
                assert_eq!(found["memberId"], symbol["memberId"], "{operation} {path}");
            }
            n += 1;
        }
    }
    assert!(n > 20, "{n}");
}

/// The documentation ids in an answer.
fn doc_ids(answer: &cortex_check::Value, out: &mut Vec<String>) {
    match answer {
        cortex_check::Value::Object(fields) => {
            out.extend(
                fields
                    .get("docId")
                    .and_then(|it| it.as_str())
                    .map(str::to_owned),
            );
            fields.values().for_each(|it| doc_ids(it, out));
        }
        cortex_check::Value::Array(items) => items.iter().for_each(|it| doc_ids(it, out)),
        _ => {}
    }
}
