//! Collection: drops snapshots, then what none of the others reaches, then compacts.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use redb::{ReadableTable, ReadableTableMetadata};

use crate::damage::{contain, discard};
use crate::keys::SnapshotKey;
use crate::link::{begin, put_meta};
use crate::lock::{AnswerLock, Patience, WriteRight};
use crate::merkle::{MapRoot, PageHash, PageSource, Walk, walk_pages};
use crate::reader::{Caches, Reader, ReaderPages, meta};
use crate::stats::of_reader;
use crate::store::snapshots;
use crate::tables::{
    FACTS, FactsAt, META, META_EPOCH, META_KEPT, META_KEPT_BYTES, PAGES, PageAt, SNAPSHOTS,
};
use crate::{FactsKey, Notice, Snapshot, Stats, Store, StoreError};

/// Whether something stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retain {
    /// It stays, and goes last where there is no room for all.
    Prefer,
    /// It stays if there is room; those that were used last come first.
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
    ///
    /// What stays takes `room` bytes at most, about; but one snapshot always stays of those that may.
    pub fn gc(
        &self,
        retention: &mut dyn Retention,
        room: Option<u64>,
    ) -> Result<Collected, StoreError> {
        let before = self.stats()?;
        // This answer ends here: it would wait for itself.
        self.end_answer();
        let mut patience = self.connector.patience();
        // Under a hold nobody can be let through, so that there is one attempt.
        let is_single = self.held().is_some();
        while self.try_gc(retention, room)? == Attempt::Read {
            if is_single || !patience.wait() {
                self.notices().push(Notice::CollectionDeferred);
                break;
            }
        }
        let after = self.stats()?;
        Ok(Collected { before, after })
    }

    /// Collects, unless others are in the middle of answers all the time. The right to write is given back in any case,
    /// as they may need it to end.
    fn try_gc(
        &self,
        retention: &mut dyn Retention,
        room: Option<u64>,
    ) -> Result<Attempt, StoreError> {
        let _change = self.change();
        let right = self.right()?;
        let reading = self.noting(|notices| self.connector.read(Some(&right), notices))?;
        let (reader, epoch) = reading.reader();
        let marked = contain(|| {
            let live = Live::mark(reader, &self.caches, retention, room)?;
            let all = [
                reader.snapshots.len()?,
                reader.pages.len()?,
                reader.facts.len()?,
            ];
            let noted = meta(&reader.names, META_KEPT).unwrap_or(u64::MAX);
            Ok((live, all, noted))
        });
        discard(reading);
        let swept = marked.and_then(|(live, all, noted)| {
            if live.lens() != all || noted != live.snapshots.len() as u64 {
                let window = Patience::new(ANSWER_WINDOW);
                let Some(_alone) = AnswerLock::alone(self.folder(), &window)? else {
                    return Ok(None);
                };
                self.sweep(&right, &live, all)?;
            }
            Ok(Some(live))
        });
        match swept {
            Ok(None) => return Ok(Attempt::Read),
            Ok(Some(live)) => {
                self.notices().extend(live.notices);
                let Stats { disk_bytes, .. } = self.file_stats()?;
                if disk_bytes > SMALL_FILE {
                    let reading =
                        self.noting(|notices| self.connector.read(Some(&right), notices))?;
                    let left = contain(|| of_reader(reading.reader().0));
                    discard(reading);
                    if disk_bytes > left?.payload_bytes() / 10 * 11 {
                        self.compact_with(&right)?;
                    }
                }
            }
            Err(StoreError::Damaged(reason)) => {
                self.replace_damaged_with(&right, epoch, reason)?;
            }
            Err(error) => return Err(error),
        }
        Ok(Attempt::Done)
    }

    /// Whether there are this many snapshots more than after the last collection (0: never), or the
    /// file is larger than this although another collection could change it.
    pub fn is_gc_due(&self, n_new: u64, max_bytes: Option<u64>) -> Result<bool, StoreError> {
        let number = |name| -> Result<u64, StoreError> {
            let bytes = self
                .name(META, name)?
                .and_then(|bytes| bytes.try_into().ok());
            Ok(bytes.map_or(0, u64::from_le_bytes))
        };
        let n_snapshots = self.read(|reader| Ok(reader.snapshots.len()?))?;
        let n_snapshots = n_snapshots.unwrap_or(0);
        if n_new > 0 && n_snapshots >= number(META_KEPT)?.saturating_add(n_new) {
            return Ok(true);
        }
        let Some(max_bytes) = max_bytes else {
            return Ok(false);
        };
        // What was left over after the last collection would be left over again.
        let retained = number(META_KEPT_BYTES)?;
        let bytes = self.file_stats()?.disk_bytes;
        Ok(bytes > max_bytes.max(retained.saturating_add(retained / 4)))
    }

    /// Drops what is not live of all entries, alone, and notes what stays.
    fn sweep(&self, right: &WriteRight, live: &Live, all: [u64; 3]) -> Result<(), StoreError> {
        // It would wait for itself.
        self.release();
        let (writing, lock) = self.noting(|notices| self.connector.write(right, notices))?;
        let swept = contain(|| {
            let transaction = begin(&writing.database)?;
            put_meta(&transaction, META_KEPT, live.snapshots.len() as u64)?;
            put_meta(&transaction, META_KEPT_BYTES, live.bytes)?;
            if live.lens() != all {
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
            }
            transaction.commit()?;
            Ok(())
        });
        discard((writing, lock));
        swept
    }
}

/// What became of an attempt to collect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Done,
    /// Nothing was dropped, as somebody was reading.
    Read,
}

/// How long those who begin an answer wait at most for those who are in the middle of one.
const ANSWER_WINDOW: Duration = Duration::from_millis(200);

/// A file of this size is never worth rewriting.
const SMALL_FILE: u64 = 256 << 10;

/// What stays.
#[derive(Default)]
struct Live {
    snapshots: BTreeSet<Vec<u8>>,
    pages: HashSet<PageHash>,
    facts: HashSet<Vec<u8>>,
    /// What the pages and facts take, about.
    bytes: u64,
    notices: Vec<Notice>,
}

impl Live {
    fn mark(
        reader: &Reader,
        caches: &Caches,
        retention: &mut dyn Retention,
        room: Option<u64>,
    ) -> Result<Self, StoreError> {
        let mut live = Self::default();
        let pages = ReaderPages { reader, caches };
        let shares = Shares::new(reader)?;
        let mut candidates = Vec::new();
        for (key, snapshot) in snapshots(reader, caches)? {
            let rank = match retention.snapshot(&key, &snapshot) {
                Retain::Prefer => 0,
                Retain::Keep => 1,
                Retain::Drop => continue,
            };
            candidates.push((rank, Reverse(snapshot.last_used), key, snapshot));
        }
        candidates.sort_by_key(|&(rank, used, key, _)| (rank, used, key));
        for (_, _, key, snapshot) in candidates {
            match Reach::of(&live, &snapshot.value, &pages, retention) {
                Ok(reach) => {
                    let bytes = live.bytes + shares.bytes_of(&reach, reader)?;
                    if !live.snapshots.is_empty() && room.is_some_and(|room| bytes > room) {
                        break;
                    }
                    live.bytes = bytes;
                    live.pages.extend(reach.pages);
                    live.facts.extend(reach.facts);
                    live.snapshots.insert(key.to_bytes());
                }
                Err(StoreError::DamagedPage(_)) => live.notices.push(Notice::DroppedEntry {
                    kind: "snapshot".to_owned(),
                }),
                Err(error) => return Err(error),
            }
        }
        Ok(live)
    }

    /// How many snapshots, pages and facts it has.
    fn lens(&self) -> [u64; 3] {
        [self.snapshots.len(), self.pages.len(), self.facts.len()].map(|n| n as u64)
    }
}

/// What one snapshot reaches that is not live yet. Facts are pages as well.
#[derive(Default)]
struct Reach {
    pages: HashSet<PageHash>,
    facts: Vec<Vec<u8>>,
}

impl Reach {
    fn of(
        live: &Live,
        value: &[u8],
        pages: &ReaderPages<'_>,
        retention: &mut dyn Retention,
    ) -> Result<Self, StoreError> {
        let mut reach = Self::default();
        for root in retention.roots(value) {
            walk_pages(root, pages, &mut |hash| {
                if !live.pages.contains(&hash) && reach.pages.insert(hash) {
                    Walk::Enter
                } else {
                    Walk::Skip
                }
            })?;
        }
        let mut wanted = BTreeSet::new();
        retention.facts(value, pages, &mut |key| {
            let key = key.to_bytes();
            if !live.facts.contains(&key) {
                wanted.insert(key);
            }
        })?;
        for key in wanted {
            let at = pages.reader.facts.get(key.as_slice())?;
            if let Some(at) = at.and_then(|at| FactsAt::from_bytes(&key, at.value())) {
                if !live.pages.contains(&at.page) {
                    reach.pages.insert(at.page);
                }
                reach.facts.push(key);
            }
        }
        Ok(reach)
    }
}

/// How many pages share each block, by its offset.
struct Shares(HashMap<u64, u64>);

impl Shares {
    fn new(reader: &Reader) -> Result<Self, StoreError> {
        let mut shares = HashMap::new();
        for entry in reader.pages.iter()? {
            let (_, at) = entry?;
            let block = PageAt::from_bytes(at.value()).block;
            *shares.entry(block.offset).or_default() += 1;
        }
        Ok(Self(shares))
    }

    /// What pages take in their blocks, if all pages of a block were of a size.
    fn bytes_of(&self, reach: &Reach, reader: &Reader) -> Result<u64, StoreError> {
        let mut bytes = 0;
        // By hash, as the table of pages has them.
        let mut pages: Vec<PageHash> = reach.pages.iter().copied().collect();
        pages.sort_unstable();
        for hash in pages {
            if let Some(PageAt { block, .. }) = reader.page_at(hash)? {
                let n_pages = self.0.get(&block.offset).copied().unwrap_or(1);
                bytes += u64::from(block.len).div_ceil(n_pages);
            }
        }
        Ok(bytes)
    }
}
