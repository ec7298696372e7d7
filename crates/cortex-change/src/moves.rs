//! What moved: members to other types, types to other namespaces.
//!
//! Owns: when a member that is gone and one that is new are one that moved. Must not know: snapshots.

pub(crate) mod api;
pub(crate) mod members;
pub(crate) mod names;

use crate::{alike::Nameless, code::merged_sides};
use cortex_wire::{MemberChange, MemberChangeKind, NamespaceMove, TypeChange};

use std::collections::BTreeMap;

/// Lines of a moved member that are the same, in percent of all lines of both, each counted once.
const MIN_SAME_PERCENT: usize = 60;

/// Says of members that are gone from one type and new in another, with the same name, kind and mostly the same
/// lines, that they moved, and what differs between both; only where each has one such partner.
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
    for ((old_ty, old), (new_ty, new)) in moves {
        let (from, to) = (types[old_ty].ty.name.clone(), types[new_ty].ty.name.clone());
        let gone = &mut types[old_ty].members[old];
        gone.notes
            .push(format!("{} `{to}`", MemberChange::MOVED_TO));
        let before = std::mem::take(&mut gone.code);
        let moved = &mut types[new_ty].members[new];
        moved.notes.push(format!("moved from `{from}`"));
        moved.code = merged_sides(&before, &moved.code);
    }
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
