//! What migrations of Entity Framework Core do to a database: the calls of `Up` on its builder, as statements.
//!
//! Owns: which calls mean what, in which order their parameters come. Must not know: that there are two sides, what
//! calls do that are told by values of run time.

mod calls;

use cortex_wire::{DatabaseConstraint, DatabaseObject, What};

use super::definitions::{Definition, Part, Verb, definitions};
use calls::{Call, Token};

/// The steps of `Up` of all migrations that a text of C# declares, in their order: classes that derive from a type called
/// `Migration`. Names that are no strings, `nameof` or several of these put together are not known, nor the steps that
/// need them. O(bytes) where the text has the word, nothing is read otherwise.
pub(super) fn steps(text: &str) -> Vec<Definition> {
    if memchr::memmem::find(text.as_bytes(), b"Migration").is_none() {
        return Vec::new();
    }
    let all = calls::tokens(text);
    let calls = calls::up_bodies(&all).flat_map(|(body, builder)| calls::on(body, builder));
    calls.flat_map(|call| step(&call)).collect()
}

/// The full names of the classes that a model snapshot maps to tables, with the names of these. O(bytes).
pub(super) fn entities(text: &str) -> Vec<(String, String)> {
    let all = calls::tokens(text);
    let entities = calls::on(&all, "modelBuilder").filter(|it| it.method == "Entity");
    let mapped = entities.filter_map(|call| {
        let body = call.value("buildAction", Some(1))?;
        let builder = body.first()?.text;
        let table = calls::on(body, builder).find(|it| it.method == "ToTable")?;
        Some((call.text("name", Some(0))?, table.text("name", Some(0))?))
    });
    mapped.collect()
}

/// What a call on the builder does.
fn step(call: &Call<'_>) -> Vec<Definition> {
    if call.method == "Sql" {
        return sql(call);
    }
    let name = call.text("name", Some(0));
    let table = match call.method {
        "CreateTable" | "DropTable" | "RenameTable" => name.clone(),
        "InsertData" | "UpdateData" | "DeleteData" => call.text("table", Some(0)),
        "RenameIndex" => call.text("table", Some(2)),
        _ => call.text("table", Some(1)),
    };
    let Some(table) = table else {
        return Vec::new();
    };
    let on_table = |verb: Verb| Definition::new((DatabaseObject::Table, verb), &table, call.line);
    let alter = on_table(Verb::Alter);
    let one = match (call.method, name) {
        ("CreateTable", _) => Definition {
            parts: created_columns(call),
            ..on_table(Verb::Create)
        },
        ("DropTable", _) => on_table(Verb::Drop),
        ("RenameTable", _) => return renamed_table(call, on_table(Verb::Drop)),
        ("InsertData" | "UpdateData" | "DeleteData", _) => on_table(Verb::Write),
        ("AddColumn", Some(name)) => Definition {
            parts: vec![column(call, name)],
            ..alter
        },
        ("AlterColumn", Some(name)) => Definition {
            altered: vec![name.clone()],
            parts: vec![Part {
                before: older_column(call),
                ..column(call, name)
            }],
            ..alter
        },
        ("DropColumn", Some(name)) => Definition {
            dropped: vec![name],
            ..alter
        },
        ("RenameColumn", Some(old)) => match call.text("newName", Some(2)) {
            Some(new) => Definition {
                renamed: vec![(old, new)],
                ..alter
            },
            None => return Vec::new(),
        },
        (method, Some(name)) => match constraints(call, method, name) {
            found if found.is_empty() => return Vec::new(),
            constraints => Definition {
                constraints,
                ..alter
            },
        },
        _ => return Vec::new(),
    };
    vec![one]
}

/// The statements of SQL that a migration runs, where they are a string.
fn sql(call: &Call<'_>) -> Vec<Definition> {
    let text = call.text("sql", Some(0)).unwrap_or_default();
    let mut all = definitions(&text);
    for found in &mut all {
        found.line = call.line;
    }
    all
}

/// A table that is called otherwise: one is gone, one came.
fn renamed_table(call: &Call<'_>, gone: Definition) -> Vec<Definition> {
    let Some(name) = call.text("newName", Some(2)) else {
        return Vec::new();
    };
    let came = Definition {
        name,
        verb: Verb::Create,
        ..gone.clone()
    };
    vec![gone, came]
}

/// The columns of `columns: table => new { Id = table.Column<int>(…), … }`.
fn created_columns(call: &Call<'_>) -> Vec<Part> {
    let Some([table, arrow, body @ ..]) = call.value("columns", Some(1)) else {
        return Vec::new();
    };
    let is_lambda = arrow.text == "=>" && body.get(1).is_some_and(|it| it.text == "{");
    let inner = match is_lambda {
        true => calls::within(body, 1),
        false => &[],
    };
    let columns = calls::split(inner).filter_map(|part| {
        let [name, equals, made @ ..] = part else {
            return None;
        };
        let made = calls::on(made, table.text).next();
        let made = made.filter(|it| it.method == "Column" && equals.text == "=")?;
        // The name of a column that is none of C# is said.
        let property = name.text.trim_start_matches('@');
        let name = made.text("name", Some(4));
        Some(column(&made, name.unwrap_or_else(|| property.to_owned())))
    });
    columns.collect()
}

/// The places of the parameters of `AddColumn`, `AlterColumn` and, without two names before them, of `Column`.
struct Places {
    ty: usize,
    max_length: usize,
    row_version: usize,
    nullable: usize,
    default: usize,
}

impl Places {
    fn of(method: &str) -> Self {
        // `Column(type, unicode, maxLength, rowVersion, name, nullable, …)`: `name` is where others have a schema.
        let n_names = match method {
            "Column" => 0,
            _ => 2,
        };
        Self {
            ty: n_names,
            max_length: n_names + 2,
            row_version: n_names + 3,
            nullable: n_names + 5,
            default: n_names + 6,
        }
    }
}

/// A column as a call declares it.
fn column(call: &Call<'_>, name: String) -> Part {
    let places = Places::of(call.method);
    let ty = call.text("type", Some(places.ty));
    let max_length = call.value("maxLength", Some(places.max_length));
    let ty = declared_type(ty, call.type_argument.clone(), max_length);
    let is_true = |name: &str, place| call.value(name, place).is_some_and(is_true);
    let is_nullable = is_true("nullable", Some(places.nullable));
    let filled = [
        default(call, "defaultValue", Some(places.default)),
        default(call, "defaultValueSql", Some(places.default + 1)),
        default(call, "computedColumnSql", Some(places.default + 2)),
    ];
    let filled = filled.into_iter().flatten().next();
    let is_optional =
        is_nullable || filled.is_some() || is_true("rowVersion", Some(places.row_version));
    Part {
        name,
        declared: declared(&ty, is_nullable, filled.as_deref()),
        is_optional,
        before: None,
    }
}

/// What `AlterColumn` says that a column was; `None` where it says nothing.
fn older_column(call: &Call<'_>) -> Option<String> {
    let clr = call.value("oldClrType", Some(11));
    let clr = clr.and_then(|tokens| match tokens {
        [ty, open, inner @ .., _] if ty.text == "typeof" && open.text == "(" => {
            Some(calls::written(inner))
        }
        _ => None,
    });
    let ty = call.text("oldType", Some(12));
    let nullable = call.value("oldNullable", Some(16));
    if clr.is_none() && ty.is_none() && nullable.is_none() {
        return None;
    }
    let ty = declared_type(ty, clr, call.value("oldMaxLength", Some(14)));
    let filled = [
        default(call, "oldDefaultValue", Some(17)),
        default(call, "oldDefaultValueSql", Some(18)),
        default(call, "oldComputedColumnSql", Some(19)),
    ];
    let filled = filled.into_iter().flatten().next();
    Some(declared(
        &ty,
        nullable.is_some_and(is_true),
        filled.as_deref(),
    ))
}

/// The type of the database, or that of C# where only this is said.
fn declared_type(ty: Option<String>, clr: Option<String>, max: Option<&[Token<'_>]>) -> String {
    if let Some(ty) = ty {
        return ty;
    }
    let clr = clr.unwrap_or_default();
    match max {
        Some(max) => format!("{clr}({})", calls::written(max)),
        None => clr,
    }
}

fn is_true(tokens: &[Token<'_>]) -> bool {
    matches!(tokens, [one] if one.text == "true")
}

/// Longer defaults are not written.
const MAX_DEFAULT: usize = 40;

/// What fills a column that is not given, as SQL would write it.
fn default(call: &Call<'_>, parameter: &str, place: Option<usize>) -> Option<String> {
    let value = call.value(parameter, place)?;
    if matches!(value, [one] if one.text == "null") {
        return None;
    }
    let text = calls::string(value);
    let written = match &text {
        Some(text) if parameter.ends_with("Sql") => format!("({text})"),
        Some(text) => format!("'{text}'"),
        None => calls::written(value),
    };
    let written = match written.len() > MAX_DEFAULT || written.contains('\n') {
        true => "…",
        false => &written,
    };
    let keyword = match parameter.to_lowercase().contains("computed") {
        true => "AS",
        false => "DEFAULT",
    };
    Some(format!("{keyword} {written}"))
}

fn declared(ty: &str, is_nullable: bool, filled: Option<&str>) -> String {
    let null = match is_nullable {
        true => "NULL",
        false => "NOT NULL",
    };
    let mut out = format!("{ty} {null}");
    if let Some(filled) = filled {
        out.push(' ');
        out.push_str(filled);
    }
    out
}

/// The index or key that a call makes or drops; of one that is called otherwise, both.
fn constraints(call: &Call<'_>, method: &str, name: String) -> Vec<DatabaseConstraint> {
    let (what, kind) = match method {
        "CreateIndex" => (What::Added, "index"),
        "DropIndex" => (What::Removed, "index"),
        "RenameIndex" => (What::Changed, "index"),
        "AddForeignKey" => (What::Added, "foreign key"),
        "DropForeignKey" => (What::Removed, "foreign key"),
        "AddPrimaryKey" => (What::Added, "primary key"),
        "DropPrimaryKey" => (What::Removed, "primary key"),
        "AddUniqueConstraint" => (What::Added, "unique key"),
        "DropUniqueConstraint" => (What::Removed, "unique key"),
        "AddCheckConstraint" => (What::Added, "check"),
        "DropCheckConstraint" => (What::Removed, "check"),
        _ => return Vec::new(),
    };
    let kind = match call.value("unique", Some(4)).is_some_and(is_true) {
        true if method == "CreateIndex" => "unique index",
        _ => kind,
    };
    let one = |what: What, name: String| DatabaseConstraint {
        what,
        kind: kind.to_owned(),
        name,
        columns: Vec::new(),
        target: None,
    };
    match what {
        What::Changed => match call.text("newName", Some(1)) {
            Some(new) => vec![one(What::Removed, name), one(What::Added, new)],
            None => Vec::new(),
        },
        What::Removed => vec![one(what, name)],
        What::Added => vec![DatabaseConstraint {
            columns: match kind {
                "check" => Vec::new(),
                _ => columns(call),
            },
            target: match kind {
                "foreign key" => call.text("principalTable", Some(3)),
                _ => None,
            },
            ..one(what, name)
        }],
    }
}

/// The columns of an index or key: a name or an array of names.
fn columns(call: &Call<'_>) -> Vec<String> {
    let value = call.value("columns", None);
    let Some(value) = value.or_else(|| call.value("column", Some(2))) else {
        return Vec::new();
    };
    if let Some(one) = calls::string(value) {
        return vec![one];
    }
    let open = value.iter().position(|it| matches!(it.text, "{" | "["));
    let open = match (open, value) {
        // `new[] { … }`.
        (Some(_), [new, ..]) if new.text == "new" => value.iter().position(|it| it.text == "{"),
        (open, _) => open,
    };
    let inner = open.map_or(&[][..], |open| calls::within(value, open));
    calls::split(inner).filter_map(calls::string).collect()
}

#[cfg(test)]
mod tests {
    use super::{Definition, steps};

    fn told(up: &str) -> Vec<String> {
        let text = format!(
            "using X;\nnamespace N;\npublic partial class M : Migration\n{{\n    protected override void Up(MigrationBuilder b)\n    {{\n        {up}\n    }}\n    protected override void Down(MigrationBuilder b) {{ b.DropTable(\"Down\"); }}\n}}\n"
        );
        steps(&text).iter().map(row).collect()
    }

    fn row(step: &Definition) -> String {
        let mut out = format!("{:?} {}", step.verb, step.name);
        for part in &step.parts {
            let sign = if part.is_optional { "?" } else { "" };
            out.push_str(&format!(", {}{sign} {}", part.name, part.declared));
            if let Some(before) = &part.before {
                out.push_str(&format!(" (was {before})"));
            }
        }
        for name in &step.dropped {
            out.push_str(&format!(", -{name}"));
        }
        for (old, new) in &step.renamed {
            out.push_str(&format!(", {old} → {new}"));
        }
        for it in &step.constraints {
            let target = it.target.as_deref().unwrap_or_default();
            out.push_str(&format!(
                ", {:?} {} {} {:?} {target}",
                it.what, it.kind, it.name, it.columns
            ));
        }
        out
    }

    #[test]
    fn columns_are_declared_by_named_and_by_positional_arguments() {
        assert_eq!(
            told(
                "b.AlterColumn<string>(name: \"Note\", table: \"Order\", type: \"varchar(30)\", maxLength: 30, nullable: false, defaultValue: \"\", oldClrType: typeof(string), oldType: \"varchar(40)\", oldNullable: true).Annotation(\"A\", \"B\");\n b.AddColumn<int>(nameof(Order.Count), nameof(Order), \"int\", null, null, false, null, true);\n b.AddColumn<string>(\"Code\", \"Order\", maxLength: 9);\n b.AlterColumn<string>(\"Key\", \"Order\", \"char(2)\", null, 2, false, null, false, null, null, null, typeof(string), \"char(1)\", null, 1, false, true);\n b.AddColumn<byte[]>(\"Ver\", \"Order\", \"bytea\", null, null, true);\n b.AddColumn<bool>(name: \"On\", table: \"Order\", type: \"bit\", nullable: false, defaultValueSql: \"1\");\n b.DropColumn(table: \"Order\", name: \"Old\");\n b.RenameColumn(\"A\", \"Order\", \"B\");\n b.DropColumn(name, table);"
            ),
            [
                "Alter Order, Note? varchar(30) NOT NULL DEFAULT '' (was varchar(40) NULL)",
                "Alter Order, Count? int NULL",
                "Alter Order, Code string(9) NOT NULL",
                "Alter Order, Key char(2) NOT NULL (was char(1) NULL)",
                "Alter Order, Ver? bytea NOT NULL",
                "Alter Order, On? bit NOT NULL DEFAULT (1)",
                "Alter Order, -Old",
                "Alter Order, A → B",
            ]
        );
    }

    #[test]
    fn tables_have_the_columns_of_an_anonymous_object() {
        assert_eq!(
            told(
                "b.CreateTable(name: \"Order\", columns: table => new { Id = table.Column<Guid>(type: \"uuid\", nullable: false), @Key = table.Column<string>(\"text\", name: \"The Key\", nullable: true) }, constraints: table => { table.PrimaryKey(\"PK\", x => x.Id); });\n b.RenameTable(name: \"A\", newName: \"B\");\n b.DropTable(\"C\");"
            ),
            [
                "Create Order, Id uuid NOT NULL, The Key? text NULL",
                "Drop A",
                "Create B",
                "Drop C",
            ]
        );
    }

    #[test]
    fn keys_rows_and_statements_of_sql_are_read() {
        assert_eq!(
            told(
                "b.CreateIndex(name: \"IX\", table: \"Order\", columns: new[] { \"A\", \"B\" }, unique: true);\n b.DropIndex(\"IY\", \"Order\");\n b.AddForeignKey(name: \"FK\", table: \"Order\", column: \"UserId\", principalTable: \"User\", principalColumn: \"Id\");\n b.RenameIndex(name: \"A\", table: \"Order\", newName: \"B\");\n b.UpdateData(table: \"Order\", keyColumn: \"A\", keyValue: null, column: \"A\", value: \"\");\n b.Sql(@\"UPDATE \"\"Item\"\" SET A = 1\");\n b.Sql(\"DELETE \" + \"FROM Old\");\n b.Sql(Text());"
            ),
            [
                "Alter Order, Added unique index IX [\"A\", \"B\"] ",
                "Alter Order, Removed index IY [] ",
                "Alter Order, Added foreign key FK [\"UserId\"] User",
                "Alter Order, Removed index A [] , Added index B [] ",
                "Write Order",
                "Write Item",
                "Write Old",
            ]
        );
    }

    #[test]
    fn only_up_of_a_migration_counts() {
        let other = "class A : Other { void Up(MigrationBuilder b) { b.DropTable(\"A\"); } }";
        assert_eq!(steps(&format!("{other} // Migration")), []);
        let qualified = "class A : E.Migrations.Migration, I { protected override void Up(MigrationBuilder b) => b.DropTable(\"A\"); class Q { void Up(MigrationBuilder b) { b.DropTable(\"Q\"); } } }";
        assert_eq!(
            steps(qualified).iter().map(row).collect::<Vec<_>>(),
            ["Drop A"]
        );
    }
}
