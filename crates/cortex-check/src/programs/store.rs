//! An interface with an abstract and a concrete class, and a user of them.

use super::PROJECT;

const STORE: &str = "namespace Shop.Storage;

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
";

const USER: &str = "namespace Shop;

using Shop.Storage;

/// <summary>Uses <see cref=\"NodeStore\"/>.</summary>
public class User
{
    private readonly INodeStore store = new NodeStore();
    public object Load() => store.GetNode(1);
    public object Twice() { Load(); return Load(); }
    public object Loose(dynamic any) => any.Idle();
}
";

/// The files.
pub const FILES: &[(&str, &str)] = &[
    ("App.csproj", PROJECT),
    ("src/Store.cs", STORE),
    ("src/User.cs", USER),
];
