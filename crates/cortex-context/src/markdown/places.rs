//! Places of code in one line.

use std::collections::BTreeMap;

use cortex_wire::CodePlace;

use crate::text::line;

/// So many places are named.
const MAX_NAMED: usize = 6;

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

/// The first place in each member, those of one file together.
pub(super) fn in_members(places: &[&CodePlace]) -> String {
    let mut first: BTreeMap<(&str, Option<&str>), u32> = BTreeMap::new();
    for place in places {
        let line = first
            .entry((place.path.as_str(), place.inside.as_deref()))
            .or_insert(place.line);
        *line = place.line.min(*line);
    }
    let mut by_file: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    let shown = first.iter().take(MAX_NAMED);
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
    if first.len() > MAX_NAMED {
        out.push(format!("… {} more", first.len() - MAX_NAMED));
    }
    out.join(", ")
}
