//! Pages that wait for a common transaction: those of many snapshots in a row, made without writing
//! each.
//!
//! The process that made them reads them like all others. When they are written, pages that are
//! alike (the same place of the same map, some commits later) are put side by side, so that they
//! compress to little more than one of them.
//!
//! All of them are of one epoch: a page that was in the store when they were made may be gone in the
//! next one, so that pages of two must not be taken for one whole.

use std::collections::HashMap;
use std::sync::Arc;

use crate::merkle::{PageHash, similar_first};

/// Pages in the order in which they are stored.
pub(crate) type InOrder = Vec<(PageHash, Arc<[u8]>)>;

/// See the module's first line.
#[derive(Default)]
pub(crate) struct Waiting {
    epoch: u64,
    pages: HashMap<PageHash, Arc<[u8]>>,
    n_bytes: usize,
}

impl Waiting {
    pub(crate) fn get(&self, hash: PageHash) -> Option<Arc<[u8]>> {
        self.pages.get(&hash).cloned()
    }

    /// Forgets all pages if they are of another epoch.
    pub(crate) fn begin(&mut self, epoch: u64) {
        if self.epoch != epoch {
            *self = Self {
                epoch,
                ..Self::default()
            };
        }
    }

    /// Adds a page that was made in an epoch; nothing if others are of another one: whoever made it
    /// is told so when it commits.
    pub(crate) fn put(&mut self, epoch: u64, hash: PageHash, bytes: Vec<u8>) {
        if self.epoch != epoch {
            return;
        }
        self.pages.entry(hash).or_insert_with(|| {
            self.n_bytes += bytes.len();
            bytes.into()
        });
    }

    /// The bytes of all pages.
    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// All pages, alike ones side by side.
    pub(crate) fn in_order(&self) -> InOrder {
        let mut pages: InOrder = (self.pages.iter())
            .map(|(hash, page)| (*hash, page.clone()))
            .collect();
        pages.sort_by_cached_key(|(hash, page)| (similar_first(page), page.len(), *hash));
        pages
    }

    /// Forgets pages that were written.
    pub(crate) fn remove(&mut self, written: &InOrder) {
        for (hash, _) in written {
            if let Some(page) = self.pages.remove(hash) {
                self.n_bytes -= page.len();
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.pages.clear();
        self.n_bytes = 0;
    }
}
