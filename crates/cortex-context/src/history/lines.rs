//! The lines of one entry.

use cortex_model::{Accessibility, ChangeClass};
use cortex_wire::{HistoryEntry, MemberChange, MemberChangeKind, Severity, SymbolHistory};

use super::{more, short};
use crate::{
    markdown::{
        changes::in_words,
        names::{self, unqualified},
    },
    text::line,
};

/// How many names share a line.
const NAMES_PER_LINE: usize = 10;

/// So many lines of names are written.
const NAME_LINES: usize = 2;

/// What happened when, by whom: `c3ed1407c 2026-08-22 structure, breaking | Jane Doe: Subject`.
pub(super) fn title(entry: &HistoryEntry) -> String {
    let commit = &entry.commit;
    let change = &entry.change;
    let class = match change.class {
        ChangeClass::Structure if change.renamed_from.is_some() => "renamed",
        class => in_words(class),
    };
    let is_breaking = |severity| severity == Severity::Breaking;
    let breaking = if entry.api.iter().any(|change| is_breaking(change.severity)) {
        ", breaking"
    } else {
        ""
    };
    let merge = if commit.is_merge { ", merge" } else { "" };
    let date = commit.date.get(..10).unwrap_or(&commit.date);
    format!(
        "{} {date} {class}{breaking}{merge} | {}: {}",
        short(&commit.id),
        line(&commit.author),
        line(&commit.subject)
    )
}

/// What happened in detail, with how much each line tells.
pub(super) fn details(entry: &HistoryEntry) -> Vec<(String, usize)> {
    let change = &entry.change;
    let mut out = Vec::new();
    let mut push = |text: String| out.push((text, 1));
    if let Some(was) = &change.renamed_from {
        push(format!("was {}", line(was)));
    }
    if let Some(now) = &entry.renamed_to {
        push(format!("now {}", line(now)));
    }
    if !change.moved_from.is_empty() {
        let paths = |paths: &[cortex_model::RepoPath]| {
            let all: Vec<_> = paths.iter().map(|path| line(path.as_str())).collect();
            all.join(" ")
        };
        push(format!(
            "moved {} → {}",
            paths(&change.moved_from),
            paths(&change.files)
        ));
    }
    if let Some(from) = &change.moved_from_assembly {
        push(format!("moved from assembly {}", line(from)));
    }
    for note in &entry.notes {
        push(line(note).into_owned());
    }
    type_signature(entry, &mut push);
    let is_whole = matches!(change.class, ChangeClass::Added | ChangeClass::Removed)
        && (change.old_signature.is_some() || change.new_signature.is_some());
    if is_whole {
        if change.members.len() == 1 {
            member(&change.members[0], &change.ty.name, &mut push);
        } else if !change.members.is_empty() {
            push(format!("{} members", change.members.len()));
        }
    } else {
        members(entry, &mut push);
    }
    if let Some(path) = change.files.first() {
        let place = format!("at {}:{}", line(path.as_str()), change.line);
        out.push((place, 0));
    }
    out
}

/// The type's own signature before and after.
fn type_signature(entry: &HistoryEntry, push: &mut dyn FnMut(String)) {
    let change = &entry.change;
    let short = |text: &String| line(&unqualified(text)).into_owned();
    let (old, new) = (change.old_signature.as_ref(), change.new_signature.as_ref());
    let (mut before, mut after) = (old.map(short), new.map(short));
    if before == after {
        // Namespaces make the difference.
        (before, after) = (
            old.map(|text| line(text).into_owned()),
            new.map(|text| line(text).into_owned()),
        );
    }
    if let Some(text) = before {
        push(format!("- {text}"));
    }
    if let Some(text) = after {
        push(format!("+ {text}"));
    }
}

/// Changed members: a line for each whose shape changed and that others see, names of all else.
fn members(entry: &HistoryEntry, push: &mut dyn FnMut(String)) {
    let change = &entry.change;
    let is_shape = |member: &&MemberChange| member.change < MemberChangeKind::Body;
    let all = || change.members.iter();
    for it in all().filter(is_shape).filter(|it| is_seen(it, entry)) {
        member(it, &change.ty.name, push);
    }
    let hidden = all().filter(is_shape).filter(|it| !is_seen(it, entry));
    let sign = |it: &MemberChange| match it.change {
        MemberChangeKind::Removed => '-',
        MemberChangeKind::Added => '+',
        _ => '~',
    };
    listed(
        "private",
        hidden.map(|it| format!("{}{}", sign(it), name(it))),
        push,
    );
    let of = |kind| all().filter(move |it| it.change == kind).map(name);
    listed("*", of(MemberChangeKind::Body), push);
    listed("d", of(MemberChangeKind::Docs), push);
}

/// Whether others see a member, or it is what was asked for.
fn is_seen(member: &MemberChange, entry: &HistoryEntry) -> bool {
    let is_visible = |accessibility: Accessibility| {
        accessibility.is_visible() || accessibility == Accessibility::Internal
    };
    is_visible(member.accessibility) || entry.change.members.len() == 1
}

/// One member whose signature or shape changed.
fn member(member: &MemberChange, declaring: &str, push: &mut dyn FnMut(String)) {
    let notes: Vec<String> = (member.notes.iter())
        .map(|note| line(&unqualified(note)).into_owned())
        .collect();
    let notes = match notes.is_empty() {
        true => String::new(),
        false => format!(" ({})", notes.join("; ")),
    };
    let short = |text: &String| names::signature(text, declaring);
    let (old, new) = (member.old_signature.as_ref(), member.new_signature.as_ref());
    match (old, new) {
        (Some(old), Some(new)) if old == new => push(format!("~ {}{notes}", short(new))),
        (Some(old), Some(new)) => {
            let (before, after) = (short(old), short(new));
            if before == after {
                push(format!("- {}", line(old)));
                push(format!("+ {}{notes}", line(new)));
            } else {
                push(format!("- {before}"));
                push(format!("+ {after}{notes}"));
            }
        }
        (Some(old), None) => push(format!("- {}{notes}", short(old))),
        (None, Some(new)) => push(format!("+ {}{notes}", short(new))),
        (None, None) => {}
    }
}

fn name(member: &MemberChange) -> String {
    line(&member.name).into_owned()
}

/// Lines of names behind a word; those of overloads once.
fn listed(word: &str, names: impl Iterator<Item = String>, push: &mut dyn FnMut(String)) {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    for (nth, part) in all.chunks(NAMES_PER_LINE).enumerate().take(NAME_LINES) {
        let rest = all.len().saturating_sub((nth + 1) * NAMES_PER_LINE);
        let tail = if nth + 1 == NAME_LINES && rest > 0 {
            format!(", {}", more(rest))
        } else {
            String::new()
        };
        push(format!("{word} {}{tail}", part.join(", ")));
    }
}

/// The signs that the entries use.
pub(super) fn legend(answer: &SymbolHistory) -> String {
    let any = |kind: MemberChangeKind| {
        (answer.entries.iter())
            .flat_map(|entry| &entry.change.members)
            .any(|member| member.change == kind)
    };
    let signs = [
        (MemberChangeKind::Shape, "~ shape"),
        (MemberChangeKind::Body, "* body"),
        (MemberChangeKind::Docs, "d docs"),
    ];
    let used: Vec<&str> = signs
        .into_iter()
        .filter(|(kind, _)| any(*kind))
        .map(|(_, text)| text)
        .collect();
    used.join("; ")
}
