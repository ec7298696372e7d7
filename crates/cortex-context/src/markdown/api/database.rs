//! Rows for the objects of a database that a change defines anew, alters or drops.

use cortex_model::RepoPath;
use cortex_wire::{DatabaseChange, DatabaseConstraint, DatabaseObject, DatabasePart, What};

use crate::{markdown::plan::counted, text::line};

/// So many objects of a row are named.
const MAX_NAMED: usize = 12;

/// So many parameters or columns of an object are told.
const MAX_PARTS: usize = 8;

/// So many indexes and keys of a table are told.
const MAX_CONSTRAINTS: usize = 4;

/// So many classes that are mapped to a table are named.
const MAX_ENTITIES: usize = 2;

/// So many files of a row are named that define objects as before.
const MAX_STILL: usize = 2;

/// A row, and how many objects it is about.
pub(super) type Row = (String, usize);

/// The rows for what may break users of the database as it was, for what differs otherwise, and for what came. What went or
/// came of one kind, and what does something else with the same parameters, share a row. `n_max`: so many of each.
pub(super) fn rows(all: &[DatabaseChange], n_max: usize) -> [Vec<Row>; 3] {
    let (breaking, rest): (Vec<_>, Vec<_>) = all.iter().partition(|it| it.is_breaking());
    let (came, changed): (Vec<_>, Vec<_>) = rest.into_iter().partition(|it| it.what == What::Added);
    [breaking, changed, came].map(|changes| {
        let (with_parts, whole): (Vec<_>, Vec<_>) = (changes.into_iter())
            .partition(|it| !it.parts.is_empty() || !it.constraints.is_empty());
        let mut out: Vec<Row> = with_parts.into_iter().map(|it| (part_row(it), 1)).collect();
        for what in [What::Removed, What::Changed, What::Added] {
            for object in DatabaseObject::ALL {
                for is_data in [false, true] {
                    let same = whole.iter().filter(|it| {
                        let is_data_alone = it.is_data_changed && !it.is_body_changed;
                        (it.what, it.object, is_data_alone) == (what, object, is_data)
                    });
                    let same: Vec<&DatabaseChange> = same.copied().collect();
                    if !same.is_empty() {
                        out.push((whole_row(what, object, &same), same.len()));
                    }
                }
            }
        }
        out.truncate(n_max);
        out
    })
}

/// An object with the parts that differ.
fn part_row(change: &DatabaseChange) -> String {
    let parts: Vec<String> = change.parts.iter().take(MAX_PARTS).map(part).collect();
    let mut out = format!(
        "{}{} {}: {}",
        match change.is_breaking() {
            true => "breaking ",
            false => "",
        },
        change.object.word(),
        line(&change.name),
        parts.join(", ")
    );
    if change.parts.len() > MAX_PARTS {
        out.push_str(&format!(" … {} more", change.parts.len() - MAX_PARTS));
    }
    if !change.constraints.is_empty() {
        let told = change.constraints.iter().take(MAX_CONSTRAINTS);
        let told: Vec<String> = told.map(constraint).collect();
        if !parts.is_empty() {
            out.push_str("; ");
        }
        out.push_str(&told.join(", "));
        let n_more = change.constraints.len() - told.len();
        if n_more > 0 {
            out.push_str(&format!(" … {n_more} more"));
        }
    } else if change.is_body_changed {
        out.push_str(match change.object {
            DatabaseObject::Table | DatabaseObject::Type => "; constraints changed",
            _ => "; body changed",
        });
    }
    if change.is_data_changed {
        out.push_str("; rows changed");
    }
    for (at, entity) in change.entities.iter().take(MAX_ENTITIES).enumerate() {
        let name = cortex_model::simple_name(&entity.name);
        let before = if at == 0 { "; unchanged entity" } else { "," };
        let path = line(entity.path.as_str());
        out.push_str(&format!("{before} {} {path}", line(name)));
    }
    let path = line(change.path.as_str());
    out.push_str(&format!(" | {path}:{}", change.line));
    match change.also_in.as_slice() {
        [] => {}
        [one] => out.push_str(&format!(", {}", line(one.as_str()))),
        more => {
            let is_sql = |it: &RepoPath| it.extension().eq_ignore_ascii_case("sql");
            let word = match more.iter().all(is_sql) {
                true => "scripts",
                false => "files",
            };
            out.push_str(&format!(", {}", counted(more.len(), word, word)));
        }
    }
    out.push_str(&still_in(change));
    out
}

/// A parameter or column.
fn part(part: &DatabasePart) -> String {
    let name = match &part.renamed_from {
        Some(old) => format!("{} → {}", line(old), line(&part.name)),
        None => line(&part.name).into_owned(),
    };
    match (&part.before, &part.after) {
        (Some(_), Some(after)) if after.is_empty() => format!("~ {name}"),
        (None, Some(after)) => {
            let need = match (part.is_breaking, part.name.starts_with('@')) {
                (false, _) => "",
                (true, true) => " (required)",
                (true, false) => " (no default)",
            };
            format!("+ {name} {}{need}", line(after))
        }
        // What it was is not known.
        (Some(before), Some(after)) if before.is_empty() => format!("~ {name} {}", line(after)),
        (Some(before), Some(after)) => format!("~ {name} {} → {}", line(before), line(after)),
        _ => format!("- {name}"),
    }
}

/// An index or a key.
fn constraint(it: &DatabaseConstraint) -> String {
    let sign = match it.what {
        What::Removed => '-',
        _ => '+',
    };
    let mut out = format!("{sign} {} {}", line(&it.kind), line(&it.name));
    if !it.columns.is_empty() {
        out.push_str(&format!(" ({})", line(&it.columns.join(", "))));
    }
    if let Some(target) = &it.target {
        out.push_str(&format!(" → {}", line(target)));
    }
    out
}

/// Objects of one kind that came, went or differ in what they do.
fn whole_row(what: What, object: DatabaseObject, changes: &[&DatabaseChange]) -> String {
    let (before, after) = match what {
        What::Removed => ("breaking ", "removed"),
        What::Changed => ("", "body changed"),
        What::Added => ("", "added"),
    };
    let after = match (what, object) {
        (What::Changed, DatabaseObject::Table | DatabaseObject::Type) => {
            match changes.iter().all(|it| !it.is_body_changed) {
                true => "with changed rows",
                false => "constraints changed",
            }
        }
        _ => after,
    };
    let names: Vec<_> = changes
        .iter()
        .take(MAX_NAMED)
        .map(|it| line(&it.name))
        .collect();
    let plural = match changes.len() {
        1 => "",
        _ => "s",
    };
    let mut out = format!(
        "{before}{}{plural} {after}: {}",
        object.word(),
        names.join(", ")
    );
    if changes.len() > MAX_NAMED {
        out.push_str(&format!(" … {} more", changes.len() - MAX_NAMED));
    }
    if let [one] = changes {
        let path = line(one.path.as_str());
        out.push_str(&format!(" | {path}:{}", one.line));
    }
    let still = changes.iter().map(|it| still_in(it));
    out.extend(still.take(MAX_STILL));
    out
}

/// The file that defines an object as it was before, and those that define it otherwise.
fn still_in(change: &DatabaseChange) -> String {
    let still = change.still_in.iter().map(|path| ("as before in", path));
    let otherwise = change.otherwise_in.iter().take(MAX_STILL);
    let otherwise = otherwise.map(|path| ("defined otherwise in", path));
    let told = still.chain(otherwise);
    told.map(|(how, path)| format!("; {how} {}", line(path.as_str())))
        .collect()
}
