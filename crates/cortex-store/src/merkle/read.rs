//! Reading a map: one key, a range of keys, its length, its pages.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::nibbles::{Range, slot_of};
use super::page::{ChildKind, Malformed, Page};
use super::{MapRoot, PageHash, PageSource};
use crate::StoreError;

/// A reference to a page, and the keys that can lie below it.
#[derive(Clone, Copy)]
pub(super) struct Reference {
    pub(super) hash: PageHash,
    pub(super) range: Range,
}

impl Reference {
    pub(super) fn root(hash: PageHash) -> Self {
        Self {
            hash,
            range: Range::WHOLE,
        }
    }

    pub(super) fn damaged(&self) -> StoreError {
        StoreError::DamagedPage(self.hash)
    }

    /// Names the page in what decoding says about it.
    pub(super) fn check<T>(&self, decoded: Result<T, Malformed>) -> Result<T, StoreError> {
        decoded.map_err(|Malformed| self.damaged())
    }

    pub(super) fn load(&self, source: &dyn PageSource) -> Result<Arc<[u8]>, StoreError> {
        source.page(self.hash)
    }

    /// Decodes the page, and checks that it belongs here: paths grow on the way down, so that no
    /// walk is longer than a key and no page is met at two places.
    pub(super) fn parse<'p>(&self, page: &'p [u8]) -> Result<Page<'p>, StoreError> {
        let page = self.check(Page::parse(page))?;
        let belongs = match page {
            Page::Leaf(leaf) => {
                let mut entries = leaf.entries();
                self.check(entries.next_value())?;
                self.range.contains_key(entries.key())
            }
            Page::Inner(inner) => self.range.contains_path(&inner.prefix),
        };
        if belongs {
            Ok(page)
        } else {
            Err(self.damaged())
        }
    }
}

/// The value of a key. Reads one page for each level, about log₁₆ of the number of leaves.
pub fn get(
    root: MapRoot,
    key: &[u8],
    source: &dyn PageSource,
) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(hash) = root.page() else {
        return Ok(None);
    };
    let mut at = Reference::root(hash);
    loop {
        let bytes = at.load(source)?;
        match at.parse(&bytes)? {
            Page::Leaf(leaf) => {
                let mut entries = leaf.entries();
                while let Some(value) = at.check(entries.next_value())? {
                    if entries.key() == key {
                        return Ok(Some(value.to_vec()));
                    }
                    if entries.key() > key {
                        break;
                    }
                }
                return Ok(None);
            }
            Page::Inner(inner) => {
                if !inner.prefix.is_prefix_of(key) {
                    return Ok(None);
                }
                let slot = slot_of(key, inner.prefix.len());
                let Some(child) = at.check(inner.find(slot))? else {
                    return Ok(None);
                };
                at = Reference {
                    hash: child.hash,
                    range: inner.range_of(&child),
                };
            }
        }
    }
}

/// Takes a key and its value, and says whether to go on.
pub type EntryVisitor<'v> = dyn FnMut(&[u8], &[u8]) -> ControlFlow<()> + 'v;

/// Visits the entries whose keys start with `prefix` (all, if it is empty) in key order, until the
/// visitor breaks. Reads the pages of that range only.
pub fn scan_prefix(
    root: MapRoot,
    prefix: &[u8],
    source: &dyn PageSource,
    visit: &mut EntryVisitor<'_>,
) -> Result<(), StoreError> {
    let mut pending: Vec<Reference> = root.page().map(Reference::root).into_iter().collect();
    while let Some(at) = pending.pop() {
        let bytes = at.load(source)?;
        match at.parse(&bytes)? {
            Page::Leaf(leaf) => {
                let mut entries = leaf.entries();
                while let Some(value) = at.check(entries.next_value())? {
                    if entries.key().starts_with(prefix) {
                        if visit(entries.key(), value).is_break() {
                            return Ok(());
                        }
                    } else if entries.key() > prefix {
                        break;
                    }
                }
            }
            Page::Inner(inner) => {
                let depth = inner.prefix.len();
                let common = inner.prefix.common_with(prefix);
                if common < depth && common < 2 * prefix.len() {
                    continue;
                }
                // Which child the prefix goes on in; all of them where it ends before.
                let only = (2 * prefix.len() > depth).then(|| slot_of(prefix, depth));
                let first = pending.len();
                for child in inner.groups() {
                    let child = at.check(child)?;
                    if only.is_none_or(|slot| (child.first..=child.last).contains(&slot)) {
                        pending.push(Reference {
                            hash: child.hash,
                            range: inner.range_of(&child),
                        });
                    }
                }
                pending[first..].reverse();
            }
        }
    }
    Ok(())
}

/// The number of entries. Reads the root page only.
pub fn len(root: MapRoot, source: &dyn PageSource) -> Result<u64, StoreError> {
    let Some(hash) = root.page() else {
        return Ok(0);
    };
    let root = Reference::root(hash);
    let bytes = root.load(source)?;
    match root.parse(&bytes)? {
        Page::Leaf(leaf) => Ok(leaf.count),
        Page::Inner(inner) => Ok(root.check(inner.weight())?.count),
    }
}

/// What to do below a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// Visit the pages below it too.
    Enter,
    /// Leave out the pages below it, as they were visited before.
    Skip,
}

/// Visits the hashes of all pages of a map, each before those below it, in key order. Reads inner
/// pages only.
pub fn walk_pages(
    root: MapRoot,
    source: &dyn PageSource,
    visit: &mut dyn FnMut(PageHash) -> Walk,
) -> Result<(), StoreError> {
    // The kind of the root is known only when it is read.
    let root = root.page().map(Reference::root);
    let mut pending: Vec<(Reference, ChildKind)> = root
        .map(|root| (root, ChildKind::Inner))
        .into_iter()
        .collect();
    while let Some((at, kind)) = pending.pop() {
        if visit(at.hash) == Walk::Skip || kind == ChildKind::Leaf {
            continue;
        }
        let bytes = at.load(source)?;
        let Page::Inner(inner) = at.parse(&bytes)? else {
            continue;
        };
        let first = pending.len();
        for child in inner.groups() {
            let child = at.check(child)?;
            let reference = Reference {
                hash: child.hash,
                range: inner.range_of(&child),
            };
            pending.push((reference, child.kind));
        }
        pending[first..].reverse();
    }
    Ok(())
}
