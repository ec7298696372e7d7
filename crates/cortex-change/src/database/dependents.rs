//! Routines and views that did not change and name what did.
//!
//! Owns: which changes others notice, and what in them they notice. Must not know: how changes are told.

use std::collections::{BTreeMap, BTreeSet};

use cortex_look::QueryError;
use cortex_wire::{
    ComparedParameter, DatabaseChange, DatabaseObject, DatabasePart, DependentRoutine, What,
};

use super::{
    behind::Files,
    definitions::{Definition, Verb},
};

/// Adds to changes the routines and views that name their objects: of views, routines and types all, of tables those that
/// name a column that is gone or compare one of another type with a parameter of the type that it had. O(files of SQL).
pub(super) fn tell(changes: &mut [DatabaseChange], files: Files<'_>) -> Result<(), QueryError> {
    let mut asked: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate().filter(|it| is_noticed(it.1)) {
        let name = change.name.to_lowercase();
        asked.entry(name).or_default().push(at);
    }
    if asked.is_empty() {
        return Ok(());
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
            let compared: Vec<ComparedParameter> = (columns.clone())
                .flat_map(|column| compared(definition, &body, column))
                .collect();
            let mut gone = columns.filter(|it| it.after.is_none());
            let is_dependent = !is_table
                || change.what == What::Removed
                || !compared.is_empty()
                || gone.any(|it| named.contains(it.name.to_lowercase().as_str()));
            if is_dependent {
                change.dependents.push(DependentRoutine {
                    name: definition.name.clone(),
                    object: definition.object,
                    path: file.path.clone(),
                    line: definition.line,
                    compared,
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
            let has_less = |part: &DatabasePart| part.before.is_some();
            change.what == What::Removed || change.parts.iter().any(has_less)
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

/// The parameters of a routine that it compares with a column of another type, and that have the type which the column had.
fn compared(
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
fn type_of(declared: &str) -> String {
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
