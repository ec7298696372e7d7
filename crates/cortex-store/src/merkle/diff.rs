//! The difference of two maps: a walk over the pages in which they differ.

use std::cmp::Ordering;

use super::nibbles::Order;
use super::page::Page;
use super::read::Reference;
use super::{MapRoot, PageSource};
use crate::StoreError;

/// Takes a key, its old value and its new value.
pub type DifferenceVisitor<'v> = dyn FnMut(&[u8], Option<&[u8]>, Option<&[u8]>) + 'v;

/// Visits each key whose value differs, in key order, with its old and its new value (`None` where
/// the key is absent). Reads pages in proportion to the difference, not to the maps.
pub fn diff(
    old: MapRoot,
    new: MapRoot,
    source: &dyn PageSource,
    visit: &mut DifferenceVisitor<'_>,
) -> Result<(), StoreError> {
    let mut old = Side::new(old, source);
    let mut new = Side::new(new, source);
    loop {
        let order = match (old.pending.last(), new.pending.last()) {
            (None, None) => return Ok(()),
            (Some(_), None) => Order::Before,
            (None, Some(_)) => Order::After,
            (Some(a), Some(b)) => a.order(b),
        };
        match order {
            Order::Before => old.advance(&mut |key, value| visit(key, Some(value), None))?,
            Order::After => new.advance(&mut |key, value| visit(key, None, Some(value)))?,
            Order::Overlapping => meet(&mut old, &mut new, visit)?,
        }
    }
}

/// Both sides stand at the same keys.
fn meet(
    old: &mut Side<'_>,
    new: &mut Side<'_>,
    visit: &mut DifferenceVisitor<'_>,
) -> Result<(), StoreError> {
    match (old.pending.last(), new.pending.last()) {
        (Some(Item::Page(a)), Some(Item::Page(b))) if a.hash != b.hash => {
            // The one that reaches further is opened first: equal pages then come to lie side by
            // side.
            let (a_depth, b_depth) = (a.range.prefix.len(), b.range.prefix.len());
            if a_depth <= b_depth {
                old.expand()?;
            }
            if b_depth <= a_depth {
                new.expand()?;
            }
            return Ok(());
        }
        (Some(Item::Page(_)), Some(Item::Entry(..))) => return old.expand(),
        (Some(Item::Entry(..)), Some(Item::Page(_))) => return new.expand(),
        (Some(Item::Entry(key, a)), Some(Item::Entry(_, b))) if a != b => {
            visit(key, Some(a), Some(b));
        }
        _ => {}
    }
    old.pending.pop();
    new.pending.pop();
    Ok(())
}

enum Item {
    Page(Reference),
    Entry(Vec<u8>, Vec<u8>),
}

impl Item {
    fn order(&self, other: &Self) -> Order {
        match (self, other) {
            (Self::Page(a), Self::Page(b)) => a.range.order(&b.range),
            (Self::Page(page), Self::Entry(key, _)) => page.range.order_of_key(key),
            (Self::Entry(key, _), Self::Page(page)) => match page.range.order_of_key(key) {
                Order::Before => Order::After,
                Order::After => Order::Before,
                Order::Overlapping => Order::Overlapping,
            },
            (Self::Entry(a, _), Self::Entry(b, _)) => match a.cmp(b) {
                Ordering::Less => Order::Before,
                Ordering::Greater => Order::After,
                Ordering::Equal => Order::Overlapping,
            },
        }
    }
}

/// What is left of one map.
struct Side<'s> {
    source: &'s dyn PageSource,
    // Invariant: descending in key order, so the next item is the last.
    pending: Vec<Item>,
}

impl<'s> Side<'s> {
    fn new(root: MapRoot, source: &'s dyn PageSource) -> Self {
        let root = root.page().map(Reference::root);
        Self {
            source,
            pending: root.map(Item::Page).into_iter().collect(),
        }
    }

    /// Hands out the next item, or opens it if it is a page.
    fn advance(&mut self, emit: &mut dyn FnMut(&[u8], &[u8])) -> Result<(), StoreError> {
        if let Some(Item::Entry(key, value)) = self.pending.last() {
            emit(key, value);
            self.pending.pop();
            return Ok(());
        }
        self.expand()
    }

    /// Replaces the next item, a page, by what is in it.
    fn expand(&mut self) -> Result<(), StoreError> {
        let Some(Item::Page(at)) = self.pending.pop() else {
            return Ok(());
        };
        let first = self.pending.len();
        let bytes = at.load(self.source)?;
        match at.parse(&bytes)? {
            Page::Leaf(leaf) => {
                let mut entries = leaf.entries();
                while let Some(value) = at.check(entries.next_value())? {
                    let entry = Item::Entry(entries.key().to_vec(), value.to_vec());
                    self.pending.push(entry);
                }
            }
            Page::Inner(inner) => {
                for child in inner.groups() {
                    let child = at.check(child)?;
                    self.pending.push(Item::Page(Reference {
                        hash: child.hash,
                        range: inner.range_of(&child),
                    }));
                }
            }
        }
        self.pending[first..].reverse();
        Ok(())
    }
}
