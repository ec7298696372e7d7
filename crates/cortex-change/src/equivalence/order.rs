//! Members that stand in another order, and whether that does something.
//!
//! Source: C# specification, §15.5.6 (initializers run in textual order), §16.2 and `StructLayout` (fields of structs lie
//! in textual order), §19.4 (values of enum members count on from the one before).

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::DeclKind;

use super::{alignment::Alignment, pairing::DeclAt, source::SourceFile};

/// What another place among its siblings does to a member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Reordered {
    /// Nothing that binding and running can see.
    Silently,
    /// An initializer runs earlier or later, a field lies elsewhere, or a value counts on from another one.
    WithEffect,
}

/// The units that stand in another order, by index.
pub(super) fn reordered(alignment: &Alignment<'_>) -> BTreeMap<usize, Reordered> {
    let mut found = BTreeMap::new();
    for siblings in siblings(alignment).values() {
        let moved = out_of_order(siblings);
        for &unit in &moved {
            found.insert(unit, Reordered::Silently);
        }
        let effective: Vec<(usize, usize)> = (siblings.iter().copied())
            .filter(|&(_, unit)| has_effect(alignment, unit))
            .collect();
        for unit in out_of_order(&effective) {
            found.insert(unit, Reordered::WithEffect);
        }
    }
    for unit in other_values(alignment) {
        found.insert(unit, Reordered::WithEffect);
    }
    found
}

/// Paired members, by the declarations around them on both sides: with their place on the new side, in the order of the
/// old one.
type Siblings = BTreeMap<[(usize, Option<u32>); 2], Vec<(usize, usize)>>;

fn siblings(alignment: &Alignment<'_>) -> Siblings {
    let mut found: BTreeMap<_, Vec<(u32, usize, usize)>> = BTreeMap::new();
    for (at, unit) in alignment.units.iter().enumerate() {
        let [Some((a, Some(old))), Some((b, Some(new)))] = unit.sides else {
            continue;
        };
        let parent = |side: usize, file: usize, decl: u32| {
            alignment.files[side][file].decls[decl as usize].parent
        };
        let around = [(a, parent(0, a, old)), (b, parent(1, b, new))];
        found
            .entry(around)
            .or_default()
            .push((old, new as usize, at));
    }
    found
        .into_iter()
        .map(|(around, mut all)| {
            all.sort_unstable();
            let all = all.into_iter().map(|(_, new, unit)| (new, unit));
            (around, all.collect())
        })
        .collect()
}

/// The fewest units without which the others are in order: `all` has places and units.
fn out_of_order(all: &[(usize, usize)]) -> Vec<usize> {
    // The longest increasing subsequence, by patience sorting.
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; all.len()];
    for (at, &(place, _)) in all.iter().enumerate() {
        let pile = piles.partition_point(|&top| all[top].0 < place);
        before[at] = pile.checked_sub(1).map(|pile| piles[pile]);
        match piles.get_mut(pile) {
            Some(top) => *top = at,
            None => piles.push(at),
        }
    }
    let mut kept = BTreeSet::new();
    let mut next = piles.last().copied();
    while let Some(at) = next {
        kept.insert(at);
        next = before[at];
    }
    (0..all.len())
        .filter(|at| !kept.contains(at))
        .map(|at| all[at].1)
        .collect()
}

/// Whether the place of a member among its siblings does something.
fn has_effect(alignment: &Alignment<'_>, unit: usize) -> bool {
    let Some((file, Some(decl))) = alignment.units[unit].sides[1] else {
        return false;
    };
    let file = &alignment.files[1][file];
    let declared = &file.decls[decl as usize];
    let owner = declared.parent.map(|at| file.decls[at as usize].kind);
    let is_in_struct = matches!(owner, Some(DeclKind::Struct | DeclKind::RecordStruct));
    declared.has_initializer || is_in_struct && declared.kind == DeclKind::Field
}

/// Enum members whose value counts on from another one, or from further away.
fn other_values(alignment: &Alignment<'_>) -> Vec<usize> {
    let mut unit_of: BTreeMap<DeclAt, usize> = BTreeMap::new();
    for (at, unit) in alignment.units.iter().enumerate() {
        if let [Some(_), Some((file, Some(decl)))] = unit.sides {
            unit_of.insert((file, decl), at);
        }
    }
    let is_equal = |old: Option<DeclAt>, new: Option<DeclAt>| match (old, new) {
        (None, None) => true,
        (Some((file, decl)), Some(new)) => unit_of.get(&new).is_some_and(|&at| {
            let unit = &alignment.units[at];
            unit.sides[0] == Some((file, Some(decl))) && unit.unmatched.iter().all(Vec::is_empty)
        }),
        _ => false,
    };
    let mut found = Vec::new();
    for (at, unit) in alignment.units.iter().enumerate() {
        let [Some((a, Some(old))), Some((b, Some(new)))] = unit.sides else {
            continue;
        };
        let is_member = alignment.files[1][b].decls[new as usize].kind == DeclKind::EnumMember;
        if is_member {
            let [(first, before), (second, after)] =
                [(0, a, old), (1, b, new)].map(|(side, file, decl)| {
                    let (origin, n) = origin(&alignment.files[side][file], decl);
                    (origin.map(|origin| (file, origin)), n)
                });
            if before != after || before > 0 && !is_equal(first, second) {
                found.push(at);
            }
        }
    }
    found
}

/// The member that the value of an enum member counts on from, and how many steps; no member for the first of an enum.
fn origin(file: &SourceFile, decl: u32) -> (Option<u32>, u32) {
    let mut steps = 0;
    let mut at = decl;
    loop {
        let declared = &file.decls[at as usize];
        if declared.body_range.start < declared.body_range.end {
            return (Some(at), steps);
        }
        steps += 1;
        let is_sibling = |previous: &u32| {
            let previous = &file.decls[*previous as usize];
            previous.parent == declared.parent && previous.kind == DeclKind::EnumMember
        };
        match at.checked_sub(1).filter(is_sibling) {
            Some(previous) => at = previous,
            None => return (None, steps),
        }
    }
}
