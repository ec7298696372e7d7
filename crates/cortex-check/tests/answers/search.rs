//! `search symbols`.

use cortex_check::{Repository, expect};

use crate::look::SHOP;

#[test]
fn camel_humps_prefixes_and_qualified_names_find_a_member() {
    let shop = Repository::parse(SHOP);
    let expected = "method Shop.Storage.NodeStore.GetNode".to_owned();
    for query in [
        "NSGN",
        "nsGetN",
        "NodeStore.GetN",
        "Storage.GetNode",
        "GetNode",
        "GN",
    ] {
        let found = shop.search(query);
        assert!(found.contains(&expected), "{query}: {found:?}");
    }
}

#[test]
fn exact_names_come_first_then_types_then_members() {
    let shop = Repository::parse(SHOP);
    shop.check_search(
        "User",
        expect![[r#"
        class Shop.User
    "#]],
    );
    shop.check_search(
        "BS",
        expect![[r#"
        class Shop.Storage.BaseStore
    "#]],
    );
    shop.check_search(
        "store",
        expect![[r#"
        field Shop.User.store
        interface Shop.Storage.INodeStore
        class Shop.Storage.BaseStore
        class Shop.Storage.NodeStore
    "#]],
    );
    shop.check_search("zebra", expect![[""]]);
}

#[test]
fn a_name_with_gaps_comes_before_a_match_across_type_and_member() {
    let events = Repository::parse(
        "
//- /src/Events.cs project:App
namespace Log;
public class LogEventProperty { }
public class LogEventPropertyValue { LogEventPropertyValue more; }
public class LogEventTests { public void PropertiesPass() { } }
public class Lxoxgxexvxtxpxrxoxp { }
",
    );
    events.check_search(
        "LogEvtProp",
        expect![[r#"
            class Log.LogEventProperty
            class Log.LogEventPropertyValue
            method Log.LogEventTests.PropertiesPass
        "#]],
    );
    events.check_search(
        "LogEvProp",
        expect![[r#"
            class Log.LogEventProperty
            class Log.LogEventPropertyValue
            method Log.LogEventTests.PropertiesPass
        "#]],
    );
}
