//! Calls that end in tests, and calls that do not; each comment tells which tests reach the member that stands before it.

const TESTS: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="xunit" Version="2.9.0" />
    
  </ItemGroup>
</Project>"#;

const PROGRAM: &str = r#"using System;
using System.Collections;
using System.Collections.Generic;
using Xunit;
namespace Laws;

public interface IDo { int Go(); }
public class Do : IDo { public virtual int Go() => Goal.Inner(); }
public class Other : IDo { public int Go() => 0; }
public static class Goal { public static int Inner() => 1; public static int Row() => 2; }
public class Sut<T> { public T Value => default; }
public abstract class Machine { public abstract void Turn(); public virtual void Halt() { } }

public class GivenTests
{
    [Theory] public void A_type_argument_of_a_parameter(Sut<Do> sut) { sut.Value.Go(); }
    [Theory] public void A_parameter_behind_an_interface(Do given) { IDo one = given; one.Go(); }
    [Fact] public void An_interface_alone() { IDo one = null; one.Go(); }
    [Fact] public void An_abstract_member() { Machine machine = null; machine.Turn(); machine.Halt(); }
    [Fact(Skip = "slow")] public void A_skipped_one() { IDo one = null; one.Go(); }
    [AvaloniaTest] public void An_attribute_of_its_own() { IDo one = null; one.Go(); }
}
public abstract class GenericTests<T> where T : IDo
{
    protected T made;
    [Fact] public void A_type_argument_of_the_base() => made.Go();
}
public class DoTests : GenericTests<Do> { }
public class OtherTests : GenericTests<Other> { }

public class Rows : IEnumerable<object[]>
{
    public IEnumerator<object[]> GetEnumerator() { Goal.Row(); yield break; }
    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
public class DataTests
{
    public static IEnumerable<object[]> Named() { Goal.Row(); yield break; }
    public static IEnumerable<object[]> Quoted() { Goal.Row(); yield break; }
    [Theory, MemberData(nameof(Named))] public void By_name(int n) { }
    [Theory, MemberData("Quoted")] public void By_text(int n) { }
    [Theory, ClassData(typeof(Rows))] public void By_class(int n) { }
    [Theory, InlineData("quoted")] public void By_value(string text) { }
}
"#;

/// The files.
pub const FILES: &[(&str, &str)] = &[("Tests.csproj", TESTS), ("Laws.cs", PROGRAM)];
