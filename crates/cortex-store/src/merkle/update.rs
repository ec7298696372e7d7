//! Changing a map: new pages along the changed paths, and the pages that a fresh build would give.

use std::borrow::Cow;
use std::sync::Arc;

use super::nibbles::{Nibbles, Range, SLOTS, common, slot_of};
use super::node::{Child, Entry, Slot, Tree, divide, merge, unchanged, weight_of};
use super::page::{ChildKind, InnerEncoder, LeafEncoder, Page, Weight};
use super::read::Reference;
use super::{Change, MAX_KEY_BYTES, MapRoot, PageHash, PageSink, PageSource};
use crate::StoreError;

/// Applies changes, sorted by key and with each key once, to a map and gives the new map.
///
/// Touches the pages on the paths to the changed keys, at most 16 neighbors of each where leaves
/// are divided anew, and nothing else; building from the empty map is one pass over the changes.
/// Deleting an absent key changes nothing. Fails with [`StoreError::InvalidChange`] for changes out
/// of order and keys that are empty or longer than [`MAX_KEY_BYTES`].
pub fn update(
    root: MapRoot,
    changes: &[Change],
    source: &dyn PageSource,
    sink: &mut dyn PageSink,
) -> Result<MapRoot, StoreError> {
    check(changes)?;
    if changes.is_empty() {
        return Ok(root);
    }
    let mut writer = Writer { source, sink };
    let tree = match root.page() {
        None => Tree::Small(Vec::new()),
        Some(hash) => writer.open(Reference::root(hash))?,
    };
    let root = match writer.apply(tree, changes)? {
        Tree::Small(entries) if entries.is_empty() => None,
        Tree::Small(entries) => Some(writer.put_leaf(&entries)),
        Tree::Large(child) => Some(child.at.hash),
    };
    Ok(MapRoot::new(root))
}

fn check(changes: &[Change]) -> Result<(), StoreError> {
    if changes.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return Err(StoreError::InvalidChange("its keys are not in order"));
    }
    if changes
        .iter()
        .any(|(key, _)| key.is_empty() || key.len() > MAX_KEY_BYTES)
    {
        return Err(StoreError::InvalidChange(
            "a key is empty or longer than 64 bytes",
        ));
    }
    Ok(())
}

struct Writer<'s> {
    source: &'s dyn PageSource,
    sink: &'s mut dyn PageSink,
}

impl Writer<'_> {
    fn open<'c>(&self, at: Reference) -> Result<Tree<'c>, StoreError> {
        let bytes = at.load(self.source)?;
        match at.parse(&bytes)? {
            Page::Leaf(_) => self.entries_of(at, &at.range).map(Tree::Small),
            Page::Inner(inner) => Ok(Tree::Large(Child {
                at,
                weight: at.check(inner.weight())?,
            })),
        }
    }

    /// The entries of a leaf that lie in a range.
    fn entries_of<'c>(&self, leaf: Reference, range: &Range) -> Result<Vec<Entry<'c>>, StoreError> {
        let mut entries = Vec::new();
        self.each_entry_of(leaf, range, &mut |key, value| {
            entries.push(Entry {
                key: Cow::Owned(key.to_vec()),
                value: Cow::Owned(value.to_vec()),
            });
        })?;
        Ok(entries)
    }

    fn each_entry_of(
        &self,
        leaf: Reference,
        range: &Range,
        each: &mut dyn FnMut(&[u8], &[u8]),
    ) -> Result<(), StoreError> {
        let bytes = leaf.load(self.source)?;
        let Page::Leaf(page) = leaf.parse(&bytes)? else {
            return Err(leaf.damaged());
        };
        let mut entries = page.entries();
        while let Some(value) = leaf.check(entries.next_value())? {
            if range.contains_key(entries.key()) {
                each(entries.key(), value);
            }
        }
        Ok(())
    }

    /// Recurses along common prefixes that grow, so no deeper than a key has nibbles.
    fn apply<'c>(&mut self, tree: Tree<'c>, changes: &'c [Change]) -> Result<Tree<'c>, StoreError> {
        match tree {
            Tree::Small(entries) => {
                let merged = merge(entries, changes);
                let weight = weight_of(&merged);
                if merged.is_empty() || weight.fits_leaf() {
                    Ok(Tree::Small(merged))
                } else {
                    Ok(Tree::Large(self.build(&merged)))
                }
            }
            Tree::Large(child) => self.apply_to_inner(child, changes),
        }
    }

    fn apply_to_inner<'c>(
        &mut self,
        child: Child,
        changes: &'c [Change],
    ) -> Result<Tree<'c>, StoreError> {
        let bytes: Arc<[u8]> = child.at.load(self.source)?;
        let Page::Inner(inner) = child.at.parse(&bytes)? else {
            return Err(child.at.damaged());
        };
        // Keys that are new here and do not share the prefix end this page's path earlier.
        let shared = changes
            .iter()
            .filter(|(_, value)| value.is_some())
            .map(|(key, _)| inner.prefix.common_with(key))
            .min()
            .unwrap_or(inner.prefix.len());
        let prefix = inner.prefix.truncated(shared);
        let changes = within(changes, &prefix);
        if changes.is_empty() {
            return Ok(Tree::Large(child));
        }
        let mut slots = [const { Slot::Vacant }; SLOTS];
        if shared < inner.prefix.len() {
            let slot = inner.prefix.slot(shared);
            slots[slot] = Slot::Inner(Child {
                at: Reference {
                    hash: child.at.hash,
                    range: Range {
                        prefix,
                        first: slot,
                        last: slot,
                    },
                },
                weight: child.weight,
            });
        } else {
            for group in inner.groups() {
                let group = child.at.check(group)?;
                let at = Reference {
                    hash: group.hash,
                    range: inner.range_of(&group),
                };
                for (slot, weight) in group.slots().filter(|(_, weight)| weight.count > 0) {
                    slots[slot] = match group.kind {
                        ChildKind::Leaf => Slot::Kept(at, weight),
                        ChildKind::Inner => Slot::Inner(Child { at, weight }),
                    };
                }
            }
        }
        for changes in
            changes.chunk_by(|(a, _), (b, _)| slot_of(a, prefix.len()) == slot_of(b, prefix.len()))
        {
            let slot = slot_of(&changes[0].0, prefix.len());
            let tree = match std::mem::replace(&mut slots[slot], Slot::Vacant) {
                Slot::Vacant => Tree::Small(Vec::new()),
                Slot::Entries(entries, _) => Tree::Small(entries),
                Slot::Kept(leaf, _) => Tree::Small(self.entries_of(leaf, &one(prefix, slot))?),
                Slot::Inner(child) => Tree::Large(child),
            };
            slots[slot] = self.apply(tree, changes)?.into();
        }
        self.finish(child, prefix, slots)
    }

    /// Gives the slots of a node the shape that a fresh build gives them.
    fn finish<'c>(
        &mut self,
        old: Child,
        prefix: Nibbles,
        slots: [Slot<'c>; SLOTS],
    ) -> Result<Tree<'c>, StoreError> {
        let weight = slots
            .iter()
            .fold(Weight::default(), |sum, slot| sum.plus(slot.weight()));
        if weight.count == 0 || weight.fits_leaf() {
            let mut all = Vec::new();
            for (index, slot) in slots.into_iter().enumerate() {
                match slot {
                    Slot::Vacant => {}
                    Slot::Entries(entries, _) => all.extend(entries),
                    Slot::Kept(leaf, _) => all.extend(self.entries_of(leaf, &one(prefix, index))?),
                    // A subtree is larger than a leaf: only a false weight leads here.
                    Slot::Inner(_) => return Err(old.at.damaged()),
                }
            }
            return Ok(Tree::Small(all));
        }
        let mut taken = slots.iter().filter(|slot| slot.weight().count > 0);
        if let (Some(Slot::Inner(child)), None) = (taken.next(), taken.next()) {
            return Ok(Tree::Large(*child));
        }

        let weights = slots.each_ref().map(Slot::weight);
        let is_inner = slots.each_ref().map(|slot| matches!(slot, Slot::Inner(_)));
        let mut page = InnerEncoder::new(&prefix);
        for (first, last) in divide(&weights, &is_inner) {
            let (kind, hash) = match &slots[first] {
                Slot::Inner(child) => (ChildKind::Inner, child.at.hash),
                _ => {
                    let hash = match unchanged(&slots, prefix, first, last) {
                        Some(hash) => hash,
                        None => self.put_slots(&slots, prefix, first, last)?,
                    };
                    (ChildKind::Leaf, hash)
                }
            };
            page.push((first, last), kind, hash, &weights[first..=last]);
        }
        Ok(Tree::Large(self.put_inner(page, prefix, weight)))
    }

    /// Writes the leaf of some neighboring slots.
    fn put_slots(
        &mut self,
        slots: &[Slot<'_>; SLOTS],
        prefix: Nibbles,
        first: usize,
        last: usize,
    ) -> Result<PageHash, StoreError> {
        let mut leaf = LeafEncoder::default();
        for (index, slot) in slots.iter().enumerate().take(last + 1).skip(first) {
            match slot {
                Slot::Vacant => {}
                Slot::Entries(entries, _) => {
                    entries
                        .iter()
                        .for_each(|entry| leaf.push(&entry.key, &entry.value));
                }
                Slot::Kept(old, _) => {
                    self.each_entry_of(*old, &one(prefix, index), &mut |key, value| {
                        leaf.push(key, value);
                    })?;
                }
                Slot::Inner(child) => return Err(child.at.damaged()),
            }
        }
        Ok(self.put(leaf.finish()))
    }

    /// Builds the subtree of entries that are too many for a leaf. Recurses along growing prefixes.
    fn build(&mut self, entries: &[Entry<'_>]) -> Child {
        let (first, last) = (&entries[0].key, &entries[entries.len() - 1].key);
        let depth = common(first, last, 2 * first.len().min(last.len()));
        let prefix = Nibbles::of_key(first, depth);
        let mut parts: [&[Entry<'_>]; SLOTS] = [&[]; SLOTS];
        for part in entries.chunk_by(|a, b| slot_of(&a.key, depth) == slot_of(&b.key, depth)) {
            parts[slot_of(&part[0].key, depth)] = part;
        }
        let weights = parts.map(weight_of);
        let is_inner = weights.map(|weight| weight.count > 0 && !weight.fits_leaf());
        let mut page = InnerEncoder::new(&prefix);
        for (first, last) in divide(&weights, &is_inner) {
            let (kind, hash) = if is_inner[first] {
                (ChildKind::Inner, self.build(parts[first]).at.hash)
            } else {
                let start = parts[..first].iter().map(|part| part.len()).sum::<usize>();
                let len = parts[first..=last]
                    .iter()
                    .map(|part| part.len())
                    .sum::<usize>();
                let hash = self.put_leaf(&entries[start..start + len]);
                (ChildKind::Leaf, hash)
            };
            page.push((first, last), kind, hash, &weights[first..=last]);
        }
        let weight = weights.into_iter().fold(Weight::default(), Weight::plus);
        self.put_inner(page, prefix, weight)
    }

    fn put_leaf(&mut self, entries: &[Entry<'_>]) -> PageHash {
        let mut leaf = LeafEncoder::default();
        for entry in entries {
            leaf.push(&entry.key, &entry.value);
        }
        self.put(leaf.finish())
    }

    fn put_inner(&mut self, page: InnerEncoder, prefix: Nibbles, weight: Weight) -> Child {
        let hash = self.put(page.finish());
        // The narrowest range that is known to hold it. Its parent may say more.
        let range = match prefix.len().checked_sub(1) {
            None => Range::WHOLE,
            Some(depth) => one(prefix.truncated(depth), prefix.slot(depth)),
        };
        Child {
            at: Reference { hash, range },
            weight,
        }
    }

    fn put(&mut self, page: Vec<u8>) -> PageHash {
        let hash = PageHash::of(&page);
        self.sink.put(hash, page);
        hash
    }
}

fn one(prefix: Nibbles, slot: usize) -> Range {
    Range {
        prefix,
        first: slot,
        last: slot,
    }
}

/// The changes whose keys start with a prefix.
fn within<'c>(changes: &'c [Change], prefix: &Nibbles) -> &'c [Change] {
    let start = changes.partition_point(|(key, _)| {
        !prefix.is_prefix_of(key) && key.as_slice() < prefix.as_bytes()
    });
    let len = changes[start..].partition_point(|(key, _)| prefix.is_prefix_of(key));
    &changes[start..start + len]
}
