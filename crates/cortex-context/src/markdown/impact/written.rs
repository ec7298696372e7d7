//! Rows for data: who else writes and reads what changed code assigns, and where a replaced string still stands.

use std::{borrow::Cow, collections::BTreeSet};

use cortex_model::RepoPath;
use cortex_wire::{CodePlace, DataChange, LeftValue, TextKind, ValueChange, WrittenData};

use super::listed;
use crate::{markdown::places::Near, text::line};

/// A row for each text that changed lines have newly or no longer, and for each name or route that is gone.
pub(super) fn left_rows(left: &[&LeftValue], near: &Near<'_>) -> Vec<String> {
    let row = |left: &&LeftValue| {
        let places: Vec<&CodePlace> = left.places.iter().collect();
        let what = match (left.kind, left.change) {
            (_, ValueChange::Described) => "which runs otherwise, is named in documentation at",
            (_, ValueChange::Documented) => {
                "no longer in the code of the member, still named in its documentation at"
            }
            (TextKind::Name, _) => "gone, still named in comments or documentation at",
            (TextKind::Route, _) => "gone, its path still stands at",
            (_, ValueChange::Replaced) => "replaced here, still stands at",
            (_, ValueChange::Removed) => "removed here, still stands at",
            (_, ValueChange::Added) => "new here, also stands at",
        };
        let value = match left.kind {
            TextKind::Name | TextKind::Route => line(&left.value).into_owned(),
            TextKind::Value => format!("\"{}\"", line(&left.value)),
            TextKind::Wording => format!("\"{}\"", beginning(&line(&left.value))),
        };
        format!("{value}, {what} {}", near.in_members(&places))
    };
    left.iter().map(row).collect()
}

/// The first characters of what says more than a row should.
fn beginning(text: &str) -> String {
    match text.char_indices().nth(MAX_WORDING) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// So many characters tell words.
const MAX_WORDING: usize = 80;

/// Rows for data that one changed member assigns or names: properties and fields of one type with the same users share one.
pub(super) fn rows(data: &[WrittenData], near: &Near<'_>) -> Vec<String> {
    let mut written: Vec<Vec<&WrittenData>> = Vec::new();
    for data in data {
        let same = |of: &&mut Vec<&WrittenData>| {
            let first = of[0];
            (&first.ty, &first.by, first.change) == (&data.ty, &data.by, data.change)
                && users(first) == users(data)
        };
        match written.iter_mut().find(same) {
            Some(of) => of.push(data),
            None => written.push(vec![data]),
        }
    }
    let shown = written.iter().take(MAX_WRITTEN);
    shown.map(|data| written_row(data, near)).collect()
}

/// So many rows tell of properties and fields that changed code assigns.
const MAX_WRITTEN: usize = 12;

/// A file, and the member around a place in it.
type Around<'d> = (&'d RepoPath, Option<&'d str>);

/// What writes a property or field, and what reads it.
fn users(data: &WrittenData) -> [BTreeSet<Around<'_>>; 2] {
    [&data.writers, &data.readers].map(|places| {
        let places = places.iter();
        places.map(|it| (&it.path, it.inside.as_deref())).collect()
    })
}

/// Properties and fields with the same users, with who else gives them a value and who reads them.
fn written_row(data: &[&WrittenData], near: &Near<'_>) -> String {
    let first = data[0];
    let writers: Vec<&CodePlace> = first.writers.iter().collect();
    let readers: Vec<&CodePlace> = first.readers.iter().collect();
    let (writes, reads) = match first.change {
        DataChange::NoLongerWritten => ("still written at", "read at"),
        _ if first.only_comparisons => ("written at", "compared with at"),
        DataChange::Named => ("also written at", "also named at"),
        DataChange::NoLongerNamed => ("still written at", "still named at"),
        DataChange::NoLongerCalled => ("still written at", "still called at"),
        DataChange::StillNamed => ("also written at", "also named at"),
        DataChange::NewlyRead => ("written at", "read at"),
        DataChange::Called => ("also called at", "also called at"),
        DataChange::AnotherValue | DataChange::Written => ("also written at", "read at"),
    };
    let mut sides = [(writes, writers), (reads, readers)];
    if first.change == DataChange::AnotherValue {
        // Who reads it reads another value.
        sides.reverse();
    }
    let sides = sides.into_iter().filter(|(_, places)| !places.is_empty());
    let sides = sides.map(|(how, places)| format!("{how} {}", near.in_few_members(&places)));
    let mut parts: Vec<String> = sides.collect();
    parts.extend(first.read_through.iter().map(|through| {
        let places: Vec<&CodePlace> = through.places.iter().collect();
        let name = crate::look::short(&through.doc_id);
        format!("through {} at {}", line(name), near.in_few_members(&places))
    }));
    let more = data.iter().skip(1).map(|it| line(&it.member));
    let members: Vec<Cow<'_, str>> = std::iter::once(line(crate::look::short(&first.doc_id)))
        .chain(more)
        .collect();
    let how = match first.change {
        DataChange::AnotherValue => "given another value",
        DataChange::NoLongerWritten => "no longer written",
        DataChange::Written => "written",
        DataChange::NewlyRead => "newly read",
        DataChange::Named => "newly named",
        DataChange::NoLongerNamed => "no longer named",
        DataChange::StillNamed => "named on changed lines",
        DataChange::Called => "newly called",
        DataChange::NoLongerCalled => "no longer called",
    };
    format!(
        "{}, {how} by {}: {}",
        listed(&members, ", "),
        line(crate::look::short(&first.by)),
        parts.join("; ")
    )
}
