//! Pages in memory: for maps that are compared but never kept, and for tests.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{PageHash, PageSink, PageSource};
use crate::StoreError;

/// Pages by hash, without checks or bounds.
#[derive(Debug, Clone, Default)]
pub struct MemoryPages {
    pages: BTreeMap<PageHash, Arc<[u8]>>,
    reads: Cell<u64>,
}

impl MemoryPages {
    /// All pages, by hash.
    pub fn iter(&self) -> impl Iterator<Item = (PageHash, &[u8])> {
        self.pages.iter().map(|(hash, page)| (*hash, &**page))
    }

    /// How many pages were read so far.
    pub fn n_reads(&self) -> u64 {
        self.reads.get()
    }
}

impl PageSource for MemoryPages {
    fn page(&self, hash: PageHash) -> Result<Arc<[u8]>, StoreError> {
        self.reads.set(self.reads.get() + 1);
        self.pages
            .get(&hash)
            .cloned()
            .ok_or(StoreError::DamagedPage(hash))
    }
}

impl PageSink for MemoryPages {
    fn put(&mut self, hash: PageHash, bytes: Vec<u8>) {
        self.pages.insert(hash, bytes.into());
    }
}
