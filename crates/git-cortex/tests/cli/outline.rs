//! What shows code and the graph: outlines, maps, sources, dependencies, cycles, what is unused.

use serde_json::Value;

use crate::harness::{World, check};

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
</Project>
"#;

/// A small shop: documentation of every kind, partial and nested types, a cycle, things that nobody uses.
fn shop() -> World {
    World::with_files(&[
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
fn an_outline_has_documentation_members_and_neighbors() {
    let world = shop();
    check(
        "outline_type",
        &world.show(&["outline", "IOrders", "--docs", "full"]),
    );
    check(
        "outline_class",
        &world.show(&["outline", "Orders", "--format", "text"]),
    );
    check(
        "outline_all",
        &world.show(&[
            "outline",
            "Orders",
            "--members",
            "all",
            "--depth",
            "1",
            "--docs",
            "none",
        ]),
    );
    check("outline_member", &world.show(&["outline", "Orders.Save"]));
    check(
        "outline_json",
        &world.show(&["outline", "Order", "--format", "json"]),
    );
}
#[test]
fn what_is_not_there_is_told_with_what_is_near() {
    let world = shop();
    let shown = world.show(&["outline", "Ordes"]);
    assert!(shown.contains("Order"), "{shown}");
    let shown = world.show(&["source", "Nothing.Like.This"]);
    assert!(shown.contains("exit code 1"), "{shown}");
}
#[test]
fn a_source_has_all_parts_and_no_fence_is_broken() {
    let world = shop();
    check("source_type", &world.show(&["source", "Orders"]));
    check(
        "source_member",
        &world.show(&[
            "source",
            "Orders.Save",
            "--context",
            "1",
            "--format",
            "text",
        ]),
    );
    world.edit("src/Shop/Orders.cs", "order.IsNew && _limit > 0", "false");
    let now = world.answer(&["source", "Orders.Save"]);
    assert!(now.contains("return false;"), "{now}");
    let before = world.answer(&["source", "Orders.Save", "--at", "HEAD"]);
    assert!(before.contains("order.IsNew && _limit > 0"), "{before}");
    let parts = world.json(&["source", "Orders"])["parts"].clone();
    let files: Vec<&str> = parts
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["file"].as_str())
        .collect();
    assert_eq!(files, ["src/Shop/Orders.More.cs", "src/Shop/Orders.cs"]);
}
#[test]
fn a_map_keeps_to_its_budget_and_says_the_same_twice() {
    let world = World::demo();
    check("map_demo", &world.show(&["map", "--budget", "700"]));
    for budget in [0, 1, 20, 60, 150, 400, 1000, 3000] {
        let budget_text = budget.to_string();
        for tokenizer in ["chars/4", "o200k-base"] {
            let arguments = ["map", "--budget", &budget_text, "--tokenizer", tokenizer];
            let output = world.run(&arguments);
            if !output.status.success() {
                continue;
            }
            let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
            if tokenizer == "chars/4" {
                assert!(
                    text.chars().count().div_ceil(4) <= budget,
                    "{budget}: {text}"
                );
            }
            assert_eq!(text, world.answer(&arguments));
        }
    }
}
#[test]
fn dependencies_have_reasons_and_ways() {
    let world = shop();
    check("deps", &world.show(&["deps", "Orders"]));
    check(
        "deps_path",
        &world.show(&["deps", "IOrders", "--path-to", "Customer"]),
    );
    let none = world.show(&["deps", "Gone", "--path-to", "Order"]);
    assert!(none.contains("no dependency path to Order"), "{none}");
    assert!(none.contains("exit code 1"), "{none}");
    let back = world.show(&["deps", "Order", "--path-to", "IOrders"]);
    assert!(back.contains(" steps"), "{back}");
    let mermaid = world.answer(&["deps", "Orders", "--format", "mermaid"]);
    assert!(mermaid.starts_with("flowchart"), "{mermaid}");
    let graphml = world.answer(&["deps", "Orders", "--format", "graphml"]);
    assert!(graphml.contains("T:Shop.Orders"), "{graphml}");
}
#[test]
fn cycles_name_what_closes_them() {
    let world = shop();
    check("cycles", &world.show(&["cycles"]));
    let exit = world.run(&["cycles", "--exit-code"]).status.code();
    assert_eq!(exit, Some(1));
    assert!(
        world
            .answer(&["cycles", "--by", "project"])
            .starts_with("no cycles among 1 project\n")
    );
    let of_one = world.answer(&["cycles", "Gone"]);
    assert!(of_one.starts_with("no cycles among"), "{of_one}");
}
#[test]
fn what_is_unused_has_reasons_to_stay() {
    let world = shop();
    check("unused", &world.show(&["unused"]));
    check("unused_all", &world.show(&["unused", "--all"]));
    let types = world.json(&["unused", "--what", "types"]);
    let is_type = |it: &Value| it["kind"] == "class";
    assert!(
        types["items"]
            .as_array()
            .expect("a list")
            .iter()
            .all(is_type)
    );
}
#[test]
fn documentation_is_inherited_and_circles_end() {
    let world = World::with_files(&[
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
    check(
        "outline_inherited",
        &world.show(&["outline", "Derived", "--docs", "full"]),
    );
}
#[test]
fn nothing_of_a_repository_reaches_the_terminal_raw() {
    let world = World::with_files(&[
        ("A/A.csproj", PROJECT),
        (
            "A/a\u{202e}b.cs",
            "namespace N;\n/// <summary>x \u{1b}[31m y\u{202e} ``` </summary>\npublic class C { /* \u{1b}[2J ``` */ public string A = \"\u{9b}\"; public C B; }\n",
        ),
    ]);
    for question in [
        &["outline", "C"][..],
        &["outline", "C", "--source"],
        &["outline", "N"],
        &["source", "C"],
        &["source", "C", "--format", "text"],
        &["map"],
        &["deps", "C"],
        &["unused", "--all"],
        &["cycles"],
        &["source", "C", "--format", "json"],
    ] {
        let text = world.answer(question);
        assert!(
            !text.contains(['\u{1b}', '\u{202e}', '\u{9b}']),
            "{question:?}: {text}"
        );
    }
}
#[test]
fn every_command_has_a_page_and_completions() {
    let world = World::empty();
    let folder = world.beside("man1");
    world.answer(&["man", "--folder", folder.to_str().expect("a name")]);
    let page =
        std::fs::read_to_string(folder.join("git-cortex-outline.1")).expect("it was written");
    assert!(
        page.contains("git\\-cortex\\-outline") && page.contains("OrderService"),
        "{page}"
    );
    assert!(world.answer(&["man"]).contains("git\\-cortex"));
    assert_eq!(world.run(&["man", "nothing"]).status.code(), Some(2));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(
            world.answer(&["completions", shell]).contains("outline"),
            "{shell}"
        );
    }
}
/// What git's own completion does for `git cortex outl<TAB>`.
#[test]
fn bash_completes_behind_git() {
    let world = World::empty();
    let script = world.beside("completions.bash");
    std::fs::write(&script, world.answer(&["completions", "bash"])).expect("it can be written");
    let ask = r#"source "$1"
words=(git cortex outl) cword=2 cur=outl prev=cortex; _git_cortex; echo "${COMPREPLY[@]}"
words=(git cortex outline --mem) cword=3 cur=--mem prev=outline; _git_cortex; echo "${COMPREPLY[@]}"
words=(git cortex outline --members "") cword=4 cur= prev=--members; _git_cortex; echo "${COMPREPLY[@]}""#;
    let output = std::process::Command::new("bash")
        .args(["--norc", "-c", ask, "bash"])
        .arg(&script)
        .output();
    // Not every system has it.
    if let Ok(output) = output {
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "outline\n--members\npublic all\n"
        );
    }
}
