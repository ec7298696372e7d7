//! Symbols, uses, calls and relatives.

use cortex_check::{Family, Format, Repository, Service, expect, json, render};
use cortex_context::{O200kBase, Tokenizer};
use cortex_wire::Kinship;

pub(crate) const SHOP: &str = r#"
//- /src/Store.cs project:App
namespace Shop.Storage;

public interface INodeStore
{
    object GetNode(int id);
}

public abstract class BaseStore : INodeStore
{
    public abstract object GetNode(int id);
    protected virtual void Trace(string text) { }
}

public class NodeStore : BaseStore
{
    private int _count;
    private int _unused;
    public override object GetNode(int id) => Make(id);
    public object GetNode(string name) => GetNode(name.Length);
    protected override void Trace(string text) => _count++;
    private object Make(int id) { Trace(nameof(Make)); return id; }
    internal void Idle() { }
}
//- /src/User.cs project:App
namespace Shop;

using Shop.Storage;

/// <summary>Uses <see cref="NodeStore"/>.</summary>
public class User
{
    private readonly INodeStore store = new NodeStore();
    public object Load() => store.GetNode(1);
    public object Twice() { Load(); return Load(); }
    public object Loose(dynamic any) => any.Idle();
}
"#;

#[test]
fn every_written_form_resolves_to_the_same_symbol() {
    let shop = Repository::parse(SHOP);
    let expected = [
        "method Shop.Storage.NodeStore.GetNode(int)",
        "src/Store.cs:18",
    ];
    for form in [
        "Shop.Storage.NodeStore.GetNode(int)",
        "NodeStore.GetNode(int)",
        "Storage.NodeStore.GetNode(Int32)",
        "nodestore.getnode(int)",
        "M:Shop.Storage.NodeStore.GetNode(System.Int32)",
        "src/Store.cs:18",
        "src/Store.cs:18:5",
    ] {
        assert_eq!(shop.resolve(form), expected, "{form}");
    }
}

#[test]
fn a_name_with_a_typo_resolves_to_the_nearest_one() {
    let shop = Repository::parse(SHOP);
    shop.check_resolve(
        "NodeStroe",
        expect![[r#"
        class Shop.Storage.NodeStore
        src/Store.cs:14
    "#]],
    );
    shop.check_resolve(
        "BaseStor",
        expect![[r#"
        class Shop.Storage.BaseStore
        src/Store.cs:8
    "#]],
    );
    shop.check_resolve(
        "NodeStore.Maek",
        expect![[r#"
        method Shop.Storage.NodeStore.Make(int)
        src/Store.cs:21
    "#]],
    );
    shop.check_resolve(
        "N*deStore",
        expect![[r#"
        class Shop.Storage.NodeStore
        src/Store.cs:14
    "#]],
    );
    shop.check_resolve(
        "load",
        expect![[r#"
        method Shop.User.Load()
        src/User.cs:9
    "#]],
    );
}

#[test]
fn a_typo_in_the_type_of_a_member_is_not_corrected() {
    let shop = Repository::parse(SHOP);
    shop.check_resolve(
        "NodeStor.GetNode(int)",
        expect![[r#"
        error: find a symbol `NodeStor.GetNode(int)`
    "#]],
    );
    shop.check_resolve(
        "NodeStroe.GetNode(int)",
        expect![[r#"
        error: find a symbol `NodeStroe.GetNode(int)`
    "#]],
    );
}

#[test]
fn among_several_symbols_the_least_nested_then_the_public_one_is_likeliest() {
    let repository = Repository::parse(
        "
//- /A.cs
namespace N { public class A { } public class B { } class C { } }
//- /B.cs
namespace N.M { public class A { } } namespace O { public class B { } public class C { } }
",
    );
    repository.check_resolve(
        "A",
        expect![[r#"
            class N.A
            also N.M.A
            A.cs:1
        "#]],
    );
    repository.check_resolve(
        "C",
        expect![[r#"
            class O.C
            also N.C
            B.cs:1
        "#]],
    );
    repository.check_resolve(
        "B",
        expect![[r#"
        error: resolve `B`: 2 symbols match
    "#]],
    );
    repository.check_resolve(
        "M.A",
        expect![[r#"
        class N.M.A
        B.cs:1
    "#]],
    );
}

#[test]
fn usages_say_what_each_place_does() {
    let shop = Repository::parse(SHOP);
    shop.check_usages(
        "NodeStore",
        expect![[r#"
        src/User.cs:5:30 doc exact in T:Shop.User
        src/User.cs:8:45 creation exact in F:Shop.User.store
        found
    "#]],
    );
    shop.check_usages(
        "NodeStore.Make",
        expect![[r#"
        src/Store.cs:18:47 call exact in M:Shop.Storage.NodeStore.GetNode(System.Int32)
        src/Store.cs:21:48 nameof exact in M:Shop.Storage.NodeStore.Make(System.Int32)
        found
    "#]],
    );
    shop.check_usages(
        "_count",
        expect![[r#"
        src/Store.cs:20:51 write exact in M:Shop.Storage.NodeStore.Trace(System.String)
        found
    "#]],
    );
}

#[test]
fn uses_of_the_family_count_on_request() {
    let shop = Repository::parse(SHOP);
    let symbol = "M:Shop.Storage.NodeStore.GetNode(System.Int32)";
    shop.check_usages(
        symbol,
        expect![[r#"
        src/Store.cs:19:43 call exact in M:Shop.Storage.NodeStore.GetNode(System.String)
        found
    "#]],
    );
    shop.check_family_usages(symbol, expect![[r#"
        src/Store.cs:19:43 call exact in M:Shop.Storage.NodeStore.GetNode(System.String)
        src/User.cs:9:35 call exact in M:Shop.User.Load via implemented M:Shop.Storage.INodeStore.GetNode(System.Int32)
        found
    "#]]);
    // From the other end the family is the same.
    shop.check_family_usages("INodeStore.GetNode", expect![[r#"
        src/Store.cs:19:43 call exact in M:Shop.Storage.NodeStore.GetNode(System.String) via override M:Shop.Storage.NodeStore.GetNode(System.Int32)
        src/User.cs:9:35 call exact in M:Shop.User.Load
        found
    "#]]);
}

#[test]
fn a_name_that_cannot_be_resolved_leaves_the_answer_open() {
    let shop = Repository::parse(SHOP);
    shop.check_usages(
        "_unused",
        expect![[r#"
        none
    "#]],
    );
    // `any.Idle()` may call it.
    shop.check_usages(
        "NodeStore.Idle",
        expect![[r#"
        src/User.cs:11:45 unresolved
        not known
    "#]],
    );
    // Code outside the repository may use what is public.
    shop.check_usages(
        "User.Twice",
        expect![[r#"
        not known: visible outside
    "#]],
    );
}

#[test]
fn overloads_that_are_asked_for_together_call_each_other() {
    let shop = Repository::parse(SHOP);
    shop.check_callers(
        "NodeStore.GetNode",
        1,
        Family::Alone,
        expect![[r#"
        1 M:Shop.Storage.NodeStore.GetNode(System.String)
    "#]],
    );
    shop.check_callees(
        "NodeStore.GetNode",
        1,
        expect![[r#"
        1 M:Shop.Storage.NodeStore.GetNode(System.Int32)
        1 M:Shop.Storage.NodeStore.Make(System.Int32)
        1 T:System.String
    "#]],
    );
    // Of a whole type, what its members do among themselves is not asked.
    shop.check_callers(
        "NodeStore",
        1,
        Family::Alone,
        expect![[r#"
        1 F:Shop.User.store
    "#]],
    );
}

#[test]
fn calls_are_followed_in_both_directions() {
    let shop = Repository::parse(SHOP);
    shop.check_callers(
        "NodeStore.Make",
        1,
        Family::Alone,
        expect![[r#"
        1 M:Shop.Storage.NodeStore.GetNode(System.Int32)
    "#]],
    );
    shop.check_callers(
        "NodeStore.Make",
        4,
        Family::WithOverrides,
        expect![[r#"
        1 M:Shop.Storage.NodeStore.GetNode(System.Int32)
        2 M:Shop.Storage.NodeStore.GetNode(System.String)
        2 M:Shop.User.Load
        3 M:Shop.User.Twice
    "#]],
    );
    shop.check_callees(
        "User.Twice",
        2,
        expect![[r#"
        1 M:Shop.User.Load
        2 M:Shop.Storage.INodeStore.GetNode(System.Int32)
        2 F:Shop.User.store
    "#]],
    );
}

#[test]
fn relatives_are_found_above_and_below() {
    let shop = Repository::parse(SHOP);
    shop.check_relatives(
        "BaseStore",
        Kinship::Hierarchy,
        expect![[r#"
        up 1 implements T:Shop.Storage.INodeStore
        down 1 inherits T:Shop.Storage.NodeStore
    "#]],
    );
    shop.check_relatives(
        "INodeStore",
        Kinship::Implementations,
        expect![[r#"
        down 1 implements T:Shop.Storage.BaseStore
        down 2 inherits T:Shop.Storage.NodeStore
    "#]],
    );
    shop.check_relatives(
        "INodeStore.GetNode",
        Kinship::Implementations,
        expect![[r#"
        down 1 implements M:Shop.Storage.BaseStore.GetNode(System.Int32)
        down 2 overrides M:Shop.Storage.NodeStore.GetNode(System.Int32)
    "#]],
    );
    shop.check_relatives(
        "NodeStore",
        Kinship::Overrides,
        expect![[r#"
        up 1 overrides M:Shop.Storage.BaseStore.GetNode(System.Int32)
        up 1 overrides M:Shop.Storage.BaseStore.Trace(System.String)
    "#]],
    );
}

#[test]
fn no_answer_is_over_its_budget_and_each_is_the_same_twice() {
    let world = crate::demo();
    for (operation, request) in [
        ("resolve", json!({"symbol": "FiringQueue"})),
        ("usages", json!({"symbol": "FiringQueue"})),
        ("callers", json!({"symbol": "FiringQueue", "depth": 2})),
        (
            "callees",
            json!({"symbol": "IFiringPricer.Price", "withOverrides": true}),
        ),
        ("implementations", json!({"symbol": "IFiringPricer"})),
        ("hierarchy", json!({"symbol": "FiringQueue"})),
        ("search-symbols", json!({"query": "Fir"})),
    ] {
        let envelope = world.envelope(operation, request.clone());
        for budget in [0, 1, 30, 100, 1_000] {
            let text = render(&envelope, Format::Markdown, budget);
            let text = text.expect("the operation has Markdown");
            let n_tokens = O200kBase.count(&text);
            assert!(
                n_tokens <= budget,
                "{request}: {n_tokens} of {budget}\n{text}"
            );
        }
        assert_eq!(
            world.envelope(operation, request.clone()),
            envelope,
            "{request}"
        );
    }
}

/// A registration is no local, and a type may be found by an interface that is registered or injected.
#[test]
fn registrations_and_the_ways_to_find_a_type_by_its_base_are_told() {
    let world = Service::parse(
        "
//- /src/App.cs project:App
using System.Collections.Generic;
interface IJob { }
interface IPlugin { }
class Job : IJob { }
class Plugin : IPlugin { }
class Services { internal void AddSingleton<I, T>() { } internal T Export<T>() => default; }
class Program
{
    Program(IEnumerable<IPlugin> plugins) { }
    static void Main()
    {
        var services = new Services();
        services.AddSingleton<IJob, Job>();
        var jobs = new List<Job>();
        Job job = null;
        services.Export<IPlugin>();
    }
}
",
    );
    world.check_text(
        "usages",
        json!({"symbol": "Job"}),
        expect![[r#"
            Job: class T_SFXFD0P7
              3 uses in 1 file: 1 local type, 1 registration, 1 type argument
              code may find it by its base: IJob (registered at src/App.cs:13)

            src/App.cs
              13:37 registration in Program.Main: services.AddSingleton<IJob, Job>();
              14:29 type-argument in Program.Main: var jobs = new List<Job>();
              15:9 local in Program.Main: Job job = null;
        "#]],
    );
    world.check_text("usages", json!({"symbol": "Plugin"}), expect![[r#"
        Plugin: class T_5ZCSY0TP
          no uses found; results may be incomplete: code may find it by its base: IPlugin (injected as IEnumerable at src/App.cs:9 and 1 more)
    "#]]);
}

/// What runs stands first; reads and writes, and types from outside, are groups. Callers that are followed say what else
/// may run them.
#[test]
fn callees_are_grouped_and_callers_tell_of_interfaces_on_the_way() {
    let world = Service::parse(
        "
//- /src/App.cs project:App
interface IStore { void Save(Order o); }
class Order { public int A; public int B { get; set; } public int C; public int D { get; set; } }
class Log { public static void Write(string s) { } }
class Store : IStore
{
    public void Save(Order o)
    {
        o.A = o.B + o.C;
        o.D = 1;
        Log.Write(o.ToString().Trim());
    }
}
class Page { void Go(IStore s, Order o) => s.Save(o); }
",
    );
    world.check_text(
        "callees",
        json!({"symbol": "Store.Save"}),
        expect![[r#"
        Store.Save(Order): method T_65BASR5N_80VD64
          7 callees

        1 step away
          method Log.Write src/App.cs:3
            called by Store.Save
              src/App.cs:10:13 Log.Write(o.ToString().Trim());
          4 properties and fields (places: Json)
            read: Order.{C, B}
            written: Order.{A, D}
          2 external types in Store.Save src/App.cs:6
            called: System.Object, System.String
    "#]],
    );
    world.check_markdown(
        "callees",
        json!({"symbol": "Store.Save"}),
        expect![[r#"
        # callees `Store.Save(Order)`: method T_65BASR5N_80VD64
        - 7 callees
        - method Log.Write src/App.cs:3
          - called by Store.Save `src/App.cs:10`
        - 4 properties and fields (places: Json)
          - read: Order.{C, B}
          - written: Order.{A, D}
        - 2 external types in Store.Save src/App.cs:6
          - called: System.Object, System.String
    "#]],
    );
    world.check_text(
        "callers",
        json!({"symbol": "Log.Write", "depth": 2}),
        expect![[r#"
        Log.Write(string): method T_F58BCATA_1T818R
          1 caller

        1 step away
          method Store.Save src/App.cs:6
            1 more use through IStore.Save (WithOverrides)
            calls Log.Write
              src/App.cs:10:13 Log.Write(o.ToString().Trim());
    "#]],
    );
}

/// Small budgets still say how much there is, overloads are a group, and of two near names the nearer is meant.
#[test]
fn little_room_groups_and_typos_are_told_as_what_they_are() {
    let world = Service::parse(
        "
//- /src/App.cs project:App
namespace Shop;
interface IOrderManager { }
class OrderManager : IOrderManager
{
    public void Run() { }
    public void Run(int n) { Run(); }
}
",
    );
    let envelope = world.envelope("source", json!({"symbol": "OrderManager"}));
    for budget in 0..60 {
        let text = render(&envelope, Format::Markdown, budget);
        let text = text.expect("source has Markdown");
        assert!(O200kBase.count(&text) <= budget, "{budget}: {text}");
        assert_eq!(text.is_empty(), budget < 3, "{budget}: {text}");
    }
    let group = world.text("usages", json!({"symbol": "OrderManager.Run"}));
    let title = group.lines().next().unwrap_or_default();
    assert!(
        title.starts_with("Shop.OrderManager.Run: method group of T_"),
        "{title}"
    );
    let typo = world.answer("resolve", json!({"symbol": "OrderManagr"}));
    assert_eq!(
        typo["subject"]["symbol"]["path"], "Shop.OrderManager",
        "{typo}"
    );
}
