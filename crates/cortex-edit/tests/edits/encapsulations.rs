//! Fields that get a property.

use cortex_edit::{Edit, EditError, EncapsulateField, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

fn planned(fixture: &str, symbol: &str, name: Option<&str>) -> (World, Result<Op, EditError>) {
    let world = World::new(fixture);
    let request = EncapsulateField { symbol, name };
    let op = world.one(&Edit::EncapsulateField(request));
    (world, op)
}

/// The files after an edit that is proven, applied and undone.
fn encapsulated(fixture: &str, symbol: &str, name: Option<&str>) -> String {
    let (world, op) = planned(fixture, symbol, name);
    let mut op = op.unwrap_or_else(|error| panic!("{symbol}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{symbol}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    assert!(op.answer.warnings.is_empty(), "{:?}", op.answer.warnings);
    let before = world.files();
    world.apply(&mut op).expect("it can be applied");
    let mut after = String::new();
    for (path, bytes) in world.files() {
        if before.get(&path) != Some(&bytes) {
            after.push_str(&format!("//- /{path}\n{}", String::from_utf8_lossy(&bytes)));
        }
    }
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    after
}

fn refusal(fixture: &str, symbol: &str) -> String {
    match planned(fixture, symbol, None).1 {
        Ok(op) => panic!("{symbol} is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => panic!("{symbol}: {error:?}"),
    }
}

#[test]
fn a_field_of_the_same_name_gets_another_one() {
    let fixture = r#"
//- /A.cs
class Order
{
    /// <summary>How many.</summary>
    public int Count = 1;
    int other;

    public int Twice() => Count * 2 + this.Count;
    string Name => nameof(Count);
    /// <summary><see cref="Count"/></summary>
    void Set(int count) { Count = count; Fill(ref Count); }
    static void Fill(ref int n) { }
    class Inner { int Of(Order order) => order.Count; }
}
//- /B.cs
class Use
{
    int All(Order order)
    {
        order.Count += 2;
        order.Count++;
        var made = new Order { Count = 3 };
        return order is { Count: > 1 } ? order.Count : made.Count;
    }
    object Anonymous(Order order) => new { order.Count };
}
"#;
    let after = r#"//- /A.cs
class Order
{
    private int count = 1;

    /// <summary>How many.</summary>
    public int Count
    {
        get => count;
        set => count = value;
    }
    int other;

    public int Twice() => count * 2 + this.count;
    string Name => nameof(Count);
    /// <summary><see cref="Count"/></summary>
    void Set(int count) { Count = count; Fill(ref Count); }
    static void Fill(ref int n) { }
    class Inner { int Of(Order order) => order.count; }
}
"#;
    // A parameter has the name that the field would get.
    let after = after
        .replace("this.count", "this._count")
        .replace("order.count", "order._count")
        .replace("int count =", "int _count =")
        .replace("=> count", "=> _count")
        .replace("=> count;", "=> _count;")
        .replace("set => count = value", "set => _count = value")
        .replace(
            "{ Count = count; Fill(ref Count); }",
            "{ _count = count; Fill(ref _count); }",
        );
    assert_eq!(encapsulated(fixture, "Order.Count", None), after);
    let fixture = fixture
        .replace("int count)", "int n)")
        .replace("= count;", "= n;");
    let after = after
        .replace("_count", "count")
        .replace("int count)", "int n)")
        .replace("{ count = count;", "{ count = n;");
    assert_eq!(encapsulated(&fixture, "Order.Count", None), after);
}

#[test]
fn other_code_follows_to_a_property_of_another_name() {
    let fixture = r#"
//- /A.cs
class Order
{
    internal static readonly string _name = "x";
    protected int _n;
    string Own() => _name;
}
//- /B.cs
class Use : Order
{
    string All() => Order._name + nameof(Order._name);
    int N() => _n;
}
"#;
    let name = r#"//- /A.cs
class Order
{
    private static readonly string _name = "x";

    internal static string Name => _name;
    protected int _n;
    string Own() => _name;
}
//- /B.cs
class Use : Order
{
    string All() => Order.Name + nameof(Order.Name);
    int N() => _n;
}
"#;
    assert_eq!(encapsulated(fixture, "Order._name", None), name);
    let count = encapsulated(fixture, "Order._n", Some("Count"));
    assert!(
        count.contains("    private int _n;\n\n    protected int Count\n    {\n        get => _n;\n        set => _n = value;\n    }\n"),
        "{count}"
    );
    assert!(count.contains("int N() => Count;"), "{count}");
}

#[test]
fn uses_that_need_a_variable_are_refused() {
    let uses = [
        (
            "F(ref s.Count);",
            "B.cs:1:54: it is passed by reference there",
        ),
        (
            "G(out s.Count);",
            "B.cs:1:54: it is passed by reference there",
        ),
        (
            "ref int r = ref s.Count;",
            "B.cs:1:64: a reference to it is taken there",
        ),
    ];
    for (code, reason) in uses {
        let fixture = format!(
            "//- /A.cs\nclass Order {{ public int Count; }}\n//- /B.cs\nclass Use {{ void M(Order s) {{                {code} }}  void F(ref int n) {{ }} void G(out int n) {{ n = 1; }} }}\n"
        );
        assert_eq!(refusal(&fixture, "Order.Count"), reason, "{code}");
    }
    let part = "a part of its value is changed there, which would be one of a copy";
    let method = "a method is called there that may change it, which would change a copy";
    let parts = [
        ("s.At.X = 1;", Some(part)),
        ("s.At.X++;", Some(part)),
        ("s.At.Move();", Some(method)),
        ("foreach (var n in s.At) { }", Some(method)),
        ("foreach (var n in s.Fixed) { }", None),
        ("new Order { At = { X = 1 } };", Some(part)),
        ("s.At = new Point();", None),
        ("var x = s.At.X;", None),
        ("s.Fixed.Move();", None),
    ];
    for (code, reason) in parts {
        let fixture = format!(
            "//- /A.cs\nstruct Point {{ public int X; public void Move() {{ X++; }} public Point GetEnumerator() {{ X++; return this; }} public int Current => X; public bool MoveNext() => false; }}\nclass Order {{ public Point At; public readonly Point Fixed; }}\n//- /B.cs\nclass Use {{ void M(Order s) {{ {code} }} }}\n"
        );
        let symbol = if code.contains("Fixed") {
            "Order.Fixed"
        } else {
            "Order.At"
        };
        match reason {
            Some(reason) => {
                let refused = refusal(&fixture, symbol);
                assert!(refused.ends_with(reason), "{code}: {refused}");
            }
            None => drop(encapsulated(&fixture, symbol, None)),
        }
    }
}

#[test]
fn what_is_no_such_field_is_refused() {
    let fixture = "//- /A.cs\nclass A { const int N = 1; int P => 1; int a, b; int x; int X; void M() { } }\n";
    let cases = [
        (
            "A.N",
            "it is a constant: attributes and `case` may need its value",
        ),
        ("A.P", "it is a property already"),
        ("A.M", "it is no field"),
        ("A.a", "other fields are declared with it"),
        ("A.x", "`X` is another member of the type"),
    ];
    for (symbol, reason) in cases {
        assert_eq!(refusal(fixture, symbol), reason);
    }
}

#[test]
fn a_property_is_seen_no_further_than_its_type() {
    let after = encapsulated(
        "//- /A.cs\ninternal class Hidden { }\npublic class Order\n{\n    System.Collections.Generic.List<Hidden> held;\n}\n",
        "Order.held",
        None,
    );
    assert!(
        after.contains("    internal System.Collections.Generic.List<Hidden> Held"),
        "{after}"
    );
    let after = encapsulated(
        "//- /A.cs\nclass Order\n{\n    class Hidden { }\n    Hidden held;\n}\n",
        "Order.held",
        None,
    );
    assert!(after.contains("    private Hidden Held"), "{after}");
    let after = encapsulated(
        "//- /A.cs\nclass Hidden { }\nclass Order\n{\n    Hidden held;\n}\n",
        "Order.held",
        None,
    );
    assert!(after.contains("    public Hidden Held"), "{after}");
}

#[test]
fn a_property_in_a_private_type_is_seen_no_further_than_its_type() {
    let fixture = "//- /A.cs\npublic class Out\n{\n    private class Box\n    {\n        class Thing { }\n        Thing item;\n        public class Shown { }\n        Shown shown;\n    }\n}\n";
    let of_item = encapsulated(fixture, "Out.Box.item", None);
    assert!(of_item.contains("private Thing Item"), "{of_item}");
    let of_shown = encapsulated(fixture, "Out.Box.shown", Some("First"));
    assert!(of_shown.contains("public Shown First"), "{of_shown}");
}
