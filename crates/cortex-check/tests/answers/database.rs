//! What changed files of SQL do to the objects of a database, and who names these.

use cortex_check::{Format, Service, Value, json, render};

/// What a change of files does, as rows: kind, name, what, parts and files.
fn told(before: &[(&str, &str)], after: &[(&str, &str)]) -> Vec<String> {
    let world = Service::parse("//- /A.cs\nclass A { }\n");
    for (path, text) in before {
        world.write(path, text);
    }
    world.commit("before");
    for (path, _) in before
        .iter()
        .filter(|(path, _)| !after.iter().any(|it| it.0 == *path))
    {
        world.remove(path);
    }
    for (path, text) in after {
        world.write(path, text);
    }
    world.commit("after");
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let all = answer["answer"]["database"].as_array().cloned();
    all.unwrap_or_default().iter().map(row).collect()
}

/// The same of owned texts.
fn told_of(before: Vec<(String, String)>, after: Vec<(String, String)>) -> Vec<String> {
    let [before, after] = [&before, &after].map(|all| {
        let all = all
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()));
        all.collect::<Vec<_>>()
    });
    told(&before, &after)
}

fn row(change: &Value) -> String {
    let text = |key: &str| change[key].as_str().unwrap_or_default().to_owned();
    let mut out = format!("{} {} {}", text("what"), text("object"), text("name"));
    for part in change["parts"].as_array().into_iter().flatten() {
        let side = |key: &str| part[key].as_str().unwrap_or("-").to_owned();
        let breaking = part["isBreaking"].as_bool().unwrap_or_default();
        let old = part["renamedFrom"].as_str().map(|it| format!("{it} → "));
        out.push_str(&format!(
            "; {}{} {} → {}{}",
            old.unwrap_or_default(),
            side("name"),
            side("before"),
            side("after"),
            if breaking { " !" } else { "" }
        ));
    }
    for constraint in change["constraints"].as_array().into_iter().flatten() {
        out.push_str(&format!("; {} {}", constraint["what"], constraint["name"]));
    }
    for entity in change["entities"].as_array().into_iter().flatten() {
        out.push_str(&format!("; entity {}", entity["file"]));
    }
    if change["isBodyChanged"] == true {
        out.push_str("; body");
    }
    if change["isDataChanged"] == true {
        out.push_str("; rows");
    }
    for behind in change["behind"].as_array().into_iter().flatten() {
        out.push_str(&format!("; behind: {} {}", behind["name"], behind["lacks"]));
    }
    for dependent in change["dependents"].as_array().into_iter().flatten() {
        out.push_str(&format!("; named by {}", dependent["name"]));
        for lacks in dependent["lacks"].as_array().into_iter().flatten() {
            out.push_str(&format!(" without {lacks}"));
        }
        for compared in dependent["compared"].as_array().into_iter().flatten() {
            out.push_str(&format!(
                " ({} {} = {})",
                compared["name"], compared["declared"], compared["column"]
            ));
        }
    }
    format!("{out} | {}", text("file"))
}

fn procedure(name: &str, parameters: &str, body: &str) -> String {
    format!("CREATE PROCEDURE [dbo].[{name}]\n{parameters}\nAS\nBEGIN\n    {body}\nEND\n")
}

#[test]
fn parameters_that_callers_must_give_break_them_and_others_do_not() {
    let old = procedure(
        "Order_Create",
        "    @Id INT,\n    @Name NVARCHAR(50),\n    @Old INT",
        "SELECT 1",
    );
    let new = procedure(
        "Order_Create",
        "    @Id BIGINT,\n    @Name NVARCHAR(50) = NULL,\n    @Key INT,\n    @Note INT = 1",
        "SELECT 1",
    );
    assert_eq!(
        told(
            &[("a/Order_Create.sql", &old)],
            &[("a/Order_Create.sql", &new)]
        ),
        [
            "changed procedure Order_Create; @Id INT → BIGINT !; @Name NVARCHAR(50) → NVARCHAR(50) = NULL; @Key - → INT !; @Note - → INT = 1; @Old INT → - ! | a/Order_Create.sql"
        ]
    );
}

#[test]
fn what_says_the_same_elsewhere_and_in_another_layout_is_no_change() {
    let old = procedure("Order_Read", "    @Id INT", "SELECT [A] FROM [dbo].[Order]");
    let new = "-- kept here now\nCREATE OR ALTER PROC dbo.Order_Read (@Id int) AS begin select A from dbo.Order end\nGO";
    let rows = told(&[("a/Order_Read.sql", &old)], &[("b/Order_Read.sql", new)]);
    assert_eq!(rows, [] as [&str; 0]);
}

#[test]
fn a_script_that_repeats_a_definition_is_told_beside_it() {
    let old = procedure("Order_Read", "    @Id INT", "SELECT 1");
    let new = procedure("Order_Read", "    @Id INT", "SELECT 2");
    let script = format!(
        "IF 1 = 1 DROP PROCEDURE [dbo].[Order_Read]\nGO\n{new}GO\nALTER TABLE [dbo].[Order] ADD [Key] INT NOT NULL\nGO\nALTER TABLE [dbo].[Item] DROP COLUMN [Old]\n"
    );
    let table = |rest: &str| {
        format!(
            "CREATE TABLE [dbo].[Order] (\n    [Id] INT NOT NULL{rest},\n    CONSTRAINT PK PRIMARY KEY ([Id])\n)\n"
        )
    };
    let before = [("Order_Read.sql", old.as_str()), ("Order.sql", &table(""))];
    let after = [
        ("Order_Read.sql", new.as_str()),
        ("Order.sql", &table(",\n    [Key] INT NOT NULL")),
        ("scripts/1.sql", &script),
    ];
    assert_eq!(
        told(&before, &after),
        [
            "changed table Item; Old  → - ! | scripts/1.sql",
            "changed table Order; Key - → INT NOT NULL ! | Order.sql",
            "changed procedure Order_Read; body | Order_Read.sql",
        ]
    );
    // A script alone: what it replaces is where it was.
    let kept = [("Order_Read.sql", old.as_str())];
    let script = new.replace("CREATE", "CREATE OR ALTER");
    let after = [("Order_Read.sql", old.as_str()), ("scripts/2.sql", &script)];
    assert_eq!(
        told(&kept, &after),
        ["changed procedure Order_Read; body | scripts/2.sql"]
    );
}

#[test]
fn what_is_dropped_or_deleted_is_gone() {
    let view = "CREATE VIEW [dbo].[OrderView] AS SELECT 1\n";
    let trigger = "CREATE TRIGGER T ON [dbo].[Order] AFTER INSERT AS SELECT 1\n";
    assert_eq!(
        told(
            &[("V.sql", view)],
            &[
                ("T.sql", trigger),
                ("drop.sql", "DROP FUNCTION IF EXISTS dbo.F;\n")
            ]
        ),
        [
            "removed function F | drop.sql",
            "removed view OrderView | V.sql",
            "added trigger T | T.sql",
        ]
    );
}

#[test]
fn a_routine_for_the_same_object_that_lacks_a_new_parameter_is_told() {
    let parameters = "    @Id INT,\n    @A INT,\n    @B INT";
    let with = format!("{parameters},\n    @Key INT");
    let update = procedure("Order_Update", parameters, "SELECT 1");
    let read = procedure("Order_Read", "    @Id INT", "SELECT 1");
    let kept = [
        ("Order_Update.sql", update.as_str()),
        ("Order_Read.sql", &read),
    ];
    let create = |parameters: &str| procedure("Order_Create", parameters, "SELECT 1");
    let (old, new) = (create(parameters), create(&with));
    let rows = told(
        &[kept[0], kept[1], ("Order_Create.sql", &old)],
        &[kept[0], kept[1], ("Order_Create.sql", &new)],
    );
    assert_eq!(
        rows,
        [
            "changed procedure Order_Create; @Key - → INT !; behind: \"Order_Update\" [\"@Key\"] | Order_Create.sql"
        ]
    );
}

#[test]
fn unchanged_routines_and_views_that_name_a_changed_one_are_told() {
    let view = |columns: &str| {
        format!("CREATE VIEW [dbo].[OrderView] AS SELECT {columns} FROM [dbo].[Order]\n")
    };
    let read = procedure(
        "Order_Read",
        "    @Id INT",
        "SELECT * FROM [dbo].[OrderView]",
    );
    let run = procedure("Order_Run", "    @Id INT", "EXEC dbo.order_read @Id");
    let other = procedure(
        "Item_Read",
        "    @Id INT",
        "SELECT 'OrderView' -- [OrderView]",
    );
    // A script brings databases to where the files are, and was run before.
    let script = format!("{read}GO\n{run}");
    let kept = [
        ("Order_Run.sql", run.as_str()),
        ("Item_Read.sql", &other),
        ("scripts/1.sql", &script),
    ];
    let (old, new) = (view("[Id]"), view("[Id], [Key]"));
    let with = |path: &'static str, text: &str| -> Vec<(String, String)> {
        let kept = kept
            .iter()
            .map(|(path, text)| (path.to_string(), text.to_string()));
        kept.chain([(path.to_owned(), text.to_owned())]).collect()
    };
    let mut before = with("OrderView.sql", &old);
    before.push(("Order_Read.sql".to_owned(), read.clone()));
    let mut after = with("OrderView.sql", &new);
    after.push(("Order_Read.sql".to_owned(), read.clone()));
    assert_eq!(
        told_of(before, after),
        ["changed view OrderView; body; named by \"Order_Read\" | OrderView.sql"]
    );
    assert_eq!(
        told_of(
            with("Order_Read.sql", &read),
            with("Order_Read.sql", &read.replace("*", "[Id]"))
        ),
        ["changed procedure Order_Read; body; named by \"Order_Run\" | Order_Read.sql"]
    );
}

#[test]
fn what_may_be_empty_no_longer_or_must_be_given_breaks_and_more_does_not() {
    let table =
        |size: &str| format!("CREATE TABLE [dbo].[Order] ([Id] INT NOT NULL, [Size] {size})\n");
    let breaks = |old: &str, new: &str| {
        let (old, new) = (table(old), table(new));
        told(&[("Order.sql", &old)], &[("Order.sql", &new)])[0].contains(" !")
    };
    assert!(!breaks("INT NOT NULL", "INT NOT NULL DEFAULT 0"));
    assert!(!breaks("INT NOT NULL", "INT NULL"));
    assert!(breaks("INT NULL DEFAULT 0", "INT NOT NULL DEFAULT 0"));
    assert!(breaks("INT NULL", "BIGINT NULL"));
    let procedure = |size: &str| procedure("Order_Save", &format!("    @Size {size}"), "SELECT 1");
    let breaks = |old: &str, new: &str| {
        let (old, new) = (procedure(old), procedure(new));
        told(&[("Order_Save.sql", &old)], &[("Order_Save.sql", &new)])[0].contains(" !")
    };
    assert!(!breaks("INT", "INT = 0"));
    assert!(breaks("INT = 0", "INT"));
}

#[test]
fn statements_that_fill_a_table_but_for_a_new_column_are_told() {
    let table = |columns: &str| {
        format!(
            "CREATE TABLE [dbo].[Order] ([Id] INT NOT NULL, [Key] INT NULL, [State] INT NULL, [Size] INT NULL{columns})\n"
        )
    };
    let insert = |name: &str, columns: &str| {
        let body = format!("INSERT INTO [dbo].[Order] ({columns}) SELECT {columns} FROM @Orders");
        procedure(name, "    @Json NVARCHAR(MAX)", &body)
    };
    let update = |name: &str, set: &str| {
        let body = format!("UPDATE [dbo].[Order] SET {set} WHERE [Note] = 1");
        procedure(name, "    @Id INT", &body)
    };
    let routines = [
        (
            "Order_Many.sql",
            insert("Order_Many", "[Id], [Key], [State]"),
        ),
        (
            "Order_All.sql",
            insert("Order_All", "[Id], [Key], [State], [Size], [Note]"),
        ),
        ("Order_Few.sql", insert("Order_Few", "[Id], [Key]")),
        (
            "Order_Save.sql",
            update("Order_Save", "[Key] = @Id, [State] = 2, [Size] = 3"),
        ),
        ("Order_Mark.sql", update("Order_Mark", "[State] = 2")),
    ];
    let with = |table: String| -> Vec<(String, String)> {
        let routines = routines
            .iter()
            .map(|(path, text)| (path.to_string(), text.clone()));
        routines.chain([("Order.sql".to_owned(), table)]).collect()
    };
    let told = told_of(with(table("")), with(table(", [Note] INT NULL")));
    assert_eq!(
        told,
        [
            "changed table Order; Note - → INT NULL; named by \"Order_Many\" without \"Note\"; named by \"Order_Save\" without \"Note\" | Order.sql"
        ]
    );
    let told = told_of(with(table(", [Note] INT NULL")), with(table("")));
    assert_eq!(
        told,
        [
            "changed table Order; Note INT NULL → - !; named by \"Order_All\"; named by \"Order_Mark\"; named by \"Order_Save\" | Order.sql"
        ]
    );
}

#[test]
fn routines_that_take_a_changed_type_are_told() {
    let ty = |columns: &str| format!("CREATE TYPE [dbo].[Ids] AS TABLE ({columns})\n");
    let take = procedure("Take", "    @Ids [dbo].[Ids] READONLY", "SELECT 1");
    let rest = procedure("Rest", "    @Ids INT", "SELECT 1");
    let with = |columns: &str| -> Vec<(String, String)> {
        let all = [
            ("Ids.sql", ty(columns)),
            ("Take.sql", take.clone()),
            ("Rest.sql", rest.clone()),
        ];
        all.map(|(path, text)| (path.to_owned(), text)).to_vec()
    };
    assert_eq!(
        told_of(with("[Id] INT NOT NULL"), with("[Id] BIGINT NOT NULL")),
        ["changed type Ids; Id INT NOT NULL → BIGINT NOT NULL !; named by \"Take\" | Ids.sql"]
    );
}

#[test]
fn parameters_that_are_compared_with_a_column_of_another_type_now_are_told() {
    let table = |ty: &str| {
        format!("CREATE TABLE [dbo].[Link] (\n    [Key] {ty} NOT NULL,\n    [Id] INT NOT NULL\n)\n")
    };
    let find = |name: &str, ty: &str, column: &str| {
        let body = format!("SELECT * FROM [dbo].[Link] L WHERE L.[{column}] = @Key");
        procedure(name, &format!("    @Key {ty}"), &body)
    };
    let (stale, wide, other) = (
        find("Link_Find", "NVARCHAR (50)", "Key"),
        find("Link_FindWide", "NVARCHAR(300)", "Key"),
        find("Link_FindId", "NVARCHAR(50)", "Id"),
    );
    let with = |table: &str| -> Vec<(String, String)> {
        let all = [
            ("Link.sql", table),
            ("Link_Find.sql", &stale),
            ("Link_FindWide.sql", &wide),
            ("Link_FindId.sql", &other),
        ];
        all.map(|(path, text)| (path.to_owned(), text.to_owned()))
            .to_vec()
    };
    let told = |before: &str, after: &str| told_of(with(before), with(after));
    assert_eq!(
        told(&table("NVARCHAR(50)"), &table("NVARCHAR(300)")),
        [
            "changed table Link; Key NVARCHAR(50) NOT NULL → NVARCHAR(300) NOT NULL !; named by \"Link_Find\" (\"@Key\" \"NVARCHAR(50)\" = \"Key\") | Link.sql"
        ]
    );
    // Whoever names a column that is gone has to do without it.
    let without = "CREATE TABLE [dbo].[Link] (\n    [Id] INT NOT NULL\n)\n";
    assert_eq!(
        told(&table("INT"), without),
        [
            "changed table Link; Key INT NOT NULL → - !; named by \"Link_Find\"; named by \"Link_FindWide\" | Link.sql"
        ]
    );
}

#[test]
fn who_runs_a_procedure_through_a_generic_type_is_told_with_its_tests() {
    let world = Service::parse(
        "
//- /A.cs project:Shop packages:Dapper
using System.Data;
public class Order { }
public class Item { }
public interface IRepository<T> { void Save(T it); void Keep(T it); }
public interface IOrders : IRepository<Order> { }
public interface IItems : IRepository<Item> { }
public abstract class Repository<T> : IRepository<T> {
    protected string Table = typeof(T).Name; IDbConnection db;
    public virtual void Save(T it) => db.Execute($\"[dbo].[{Table}_Update]\", CommandType.StoredProcedure);
    public void Keep(T it) => Save(it);
}
public class Orders : Repository<Order>, IOrders { }
public class Items : Repository<Item>, IItems { }
public class Desk {
    public void Sell(IOrders orders) => orders.Save(new Order());
    public void Stock(IItems items) => items.Save(new Item());
    public void Hold(IOrders orders) => orders.Keep(new Order());
}
//- /T.cs project:Tests refs:Shop packages:xunit
using Xunit;
public class DeskTests {
    [Fact] public void Sells() => new Desk().Sell(new Orders());
    [Fact] public void Stocks() => new Desk().Stock(new Items());
    [Fact] public void Holds() => new Desk().Hold(new Orders());
    [Fact] public void Saves() => new Orders().Save(null);
    [Fact] public void Made() => Help.Make(new Orders());
}
static class Help { public static void Make(IOrders orders) => orders.Save(null); }
",
    );
    world.write(
        "Order_Update.sql",
        procedure("Order_Update", "    @Id INT", "SELECT 1"),
    );
    world.commit("procedure");
    world.write(
        "Order_Update.sql",
        procedure("Order_Update", "    @Id INT", "SELECT 2"),
    );
    world.commit("change");
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let text = render(&answer, Format::Markdown, 4_000).expect("the answer has Markdown");
    let told = "\nOrder_Update in SQL: named by A.cs:9 in Repository`1.Save; called for it by A.cs:15 in Sell; perhaps also by A.cs:17 in Hold\n";
    assert!(text.contains(told), "{text}");
    let tests = world.envelope("tests", json!({"subjects": ["HEAD~1..HEAD"]}));
    let tests = tests["answer"]["subjects"][0]["tests"]
        .as_array()
        .expect("tests")
        .clone();
    // No code of tests changed.
    for mark in ["isByTestCode", "isChanged"] {
        assert!(tests.iter().all(|it| it.get(mark).is_none()), "{tests:?}");
    }
    let mut methods: Vec<&str> = tests
        .iter()
        .filter_map(|it| it["method"].as_str())
        .collect();
    methods.sort_unstable();
    assert_eq!(methods, ["Holds", "Made", "Saves", "Sells"]);
    // Of two objects each has its own.
    for (name, n) in [("Order_Update", 3), ("Item_Update", 1)] {
        let path = format!("{name}.sql");
        let body = format!("SELECT {n}");
        world.write(&path, procedure(name, "    @Id INT", &body));
    }
    world.commit("both");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    assert!(text.contains(told), "{text}");
    // No type is for it.
    world.write(
        "OrderDetails_Update.sql",
        procedure("OrderDetails_Update", "    @Id INT", "SELECT 1"),
    );
    world.commit("another");
    let details = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    assert!(!details.contains("named by"), "{details}");
    let other = "Item_Update in SQL: named by A.cs:9 in Repository`1.Save; called for it by A.cs:16 in Stock\n";
    assert!(text.contains(other), "{text}");
}

#[test]
fn tests_that_may_run_a_double_of_what_runs_a_procedure_come_last() {
    let world = Service::parse(
        "
//- /A.cs project:Shop packages:Dapper
using System.Data;
public class Order { }
public interface IRepository<T> { void Save(T it); }
public interface IOrders : IRepository<Order> { }
public class Repository<T> : IRepository<T> {
    protected string Table = typeof(T).Name; IDbConnection db;
    public void Save(T it) => db.Execute($\"[dbo].[{Table}_Update]\", CommandType.StoredProcedure);
}
public class Orders : Repository<Order>, IOrders { public void Own() => Save(null); }
//- /D.cs project:Doubles refs:Shop packages:xunit,NSubstitute
public class ADoubles { [Xunit.Fact] public void Saves(IOrders orders) => orders.Save(null); }
//- /T.cs project:Tests refs:Shop packages:xunit,NSubstitute
public class Real { [Xunit.Fact] public void Runs() => Help.Go(new Orders()); }
static class Help { public static void Go(Orders orders) => orders.Own(); }
",
    );
    for n in [1, 2] {
        let body = format!("SELECT {n}");
        world.write(
            "Order_Update.sql",
            procedure("Order_Update", "    @Id INT", &body),
        );
        world.commit("procedure");
    }
    let tests = world.envelope("tests", json!({"subjects": ["HEAD~1..HEAD"]}));
    let tests = tests["answer"]["subjects"][0]["tests"]
        .as_array()
        .expect("tests")
        .clone();
    let methods: Vec<&str> = tests
        .iter()
        .filter_map(|it| it["method"].as_str())
        .collect();
    // The way to code is longer.
    assert_eq!(methods, ["Runs", "Saves"]);
}

#[test]
fn lines_of_sql_that_decide_come_before_columns_and_are_shown_once() {
    let columns: Vec<String> = (0..30).map(|n| format!("        [C{n}],")).collect();
    let view = format!(
        "CREATE VIEW [dbo].[V]\nAS\nSELECT\n{}\nFROM [dbo].[Order]\nWHERE [A] = 1\n    AND [B] IS NULL\n",
        columns.join("\n")
    );
    let world = Service::parse("//- /A.cs\nclass A { }\n");
    world.write("V.sql", &view);
    world.write(
        "scripts/1.sql",
        format!("{view}GO\nUPDATE [dbo].[Order] SET [A] = 2\n"),
    );
    world.commit("view");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    for line in [
        "+ FROM [dbo].[Order]",
        "+ WHERE [A] = 1",
        "+ AND [B] IS NULL",
        "+ UPDATE [dbo].[Order] SET [A] = 2",
    ] {
        assert_eq!(text.matches(line).count(), 1, "{line}\n{text}");
    }
    assert!(text.contains("view added: V | V.sql:1"), "{text}");
}

#[test]
fn scripts_that_are_new_change_rows_and_routines_do_not_where_they_are_defined() {
    let routine = procedure(
        "Order_Close",
        "    @Id INT",
        "UPDATE [dbo].[Order] SET [Open] = 0",
    );
    let script = format!(
        "{routine}GO\nUPDATE [dbo].[Item] SET [A] = 1 WHERE [B] IN (17, 18)\nINSERT INTO #Temp VALUES (1)\nGO\nDELETE FROM [dbo].[Gone];\nALTER TABLE [dbo].[Part] ADD CONSTRAINT FK FOREIGN KEY (Id) REFERENCES [dbo].[Item] (Id) ON DELETE CASCADE\n"
    );
    assert_eq!(
        told(
            &[("scripts/0.sql", "UPDATE [dbo].[Old] SET [A] = 1\n")],
            &[
                ("scripts/0.sql", "UPDATE [dbo].[Old] SET [A] = 2\n"),
                ("scripts/1.sql", &script),
            ]
        ),
        [
            "added procedure Order_Close | scripts/1.sql",
            "changed table Gone; rows | scripts/1.sql",
            "changed table Item; rows | scripts/1.sql",
            "changed table Part; body | scripts/1.sql",
        ]
    );
}

#[test]
fn a_column_that_a_script_alters_is_not_new() {
    let script = "ALTER TABLE [dbo].[Order] ALTER COLUMN [Key] INT NOT NULL\nGO\nALTER TABLE [dbo].[Item] ADD [New] INT NULL\n";
    let kept = ("kept.sql", "SELECT 1\n");
    assert_eq!(
        told(&[kept], &[kept, ("scripts/1.sql", script)]),
        [
            "changed table Order; Key  → INT NOT NULL ! | scripts/1.sql",
            "changed table Item; New - → INT NULL | scripts/1.sql",
        ]
    );
    let world = Service::parse("//- /A.cs\nclass A { }\n");
    world.write("scripts/1.sql", script);
    world.commit("script");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    assert!(
        text.contains("\nbreaking table Order: ~ Key INT NOT NULL | scripts/1.sql:1\n"),
        "{text}"
    );
}

#[test]
fn what_was_there_and_differs_stands_before_what_is_new_and_what_changes_nothing_last() {
    let world = Service::parse("//- /A.cs\nclass A { }\n");
    world.write("b.hbs", "\u{feff}one\nkept\n");
    world.write("c.yml", "one: 1\n");
    world.write("d.md", "One.\n");
    world.write("z.sql", "SELECT 1\n");
    world.commit("before");
    world.write("a.yml", "new: 1\n");
    world.write("b.hbs", "one\nkept\nmore\n");
    world.write("c.yml", "one:  1\n");
    world.write("d.md", "Two.\n");
    world.write("z.sql", "SELECT 2 FROM T\n");
    world.commit("after");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}:\n{text}"));
    let order = [
        "modified z.sql",
        "modified b.hbs",
        "added a.yml",
        "modified d.md",
        "modified c.yml",
    ];
    assert!(order.map(at).is_sorted(), "{text}");
    // The mark of an encoding is no change of the line.
    let lines = "modified b.hbs +2 -1\n    one\n    kept\n  + more\n";
    assert!(text.contains(lines), "{text}");
}

#[test]
fn sql_that_names_a_property_is_told_where_it_is_called_like_the_type() {
    let world = Service::parse(
        "//- /A.cs\npublic class Order { public int Price { get; set; } public int Size { get; set; } }\npublic class OrderItem { }\n",
    );
    let sql = "CREATE TABLE x (\n  Price INT,\n  Size INT)\n";
    let files = [
        "db/Order.sql",
        "db/Order_Create.sql",
        "db/OrderView.sql",
        "db/Orders.sql",
        "db/OrderItem_Create.sql",
        "db/2024-01-01_Price.sql",
    ];
    for path in files {
        world.write(path, sql);
    }
    world.commit("before");
    world.edit("A.cs", " public int Price { get; set; }", "");
    world.write("db/OrderView.sql", "CREATE TABLE y (\n  Price INT)\n");
    world.commit("after");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let row = "\nOrder.Price in SQL: named at db/Order.sql:2, Order_Create.sql:2\n";
    assert!(text.contains(row), "{text}");
}

/// A contract with an implementation by a procedure and one by LINQ.
const TWINS: &str = "
//- /Shop/Orders.cs project:Shop packages:Dapper
using System.Data;
namespace Shop;
public interface IOrders { int Open(IDbConnection db); int All(IDbConnection db); }
//- /Shop/Sql/Orders.cs project:Shop
using System.Data;
namespace Shop.Sql;
public class OrderStore : IOrders {
    public int Open(IDbConnection db) => db.Execute($\"[{Schema}].[Order_ReadOpen]\", CommandType.StoredProcedure);
    public int All(IDbConnection db) => db.Execute($\"[dbo].[{Table}_ReadAll]\", CommandType.StoredProcedure);
    string Schema = \"dbo\", Table = \"Order\";
}
//- /Shop/Linq/Orders.cs project:Shop
using System.Data;
namespace Shop.Linq;
public class OrderStore : IOrders {
    public int Open(IDbConnection db) => 1;
    public int All(IDbConnection db) => 2;
}
";

const OPEN: &str = "CREATE PROCEDURE [dbo].[Order_ReadOpen] AS SELECT 1\n";
const ALL: &str = "CREATE PROCEDURE [dbo].[Order_ReadAll] AS SELECT 1\n";

#[test]
fn implementations_beside_what_names_a_changed_procedure_are_told_where_they_did_not_change() {
    let siblings = |edits: &[(&str, &str, &str)]| {
        let world = Service::parse(TWINS);
        world.write("Order_ReadOpen.sql", OPEN);
        world.write("Order_ReadAll.sql", ALL);
        world.commit("procedures");
        for (path, from, to) in edits {
            world.edit(path, from, to);
        }
        world.commit("change");
        let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
        let text = render(&answer, Format::Markdown, 4_000).expect("the answer has Markdown");
        let named = answer["answer"]["impact"]["procedures"].as_array().cloned();
        let named = named.unwrap_or_default().into_iter();
        let named = named.map(|it| format!("{}: {}", it["name"], it["siblings"]));
        (named.collect::<Vec<_>>(), text)
    };
    let procedure = ("Order_ReadOpen.sql", "SELECT 1", "SELECT 2");
    let (named, text) = siblings(&[procedure]);
    assert_eq!(
        named,
        ["\"Order_ReadOpen\": [\"M:Shop.Linq.OrderStore.Open(System.Data.IDbConnection)\"]"]
    );
    let row = "Order_ReadOpen in SQL: named by Shop/Sql/Orders.cs:4 in OrderStore.Open; also implemented, unchanged: \
               Shop.Linq.OrderStore.Open\n";
    assert!(text.contains(row), "{text}");
    let twin = ("Shop/Linq/Orders.cs", "=> 1", "=> 3");
    let (named, text) = siblings(&[procedure, twin]);
    assert_eq!(named, ["\"Order_ReadOpen\": null"]);
    assert!(!text.contains("unchanged"), "{text}");
}

#[test]
fn siblings_of_changed_code_are_told_with_the_procedures_that_they_name() {
    let world = Service::parse(TWINS);
    world.write("Sql/Order_ReadOpen.sql", OPEN);
    world.write("Sql/Order_ReadAll.sql", ALL);
    world.write("Scripts/01.sql", OPEN);
    world.commit("procedures");
    world.edit("Shop/Linq/Orders.cs", "=> 1", "=> 3");
    world.edit("Shop/Linq/Orders.cs", "=> 2", "=> 4");
    world.commit("change");
    let text = world.markdown("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    for told in [
        "also implemented, unchanged: Shop.Sql.OrderStore.Open (runs Order_ReadOpen, Sql/Order_ReadOpen.sql:1)\n",
        "also implemented, unchanged: Shop.Sql.OrderStore.All (runs Order_ReadAll, Sql/Order_ReadAll.sql:1)\n",
    ] {
        assert!(text.contains(told), "{told}{text}");
    }
}

#[test]
fn scripts_that_define_an_object_otherwise_than_its_file_are_told() {
    let world = Service::parse("//- /A.cs\nclass A { }\n");
    for name in ["Order_ReadOpen", "Order_ReadAll"] {
        world.write(
            &format!("Sql/{name}.sql"),
            procedure(name, "    @Id INT", "SELECT 1"),
        );
    }
    world.commit("procedures");
    for name in ["Order_ReadOpen", "Order_ReadAll"] {
        world.write(
            &format!("Sql/{name}.sql"),
            procedure(name, "    @Id INT", "SELECT 1, 2"),
        );
    }
    let alter = |name: &str, body: &str| {
        procedure(name, "    @id int", body).replace("CREATE", "CREATE OR ALTER")
    };
    world.write(
        "Scripts/01.sql",
        format!(
            "{}GO\n{};\n",
            alter("Order_ReadAll", "SELECT 1"),
            alter("Order_ReadOpen", "select 1, 2").trim_end()
        ),
    );
    world.commit("scripts");
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let all = answer["answer"]["database"]
        .as_array()
        .expect("objects")
        .iter();
    let told: Vec<String> = all
        .map(|it| format!("{} {} {}", it["name"], it["alsoIn"], it["otherwiseIn"]))
        .collect();
    assert_eq!(
        told,
        [
            "\"Order_ReadAll\" null [\"Scripts/01.sql\"]",
            "\"Order_ReadOpen\" [\"Scripts/01.sql\"] null"
        ]
    );
    let text = render(&answer, Format::Markdown, 4_000).expect("the answer has Markdown");
    assert_eq!(
        text.matches("; defined otherwise in Scripts/01.sql")
            .count(),
        1,
        "{text}"
    );
}

#[test]
fn the_definition_that_a_script_leaves_as_it_was_is_told() {
    let world = Service::parse("//- /A.cs\nclass A { }\n");
    world.write("Sql/Order_ReadOpen.sql", OPEN);
    world.write("Sql/Order_ReadAll.sql", ALL);
    world.commit("procedures");
    for (path, procedure) in [("Scripts/01.sql", OPEN), ("Scripts/02.sql", ALL)] {
        world.write(path, procedure.replace("SELECT 1", "SELECT 2"));
    }
    world.edit("Sql/Order_ReadAll.sql", "SELECT 1", "SELECT 2");
    world.commit("scripts");
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let still: Vec<(&str, Option<&str>)> = (answer["answer"]["database"].as_array())
        .expect("objects")
        .iter()
        .map(|it| (it["name"].as_str().expect("a name"), it["stillIn"].as_str()))
        .collect();
    assert_eq!(
        still,
        [
            ("Order_ReadAll", None),
            ("Order_ReadOpen", Some("Sql/Order_ReadOpen.sql"))
        ]
    );
    let text = render(&answer, Format::Markdown, 4_000).expect("the answer has Markdown");
    let told = "; as before in Sql/Order_ReadOpen.sql\n";
    assert_eq!(text.matches(told).count(), 1, "{text}");
    assert_eq!(text.matches("as before in").count(), 1, "{text}");
}

#[test]
fn unchanged_routines_are_told_that_changed_code_runs_or_no_code_names_any_longer() {
    let world = Service::parse(TWINS);
    world.write(
        "Shop/Pages.cs",
        "namespace Shop;\npublic class Pages {\n  readonly IOrders orders;\n  public int Show() => 0;\n  public int Same() => orders.All(null);\n}\n",
    );
    world.write("Sql/Order_ReadOpen.sql", OPEN);
    world.write("Sql/Order_ReadAll.sql", ALL);
    world.commit("procedures");
    world.edit("Shop/Pages.cs", "=> 0", "=> orders.Open(null)");
    world.edit("Shop/Sql/Orders.cs", "[dbo].[{Table}_ReadAll]", "SELECT 1");
    world.commit("change");
    let routines = |range: &str| {
        let answer = world.envelope("diff-context", json!({"revisions": [range]}));
        let of = |key: &str| {
            let all = answer["answer"]["impact"][key].as_array().cloned();
            let all = all.unwrap_or_default().into_iter();
            let all = all.map(|it| format!("{} {}", it["name"], it["member"]));
            all.collect::<Vec<_>>()
        };
        let text = render(&answer, Format::Markdown, 4_000).expect("the answer has Markdown");
        (of("runRoutines"), of("leftRoutines"), text)
    };
    let (run, left, text) = routines("HEAD~1..HEAD");
    let open = "\"M:Shop.Sql.OrderStore.Open(System.Data.IDbConnection)\"";
    assert_eq!(run, [format!("\"Order_ReadOpen\" {open}")]);
    // What a string puts together may be meant by others.
    assert_eq!(left, [""; 0]);
    let told = "unchanged SQL that changed code runs: Sql/Order_ReadOpen.sql:1 (OrderStore.Open)\n";
    assert!(text.contains(told), "{text}");
    world.edit(
        "Shop/Sql/Orders.cs",
        "[{Schema}].[Order_ReadOpen]",
        "SELECT 2",
    );
    world.commit("gone");
    let (run, left, text) = routines("HEAD~1..HEAD");
    assert_eq!(run, [""; 0]);
    assert_eq!(left, [format!("\"Order_ReadOpen\" {open}")]);
    let told = "SQL that no code names any longer: Sql/Order_ReadOpen.sql:1 (OrderStore.Open)\n";
    assert!(text.contains(told), "{text}");
    world.write(
        "Shop/More.cs",
        "static class Names {\n  public const string Open = \"[dbo].[Order_ReadOpen]\";\n}\n",
    );
    world.commit("named again");
    let (_, left, _) = routines("HEAD~2..HEAD");
    assert_eq!(left, [""; 0]);
    world.edit("Shop/More.cs", "[Order_ReadOpen]", "[{Table}_ReadOpen]");
    world.edit(
        "Shop/More.cs",
        "const string Open = \"",
        "static string Open = $\"",
    );
    world.commit("named by its end");
    let (_, left, _) = routines("HEAD~3..HEAD");
    assert_eq!(left, [""; 0]);
}

/// A file with a migration, whose builder is called `b`.
fn migration(up: &str) -> String {
    format!(
        "using Microsoft.EntityFrameworkCore.Migrations;\npublic partial class M : Migration\n{{\n    protected override void Up(MigrationBuilder b)\n    {{\n        {up}\n    }}\n    protected override void Down(MigrationBuilder b) {{ b.DropTable(\"Down\"); }}\n}}\n"
    )
}

/// What `AlterColumn` says of a column that may be empty no longer.
fn filled(table: &str, ty: &str) -> String {
    format!(
        "b.AlterColumn<string>(name: \"Note\", table: \"{table}\", type: \"{ty}\", nullable: false, defaultValue: \"\", oldClrType: typeof(string), oldType: \"{ty}\", oldNullable: true);"
    )
}

#[test]
fn migrations_for_several_databases_are_told_once_for_each_table() {
    let up = |ty: &str| {
        let looser = format!(
            "b.AlterColumn<string>(name: \"Name\", table: \"Order\", type: \"{ty}\", nullable: true, oldType: \"{ty}\");"
        );
        let more = "b.AddColumn<int>(name: \"Count\", table: \"Order\", nullable: false, defaultValue: 0); b.AddColumn<int>(\"Rank\", \"Order\", type: \"int\"); b.DropColumn(name: \"Old\", table: \"Order\"); b.RenameColumn(name: \"A\", table: \"Order\", newName: \"B\"); b.CreateIndex(name: \"IX\", table: \"Order\", column: \"B\"); b.DropTable(\"Gone\"); b.Sql(\"UPDATE [Item] SET A = 1\");";
        migration(&format!("{} {looser} {more}", filled("Order", ty)))
    };
    let (one, two) = (up("varchar(9)"), up("text"));
    assert_eq!(
        told(
            &[("B.cs", "class B { }\n")],
            &[("My/1_M.cs", &one), ("Post/1_M.cs", &two)]
        ),
        [
            "removed table Gone | My/1_M.cs",
            "changed table Order; Note varchar(9) NULL → varchar(9) NOT NULL DEFAULT '' !; Name varchar(9) NOT NULL → varchar(9) NULL; Count - → int NOT NULL DEFAULT 0; Rank - → int NOT NULL !; Old  → - !; A → B  →  !; \"added\" \"IX\"; body | My/1_M.cs",
            "changed table Item; rows | My/1_M.cs",
        ]
    );
    // What was there before is done, and what is no migration does nothing.
    let other = one.replace(": Migration", ": Other");
    assert_eq!(
        told(
            &[("My/1_M.cs", &one)],
            &[("My/1_M.cs", &two), ("A/2.cs", &other)]
        ),
        [] as [&str; 0]
    );
}

#[test]
fn routines_that_name_a_column_with_another_name_are_told() {
    let renames = migration("b.RenameColumn(name: \"Old\", table: \"Order\", newName: \"New\");");
    let read = |name: &str, column: &str| {
        procedure(
            name,
            "    @Id INT",
            &format!("SELECT [{column}] FROM [dbo].[Order]"),
        )
    };
    let (old, new) = (read("Order_Old", "Old"), read("Order_New", "New"));
    let kept = [("Order_Old.sql", old.as_str()), ("Order_New.sql", &new)];
    let after = [kept[0], kept[1], ("M/1.cs", &renames)];
    let told = told(&kept, &after);
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("; named by \"Order_Old\" |"), "{told:?}");
}

#[test]
fn steps_of_one_folder_are_told_as_they_end() {
    let first = migration(
        "b.AddColumn<int>(name: \"Key\", table: \"Order\", type: \"int\", nullable: true); b.CreateTable(name: \"Item\", columns: t => new { Id = t.Column<int>(type: \"int\", nullable: false) }); b.CreateIndex(\"IX\", \"Item\", \"Id\");",
    );
    let then = migration(
        "b.AlterColumn<int>(name: \"Key\", table: \"Order\", type: \"int\", nullable: false, oldType: \"int\", oldNullable: true);",
    );
    assert_eq!(
        told(
            &[("B.cs", "class B { }\n")],
            &[("M/1.cs", &first), ("M/2.cs", &then)]
        ),
        [
            "changed table Order; Key - → int NOT NULL ! | M/1.cs",
            "added table Item | M/1.cs",
        ]
    );
}

#[test]
fn a_definition_in_sql_is_told_in_its_own_words_with_the_migrations_of_it() {
    let table =
        |rest: &str| format!("CREATE TABLE [dbo].[Order] (\n    [Id] INT NOT NULL{rest}\n)\n");
    let up = migration(
        "b.AddColumn<string>(name: \"Key\", table: \"Order\", type: \"text\", nullable: false); b.AddColumn<string>(name: \"Other\", table: \"Order\", type: \"text\", nullable: true);",
    );
    let world = Service::parse("//- /A.cs\nclass A { }\n");
    world.write("Order.sql", table(""));
    world.commit("before");
    world.write("Order.sql", table(",\n    [Key] INT NOT NULL"));
    world.write("M/1.cs", &up);
    world.commit("after");
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let all = answer["answer"]["database"].as_array().cloned();
    let all = all.unwrap_or_default();
    assert_eq!(
        all.iter().map(row).collect::<Vec<_>>(),
        ["changed table Order; Key - → INT NOT NULL !; Other - → text NULL | Order.sql"]
    );
    assert_eq!(all[0]["alsoIn"], json!(["M/1.cs"]));
}

#[test]
fn an_unchanged_class_that_the_model_maps_to_a_table_is_named_and_migrations_come_last() {
    let world = Service::parse(
        "
//- /Entities/Order.cs
namespace Shop.Entities;
public class Order { public string Note { get; set; } }
//- /Entities/Item.cs
namespace Shop.Entities;
public class Item { public string Note { get; set; } }
//- /Data/Order.cs
namespace Shop.Data;
public class Order : Shop.Entities.Order { }
//- /Desk.cs
namespace Shop;
public class Desk { public void Open() { } }
",
    );
    let model = "partial class ShopModelSnapshot : ModelSnapshot { protected override void BuildModel(ModelBuilder modelBuilder) { modelBuilder.Entity(\"Shop.Data.Order\", b => { b.Property<string>(\"Note\"); b.ToTable(\"Orders\", (string)null); }); modelBuilder.Entity(\"Shop.Entities.Item\", b => { b.ToTable(\"Items\"); }); } }\n";
    world.write("M/ShopModelSnapshot.cs", model);
    let up = format!("{} {}", filled("Orders", "text"), filled("Items", "text"));
    world.write("M/1_M.cs", migration(&up));
    world.write(
        "Entities/Item.cs",
        "namespace Shop.Entities;\npublic class Item { public string Note { get; set; } = \"\"; }\n",
    );
    world.write(
        "Desk.cs",
        "namespace Shop;\npublic class Desk { public void Open() { if (this == null) Open(); } }\n",
    );
    world.commit("after");
    let answer = world.envelope("diff-context", json!({"revisions": ["HEAD~1..HEAD"]}));
    let all = answer["answer"]["database"].as_array().cloned();
    assert_eq!(
        all.unwrap_or_default().iter().map(row).collect::<Vec<_>>(),
        [
            "changed table Items; Note text NULL → text NOT NULL DEFAULT '' ! | M/1_M.cs",
            "changed table Orders; Note text NULL → text NOT NULL DEFAULT '' !; entity \"Entities/Order.cs\" | M/1_M.cs",
        ]
    );
    let text = render(&answer, Format::Markdown, 4_000).expect("the answer has Markdown");
    let at = |what: &str| {
        text.find(what)
            .unwrap_or_else(|| panic!("no {what} in {text}"))
    };
    assert!(at("breaking table Orders: ~ Note text NULL → text NOT NULL DEFAULT '';") > 0);
    at("; unchanged entity Order Entities/Order.cs | M/1_M.cs");
    assert!(at("@@ Desk.cs @@") < at("@@ M M/1_M.cs @@"), "{text}");
}
