//! What a text of SQL defines, alters and drops.
//!
//! Owns: the heads of statements, their parameters and columns. Must not know: that there are two sides.

use cortex_wire::{DatabaseConstraint, DatabaseObject};

use super::tokens::{Token, TokenKind, tokens};

/// A statement about an object of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Definition {
    pub(crate) object: DatabaseObject,
    /// Without the schema, as it is written.
    pub(crate) name: String,
    /// The 1-based line where it begins.
    pub(crate) line: u32,
    pub(crate) verb: Verb,
    /// Parameters or columns, in their order; of `ALTER TABLE`, those that it adds or alters.
    pub(crate) parts: Vec<Part>,
    /// Those of them that `ALTER TABLE` alters.
    pub(crate) altered: Vec<String>,
    /// Columns that `ALTER TABLE` drops.
    pub(crate) dropped: Vec<String>,
    /// Columns that a migration calls otherwise: the older and the newer name.
    pub(crate) renamed: Vec<(String, String)>,
    /// Indexes and keys that a migration makes or drops.
    pub(crate) constraints: Vec<DatabaseConstraint>,
    /// The rest of it, one line for each token, in one case but for strings.
    pub(crate) body: String,
}

impl Definition {
    /// A statement that says nothing of parts.
    pub(super) fn new((object, verb): (DatabaseObject, Verb), name: &str, line: u32) -> Self {
        Self {
            object,
            name: name.to_owned(),
            line,
            verb,
            parts: Vec::new(),
            altered: Vec::new(),
            dropped: Vec::new(),
            renamed: Vec::new(),
            constraints: Vec::new(),
            body: String::new(),
        }
    }
}

/// What a statement does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verb {
    /// The object was not there.
    Create,
    /// The object is as the statement says, whether it was there or not.
    Replace,
    /// The statement says what becomes different (`ALTER TABLE`).
    Alter,
    /// The rows of a table differ behind it.
    Write,
    Drop,
}

/// A parameter or a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// Its type and what else is said of it.
    pub(crate) declared: String,
    /// Whether a call or an `INSERT` need not give it.
    pub(crate) is_optional: bool,
    /// The type and what else was said of an altered one, where the statement says that.
    pub(crate) before: Option<String>,
}

/// The statements of a text in their order. What stands in strings (dynamic SQL) is not seen, nor temporary tables.
/// O(bytes).
pub(crate) fn definitions(sql: &str) -> Vec<Definition> {
    let all = tokens(sql);
    let mut starts: Vec<Head> = (0..all.len()).filter_map(|at| head(&all, at)).collect();
    // What a routine does is its body.
    let mut is_inside = false;
    let mut next = starts.iter().map(|head| (head.at, runs(head))).peekable();
    let mut written = Vec::new();
    for at in 0..all.len() {
        match next.next_if(|(start, _)| *start == at) {
            Some((_, runs)) => is_inside = runs,
            None if all[at].is("GO") => is_inside = false,
            None if !is_inside => written.extend(write(&all, at)),
            None => {}
        }
    }
    starts.extend(written);
    starts.sort_by_key(|head| head.at);
    let mut out = Vec::new();
    for (i, head) in starts.iter().enumerate() {
        let next = starts.get(i + 1).map_or(all.len(), |next| next.at);
        let rest = &all[head.after..next.max(head.after)];
        let rest = &rest[..rest.iter().position(|it| it.is("GO")).unwrap_or(rest.len())];
        let whole = |(all, rest)| {
            let parts = Parts {
                all,
                ..Parts::default()
            };
            (parts, rest)
        };
        let (parts, rest) = match (head.object, head.verb) {
            (_, Verb::Drop | Verb::Write) => (Parts::default(), &rest[..0]),
            (DatabaseObject::Table, Verb::Alter) => alteration(rest),
            (DatabaseObject::Table | DatabaseObject::Type, _) => whole(columns(rest)),
            (DatabaseObject::Procedure | DatabaseObject::Function, _) => whole(parameters(rest)),
            _ => (Parts::default(), rest),
        };
        out.push(Definition {
            parts: parts.all,
            altered: parts.altered,
            dropped: parts.dropped,
            body: body(rest),
            ..Definition::new((head.object, head.verb), head.name, all[head.at].line)
        });
    }
    out
}

/// Whether what follows a statement is done where the object is used.
fn runs(head: &Head<'_>) -> bool {
    let is_data = matches!(head.object, DatabaseObject::Table | DatabaseObject::Type);
    !is_data && head.verb != Verb::Drop
}

/// The change of rows that begins at a token.
fn write<'t>(all: &[Token<'t>], at: usize) -> Option<Head<'t>> {
    let is_verb = all[at].is_any(&["UPDATE", "INSERT", "DELETE", "MERGE"]);
    // `ON DELETE CASCADE`, `AFTER INSERT, UPDATE`, `WHEN MATCHED THEN UPDATE SET`.
    let before = at.checked_sub(1).map(|at| &all[at]);
    let is_of_other = before.is_some_and(|it| {
        it.is_any(&["ON", "AFTER", "FOR", "OF", "THEN", "GRANT"]) || it.is_sign(',')
    });
    let mut next = at + 1;
    while all
        .get(next)
        .is_some_and(|it| it.is_any(&["INTO", "FROM", "TOP", "ONLY"]))
    {
        next += 1;
    }
    if !is_verb || is_of_other || all.get(next).is_some_and(|it| it.is("SET")) {
        return None;
    }
    let (name, after) = name(all, next)?;
    Some(Head {
        at,
        after,
        object: DatabaseObject::Table,
        verb: Verb::Write,
        name,
    })
}

/// The last part of a name that begins at a token, and what stands behind it; nothing of temporary tables.
fn name<'t>(all: &[Token<'t>], at: usize) -> Option<(&'t str, usize)> {
    let mut name = all.get(at).filter(|it| it.is_name())?;
    let mut next = at + 1;
    while all.get(next).is_some_and(|it| it.is_sign('.')) {
        name = all.get(next + 1).filter(|it| it.is_name())?;
        next += 2;
    }
    let is_temporary = name.text.starts_with(['#', '@']) || name.text.is_empty();
    (!is_temporary).then_some((name.text, next))
}

/// Where a statement begins.
struct Head<'t> {
    at: usize,
    /// Behind the name.
    after: usize,
    object: DatabaseObject,
    verb: Verb,
    name: &'t str,
}

/// The statement that begins at a token.
fn head<'t>(all: &[Token<'t>], at: usize) -> Option<Head<'t>> {
    let is = |at: usize, keyword: &str| all.get(at).is_some_and(|it| it.is(keyword));
    let (verb, mut next) = match all[at] {
        token if token.is("CREATE") && is(at + 1, "OR") => (Verb::Replace, at + 3),
        token if token.is("CREATE") => (Verb::Create, at + 1),
        token if token.is("ALTER") && !(at > 0 && is(at - 1, "OR")) => (Verb::Replace, at + 1),
        token if token.is("DROP") => (Verb::Drop, at + 1),
        _ => return None,
    };
    let word = all.get(next)?;
    let object = match word {
        word if word.is_any(&["PROC", "PROCEDURE"]) => DatabaseObject::Procedure,
        word => DatabaseObject::ALL
            .into_iter()
            .find(|object| word.is(object.word()))?,
    };
    let verb = match (verb, object) {
        (Verb::Replace, DatabaseObject::Table) if all[at].is("ALTER") => Verb::Alter,
        _ => verb,
    };
    next += 1;
    while all
        .get(next)
        .is_some_and(|it| it.is_any(&["IF", "NOT", "EXISTS", "ONLY"]))
    {
        next += 1;
    }
    let (name, after) = name(all, next)?;
    Some(Head {
        at,
        after,
        object,
        verb,
        name,
    })
}

/// The parameters of a routine, and what stands behind them.
fn parameters<'a, 't>(rest: &'a [Token<'t>]) -> (Vec<Part>, &'a [Token<'t>]) {
    let (list, behind) = match rest.first() {
        Some(open) if open.is_sign('(') => {
            let end = end_of_parentheses(rest);
            (&rest[1..end.saturating_sub(1).max(1)], &rest[end..])
        }
        // T-SQL: the list ends where the rest begins.
        Some(_) => {
            let ends = ["AS", "WITH", "FOR", "RETURNS", "BEGIN"];
            let mut depth = 0;
            let end = rest.iter().enumerate().position(|(at, it)| {
                depth += i32::from(it.is_sign('(')) - i32::from(it.is_sign(')'));
                // `@Id AS INT` names a type.
                let is_of_parameter = at > 0 && it.is("AS") && rest[at - 1].text.starts_with('@');
                depth == 0 && it.is_any(&ends) && !is_of_parameter
            });
            rest.split_at(end.unwrap_or(rest.len()))
        }
        None => (rest, rest),
    };
    let parts = split(list).filter_map(|part| {
        let modes = ["IN", "OUT", "INOUT", "VARIADIC"];
        let n_modes = part.iter().take_while(|it| it.is_any(&modes)).count();
        let (name, declared) = part[n_modes..].split_first()?;
        let declared = match declared.split_first() {
            Some((word, declared)) if word.is("AS") => declared,
            _ => declared,
        };
        let mut depth = 0;
        let is_optional = declared.iter().any(|it| {
            depth += i32::from(it.is_sign('(')) - i32::from(it.is_sign(')'));
            depth == 0 && (it.is_sign('=') || it.is("DEFAULT"))
        });
        name.is_name().then(|| Part {
            name: name.text.to_owned(),
            declared: written(declared),
            is_optional,
            before: None,
        })
    });
    (parts.collect(), behind)
}

/// Words with which a part of `CREATE TABLE` begins that is no column.
const CONSTRAINTS: [&str; 12] = [
    "CHECK",
    "CONSTRAINT",
    "EXCLUDE",
    "FOREIGN",
    "FULLTEXT",
    "INDEX",
    "KEY",
    "LIKE",
    "PERIOD",
    "PRIMARY",
    "SPATIAL",
    "UNIQUE",
];

/// The columns of a table, and what stands around them.
fn columns<'a, 't>(rest: &'a [Token<'t>]) -> (Vec<Part>, &'a [Token<'t>]) {
    let Some(open) = rest.iter().position(|it| it.is_sign('(')) else {
        return (Vec::new(), rest);
    };
    let list = &rest[open..];
    let end = end_of_parentheses(list);
    let inner = &list[1..end.saturating_sub(1).max(1)];
    let mut n_columns = 0;
    let parts = split(inner).map_while(|part| {
        let column = column(part)?;
        n_columns += part.len() + 1;
        Some(column)
    });
    let parts = parts.collect();
    (parts, &inner[n_columns.min(inner.len())..])
}

/// A column; `None` for a constraint.
fn column(part: &[Token<'_>]) -> Option<Part> {
    let (name, declared) = part.split_first()?;
    let is_constraint = name.kind == TokenKind::Word && name.is_any(&CONSTRAINTS);
    if is_constraint || !name.is_name() {
        return None;
    }
    let is_required = (declared.windows(2)).any(|pair| pair[0].is("NOT") && pair[1].is("NULL"));
    let filled = [
        "AS",
        "AUTO_INCREMENT",
        "DEFAULT",
        "GENERATED",
        "IDENTITY",
        "ROWVERSION",
        "SERIAL",
        "TIMESTAMP",
    ];
    let is_filled = declared.iter().any(|it| it.is_any(&filled));
    Some(Part {
        name: name.text.to_owned(),
        declared: written(declared),
        is_optional: !is_required || is_filled,
        before: None,
    })
}

/// What a statement says of parts.
#[derive(Default)]
struct Parts {
    /// See [`Definition::parts`].
    all: Vec<Part>,
    altered: Vec<String>,
    dropped: Vec<String>,
}

/// What `ALTER TABLE` adds, alters and drops, and the rest of it where that is nothing.
fn alteration<'a, 't>(rest: &'a [Token<'t>]) -> (Parts, &'a [Token<'t>]) {
    let end = rest
        .iter()
        .position(|it| it.is_sign(';') || ends_alteration(it));
    let rest = &rest[..end.unwrap_or(rest.len())];
    let mut out = Parts::default();
    let mut verb = "";
    for part in split(rest) {
        let mut part = part;
        // `WITH CHECK ADD CONSTRAINT`; a list goes on without its verb.
        let of_with = ["WITH", "CHECK", "NOCHECK"];
        while part.first().is_some_and(|it| it.is_any(&of_with)) {
            part = &part[1..];
        }
        for known in ["ADD", "DROP", "ALTER", "MODIFY", "CHANGE", "RENAME"] {
            if part.first().is_some_and(|it| it.is(known)) {
                verb = known;
                part = &part[1..];
                break;
            }
        }
        while part
            .first()
            .is_some_and(|it| it.is_any(&["COLUMN", "IF", "NOT", "EXISTS"]))
        {
            part = &part[1..];
        }
        match (verb, column(part)) {
            ("ADD", Some(column)) => out.all.push(column),
            ("ALTER" | "MODIFY", Some(column)) => {
                out.altered.push(column.name.clone());
                out.all.push(column);
            }
            ("DROP", Some(column)) => out.dropped.push(column.name),
            _ => {}
        }
    }
    let is_of_columns = !out.all.is_empty() || !out.dropped.is_empty();
    let rest = if is_of_columns { &rest[..0] } else { rest };
    (out, rest)
}

/// Whether a token begins another statement than `ALTER TABLE`.
fn ends_alteration(token: &Token<'_>) -> bool {
    let others = [
        "BEGIN", "COMMIT", "DECLARE", "DELETE", "ELSE", "END", "EXEC", "EXECUTE", "INSERT",
        "PRINT", "SELECT", "UPDATE",
    ];
    token.is_any(&others)
}

/// Past the parenthesis that closes the first token.
fn end_of_parentheses(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(token.is_sign('(')) - i32::from(token.is_sign(')'));
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The parts of a list between its commas.
fn split<'a, 't>(list: &'a [Token<'t>]) -> impl Iterator<Item = &'a [Token<'t>]> {
    let mut depth = 0;
    list.split(move |it| {
        depth += i32::from(it.is_sign('(')) - i32::from(it.is_sign(')'));
        depth == 0 && it.is_sign(',')
    })
}

/// Tokens as they are read by people.
fn written(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    let mut is_tight = true;
    for token in tokens {
        let is_sign = |signs: &[char]| signs.iter().any(|sign| token.is_sign(*sign));
        if !is_tight && !is_sign(&['(', ')', ',', '.', ';']) {
            out.push(' ');
        }
        out.push_str(token.text);
        is_tight = is_sign(&['(', '.']);
    }
    out
}

/// A body for comparison.
fn body(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    for token in tokens {
        match token.kind {
            TokenKind::Text => out.push_str(token.text),
            _ => out.extend(token.text.chars().flat_map(char::to_lowercase)),
        }
        out.push('\n');
    }
    let end = out.trim_end_matches([';', '\n']).len();
    out.truncate(end);
    out
}

#[cfg(test)]
mod tests {
    use super::{Definition, Verb, definitions};

    fn told(sql: &str) -> Vec<String> {
        let tell = |it: Definition| {
            let parts = it.parts.iter().map(|part| {
                let sign = if part.is_optional { "?" } else { "" };
                format!("{}{sign} {}", part.name, part.declared)
            });
            let parts: Vec<String> = parts.collect();
            let verb = match it.verb {
                Verb::Create => "create",
                Verb::Replace => "replace",
                Verb::Alter => "alter",
                Verb::Drop => "drop",
                Verb::Write => "write",
            };
            format!(
                "{verb} {} {}({}){}",
                it.object.word(),
                it.name,
                parts.join(", "),
                it.dropped
                    .iter()
                    .map(|name| format!(" -{name}"))
                    .collect::<String>()
            )
        };
        definitions(sql).into_iter().map(tell).collect()
    }

    #[test]
    fn routines_have_parameters() {
        let sql = "CREATE OR ALTER PROCEDURE [dbo].[User_Create]
    @Id UNIQUEIDENTIFIER OUTPUT,
    @Name NVARCHAR(50) = N'a,b',
    @Ids AS [dbo].[GuidIdArray] READONLY
AS
BEGIN
    CREATE TABLE #Temp (Id INT)
    SELECT @Id AS [Id]
END
GO
alter proc Plain(@a decimal(10, 2), @b int = 1) with recompile as select 1
GO
CREATE FUNCTION f(IN a int, b text DEFAULT 'x') RETURNS int AS $$ CREATE TABLE x (a int) $$;
DROP PROCEDURE IF EXISTS dbo.Gone;
EXEC [dbo].[Called]";
        assert_eq!(
            told(sql),
            [
                "replace procedure User_Create(@Id UNIQUEIDENTIFIER OUTPUT, @Name? NVARCHAR(50) = N 'a,b', @Ids dbo.GuidIdArray READONLY)",
                "replace procedure Plain(@a decimal(10, 2), @b? int = 1)",
                "create function f(a int, b? text DEFAULT 'x')",
                "drop procedure Gone()",
            ]
        );
    }

    #[test]
    fn tables_have_columns_until_their_constraints() {
        let sql = "CREATE TABLE [dbo].[Order] (
    [Id]   UNIQUEIDENTIFIER NOT NULL,
    [Name] NVARCHAR (50)    NOT NULL CONSTRAINT [DF_Name] DEFAULT (''),
    [Key]  VARCHAR(MAX)     NULL,
    CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([Id] ASC)
);
GO
CREATE INDEX IX ON [dbo].[Order] ([Name]);";
        assert_eq!(
            told(sql),
            [
                "create table Order(Id UNIQUEIDENTIFIER NOT NULL, Name? NVARCHAR(50) NOT NULL CONSTRAINT DF_Name DEFAULT(''), Key? VARCHAR(MAX) NULL)"
            ]
        );
    }

    #[test]
    fn tables_are_altered_column_by_column() {
        let sql = "IF COL_LENGTH('[dbo].[Order]', 'Key') IS NULL
BEGIN
    ALTER TABLE [dbo].[Order] ADD [Key] VARCHAR(MAX) NOT NULL, [B] INT NULL
END
GO
ALTER TABLE Item DROP COLUMN A, COLUMN B;
ALTER TABLE Item ALTER COLUMN C INT NOT NULL
ALTER TABLE Item WITH CHECK ADD CONSTRAINT FK FOREIGN KEY (C) REFERENCES Order (Id)
UPDATE Item SET C = 1";
        assert_eq!(
            told(sql),
            [
                "alter table Order(Key VARCHAR(MAX) NOT NULL, B? INT NULL)",
                "alter table Item() -A -B",
                "alter table Item(C INT NOT NULL)",
                "alter table Item()",
                "write table Item()",
            ]
        );
    }

    #[test]
    fn layout_case_and_comments_are_no_part_of_a_body() {
        let body = |sql: &str| definitions(sql)[0].body.clone();
        let one = body("CREATE VIEW A AS SELECT [X] FROM B WHERE C = 'D'");
        assert_eq!(
            one,
            body("create view a as -- all\n select x\n from B where C='D';\nGO\n")
        );
        assert_ne!(
            one,
            body("CREATE VIEW A AS SELECT [X] FROM B WHERE C = 'd'")
        );
    }
}
