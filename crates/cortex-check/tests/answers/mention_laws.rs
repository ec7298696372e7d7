//! Counts of names outside of C#: what is kept of them changes none, whatever happens to files.

use cortex_check::{Service, Value, json};
use proptest::prelude::*;

const PROJECT: &str = r#"<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
  <ItemGroup><None Include="Order.cs" /><Using Include="Shop.Order" /></ItemGroup>
</Project>
"#;

const CODE: &str = "namespace Shop;
public class Order { public int Total; }
public class UpperExtension { }
class Program { static void Main() { new Order().Total = 1; } }
";

const SYMBOLS: [&str; 4] = [
    "Shop.Order",
    "Shop.Order.Total",
    "UpperExtension",
    "Program",
];

const PATHS: [&str; 6] = [
    "db/a.sql",
    "db/b.sql",
    "web/a.xaml",
    "web/a.cshtml",
    "Build.props",
    "docs/readme.md",
];

const TEXTS: [&str; 6] = [
    "SELECT Total FROM [Order]",
    "Upper Order Order",
    "<A Include=\"Order.cs\">Order.Total</A>",
    "UpperExtension Upper",
    "\u{0}Order",
    "Größe",
];

/// What happens to the repository.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Write(usize, usize),
    Remove(usize),
    Link(usize),
    /// So many files at once, each with a content of its own.
    Many(usize),
    Commit,
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        4 => (0..PATHS.len(), 0..TEXTS.len()).prop_map(|(path, text)| Edit::Write(path, text)),
        2 => (0..PATHS.len()).prop_map(Edit::Remove),
        1 => (0..PATHS.len()).prop_map(Edit::Link),
        1 => (1..20_usize).prop_map(Edit::Many),
        3 => Just(Edit::Commit),
    ]
}

fn apply(world: &Service, edit: Edit) {
    let place = |path: &str| world.path().join(path);
    match edit {
        Edit::Write(path, text) => {
            // A link would be written through.
            _ = std::fs::remove_file(place(PATHS[path]));
            world.write(PATHS[path], TEXTS[text]);
        }
        Edit::Remove(path) => _ = std::fs::remove_file(place(PATHS[path])),
        Edit::Link(path) => {
            _ = std::fs::remove_file(place(PATHS[path]));
            world.write(PATHS[path], "");
            _ = std::fs::remove_file(place(PATHS[path]));
            #[cfg(unix)]
            std::os::unix::fs::symlink("Order", place(PATHS[path])).expect("the path is free");
        }
        Edit::Many(n) => {
            for nth in 0..n {
                let text = format!("SELECT Order, Total, N{nth}Of{n}");
                world.write(&format!("many/{nth}.sql"), text);
            }
        }
        Edit::Commit => {
            world.git(&["add", "--all"]);
            world.git(&["commit", "--quiet", "--allow-empty", "--message", "Edit"]);
        }
    }
}

/// Mentions of a symbol as they are counted, and as they are counted off the list of them.
fn counts(world: &Service, symbol: &str, at: Option<&str>) -> (Value, Value) {
    let ask = |mentions: bool| {
        let mut request = json!({"symbol": symbol, "mentions": mentions, "limit": 100_000});
        if let Some(at) = at {
            request["at"] = json!(at);
        }
        let envelope = world.envelope("usages", request);
        let mut answer = envelope["answer"]["mentions"].clone();
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("items");
        }
        (envelope["answer"]["verdict"].clone(), answer)
    };
    let (counted, listed) = (ask(false), ask(true));
    (json!(counted), json!(listed))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    /// The count of each question is that of the list, at commits and in the work tree, by one process as by many.
    #[test]
    fn mentions_that_are_counted_are_those_that_are_listed(
        edits in proptest::collection::vec((edit(), any::<bool>()), 1..12),
    ) {
        let mut world = Service::with_files(&[
            ("src/Shop.csproj", PROJECT),
            ("src/Order.cs", CODE),
            ("db/a.sql", TEXTS[0]),
        ]);
        for (edit, is_opened_again) in edits {
            apply(&world, edit);
            if is_opened_again {
                world = world.opened_again();
            }
            for symbol in SYMBOLS {
                for at in [None, Some("HEAD"), Some("HEAD")] {
                    let (counted, listed) = counts(&world, symbol, at);
                    prop_assert_eq!(counted, listed, "{} at {:?} after {:?}", symbol, at, edit);
                }
            }
        }
    }
}
