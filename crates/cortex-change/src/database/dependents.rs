//! Routines and views that did not change and name what did.
//!
//! Owns: which changes others notice, and what in them they notice. Must not know: how changes are told.

use std::collections::{BTreeMap, BTreeSet};

use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_wire::{
    ComparedParameter, DatabaseChange, DatabaseObject, DatabasePart, DependentRoutine, What,
};

use super::{
    behind::Files,
    definitions::{Definition, Verb},
    is_sql,
};
use crate::diff_context::compared::Compared;

/// So many columns must be filled for a statement to be one that fills all of them.
const MIN_FILLED: usize = 3;

/// Adds to changes the routines and views that name their objects: of views, routines and types all, of tables those that
/// name a column that is gone, compare one of another type with a parameter of the type that it had, or fill most columns
/// and not a new one. O(files of SQL).
pub(super) fn tell(
    changes: &mut [DatabaseChange],
    compared: &Compared,
    files: Files<'_>,
) -> Result<(), QueryError> {
    let mut asked: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate().filter(|it| is_noticed(it.1)) {
        let name = change.name.to_lowercase();
        asked.entry(name).or_default().push(at);
    }
    if asked.is_empty() {
        return Ok(());
    }
    let mut tables: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut stated: BTreeMap<&RepoPath, Vec<Definition>> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate() {
        let Some(side) = compared
            .new_side(&change.path)
            .filter(|side| is_sql(&side.path))
        else {
            continue;
        };
        if is_table(change) && change.parts.iter().any(is_new) {
            let all = stated.entry(&side.path);
            let all = all.or_insert_with(|| super::statements(compared, side));
            if let Some(columns) = columns(change, all) {
                tables.insert(at, columns);
            }
        }
    }
    let names: Vec<&str> = asked.keys().map(String::as_str).collect();
    let found = files.homes_with(&names)?;
    for (file, definition) in found.iter().filter(|(_, it)| runs(it)) {
        let body: Vec<&str> = definition.body.lines().collect();
        let own = definition.name.to_lowercase();
        // Types stand with parameters.
        let declared: Vec<String> = (definition.parts.iter())
            .map(|part| part.declared.to_lowercase())
            .collect();
        let declared = declared
            .iter()
            .flat_map(|it| it.split(|c: char| !is_of_name(c)));
        let named: BTreeSet<&str> = body.iter().copied().chain(declared).collect();
        let asked = asked.iter();
        let asked = asked.filter(|(name, _)| named.contains(name.as_str()) && **name != own);
        for &at in asked.flat_map(|(_, changes)| changes) {
            let change = &mut changes[at];
            let is_table = is_table(change);
            let columns = change.parts.iter().filter(|_| is_table);
            let stale: Vec<ComparedParameter> = (columns.clone())
                .flat_map(|column| compared_with(definition, &body, column))
                .collect();
            let new = columns.clone().filter(|it| is_new(it));
            let new: Vec<&str> = new.map(|it| it.name.as_str()).collect();
            let lacks = match tables.get(&at).filter(|_| !new.is_empty()) {
                Some(all) => lacks(&body, &change.name.to_lowercase(), (&new, all)),
                None => Vec::new(),
            };
            // One with another name is gone under the name that it had.
            let mut gone = columns.filter_map(|it| match &it.renamed_from {
                Some(old) => Some(old),
                None => it.after.is_none().then_some(&it.name),
            });
            let is_dependent = !is_table
                || change.what == What::Removed
                || !stale.is_empty()
                || !lacks.is_empty()
                || gone.any(|it| named.contains(it.to_lowercase().as_str()));
            if is_dependent {
                change.dependents.push(DependentRoutine {
                    name: definition.name.clone(),
                    object: definition.object,
                    path: file.path.clone(),
                    line: definition.line,
                    lacks,
                    compared: stale,
                });
            }
        }
    }
    changes.iter_mut().for_each(|it| it.dependents.sort());
    Ok(())
}

/// Whether an object that changed was there, so that others may name it.
fn is_noticed(change: &DatabaseChange) -> bool {
    match change.object {
        DatabaseObject::Table | DatabaseObject::Type => {
            let has_more = |part: &DatabasePart| is_table(change) && part.before.is_none();
            let has_less = |part: &DatabasePart| part.before.is_some();
            change.what == What::Removed
                || (change.parts.iter()).any(|it| has_less(it) || has_more(it))
        }
        _ => change.what != What::Added,
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_table(change: &DatabaseChange) -> bool {
    change.object == DatabaseObject::Table
}

/// Whether a statement defines something that runs when it is used.
fn runs(definition: &Definition) -> bool {
    !matches!(
        definition.object,
        DatabaseObject::Table | DatabaseObject::Type
    ) && matches!(definition.verb, Verb::Create | Verb::Replace)
}

fn is_new(column: &DatabasePart) -> bool {
    column.before.is_none() && column.after.is_some()
}

/// The columns of a changed table in lower case, as its file defines it; `None` where a script alone says what becomes of it.
/// `all`: what the file states.
fn columns(change: &DatabaseChange, all: &[Definition]) -> Option<Vec<String>> {
    let mut tables = all
        .iter()
        .filter(|it| it.object == change.object && it.name == change.name);
    let table = tables.find(|it| matches!(it.verb, Verb::Create | Verb::Replace))?;
    let columns = table.parts.iter().map(|it| it.name.to_lowercase());
    Some(columns.collect())
}

/// The columns of a table that are new and that a statement of a routine does not fill, though it fills more than half of the
/// others. `new`: as they are written; `all`: in lower case, and so is `table`.
fn lacks(body: &[&str], table: &str, (new, all): (&[&str], &[String])) -> Vec<String> {
    let is_new = |name: &str| new.iter().any(|it| it.eq_ignore_ascii_case(name));
    let others: BTreeSet<&str> = (all.iter().map(String::as_str))
        .filter(|it| !is_new(it))
        .collect();
    let mut out = BTreeSet::new();
    for (at, _) in body.iter().enumerate().filter(|(_, it)| **it == table) {
        let filled = filled(body, at);
        let n_filled = others.iter().filter(|it| filled.contains(*it)).count();
        if n_filled >= MIN_FILLED && n_filled * 2 > others.len() {
            let missing = new
                .iter()
                .filter(|it| !filled.contains(&*it.to_lowercase()));
            out.extend(missing.map(|it| (*it).to_owned()));
        }
    }
    out.into_iter().collect()
}

/// The columns that a statement gives a value, where it inserts into or updates the table whose name is a token. `body`: in
/// lower case.
fn filled<'b>(body: &[&'b str], table: usize) -> BTreeSet<&'b str> {
    // The schema stands in front of the name.
    let mut start = table;
    while start >= 2 && body[start - 1] == "." {
        start -= 2;
    }
    let verb = body[..start].last().copied().unwrap_or_default();
    let rest = &body[table + 1..];
    match (verb, rest.first()) {
        ("into" | "insert", Some(&"(")) => {
            let list = rest[1..].iter().take_while(|it| **it != ")");
            list.filter(|it| **it != ",").copied().collect()
        }
        ("update", _) => {
            let ends = |it: &&[&str]| !matches!(it[0], "where" | "from" | "update" | "insert");
            let pairs = rest.windows(2).take_while(ends);
            let set = pairs.filter(|it| it[1] == "=" && !it[0].starts_with('@'));
            set.map(|it| it[0]).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// The parameters of a routine that it compares with a column of another type, and that have the type which the column had.
fn compared_with(
    definition: &Definition,
    body: &[&str],
    column: &DatabasePart,
) -> Vec<ComparedParameter> {
    let (Some(before), Some(after)) = (&column.before, &column.after) else {
        return Vec::new();
    };
    let (before, after) = (type_of(before), type_of(after));
    if before.is_empty() || before == after {
        return Vec::new();
    }
    let name = column.name.to_lowercase();
    let is_compared = |parameter: &str| {
        body.windows(3).any(|it| {
            it[1] == "="
                && (it[0] == name && it[2] == parameter || it[0] == parameter && it[2] == name)
        })
    };
    let stale = definition
        .parts
        .iter()
        .filter(|part| type_of(&part.declared) == before && is_compared(&part.name.to_lowercase()));
    stale
        .map(|part| ComparedParameter {
            name: part.name.clone(),
            declared: part.declared.clone(),
            column: column.name.clone(),
        })
        .collect()
}

/// The type that a declaration begins with, in lower case and without spaces.
pub(super) fn type_of(declared: &str) -> String {
    let declared = declared.to_lowercase();
    let end = [" not null", " null", " =", " default", " constraint"]
        .iter()
        .filter_map(|rest| declared.find(rest))
        .min();
    let ty = &declared[..end.unwrap_or(declared.len())];
    ty.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::type_of;

    #[test]
    fn a_type_ends_before_what_else_is_declared() {
        for declared in [
            "NVARCHAR (50)",
            "nvarchar(50) NOT NULL",
            "NVARCHAR(50) NULL",
            "NVARCHAR(50) = NULL",
            "NVARCHAR(50) DEFAULT ('')",
        ] {
            assert_eq!(type_of(declared), "nvarchar(50)", "{declared}");
        }
        assert_ne!(type_of("NVARCHAR(300)"), type_of("NVARCHAR(50)"));
    }
}
