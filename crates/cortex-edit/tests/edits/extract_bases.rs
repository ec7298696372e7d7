//! Base classes of members of classes.

use cortex_edit::{Edit, EditError, ExtractBase, op::Op};
use cortex_wire::{EditVerdict, WarningReason};

use crate::world::World;

fn planned(fixture: &str, members: &[&str]) -> (World, Result<Op, EditError>) {
    let world = World::new(fixture).with_globs();
    let members: Vec<String> = members.iter().map(|&it| it.to_owned()).collect();
    let request = ExtractBase {
        symbol: "Shops.Shop",
        name: "Base",
        members: &members,
        to: None,
    };
    let op = world.one(&Edit::ExtractBase(request));
    (world, op)
}

/// A file with the class `Shop`.
fn shop(class: &str) -> String {
    format!(
        "//- /Shop.cs\nusing System;\nusing System.Collections.Generic;\n\nnamespace Shops;\n\n{class}\n"
    )
}

#[track_caller]
fn proven(fixture: &str, members: &[&str]) -> (World, Op) {
    let (world, op) = planned(fixture, members);
    let op = op.unwrap_or_else(|error| panic!("{members:?}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{members:?}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    (world, op)
}

/// The new file and the class's, after an edit that is proven, applied and undone.
#[track_caller]
fn extracted(fixture: &str, members: &[&str]) -> [String; 2] {
    let (world, mut op) = proven(fixture, members);
    assert!(
        op.answer.warnings.is_empty(),
        "{:?} {}",
        op.answer.warnings,
        op.answer.patch
    );
    let before = world.files();
    world.apply(&mut op).expect("it can be applied");
    let after = world.files();
    let text = |path: &str| String::from_utf8_lossy(&after[path]).into_owned();
    let files = [text("Base.cs"), text("Shop.cs")];
    // What was planned is what an index made of the files has.
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    files
}

#[track_caller]
fn refusal(fixture: &str, members: &[&str]) -> String {
    match planned(fixture, members).1 {
        Ok(op) => panic!("it is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, help, .. }) => format!("{reason}; {}", help.join(" ")),
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn members_go_to_a_base_class_with_their_documentation() {
    let fixture = "\
//- /Items.cs
namespace Items;
public class Item { }
//- /Shop.cs
// Licensed to somebody.
using System;
using System.Collections.Generic;
using Items;

namespace Shops;

/// <summary>Sells.</summary>
public class Shop : IDisposable, ICloneable
{
    // What there is.
    private readonly List<Item> items = new(); // Never null.
    private int count;

    public Shop(int count) { this.count = count; }

    /// <summary>All of them.</summary>
    public IReadOnlyList<Item> All => this.items;

    public void Dispose()
    {
        items.Clear();
    }

    public object Clone() => new Shop(count) { Name = \"\" };

    public string Name { get; private set; }
    public void Rename() => Name = \"a\" + items.Count;
    public override string ToString() => base.ToString();
}
//- /Use.cs
using Shops;
class Use { string M(Shop shop, System.IDisposable other) { shop.Dispose(); other = shop; return shop.Name + shop.All; } }
";
    let [base, class] = extracted(fixture, &["items", "All", "Dispose", "Name", "ToString"]);
    assert_eq!(
        base,
        "\
// Licensed to somebody.

using System.Collections.Generic;
using Items;

namespace Shops;

public class Base
{
    // What there is.
    protected readonly List<Item> items = new(); // Never null.

    /// <summary>All of them.</summary>
    public IReadOnlyList<Item> All => this.items;

    public void Dispose()
    {
        items.Clear();
    }

    public string Name { get; protected set; }

    public override string ToString() => base.ToString();
}
"
    );
    assert!(
        class.contains(
            "public class Shop : Base, IDisposable, ICloneable\n{\n    private int count;\n"
        ),
        "{class}"
    );
    assert!(
        class.contains("{ this.count = count; }\n\n    public object Clone()"),
        "{class}"
    );
    assert!(
        class.ends_with("    public void Rename() => Name = \"a\" + items.Count;\n}\n"),
        "{class}"
    );
}

#[test]
fn type_parameters_that_members_need_go_along() {
    let [base, class] = extracted(
        &format!(
            "{}//- /Use.cs\nusing Shops;\nclass Use {{ int M(Shop<string, int, Use> it) => it.Find(1).Length; }}\n",
            shop("internal sealed class Shop<T, U, V>\n    where T : class\n    where U : struct, IComparable<U>\n{\n    private T found;\n    protected T Find(U key) => found;\n    internal V Other { get; set; }\n    void M() => found = Find(default);\n}")
        )
        .replace("protected T Find", "internal T Find"),
        &["found", "Find"],
    );
    assert!(
        base.contains("internal class Base<T, U> where T : class where U : struct, IComparable<U>\n{\n    protected T found;\n    internal T Find(U key) => found;\n}"),
        "{base}"
    );
    assert!(base.starts_with("using System;\n\nnamespace"), "{base}");
    assert!(
        class.contains("class Shop<T, U, V> : Base<T, U>\n    where T"),
        "{class}"
    );
}

#[test]
fn a_file_with_a_byte_order_mark_has_one_again() {
    let fixture = "//- /Shop.cs\n\u{feff}using System;\nnamespace Shops\n{\n    public class Shop<T>\n    {\n        public T Id { get; set; }\n    }\n}\n//- /Use.cs\nclass Use { int M(Shops.Shop<int> it) => it.Id; }\n";
    let [base, _] = extracted(fixture, &["Id"]);
    assert_eq!(
        base,
        "\u{feff}namespace Shops\n{\n    public class Base<T>\n    {\n        public T Id { get; set; }\n    }\n}\n"
    );
}

#[test]
fn what_is_static_in_a_generic_class_stays_one_for_each_of_its_types() {
    let [base, _] = extracted(
        &shop("public class Shop<T>\n{\n    static int count;\n    void M() => count++;\n}"),
        &["count"],
    );
    assert!(
        base.contains("class Base<T>\n{\n    protected static int count;"),
        "{base}"
    );
}

#[test]
fn nothing_is_more_accessible_than_its_types_and_than_needed() {
    let [base, _] = extracted(
        &shop(
            "class Item { }\npublic class Shop\n{\n    private Item item;\n    int n;\n    int own;\n    int Own() => own;\n    internal int P { get; private set; }\n    void M() { item = null; n = 1; P = 1; }\n}",
        ),
        &["item", "n", "own", "Own", "P"],
    );
    let members = base[base.find('{').expect("it has a body")..].to_owned();
    assert_eq!(
        members,
        "{\n    private protected Item item;\n    protected int n;\n    int own;\n    int Own() => own;\n    internal int P { get; private protected set; }\n}\n"
    );
}

#[test]
fn abstract_members_make_the_base_class_abstract_and_overrides_follow() {
    let [base, class] = extracted(
        &shop(
            "public abstract class Shop\n{\n    public abstract void A();\n    protected virtual int B => 1;\n    void C() => A();\n}\nclass Other : Shop\n{\n    public override void A() { }\n    protected override int B => base.B;\n}",
        ),
        &["A", "B"],
    );
    assert!(base.contains("public abstract class Base\n{"), "{base}");
    assert!(
        class.contains("public abstract class Shop : Base\n{\n    void C() => A();"),
        "{class}"
    );
}

#[test]
fn an_object_may_be_named_where_its_type_does_not_matter() {
    extracted(
        &shop(
            "public class Shop\n{\n    public event EventHandler Sold;\n    void Sell() { lock (this) { this.Sold?.Invoke(this, EventArgs.Empty); } }\n    void M() => Sold += null;\n    void N() => Sell();\n}",
        ),
        &["Sold", "Sell"],
    );
}

#[test]
fn code_that_would_bind_otherwise_is_told() {
    // A class's own overload hides that of its base class.
    let (_, op) = planned(
        &shop(
            "public class Shop\n{\n    public void M(int n) { }\n    public void M(object o) { }\n    void N() => M(1);\n    void P(int q) { }\n}",
        ),
        &["P"],
    );
    assert!(op.is_ok());
    let fixture = shop(
        "public class Shop\n{\n    public static int Count() => 1;\n    void N() => Count();\n}",
    ) + "//- /Use.cs\nusing static Shops.Shop;\nclass Use { int M() => Count(); }\n";
    let (_, op) = planned(&fixture, &["Count"]);
    let op = op.expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn initializers_that_run_at_another_time_are_listed() {
    let fixture = shop(
        "class Log { public Log() { Console.Write(1); } }\npublic class Shop\n{\n    Log log = new Log();\n    List<int> all = new List<int>();\n    int n = 5;\n    void M() { log = null; all = null; n = 1; }\n}",
    );
    let (_, op) = proven(&fixture, &["log", "all", "n"]);
    let reasons: Vec<_> = op
        .answer
        .warnings
        .iter()
        .map(|it| (it.line, it.reason))
        .collect();
    assert_eq!(reasons, [(9, WarningReason::OtherOrder)]);
}

/// A class, the members that are named, and what is said.
const REFUSED: [(&str, &[&str], &str); 24] = [
    (
        "public class Shop { int a; int B() => a; }",
        &[],
        "name some of these: B,a",
    ),
    (
        "public class Shop { int a; int B() => a; }",
        &["B"],
        "`Shop.a` at Shop.cs:6",
    ),
    ("public class Shop { int a; }", &["c"], "declares no `c`"),
    (
        "public class Shop { public Shop() { } }",
        &["Shop"],
        "is a constructor",
    ),
    (
        "public class Shop { class In { } }",
        &["In"],
        "is a nested type",
    ),
    (
        "public class Shop { class In { } In M() => null; }",
        &["M"],
        "uses members that stay",
    ),
    (
        "public class Shop : IDisposable { void IDisposable.Dispose() { } }",
        &["Dispose"],
        "explicit implementation",
    ),
    (
        "public class Shop { public static Shop operator +(Shop a, Shop b) => a; }",
        &["+"],
        "operator",
    ),
    (
        "public class Shop : Exception { int a; }",
        &["a"],
        "has a base class already",
    ),
    (
        "public class Shop : Unknown { int a; }",
        &["a"],
        "has a base class already",
    ),
    (
        "public static class Shop { static int a; }",
        &["a"],
        "static class",
    ),
    (
        "public partial class Shop { int a; }",
        &["a"],
        "it is partial",
    ),
    ("public struct Shop { int a; }", &["a"], "no class"),
    ("public record Shop { int a; }", &["a"], "it is a record"),
    (
        "public class Shop(int n) { int M() => n; }",
        &["M"],
        "primary constructor",
    ),
    (
        "public class Shop { readonly int a; Shop() { a = 1; } }",
        &["a"],
        "a constructor that stays assigns it",
    ),
    (
        "public class Shop { int A { get; } Shop() { this.A = 1; } }",
        &["A"],
        "a constructor that stays assigns it",
    ),
    (
        "public class Shop { event Action A; void M() => A(); }",
        &["A"],
        "raises or reads the event",
    ),
    (
        "public class Shop { Shop M() => this; }",
        &["M"],
        "passes `this`, which would be of the base class",
    ),
    (
        "public class Shop { static int a = F(); static int F() => 1; }",
        &["a", "F"],
        "static initializer runs",
    ),
    (
        "public class Shop { int a, b; }",
        &["a"],
        "declared together with `b`",
    ),
    (
        "public class Shop { public override int GetHashCode() => 1; public override bool Equals(object o) => true; }",
        &["Equals"],
        "belongs together",
    ),
    (
        "public class Shop { public override int GetHashCode() => 1; public override bool Equals(object o) => true; public static bool operator ==(Shop a, Shop b) => true; public static bool operator !=(Shop a, Shop b) => true; }",
        &["Equals", "GetHashCode"],
        "declares `==`",
    ),
    (
        "public class Shop { string a; [System.Diagnostics.CodeAnalysis.MemberNotNull(nameof(a))] void M() { a = null; } }",
        &["a"],
        "an attribute that stays",
    ),
];

#[test]
fn what_cannot_go_is_refused() {
    for (class, members, reason) in REFUSED {
        let found = refusal(&shop(class), members);
        assert!(found.contains(reason), "{class}: {found}");
    }
    let taken = shop("public class Shop { int a; }\nclass Base { }");
    assert!(refusal(&taken, &["a"]).contains("`Base` is another type"));
    let conditional = "//- /Shop.cs\n#if !A\nusing System;\n#endif\nnamespace Shops;\npublic class Shop { int a; }\n";
    assert!(refusal(conditional, &["a"]).contains("in an `#if`"));
}

#[test]
fn a_base_is_not_written_into_a_branch() {
    let class = "public class Shop\n#if NET\n    : ICloneable\n#endif\n{\n    public void Open() { }\n    public object Clone() => this;\n}";
    let fixture = shop(class).replace("/Shop.cs", "/Shop.cs project:A symbols:NET");
    let reason = match planned(&fixture, &["Open"]).1 {
        Ok(op) => panic!("it is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => panic!("{error:?}"),
    };
    assert_eq!(reason, "`#if` decides about its bases");
}
