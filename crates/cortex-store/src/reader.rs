//! Reading entries of one committed state, each checked.

use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};

use redb::{ReadOnlyTable, ReadTransaction, ReadableTable};
use zstd::bulk::Decompressor;

use crate::block::{self, Block};
use crate::cache::Cache;
use crate::keys::name_key;
use crate::merkle::{PageHash, PageSource};
use crate::tables::{FACTS, FactsAt, LOG, META, NAMES, PAGES, PageAt, SNAPSHOTS, Stretch, unseal};
use crate::{StoreError, log};

/// The outcome of looking an entry up.
#[derive(Debug)]
pub(crate) enum Lookup<T> {
    Found(T),
    Absent,
    /// It is there and failed its check.
    Damaged,
}

/// The outcome of looking a page up.
pub(crate) enum PageLookup {
    Found(Arc<[u8]>),
    Absent,
    /// The block at this offset is not what it was.
    DamagedBlock(u64),
}

/// Decoded pages and blocks, shared by all readers of a store.
pub(crate) struct Caches {
    inner: Mutex<CachesInner>,
    /// Those that no thread uses: decoding takes long and needs nothing else of the caches.
    decompressors: Mutex<Vec<Decompressor<'static>>>,
}

struct CachesInner {
    pages: Cache<PageHash, Arc<[u8]>>,
    blocks: Cache<Stretch, Arc<Block>>,
}

/// How many bytes of blocks are kept: neighbors of a page are mostly asked for next. What is looked up here and there
/// needs no more, and more memory costs more than decoding a block again.
fn block_cache() -> usize {
    let n_threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    (256 << 10) + n_threads * (128 << 10)
}

impl Caches {
    pub(crate) fn new(n_bytes: usize) -> Result<Self, StoreError> {
        Ok(Self {
            inner: Mutex::new(CachesInner {
                pages: Cache::new(n_bytes / 4 * 3),
                blocks: Cache::new(block_cache().min(n_bytes / 4)),
            }),
            decompressors: Mutex::new(vec![Decompressor::new()?]),
        })
    }

    /// Keeps at least so many bytes from now on.
    pub(crate) fn grow(&self, n_bytes: usize) {
        let mut inner = self.inner();
        inner.pages.grow(n_bytes / 4 * 3);
        inner.blocks.grow(n_bytes / 4);
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, CachesInner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn page(&self, hash: PageHash) -> Option<Arc<[u8]>> {
        self.inner().pages.get(&hash)
    }

    /// Decodes a block; several threads do side by side.
    pub(crate) fn decode(&self, stored: &[u8]) -> Option<Block> {
        let idle = || {
            let all = self.decompressors.lock();
            all.unwrap_or_else(PoisonError::into_inner)
        };
        let known = idle().pop();
        let mut decompressor = known.or_else(|| Decompressor::new().ok())?;
        let block = block::decode(stored, &mut decompressor);
        idle().push(decompressor);
        block
    }

    /// Forgets blocks, which are known by where they are: for another database or state of it.
    pub(crate) fn forget_blocks(&self) {
        self.inner().blocks.clear();
    }
}

/// The tables of one committed state.
pub(crate) struct Reader {
    pub(crate) facts: ReadOnlyTable<&'static [u8], &'static [u8; FactsAt::LEN]>,
    pub(crate) pages: ReadOnlyTable<&'static [u8; 16], &'static [u8; PageAt::LEN]>,
    pub(crate) log: ReadOnlyTable<u64, &'static [u8]>,
    pub(crate) snapshots: ReadOnlyTable<&'static [u8], &'static [u8]>,
    pub(crate) names: ReadOnlyTable<&'static [u8], &'static [u8]>,
    pub(crate) log_len: u64,
}

impl Reader {
    pub(crate) fn new(transaction: &ReadTransaction) -> Result<Self, StoreError> {
        let log = transaction.open_table(LOG)?;
        Ok(Self {
            facts: transaction.open_table(FACTS)?,
            pages: transaction.open_table(PAGES)?,
            snapshots: transaction.open_table(SNAPSHOTS)?,
            names: transaction.open_table(NAMES)?,
            log_len: log::len(&log)?,
            log,
        })
    }

    pub(crate) fn stretch(&self, stretch: Stretch) -> Result<Option<Vec<u8>>, StoreError> {
        log::read(&self.log, self.log_len, stretch)
    }

    pub(crate) fn fact(&self, key: &[u8], caches: &Caches) -> Result<Lookup<Vec<u8>>, StoreError> {
        let Some(at) = self.facts.get(key)? else {
            return Ok(Lookup::Absent);
        };
        let Some(at) = FactsAt::from_bytes(key, at.value()) else {
            return Ok(Lookup::Damaged);
        };
        let found = self
            .page_at(at.page)?
            .map(|page| {
                self.block(page.block, caches)
                    .map(|block| (page.index, block))
            })
            .transpose()?;
        let value = found.and_then(|(index, block)| Some(block?.page(index)?.to_vec()));
        Ok(match value.filter(|value| PageHash::of(value) == at.page) {
            Some(value) => Lookup::Found(value),
            None => Lookup::Damaged,
        })
    }

    pub(crate) fn page_at(&self, hash: PageHash) -> Result<Option<PageAt>, StoreError> {
        let at = self.pages.get(hash.as_bytes())?;
        Ok(at.map(|at| PageAt::from_bytes(at.value())))
    }

    pub(crate) fn page(&self, hash: PageHash, caches: &Caches) -> Result<PageLookup, StoreError> {
        if let Some(page) = caches.page(hash) {
            return Ok(PageLookup::Found(page));
        }
        let Some(at) = self.page_at(hash)? else {
            return Ok(PageLookup::Absent);
        };
        let damaged = PageLookup::DamagedBlock(at.block.offset);
        let Some(block) = self.block(at.block, caches)? else {
            return Ok(damaged);
        };
        let Some(page) = block
            .page(at.index)
            .filter(|page| PageHash::of(page) == hash)
        else {
            return Ok(damaged);
        };
        let page: Arc<[u8]> = page.into();
        let mut inner = caches.inner();
        inner.pages.insert(hash, page.clone(), page.len() + 96);
        Ok(PageLookup::Found(page))
    }

    /// A block; `None` if it is damaged. What is in its pages is not checked.
    pub(crate) fn block(
        &self,
        at: Stretch,
        caches: &Caches,
    ) -> Result<Option<Arc<Block>>, StoreError> {
        if let Some(block) = caches.inner().blocks.get(&at) {
            return Ok(Some(block));
        }
        let Some(stored) = self.stretch(at)? else {
            return Ok(None);
        };
        let Some(block) = caches.decode(&stored).map(Arc::new) else {
            return Ok(None);
        };
        let n_bytes = block.n_bytes();
        caches.inner().blocks.insert(at, block.clone(), n_bytes);
        Ok(Some(block))
    }

    pub(crate) fn name(&self, key: &[u8]) -> Result<Lookup<Vec<u8>>, StoreError> {
        sealed(&self.names, key)
    }

    pub(crate) fn snapshot(&self, key: &[u8]) -> Result<Lookup<Vec<u8>>, StoreError> {
        sealed(&self.snapshots, key)
    }
}

/// A number of the store's own; damage of it is damage of the database.
pub(crate) fn meta(
    names: &impl ReadableTable<&'static [u8], &'static [u8]>,
    name: &str,
) -> Result<u64, StoreError> {
    let bytes = match sealed(names, &name_key(META, name))? {
        Lookup::Found(bytes) => bytes.try_into().ok(),
        Lookup::Absent | Lookup::Damaged => None,
    };
    bytes
        .map(u64::from_le_bytes)
        .ok_or_else(|| StoreError::Damaged(format!("no sound value of `{name}`")))
}

fn sealed(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    key: &[u8],
) -> Result<Lookup<Vec<u8>>, StoreError> {
    Ok(match table.get(key)? {
        None => Lookup::Absent,
        Some(value) => match unseal(key, value.value()) {
            Some(value) => Lookup::Found(value.to_vec()),
            None => Lookup::Damaged,
        },
    })
}

/// Pages of one state, for work that holds the store's lock.
pub(crate) struct ReaderPages<'r> {
    pub(crate) reader: &'r Reader,
    pub(crate) caches: &'r Caches,
}

impl PageSource for ReaderPages<'_> {
    fn page(&self, hash: PageHash) -> Result<Arc<[u8]>, StoreError> {
        match self.reader.page(hash, self.caches)? {
            PageLookup::Found(page) => Ok(page),
            PageLookup::Absent | PageLookup::DamagedBlock(_) => Err(StoreError::DamagedPage(hash)),
        }
    }
}
