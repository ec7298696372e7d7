//! A back end in C#, a front end in TypeScript, a script, and more.

/// The text of a file.
pub const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
</Project>
"#;

const ORDER: &str = "namespace Shop;

/// <summary>An order; see Basket.</summary>
public class Order
{
    // TODO: Basket goes here
    public string Basket(int basket) => \"Basket\" + $\"{Basket(basket)}\";
}
";

/// The files.
pub const FILES: &[(&str, &str)] = &[
    ("Shop.sln", "Microsoft Visual Studio Solution File\n"),
    ("src/Shop/Shop.csproj", PROJECT),
    ("src/Shop/Order.cs", ORDER),
    (
        "src/Shop/OrderService.cs",
        "namespace Shop;\nclass OrderService { Order? last; void Submit(Order order) { } }\n",
    ),
    ("web/package.json", "{\"name\": \"web\"}\n"),
    (
        "web/src/basket.tsx",
        "export function BasketButton() {\r\n  return <button>Basket</button>;\r\n}\r\n",
    ),
    ("web/src/Größe.ts", "// 𝄞é Basket\nexport const size = 1;\n"),
    ("README.md", "# Shop\nA Basket of orders.\n"),
    ("logo.png", "\u{0}PNG Basket"),
];
