//! The commands that look at symbols: what a text means, who uses what, what is related to what.

use cortex_check::{Service, Value, json, programs::store, with};

fn shop() -> Service {
    Service::with_files(store::FILES)
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The answer of a search.
fn search(world: &Service, query: &str, more: Value) -> Value {
    let request = json!({"query": query, "docIds": true});
    world.answer("search-symbols", with(&request, more))
}

/// The paths of the symbols that a search finds.
fn found(world: &Service, query: &str, more: Value) -> Vec<String> {
    (list(&search(world, query, more)["items"]).iter())
        .map(|item| text(&item["path"]).to_owned())
        .collect()
}

#[test]
fn a_renamed_symbol_is_followed_to_its_new_name() {
    let world = shop();
    world.answer("index", json!({"revisions": ["HEAD"]}));
    for (old, new) in [("src/Store.cs", "NodeStore"), ("src/User.cs", "NodeStore")] {
        let text = world.read(old).replace(&format!(" {new}"), " GraphStore");
        world.write(old, text.replace("\"NodeStore\"", "\"GraphStore\""));
    }
    let answer = world.answer("resolve", json!({"symbol": "NodeStore"}));
    assert_eq!(
        answer["subject"]["symbol"]["path"],
        "Shop.Storage.GraphStore"
    );
    assert_eq!(
        answer["subject"]["redirectedFrom"],
        "Shop.Storage.NodeStore"
    );
    let answer = world.answer("usages", json!({"symbol": "Storage.NodeStore"}));
    assert_eq!(
        answer["subject"]["redirectedFrom"],
        "Shop.Storage.NodeStore"
    );
    let answer = world.answer("resolve", json!({"symbol": "NodeStore", "at": "HEAD"}));
    assert_eq!(
        answer["subject"]["symbol"]["path"],
        "Shop.Storage.NodeStore"
    );
    assert!(answer["subject"]["redirectedFrom"].is_null());
}
#[test]
fn search_has_the_habits_of_go_to_symbol() {
    let world = shop();
    for query in [
        "NSGN",
        "nsGetN",
        "NodeStore.GetN",
        "Storage.GetNode",
        "GetNode",
        "GN",
    ] {
        let found = found(&world, query, json!({}));
        let wanted = "Shop.Storage.NodeStore.GetNode".to_owned();
        assert!(found.contains(&wanted), "{query}: {found:?}");
    }
    let first = |query: &str| found(&world, query, json!({})).first().cloned();
    assert_eq!(first("User").as_deref(), Some("Shop.User"));
    assert_eq!(first("BS").as_deref(), Some("Shop.Storage.BaseStore"));
    assert_eq!(first("store").as_deref(), Some("Shop.User.store"));
    assert_eq!(
        found(&world, "*Store", json!({"kinds": ["interface"]})),
        ["Shop.Storage.INodeStore"]
    );
    assert!(
        found(
            &world,
            "GetNode",
            json!({"filter": {"paths": ["src/User.cs"]}})
        )
        .is_empty()
    );
    assert!(found(&world, "zebra", json!({})).is_empty());
    let request = json!({"query": "G", "limit": 2});
    let envelope = world.envelope("search-symbols", request);
    let answer = &envelope["answer"];
    assert_eq!(list(&answer["items"]).len(), 2);
    let has_more = answer["total"].as_u64().expect("a number") > 2;
    assert_eq!(envelope["limits"]["cut"] == true, has_more);
    let item = &search(&world, "Twice", json!({}))["items"][0];
    let place = (
        &item["file"],
        &item["line"],
        &item["column"],
        &item["docId"],
    );
    let expected = (
        "src/User.cs".into(),
        10.into(),
        19.into(),
        "M:Shop.User.Twice".into(),
    );
    assert_eq!(place, (&expected.0, &expected.1, &expected.2, &expected.3));
    let external = search(&world, "Object", json!({"external": true}));
    assert!(
        list(&external["items"])
            .iter()
            .any(|it| it["kind"] == "external"),
        "{external:#}"
    );
}

/// What is kept of names from one question to the next changes no answer: after any edit they are those of an index
/// that is made from nothing.
#[test]
fn names_that_are_kept_are_those_of_a_new_index() {
    let mut world = shop();
    for (step, edit) in [2, 0, 3, 1, 4, 0].into_iter().enumerate() {
        let (path, old, new) = match edit {
            0 => (
                "src/User.cs",
                "public object Load()",
                "\n\npublic object Load()",
            ),
            1 => (
                "src/Store.cs",
                "private int _unused;",
                "private int _unused, _more;",
            ),
            2 => ("src/User.cs", "Twice()", "Thrice()"),
            3 => (
                "src/Store.cs",
                "public class NodeStore",
                "class Added : BaseStore { public override object GetNode(int id) => id; }\npublic class NodeStore",
            ),
            _ => ("src/User.cs", "namespace Shop;", "namespace Shop.Front;"),
        };
        let text = world.read(path).replacen(old, new, 1);
        world.write(path, text);
        if step % 2 == 0 && !world.git(&["status", "--porcelain"]).is_empty() {
            world.commit(&format!("Step {step}"));
        }
        // Another process reads what is in the store; the same one what is in memory, too.
        if step % 3 != 0 {
            world = world.opened_again();
        }
        for query in ["*", "s"] {
            let request = json!({"query": query, "docIds": true});
            let kept = world.envelope("search-symbols", request.clone());
            let fresh = world.with_new_index().envelope("search-symbols", request);
            assert_eq!(kept, fresh, "step {step}, {old}");
        }
    }
}
