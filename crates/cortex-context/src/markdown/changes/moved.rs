//! Types of which nothing differs but names of what moved or was renamed, in a few rows.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use cortex_wire::TypeChange;

use crate::{
    markdown::{
        changes::place,
        impact::listed,
        names::{self, Names},
        plan::counted,
        twins::Twins,
    },
    text::line,
};

/// So many types at least make a namespace that moved, those of the namespaces in it included.
const MIN_MOVED: usize = 3;

/// Takes away the types that went along with a namespace and tells them: a row for each namespace, with the number of
/// types.
pub(super) fn namespaces(types: &mut Vec<Twins<'_>>) -> Vec<(String, usize)> {
    let mut out = Vec::new();
    for (from, to) in moved_namespaces(types) {
        let mut n_types = 0;
        let mut assemblies: BTreeSet<&str> = BTreeSet::new();
        let mut common: Option<&str> = None;
        types.retain(|twins| {
            let is_in = moved_between(twins.change) == Some((from, to));
            if is_in {
                let inner = inside(to, names::namespace_of(&twins.change.ty.name));
                common = Some(common.map_or(inner, |known| common_start(known, inner)));
                n_types += 1;
                assemblies.extend(twins.change.moved_from_assembly.as_deref());
            }
            !is_in
        });
        let mut text = format!(
            "moved from {} to {}: {}",
            names::global_or(&with_inner(from, common)),
            names::global_or(&with_inner(to, common)),
            counted(n_types, "type", "types")
        );
        if !assemblies.is_empty() {
            let assemblies = Vec::from_iter(assemblies).join(", ");
            let _ = write!(text, ", from assembly {}", line(&assemblies));
        }
        out.push((format!("{text}, otherwise unchanged"), n_types));
    }
    out
}

/// What a namespace has behind an outer one.
fn inside<'n>(outer: &str, namespace: &'n str) -> &'n str {
    let inner = namespace.strip_prefix(outer).unwrap_or_default();
    inner.trim_start_matches('.')
}

/// The parts with which two namespaces begin.
fn common_start<'n>(a: &'n str, b: &str) -> &'n str {
    let mut end = 0;
    for (part, other) in a.split('.').zip(b.split('.')) {
        if part != other {
            break;
        }
        end += part.len() + usize::from(end > 0);
    }
    &a[..end]
}

/// A namespace with what all types that went have in it.
fn with_inner(outer: &str, inner: Option<&str>) -> String {
    let parts = [outer, inner.unwrap_or_default()];
    let parts = parts.into_iter().filter(|it| !it.is_empty());
    parts.collect::<Vec<_>>().join(".")
}

/// Takes away all other types of which nothing differs but names and tells them: a row for each that has another name,
/// then one for those that only name such types. Each with the number of types.
pub(super) fn folded(types: &mut Vec<Twins<'_>>, names: &Names) -> Vec<(String, usize)> {
    let mut out: Vec<(String, usize)> = Vec::new();
    let mut naming = Vec::new();
    types.retain(|twins| match twins.change {
        change if !change.follows_moves => true,
        change if change.renamed_from.is_some() => {
            out.push((moved_line(change, names), 1));
            false
        }
        change => {
            naming.push(change);
            false
        }
    });
    out.extend(naming_line(&naming, names).map(|text| (text, naming.len())));
    out
}

/// The namespaces between which types went of which nothing else differs, where these are many, most types first.
fn moved_namespaces<'a>(types: &[Twins<'a>]) -> Vec<(&'a str, &'a str)> {
    let mut found: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for twins in types {
        if let Some(namespaces) = moved_between(twins.change) {
            *found.entry(namespaces).or_default() += 1;
        }
    }
    let mut found: Vec<_> = found.into_iter().filter(|(_, n)| *n >= MIN_MOVED).collect();
    found.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    found
        .into_iter()
        .map(|(namespaces, _)| namespaces)
        .collect()
}

/// The namespaces of a type that went to another one, where nothing else happened to it.
fn moved_between(change: &TypeChange) -> Option<(&str, &str)> {
    let old = change.renamed_from.as_deref()?;
    let is_same = change.follows_moves || change.members.is_empty();
    let namespaces = names::moved_between(old, &change.ty.name)?;
    (is_same && change.old_signature.is_none()).then_some(namespaces)
}

/// The line of a type that has another name, of which nothing else differs.
fn moved_line(change: &TypeChange, names: &Names) -> String {
    let old = change.renamed_from.as_deref().unwrap_or_default();
    // The new name would repeat the old one.
    let namespace = names::namespace_of(&change.ty.name);
    let is_moved = names::moved_between(old, &change.ty.name).is_some();
    let new = match is_moved && !namespace.is_empty() {
        true => names.of(namespace),
        false => names.of(&change.ty.name),
    };
    let what = names::new_name(change).unwrap_or_default();
    let mut out = format!("{what} {} → {new}", names.of(old));
    if let Some((path, at)) = place(change) {
        let _ = write!(out, " {}:{at}", line(path));
    }
    if let Some(old) = &change.moved_from_assembly {
        let _ = write!(out, ", from assembly {}", line(old));
    }
    out.push_str(", otherwise unchanged");
    out
}

/// The line of types that name what moved or was renamed, of which nothing else differs; `None` without any.
fn naming_line(types: &[&TypeChange], names: &Names) -> Option<String> {
    if types.is_empty() {
        return None;
    }
    let shown = types.iter().map(|change| names.listed(&change.ty.name));
    let shown: Vec<_> = shown.collect();
    let (verb, n) = match types.len() {
        1 => ("names", "1 type".to_owned()),
        n => ("name", counted(n, "type", "types")),
    };
    Some(format!(
        "{n} only {verb} what moved or was renamed, otherwise the same: {}",
        listed(&shown, ", ")
    ))
}
