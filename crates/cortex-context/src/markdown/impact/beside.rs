//! Rows for code that stands beside the change and names no changed symbol.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::RepoPath;

use cortex_wire::{CodePlace, DiffContext, LaggingUser, NamedProcedure, NoLongerUsed, WrittenData};

use super::listed;
use crate::{
    markdown::{names::Names, plan::counted},
    text::line,
};

/// A row for each type that newly holds something that code which uses the rest of it does not use; for each routine of a
/// database that lacks a parameter which a similar one got; for each place that names a changed routine; for each changed
/// view that others show; for data that changed code assigns; and one for what nothing uses any longer.
pub(super) fn rows(answer: &DiffContext, names: &Names) -> Vec<String> {
    let same = |a: &LaggingUser, b: &LaggingUser| (&a.ty, &a.like) == (&b.ty, &b.like);
    let lagging = answer.impact.lagging.chunk_by(same);
    let lagging = lagging.map(|of_type| lagging_row(of_type, names));
    let behind = answer.database.iter().flat_map(|change| {
        change.behind.iter().map(|it| {
            format!(
                "{} in SQL: takes what {} takes, but not {} | {}:{}",
                line(&it.name),
                line(&change.name),
                line(&it.lacks.join(", ")),
                line(it.path.as_str()),
                it.line
            )
        })
    });
    let mut written: Vec<Vec<&WrittenData>> = Vec::new();
    for data in &answer.impact.written_data {
        let same = |of: &&mut Vec<&WrittenData>| {
            let first = of[0];
            let kind = |it: &WrittenData| (it.is_constant, it.had_value);
            (&first.ty, &first.by, kind(first)) == (&data.ty, &data.by, kind(data))
        };
        match written.iter_mut().find(same) {
            Some(of) => of.push(data),
            None => written.push(vec![data]),
        }
    }
    let written = written.iter().take(MAX_WRITTEN);
    let written = written.map(|data| written_row(data));
    let named = answer.impact.procedures.iter().map(naming_row);
    let unused = no_longer_used_row(&answer.impact.no_longer_used, names);
    let views = answer.impact.views.iter().map(|view| {
        let places = view.shown_by.iter();
        let places = places.map(|it| place(it.path.as_str(), it.line, None));
        let places: Vec<String> = places.collect();
        format!(
            "{} shown by {}",
            line(view.path.as_str()),
            listed(&places, ", ")
        )
    });
    let left = answer.impact.left_values.iter().map(|left| {
        let places: Vec<&CodePlace> = left.places.iter().collect();
        format!(
            "\"{}\", replaced here, still stands at {}",
            line(&left.value),
            in_members(&places)
        )
    });
    let rows = left.chain(lagging).chain(behind).chain(named);
    let rows = rows.chain(views).chain(written);
    rows.chain(unused).collect()
}

/// So many rows tell of properties and fields that changed code assigns.
const MAX_WRITTEN: usize = 4;

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
    let reads = match first.is_constant {
        true => "also named at",
        false => "read at",
    };
    let mut sides = [("also written at", writers), (reads, readers)];
    if first.had_value {
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
    let how = match (first.had_value, first.is_constant) {
        (_, true) => "newly named",
        (true, false) => "given another value",
        (false, false) => "written",
    };
    format!(
        "{}, {how} by {}: {}",
        listed(&members, ", "),
        line(crate::look::short(&first.by)),
        parts.join("; ")
    )
}

/// The first place in each member, those of one file together.
fn in_members(places: &[&CodePlace]) -> String {
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
        let members = members.map(|(at, member)| format!(":{at} in {}", line(member)));
        let members: Vec<String> = members.collect();
        out.push(format!("{}{}", line(path), members.join(", ")));
    }
    if first.len() > MAX_MEMBERS {
        out.push(format!("… {} more", first.len() - MAX_MEMBERS));
    }
    out.join(", ")
}

/// So many symbols that nothing uses any longer are named.
const MAX_UNUSED: usize = 8;

/// What product code used and uses no longer; `None` without any.
fn no_longer_used_row(unused: &[NoLongerUsed], names: &Names) -> Option<String> {
    let mut shown: Vec<String> = (unused.iter().take(MAX_UNUSED))
        .map(|it| {
            let ty = names.listed(&it.ty);
            let name = match it.member.as_deref() {
                Some(member) => format!("{ty}.{}", line(member)),
                None => ty.into_owned(),
            };
            match it.n_test_uses {
                0 => name,
                n => format!("{name} ({} in tests)", counted(n, "use", "uses")),
            }
        })
        .collect();
    if unused.len() > MAX_UNUSED {
        shown.push(format!("… {} more", unused.len() - MAX_UNUSED));
    }
    let shown = shown.join(", ");
    (!shown.is_empty()).then(|| format!("no longer named by product code: {shown}"))
}

/// Members that use what a type held, or what goes with a new member of it, and nothing new of it.
fn lagging_row(users: &[LaggingUser], names: &Names) -> String {
    let first = &users[0];
    let lacks = match &first.lacks[..] {
        [one] => line(one).into_owned(),
        many => format!("{} new members", many.len()),
    };
    let places = users.iter().map(|it| {
        let place = place(it.path.as_str(), it.line, it.inside.as_deref());
        match it.like {
            Some(_) => place,
            None => format!("{place} ({} of {})", it.n_used, it.n_others),
        }
    });
    let places: Vec<String> = places.collect();
    let others = match &first.like {
        Some(like) => format!("{} is, which goes with it elsewhere", line(like)),
        None => "most others are".to_owned(),
    };
    format!(
        "{}: {lacks} not used where {others}: {}",
        names.listed(&first.ty),
        listed(&places, ", ")
    )
}

/// A string that names a routine, with the calls that run it for that routine's object.
fn naming_row(named: &NamedProcedure) -> String {
    let name = line(&named.name);
    let by = place(named.path.as_str(), named.line, named.inside.as_deref());
    let callers = named.callers.iter();
    let callers = callers.map(|it| place(it.path.as_str(), it.line, it.inside.as_deref()));
    let callers: Vec<String> = callers.collect();
    match callers.is_empty() {
        true => format!("{name} in SQL: named by {by}"),
        false => format!(
            "{name} in SQL: named by {by}; called for it by {}",
            listed(&callers, ", ")
        ),
    }
}

/// A line of a file, and the member around it.
fn place(path: &str, at: u32, inside: Option<&str>) -> String {
    let inside = inside.map_or_else(String::new, |id| {
        format!(" in {}", line(crate::look::short(id)))
    });
    format!("{}:{at}{inside}", line(path))
}
