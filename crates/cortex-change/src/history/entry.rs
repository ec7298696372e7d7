//! One step of a history told: what happened to the symbol, and whether that is worth telling.

use crate::{
    changes::{self, Pair},
    history::{
        api,
        question::{Cosmetic, HistoryQuestion, Show},
    },
    moves::names::MovedNames,
};
use cortex_look::{
    QueryError,
    follow::{
        place::Place,
        track::{Difference, TrackedPart},
    },
};
use cortex_wire::{
    CodeLine, CodeLineKind, HistoryCommit, HistoryEntry, MemberChange, MemberChangeKind, Severity,
    TypeChange,
};

use cortex_bind::{AttributeNode, TypeNode};
use cortex_git::{Commit, Repository, iso_time};
use cortex_index::{MemberDetails, Snapshot};
use cortex_model::{ChangeClass, TypeKind};
use cortex_syntax::AttributeTarget;

/// Tells a difference; `None` if it does not touch what is followed. `part`: what is followed on the newer side
/// and on the older one.
pub(crate) fn entry(
    repo: &Repository,
    commit: &Commit,
    difference: &Difference,
    parts: [&TrackedPart; 2],
    [old, new]: [&Snapshot; 2],
) -> Result<Option<HistoryEntry>, QueryError> {
    let pair = Pair {
        old: difference.old.as_ref(),
        new: difference.new.as_ref(),
        renamed: None,
        key: difference.key,
        class: difference.class,
    };
    let Some(node) = pair.node() else {
        return Ok(None);
    };
    let snapshot = if pair.new.is_some() { new } else { old };
    let project = snapshot.project(&node.project)?;
    let is_test = project.is_some_and(|record| record.project.is_test);
    // Whether a member of an interface has a body decides what its coming means to others.
    let is_interface = node.kind == TypeKind::Interface;
    let code = |_, added: Option<Place>, _| match added {
        Some(place) if is_interface => text_of(repo, new, &place).unwrap_or_default(),
        _ => Vec::new(),
    };
    let mut change = changes::describe_pair(
        &mut [old, new].map(MemberDetails::new),
        &pair,
        is_test,
        &code,
        // What other types are called now is not looked for.
        &MovedNames::default(),
    )?;
    mark_obsolete(&pair, &mut change.members);
    if let Some(was) = &difference.member_was {
        join_renamed(&mut change.members, was, &pair, parts);
    }
    let mut api = api::api_changes(
        std::slice::from_ref(&pair),
        std::slice::from_ref(&change),
        &|key| {
            let header = old.type_header(key).ok().flatten();
            header.is_some_and(|header| header.kind == TypeKind::Interface)
        },
    );
    change
        .members
        .iter_mut()
        .for_each(|member| member.code.clear());
    if *parts[0] != TrackedPart::Whole {
        if !limit(&mut change, &pair, parts) {
            return Ok(None);
        }
        let is_whole = matches!(change.class, ChangeClass::Added | ChangeClass::Removed);
        api.retain(|it| match &it.member {
            None => change.renamed_from.is_some() || (is_whole && change.members.is_empty()),
            Some(signature) => change.members.iter().any(|member| {
                let signatures = [&member.new_signature, &member.old_signature];
                signatures.into_iter().flatten().any(|own| own == signature)
            }),
        });
    }
    if change.class == ChangeClass::Unchanged && change.moved_from.is_empty() {
        return Ok(None);
    }
    let mut notes = Vec::new();
    if *parts[0] == TrackedPart::Whole
        && let (Some(before), Some(after)) = (pair.old, pair.new)
    {
        notes.extend(obsolete(before.attributes(), after.attributes()));
    }
    if [pair.old, pair.new]
        .into_iter()
        .flatten()
        .any(|node| node.degraded)
    {
        notes.push("one of its files was parsed only in part".to_owned());
    }
    Ok(Some(HistoryEntry {
        commit: HistoryCommit {
            id: commit.id.to_string(),
            date: iso_time(commit.time),
            author: commit.author.clone(),
            subject: commit.subject.clone(),
            is_merge: commit.parents.len() > 1,
        },
        change,
        renamed_to: difference.renamed_to.clone(),
        api,
        notes,
    }))
}

/// The lines of a member; `None` where its file cannot be read.
fn text_of(repo: &Repository, snapshot: &Snapshot, place: &Place) -> Option<Vec<CodeLine>> {
    let file = snapshot.file(&place.path).ok()??;
    let text = repo.blobs().read(file.blob).ok()?;
    let text = text.get(place.start as usize..place.end as usize)?;
    let lines = String::from_utf8_lossy(text);
    let line = |line: &str| CodeLine {
        kind: CodeLineKind::Added,
        text: line.to_owned(),
    };
    Some(lines.lines().map(line).collect())
}

/// Whether an entry is wanted.
pub(crate) fn is_wanted(entry: &HistoryEntry, question: &HistoryQuestion) -> bool {
    let class = entry.change.class;
    match question.show {
        Show::Structure => matches!(
            class,
            ChangeClass::Added | ChangeClass::Removed | ChangeClass::Structure
        ),
        Show::Api => {
            let is_signature = |severity| severity != Severity::Behavioral;
            entry.api.iter().any(|change| is_signature(change.severity))
        }
        Show::Changes => class != ChangeClass::Cosmetic || question.cosmetic == Cosmetic::Shown,
    }
}

/// Leaves the followed members alone; `false` if nothing happened to them.
fn limit(change: &mut TypeChange, pair: &Pair<'_>, [newer, older]: [&TrackedPart; 2]) -> bool {
    let of = |node: Option<&TypeNode>, part: &TrackedPart| -> Vec<String> {
        let members = node.into_iter().flat_map(|node| {
            let meant = node.members.iter().filter(|member| part.is_meant(member));
            meant.flat_map(|member| {
                [
                    node.member_signature(member),
                    node.full_member_signature(member),
                ]
            })
        });
        members.collect()
    };
    let (before, after) = (of(pair.old, older), of(pair.new, newer));
    let is_in = |signature: &Option<String>, all: &[String]| {
        signature.as_ref().is_some_and(|it| all.contains(it))
    };
    change.members.retain(|member| {
        is_in(&member.new_signature, &after) || is_in(&member.old_signature, &before)
    });
    let is_renamed = change.renamed_from.is_some();
    // Its type's rename is one of the member's as well.
    let is_touched = !change.members.is_empty() || (is_renamed && !after.is_empty());
    if !is_touched {
        return false;
    }
    let all = |kind| change.members.iter().all(|member| member.change == kind);
    let any = |test: &dyn Fn(&MemberChange) -> bool| change.members.iter().any(test);
    change.class = if before.is_empty() && all(MemberChangeKind::Added) {
        ChangeClass::Added
    } else if after.is_empty() && all(MemberChangeKind::Removed) {
        ChangeClass::Removed
    } else if is_renamed || any(&|member| member.change < MemberChangeKind::Body) {
        ChangeClass::Structure
    } else if any(&|member| {
        member.change == MemberChangeKind::Body && member.accessibility.is_visible()
    }) {
        ChangeClass::PublicBehavior
    } else if any(&|member| member.change == MemberChangeKind::Body) {
        ChangeClass::Internal
    } else {
        ChangeClass::Docs
    };
    if !is_renamed {
        (change.old_signature, change.new_signature) = (None, None);
    }
    if let Some(member) = change.members.first() {
        (change.files, change.line) = (vec![member.path.clone()], member.line);
    }
    true
}

/// Makes one change of the two halves of a renamed member.
fn join_renamed(
    members: &mut Vec<MemberChange>,
    was: &cortex_bind::MemberNode,
    pair: &Pair<'_>,
    [newer, _]: [&TrackedPart; 2],
) {
    let Some((before, after)) = pair.old.zip(pair.new) else {
        return;
    };
    // What came or went has no other side that reads the same: it is told in short.
    let old = before.member_signature(was);
    let now = (after.members.iter()).find(|member| newer.is_meant(member));
    let new = now.map(|member| after.member_signature(member));
    members.retain(|member| {
        member.change != MemberChangeKind::Removed || member.old_signature.as_ref() != Some(&old)
    });
    if let Some(member) = members.iter_mut().find(|member| {
        member.change == MemberChangeKind::Added && new.is_some() && member.new_signature == new
    }) {
        member.change = MemberChangeKind::Signature;
        member.old_signature = Some(old);
        let note = format!("{} `{}`", MemberChange::RENAMED_FROM, was.name);
        member.notes.push(note);
    }
}

/// Says of members that they were made obsolete.
fn mark_obsolete(pair: &Pair<'_>, members: &mut [MemberChange]) {
    let (Some(before), Some(after)) = (pair.old, pair.new) else {
        return;
    };
    fn attributes<'n>(
        node: &'n TypeNode,
        signature: &Option<String>,
    ) -> Option<&'n [AttributeNode]> {
        let mut all = node.members.iter();
        let found = all.find(|it| {
            let texts = [node.member_signature(it), node.full_member_signature(it)];
            signature.as_ref().is_some_and(|it| texts.contains(it))
        });
        found.map(|member| &*member.attributes)
    }
    for member in members {
        let old = attributes(before, &member.old_signature);
        let new = attributes(after, &member.new_signature);
        if let (Some(old), Some(new)) = (old, new) {
            member.notes.extend(obsolete(old.iter(), new.iter()));
        }
    }
}

/// What became of an `Obsolete` attribute.
fn obsolete<'n>(
    old: impl Iterator<Item = &'n AttributeNode>,
    new: impl Iterator<Item = &'n AttributeNode>,
) -> Option<String> {
    let is_obsolete = |attribute: &AttributeNode| {
        attribute.target == AttributeTarget::Declaration
            && matches!(attribute.simple_name(), "Obsolete" | "ObsoleteAttribute")
    };
    let (was, is) = ({ old }.any(is_obsolete), { new }.any(is_obsolete));
    match (was, is) {
        (false, true) => Some("made obsolete".to_owned()),
        (true, false) => Some("no longer obsolete".to_owned()),
        _ => None,
    }
}
