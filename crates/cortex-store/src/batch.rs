//! Batches: changes that are collected in memory and committed in one transaction.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redb::{ReadableTable, Table, WriteTransaction};

use crate::block::BlockWriter;
use crate::damage::{contain, discard};
use crate::keys::name_key;
use crate::link::{Writing, begin};
use crate::lock::Patience;
use crate::log::Appender;
use crate::merkle::{self, Change, MapRoot, PageHash, PageSink, PageSource};
use crate::store::Uses;
use crate::tables::{FACTS, FactsAt, LOG, NAMES, PAGES, PageAt, SNAPSHOTS, seal, unseal};
use crate::waiting::InOrder;
use crate::{FactsKey, Snapshot, SnapshotKey, Store, StoreError, snapshot};

/// Changes of a store that become visible together.
///
/// Pages are compressed as they come; memory grows with what is put, so bulk work commits now and
/// then. Dropping a batch without committing it changes nothing.
pub struct Batch<'s> {
    store: &'s Store,
    epoch: u64,
    facts: Vec<(Vec<u8>, Vec<u8>)>,
    deleted_facts: Vec<Vec<u8>>,
    snapshots: BTreeMap<Vec<u8>, SnapshotChange>,
    names: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    pages: Pages,
}

/// Where the pages of a batch are until they are written.
enum Pages {
    /// In the batch, compressed.
    Own(Mutex<StagedPages>),
    /// In the store, with those of other batches.
    Waiting,
}

enum SnapshotChange {
    Put(Vec<u8>),
    Touch(i64),
    Delete,
}

struct StagedPages {
    writer: BlockWriter,
    // Closed blocks as they are stored.
    blocks: Vec<Vec<u8>>,
    // Hash → block, index in it. The block after the last closed one is open.
    places: HashMap<PageHash, (usize, u8)>,
}

impl<'s> Batch<'s> {
    pub(crate) fn new(store: &'s Store, epoch: u64) -> Result<Self, StoreError> {
        let staged = StagedPages::new()?;
        Ok(Self::with(store, epoch, Pages::Own(Mutex::new(staged))))
    }

    pub(crate) fn bulk(store: &'s Store, epoch: u64) -> Self {
        Self::with(store, epoch, Pages::Waiting)
    }

    fn with(store: &'s Store, epoch: u64, pages: Pages) -> Self {
        Self {
            store,
            epoch,
            facts: Vec::new(),
            deleted_facts: Vec::new(),
            snapshots: BTreeMap::new(),
            names: BTreeMap::new(),
            pages,
        }
    }

    /// Takes over what another bulk batch of the same store changes; what both change is as the
    /// other one says. Fails with [`StoreError::Stale`] if the store was collected between them.
    pub fn absorb(&mut self, other: Self) -> Result<(), StoreError> {
        let are_bulk = matches!(
            (&self.pages, &other.pages),
            (Pages::Waiting, Pages::Waiting)
        );
        if !are_bulk || !std::ptr::eq(self.store, other.store) {
            return Err(StoreError::InvalidChange(
                "only bulk batches of one store can be put together",
            ));
        }
        if self.epoch != other.epoch {
            return Err(StoreError::Stale);
        }
        self.facts.extend(other.facts);
        self.deleted_facts.extend(other.deleted_facts);
        self.snapshots.extend(other.snapshots);
        self.names.extend(other.names);
        Ok(())
    }

    /// Says that what is put was made from what the store held in an earlier epoch than the one in
    /// which the batch began.
    pub fn rely_on(&mut self, epoch: u64) {
        self.epoch = epoch;
    }

    /// Puts the facts of texts. Values are compressed together with those put beside them: what is
    /// alike or read together is best put together.
    pub fn put_facts(&mut self, facts: impl IntoIterator<Item = (FactsKey, Vec<u8>)>) {
        let facts = facts.into_iter();
        self.facts
            .extend(facts.map(|(key, value)| (key.to_bytes(), value)));
    }

    /// Deletes the facts of a text. Those that the batch puts stay.
    pub fn delete_facts(&mut self, key: &FactsKey) {
        self.deleted_facts.push(key.to_bytes());
    }

    /// Puts a snapshot.
    pub fn put_snapshot(
        &mut self,
        key: &SnapshotKey,
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        let record = snapshot::encode(snapshot)?;
        self.snapshots
            .insert(key.to_bytes(), SnapshotChange::Put(record));
        Ok(())
    }

    /// Notes when a snapshot was last used; nothing if there is none.
    pub fn touch_snapshot(&mut self, key: &SnapshotKey, last_used: i64) {
        let change = self.snapshots.entry(key.to_bytes());
        let change = change.or_insert(SnapshotChange::Touch(last_used));
        match change {
            SnapshotChange::Put(record) => snapshot::touch(record, last_used),
            SnapshotChange::Touch(time) => *time = last_used,
            SnapshotChange::Delete => {}
        }
    }

    /// Deletes a snapshot. Its pages stay until the store is collected.
    pub fn delete_snapshot(&mut self, key: &SnapshotKey) {
        self.snapshots
            .insert(key.to_bytes(), SnapshotChange::Delete);
    }

    /// Puts a small value under a name. Namespaces contain no NUL.
    pub fn put_name(&mut self, namespace: &str, name: &str, value: &[u8]) {
        self.names
            .insert(name_key(namespace, name), Some(value.to_vec()));
    }

    /// Deletes a named value.
    pub fn delete_name(&mut self, namespace: &str, name: &str) {
        self.names.insert(name_key(namespace, name), None);
    }

    /// The pages of the batch over those of the store: as a source, and as a sink for new ones.
    pub fn pages(&self) -> BatchPages<'_, 's> {
        BatchPages { batch: self }
    }

    /// Changes a map, into this batch ([`merkle::update`]).
    pub fn update_map(&self, root: MapRoot, changes: &[Change]) -> Result<MapRoot, StoreError> {
        merkle::update(root, changes, &self.pages(), &mut self.pages())
    }

    /// Writes everything in one durable transaction, which other processes have to wait for. After
    /// an error the store is as it was before; [`StoreError::Stale`] asks to build the batch again.
    pub fn commit(self) -> Result<(), StoreError> {
        let timeout = self.store.connector.lock_timeout;
        self.commit_within(timeout)
    }

    /// Commits if the locks are to be had within a time.
    pub(crate) fn commit_within(self, timeout: Duration) -> Result<(), StoreError> {
        let store = self.store;
        // Nobody waits while pages are compressed.
        let (pages, waited) = self.close_pages()?;
        let connector = &store.connector;
        let _change = store.change();
        let right = store.right_within(&Patience::new(timeout))?;
        let patience = Patience::new(timeout);
        let (mut writing, lock) =
            store.noting(|notices| connector.write_within(patience, &right, notices))?;
        if writing.epoch != self.epoch && self.relies_on_pages(&pages) {
            // Those of others who have begun anew already stay.
            store.waiting().begin(writing.epoch);
            return Err(StoreError::Stale);
        }
        let epoch = writing.epoch;
        let uses = store.uses().clone();
        let written = contain(|| self.write(&mut writing, &pages, &uses));
        discard((writing, lock));
        match written {
            Ok(()) => {
                store.waiting().remove(&waited);
                store.uses().retain(|key, at| uses.get(key) != Some(at));
                Ok(())
            }
            Err(StoreError::Damaged(reason)) => {
                store.forget_waiting();
                store.replace_damaged_with(&right, epoch, reason)?;
                Err(StoreError::Stale)
            }
            outcome => outcome,
        }
    }

    /// Whether there may be something in it that is of no use without pages of the store.
    fn relies_on_pages(&self, pages: &StagedPages) -> bool {
        let puts = |change: &SnapshotChange| matches!(change, SnapshotChange::Put(_));
        self.snapshots.values().any(puts) || !pages.places.is_empty()
    }

    /// The pages that only the batch has.
    fn staged(&self) -> Option<MutexGuard<'_, StagedPages>> {
        match &self.pages {
            Pages::Own(staged) => Some(staged.lock().unwrap_or_else(PoisonError::into_inner)),
            Pages::Waiting => None,
        }
    }

    /// All pages to write, in closed blocks.
    fn close_pages(&self) -> Result<(StagedPages, InOrder), StoreError> {
        let mut pages = StagedPages::new()?;
        let mut waiting = Vec::new();
        match self.staged() {
            Some(mut staged) => std::mem::swap(&mut pages, &mut staged),
            None => {
                waiting = self.store.waiting().in_order();
                waiting
                    .iter()
                    .for_each(|(hash, page)| pages.push(*hash, page));
            }
        }
        pages.close();
        Ok((pages, waiting))
    }

    fn write(
        &self,
        writing: &mut Writing,
        pages: &StagedPages,
        uses: &Uses,
    ) -> Result<(), StoreError> {
        writing.reader = None;
        let transaction = begin(&writing.database)?;
        self.write_log(&transaction, pages)?;
        self.write_snapshots(&transaction, uses)?;
        let mut names = transaction.open_table(NAMES)?;
        for (key, value) in &self.names {
            match value {
                Some(value) => names.insert(key.as_slice(), seal(key, value).as_slice())?,
                None => names.remove(key.as_slice())?,
            };
        }
        drop(names);
        transaction.commit()?;
        Ok(())
    }

    /// Writes facts and pages.
    fn write_log(
        &self,
        transaction: &WriteTransaction,
        staged: &StagedPages,
    ) -> Result<(), StoreError> {
        let mut facts = transaction.open_table(FACTS)?;
        for key in &self.deleted_facts {
            facts.remove(key.as_slice())?;
        }
        if self.facts.is_empty() && staged.blocks.is_empty() {
            return Ok(());
        }
        let mut log = transaction.open_table(LOG)?;
        let mut log = Appender::new(&mut log)?;
        let mut facts_at = Vec::with_capacity(self.facts.len());
        let mut placed: Vec<(PageHash, PageAt)> = Vec::new();
        let mut writer = BlockWriter::for_facts()?;
        let mut open: Vec<PageHash> = Vec::new();
        for (at, (key, value)) in self.facts.iter().enumerate() {
            let page = PageHash::of(value);
            facts_at.push((key, FactsAt { page }));
            writer.push(value);
            open.push(page);
            let next = self.facts.get(at + 1);
            if next.is_none_or(|(_, next)| writer.is_full_for(next)) {
                let block = log.append(&writer.close())?;
                let places = open.drain(..).zip(0u8..);
                placed.extend(places.map(|(page, index)| (page, PageAt { block, index })));
            }
        }
        let mut blocks = Vec::with_capacity(staged.blocks.len());
        for block in &staged.blocks {
            blocks.push(log.append(block)?);
        }
        log.finish()?;
        // In order, so that the B-trees are filled from the left. Of equal keys the last counts.
        facts_at.sort_by_key(|(key, _)| *key);
        for (key, at) in facts_at {
            facts.insert(key.as_slice(), &at.to_bytes(key))?;
        }
        placed.extend(staged.places.iter().map(|(&hash, &(block, index))| {
            let block = blocks[block];
            (hash, PageAt { block, index })
        }));
        placed.sort_unstable();
        let mut pages = transaction.open_table(PAGES)?;
        for (hash, at) in placed {
            pages.insert(hash.as_bytes(), &at.to_bytes())?;
        }
        Ok(())
    }

    fn write_snapshots(
        &self,
        transaction: &WriteTransaction,
        uses: &Uses,
    ) -> Result<(), StoreError> {
        let mut snapshots = transaction.open_table(SNAPSHOTS)?;
        for (key, last_used) in uses {
            touch(&mut snapshots, key, *last_used)?;
        }
        for (key, change) in &self.snapshots {
            let key = key.as_slice();
            match change {
                SnapshotChange::Put(record) => {
                    snapshots.insert(key, seal(key, record).as_slice())?;
                }
                SnapshotChange::Touch(last_used) => touch(&mut snapshots, key, *last_used)?,
                SnapshotChange::Delete => {
                    snapshots.remove(key)?;
                }
            }
        }
        Ok(())
    }
}

fn touch(
    snapshots: &mut Table<'_, &'static [u8], &'static [u8]>,
    key: &[u8],
    last_used: i64,
) -> Result<(), StoreError> {
    let old = snapshots.get(key)?;
    let old = old.and_then(|old| Some(unseal(key, old.value())?.to_vec()));
    if let Some(mut record) = old {
        snapshot::touch(&mut record, last_used);
        snapshots.insert(key, seal(key, &record).as_slice())?;
    }
    Ok(())
}

impl StagedPages {
    fn new() -> Result<Self, StoreError> {
        Ok(Self {
            writer: BlockWriter::new()?,
            blocks: Vec::new(),
            places: HashMap::new(),
        })
    }

    fn push(&mut self, hash: PageHash, page: &[u8]) {
        if self.writer.is_full_for(page) {
            self.close();
        }
        let index = self.writer.push(page);
        self.places.insert(hash, (self.blocks.len(), index));
    }

    fn close(&mut self) {
        if !self.writer.is_empty() {
            self.blocks.push(self.writer.close());
        }
    }
}

/// The pages of a batch over those of its store.
#[derive(Clone, Copy)]
pub struct BatchPages<'b, 's> {
    batch: &'b Batch<'s>,
}

impl PageSource for BatchPages<'_, '_> {
    fn page(&self, hash: PageHash) -> Result<Arc<[u8]>, StoreError> {
        let Some(staged) = self.batch.staged() else {
            return self.batch.store.page(hash);
        };
        let Some(&(block, index)) = staged.places.get(&hash) else {
            drop(staged);
            return self.batch.store.page(hash);
        };
        let page = match staged.blocks.get(block) {
            None => staged.writer.open_page(index).map(Arc::from),
            Some(stored) => {
                let block = self.batch.store.caches.decode(stored);
                block.and_then(|block| block.page(index).map(Arc::from))
            }
        };
        page.ok_or(StoreError::DamagedPage(hash))
    }
}

impl PageSink for BatchPages<'_, '_> {
    fn put(&mut self, hash: PageHash, bytes: Vec<u8>) {
        let (batch, store) = (self.batch, self.batch.store);
        let is_staged =
            |hash| (batch.staged()).is_some_and(|staged| staged.places.contains_key(&hash));
        // A store that cannot be asked now is asked again by the commit; the page is then there.
        if is_staged(hash) || store.has_page(hash).unwrap_or(false) {
            return;
        }
        match batch.staged() {
            Some(mut staged) if !staged.places.contains_key(&hash) => staged.push(hash, &bytes),
            Some(_) => {}
            // Asked for here alone: what waits for others is not there for a batch of its own.
            None => store.waiting().put(batch.epoch, hash, bytes),
        }
    }
}
