//! Former ids and names, followed by what the repository commits.

use serde_json::Value;

use crate::harness::{World, shown};

const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>\
<TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>\n";

fn order(name: &str) -> String {
    format!(
        "namespace Shop;\npublic class {name}\n{{\n    public int Total() => Count * 2;\n    public int Count;\n    \
         public string Title = \"\";\n}}\n"
    )
}

/// The id of a type and of a member of it.
fn id(world: &World, symbol: &str, at: &str) -> String {
    let json = world.json(&["resolve", symbol, "--at", at]);
    let symbol = &json["subject"]["symbol"];
    let part = |name: &str| symbol[name].as_str().unwrap_or_default().to_owned();
    match part("memberId") {
        member if member.is_empty() => part("typeId"),
        member => format!("{}_{member}", part("typeId")),
    }
}

#[test]
fn former_ids_and_names_resolve_in_a_clone_without_history() {
    let world = World::empty();
    world.write("src/App.csproj", PROJECT);
    world.write("src/Order.cs", order("Order"));
    world.write("src/Clock.cs", "namespace Shop;\npublic class Clock { }\n");
    world.commit("sources");
    let (first, member) = (
        id(&world, "Shop.Order", "HEAD"),
        id(&world, "Order.Total", "HEAD"),
    );
    for (from, to) in [("Order", "Purchase"), ("Purchase", "Sale")] {
        world.git(&["mv", &format!("src/{from}.cs"), &format!("src/{to}.cs")]);
        world.write(&format!("src/{to}.cs"), order(to));
        world.commit("rename");
    }
    let second = id(&world, "Purchase", "HEAD~1");
    world.answer(&["export-context", "--aliases"]);
    let file: Value =
        serde_json::from_str(&world.read(".context/aliases.json")).expect("it is JSON");
    let mut was: Vec<&str> = (file["aliases"].as_array().expect("there is a list").iter())
        .map(|alias| {
            assert_eq!(alias["now"], "Shop.Sale", "{alias}");
            alias["was"].as_str().expect("it is text")
        })
        .collect();
    was.sort_unstable();
    assert_eq!(was, ["Shop.Order", "Shop.Purchase"]);
    world.commit("context");
    world.answer(&["check", "--at", "HEAD"]);
    assert_eq!(
        world.answer(&["export-context", "--aliases"]),
        world.answer(&["export-context"]),
        "nothing is left to write"
    );

    let clone = world.beside("clone");
    let from = format!("file://{}", world.path().display());
    let to = clone.display().to_string();
    world.git(&["clone", "-q", "--depth", "1", &from, &to]);
    for text in [&first, &second, "Shop.Order", "Order", "T:Shop.Purchase"] {
        let output = world.run_in(&clone, &["resolve", text, "--format", "json"]);
        let json: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{text}: {}", shown(&output)));
        let subject = &json["answer"]["subject"];
        assert_eq!(subject["symbol"]["path"], "Shop.Sale", "{text}: {json:#}");
        assert!(subject["redirectedFrom"].is_string(), "{text}: {json:#}");
    }
    for text in ["Order.Total", &member] {
        let output = world.run_in(&clone, &["resolve", text, "--format", "json"]);
        let printed = shown(&output);
        assert!(printed.contains("Shop.Sale.Total"), "{text}: {printed}");
    }
    // Written anew where there is no history, it keeps what it has.
    let output = world.run_in(&clone, &["export-context", "--aliases", "--dry-run"]);
    assert!(
        !shown(&output).contains("aliases.json"),
        "{}",
        shown(&output)
    );
}

#[test]
fn an_alias_whose_type_is_gone_is_reported_and_written_anew() {
    let world = World::empty();
    world.write("src/App.csproj", PROJECT);
    world.write("src/Order.cs", order("Order"));
    world.write(
        ".context/aliases.json",
        "{\"aliases\": [{\"id\": \"T_11111111\", \"was\": \"Shop.Old\", \"now\": \"Shop.Gone\"}]}\n",
    );
    world.commit("sources");
    let output = world.run(&["check"]);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("git cortex export-context --aliases"),
        "{text}"
    );
    world.answer(&["export-context", "--aliases"]);
    world.answer(&["check"]);
}
