//! Rows for unchanged code that does what changed code does.

use cortex_wire::{CodePlace, CopiedCode, CopyChange, Counterpart, NearCopy, SharedCondition};

use super::listed;
use crate::{markdown::places::Near, text::line};

/// A row for each step that changed code newly takes beside something, with the code that does not, and for the code that
/// calls what new code calls.
pub(super) fn rows(counterparts: &[Counterpart], near: &Near<'_>) -> Vec<String> {
    let rows = counterparts.iter().map(|it| {
        let places: Vec<&CodePlace> = it.places.iter().collect();
        let places = near.in_members(&places);
        let (shared, by) = (names(&it.shared), names(&it.by));
        if it.adds.is_empty() {
            return format!("uses {shared} too, as {by} newly does: {places}");
        }
        let with = match it.n_with {
            0 => String::new(),
            1 => ", as another member did".to_owned(),
            n => format!(", as {n} others did"),
        };
        let adds = names(&it.adds);
        format!("{adds} newly used beside {shared} in {by}{with}; not in: {places}")
    });
    rows.collect()
}

/// A row for each comparison that unchanged code makes as changed code does.
pub(super) fn conditions(conditions: &[SharedCondition], near: &Near<'_>) -> Vec<String> {
    let rows = conditions.iter().map(|it| {
        let places: Vec<&CodePlace> = it.places.iter().collect();
        format!(
            "{}, on a changed line of {}, also at {}",
            line(&it.condition),
            without_arity(&line(crate::look::short(&it.by))),
            near.in_few_members(&places)
        )
    });
    rows.collect()
}

/// A row for each statement of changed code that came or went, with the unchanged code that is written like it.
pub(super) fn copies(copies: &[CopiedCode], near: &Near<'_>) -> Vec<String> {
    let rows = copies.iter().map(|it| {
        let places: Vec<&CodePlace> = it.places.iter().collect();
        let places = near.in_few_members(&places);
        let (code, by) = (
            line(&it.code),
            without_arity(&line(crate::look::short(&it.by))),
        );
        match it.change {
            CopyChange::Gone => format!("no longer in {by}, but still at {places}: {code}"),
            CopyChange::Added => {
                format!("newly in {by}, but not in the same place at {places}: {code}")
            }
            CopyChange::Extended => {
                let inserted = line(it.inserted.as_deref().unwrap_or_default());
                format!("{by} has {inserted} in it now, not at {places}: {code}")
            }
        }
    });
    rows.collect()
}

/// A row for each new member that is written like an unchanged one.
pub(super) fn near_copies(copies: &[NearCopy], near: &Near<'_>) -> Vec<String> {
    let rows = copies.iter().map(|it| {
        format!(
            "{} (new) is written like the code at {} ({} %)",
            without_arity(&line(crate::look::short(&it.doc_id))),
            near.in_members(&[&it.place]),
            it.percent
        )
    });
    rows.collect()
}

/// The first of some members, each with its type.
fn names(ids: &[String]) -> String {
    let mut shown: Vec<String> = Vec::new();
    for id in ids {
        let name = without_arity(&line(crate::look::short(id)));
        if !shown.contains(&name) {
            shown.push(name);
        }
    }
    listed(&shown, ", ")
}

/// A name without the numbers of type parameters: `IFactory.Make` of `` IFactory`1.Make ``.
fn without_arity(name: &str) -> String {
    let mut parts = name.split('`');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| {
        out + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}
