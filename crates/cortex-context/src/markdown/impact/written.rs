//! Rows for data: who else writes and reads what changed code assigns, and where a replaced string still stands.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::RepoPath;
use cortex_wire::{CodePlace, DataChange, LeftValue, ValueChange, WrittenData};

use super::listed;
use crate::text::line;

/// A row for each string that changed lines have newly or no longer.
pub(super) fn left_rows(left: &[&LeftValue]) -> Vec<String> {
    let row = |left: &&LeftValue| {
        let places: Vec<&CodePlace> = left.places.iter().collect();
        let what = match left.change {
            ValueChange::Replaced => "replaced here, still stands at",
            ValueChange::Removed => "removed here, still stands at",
            ValueChange::Added => "new here, also stands at",
        };
        format!("\"{}\", {what} {}", line(&left.value), in_members(&places))
    };
    left.iter().map(row).collect()
}

/// Rows for the data of one type that one changed member assigns or names.
pub(super) fn rows(data: &[WrittenData]) -> Vec<String> {
    let mut written: Vec<Vec<&WrittenData>> = Vec::new();
    for data in data {
        let same = |of: &&mut Vec<&WrittenData>| {
            let first = of[0];
            (&first.ty, &first.by, first.change) == (&data.ty, &data.by, data.change)
        };
        match written.iter_mut().find(same) {
            Some(of) => of.push(data),
            None => written.push(vec![data]),
        }
    }
    let shown = written.iter().take(MAX_WRITTEN);
    shown.map(|data| written_row(data)).collect()
}

/// So many rows tell of properties and fields that changed code assigns.
const MAX_WRITTEN: usize = 6;

/// So many members have a place in one of them.
const MAX_MEMBERS: usize = 6;

/// Properties and fields of one type that one changed member assigns, with who else does and who reads them: those of the
/// first one, and the names of others that have other places.
fn written_row(data: &[&WrittenData]) -> String {
    let first = data[0];
    let members_of = |places: &[CodePlace]| -> BTreeSet<(RepoPath, Option<String>)> {
        let places = places.iter();
        places
            .map(|it| (it.path.clone(), it.inside.clone()))
            .collect()
    };
    let places = |it: &WrittenData| (members_of(&it.writers), members_of(&it.readers));
    let all = data.iter().copied();
    let (alike, others): (Vec<&WrittenData>, Vec<&WrittenData>) =
        all.partition(|it| places(it) == places(first));
    let writers: Vec<&CodePlace> = first.writers.iter().collect();
    let readers: Vec<&CodePlace> = first.readers.iter().collect();
    let (writes, reads) = match first.change {
        DataChange::NoLongerWritten => ("still written at", "read at"),
        DataChange::Named => ("also written at", "also named at"),
        DataChange::NewlyRead => ("written at", "read at"),
        DataChange::AnotherValue | DataChange::Written => ("also written at", "read at"),
    };
    let mut sides = [(writes, writers), (reads, readers)];
    if first.change == DataChange::AnotherValue {
        // Who reads it reads another value.
        sides.reverse();
    }
    let sides = sides.into_iter().filter(|(_, places)| !places.is_empty());
    let sides = sides.map(|(how, places)| format!("{how} {}", in_members(&places)));
    let mut parts: Vec<String> = sides.collect();
    if !others.is_empty() {
        let names = others.iter().map(|it| line(&it.member));
        let names = listed(&names.collect::<Vec<_>>(), ", ");
        parts.push(format!("{names} too, with other places"));
    }
    let more = alike.iter().skip(1).map(|it| line(&it.member));
    let members: Vec<Cow<'_, str>> = std::iter::once(line(crate::look::short(&first.doc_id)))
        .chain(more)
        .collect();
    let how = match first.change {
        DataChange::AnotherValue => "given another value",
        DataChange::NoLongerWritten => "no longer written",
        DataChange::Written => "written",
        DataChange::NewlyRead => "newly read",
        DataChange::Named => "newly named",
    };
    format!(
        "{}, {how} by {}: {}",
        listed(&members, ", "),
        line(crate::look::short(&first.by)),
        parts.join("; ")
    )
}

/// The places of files, each with its line.
pub(super) fn files(places: &[&CodePlace]) -> String {
    let shown = places.iter().take(MAX_MEMBERS);
    let shown = shown.map(|it| format!("{}:{}", line(it.path.as_str()), it.line));
    let mut shown: Vec<String> = shown.collect();
    if places.len() > MAX_MEMBERS {
        shown.push(format!("… {} more", places.len() - MAX_MEMBERS));
    }
    shown.join(", ")
}

/// The first place in each member, those of one file together.
pub(in crate::markdown) fn in_members(places: &[&CodePlace]) -> String {
    let mut first: BTreeMap<(&str, Option<&str>), u32> = BTreeMap::new();
    for place in places {
        let line = first
            .entry((place.path.as_str(), place.inside.as_deref()))
            .or_insert(place.line);
        *line = place.line.min(*line);
    }
    let mut by_file: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    let shown = first.iter().take(MAX_MEMBERS);
    for (&(path, inside), &at) in shown {
        let inside = inside.map_or("", crate::look::short);
        let member = inside.rsplit('.').next().unwrap_or(inside);
        by_file.entry(path).or_default().push((at, member));
    }
    let mut out: Vec<String> = Vec::new();
    for (path, mut members) in by_file {
        members.sort_unstable();
        let members = members.iter();
        let members = members.map(|(at, member)| match member.is_empty() {
            true => format!(":{at}"),
            false => format!(":{at} in {}", line(member)),
        });
        let members: Vec<String> = members.collect();
        out.push(format!("{}{}", line(path), members.join(", ")));
    }
    if first.len() > MAX_MEMBERS {
        out.push(format!("… {} more", first.len() - MAX_MEMBERS));
    }
    out.join(", ")
}
