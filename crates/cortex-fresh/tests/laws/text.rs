//! What outlines say, and that changing their bytes is noticed.

use crate::world::World;

const SOURCE: &str = "namespace Shop;

/// <summary>Takes orders. See <see cref=\"System.Collections.Generic.List{T}\"/>.</summary>
/// <remarks>Thread-safe.</remarks>
[System.Obsolete(\"use B\"), System.Serializable]
public sealed partial class OrderService<T>(int limit) : IOrders, System.IDisposable
    where T : class
{
    public const int Max = 10, Min = 1;
    public int A, B;
    private int hidden;
    /// <summary>Submits an order. It is queued.</summary>
    /// <param name=\"order\">The order.</param>
    public virtual async System.Threading.Tasks.Task<int> Submit(
        [System.Diagnostics.CodeAnalysis.NotNull] T order, // which one
        string note = \"a, b\") => 1;
    /// <inheritdoc/>
    public void Dispose() { }
    [System.Obsolete]
    public string Name { get; private set; } = \"x\";
    void IOrders.Explicit() { }
    ~OrderService() { }
    static OrderService() { }
    public event System.Action Changed;
    public int this[int at] => at;
    public static OrderService<T> operator +(OrderService<T> a, OrderService<T> b) => a;
    public class Inner { }
}
public interface IOrders { void Explicit(); }
";

#[test]
fn an_outline_says_what_its_source_writes() {
    let world = World::new();
    world.write("src/App.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"/>\n");
    world.write("src/Orders.cs", SOURCE);
    world.commit("sources");
    let outlines = world.oracle();
    let outline = outlines
        .values()
        .find(|text| text.contains("OrderService<T>(int"));
    let outline = outline.expect("the type has an outline");
    for line in [
        "- `[Obsolete(\"use B\")] public sealed partial class OrderService<T>(int limit) : IOrders, System.IDisposable where T : class`",
        "- class in assembly `App`",
        "- `src/Orders.cs`",
        "- `public const int Max = 10`",
        "- `public const int Min = 1`",
        "- `public int A`",
        "- `public int B`",
        "- `public virtual async System.Threading.Tasks.Task<int> Submit(T order, string note = \"a, b\")` – Submits an order.",
        "- `public void Dispose()` – *Inherits its documentation.*",
        "- `[Obsolete] public string Name { get; private set; }`",
        "- `public event System.Action Changed`",
        "- `public int this[int at] { get; }`",
        "- `public static OrderService<T> operator +(OrderService<T> a, OrderService<T> b)`",
    ] {
        assert!(
            outline.lines().any(|it| it == line),
            "{line}\n---\n{outline}"
        );
    }
    for absent in ["hidden", "Explicit", "~", "Inner", "Serializable"] {
        assert!(!outline.contains(absent), "{absent}\n---\n{outline}");
    }
    assert_eq!(outlines.len(), 3, "nested types have outlines of their own");
}

#[test]
fn changing_the_bytes_of_outlines_raises_their_format() {
    let world = World::new();
    world.write("src/App.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"/>\n");
    world.write("src/Orders.cs", SOURCE);
    world.commit("sources");
    let texts: Vec<String> = world.oracle().into_values().collect();
    let hash = cortex_model::Hash::of(texts.join("\0").as_bytes()).short();
    let known = (cortex_fresh::outline::text::FORMAT, EXPECTED);
    assert_eq!(
        (cortex_fresh::outline::text::FORMAT, hash.as_str()),
        known,
        "outlines have other bytes: raise FORMAT, so that committed ones are told apart, then the hash here"
    );
}

/// The hash of the outlines of this program in the current format.
const EXPECTED: &str = "HRN7RXVD";
