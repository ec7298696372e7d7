//! Collection: drops snapshots, then what none of the others reaches, then compacts.

use std::collections::{BTreeSet, HashSet};

use crate::damage::contain;
use crate::keys::SnapshotKey;
use crate::link::{Writing, begin, put_meta};
use crate::merkle::{MapRoot, PageHash, PageSource, Walk, walk_pages};
use crate::reader::{Caches, Reader, ReaderPages};
use crate::stats::of_reader;
use crate::store::snapshots;
use crate::tables::{FACTS, FactsAt, META_EPOCH, PAGES, SNAPSHOTS};
use crate::{FactsKey, Notice, Snapshot, Stats, Store, StoreError};

/// Whether something stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retain {
    /// It stays.
    Keep,
    /// It goes.
    Drop,
}

/// What stays in a store, said by whoever knows what snapshots are. It is asked while the store is
/// locked, so that nothing comes in between, and must not access the store itself.
pub trait Retention {
    /// Whether a snapshot stays.
    fn snapshot(&mut self, key: &SnapshotKey, snapshot: &Snapshot) -> Retain;

    /// The maps of a snapshot.
    fn roots(&mut self, value: &[u8]) -> Vec<MapRoot>;

    /// Names the facts that a snapshot that stays needs.
    fn facts(
        &mut self,
        value: &[u8],
        pages: &dyn PageSource,
        each: &mut dyn FnMut(&FactsKey),
    ) -> Result<(), StoreError>;
}

/// What a collection did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Collected {
    /// Sizes before.
    pub before: Stats,
    /// Sizes after.
    pub after: Stats,
}

impl Store {
    /// Drops the snapshots that do not stay, then all pages and facts that the others do not need,
    /// and rewrites the database if a tenth of it or more is then unused. Batches that were begun
    /// before are stale afterwards. A snapshot with damaged pages is dropped with a notice.
    pub fn gc(&self, retention: &mut dyn Retention) -> Result<Collected, StoreError> {
        let before = self.stats()?;
        let mut link = self.write_link();
        let writing = self.writing(&mut link)?;
        let epoch = writing.epoch;
        match contain(|| collect(writing, &self.caches, retention)) {
            Ok((left, notices)) => {
                self.notices().extend(notices);
                if before.disk_bytes > (left / 10 * 11).max(SMALL_FILE) {
                    self.compact_link(&mut link)?;
                }
            }
            Err(StoreError::Damaged(reason)) => self.replace_damaged(&mut link, epoch, reason)?,
            Err(error) => {
                link.close();
                return Err(error);
            }
        }
        drop(link);
        let after = self.stats()?;
        Ok(Collected { before, after })
    }
}

/// A file of this size is never worth rewriting.
const SMALL_FILE: u64 = 256 << 10;

/// Gives the bytes of what is left.
fn collect(
    writing: &mut Writing,
    caches: &Caches,
    retention: &mut dyn Retention,
) -> Result<(u64, Vec<Notice>), StoreError> {
    let mut live = Live::default();
    live.mark(writing.reader()?, caches, retention)?;
    writing.reader = None;
    let transaction = begin(&writing.database)?;
    let mut n_dropped = 0u64;
    let mut count = |stays: bool| {
        n_dropped += u64::from(!stays);
        stays
    };
    transaction
        .open_table(SNAPSHOTS)?
        .retain(|key, _| count(live.snapshots.contains(key)))?;
    transaction
        .open_table(PAGES)?
        .retain(|hash, _| count(live.pages.contains(&PageHash::from_bytes(*hash))))?;
    transaction
        .open_table(FACTS)?
        .retain(|key, _| count(live.facts.contains(key)))?;
    if n_dropped == 0 {
        transaction.abort()?;
    } else {
        let epoch = writing.epoch.wrapping_add(1);
        put_meta(&transaction, META_EPOCH, epoch)?;
        transaction.commit()?;
        writing.epoch = epoch;
    }
    let left = of_reader(writing.reader()?)?;
    Ok((left.payload_bytes(), live.notices))
}

#[derive(Default)]
struct Live {
    snapshots: BTreeSet<Vec<u8>>,
    pages: HashSet<PageHash>,
    facts: HashSet<Vec<u8>>,
    notices: Vec<Notice>,
}

impl Live {
    fn mark(
        &mut self,
        reader: &Reader,
        caches: &Caches,
        retention: &mut dyn Retention,
    ) -> Result<(), StoreError> {
        let pages = ReaderPages { reader, caches };
        for (key, snapshot) in snapshots(reader, caches)? {
            if retention.snapshot(&key, &snapshot) == Retain::Drop {
                continue;
            }
            match self.mark_snapshot(&snapshot.value, &pages, retention) {
                Ok(()) => {
                    self.snapshots.insert(key.to_bytes());
                }
                Err(StoreError::DamagedPage(_)) => self.notices.push(Notice::DroppedEntry {
                    kind: "snapshot".to_owned(),
                }),
                Err(error) => return Err(error),
            }
        }
        // Facts are pages as well.
        for key in &self.facts {
            if let Some(at) = reader.facts.get(key.as_slice())? {
                self.pages
                    .extend(FactsAt::from_bytes(key, at.value()).map(|at| at.page));
            }
        }
        Ok(())
    }

    fn mark_snapshot(
        &mut self,
        value: &[u8],
        pages: &ReaderPages<'_>,
        retention: &mut dyn Retention,
    ) -> Result<(), StoreError> {
        // Pages count as visited only when everything below them was: a walk may fail half-way.
        let mut visited = HashSet::new();
        for root in retention.roots(value) {
            walk_pages(root, pages, &mut |hash| {
                if !self.pages.contains(&hash) && visited.insert(hash) {
                    Walk::Enter
                } else {
                    Walk::Skip
                }
            })?;
        }
        let mut facts = Vec::new();
        retention.facts(value, pages, &mut |key| facts.push(key.to_bytes()))?;
        self.pages.extend(visited);
        self.facts.extend(facts);
        Ok(())
    }
}
