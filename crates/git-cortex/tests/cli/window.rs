//! The prompt window and the access history behind it.

use serde_json::Value;

use crate::harness::{World, shown};

const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>\
<TargetFramework>net8.0</TargetFramework></PropertyGroup></Project>\n";

fn world() -> World {
    let world = World::empty();
    world.write("src/App.csproj", PROJECT);
    for (name, body) in [
        ("Order", "public Money Total() => null;"),
        ("Money", "public int Cents;"),
        ("Clock", "public long Now() => 0;"),
    ] {
        let text = format!("namespace Shop;\npublic class {name}\n{{\n    {body}\n}}\n");
        world.write(&format!("src/{name}.cs"), &text);
    }
    world.commit("sources");
    world
}

fn window(world: &World, arguments: &[&str]) -> Value {
    let all = [&["window", "--format", "json"], arguments].concat();
    let json: Value = serde_json::from_str(&world.answer(&all)).expect("it is JSON");
    crate::wire::check_form(&json);
    json["answer"].clone()
}

/// The types of a window as `part path reason`.
fn types(answer: &Value) -> Vec<String> {
    let types = answer["types"].as_array().expect("there is a list");
    let word = |ty: &Value, name: &str| ty[name].as_str().unwrap_or_default().to_owned();
    types
        .iter()
        .map(|ty| {
            format!(
                "{} {} {}",
                word(ty, "part"),
                word(ty, "path"),
                word(ty, "reason")
            )
        })
        .collect()
}

#[test]
fn what_commands_were_about_is_in_the_window_with_its_surroundings() {
    let world = world();
    assert!(types(&window(&world, &[])).is_empty());
    world.answer(&["usages", "Clock"]);
    world.answer(&["outline", "Order.Total"]);
    assert_eq!(
        types(&window(&world, &[])),
        [
            "focus Shop.Order requested",
            "focus Shop.Clock requested",
            "focus Shop.Money dependency",
        ]
    );
    let text = world.answer(&["window", "--format", "md"]);
    assert!(text.contains("`public Money Total()`"), "{text}");
    world.answer(&["dismiss", "Clock"]);
    assert!(!types(&window(&world, &[])).join(" ").contains("Clock"));
    world.answer(&["resolve", "Clock"]);
    assert_eq!(types(&window(&world, &[]))[0], "focus Shop.Clock requested");
}

#[test]
fn recently_viewed_files_are_those_that_commands_were_about() {
    let world = world();
    let files = || world.run(&["scope", "files", "'Recently Viewed Files'"]);
    assert_eq!(files().status.code(), Some(2), "{}", shown(&files()));
    world.answer(&["source", "Money"]);
    world.answer(&["source", "src/Order.cs:4"]);
    let output = files();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(text, "src/Money.cs\nsrc/Order.cs\n");
}

#[test]
fn nothing_is_recorded_where_that_is_not_wanted() {
    let world = world();
    world.answer(&["resolve", "Money"]);
    assert!(!types(&window(&world, &[])).is_empty());
    world.git(&["config", "cortex.accessHistory", "off"]);
    world.answer(&["resolve", "Order"]);
    assert!(
        types(&window(&world, &[])).is_empty(),
        "what was recorded is forgotten"
    );
    world.write(".context/config.toml", "accessHistory = \"on\"\n");
    world.answer(&["resolve", "Order"]);
    assert!(
        types(&window(&world, &[])).is_empty(),
        "a repository may not set it"
    );
}

#[test]
fn pins_are_committed_and_checked() {
    let world = world();
    let text = world.answer(&["pin", "Order", "src/Clock.cs", "Order.Total"]);
    assert!(
        text.starts_with("pinned Shop.Order\npinned path:src/Clock.cs\n"),
        "{text}"
    );
    let file = std::fs::read_to_string(world.path().join(".context/window.json"));
    let json: Value = serde_json::from_str(&file.expect("it is written")).expect("it is JSON");
    assert_eq!(
        json["pins"],
        serde_json::json!(["Shop.Order", "path:src/Clock.cs"])
    );
    let pinned = ["pinned Shop.Order pinned", "pinned Shop.Clock pinned"];
    assert_eq!(types(&window(&world, &[])), pinned);
    world.answer(&["check"]);

    std::fs::remove_file(world.path().join("src/Clock.cs")).expect("it is there");
    let order = std::fs::read_to_string(world.path().join("src/Order.cs")).expect("it is there");
    world.write(
        "src/Order.cs",
        order.replace("class Order", "class Purchase"),
    );
    let output = world.run(&["check", "--policy", "pin-unknown=error"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("type `Shop.Order` does not exist"), "{told}");
    assert!(
        told.contains("no type is declared in `src/Clock.cs`"),
        "{told}"
    );
    assert!(told.contains("git cortex unpin"), "{told}");
    world.answer(&["unpin", "Order", "src/Clock.cs"]);
    world.answer(&["check", "--policy", "pin-unknown=error"]);
    let output = world.run(&["unpin", "Order"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}

#[test]
fn the_file_of_the_window_is_this_machines_alone_and_follows() {
    let world = world();
    world.answer(&["context", "add", "Money"]);
    world.answer(&["window", "--write", "--budget", "500"]);
    let path = world.path().join(".context/prompt_window.md");
    let text = || std::fs::read_to_string(&path).expect("it is written");
    assert!(text().contains("Shop.Money"));
    world.answer(&["context", "clear"]);
    assert!(!text().contains("Shop.Money"));
    world.answer(&["pin", "Clock"]);
    assert!(text().contains("Shop.Clock"));
    // Commands about symbols are in it as well, once they have answered.
    world.answer(&["usages", "Order"]);
    assert!(text().contains("Shop.Order"));
    world.commit("all");
    let listed = world.git(&["ls-files", ".context"]);
    assert!(!listed.contains("prompt_window.md"), "{listed}");
    assert!(listed.contains(".context/window.json"), "{listed}");
}
