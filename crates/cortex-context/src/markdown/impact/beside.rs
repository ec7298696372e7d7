//! Rows for code that stands beside the change and names no changed symbol.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use cortex_model::simple_name;
use cortex_wire::{
    CodePlace, Column, DatabaseChange, DiffContext, HandedHow, HandedType, Impact, InheritedMember,
    LaggingUser, LeftValue, NamedProcedure, NamedRoutine, NearbyDocumentation, NoLongerUsed,
    OutsideService, TypeTest, UnsetMember, ValueChange, What,
};

use super::{counterparts, listed, words::sibling_names, written};
use crate::{
    markdown::{
        names::Names,
        places::{Near, in_files},
        plan::counted,
    },
    text::line,
};

/// A row for each type that newly holds something that code which uses the rest of it does not use; for each routine of a
/// database that lacks a parameter which a similar one got; for each place that names a changed routine; for each changed
/// view that others show; for data that changed code assigns; and one for what nothing uses any longer.
pub(super) fn rows(answer: &DiffContext, names: &Names) -> Vec<String> {
    let near = &Near::of(answer);
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
    let named = naming_rows(&answer.impact.procedures, names, near).into_iter();
    let dependents = answer.database.iter().flat_map(dependent_rows);
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
    // What is new may stand elsewhere for another reason.
    let (new, left): (Vec<&LeftValue>, Vec<&LeftValue>) =
        (answer.impact.left_values.iter()).partition(|it| it.change == ValueChange::Added);
    let files = answer.impact.files_of_name.iter().map(|of_name| {
        let files = of_name.files.iter().map(|it| line(it.as_str()));
        format!(
            "files called like {}: {}",
            names.listed(&of_name.ty),
            listed(&files.collect::<Vec<_>>(), ", ")
        )
    });
    let inherited = answer.impact.inherited.iter();
    let inherited = inherited.map(|it| inherited_row(it, near));
    let documentation = answer.impact.nearby_documentation.iter();
    let documentation = documentation.map(documentation_row);
    let rows = written::left_rows(&left, near).into_iter();
    let rows = inherited.chain(rows).chain(documentation);
    let rows = rows.chain(unused);
    let rows = rows.chain(counterparts::rows(&answer.impact.counterparts, near));
    let outside = answer.impact.outside_services.iter();
    let rows = rows.chain(outside.map(|it| outside_row(it, near)));
    let rows = rows.chain(counterparts::copies(&answer.impact.copies, near));
    let rows = rows.chain(counterparts::near_copies(&answer.impact.near_copies, near));
    let rows = rows.chain(counterparts::conditions(&answer.impact.conditions, near));
    let rows = rows.chain(handed_rows(&answer.impact.handed, names, near));
    let asked = answer.impact.type_tests.iter();
    let rows = rows.chain(asked.map(|it| asking_row(it, names, near)));
    let unset = answer.impact.unset.iter();
    let rows = rows.chain(unset.map(|it| unset_row(it, names, near)));
    let rows = rows.chain(lagging);
    let routines = routine_rows(&answer.impact).into_iter();
    let rows = rows
        .chain(dependents)
        .chain(behind)
        .chain(named)
        .chain(routines)
        .chain(views);
    let rows = rows.chain(written::rows(&answer.impact.written_data, near));
    let columns = column_rows(&answer.impact.columns, near).into_iter();
    let read = answer.impact.deserialized.iter().map(|read| {
        let places: Vec<&CodePlace> = read.places.iter().collect();
        let ty = line(simple_name(&read.ty));
        format!(
            "{ty} read from text or settings at {}",
            near.in_members(&places)
        )
    });
    let rows = rows.chain(read).chain(columns).chain(files);
    rows.chain(written::left_rows(&new, near)).collect()
}

/// A member of a base that came or went, with the members below that are left.
fn inherited_row(member: &InheritedMember, near: &Near<'_>) -> String {
    let places: Vec<&CodePlace> = member.places.iter().collect();
    let how = match member.what {
        What::Removed => "gone; nothing else is overridden or implemented by what was for it",
        _ => "new, and hidden by what has its name",
    };
    format!(
        "{} is {how} at {}",
        line(crate::look::short(&member.doc_id)),
        near.in_members(&places)
    )
}

/// A text for people beside changed code, with the lines that have names from there.
fn documentation_row(text: &NearbyDocumentation) -> String {
    let lines = text.lines.iter();
    let lines = lines.map(|it| format!(":{} {}", it.line, line(&it.name)));
    let more = match text.n_lines - text.lines.len() {
        0 => String::new(),
        n => format!(", … {n} more"),
    };
    format!(
        "documentation beside changed code that names what changed: {}{}{more}",
        line(text.path.as_str()),
        lines.collect::<Vec<_>>().join(", ")
    )
}

/// Code that objects of a changed type pass, or passed, as those of a base.
fn asking_row(asked: &TypeTest, names: &Names, near: &Near<'_>) -> String {
    let how = match asked.what {
        What::Removed => "is no longer",
        _ => "is now",
    };
    let places: Vec<&CodePlace> = asked.places.iter().collect();
    format!(
        "{} {how} {}, which is asked for at {}",
        names.listed(&asked.ty),
        names.listed(&asked.base),
        near.in_members(&places)
    )
}

/// A service of a framework that changed code registers, with who takes it.
fn outside_row(service: &OutsideService, near: &Near<'_>) -> String {
    let uses = [
        ("taken at", &service.taken_at),
        ("also called at", &service.also_called_at),
    ];
    let uses = uses.into_iter().filter(|(_, places)| !places.is_empty());
    let uses = uses.map(|(how, places)| {
        let places: Vec<&CodePlace> = places.iter().collect();
        format!("{how} {}", near.in_members(&places))
    });
    // What is called nowhere else but here may give no such service.
    let of = match service.taken_at.is_empty() {
        true => String::new(),
        false => format!("{} of ", line(&service.service)),
    };
    format!(
        "{of}{} {}:{}: {}",
        line(&service.call),
        line(service.at.path.as_str()),
        service.at.line,
        uses.collect::<Vec<_>>().join("; ")
    )
}

/// So many symbols that nothing uses any longer are named.
const MAX_UNUSED: usize = 8;

/// What product code used and uses no longer; `None` without any.
fn no_longer_used_row(unused: &[NoLongerUsed], names: &Names) -> Option<String> {
    let mut before = None;
    let mut shown: Vec<String> = (unused.iter().take(MAX_UNUSED))
        .map(|it| {
            let ty = names.listed(&it.ty);
            let name = match it.member.as_deref() {
                Some(member) => format!("{ty}.{}", line(member)),
                None => ty.into_owned(),
            };
            let mut notes = Vec::new();
            if it.is_assigned {
                notes.push("assigned only".to_owned());
            }
            if !it.implemented_by.is_empty() {
                let places: Vec<&CodePlace> = it.implemented_by.iter().collect();
                notes.push(format!("implemented at {}", in_files(&places)));
            }
            if it.n_test_uses > 0 {
                let uses = counted(it.n_test_uses, "use", "uses");
                notes.push(format!("{uses} in tests"));
            }
            let path = match before.replace(&it.path) == Some(&it.path) {
                true => Cow::Borrowed(""),
                false => line(it.path.as_str()),
            };
            let at = format!("{name} {path}:{}", it.line);
            match notes.is_empty() {
                true => at,
                false => format!("{at} ({})", notes.join("; ")),
            }
        })
        .collect();
    if unused.len() > MAX_UNUSED {
        shown.push(format!("… {} more", unused.len() - MAX_UNUSED));
    }
    let shown = shown.join(", ");
    (!shown.is_empty()).then(|| format!("no longer named by product code: {shown}"))
}

/// What changed code newly sets, with the code that sets the rest.
fn unset_row(unset: &UnsetMember, names: &Names, near: &Near<'_>) -> String {
    let listed_names = |names: &[String]| {
        let names: Vec<_> = names.iter().map(|it| line(it)).collect();
        listed(&names, ", ")
    };
    let by = unset.by.iter().map(|it| line(crate::look::short(it)));
    let places: Vec<&CodePlace> = unset.places.iter().collect();
    format!(
        "{}.{}, newly set by {} beside {}: not set where these are at {}",
        names.listed(&unset.ty),
        listed_names(&unset.members),
        listed(&by.collect::<Vec<_>>(), ", "),
        listed_names(&unset.beside),
        near.in_members(&places)
    )
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

/// The rows of SQL that names properties: those of one type that the same files name share one.
fn column_rows(columns: &[Column], near: &Near<'_>) -> Vec<String> {
    let ty = |column: &Column| {
        let id = &column.doc_id;
        id.rsplit_once('.')
            .map_or(String::new(), |(ty, _)| ty.to_owned())
    };
    let files = |column: &Column| -> Vec<String> {
        let files = column.places.iter().map(|it| it.path.to_string());
        files.collect()
    };
    let mut together: Vec<Vec<&Column>> = Vec::new();
    for column in columns {
        let same =
            |of: &&mut Vec<&Column>| ty(of[0]) == ty(column) && files(of[0]) == files(column);
        match together.iter_mut().find(same) {
            Some(of) => of.push(column),
            None => together.push(vec![column]),
        }
    }
    let rows = together.into_iter().map(|of| {
        let more = of.iter().skip(1);
        let more = more.map(|it| it.doc_id.rsplit('.').next().unwrap_or_default());
        let names = std::iter::once(crate::look::short(&of[0].doc_id)).chain(more);
        let names: Vec<_> = names.map(line).collect();
        let places: Vec<&CodePlace> = of.iter().flat_map(|it| &it.places).collect();
        let places = near.in_folders(&places);
        format!("{} in SQL: named at {places}", listed(&names, ", "))
    });
    rows.collect()
}

/// The rows of a changed object that other SQL names: one for each parameter that still has the type which a column had,
/// and one for all else.
fn dependent_rows(change: &DatabaseChange) -> Vec<String> {
    let (compared, others): (Vec<_>, Vec<_>) =
        (change.dependents.iter()).partition(|it| !it.compared.is_empty());
    let rows = compared.into_iter().flat_map(|it| {
        it.compared.iter().map(move |parameter| {
            let column = line(&parameter.column);
            let mut parts = change.parts.iter();
            let part = parts.find(|part| part.name == parameter.column);
            format!(
                "{} in SQL: {} {} is compared with {}.{column}, which is {} now | {}:{}",
                line(&it.name),
                line(&parameter.name),
                line(&parameter.declared),
                line(&change.name),
                line(part.and_then(|it| it.after.as_deref()).unwrap_or_default()),
                line(it.path.as_str()),
                it.line
            )
        })
    });
    let mut rows: Vec<String> = rows.collect();
    let (lacking, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|it| !it.lacks.is_empty());
    for of_columns in lacking.chunk_by(|a, b| a.lacks == b.lacks) {
        let routines = of_columns.iter().map(|it| {
            let path = line(it.path.as_str());
            format!("{} {path}:{}", line(&it.name), it.line)
        });
        rows.push(format!(
            "{} in SQL: filled without {} by {}",
            line(&change.name),
            line(&of_columns[0].lacks.join(", ")),
            listed(&routines.collect::<Vec<_>>(), ", ")
        ));
    }
    if !others.is_empty() {
        let named: Vec<_> = others.iter().map(|it| line(&it.name)).collect();
        rows.push(format!(
            "{} in SQL: unchanged, named by {}",
            line(&change.name),
            listed(&named, ", ")
        ));
    }
    rows
}

/// So many routines share a row.
const MAX_ALONE: usize = 8;

/// The rows of strings that name routines: one for all that no other code calls, by file, and one for each other one.
fn naming_rows(named: &[NamedProcedure], names: &Names, near: &Near<'_>) -> Vec<String> {
    let is_told_by_place = |it: &NamedProcedure| {
        it.callers.is_empty() && it.callers_of_callers.is_empty() && it.siblings.is_empty()
    };
    let is_alone = |it: &[NamedProcedure]| matches!(it, [one] if is_told_by_place(one));
    let (alone, others): (Vec<_>, Vec<_>) = named
        .chunk_by(|a, b| a.name == b.name)
        .partition(|it| is_alone(it));
    let mut out: Vec<String> = others
        .iter()
        .map(|it| naming_row(it, names, near))
        .collect();
    if alone.len() < 2 {
        out.extend(alone.iter().map(|it| naming_row(it, names, near)));
        return out;
    }
    let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let n_more = alone.len().saturating_sub(MAX_ALONE);
    for one in alone.into_iter().flatten().take(MAX_ALONE) {
        let inside = one.inside.as_deref().map_or("", crate::look::short);
        let inside = inside.rsplit('.').next().unwrap_or_default();
        let place = format!(":{} in {} ({})", one.line, line(inside), line(&one.name));
        files.entry(one.path.as_str()).or_default().push(place);
    }
    let files = files.into_iter();
    let files = files.map(|(path, named)| format!("{}{}", line(path), named.join(", ")));
    let mut files: Vec<String> = files.collect();
    if n_more > 0 {
        files.push(format!("… {n_more} more"));
    }
    out.push(format!("changed in SQL, named at {}", files.join("; ")));
    out
}

/// A row for each call that hands changed types to a framework.
fn handed_rows(handed: &[HandedType], names: &Names, near: &Near<'_>) -> Vec<String> {
    let mut calls: BTreeMap<(HandedHow, &str, &[CodePlace]), Vec<String>> = BTreeMap::new();
    for it in handed {
        let types = calls.entry((it.how, &it.call, &it.places)).or_default();
        types.push(names.listed(&it.ty).into_owned());
    }
    let rows = calls.into_iter().map(|((how, call, places), types)| {
        let places: Vec<&CodePlace> = places.iter().collect();
        let how = match how {
            HandedHow::TypeArgument => "given as a type argument to",
            HandedHow::Assembly => "found in the assembly by",
        };
        let (types, places) = (listed(&types, ", "), near.in_members(&places));
        format!("{types} {how} {} at {places}", line(call))
    });
    rows.collect()
}

/// A row for the unchanged routines that no code names any longer, and one for those that changed code runs.
fn routine_rows(impact: &Impact) -> Vec<String> {
    let told = |routines: &[NamedRoutine], how: &str| {
        let mut files: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for it in routines {
            let place = format!("{}:{}", line(it.path.as_str()), it.line);
            files.entry(&it.member).or_default().push(place);
        }
        let rows = files.into_iter().map(|(member, places)| {
            format!(
                "{} ({})",
                places.join(", "),
                line(crate::look::short(member))
            )
        });
        let rows: Vec<String> = rows.collect();
        (!rows.is_empty()).then(|| format!("{how}: {}", rows.join("; ")))
    };
    let left = told(&impact.left_routines, "SQL that no code names any longer");
    let run = told(&impact.run_routines, "unchanged SQL that changed code runs");
    left.into_iter().chain(run).collect()
}

/// The strings that name a routine, with the calls that run them for that routine's object.
fn naming_row(named: &[NamedProcedure], names: &Names, near: &Near<'_>) -> String {
    let by = named
        .iter()
        .map(|it| place(it.path.as_str(), it.line, it.inside.as_deref()));
    let mut row = format!(
        "{} in SQL: named by {}",
        line(&named[0].name),
        listed(&by.collect::<Vec<_>>(), ", ")
    );
    let callers = |of: fn(&NamedProcedure) -> &[CodePlace]| {
        let places: Vec<&CodePlace> = named.iter().flat_map(of).collect();
        (!places.is_empty()).then(|| near.in_few_members(&places))
    };
    if let Some(places) = callers(|it| &it.callers) {
        row.push_str(&format!("; called for it by {places}"));
    }
    if let Some(places) = callers(|it| &it.callers_of_callers) {
        row.push_str(&format!("; perhaps also by {places}"));
    }
    let siblings = named.iter().flat_map(|it| {
        let own = it.inside.as_deref().unwrap_or_default();
        sibling_names(&it.siblings, own, names)
    });
    let siblings: BTreeSet<String> = siblings.collect();
    if !siblings.is_empty() {
        let siblings = Vec::from_iter(siblings);
        let siblings = listed(&siblings, ", ");
        row.push_str(&format!("; also implemented, unchanged: {siblings}"));
    }
    row
}

/// A line of a file, and the member around it.
fn place(path: &str, at: u32, inside: Option<&str>) -> String {
    let inside = inside.map_or_else(String::new, |id| {
        format!(" in {}", line(crate::look::short(id)))
    });
    format!("{}:{at}{inside}", line(path))
}
