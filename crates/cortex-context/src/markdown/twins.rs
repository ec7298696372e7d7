//! What a file says that several projects compile: said once.

use std::collections::{BTreeSet, HashMap};

use cortex_wire::TypeChange;

/// Entries with the same key as an earlier one left out, in their order.
pub(crate) fn unique<'t, T, K: Ord>(
    entries: impl IntoIterator<Item = &'t T>,
    key: impl Fn(&'t T) -> K,
) -> Vec<&'t T> {
    let mut seen = BTreeSet::new();
    entries
        .into_iter()
        .filter(|entry| seen.insert(key(entry)))
        .collect()
}

/// A type with those of other projects that changed alike because they are made from the same files.
pub(crate) struct Twins<'a> {
    pub(crate) change: &'a TypeChange,
    pub(crate) others: Vec<&'a TypeChange>,
}

/// Groups types in the order of their first.
pub(crate) fn group<'a>(types: impl IntoIterator<Item = &'a TypeChange>) -> Vec<Twins<'a>> {
    let mut groups: Vec<Twins<'a>> = Vec::new();
    let mut by_place: HashMap<_, Vec<usize>> = HashMap::new();
    for change in types {
        let place = by_place
            .entry((&change.ty.name, &change.files, change.line))
            .or_default();
        match place
            .iter()
            .find(|&&group| is_alike(groups[group].change, change))
        {
            Some(&group) => groups[group].others.push(change),
            None => {
                place.push(groups.len());
                groups.push(Twins {
                    change,
                    others: Vec::new(),
                });
            }
        }
    }
    groups
}

/// Whether two types of the same files would be told in the same words.
fn is_alike(a: &TypeChange, b: &TypeChange) -> bool {
    let heads = |it: &TypeChange| {
        (
            it.class,
            it.accessibility,
            it.is_test,
            it.ty.kind,
            it.members.len(),
        )
    };
    heads(a) == heads(b)
        && a.renamed_from == b.renamed_from
        && a.new_signature == b.new_signature
        && a.old_signature == b.old_signature
        && a.members.iter().zip(&b.members).all(|(a, b)| {
            (a.change, &a.path, a.line, &a.name, &a.notes)
                == (b.change, &b.path, b.line, &b.name, &b.notes)
                && a.old_signature == b.old_signature
                && a.new_signature == b.new_signature
        })
}
