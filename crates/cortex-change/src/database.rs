//! What a change does to the objects of a database: procedures, functions, views, tables.
//!
//! Owns: which definitions of both sides belong together. Must not know: how SQL and migrations are read, who calls what
//! changed.

pub(crate) mod behind;
pub(crate) mod definitions;
mod dependents;
mod entities;
mod migrations;
mod steps;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use cortex_git::{FileChange, FileSide};
use cortex_look::QueryError;
use cortex_model::RepoPath;
use cortex_syntax::text::decode;
use cortex_wire::{DatabaseChange, DatabaseObject, DatabasePart, What};

use crate::{
    database::{
        definitions::{Definition, Part, Verb, definitions},
        dependents::type_of,
    },
    diff_context::{blobs::BlobSource, compared::Compared},
};

/// Whether a file is one of SQL.
pub(crate) fn is_sql(path: &RepoPath) -> bool {
    path.extension().eq_ignore_ascii_case("sql")
}

/// The statements of a changed file of SQL.
pub(crate) fn statements(compared: &Compared, side: &FileSide) -> Vec<Definition> {
    let text = decode(compared.texts.get(side.blob));
    definitions(text.as_str())
}

/// The steps of the migrations that a changed file has; none where it was there before: what they do is done.
fn migration(compared: &Compared, file: &FileChange) -> Vec<(RepoPath, Definition)> {
    let is_source = |it: &&FileSide| it.path.extension().eq_ignore_ascii_case("cs");
    let (None, Some(side)) = (&file.old, file.new.as_ref().filter(is_source)) else {
        return Vec::new();
    };
    let text = decode(compared.texts.get(side.blob));
    let steps = migrations::steps(text.as_str()).into_iter();
    steps.map(|step| (side.path.clone(), step)).collect()
}

/// A statement and the file that has it.
type Stated = (RepoPath, Definition);

/// What both sides say of an object in changed files.
#[derive(Default)]
struct Sides {
    old: Vec<Stated>,
    new: Vec<Stated>,
}

/// What changed files of SQL and new migrations do to the objects that they define: what breaks first, then what went, came
/// and differs, by kind and name. A definition that says the same as before, in whatever file and layout, is no change.
/// What migrations for several databases do to one column is told once.
///
/// Reads the changed files, and for what only scripts define anew the files that define it already.
pub(crate) fn changes(
    compared: &Compared,
    source: BlobSource<'_>,
) -> Result<Vec<DatabaseChange>, QueryError> {
    let mut objects: BTreeMap<(DatabaseObject, String), Sides> = BTreeMap::new();
    let (mut altered, mut written, mut migrated): (Vec<Stated>, Vec<Stated>, Vec<Stated>) =
        Default::default();
    for file in &compared.files {
        for stated in migration(compared, file) {
            match stated.1.verb {
                Verb::Alter => migrated.push(stated),
                Verb::Write => written.push(stated),
                _ => {
                    let key = (stated.1.object, stated.1.name.to_lowercase());
                    objects.entry(key).or_default().new.push(stated);
                }
            }
        }
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
        steps::alter(&mut out, path, found);
    }
    for (path, found) in migrated {
        steps::migrate(&mut out, path, found);
    }
    for stated in written {
        steps::write(&mut out, &stated);
    }
    steps::close(&mut out);
    behind::tell(&mut out, compared, files)?;
    dependents::tell(&mut out, compared, files)?;
    entities::tell(&mut out, compared)?;
    out.sort_by_cached_key(|it| (!it.is_breaking(), it.clone()));
    Ok(out)
}

/// Whether two statements define an object alike; tables are told by their columns, wherever these stand.
fn says_same(one: &Definition, other: &Definition) -> bool {
    let declared = |it: &Definition| {
        let parts = it.parts.iter();
        parts
            .map(|part| (part.name.to_lowercase(), part.declared.to_lowercase()))
            .collect::<Vec<_>>()
    };
    one.object == DatabaseObject::Table
        || declared(one) == declared(other) && one.body == other.body
}

/// What became of an object.
fn change(
    Sides { old, new }: Sides,
    files: behind::Files<'_>,
) -> Result<Option<DatabaseChange>, QueryError> {
    let is_defined = |it: &&Stated| it.1.verb != Verb::Drop;
    let defined_old: Vec<&Stated> = old.iter().filter(is_defined).collect();
    let defined_new: Vec<&Stated> = new.iter().filter(is_defined).collect();
    let Some(&first) = defined_new.first() else {
        // It is gone with its file, or a script drops it.
        let is_dropped_before = old.iter().any(|it| it.1.verb == Verb::Drop);
        let gone = defined_old.first().copied();
        let gone = gone.or(new.first().filter(|_| !is_dropped_before));
        return Ok(gone.map(|gone| DatabaseChange {
            also_in: migrations_of(&new, &gone.0),
            ..told(What::Removed, gone)
        }));
    };
    // The file that is called like it is where it is kept; others bring databases there. What SQL says, migrations for
    // several databases say in their own words.
    let is_home =
        |it: &&&Stated| is_sql(&it.0) && it.0.file_stem().eq_ignore_ascii_case(&it.1.name);
    let home = defined_new.iter().find(is_home);
    let home = home.or(defined_new.iter().rfind(|it| is_sql(&it.0)));
    let home = home.copied().unwrap_or(first);
    // What the words of migrations mean is not compared with those of SQL.
    let says_as_home =
        |it: &&Stated| !is_sql(&it.0) || !is_sql(&home.0) || says_same(&it.1, &home.1);
    let (same, others): (Vec<&Stated>, Vec<&Stated>) =
        defined_new.iter().copied().partition(says_as_home);
    let mut also_in: BTreeSet<RepoPath> = same.iter().map(|it| it.0.clone()).collect();
    also_in.remove(&home.0);
    let otherwise_in: BTreeSet<RepoPath> = (others.iter().map(|it| it.0.clone()))
        .filter(|path| !also_in.contains(path) && *path != home.0)
        .collect();
    let otherwise_in = Vec::from_iter(otherwise_in);
    let elsewhere;
    let before = match defined_old.iter().find(is_home).or(defined_old.first()) {
        Some(before) => Some(*before),
        // Its own words cannot be compared with those of SQL.
        None if home.1.object == DatabaseObject::Table && !is_sql(&home.0) => None,
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
            otherwise_in,
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
        otherwise_in,
        still_in: is_unchanged_there.then(|| before.0.clone()),
        ..told(What::Changed, home)
    }))
}

/// The files of migrations among some statements, but for one.
fn migrations_of(all: &[Stated], besides: &RepoPath) -> Vec<RepoPath> {
    let paths = all.iter().map(|it| &it.0);
    let paths = paths.filter(|path| *path != besides && !is_sql(path));
    let paths: BTreeSet<RepoPath> = paths.cloned().collect();
    paths.into_iter().collect()
}

fn told(what: What, (path, found): &Stated) -> DatabaseChange {
    DatabaseChange {
        what,
        object: found.object,
        name: found.name.clone(),
        parts: Vec::new(),
        is_body_changed: false,
        constraints: Vec::new(),
        is_data_changed: false,
        path: path.clone(),
        line: found.line,
        also_in: Vec::new(),
        still_in: None,
        otherwise_in: Vec::new(),
        entities: Vec::new(),
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
        out.push(DatabasePart {
            name: after.name.clone(),
            before: before.map(|before| before.declared.clone()),
            after: Some(after.declared.clone()),
            renamed_from: None,
            is_breaking: breaks(before.map(|it| it.declared.as_str()), after),
        });
    }
    for before in old {
        if find(new, &before.name).is_none() {
            out.push(DatabasePart {
                name: before.name.clone(),
                before: Some(before.declared.clone()),
                after: None,
                renamed_from: None,
                is_breaking: true,
            });
        }
    }
    out
}

/// Whether a new part, or one that was declared otherwise, breaks who used the object: it must be given where it need not be
/// before, may be `NULL` no longer, or is of another type. `before`: what was said of it, where that is known.
fn breaks(before: Option<&str>, after: &Part) -> bool {
    let Some(before) = before else {
        return !after.is_optional;
    };
    let [was, is] = [before, &after.declared].map(str::to_lowercase);
    let takes_null = |it: &str| !it.contains("not null");
    let was_optional = [" =", " default", " null"]
        .iter()
        .any(|it| was.contains(it));
    type_of(&was) != type_of(&is)
        || takes_null(&was) && !takes_null(&is)
        || was_optional && takes_null(&was) && !after.is_optional
}
