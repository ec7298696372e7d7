//! `tests`: which tests it finds for a symbol and a change, in every form.

use crate::{
    harness::{World, check},
    ranges::PROJECT,
};

pub(crate) const TESTS: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="xunit" Version="2.9.0" />
    <ProjectReference Include="../App/App.csproj" />
  </ItemGroup>
</Project>"#;

const SHOP: &str = "namespace Shop;

public interface IPricer { int Price(int count); }
public class Plain : IPricer { public int Price(int count) => count * Rate(); int Rate() => 2; }
public class Rebate : IPricer { public int Price(int count) => count; }
public class Order(IPricer pricer) { public int Total() => pricer.Price(3); }
public class Unused { public void Never() { } }
";

const SHOP_TESTS: &str = "using Xunit;
namespace Shop.Tests;

public class OrderTests
{
    [Fact] public void Totals_are_priced() => Assert.Equal(6, new Order(new Plain()).Total());
    [Fact] public void Rebates_are_given() => new Order(new Rebate()).Total();
    public class Nested { [Theory, InlineData(1)] public void Price_of(int n) => new Plain().Price(n); }
}
public class SetUpTests
{
    readonly int rate = new Plain().Price(1);
    [Fact] public void Nothing_of_its_own() { }
}
";

fn shop() -> World {
    World::with_files(&[
        ("App/App.csproj", PROJECT),
        ("App/Shop.cs", SHOP),
        ("Tests/Tests.csproj", TESTS),
        ("Tests/ShopTests.cs", SHOP_TESTS),
    ])
}

#[test]
fn the_tests_of_a_symbol_in_every_form() {
    let world = shop();
    for format in ["text", "md", "json", "jsonl", "filter"] {
        let arguments = ["tests", "Plain.Rate", "--format", format];
        let first = world.show(&arguments);
        check(&format!("tests_symbol_{format}"), &first);
        assert_eq!(
            world.show(&arguments),
            first,
            "the same question has the same answer"
        );
    }
}
