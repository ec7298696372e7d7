//! Types that go out of the types around them, and into others.

use cortex_edit::{Edit, EditError, MoveMember, NestType, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

fn planned(world: &World, symbol: &str, into: Option<&str>) -> Result<Op, EditError> {
    match into {
        Some(into) => world.one(&Edit::MoveMember(MoveMember { symbol, into })),
        None => world.one(&Edit::Nest(NestType { symbol, into: None })),
    }
}

/// The files after a move that is proven, applied and undone.
#[track_caller]
fn moved(fixture: &str, symbol: &str, into: Option<&str>) -> impl Fn(&str) -> String {
    let world = World::new(fixture);
    let before = world.files();
    let mut op = planned(&world, symbol, into).expect("it can be planned");
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    move |path| match files.get(path) {
        Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        None => "(gone)".to_owned(),
    }
}

#[track_caller]
fn refusal(fixture: &str, symbol: &str, into: Option<&str>) -> String {
    match planned(&World::new(fixture), symbol, into) {
        Ok(op) => panic!("{symbol} is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, help, .. }) => format!("{reason}; {}", help.join(" ")),
        Err(error) => panic!("{symbol}: {error:?}"),
    }
}

#[test]
fn a_type_goes_out_and_code_names_it_by_its_namespace() {
    let after = moved(
        "//- /Order.cs
namespace Shop
{
    public class Order
    {
        /// <summary>One of <see cref=\"Count\"/>.</summary>
        public sealed class Line
        {
            public Line() { total = Limit + Count; }
            private int total;
            internal Kind Kind => Kind.Small;
            public Order Around;
        }

        internal enum Kind { Small }
        internal const int Limit = 3;
        public static int Count;
        public Line First = new Line();
    }
    class Other : Order { Line line; }
}
//- /Use.cs
using System.Collections.Generic;
using L = Shop.Order.Line;
using static Shop.Order;

namespace Uses
{
    using Shop;
    class Use
    {
        L a;
        Line b = new Line();
        List<Order.Line> c;
        Shop.Order.Line d = new global::Shop.Order.Line();
        object M(object o) => o is Order.Line ? nameof(Order.Line) : typeof(Shop.Order.Line);
    }
}
//- /Far.cs
class Far : Shop.Order { Line line; }
",
        "Order.Line",
        None,
    );
    assert_eq!(
        after("Order.cs"),
        "namespace Shop
{
    public class Order
    {
        internal enum Kind { Small }
        internal const int Limit = 3;
        public static int Count;
        public Line First = new Line();
    }

    /// <summary>One of <see cref=\"Order.Count\"/>.</summary>
    public sealed class Line
    {
        public Line() { total = Order.Limit + Order.Count; }
        private int total;
        internal Order.Kind Kind => Order.Kind.Small;
        public Order Around;
    }
    class Other : Order { Line line; }
}
"
    );
    assert_eq!(
        after("Use.cs"),
        "using System.Collections.Generic;
using L = Shop.Line;
using static Shop.Order;

namespace Uses
{
    using Shop;
    class Use
    {
        L a;
        Line b = new Line();
        List<Line> c;
        Shop.Line d = new global::Shop.Line();
        object M(object o) => o is Line ? nameof(Line) : typeof(Shop.Line);
    }
}
"
    );
    assert_eq!(
        after("Far.cs"),
        "using Shop;\n\nclass Far : Shop.Order { Line line; }\n"
    );
}

#[test]
fn a_type_has_no_more_access_outside_than_it_needs() {
    for (declared, around, expected) in [
        ("class In { }", "public class Out", "\nclass In { }"),
        (
            "private class In { }",
            "public class Out",
            "\ninternal class In { }",
        ),
        (
            "public class In { }",
            "internal class Out",
            "\ninternal class In { }",
        ),
        (
            "public class In { }",
            "public class Out",
            "\npublic class In { }",
        ),
        (
            "private protected class In { }",
            "public class Out",
            "\ninternal class In { }",
        ),
    ] {
        let fixture = format!("//- /A.cs\nnamespace N;\n{around}\n{{\n    {declared}\n}}\n");
        let after = moved(&fixture, "Out.In", None);
        assert!(after("A.cs").contains(expected), "{}", after("A.cs"));
    }
}

#[test]
fn what_a_type_needs_of_the_one_around_it_is_refused() {
    let around = |code: &str| {
        format!(
            "//- /A.cs\nnamespace N;\npublic class Base {{ protected static int B; }}\npublic class Out : Base\n{{\n    static int s;\n    int n;\n    class Hidden {{ }}\n    {code}\n}}\n"
        )
    };
    for (code, reason) in [
        ("class In { int M() => s; }", "`Out.s` at A.cs:8"),
        ("class In { int M(Out o) => o.n; }", "`Out.n` at A.cs:8"),
        ("class In { Hidden h; }", "`Hidden` at A.cs:8"),
        ("class In { int M() => B; }", "`Base.B` at A.cs:8"),
        ("protected class In { }", "it is protected"),
        ("partial class In { }", "it is partial"),
    ] {
        let found = refusal(&around(code), "Out.In", None);
        assert!(found.contains(reason), "{code}: {found}");
    }
    // What it inherits itself it sees everywhere.
    let inherits = around("class In : Base { int M() => B; }");
    let after = moved(&inherits, "Out.In", None);
    assert!(
        after("A.cs").ends_with("\n\nclass In : Base { int M() => B; }\n"),
        "{}",
        after("A.cs")
    );
    for (fixture, symbol, reason) in [
        (
            "//- /A.cs\nnamespace N;\nclass Out<T> { class In { } }\n",
            "Out.In",
            "generic",
        ),
        (
            "//- /A.cs\nnamespace N;\nclass Out { class In { } }\nclass In { }\n",
            "Out.In",
            "another type of the namespace",
        ),
        (
            "//- /A.cs\nnamespace N;\nclass Out { }\n",
            "Out",
            "in no other type",
        ),
        (
            "//- /A.cs\nnamespace N;\nclass Out {\n#if A\n#else\nclass In { }\n#endif\n}\n",
            "Out.In",
            "it stands in an `#if`",
        ),
    ] {
        let found = refusal(fixture, symbol, None);
        assert!(found.contains(reason), "{fixture}: {found}");
    }
}

#[test]
fn a_type_goes_into_another_one_with_what_it_imports() {
    let after = moved(
        "//- /Line.cs
using System.Text;
using Items;

namespace Shop.Lines
{
    // What is sold.
    public class Line
    {
        public Item Item;
        public StringBuilder Text = new StringBuilder();
        public Near Near;
        Line next;
    }
}
//- /Near.cs
namespace Shop.Lines { public class Near { } }
//- /Item.cs
namespace Items { public class Item { } }
//- /Order.cs
namespace Shop.Orders
{
    public class Order
    {
        public Shop.Lines.Line First;
    }
}
//- /Use.cs
using Shop.Lines;
using L = Shop.Lines.Line;

namespace Uses
{
    class Use
    {
        Line a = new Line();
        L b;
        Shop.Lines.Line c;
        global::Shop.Lines.Line d;
        Near near;
    }
}
",
        "Line",
        Some("Order"),
    );
    assert_eq!(after("Line.cs"), "(gone)");
    assert_eq!(
        after("Order.cs"),
        "using System.Text;
using Items;
using Shop.Lines;

namespace Shop.Orders
{
    public class Order
    {
        public Shop.Orders.Order.Line First;

        // What is sold.
        public class Line
        {
            public Item Item;
            public StringBuilder Text = new StringBuilder();
            public Near Near;
            Line next;
        }
    }
}
"
    );
    assert_eq!(
        after("Use.cs"),
        "using Shop.Lines;
using Shop.Orders;
using L = Shop.Orders.Order.Line;

namespace Uses
{
    class Use
    {
        Order.Line a = new Order.Line();
        L b;
        Shop.Orders.Order.Line c;
        global::Shop.Orders.Order.Line d;
        Near near;
    }
}
"
    );
}

#[test]
fn names_of_a_file_that_goes_are_told_where_nobody_knows_them() {
    let world = World::new(
        "//- /A.cs\nusing Packages;\nnamespace N;\npublic class T { Unknown u; }\n//- /B.cs\nnamespace N;\npublic class Order { }\n",
    );
    let op = planned(&world, "T", Some("Order")).expect("it can be planned");
    assert_eq!(
        op.answer.verdict,
        EditVerdict::NotProven,
        "{}",
        op.answer.patch
    );
    assert_eq!(op.answer.doubts.len(), 1);
}

#[test]
fn what_cannot_go_into_a_type_is_refused() {
    let fixture = "//- /A.cs
namespace N;
public class T { }
internal class Small { }
public class G<X> { }
public class D : T { }
public class Has { int T; }
public static class E { public static int Twice(this int n) => n; }
public interface I { }
partial class P { }
partial class P { }
class Out { class In { } }
";
    for (symbol, into, reason) in [
        ("T", "Small", "less accessible"),
        ("T", "G", "generic"),
        ("T", "D", "derives from it"),
        ("T", "Has", "something of that name"),
        ("E", "D", "extension methods"),
        ("T", "I", "type with members"),
        ("P", "D", "several places"),
        ("Out", "Out.In", "inside of it"),
        ("Out.In", "D", "in a type already"),
    ] {
        let found = refusal(fixture, symbol, Some(into));
        assert!(found.contains(reason), "{symbol} {into}: {found}");
    }
}

#[test]
fn names_that_would_mean_something_else_are_told() {
    let world = World::new(
        "//- /A.cs\nnamespace N;\npublic class Item { }\npublic class T { Item item; }\npublic class Order { public class Item { } }\n",
    );
    let op = planned(&world, "T", Some("Order")).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}
