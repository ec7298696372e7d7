//! Places of code in one line.

use std::collections::BTreeMap;

use cortex_wire::CodePlace;

use crate::text::line;

/// So many places are named.
const MAX_NAMED: usize = 8;

/// The places of files, each with its line.
pub(super) fn in_files(places: &[&CodePlace]) -> String {
    let shown = places.iter().take(MAX_NAMED);
    let shown = shown.map(|it| format!("{}:{}", line(it.path.as_str()), it.line));
    let mut shown: Vec<String> = shown.collect();
    if places.len() > MAX_NAMED {
        shown.push(format!("… {} more", places.len() - MAX_NAMED));
    }
    shown.join(", ")
}

/// So many places are named where much else is.
const MAX_FEW: usize = 5;

/// The first place in each member, those of one file together.
pub(super) fn in_members(places: &[&CodePlace]) -> String {
    first_in_members(places, MAX_NAMED)
}

/// The same, of less members.
pub(super) fn in_few_members(places: &[&CodePlace]) -> String {
    first_in_members(places, MAX_FEW)
}

fn first_in_members(places: &[&CodePlace], n_max: usize) -> String {
    let mut first: BTreeMap<(&str, Option<&str>), u32> = BTreeMap::new();
    for place in places {
        let line = first
            .entry((place.path.as_str(), place.inside.as_deref()))
            .or_insert(place.line);
        *line = place.line.min(*line);
    }
    let mut by_file: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    // The words for one more would be as long as the one.
    let n_max = n_max + usize::from(first.len() == n_max + 1);
    let shown = first.iter().take(n_max);
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
    if first.len() > n_max {
        out.push(format!("… {} more", first.len() - n_max));
    }
    out.join(", ")
}
