//! What moved: members to other types, types to other namespaces.
//!
//! Owns: when a member that is gone and one that is new are one that moved. Must not know: snapshots.

pub(crate) mod api;
pub(crate) mod members;
pub(crate) mod names;

use crate::{
    alike::{MAX_COMPARED, Nameless, best_pairs},
    code::merged_sides,
};
use cortex_model::DeclKind;
use cortex_wire::{MemberChange, MemberChangeKind, NamespaceMove, TypeChange};

use std::collections::BTreeMap;

/// Lines of a moved member that are the same, in percent of all lines of both, each counted once.
const MIN_SAME_PERCENT: usize = 60;

/// Says of members that are gone from one type and new in another, with the same name, kind and mostly the same
/// lines, that they moved, and what differs between both; only where each has one such partner. So it does of long methods
/// that have mostly the same lines under another name.
pub(crate) fn tell_moved_members(types: &mut [TypeChange]) {
    let mut gone: BTreeMap<(String, &'static str), Vec<(usize, usize)>> = BTreeMap::new();
    let mut came = gone.clone();
    for (at, ty) in types.iter().enumerate() {
        for (nth, member) in ty.members.iter().enumerate() {
            let side = match member.change {
                MemberChangeKind::Removed => &mut gone,
                MemberChangeKind::Added => &mut came,
                _ => continue,
            };
            let key = (member.name.clone(), member.kind.name());
            side.entry(key).or_default().push((at, nth));
        }
    }
    let mut moves = Vec::new();
    for (key, olds) in &gone {
        let Some(news) = came.get(key) else { continue };
        let is_same = |&(old_ty, old): &(usize, usize), &(new_ty, new): &(usize, usize)| {
            let (before, after) = (&types[old_ty].members[old], &types[new_ty].members[new]);
            let is_extension = || extends(after, &types[old_ty].ty.name);
            old_ty != new_ty && (are_alike(before, after) || is_extension())
        };
        for old in olds {
            let mut partners = news.iter().filter(|new| is_same(old, new));
            let Some(new) = partners.next().filter(|_| partners.next().is_none()) else {
                continue;
            };
            if olds.iter().filter(|other| is_same(other, new)).count() == 1 {
                moves.push((*old, *new));
            }
        }
    }
    moves.extend(rewritten(types, &moves));
    for ((old_ty, old), (new_ty, new)) in moves {
        let (from, to) = (types[old_ty].ty.name.clone(), types[new_ty].ty.name.clone());
        let names = [&types[old_ty].members[old], &types[new_ty].members[new]];
        let names = names.map(|member| member.name.clone());
        let with_name = |ty: String, name: &str| match names[0] == names[1] {
            true => ty,
            false => format!("{ty}.{name}"),
        };
        let (from, to) = (with_name(from, &names[0]), with_name(to, &names[1]));
        let gone = &mut types[old_ty].members[old];
        gone.notes
            .push(format!("{} `{to}`", MemberChange::MOVED_TO));
        let before = std::mem::take(&mut gone.code);
        let moved = &mut types[new_ty].members[new];
        moved.notes.push(format!("moved from `{from}`"));
        moved.code = merged_sides(&before, &moved.code);
    }
}

/// A member, by the index of its type and its own.
type Nth = (usize, usize);

/// A member under another name is looked for by so many lines at least.
const MIN_LINES: usize = 12;

/// Methods that are gone and new ones of other types under other names with mostly the same lines, the most alike first; each
/// once. `known`: those that have a partner already.
fn rewritten(types: &[TypeChange], known: &[(Nth, Nth)]) -> Vec<(Nth, Nth)> {
    let of_side = |side: MemberChangeKind| -> Vec<(Nth, Nameless)> {
        let all = types.iter().enumerate().flat_map(|(at, ty)| {
            let members = ty.members.iter().enumerate();
            members.map(move |(nth, member)| ((at, nth), member))
        });
        let is_wanted = |(nth, member): &(Nth, &MemberChange)| {
            let has_partner = known.iter().any(|(old, new)| old == nth || new == nth);
            member.change == side
                && member.kind == DeclKind::Method
                && member.has_body
                && member.code.len() >= MIN_LINES
                && !has_partner
        };
        let wanted = all.filter(is_wanted);
        wanted.map(|(nth, it)| (nth, Nameless::of(it))).collect()
    };
    let gone = of_side(MemberChangeKind::Removed);
    let came = of_side(MemberChangeKind::Added);
    if gone.len() * came.len() > MAX_COMPARED {
        return Vec::new();
    }
    let mut alike: Vec<(usize, Nth, Nth)> = Vec::new();
    for (old, before) in &gone {
        for (new, after) in came.iter().filter(|(new, _)| new.0 != old.0) {
            let percent = before.percent_alike(after);
            if percent >= MIN_SAME_PERCENT {
                alike.push((percent, *old, *new));
            }
        }
    }
    best_pairs(alike)
}

/// Whether a member is an extension of a type: who calls it by the name of a member of that needs no change.
fn extends(member: &MemberChange, ty: &str) -> bool {
    let signature = member.new_signature.as_deref().unwrap_or_default();
    let receiver = signature.split_once("(this ").map(|(_, rest)| rest);
    let receiver = receiver.map(|rest| rest.split([',', ')', '<']).next().unwrap_or(rest));
    let ty = ty.split('`').next().unwrap_or(ty).replace('+', ".");
    receiver == Some(ty.as_str())
}

/// Whether two members have mostly the same lines.
fn are_alike(old: &MemberChange, new: &MemberChange) -> bool {
    Nameless::of(old).percent_alike(&Nameless::of(new)) >= MIN_SAME_PERCENT
}

/// Namespaces from which types moved to another one under their own names, most types first.
pub(crate) fn namespace_moves(types: &[TypeChange]) -> Vec<NamespaceMove> {
    let mut found: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for ty in types {
        let Some(old) = &ty.renamed_from else {
            continue;
        };
        let ((from, old_name), (to, name)) = (split(old), split(&ty.ty.name));
        if old_name == name && from != to {
            *found.entry((from, to)).or_default() += 1;
        }
    }
    let mut out: Vec<NamespaceMove> = found
        .into_iter()
        .map(|((from, to), n_types)| NamespaceMove {
            from: from.to_owned(),
            to: to.to_owned(),
            n_types,
        })
        .collect();
    out.sort_by_key(|it| std::cmp::Reverse(it.n_types));
    out
}

/// The namespace of a type, and its name with the types around it.
fn split(name: &str) -> (&str, &str) {
    let outer = name.split(['+', '`']).next().unwrap_or(name);
    match outer.rfind('.') {
        Some(dot) => (&name[..dot], &name[dot + 1..]),
        None => ("", name),
    }
}
