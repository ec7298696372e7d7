//! What a change does to the objects of a database: procedures, functions, views, tables.
//!
//! Owns: which definitions of both sides belong together. Must not know: how SQL is read, who calls what changed.

pub(crate) mod behind;
pub(crate) mod definitions;
mod dependents;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::FileSide;
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_syntax::text::decode;
use cortex_wire::{DatabaseChange, DatabaseObject, DatabasePart, What};

use crate::{
    database::definitions::{Definition, Part, Verb, definitions},
    diff_context::{blobs::BlobSource, compared::Compared},
};

/// Whether a file is one of SQL.
pub(crate) fn is_sql(path: &RepoPath) -> bool {
    path.extension().eq_ignore_ascii_case("sql")
}

/// The statements of a changed file of SQL.
pub(crate) fn statements(compared: &Compared, side: &FileSide) -> Vec<Definition> {
    let text = decode(compared.texts.get(side.blob));
    definitions(&String::from_utf8_lossy(text.as_bytes()))
}

/// A statement and the file that has it.
type Stated = (RepoPath, Definition);

/// What both sides say of an object in changed files.
#[derive(Default)]
struct Sides {
    old: Vec<Stated>,
    new: Vec<Stated>,
}

/// What changed files of SQL do to the objects that they define: what breaks first, then what went, came and differs, by
/// kind and name. A definition that says the same as before, in whatever file and layout, is no change.
///
/// Reads the changed files, and for what only scripts define anew the files that define it already.
pub(crate) fn changes(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<DatabaseChange>, QueryError> {
    let mut objects: BTreeMap<(DatabaseObject, String), Sides> = BTreeMap::new();
    let (mut altered, mut written): (Vec<Stated>, Vec<Stated>) = Default::default();
    for file in &compared.files {
        for (side, is_new) in [(&file.old, false), (&file.new, true)] {
            let Some(side) = side.as_ref().filter(|side| is_sql(&side.path)) else {
                continue;
            };
            for found in statements(compared, side) {
                let stated = (side.path.clone(), found);
                // A script of a database runs once: what one that stays does was done before.
                let is_new_script = is_new && file.old.is_none();
                let steps = match stated.1.verb {
                    Verb::Alter => Some(&mut altered),
                    Verb::Write => Some(&mut written),
                    _ => None,
                };
                if let Some(steps) = steps {
                    steps.extend(is_new_script.then_some(stated));
                    continue;
                }
                let key = (stated.1.object, stated.1.name.to_lowercase());
                let sides = objects.entry(key).or_default();
                match is_new {
                    true => sides.new.push(stated),
                    false => sides.old.push(stated),
                }
            }
        }
    }
    let mut out = Vec::new();
    let files = behind::Files::new(compared, source);
    for sides in objects.into_values() {
        out.extend(change(sides, files)?);
    }
    for (path, found) in altered {
        alter(&mut out, path, found);
    }
    for stated in written {
        write(&mut out, &stated);
    }
    behind::tell(&mut out, compared, files)?;
    dependents::tell(&mut out, compared, files)?;
    out.sort_by_cached_key(|it| (!it.is_breaking(), it.clone()));
    Ok(out)
}

/// What became of an object.
fn change(
    Sides { old, new }: Sides,
    files: behind::Files<'_>,
) -> Result<Option<DatabaseChange>, QueryError> {
    let is_defined = |it: &&Stated| it.1.verb != Verb::Drop;
    let defined_old: Vec<&Stated> = old.iter().filter(is_defined).collect();
    let defined_new: Vec<&Stated> = new.iter().filter(is_defined).collect();
    let Some(&last) = defined_new.last() else {
        // It is gone with its file, or a script drops it.
        let is_dropped_before = old.iter().any(|it| it.1.verb == Verb::Drop);
        let gone = defined_old.first().copied();
        let gone = gone.or(new.first().filter(|_| !is_dropped_before));
        return Ok(gone.map(|gone| told(What::Removed, gone)));
    };
    // The file that is called like it is where it is kept; others bring databases there.
    let is_home = |it: &&&Stated| stem(&it.0).eq_ignore_ascii_case(&it.1.name);
    let home = defined_new.iter().find(is_home).copied().unwrap_or(last);
    let mut also_in: BTreeSet<RepoPath> = defined_new.iter().map(|it| it.0.clone()).collect();
    also_in.remove(&home.0);
    let elsewhere;
    let before = match defined_old.iter().find(is_home).or(defined_old.first()) {
        Some(before) => Some(*before),
        None => {
            elsewhere = files.defining(&home.1, &home.0)?;
            elsewhere.as_ref()
        }
    };
    let Some(before) = before else {
        let is_new = defined_new.iter().any(|it| it.1.verb == Verb::Create);
        return Ok(Some(DatabaseChange {
            // Whether it is there already, scripts alone know.
            is_body_changed: !is_new,
            also_in: also_in.into_iter().collect(),
            ..told(if is_new { What::Added } else { What::Changed }, home)
        }));
    };
    let is_unchanged_there = !defined_old.iter().any(|it| it.0 == before.0);
    let parts = parts(&before.1.parts, &home.1.parts);
    let is_body_changed = before.1.body != home.1.body;
    let is_changed = !parts.is_empty() || is_body_changed;
    Ok(is_changed.then(|| DatabaseChange {
        parts,
        is_body_changed,
        also_in: also_in.into_iter().collect(),
        still_in: is_unchanged_there.then(|| before.0.clone()),
        ..told(What::Changed, home)
    }))
}

fn told(what: What, (path, found): &Stated) -> DatabaseChange {
    DatabaseChange {
        what,
        object: found.object,
        name: found.name.clone(),
        parts: Vec::new(),
        is_body_changed: false,
        is_data_changed: false,
        path: path.clone(),
        line: found.line,
        also_in: Vec::new(),
        still_in: None,
        behind: Vec::new(),
        dependents: Vec::new(),
    }
}

/// The parts that differ: those of the newer side in their order, then those that are gone.
fn parts(old: &[Part], new: &[Part]) -> Vec<DatabasePart> {
    fn find<'p>(all: &'p [Part], name: &str) -> Option<&'p Part> {
        all.iter().find(|it| it.name.eq_ignore_ascii_case(name))
    }
    let mut out = Vec::new();
    for after in new {
        let before = find(old, &after.name);
        let is_same = |before: &Part| before.declared.eq_ignore_ascii_case(&after.declared);
        if before.is_some_and(is_same) {
            continue;
        }
        let has_looser = before.is_some_and(|before| {
            // `NULL` or a default alone is more than before.
            let head = |part: &Part| {
                let words = part.declared.split(" =").next().unwrap_or_default();
                words.replace(" NOT NULL", "").replace(" NULL", "")
            };
            after.is_optional && head(before).eq_ignore_ascii_case(&head(after))
        });
        out.push(DatabasePart {
            name: after.name.clone(),
            before: before.map(|before| before.declared.clone()),
            after: Some(after.declared.clone()),
            is_breaking: match before {
                None => !after.is_optional,
                Some(_) => !has_looser,
            },
        });
    }
    for before in old {
        if find(new, &before.name).is_none() {
            out.push(DatabasePart {
                name: before.name.clone(),
                before: Some(before.declared.clone()),
                after: None,
                is_breaking: true,
            });
        }
    }
    out
}

/// Adds what a script does to a table, as far as its definition does not say it.
fn alter(all: &mut Vec<DatabaseChange>, path: RepoPath, found: Definition) {
    let known = all
        .iter_mut()
        .find(|it| it.object == DatabaseObject::Table && it.name.eq_ignore_ascii_case(&found.name));
    let added = found.parts.iter().map(|part| DatabasePart {
        name: part.name.clone(),
        // What an altered column was is not said.
        before: found.altered.contains(&part.name).then(String::new),
        after: Some(part.declared.clone()),
        is_breaking: !part.is_optional,
    });
    let gone = found.dropped.iter().map(|name| DatabasePart {
        name: name.clone(),
        before: Some(String::new()),
        after: None,
        is_breaking: true,
    });
    let parts = added.chain(gone);
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
            if known.path != path && !known.also_in.contains(&path) {
                known.also_in.push(path);
                known.also_in.sort();
            }
        }
        None => all.push(DatabaseChange {
            is_body_changed: found.parts.is_empty() && found.dropped.is_empty(),
            parts: parts.collect(),
            ..told(What::Changed, &(path, found))
        }),
    }
}

/// Adds that a script changes rows of a table. What a new table gets first is part of it.
fn write(all: &mut Vec<DatabaseChange>, stated: &Stated) {
    let known = all.iter_mut().find(|it| {
        it.object == DatabaseObject::Table && it.name.eq_ignore_ascii_case(&stated.1.name)
    });
    match known {
        Some(known) => known.is_data_changed |= known.what == What::Changed,
        None => all.push(DatabaseChange {
            is_data_changed: true,
            ..told(What::Changed, stated)
        }),
    }
}

/// The name of a file without its extension.
fn stem(path: &RepoPath) -> &str {
    let name = path.file_name();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
