//! A library with its tests, owners and named scopes.

const LIBRARY: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"#;

const TESTS: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework><IsTestProject>true</IsTestProject></PropertyGroup>
  <ItemGroup><ProjectReference Include="../src/Shop/Shop.csproj" /></ItemGroup>
</Project>
"#;

const SOLUTION: &str = r#"<Solution>
  <Folder Name="/product/"><Project Path="src/Shop/Shop.csproj" /></Folder>
  <Folder Name="/checks/"><Project Path="test/Shop.Tests.csproj" /></Folder>
</Solution>
"#;

/// The text of a file.
pub const ORDER: &str = "namespace Shop.Orders;

/// <summary>What somebody wants.</summary>
public class Order
{
    public int Count { get; set; }

    /// <summary>Wants more.</summary>
    public void Add(int more) => Count += more;
}
";

/// The files.
pub const FILES: &[(&str, &str)] = &[
    ("Shop.slnx", SOLUTION),
    ("README.md", "# Shop\n"),
    ("src/Shop/Shop.csproj", LIBRARY),
    ("src/Shop/Order.cs", ORDER),
    (
        "src/Shop/Stock.cs",
        "namespace Shop;\npublic class Stock { public Orders.Order? Last; }\n",
    ),
    (
        "src/Shop/Stock.g.cs",
        "class Outside { }\nnamespace Shop.Made { class Made { } }\n",
    ),
    ("src/Shop/Pages/Home.razor", "<h1>Home</h1>\n"),
    ("test/Shop.Tests.csproj", TESTS),
    (
        "test/OrderTests.cs",
        "namespace Shop.Tests;\npublic class OrderTests { Shop.Orders.Order? order; }\n",
    ),
    ("test/broken.cs", "class Broken { void M( { } }\n"),
    ("CODEOWNERS", "* @all\n/src/ @shop/core\n*.md\n"),
    (
        ".idea/scopes/Orders.xml",
        r#"<component name="DependencyValidationManager">
  <scope name="All orders" pattern="src:Shop.Orders..*||file:*Order*.cs" />
</component>
"#,
    ),
    (
        ".context/config.toml",
        "[scopes]\nPages = \"file:Pages//*\"\nWrong = \"file:\"\n",
    ),
];
