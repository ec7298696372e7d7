//! Interfaces of what types show.

use cortex_edit::{Edit, EditError, ExtractInterface, op::Op};
use cortex_wire::EditVerdict;

use crate::world::World;

fn planned(
    fixture: &str,
    symbol: &str,
    name: &str,
    members: &[&str],
) -> (World, Result<Op, EditError>) {
    let world = World::new(fixture).with_globs();
    planned_in(world, symbol, name, members)
}

fn planned_in(
    world: World,
    symbol: &str,
    name: &str,
    members: &[&str],
) -> (World, Result<Op, EditError>) {
    let members: Vec<String> = members.iter().map(|&it| it.to_owned()).collect();
    let request = ExtractInterface {
        symbol,
        name,
        members: &members,
        to: None,
    };
    let op = world.one(&Edit::ExtractInterface(request));
    (world, op)
}

/// The new file, and the one that changes, after an edit that is proven, applied and undone.
fn extracted(fixture: &str, symbol: &str, name: &str, members: &[&str]) -> [String; 2] {
    let (world, op) = planned(fixture, symbol, name, members);
    let mut op = op.unwrap_or_else(|error| panic!("{symbol}: {error:?}"));
    assert_eq!(
        op.answer.verdict,
        EditVerdict::Proven,
        "{symbol}: {:#?} {:#?} {}",
        op.answer.differences,
        op.answer.doubts,
        op.answer.patch
    );
    assert!(
        op.answer.warnings.is_empty(),
        "{:?} {}",
        op.answer.warnings,
        op.answer.patch
    );
    let before = world.files();
    world.apply(&mut op).expect("it can be applied");
    let (mut made, mut changed) = (String::new(), String::new());
    for (path, bytes) in world.files() {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        match before.get(&path) {
            None => made = format!("{path}\n{text}"),
            Some(old) if *old != bytes => changed = text,
            Some(_) => {}
        }
    }
    // What was planned is what an index made of the files has.
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    [made, changed]
}

fn refusal(fixture: &str, symbol: &str, members: &[&str]) -> String {
    match planned(fixture, symbol, "IShop", members).1 {
        Ok(op) => panic!("{symbol} is planned: {}", op.answer.patch),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => panic!("{symbol}: {error:?}"),
    }
}

const SHOP: &str = r#"
//- /Items/Item.cs
namespace Items;
public class Item { }
//- /Shop.cs
// Licensed to somebody.
using System;
using System.Collections.Generic;
using Items;

namespace Shops;

/// <summary>Sells.</summary>
public class Shop<T, U> : IDisposable, IComparable<Shop<T, U>>
    where T : class
    where U : new()
{
    private readonly List<Item> items = new();
    public int Field;

    /// <summary>All of them.</summary>
    public IReadOnlyList<Item> All => items;
    public T Current { get; private set; }
    public Item this[int at] => items[at];
    public event Action<Item> Sold;
    public static Shop<T, U> Make() => new();
    [Obsolete]
    public virtual bool Find<V>(
        string name,
        V other = default) where V : struct
    {
        Sold?.Invoke(null);
        return false;
    }
    internal void Hidden() { }
    public override string ToString() => "";
    public void Dispose() { }
    public int CompareTo(Shop<T, U> other) => 0;
}
"#;

#[test]
fn what_a_type_shows_becomes_an_interface() {
    let [made, changed] = extracted(SHOP, "Shop", "IShop", &[]);
    let expected = "IShop.cs
// Licensed to somebody.

using System;
using System.Collections.Generic;
using Items;

namespace Shops;

public interface IShop<T> where T : class
{
    /// <summary>All of them.</summary>
    IReadOnlyList<Item> All { get; }

    T Current { get; }

    Item this[int at] { get; }

    event Action<Item> Sold;

    bool Find<V>(
        string name,
        V other = default) where V : struct;
}
";
    assert_eq!(made, expected);
    assert!(
        changed.contains(
            "public class Shop<T, U> : IDisposable, IComparable<Shop<T, U>>, IShop<T>\n    where"
        ),
        "{changed}"
    );
}

#[test]
fn members_may_be_named_and_directives_that_nothing_needs_go() {
    let [made, _] = extracted(SHOP, "Shop", "IShop", &["this", "Dispose"]);
    let expected = "IShop.cs
// Licensed to somebody.

using Items;

namespace Shops;

public interface IShop
{
    Item this[int at] { get; }

    void Dispose();
}
";
    assert_eq!(made, expected);
    let block = "//- /src/A.cs\nnamespace N.M\n{\n\tusing System;\n\n\tinternal sealed class A\n\t{\n\t\tpublic void Go(DateTime at) { }\n\t}\n}\n";
    let [made, changed] = extracted(block, "A", "IA", &[]);
    assert_eq!(
        made,
        "src/IA.cs\nnamespace N.M\n{\n\tusing System;\n\n\tinternal interface IA\n\t{\n\t\tvoid Go(DateTime at);\n\t}\n}\n"
    );
    assert!(changed.contains("sealed class A : IA\n"), "{changed}");
}

#[test]
fn names_that_only_the_type_sees_are_qualified_or_refused() {
    let fixture = "//- /A.cs\nclass Shop<T>\n{\n    public class Part { }\n    public const int Many = 3;\n    const int Few = 1;\n    public Part Find(T Part, int n = Many) => null;\n    public void Sell(int n = Few) { }\n}\n";
    let [made, _] = extracted(fixture, "Shop", "IShop", &["Find"]);
    assert!(
        made.contains("    Shop<T>.Part Find(T Part, int n = Shop<T>.Many);\n"),
        "{made}"
    );
    assert_eq!(
        refusal(fixture, "Shop", &[]),
        "`Sell` names `Few`, which an interface does not see"
    );
}

#[test]
fn what_no_interface_can_have_is_refused() {
    let fixture = "//- /A.cs\nclass Shop { public int N; public static void S() { } void P() { } public void Go() { } class Inner { public void Go() { } } }\nstatic class Tools { }\nenum E { A }\nclass Empty { }\n//- /IShop2.cs\nclass Other { public void Go() { } }\n";
    let cases: [(&str, &[&str], &str); 8] = [
        (
            "Shop",
            &["N"],
            "`N` is no method, property, indexer or event",
        ),
        ("Shop", &["S"], "`S` is static"),
        ("Shop", &["P"], "`P` is not public"),
        ("Shop", &["Q"], "the type declares no `Q`"),
        ("Inner", &[], "it is a type inside of another one"),
        ("Tools", &[], "a static class implements nothing"),
        ("E", &[], "it is no class, struct or record"),
        (
            "Empty",
            &[],
            "it has no public member of an instance that no interface has already",
        ),
    ];
    for (symbol, members, reason) in cases {
        assert_eq!(refusal(fixture, symbol, members), reason);
    }
    let (_, listed) = planned_in(World::new(fixture), "Shop", "IShop", &[]);
    let Err(EditError::Refused { reason, .. }) = listed else {
        panic!("a project that lists its files is edited");
    };
    assert!(
        reason.ends_with(".csproj` compiles the type, and would not compile `IShop.cs`"),
        "{reason}"
    );
}

#[test]
fn the_new_file_has_the_license_and_what_its_type_says_of_warnings() {
    let text = "//- /Shop.cs\n// License.\n\n#nullable disable\n\n#pragma warning disable CS1591\n#region All\n\nusing System;\n\npublic class Shop { public Uri Open() => null; }\n#endregion\n//- /A.csproj\n";
    let [made, _] = extracted(text, "Shop", "IShop", &[]);
    assert!(
        made.starts_with("IShop.cs\n// License.\n\n#nullable disable\n\n#pragma warning disable CS1591\n\nusing System;\n"),
        "{made}"
    );
    // Nobody can tell which part of it is meant.
    let text = text
        .replace("#region All", "#if A")
        .replace("#endregion", "#endif");
    let text = text
        .replace("#if A\n", "#if A\n#endif\n")
        .replace("}\n#endif", "}");
    let [made, _] = extracted(&text, "Shop", "IShop", &[]);
    assert!(made.starts_with("IShop.cs\nusing System;\n"), "{made}");
}

#[test]
fn an_interface_stands_before_bases_that_a_directive_decides_about() {
    let text = |bases: &str| {
        format!(
            "//- /Shop.cs\nusing System;\n\npublic class Shop{bases}\n{{\n    public void Open() {{ }}\n    public void Dispose() {{ }}\n}}\n//- /A.csproj\n"
        )
    };
    for (bases, written) in [
        (
            " : IDisposable\n#if X\n    , ICloneable\n#endif",
            " : IDisposable, IShop\n#if X\n    , ICloneable\n#endif",
        ),
        (
            " :\n#if X\n    ICloneable,\n#endif\n    IDisposable",
            " : IShop,\n#if X\n    ICloneable,\n#endif\n    IDisposable",
        ),
    ] {
        let [_, changed] = extracted(&text(bases), "Shop", "IShop", &["Open"]);
        assert!(changed.contains(written), "{changed}");
    }
    let undecided = text("\n#if X\n    : ICloneable\n#endif");
    assert_eq!(
        refusal(&undecided, "Shop", &["Open"]),
        "`#if` decides about its bases"
    );
}

#[test]
fn a_member_with_a_directive_in_its_head_is_not_written_elsewhere() {
    let text = "//- /Shop.cs\npublic class Shop\n{\n    /// <summary>All.</summary>\n#if DEBUG\n    [System.Obsolete]\n#endif\n    public int All { get; }\n    public int One { get; }\n}\n//- /A.csproj\n";
    assert_eq!(
        refusal(text, "Shop", &["All"]),
        "`All` has a directive in its head"
    );
    let [made, _] = extracted(text, "Shop", "IShop", &[]);
    assert!(made.contains("One") && !made.contains("All"), "{made}");
}
