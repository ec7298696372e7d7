//! What shows code and the graph: outlines, maps, sources, dependencies, cycles, what is unused.

use cortex_check::{Format, Repository, Service, Value, expect, json};
use cortex_context::{CharsOver4, O200kBase, RenderOptions, Tokenizer, render};

use crate::check;

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
</Project>
"#;

/// A small shop: documentation of every kind, partial and nested types, a cycle, things that nobody uses.
fn shop() -> Service {
    Service::with_files(&[
        ("src/Shop/Shop.csproj", PROJECT),
        (
            "src/Shop/IOrders.cs",
            r#"namespace Shop;

/// <summary>
/// Keeps orders. What is kept is never lost.
/// </summary>
/// <remarks>
/// <para>There are two ways:</para>
/// <list type="number">
/// <item><description>Call <see cref="Save(Order)"/>.</description></item>
/// <item><description>Wait for <see cref="Saved"/>, or not (<c>a | b</c>).</description></item>
/// </list>
/// </remarks>
public interface IOrders
{
    /// <summary>Saves an order.</summary>
    /// <param name="order">The order; <paramref name="order"/> is not <see langword="null"/>.</param>
    /// <returns>Whether it was <see cref="Shop.Order.IsNew">new</see>.</returns>
    /// <exception cref="System.ArgumentException">It is empty.</exception>
    bool Save(Order order);

    /// <summary>Is raised afterwards.</summary>
    event System.EventHandler Saved;
}
"#,
        ),
        (
            "src/Shop/Orders.cs",
            r#"using System;

namespace Shop;

/// <inheritdoc/>
public partial class Orders : IOrders
{
    private readonly int _limit = 3, _other;

    /// <summary>Makes a store of <paramref name="limit"/> orders.</summary>
    public Orders(int limit) => _limit = limit;

    /// <inheritdoc/>
    public bool Save(Order order)
    {
        Saved?.Invoke(this, EventArgs.Empty);
        return order.IsNew && _limit > 0;
    }

    /// <inheritdoc cref="IOrders.Saved"/>
    public event EventHandler Saved;

    /// <summary>How <i>many</i> there may be.</summary>
    public int Limit { get => _limit; private set { } }

    private void Forgotten() { }

    public sealed class Line
    {
        public const string Name = "```";
    }
}
"#,
        ),
        (
            "src/Shop/Orders.More.cs",
            r#"namespace Shop;

public partial class Orders
{
    /// <summary>a & b, List<int></summary>
    public static int Count<T>(
        T first, // of all
        string text = "x  y")
        where T : class => 1;
}
"#,
        ),
        (
            "src/Shop/Order.cs",
            r#"namespace Shop;

/// <summary>One order.</summary>
public class Order
{
    public bool IsNew { get; set; }
    public Customer Customer { get; set; }
}

public class Customer
{
    public Order Last { get; set; }
    public static void Use(Orders orders, Order order) => orders.Save(order);
}

[System.Serializable]
internal class Gone
{
    private void Never() { }
}

internal class Lost : System.IDisposable
{
    public void Dispose() { }
}
"#,
        ),
    ])
}

#[test]
fn parts_of_a_repository_have_outlines() {
    let world = shop();
    let namespace = world.markdown("outline", json!({"symbol": "Shop"}));
    assert!(
        namespace.starts_with("# namespace `Shop`: 7 types in 1 project\n"),
        "{namespace}"
    );
    assert!(namespace.contains("// Keeps orders.\n"), "{namespace}");
    let folder = world.markdown("outline", json!({"symbol": "src/Shop/"}));
    assert!(
        folder.starts_with("# folder `src/Shop`: 7 types"),
        "{folder}"
    );
    let project = world.markdown("outline", json!({"symbol": "project:Shop"}));
    assert!(
        project.starts_with("# project `src/Shop/Shop.csproj`: 7 types"),
        "{project}"
    );
    let file = world.markdown("outline", json!({"symbol": "src/Shop/Order.cs"}));
    assert!(
        file.starts_with("# file `src/Shop/Order.cs`: 4 types"),
        "{file}"
    );
}

#[test]
fn a_map_is_drawn_around_what_is_in_focus() {
    let world = crate::demo();
    let first = |request: Value| -> String {
        let map = world.answer("map", request);
        let projects = map["projects"].as_array().expect("a list").iter();
        let types = projects
            .flat_map(|it| it["namespaces"].as_array().expect("a list"))
            .flat_map(|it| it["types"].as_array().expect("a list"));
        let first = types
            .into_iter()
            .find(|it| it["rank"] == 1)
            .expect("one is the first");
        first["path"].as_str().expect("a name").to_owned()
    };
    let all = first(json!({}));
    let around = first(json!({"focus": ["RackPlanner"]}));
    assert_ne!(all, around);
    assert!(around.contains("RackPlanner"), "{around}");
}

#[test]
fn what_is_kept_from_one_question_to_the_next_changes_no_answer() {
    let mut world = shop();
    let questions: [(&str, Value); 4] = [
        ("map", json!({})),
        ("cycles", json!({})),
        ("deps", json!({"symbol": "Order"})),
        ("unused", json!({"all": true})),
    ];
    let ask = |service: &Service| {
        let questions = questions.clone();
        questions.map(|(operation, request)| service.envelope(operation, request))
    };
    ask(&world);
    for (nth, (old, new)) in [
        (
            "public Order Last { get; set; }",
            "public Order Last() => new Order();",
        ),
        (
            "internal class Lost : System.IDisposable",
            "internal class Found : System.IDisposable",
        ),
        (
            "private void Never() { }",
            "private void Never() { new Found().Dispose(); }",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        world.edit("src/Shop/Order.cs", old, new);
        // Another process reads what is in the store; the same one what is in memory, too.
        if nth != 1 {
            world = world.opened_again();
        }
        let kept = ask(&world);
        let fresh = ask(&world.with_new_index());
        assert_eq!(kept, fresh, "after edit {nth}");
    }
}

#[test]
fn what_is_reached_without_a_name_has_a_reason() {
    let world = Service::with_files(&[
        ("A/A.csproj", PROJECT),
        (
            "A/A.cs",
            r#"namespace N;
static class Program
{
    static void Main()
    {
        typeof(Asked).GetMethods();
        typeof(Named).GetMethod("ByName");
        new Named();
        _ = new Point();
    }
}
class Asked { static void Any() { } }
class Named { void ByName() { } void Other() { Other(); } }
struct Point { int x; }
[System.Diagnostics.DebuggerDisplay("{Shown(),nq}")]
class Plain { string Shown() => ""; void Hidden() { } public static Plain Make() => new Plain(); }
class User { public User() { Plain.Make(); new User(); } }
"#,
        ),
    ]);
    let found = world.answer("unused", json!({"all": true}));
    let items = found["items"].as_array().expect("a list");
    let reasons = |name: &str| -> Vec<&str> {
        let item = items.iter().find(|it| it["path"] == name);
        let item = item.unwrap_or_else(|| panic!("{name} is not in {found:#}"));
        let reasons = item["reasons"].as_array().into_iter().flatten();
        reasons.filter_map(|it| it["why"].as_str()).collect()
    };
    assert_eq!(reasons("N.Program"), ["entry-point"]);
    assert_eq!(reasons("N.Asked.Any()"), ["reflection"]);
    assert_eq!(reasons("N.Named.ByName()"), ["reflection"]);
    assert_eq!(reasons("N.Point.x"), ["layout"]);
    assert_eq!(reasons("N.Plain.Shown()"), ["attribute"]);
    assert!(reasons("N.Plain.Hidden()").is_empty());
    assert!(reasons("N.User").is_empty(), "it uses itself alone");
}

#[test]
fn an_outline_has_documentation_members_and_neighbors() {
    let world = shop();
    let request = json!({"symbol": "IOrders", "docs": "full"});
    check("outline_type", &world, Format::Markdown, "outline", request);
    let request = json!({"symbol": "Orders"});
    check("outline_class", &world, Format::Text, "outline", request);
    let request = json!({"symbol": "Orders", "members": "all", "depth": 1, "docs": "none"});
    check("outline_all", &world, Format::Markdown, "outline", request);
    let request = json!({"symbol": "Orders.Save"});
    check(
        "outline_member",
        &world,
        Format::Markdown,
        "outline",
        request,
    );
    let near = world.show(Format::Markdown, "outline", json!({"symbol": "Ordes"}));
    assert!(near.contains("Order"), "{near}");
    let error = world.error("source", json!({"symbol": "Nothing.Like.This"}));
    assert_eq!(error["code"], "SymbolNotFound");
}

#[test]
fn a_source_has_all_parts_and_no_fence_is_broken() {
    let world = shop();
    let request = json!({"symbol": "Orders"});
    check(
        "source_type",
        &world,
        Format::Markdown,
        "source",
        request.clone(),
    );
    let parts = world.answer("source", request)["parts"].take();
    let parts = parts.as_array().expect("a list").iter();
    let files: Vec<&str> = parts.filter_map(|part| part["file"].as_str()).collect();
    assert_eq!(files, ["src/Shop/Orders.More.cs", "src/Shop/Orders.cs"]);
    let request = json!({"symbol": "Orders.Save", "context": 1});
    check("source_member", &world, Format::Text, "source", request);
    world.edit("src/Shop/Orders.cs", "order.IsNew && _limit > 0", "false");
    let now = world.markdown("source", json!({"symbol": "Orders.Save"}));
    assert!(now.contains("return false;"), "{now}");
    let before = world.markdown("source", json!({"symbol": "Orders.Save", "at": "HEAD"}));
    assert!(before.contains("order.IsNew && _limit > 0"), "{before}");
}

#[test]
fn a_map_stays_within_its_budget() {
    let world = crate::demo();
    let map = world.envelope("map", json!({}));
    assert_eq!(map, world.envelope("map", json!({})));
    check(
        "map_demo",
        &world,
        Format::Markdown,
        "map",
        json!({"limit": 5}),
    );
    let counts: [&dyn Tokenizer; 2] = [&CharsOver4, &O200kBase];
    for tokenizer in counts {
        for budget in [0, 1, 20, 60, 150, 400, 1000, 3000] {
            let options = RenderOptions {
                budget,
                tokenizer,
                phrase: &|more| format!("{more:?}"),
            };
            let text = render(&map, Format::Markdown, &options).expect("an answer reads back");
            let text = text.expect("maps have Markdown");
            let n_tokens = tokenizer.count(&text);
            assert!(n_tokens <= budget, "{n_tokens} of {budget}: {text}");
        }
    }
}

#[test]
fn dependencies_have_reasons_and_ways() {
    let world = shop();
    check(
        "deps",
        &world,
        Format::Text,
        "deps",
        json!({"symbol": "Orders"}),
    );
    let path = |from: &str, to: &str| json!({"symbol": from, "pathTo": to});
    check(
        "deps_path",
        &world,
        Format::Text,
        "deps",
        path("IOrders", "Customer"),
    );
    let none = world.text("deps", path("Gone", "Order"));
    assert!(none.contains("no dependency path to Order"), "{none}");
    let back = world.text("deps", path("Order", "IOrders"));
    assert!(back.contains(" steps"), "{back}");
}

#[test]
fn cycles_name_what_closes_them() {
    let world = shop();
    check("cycles", &world, Format::Text, "cycles", json!({}));
    let projects = world.text("cycles", json!({"by": "project"}));
    assert!(
        projects.starts_with("no cycles among 1 project\n"),
        "{projects}"
    );
    let gone = world.text("cycles", json!({"symbol": "Gone"}));
    assert!(gone.starts_with("no cycles among"), "{gone}");
}

#[test]
fn what_is_unused_has_reasons_to_stay() {
    let world = shop();
    check("unused", &world, Format::Text, "unused", json!({}));
    check(
        "unused_all",
        &world,
        Format::Text,
        "unused",
        json!({"all": true}),
    );
    let types = world.answer("unused", json!({"what": "types"}));
    let mut types = types["items"].as_array().expect("a list").iter();
    assert!(types.all(|item| item["kind"] == "class"));
}

#[test]
fn generated_code_may_use_private_members_of_a_partial_type_with_an_attribute() {
    let world = Service::with_files(&[
        ("A/A.csproj", PROJECT),
        (
            "A/Ids.cs",
            r#"namespace N;
[ValueObject<int>]
public partial struct CartId { private static bool Validate(int value) => value > 0; }
public partial struct Plain { private static bool Check(int value) => value > 0; }
[Obsolete]
public partial struct Old { private static bool Verify(int value) => value > 0; }
class Program { static void Main() { _ = new CartId(); _ = new Plain(); _ = new Old(); } }
"#,
        ),
    ]);
    let answer = world.answer("unused", json!({"what": "members", "all": true}));
    let whys = |name: &str| {
        let items = answer["items"].as_array().expect("a list");
        let named = |it: &&Value| it["path"].as_str().is_some_and(|path| path.contains(name));
        let item = items.iter().find(named).expect(name);
        item["reasons"].to_string()
    };
    assert!(whys("Validate").contains("generator"), "{answer}");
    for name in ["Check", "Verify"] {
        assert!(!whys(name).contains("generator"), "{answer}");
    }
}

#[test]
fn documentation_is_inherited_and_circles_end() {
    let world = Service::with_files(&[
        ("A/A.csproj", PROJECT),
        (
            "A/A.cs",
            r#"namespace N;
/// <summary>The base of <typeparamref name="T"/>.</summary>
/// <typeparam name="T">What.</typeparam>
public abstract class Base<T>
{
    /// <summary>Makes one.</summary>
    protected Base(int n) { }
    /// <summary>Runs.</summary>
    /// <param name="n">How often.</param>
    /// <remarks>Slow.</remarks>
    public virtual void Run(int n) { }
    /// <inheritdoc cref="Derived.Round"/>
    public void Round() { }
}
/// <inheritdoc/>
public class Derived : Base<int>, System.IDisposable
{
    /// <inheritdoc/>
    public Derived(int n) : base(n) { }
    /// <summary>Runs faster.</summary>
    /// <inheritdoc/>
    public override void Run(int n) { }
    /// <inheritdoc/>
    public void Dispose() { }
    /// <inheritdoc cref="Base{T}.Round"/>
    public new void Round() { }
    /// <summary><inheritdoc cref="Run(int)" path="/summary"/></summary>
    /// <include file="docs.xml" path="a/b"/>
    public void Other() { }
}
"#,
        ),
    ]);
    let request = json!({"symbol": "Derived", "docs": "full"});
    check(
        "outline_inherited",
        &world,
        Format::Markdown,
        "outline",
        request,
    );
}

#[test]
fn what_may_be_used_by_usages_is_not_unused_without_a_reason() {
    let world = Service::parse(
        "
//- /src/Tasks.cs project:App
internal class Program
{
    static void Main() { dynamic any = new Job(); any.Start(); new Job().ToString(); }
}
internal class Job
{
    internal void Start() { }
    internal void Stop() { }
    internal void Pause() { }
#if NEVER
    void Unseen() => Pause();
#endif
}
",
    );
    let unused = world.answer("unused", json!({"all": true}));
    for (name, verdict, why) in [
        ("Start", "not-known", json!("not-bound")),
        ("Stop", "none", json!(null)),
        ("Pause", "not-known", json!("inactive")),
    ] {
        let path = format!("Job.{name}");
        let usages = world.answer("usages", json!({"symbol": path}));
        assert_eq!(usages["verdict"], verdict, "{usages}");
        let items = unused["items"].as_array().into_iter().flatten();
        let item = items.clone().find(|it| it["path"] == format!("{path}()"));
        let item = item.unwrap_or_else(|| panic!("{name} is not listed: {unused}"));
        assert_eq!(item["reasons"][0]["why"], why, "{item}");
    }
}

/// What containers and serializers make needs no name in the code of the product.
#[test]
fn what_is_made_through_a_type_argument_or_called_by_an_unknown_base_has_a_reason() {
    let world = Repository::parse(
        "
//- /src/App.cs project:App friends:App.Tests
using Missing.Bus;
internal class Services { internal void AddClient<T>() { } internal T Read<T>() => default; }
internal class Program
{
    static void Main()
    {
        var services = new Services();
        services.AddClient<Client>();
        System.Console.WriteLine(services.Read<Order>().Id + new Plain().Sum + new Handler().Sum);
    }
}
internal class Client { internal Client(int n) { } }
internal class Order { internal int Id { get; set; } internal Line Line { get; set; } }
internal class Line { internal int Price { get; set; } }
internal class Plain { internal int Price { get; set; } internal int Sum; }
internal class Handler : Consumer<Order> { internal int Sum; internal void Consume() { } }
//- /tests/Tests.cs project:App.Tests refs:App packages:xunit
class Tests { void Run() { new Client(1); new Plain().Price = 1; } }
",
    );
    world.check_unused(expect![[r#"
        Tests mentions:1
        Plain.Price
        Program EntryPoint 
        Order.Line TypeArgument Read<…> at src/App.cs:9
        Line.Price TypeArgument Read<…> at src/App.cs:9
        Client.Client(int) TypeArgument AddClient<…> at src/App.cs:8
        Handler.Consume() UnknownBase Consumer
    "#]]);
}
