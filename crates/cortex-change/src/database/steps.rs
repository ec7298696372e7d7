//! What scripts and migrations that are new do to tables step by step.
//!
//! Owns: which steps are one. Must not know: how they are read.

use cortex_model::RepoPath;
use cortex_wire::{DatabaseChange, DatabaseConstraint, DatabaseObject, DatabasePart, What};

use super::{Stated, breaks, definitions::Definition, is_sql, told};

/// Adds what a script does to a table, as far as its definition does not say it.
pub(super) fn alter(all: &mut Vec<DatabaseChange>, path: RepoPath, found: Definition) {
    let known = table(all, &found.name);
    let parts: Vec<DatabasePart> = parts(&found).map(|(part, _)| part).collect();
    match known {
        Some(known) if known.what != What::Changed => {}
        Some(known) => {
            // The definition says how a table is in the end; of what is altered step by step, the first step counts.
            let is_told = |all: &[DatabasePart], name: &str| {
                all.iter().any(|it| it.name.eq_ignore_ascii_case(name))
            };
            for part in parts {
                if known.path == path && !is_told(&known.parts, &part.name) {
                    known.parts.push(part);
                }
            }
            add_file(known, path);
        }
        None => all.push(DatabaseChange {
            is_body_changed: found.parts.is_empty() && found.dropped.is_empty(),
            parts,
            ..told(What::Changed, &(path, found))
        }),
    }
}

/// Adds that a script changes rows of a table. What a new table gets first is part of it.
pub(super) fn write(all: &mut Vec<DatabaseChange>, stated: &Stated) {
    match table(all, &stated.1.name) {
        Some(known) => {
            known.is_data_changed |= known.what == What::Changed;
            if !is_sql(&stated.0) {
                add_file(known, stated.0.clone());
            }
        }
        None => all.push(DatabaseChange {
            is_data_changed: true,
            ..told(What::Changed, stated)
        }),
    }
}

/// Adds what a step of a migration does to a table. Migrations for several databases, and scripts of SQL, say the same each
/// in the types of its database: what is told of a column first stays.
pub(super) fn migrate(all: &mut Vec<DatabaseChange>, path: RepoPath, found: Definition) {
    let parts: Vec<(DatabasePart, bool)> = parts(&found).collect();
    let is_other = parts.is_empty() && found.altered.is_empty();
    if table(all, &found.name).is_none() {
        all.push(told(What::Changed, &(path.clone(), found.clone())));
    }
    let Some(known) = table(all, &found.name) else {
        return;
    };
    add_file(known, path.clone());
    // A new table is as its definition says.
    if known.what != What::Changed {
        return;
    }
    known.is_body_changed |= is_other;
    for part in parts {
        add_part(known, part, &path);
    }
    for constraint in found.constraints {
        if !known.constraints.iter().any(|it| is_same(it, &constraint)) {
            known.constraints.push(constraint);
        }
    }
}

/// Says of tables of which nothing else is told that something of them differs: what is altered, but not read.
pub(super) fn close(all: &mut [DatabaseChange]) {
    for change in all.iter_mut().filter(|it| it.what == What::Changed) {
        let is_told = !change.parts.is_empty() || change.is_data_changed;
        change.is_body_changed |= !is_told;
    }
}

/// The parts that a step adds, alters, drops and renames, each with whether an `INSERT` need not give it.
fn parts(found: &Definition) -> impl Iterator<Item = (DatabasePart, bool)> + '_ {
    let declared = found.parts.iter().filter_map(|part| {
        let is_altered = found.altered.contains(&part.name);
        let is_same = |before: &String| before.eq_ignore_ascii_case(&part.declared);
        // What else differs of it, such as an annotation, is not read.
        if is_altered && part.before.as_ref().is_some_and(is_same) {
            return None;
        }
        let told = DatabasePart {
            name: part.name.clone(),
            // What scripts alter was something that they do not say.
            before: is_altered.then(|| part.before.clone().unwrap_or_default()),
            after: Some(part.declared.clone()),
            renamed_from: None,
            is_breaking: breaks(part.before.as_deref(), part),
        };
        Some((told, part.is_optional))
    });
    let gone = found.dropped.iter().map(|name| DatabasePart {
        name: name.clone(),
        before: Some(String::new()),
        after: None,
        renamed_from: None,
        is_breaking: true,
    });
    let renamed = found.renamed.iter().map(|(old, new)| DatabasePart {
        name: new.clone(),
        before: Some(String::new()),
        after: Some(String::new()),
        renamed_from: Some(old.clone()),
        is_breaking: true,
    });
    declared.chain(gone.chain(renamed).map(|part| (part, true)))
}

/// Adds a part that nobody told yet. One that migrations of the same folder add first, and alter then, is as it is in the
/// end.
fn add_part(
    known: &mut DatabaseChange,
    (part, is_optional): (DatabasePart, bool),
    path: &RepoPath,
) {
    let is_own = !is_sql(path) && known.path.folder() == path.folder();
    let is_of = |it: &DatabasePart, name: &str| it.name.eq_ignore_ascii_case(name);
    let is_gone = |it: &DatabasePart| it.after.is_none();
    if let Some(old) = &part.renamed_from {
        // A definition says that one is gone and one came.
        let mut all = known.parts.iter();
        let is_told = all.any(|it| is_of(it, &part.name) && !is_gone(it));
        if !is_told {
            known.parts.retain(|it| !(is_of(it, old) && is_gone(it)));
            known.parts.push(part);
        }
        return;
    }
    let mut all = known.parts.iter_mut();
    let same = all.find(|it| is_of(it, &part.name) && is_gone(it) == is_gone(&part));
    match same {
        None => known.parts.push(part),
        Some(same) if same.after.as_deref() == Some("") && part.before.is_some() => {
            (same.before, same.after) = (part.before, part.after);
        }
        Some(same) if is_own && part.after.is_some() => {
            same.is_breaking = match same.before {
                Some(_) => part.is_breaking,
                None => !is_optional,
            };
            same.after = part.after;
        }
        Some(_) => {}
    }
}

/// Whether two steps make or drop one index or key: databases may shorten its name.
fn is_same(one: &DatabaseConstraint, other: &DatabaseConstraint) -> bool {
    let of = |it: &DatabaseConstraint| (it.what, it.kind.clone(), it.columns.clone());
    of(one) == of(other) && (one.name.eq_ignore_ascii_case(&other.name) || !one.columns.is_empty())
}

/// What is told of a table, by its name in any case.
fn table<'c>(all: &'c mut [DatabaseChange], name: &str) -> Option<&'c mut DatabaseChange> {
    let is_it = |it: &&mut DatabaseChange| {
        it.object == DatabaseObject::Table && it.name.eq_ignore_ascii_case(name)
    };
    all.iter_mut().find(is_it)
}

/// Names another file that does the same.
fn add_file(known: &mut DatabaseChange, path: RepoPath) {
    if known.path != path && !known.also_in.contains(&path) {
        known.also_in.push(path);
        known.also_in.sort();
    }
}
