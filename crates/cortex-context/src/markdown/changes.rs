//! What changed, type by type.

mod moved;
mod summary;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use cortex_model::{ChangeClass, DeclKind};
use cortex_wire::{DiffContext, MemberChange, MemberChangeKind, TypeChange};

use super::{
    impact::listed,
    names::{self, Names},
    parameters,
    plan::{Alone, Item, Role, Section, Stage, Text, Total, counted},
    twins::{self, Twins},
};
use crate::{look::only_in, text::line};
use summary::Summary;

/// How many names of members share a line.
const NAMES_PER_LINE: usize = 10;

/// How many lines of members a type may have before other types have theirs: of few and of many types.
const FIRST_LINES: [usize; 2] = [8, 3];

/// So many members of a type to which the same happened share a line.
const MIN_ALIKE: usize = 3;

/// More types than that are many.
const MANY_TYPES: usize = 12;

const TYPES: u8 = 0;
const MEMBERS: u8 = 1;

/// The section: a line for each type, lines of members beneath; product types first.
pub(crate) fn section<'a>(answer: &'a DiffContext, names: &'a Names, n_max: usize) -> Section<'a> {
    let (mut types, tests): (Vec<_>, Vec<_>) = twins::group(&answer.types)
        .into_iter()
        .partition(|twins| !twins.change.is_test);
    types.extend(tests);
    let around = around_others(answer);
    types.retain(|twins| !around.contains(&*twins.change.ty.name));
    let n_types = types.len();
    let mut items: Vec<Item<'a>> = Vec::new();
    let mut last = Vec::new();
    for (text, n) in moved::namespaces(&mut types) {
        items.push(row(text, n));
    }
    let first: Vec<u32> = (0..items.len() as u32).collect();
    let folded = moved::folded(&mut types, names);
    let mut parents = Vec::new();
    let n_product = types.iter().filter(|twins| !twins.change.is_test).count();
    let mut order = Order::new(FIRST_LINES[usize::from(n_product > MANY_TYPES)]);
    let mut legend = Legend::default();
    for twins in types.iter().take(n_max) {
        let change = twins.change;
        let parent = items.len() as u32;
        let lines = if items.len() < n_max {
            member_lines(change, &mut legend)
        } else {
            Vec::new()
        };
        let n_members = n_members(change);

        items.push(Item {
            text: Text::Line(type_line(twins, names)),
            role: Role::Parent {
                alone: Alone::Shown,
                below: n_members,
            },
            counts: Some((TYPES, 1)),
        });
        parents.push(parent as usize);
        order.types(change).push(parent);
        for (i, (text, n)) in lines.into_iter().enumerate() {
            order.lines(change, i).push(items.len() as u32);
            items.push(Item {
                text: Text::Line(text),
                role: Role::Child(parent),
                counts: (n > 0).then_some((MEMBERS, n)),
            });
        }
    }
    for (text, n) in folded {
        last.push(items.len() as u32);
        items.push(row(text, n));
    }
    let n_members = types.iter().map(|twins| n_members(twins.change)).sum();
    Section {
        heading: "What changed",
        note: note(names, legend),
        items,
        stages: order.into_stages(first, last),
        totals: vec![
            Total {
                one: "type",
                many: "types",
                n: n_types,
            },
            Total {
                one: "member",
                many: "members",
                n: n_members,
            },
        ],
        tail: Some(Box::new(Summary::new(types, parents, names))),
        ..Section::default()
    }
}

/// The types of which no more differs than what stands in a type nested in them.
fn around_others(answer: &DiffContext) -> BTreeSet<&str> {
    let names = answer.types.iter().map(|change| &*change.ty.name);
    let around = names.flat_map(|name| name.match_indices('+').map(|(end, _)| &name[..end]));
    let around: BTreeSet<&str> = around.collect();
    let cosmetic = answer.types.iter().filter(|change| {
        change.class == ChangeClass::Cosmetic && around.contains(&*change.ty.name)
    });
    cosmetic.map(|change| &*change.ty.name).collect()
}

/// A line that stands for some types.
fn row<'a>(text: String, n_types: usize) -> Item<'a> {
    Item {
        text: Text::Line(text),
        role: Role::Single,
        counts: Some((TYPES, n_types)),
    }
}

/// Items by what they are worth.
#[derive(Default)]
struct Order {
    product_types: Vec<u32>,
    first_lines: Vec<u32>,
    more_lines: Vec<u32>,
    test_types: Vec<u32>,
    test_lines: Vec<u32>,
    /// How many lines of a type are its first.
    n_first: usize,
}

impl Order {
    fn new(n_first: usize) -> Self {
        Self {
            n_first,
            ..Self::default()
        }
    }

    fn types(&mut self, change: &TypeChange) -> &mut Vec<u32> {
        if change.is_test {
            &mut self.test_types
        } else {
            &mut self.product_types
        }
    }

    /// Where the `i`-th line of a type's members belongs.
    fn lines(&mut self, change: &TypeChange, i: usize) -> &mut Vec<u32> {
        match (change.is_test, i) {
            (true, _) => &mut self.test_lines,
            (false, i) if i < self.n_first => &mut self.first_lines,
            (false, _) => &mut self.more_lines,
        }
    }

    /// What comes first in any case, the first types, what changed in them, then the other types; what follows from
    /// moves alone behind the product.
    fn into_stages(self, first: Vec<u32>, last: Vec<u32>) -> Vec<Stage> {
        vec![
            Stage {
                items: first,
                percent: 20,
                ..Stage::default()
            },
            Stage {
                items: self.product_types.clone(),
                percent: 55,
                ..Stage::default()
            },
            Stage {
                items: self.first_lines,
                percent: 80,
                ..Stage::default()
            },
            Stage::all(self.product_types),
            Stage::all(last),
            Stage::all(self.more_lines),
            // Which tests to run is told by their section.
            Stage {
                items: self.test_types,
                percent: 70,
                ..Stage::default()
            },
            Stage {
                items: self.test_lines,
                percent: 60,
                ..Stage::default()
            },
        ]
    }
}

/// Which signs need a word.
#[derive(Clone, Copy, Default)]
struct Legend {
    signature: bool,
    body: bool,
    docs: bool,
    proven: bool,
}

fn note(names: &Names, legend: Legend) -> String {
    let signs = [
        (legend.signature, "~ signature or shape"),
        (legend.body, "* body"),
        (legend.docs, "d docs"),
        (legend.proven, "= proven to mean the same"),
    ];
    let mut parts: Vec<String> = signs
        .into_iter()
        .filter(|(used, _)| *used)
        .map(|(_, text)| text.to_owned())
        .collect();
    if !names.prefix().is_empty() {
        parts.push(format!(
            "names without {}",
            crate::text::span(names.prefix())
        ));
    }
    parts.join("; ")
}

/// How many changed members the section would name.
fn n_members(change: &TypeChange) -> usize {
    if change.class == ChangeClass::Removed {
        0
    } else {
        own_members(change).count()
    }
}

/// The changed members that differ in more than names of what moved or was renamed.
fn own_members(change: &TypeChange) -> impl Iterator<Item = &MemberChange> {
    change.members.iter().filter(|member| !member.follows_moves)
}

fn type_line(twins: &Twins<'_>, names: &Names) -> String {
    let change = twins.change;
    let head = head(change);
    let bases = (change.class == ChangeClass::Added && !change.bases.is_empty())
        .then(|| line(&names::unqualified(&change.bases.join(", "))).into_owned());
    let head = match bases {
        Some(bases) => format!("{head} : {bases}"),
        None => head,
    };
    // Where its folder says its namespace, the path tells both.
    let namespace = names::namespace_of(&change.ty.name);
    let last = namespace.rsplit('.').next().unwrap_or(namespace);
    let is_in_folder = (change.files.first())
        .is_some_and(|path| !last.is_empty() && path.as_str().contains(&format!("/{last}/")));
    let mut out = match is_in_folder {
        true => names.listed(&change.ty.name).into_owned(),
        false => names.of(&change.ty.name).into_owned(),
    };
    let is_annotated = !change.members.is_empty()
        && change.old_signature == change.new_signature
        && (change.members.iter()).all(MemberChange::is_annotation_only);
    let what = match is_annotated {
        true => "annotations changed",
        // Its signature is the same under its new name.
        false if change.class == ChangeClass::Structure && !has_other_shape(change) => {
            names::new_name(change).unwrap_or(in_words(change.class))
        }
        false => in_words(change.class),
    };
    let _ = write!(out, " ({head}): {what}");
    let _ = write!(out, " {}", line(&change.ty.id));
    for other in &twins.others {
        // `T_ABCDEFGH@App`: what follows tells them apart.
        let id = &other.ty.id;
        let _ = write!(out, ",{}", line(id.find('@').map_or(id, |at| &id[at..])));
    }
    if let Some((path, at)) = place(change) {
        let _ = write!(out, " {}:{at}", line(path));
    }
    if change.files.len() > 1 {
        let _ = write!(
            out,
            " +{}",
            counted(change.files.len() - 1, "file", "files")
        );
    }
    if let Some(old) = &change.renamed_from {
        let _ = write!(out, ", was {}", names.of(old));
    }
    if let Some(old) = change.moved_from.first() {
        let _ = write!(out, ", from {}", line(old.as_str()));
        if change.moved_from.len() > 1 {
            let _ = write!(
                out,
                " +{}",
                counted(change.moved_from.len() - 1, "file", "files")
            );
        }
    }
    if let Some(old) = &change.moved_from_assembly {
        let _ = write!(out, ", moved from assembly {}", line(old));
    }
    out.push_str(&only_in(&change.frameworks));
    if change.n_dependents > 0 {
        let _ = write!(
            out,
            ", {}",
            counted(change.n_dependents, "dependent", "dependents")
        );
    }
    out
}

/// Whether users see another type but for its name.
fn has_other_shape(change: &TypeChange) -> bool {
    let is_other = |member: &MemberChange| {
        member.accessibility.is_visible() && member.change < MemberChangeKind::Body
    };
    change.old_signature.is_some() || own_members(change).any(is_other)
}

/// What happened to a type.
pub(crate) fn in_words(class: ChangeClass) -> &'static str {
    match class {
        ChangeClass::Added => "added",
        ChangeClass::Removed => "removed",
        ChangeClass::Structure => "structure changed",
        ChangeClass::PublicBehavior => "public behavior changed",
        ChangeClass::Internal => "implementation changed",
        ChangeClass::Docs => "documentation changed",
        ChangeClass::Cosmetic => "comments or formatting changed",
        ChangeClass::Unchanged => "moved",
    }
}

/// What stands before the name of a type: `public static class`.
fn head(change: &TypeChange) -> String {
    let mut out = format!("{} ", change.accessibility);
    if change.class == ChangeClass::Added {
        for modifier in change.modifiers.iter().filter(|it| !is_internal(it)) {
            let _ = write!(out, "{} ", line(modifier));
        }
    }
    let _ = write!(out, "{}", change.ty.kind);
    out
}

/// Whether a modifier says nothing to users of a type.
fn is_internal(modifier: &str) -> bool {
    matches!(modifier, "partial" | "unsafe" | "new")
}

/// Where to look: of several files the one with the first changed member.
fn place(change: &TypeChange) -> Option<(&str, u32)> {
    let first = change.files.first()?;
    let member = change
        .members
        .iter()
        .find(|member| change.files.contains(&member.path));
    Some(match member.filter(|_| change.files.len() > 1) {
        Some(member) => (member.path.as_str(), member.line),
        None => (first.as_str(), change.line),
    })
}

/// Lines beneath a type, each with the number of members that it names.
fn member_lines(change: &TypeChange, legend: &mut Legend) -> Vec<(String, usize)> {
    if change.class == ChangeClass::Removed {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if let (Some(old), Some(new)) = (&change.old_signature, &change.new_signature)
        && old != new
    {
        legend.signature = true;
        lines.push((format!("  ~ {}", names::change(old, new, "")), 0));
    }
    let mut groups: Vec<(char, Vec<(&MemberChange, String)>)> = Vec::new();
    for member in own_members(change) {
        match member.change {
            _ if member.is_proven => legend.proven = true,
            MemberChangeKind::Signature | MemberChangeKind::Shape => legend.signature = true,
            MemberChangeKind::Body => legend.body = true,
            MemberChangeKind::Docs => legend.docs = true,
            MemberChangeKind::Added | MemberChangeKind::Removed | MemberChangeKind::Registered => {}
        }
        match whole_line(change, member) {
            Some(text) => lines.push((text, 1)),
            None => {
                let sign = sign(member);
                let notes = match change.is_test {
                    true => notes_of_test(member),
                    false => notes(member),
                };
                let named = (member, notes);
                match groups.iter_mut().find(|(other, _)| *other == sign) {
                    Some((_, members)) => members.push(named),
                    None => groups.push((sign, vec![named])),
                }
            }
        }
    }
    for (sign, members) in groups {
        let (alike, others) = with_same_notes(members);
        lines.extend(alike.iter().map(|(names, notes)| {
            let names: Vec<_> = names.iter().map(|member| line(&member.name)).collect();
            let text = format!("  {sign} {}{notes}", listed(&names, ", "));
            (text, names.len())
        }));
        let names =
            (others.into_iter()).map(|(member, notes)| format!("{}{notes}", line(&member.name)));
        let names = overloads(names.collect());
        for chunk in names.chunks(NAMES_PER_LINE) {
            let shown: Vec<&str> = chunk.iter().map(|(text, _)| text.as_str()).collect();
            let n = chunk.iter().map(|(_, n)| n).sum();
            lines.push((format!("  {sign} {}", shown.join(", ")), n));
        }
    }
    lines.extend(followers_line(change).map(|text| (text, 0)));
    lines
}

/// The line of members that differ in nothing but what they call things; `None` without any.
fn followers_line(change: &TypeChange) -> Option<String> {
    let all = change.members.iter().filter(|member| member.follows_moves);
    let names: Vec<_> = all.map(|member| line(&member.name)).collect();
    (!names.is_empty()).then(|| format!("  only new names in: {}", listed(&names, ", ")))
}

/// Members with the notes that all of them have.
type Alike<'a> = (Vec<&'a MemberChange>, String);

/// Members to which the same happened, where these are many, with their notes; and the others.
fn with_same_notes(
    members: Vec<(&MemberChange, String)>,
) -> (Vec<Alike<'_>>, Vec<(&MemberChange, String)>) {
    let mut alike: Vec<Alike<'_>> = Vec::new();
    let mut others = Vec::new();
    for (member, notes) in &members {
        match alike.iter_mut().find(|(_, known)| known == notes) {
            Some((names, _)) => names.push(member),
            None => alike.push((vec![member], notes.clone())),
        }
    }
    alike.retain(|(names, notes)| names.len() >= MIN_ALIKE && !notes.is_empty());
    for (member, notes) in members {
        if alike.iter().all(|(_, known)| *known != notes) {
            others.push((member, notes));
        }
    }
    (alike, others)
}

/// Names in their order, each once, with how many there are of it.
fn overloads(names: Vec<String>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in &names {
        *counts.entry(name.clone()).or_default() += 1;
    }
    let first = names
        .into_iter()
        .filter_map(|name| counts.remove(&name).map(|n| (name, n)));
    first
        .map(|(name, n)| {
            if n > 1 {
                (format!("{name} ×{n}"), n)
            } else {
                (name, n)
            }
        })
        .collect()
}

/// The line of a member whose signature tells something; the others share lines by name.
fn whole_line(change: &TypeChange, member: &MemberChange) -> Option<String> {
    if member.is_annotation_only() {
        return None;
    }
    let declaring = &change.ty.name;
    let old_declaring = change.renamed_from.as_ref().unwrap_or(declaring);
    let is_seen =
        member.accessibility.is_visible() && !change.is_test && member.kind != DeclKind::EnumMember;
    let text = match (member.change, &member.old_signature, &member.new_signature) {
        (MemberChangeKind::Signature, Some(old), Some(new)) if !change.is_test => {
            let (short_old, short_new) = (
                names::signature(old, old_declaring),
                names::signature(new, declaring),
            );
            if short_old == short_new {
                names::change(old, new, declaring)
            } else if member.parameters.is_empty() {
                format!("{short_old} → {short_new}")
            } else {
                parameters::signatures(&short_old, &short_new)
            }
        }
        (MemberChangeKind::Added, _, Some(new)) if is_seen => names::signature(new, declaring),
        (MemberChangeKind::Removed, Some(old), _) if is_seen => {
            names::signature(old, old_declaring)
        }
        _ => return None,
    };
    Some(format!("  {} {text}{}", sign(member), notes(member)))
}

/// A longer value of a constant is not shown.
const MAX_VALUE: usize = 48;

/// The value of a new constant or enum member, as it is written.
fn value(member: &MemberChange) -> Option<String> {
    let is_constant = matches!(member.kind, DeclKind::Constant | DeclKind::EnumMember);
    if !is_constant || member.change != MemberChangeKind::Added {
        return None;
    }
    let text: String = (member.code.iter())
        .filter(|line| !line.text.trim_start().starts_with("//"))
        .map(|line| line.text.as_str())
        .collect();
    // Attributes stand before the name, and may have signs as well.
    let mut ends = text.match_indices(member.name.as_str());
    let value = ends.find_map(|(at, name)| {
        let rest = text[at + name.len()..].trim_start();
        rest.strip_prefix('=')
    })?;
    let value = value.trim().trim_end_matches([';', ',']);
    (value.len() <= MAX_VALUE).then(|| format!(" = {}", line(value)))
}

fn notes(member: &MemberChange) -> String {
    let value = value(member).unwrap_or_default();
    let only = format!("{value}{}", only_in(&member.frameworks));
    let mut notes = Vec::from_iter(parameters::differences(&member.parameters));
    notes.extend(
        member
            .notes_beside_parameters()
            .map(|it| line(it).into_owned()),
    );
    match notes.is_empty() {
        true => only,
        false => format!(" ({}){only}", notes.join("; ")),
    }
}

/// What says enough of a member of tests: whether it is there under another name.
fn notes_of_test(member: &MemberChange) -> String {
    let renamed = member.renamed_from().map_or("", |_| " (renamed)");
    format!("{renamed}{}", only_in(&member.frameworks))
}

fn sign(member: &MemberChange) -> char {
    match member.change {
        _ if member.is_proven => '=',
        MemberChangeKind::Removed => '-',
        MemberChangeKind::Added => '+',
        MemberChangeKind::Signature | MemberChangeKind::Shape => '~',
        MemberChangeKind::Body | MemberChangeKind::Registered => '*',
        MemberChangeKind::Docs => 'd',
    }
}
