//! A chain from tests through a library: `MiddleTests.Emits` → `Middle.Emit` → `Log.Write` → `Log.Trace`.

use super::PROJECT;

const TESTS: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework><IsTestProject>true</IsTestProject></PropertyGroup>
  <ItemGroup><ProjectReference Include="../App/App.csproj" /></ItemGroup>
</Project>
"#;

const CORE: &str = "namespace Shop;
public interface ISink { void Emit(string text); }
public static class Log
{
    public static void Write(string text) => Trace(text);
    private static void Trace(string text) { }
}
public class Base : ISink { public virtual void Emit(string text) => Log.Write(text); }
";

const MIDDLE: &str = "namespace Shop;
public class Middle : Base
{
    public override void Emit(string text) { Helper(); Log.Write(text); }
    public void Helper() => Deep.Run();
    private Near near = new Near();
}
public class Near { }
public static class Deep { public static void Run() { } }
";

const TEST: &str = "namespace Shop.Tests;
public class MiddleTests : Middle
{
    public void Emits() => new Middle().Emit(\"a\");
    public override void Emit(string text) => base.Emit(text);
}
";

/// The files.
pub const FILES: &[(&str, &str)] = &[
    ("App/App.csproj", PROJECT),
    ("App/Core.cs", CORE),
    ("App/Middle.cs", MIDDLE),
    ("Tests/Tests.csproj", TESTS),
    ("Tests/MiddleTests.cs", TEST),
];
