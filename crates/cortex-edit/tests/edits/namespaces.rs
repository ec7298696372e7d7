//! Namespaces that get other names.

use cortex_edit::EditError;
use cortex_wire::{EditAnswer, EditVerdict};

use crate::world::World;

/// The files after a rename that is proven, and once more after it is taken back by another one.
#[track_caller]
fn renamed(fixture: &str, old: &str, new: &str) -> impl Fn(&str) -> String + use<> {
    let world = World::new(fixture);
    let before = world.files();
    let mut op = world.rename(old, new).expect("it can be planned");
    assert_eq!(op.answer.verdict, EditVerdict::Proven, "{:#?}", op.answer);
    world.apply(&mut op).expect("it can be applied");
    let files = world.files();
    assert_eq!(world.root(), world.root_from_nothing());
    world.undo(&mut op).expect("it can be undone");
    assert_eq!(world.files(), before);
    move |path| String::from_utf8_lossy(&files[path]).into_owned()
}

fn planned(fixture: &str, old: &str, new: &str) -> EditAnswer {
    let world = World::new(fixture);
    let op = world.rename(old, new).expect("it can be planned");
    op.answer
}

#[track_caller]
fn refusal(fixture: &str, old: &str, new: &str) -> String {
    let world = World::new(fixture);
    match world.rename(old, new) {
        Ok(op) => panic!("it is planned: {:#?}", op.answer),
        Err(EditError::Refused { reason, .. }) => reason,
        Err(error) => error.to_string(),
    }
}

const SHOP: &str = "//- /Order.cs\nnamespace Shop.Orders;\n\npublic class Order { Lines.Line line; Shop.Orders.Lines.Line other; }\n\
    //- /Line.cs\nnamespace Shop.Orders.Lines\n{\n    public class Line { Order order; }\n}\n\
    //- /Use.cs\nusing System;\nusing Shop.Orders;\nusing L = Shop.Orders.Lines.Line;\nusing static Shop.Orders.Constants;\n\n\
    /// <see cref=\"Shop.Orders.Order\"/> of <see cref=\"global::Shop.Orders.Lines\"/>\nclass Use { Order a; L l; global::Shop.Orders.Order b; int N => One + Shop.Orders.Constants.One; }\n\
    //- /Constants.cs\nnamespace Shop.Orders { public static class Constants { public const int One = 1; } }\n\
    //- /Sibling.cs\nnamespace Shop.Users { class User { Orders.Order order; } }\n";

#[test]
fn the_last_part_of_a_namespace_is_renamed_where_it_is_written() {
    let after = renamed(SHOP, "Shop.Orders", "Shop.Sales");
    assert_eq!(
        after("Order.cs"),
        "namespace Shop.Sales;\n\npublic class Order { Lines.Line line; Shop.Sales.Lines.Line other; }\n"
    );
    assert_eq!(
        after("Line.cs"),
        "namespace Shop.Sales.Lines\n{\n    public class Line { Order order; }\n}\n"
    );
    assert_eq!(
        after("Use.cs"),
        "using System;\nusing Shop.Sales;\nusing L = Shop.Sales.Lines.Line;\nusing static Shop.Sales.Constants;\n\n\
         /// <see cref=\"Shop.Sales.Order\"/> of <see cref=\"global::Shop.Sales.Lines\"/>\nclass Use { Order a; L l; global::Shop.Sales.Order b; int N => One + Shop.Sales.Constants.One; }\n"
    );
    assert_eq!(
        after("Sibling.cs"),
        "namespace Shop.Users { class User { Sales.Order order; } }\n"
    );
}

#[test]
fn a_namespace_goes_elsewhere_with_those_below_it_and_relative_names_are_written_out() {
    let after = renamed(SHOP, "N:Shop.Orders", "Sales");
    assert_eq!(
        after("Line.cs"),
        "namespace Sales.Lines\n{\n    public class Line { Order order; }\n}\n"
    );
    assert_eq!(
        after("Use.cs"),
        "using System;\nusing Sales;\nusing L = Sales.Lines.Line;\nusing static Sales.Constants;\n\n\
         /// <see cref=\"Sales.Order\"/> of <see cref=\"global::Sales.Lines\"/>\nclass Use { Order a; L l; global::Sales.Order b; int N => One + Sales.Constants.One; }\n"
    );
    assert_eq!(
        after("Sibling.cs"),
        "namespace Shop.Users { class User { Sales.Order order; } }\n"
    );
}

#[test]
fn code_imports_what_it_saw_of_the_namespaces_around_it() {
    let after = renamed(
        "//- /Shared.cs\nnamespace Shop;\npublic class Shared { }\n\
         //- /More.cs\nnamespace Shop.More;\npublic class Thing { }\n\
         //- /Order.cs\nnamespace Shop.Orders;\n\npublic class Order { Shared shared; More.Thing thing; }\n\
         //- /Use.cs\nusing Shop.Orders;\nusing S = Shop;\n\nclass Use { Order a; S.Orders.Order b; }\n",
        "Shop.Orders",
        "Sales.Orders",
    );
    assert_eq!(
        after("Order.cs"),
        "using Shop;\n\nnamespace Sales.Orders;\n\npublic class Order { Shared shared; Shop.More.Thing thing; }\n"
    );
    assert_eq!(
        after("Use.cs"),
        "using Sales.Orders;\nusing S = Shop;\n\nclass Use { Order a; Sales.Orders.Order b; }\n"
    );
}

#[test]
fn directives_of_namespaces_that_go_and_of_what_is_imported_already_go() {
    let after = renamed(
        "//- /Order.cs\nnamespace Shop.Orders;\npublic class Order { }\n\
         //- /Sale.cs\nnamespace Sales;\npublic class Sale { Shop.Orders.Order order; }\n\
         //- /Use.cs\nusing Sales;\nusing Shop;\nusing Shop.Orders;\n\nclass Use { Order a; Sale b; }\n\
         //- /Global.cs\nglobal using Shop.Orders;\n",
        "Shop.Orders",
        "Sales",
    );
    assert_eq!(
        after("Use.cs"),
        "using Sales;\n\nclass Use { Order a; Sale b; }\n"
    );
    assert_eq!(after("Global.cs"), "global using Sales;\n");
    assert_eq!(
        after("Sale.cs"),
        "namespace Sales;\npublic class Sale { Sales.Order order; }\n"
    );
}

#[test]
fn a_namespace_inside_of_another_declaration_keeps_what_is_around_it() {
    let fixture = "//- /Order.cs\nnamespace Shop\n{\n    namespace Orders { public class Order { } }\n    class Shared { Orders.Order order; }\n}\n";
    let after = renamed(fixture, "Shop.Orders", "Shop.Sales.Open");
    assert_eq!(
        after("Order.cs"),
        "namespace Shop\n{\n    namespace Sales.Open { public class Order { } }\n    class Shared { Sales.Open.Order order; }\n}\n"
    );
    let reason = refusal(fixture, "Shop.Orders", "Sales");
    assert_eq!(
        reason,
        "Order.cs:3: it is declared inside of `namespace Shop`"
    );
    let after = renamed(fixture, "Shop", "Store.Core");
    assert!(after("Order.cs").starts_with("namespace Store.Core\n{\n    namespace Orders {"));
}

#[test]
fn a_name_that_would_mean_something_else_is_written_from_the_global_namespace_on() {
    let after = renamed(
        "//- /Order.cs\nnamespace Shop.Orders;\npublic class Order { }\n\
         //- /Use.cs\nnamespace App.Sales\n{\n    class Use { Shop.Orders.Order a; }\n}\n",
        "Shop.Orders",
        "Sales",
    );
    assert_eq!(
        after("Use.cs"),
        "namespace App.Sales\n{\n    class Use { global::Sales.Order a; }\n}\n"
    );
}

#[test]
fn a_name_of_another_type_that_would_be_seen_changes_meaning() {
    let answer = planned(
        "//- /Order.cs\nnamespace Shop.Orders;\npublic class Order { Thing thing; }\n\
         //- /Thing.cs\nnamespace Shop;\npublic class Thing { }\n\
         //- /Other.cs\nnamespace Sales;\npublic class Thing { }\n",
        "Shop.Orders",
        "Sales.Orders",
    );
    assert_eq!(answer.verdict, EditVerdict::ChangedMeaning);
}

#[test]
fn what_cannot_be_renamed_so_is_refused() {
    let fixture = "//- /Order.cs\nnamespace Shop.Orders;\npublic partial class Order { }\n\
        //- /Other.cs\nnamespace Sales;\npublic partial class Order { }\npublic class Open { }\n";
    for (old, new, reason) in [
        ("Shop.Orders", "Sales", "there is one already"),
        ("Shop.Orders", "Sales.Open", "is a type"),
        ("Shop.Orders", "Sales.Open.Orders", "is a type"),
        ("Shop.Orders", "a-b.c", "letters, digits"),
        ("N:Shop.Order", "Sales.New", "no code declares"),
        ("Shop.Orders", "Shop.Orders", "would change nothing"),
        ("N:System", "Sys.Tem", "no code declares"),
    ] {
        let found = refusal(fixture, old, new);
        assert!(found.contains(reason), "{old} to {new}: {found}");
    }
}

#[test]
fn a_place_names_a_namespace_and_comments_with_its_name_are_listed() {
    let world = World::new(
        "//- /Order.cs project:App\n// Shop.Orders is ours, Shop.OrdersOld and Old.Shop.Orders are not.\nnamespace Shop.Orders;\npublic class Order { string s = \"Shop.Orders.Order\"; }\n",
    );
    let project = "<Project Sdk=\"Microsoft.NET.Sdk\">\n<PropertyGroup><TargetFramework>net8.0</TargetFramework>\n<RootNamespace>Shop.Orders</RootNamespace></PropertyGroup>\n</Project>\n";
    std::fs::write(world.work().join("App.csproj"), project).expect("it is written");
    let op = world.rename("Order.cs:2:16", "Sales");
    let answer = op.expect("it can be planned").answer;
    let residue: Vec<String> = (answer.residue.iter())
        .map(|it| format!("{}:{}", it.file, it.line))
        .collect();
    assert_eq!(residue, ["App.csproj:3", "Order.cs:1", "Order.cs:3"]);
    assert_eq!(answer.verdict, EditVerdict::Proven, "{answer:#?}");
    assert_eq!(answer.title, "rename `Shop.Orders` to `Sales`");
}

#[test]
fn what_a_project_file_imports_is_imported_by_the_files_and_not_proven() {
    let answer = planned(
        "//- /Order.cs project:App usings:Shop.Orders\nnamespace Shop.Orders;\npublic class Order { }\n\
         //- /Use.cs project:App\nclass Use { Order a; }\n\
         //- /Other.cs project:App\nclass Other { }\n",
        "Shop.Orders",
        "Sales",
    );
    assert_eq!(answer.verdict, EditVerdict::NotProven, "{answer:#?}");
    assert_eq!(answer.doubts[0].file.as_str(), "App.csproj");
    assert!(answer.patch.contains("+using Sales;\n"), "{}", answer.patch);
    assert_eq!(answer.files.len(), 2);
}
