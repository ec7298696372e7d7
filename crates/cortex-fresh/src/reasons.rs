//! Why a committed outline is not the fresh one, read from the two texts.

use std::{collections::BTreeMap, ops::Range};

use cortex_context::text::line;
use cortex_git::diff_lines;
use cortex_wire::{CheckInput, CheckReason};

use crate::outline::text::{FORMAT, Header};

/// So many members are named in a reason.
const N_NAMED: usize = 3;

/// A reason that a hash shows.
pub(crate) fn hashes(input: CheckInput, before: &str, after: &str) -> CheckReason {
    CheckReason {
        input,
        before: Some(before.to_owned()),
        after: Some(after.to_owned()),
        detail: None,
    }
}

/// A reason in words alone.
pub(crate) fn words(input: CheckInput, detail: impl Into<String>) -> CheckReason {
    CheckReason {
        input,
        before: None,
        after: None,
        detail: Some(detail.into()),
    }
}

/// Which inputs of an outline differ between its committed and its fresh text.
pub(crate) fn of_outline(committed: &str, fresh: &str) -> Vec<CheckReason> {
    let Some(old) = Header::read(committed) else {
        return vec![words(CheckInput::Text, "the file has no readable header")];
    };
    let Some(new) = Header::read(fresh) else {
        return Vec::new();
    };
    if old.format != FORMAT {
        let detail = match old.format < FORMAT {
            true => "an older program wrote the file",
            false => "a newer program wrote the file",
        };
        return vec![CheckReason {
            detail: Some(detail.to_owned()),
            ..hashes(
                CheckInput::Format,
                &old.format.to_string(),
                &FORMAT.to_string(),
            )
        }];
    }
    let mut out = Vec::new();
    if old.api != new.api {
        out.push(CheckReason {
            detail: api_detail(committed, fresh),
            ..hashes(CheckInput::Api, &old.api, &new.api)
        });
    }
    if old.documentation != new.documentation {
        out.push(hashes(
            CheckInput::Documentation,
            &old.documentation,
            &new.documentation,
        ));
    }
    if out.is_empty() {
        let detail = "the text was edited; its hashes are current";
        out.push(words(CheckInput::Text, detail));
    }
    out
}

/// Which declarations came and went.
fn api_detail(committed: &str, fresh: &str) -> Option<String> {
    let (old, new) = (declarations(committed), declarations(fresh));
    let added: Vec<&String> = new.iter().filter(|it| !old.contains(it)).collect();
    let removed: Vec<&String> = old.iter().filter(|it| !new.contains(it)).collect();
    let named = |verb: &str, all: &[&String]| {
        let mut names: Vec<String> = (all.iter().take(N_NAMED))
            .map(|text| format!("`{}`", line(&shortened(text))))
            .collect();
        if all.len() > N_NAMED {
            names.push(format!("{} more", all.len() - N_NAMED));
        }
        (!all.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
    };
    let parts = [named("added", &added), named("removed", &removed)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true if old == new => Some("the name, assembly, or files differ".to_owned()),
        true => Some("declarations stand in another order".to_owned()),
        false => Some(parts.join("; ")),
    }
}

/// How a committed pack differs from the fresh one, type by type.
pub(crate) fn of_pack(committed: &str, fresh: &str) -> String {
    let (old, new) = (pack_sections(committed), pack_sections(fresh));
    let only_in = |these: &BTreeMap<&str, &str>, those: &BTreeMap<&str, &str>| {
        let names = these.keys().filter(|name| !those.contains_key(*name));
        names
            .map(|name| (*name).to_owned())
            .collect::<Vec<String>>()
    };
    let differing = old
        .iter()
        .filter(|(name, text)| new.get(*name).is_some_and(|other| other != *text));
    let differing: Vec<String> = differing.map(|(name, _)| (*name).to_owned()).collect();
    let parts = [
        ("other text of", differing),
        ("added", only_in(&new, &old)),
        ("removed", only_in(&old, &new)),
    ];
    let parts = parts.into_iter().filter(|(_, names)| !names.is_empty());
    let parts: Vec<String> = parts
        .map(|(verb, names)| {
            let mut shown: Vec<String> = names.iter().take(N_NAMED).cloned().collect();
            if names.len() > N_NAMED {
                shown.push(format!("{} more", names.len() - N_NAMED));
            }
            format!("{verb} {}", shown.join(", "))
        })
        .collect();
    match parts.is_empty() {
        true => "its order, or what is left out of it, differs".to_owned(),
        false => parts.join("; "),
    }
}

/// The text of each type of a pack, by the heading of its section: name and id.
fn pack_sections(text: &str) -> BTreeMap<&str, &str> {
    let sections = text.split("\n## ").skip(1);
    let sections = sections.filter_map(|section| section.split_once('\n'));
    let end = |text: &str| {
        text.find("\nLeft out for the budget: ")
            .unwrap_or(text.len())
    };
    sections
        .map(|(heading, text)| (heading, text[..end(text)].trim_end()))
        .collect()
}

/// The start of a declaration.
fn shortened(text: &str) -> String {
    const N_CHARS: usize = 100;
    match text.char_indices().nth(N_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The code spans at the start of the items that list declarations: before the documentation of the type, and below
/// headings.
fn declarations(text: &str) -> Vec<String> {
    let after_header = text.split_once(" -->\n\n").map_or("", |(_, rest)| rest);
    let (head, rest) = after_header
        .split_once("\n\n")
        .unwrap_or((after_header, ""));
    let members = rest.find("\n## ").map_or("", |at| &rest[at..]);
    let members = if rest.starts_with("## ") {
        rest
    } else {
        members
    };
    let lines = head.lines().chain(members.lines());
    let items = lines.filter_map(|line| line.strip_prefix("- "));
    let items = items.filter_map(|item| {
        let text = item.trim_start_matches('`');
        let ticks = &item[..item.len() - text.len()];
        let end = text.find(ticks).filter(|_| !ticks.is_empty())?;
        Some(text[..end].trim().to_owned())
    });
    items.collect()
}

/// The difference of two texts as `diff -U0` writes it, without the names of files.
pub(crate) fn unified(old: &str, new: &str) -> String {
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) =
        (old.split('\n').collect(), new.split('\n').collect());
    let place = |range: &Range<u32>| {
        // What is empty stands after a line.
        let start = range.start + u32::from(!range.is_empty());
        format!("{start},{}", range.len())
    };
    let mut out = String::new();
    for hunk in diff_lines(old.as_bytes(), new.as_bytes()).hunks {
        out.push_str(&format!(
            "@@ -{} +{} @@\n",
            place(&hunk.old),
            place(&hunk.new)
        ));
        for (mark, lines, range) in [('-', &old_lines, hunk.old), ('+', &new_lines, hunk.new)] {
            for text in &lines[range.start as usize..range.end as usize] {
                out.push(mark);
                out.push_str(text.trim_end_matches('\r'));
                out.push('\n');
            }
        }
    }
    out
}
