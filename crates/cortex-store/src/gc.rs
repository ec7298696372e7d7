//! Collection: drops snapshots, then what none of the others reaches, then compacts.

use std::collections::{BTreeSet, HashSet};

use redb::ReadableTableMetadata;

use crate::damage::{contain, discard};
use crate::keys::SnapshotKey;
use crate::link::{begin, put_meta};
use crate::lock::WriteRight;
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

/// What stays in a store, said by whoever knows what snapshots are. It is asked while nobody else may
/// write, so that nothing comes in between, and must not access the store itself.
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
    /// and rewrites the database if a tenth of it or more is then unused. Others go on reading but for
    /// the moment of dropping; those who want to write wait. Batches that were begun
    /// before are stale afterwards. A snapshot with damaged pages is dropped with a notice.
    pub fn gc(&self, retention: &mut dyn Retention) -> Result<Collected, StoreError> {
        let before = self.stats()?;
        let right = self.right()?;
        let reading = self.noting(|notices| self.connector.read(Some(&right), notices))?;
        let (reader, epoch) = reading.reader();
        let marked = contain(|| {
            let live = Live::mark(reader, &self.caches, retention)?;
            let all = [
                reader.snapshots.len()?,
                reader.pages.len()?,
                reader.facts.len()?,
            ];
            Ok((live, all))
        });
        discard(reading);
        let swept = marked.and_then(|(live, all)| {
            if live.lens() != all {
                self.sweep(&right, &live)?;
            }
            Ok(live)
        });
        match swept {
            Ok(live) => {
                self.notices().extend(live.notices);
                let Stats { disk_bytes, .. } = self.file_stats()?;
                if disk_bytes > SMALL_FILE {
                    let reading =
                        self.noting(|notices| self.connector.read(Some(&right), notices))?;
                    let left = contain(|| of_reader(reading.reader().0));
                    discard(reading);
                    if disk_bytes > left?.payload_bytes() / 10 * 11 {
                        self.compact_with(right)?;
                    }
                }
            }
            Err(StoreError::Damaged(reason)) => {
                drop(right);
                self.replace_damaged(epoch, reason)?;
            }
            Err(error) => return Err(error),
        }
        let after = self.stats()?;
        Ok(Collected { before, after })
    }

    /// Drops what is not live, alone.
    fn sweep(&self, right: &WriteRight, live: &Live) -> Result<(), StoreError> {
        // It would wait for itself.
        self.release();
        let (writing, lock) = self.noting(|notices| self.connector.write(right, notices))?;
        let swept = contain(|| {
            let transaction = begin(&writing.database)?;
            transaction
                .open_table(SNAPSHOTS)?
                .retain(|key, _| live.snapshots.contains(key))?;
            transaction
                .open_table(PAGES)?
                .retain(|hash, _| live.pages.contains(&PageHash::from_bytes(*hash)))?;
            transaction
                .open_table(FACTS)?
                .retain(|key, _| live.facts.contains(key))?;
            put_meta(&transaction, META_EPOCH, writing.epoch.wrapping_add(1))?;
            transaction.commit()?;
            Ok(())
        });
        discard((writing, lock));
        swept
    }
}

/// A file of this size is never worth rewriting.
const SMALL_FILE: u64 = 256 << 10;

#[derive(Default)]
struct Live {
    snapshots: BTreeSet<Vec<u8>>,
    pages: HashSet<PageHash>,
    facts: HashSet<Vec<u8>>,
    notices: Vec<Notice>,
}

impl Live {
    fn mark(
        reader: &Reader,
        caches: &Caches,
        retention: &mut dyn Retention,
    ) -> Result<Self, StoreError> {
        let mut live = Self::default();
        let pages = ReaderPages { reader, caches };
        for (key, snapshot) in snapshots(reader, caches)? {
            if retention.snapshot(&key, &snapshot) == Retain::Drop {
                continue;
            }
            match live.mark_snapshot(&snapshot.value, &pages, retention) {
                Ok(()) => {
                    live.snapshots.insert(key.to_bytes());
                }
                Err(StoreError::DamagedPage(_)) => live.notices.push(Notice::DroppedEntry {
                    kind: "snapshot".to_owned(),
                }),
                Err(error) => return Err(error),
            }
        }
        // Facts are pages as well.
        let mut facts = HashSet::new();
        for key in std::mem::take(&mut live.facts) {
            let at = reader.facts.get(key.as_slice())?;
            let at = at.and_then(|at| FactsAt::from_bytes(&key, at.value()));
            if let Some(at) = at {
                live.pages.insert(at.page);
                facts.insert(key);
            }
        }
        live.facts = facts;
        Ok(live)
    }

    /// How many snapshots, pages and facts it has.
    fn lens(&self) -> [u64; 3] {
        [self.snapshots.len(), self.pages.len(), self.facts.len()].map(|n| n as u64)
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
