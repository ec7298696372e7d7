//! API changes that say no more than that types have other names, in a few rows.

use std::collections::{BTreeMap, BTreeSet};

use cortex_wire::{ApiChange, Severity};

use crate::{
    markdown::{
        api::{MAX_NAMED, word},
        names::{Names, global_or, moved_between, namespace_of},
        plan::counted,
    },
    text::line,
};

/// Takes such changes away and tells them: a row for each pair of namespaces, then one for what names these types. Each
/// with the number of changes that it stands for.
pub(super) fn rows(changes: &mut Vec<&ApiChange>, names: &Names) -> Vec<(String, usize)> {
    let mut moves: BTreeMap<(&str, &str), Vec<&ApiChange>> = BTreeMap::new();
    let mut came: BTreeMap<&str, usize> = BTreeMap::new();
    let mut followers: Vec<&ApiChange> = Vec::new();
    changes.retain(|change| {
        if let Some(new) = &change.moved_to {
            let namespaces = moved_between(&change.ty, new)
                .unwrap_or((namespace_of(&change.ty), namespace_of(new)));
            moves.entry(namespaces).or_default().push(change);
        } else if change.follows_moves && change.severity == Severity::Compatible {
            *came.entry(&change.ty).or_default() += 1;
        } else if change.follows_moves {
            followers.push(change);
        } else {
            return true;
        }
        false
    });
    let mut moves: Vec<_> = moves.into_iter().collect();
    moves.sort_by_key(|(_, types)| std::cmp::Reverse(types.len()));
    let mut out: Vec<(String, usize)> = Vec::new();
    for ((from, to), types) in moves {
        let n_came = types
            .iter()
            .filter_map(|it| came.remove(it.moved_to.as_deref()?));
        let n = types.len() + n_came.sum::<usize>();
        out.push((moved(from, to, &types, names), n));
    }
    let rest = came.into_values().sum::<usize>();
    if !followers.is_empty() {
        out.push((following(&followers), followers.len() + rest));
    } else if let Some((_, n)) = out.last_mut() {
        *n += rest;
    }
    out
}

/// Types that went from one namespace to another, or that have other names in theirs.
fn moved(from: &str, to: &str, types: &[&ApiChange], names: &Names) -> String {
    let (moves, word) = (&types[0].moved_to, word(types[0].severity));
    // Their names below the namespaces that differ.
    let below = |name: &str, outer: &str| {
        let rest = name.strip_prefix(outer).unwrap_or(name);
        line(rest.trim_start_matches('.')).into_owned()
    };
    let shown: Vec<String> = (types.iter().take(MAX_NAMED))
        .map(|change| {
            let new = change.moved_to.as_deref().unwrap_or_default();
            match (below(&change.ty, from), below(new, to)) {
                (old, new) if old == new => old,
                (old, new) => format!("{old} → {new}"),
            }
        })
        .collect();
    let more = match types.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        n => format!(" … {n} more"),
    };
    let shown = shown.join(", ");
    if let ([only], Some(new)) = (types, moves) {
        let (what, new) = match moved_between(&only.ty, new) {
            Some(_) => ("moved to namespace", line(namespace_of(new)).into_owned()),
            None => ("moved to", names.of(new).into_owned()),
        };
        return format!("{word} CP0001 {} | {what} {new}", names.of(&only.ty));
    }
    if from == to {
        return format!("{word} CP0001 {shown}{more} | renamed");
    }
    format!(
        "{word} CP0001 {shown}{more} | moved from {} to {}",
        global_or(from),
        global_or(to)
    )
}

/// What names types that have other names.
fn following(changes: &[&ApiChange]) -> String {
    let rules: BTreeSet<&str> = changes.iter().filter_map(|it| it.rule.as_deref()).collect();
    let rules: Vec<&str> = rules.into_iter().collect();
    let members = changes.iter().filter(|it| it.member.is_some());
    let types: BTreeSet<&str> = members.clone().map(|it| it.ty.as_str()).collect();
    let n_members = members.count();
    let bases: BTreeSet<&str> = (changes.iter().filter(|it| it.member.is_none()))
        .map(|it| it.ty.as_str())
        .collect();
    let mut parts = Vec::new();
    if n_members > 0 {
        parts.push(format!(
            "{} of {}",
            counted(n_members, "member", "members"),
            counted(types.len(), "type", "types")
        ));
    }
    if !bases.is_empty() {
        parts.push(format!(
            "the bases of {}",
            counted(bases.len(), "type", "types")
        ));
    }
    let verb = match n_members + bases.len() {
        1 => "names",
        _ => "name",
    };
    format!(
        "{} {} {} | {verb} moved types, otherwise the same",
        word(changes[0].severity),
        line(&rules.join(", ")),
        parts.join(" and ")
    )
}
