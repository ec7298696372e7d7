//! What a change does to the objects of a database that files of SQL and migrations define.

use cortex_model::RepoPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::What;

/// A kind of object that SQL defines.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum DatabaseObject {
    /// A stored procedure.
    Procedure,
    /// A function.
    Function,
    /// A table.
    Table,
    /// A table type or another type of its own.
    Type,
    /// A view.
    View,
    /// A trigger.
    Trigger,
}

impl DatabaseObject {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Procedure,
        Self::Function,
        Self::Table,
        Self::Type,
        Self::View,
        Self::Trigger,
    ];

    /// How SQL calls it, in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Procedure => "procedure",
            Self::Function => "function",
            Self::Table => "table",
            Self::Type => "type",
            Self::View => "view",
            Self::Trigger => "trigger",
        }
    }
}

/// An object of a database that a change defines anew, alters or drops.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseChange {
    /// What came, went or differs.
    pub what: What,
    /// Its kind.
    pub object: DatabaseObject,
    /// Its name without the schema, as the SQL writes it.
    pub name: String,
    /// The parameters or columns that differ, in the order of the newer side, those that are gone last; none of what came
    /// or went as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<DatabasePart>,
    /// Whether anything else of it differs: what a routine does, what a view selects, constraints.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_body_changed: bool,
    /// The indexes and keys of the table that migrations make or drop, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<DatabaseConstraint>,
    /// Whether a script or migration that is new changes rows of the table: `UPDATE`, `INSERT`, `DELETE`, `MERGE` outside of
    /// routines.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_data_changed: bool,
    /// The file that defines it; of what is gone, that defined it.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of the statement.
    pub line: u32,
    /// Other changed files that define it the same way, such as a migration, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<RepoPath>,
    /// Other changed files of SQL that define it otherwise, by path: what databases that are there get is not what new ones do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub otherwise_in: Vec<RepoPath>,
    /// The file that is called like it and defines it as it was before, where only others define it anew: a script changes
    /// databases that are there, and those that are made from that file get the older one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub still_in: Option<RepoPath>,
    /// The classes that the model of a migration maps to the table and that did not change, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<TableEntity>,
    /// Routines that did not change and take most of the parameters, but lack one that is new, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<RoutineBehind>,
    /// Routines and views that did not change and name it, by name; of a table, those that name a column which is gone, or
    /// compare one of another type with a parameter of the type that it had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependents: Vec<DependentRoutine>,
}

impl DatabaseChange {
    /// Whether what used it as it was may fail: it is gone, or lacks a part, or wants one more.
    pub fn is_breaking(&self) -> bool {
        self.what == What::Removed || self.parts.iter().any(|part| part.is_breaking)
    }
}

/// A parameter of a routine or a column of a table that differs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DatabasePart {
    /// Its name, of a parameter with the `@` that it may have.
    pub name: String,
    /// Its type and what else the older side says of it; `None` where it is new, empty where a script alters, renames or
    /// drops it and nothing says what it was.
    pub before: Option<String>,
    /// The same of the newer side; `None` where it is gone, empty where it is only renamed.
    pub after: Option<String>,
    /// Its name before, where a migration renames it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Whether what used the object as it was may fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_breaking: bool,
}

/// An index or a key of a table that a migration makes or drops.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseConstraint {
    /// Whether it came or went.
    pub what: What,
    /// `index`, `unique index`, `primary key`, `foreign key`, `unique key` or `check`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its columns, in their order; none where it is gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The table that a foreign key leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// A class that is mapped to a table.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TableEntity {
    /// Its full name.
    pub name: String,
    /// The file that declares it.
    #[serde(rename = "file")]
    pub path: RepoPath,
}

/// A routine that lacks parameters which a similar one was given.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoutineBehind {
    /// Its name without the schema.
    pub name: String,
    /// The file that defines it.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of the statement.
    pub line: u32,
    /// The parameters that it lacks.
    pub lacks: Vec<String>,
}

/// A routine or a view that names a changed object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DependentRoutine {
    /// Its name without the schema.
    pub name: String,
    /// Its kind.
    pub object: DatabaseObject,
    /// The file that defines it.
    #[serde(rename = "file")]
    pub path: RepoPath,
    /// The 1-based line of the statement.
    pub line: u32,
    /// New columns of the table that it gives no value, though it gives one to most of the others (`INSERT`, `UPDATE`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// Its parameters that it compares with a column of another type, and that have the type which the column had.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<ComparedParameter>,
}

/// A parameter that still has the type which a column had.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComparedParameter {
    /// Its name.
    pub name: String,
    /// Its type and what else is said of it.
    pub declared: String,
    /// The column that it is compared with.
    pub column: String,
}
