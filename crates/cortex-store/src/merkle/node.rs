//! Subtrees while a map is changed: what is in memory, what stays on its page, and which slots
//! share a leaf.

use std::borrow::Cow;

use super::nibbles::{Nibbles, SLOTS};
use super::page::Weight;
use super::read::Reference;
use super::{Change, PAGE_TARGET, PageHash};

#[derive(Clone)]
pub(super) struct Entry<'c> {
    pub(super) key: Cow<'c, [u8]>,
    pub(super) value: Cow<'c, [u8]>,
}

impl Entry<'_> {
    pub(super) fn weight(&self) -> Weight {
        Weight::of(&self.key, &self.value)
    }
}

pub(super) fn weight_of(entries: &[Entry<'_>]) -> Weight {
    entries
        .iter()
        .fold(Weight::default(), |sum, entry| sum.plus(entry.weight()))
}

/// A subtree on its way: its parent decides which leaf small ones go to.
pub(super) enum Tree<'c> {
    // Invariant: empty, or what `Weight::fits_leaf` says of it.
    Small(Vec<Entry<'c>>),
    /// Too large for a leaf: a written inner page.
    Large(Child),
}

#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) at: Reference,
    pub(super) weight: Weight,
}

/// What goes on in one slot of an inner page.
pub(super) enum Slot<'c> {
    /// Nothing, and nothing before.
    Vacant,
    /// Changed entries, perhaps none any more.
    Entries(Vec<Entry<'c>>, Weight),
    /// Unchanged entries in a leaf of the old page.
    Kept(Reference, Weight),
    Inner(Child),
}

impl Slot<'_> {
    pub(super) fn weight(&self) -> Weight {
        match self {
            Self::Vacant => Weight::default(),
            Self::Entries(_, weight) | Self::Kept(_, weight) => *weight,
            Self::Inner(child) => child.weight,
        }
    }
}

impl<'c> From<Tree<'c>> for Slot<'c> {
    fn from(tree: Tree<'c>) -> Self {
        match tree {
            Tree::Small(entries) => {
                let weight = weight_of(&entries);
                Self::Entries(entries, weight)
            }
            Tree::Large(child) => Self::Inner(child),
        }
    }
}

/// Which neighboring slots share a leaf: as many as fit, from the left. Gives the first and the
/// last slot of each child, both of them with entries.
pub(super) fn divide(weights: &[Weight; SLOTS], is_inner: &[bool; SLOTS]) -> Vec<(usize, usize)> {
    let mut children: Vec<(usize, usize)> = Vec::with_capacity(SLOTS);
    let mut size = u64::MAX;
    for slot in (0..SLOTS).filter(|slot| weights[*slot].count > 0) {
        let joined = size.saturating_add(weights[slot].size);
        match children.last_mut() {
            Some((_, last)) if !is_inner[slot] && joined <= PAGE_TARGET => {
                *last = slot;
                size = joined;
            }
            _ => {
                children.push((slot, slot));
                size = if is_inner[slot] {
                    u64::MAX
                } else {
                    weights[slot].size
                };
            }
        }
    }
    children
}

/// The old leaf of these slots, if it held exactly their entries and none of them changed.
pub(super) fn unchanged(
    slots: &[Slot<'_>; SLOTS],
    prefix: Nibbles,
    first: usize,
    last: usize,
) -> Option<PageHash> {
    let Slot::Kept(leaf, _) = &slots[first] else {
        return None;
    };
    let same = leaf.range.prefix == prefix
        && (leaf.range.first, leaf.range.last) == (first, last)
        && slots[first..=last]
            .iter()
            .all(|slot| matches!(slot, Slot::Kept(..) | Slot::Vacant));
    same.then_some(leaf.hash)
}

pub(super) fn merge<'c>(old: Vec<Entry<'c>>, changes: &'c [Change]) -> Vec<Entry<'c>> {
    let mut merged = Vec::with_capacity(old.len() + changes.len());
    let mut old = old.into_iter().peekable();
    for (key, value) in changes {
        while let Some(entry) = old.next_if(|entry| *entry.key < **key) {
            merged.push(entry);
        }
        old.next_if(|entry| *entry.key == **key);
        if let Some(value) = value {
            merged.push(Entry {
                key: Cow::Borrowed(key),
                value: Cow::Borrowed(value),
            });
        }
    }
    merged.extend(old);
    merged
}
