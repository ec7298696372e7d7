//! Compaction: the live entries are written to a new database, which takes the place of the old
//! one by a rename.
//!
//! Compared with shrinking the database in place this gives B-trees that are filled in order, drops
//! dead stretches of the log, and a crash at any instant leaves the old database or the new one.
//! Every entry is checked on the way, so this is also how a damaged database is mended.

use std::fs::{self, File};
use std::path::Path;

use redb::{ReadableTable, WriteTransaction};

use crate::block::BlockWriter;
use crate::damage::{Suspects, contain, discard};
use crate::link::{begin, create_tables, put_meta};
use crate::lock::{WriteRight, remove_if_there};
use crate::log::Appender;
use crate::merkle::PageHash;
use crate::reader::{Caches, Reader};
use crate::tables::{
    FACTS, FactsAt, LOG, META_EPOCH, NAMES, PAGES, PageAt, SNAPSHOTS, Stretch, TableOf, unseal,
};
use crate::{Store, StoreError};

impl Store {
    /// Rewrites the database so that it takes the least space, and holds sound entries only. Needs
    /// as much free space as the result. Others go on reading; those who want to write wait.
    pub fn compact(&self) -> Result<(), StoreError> {
        let _change = self.change();
        let right = self.right()?;
        self.compact_with(&right)
    }

    pub(crate) fn compact_with(&self, right: &WriteRight) -> Result<(), StoreError> {
        let reading = self.noting(|notices| self.connector.read(Some(right), notices))?;
        let (reader, epoch) = reading.reader();
        let copied = contain(|| self.copy(reader, epoch));
        discard(reading);
        match copied {
            Err(StoreError::Damaged(reason)) => {
                remove_if_there(&self.connector.replacement())?;
                self.replace_damaged_with(right, epoch, reason)
            }
            Err(error) => {
                // What was written so far takes up space and is of no use.
                remove_if_there(&self.connector.replacement())?;
                Err(error)
            }
            Ok(()) => {
                // It would wait for itself.
                self.release();
                let lock = self.connector.alone(right)?;
                fs::rename(self.connector.replacement(), self.connector.database())?;
                sync_folder(&self.connector.folder);
                drop(lock);
                *self.suspects() = Suspects::default();
                Ok(())
            }
        }
    }

    /// Copies the state that is read; nobody may write meanwhile.
    fn copy(&self, reader: &Reader, epoch: u64) -> Result<(), StoreError> {
        let path = self.connector.replacement();
        remove_if_there(&path)?;
        let medium = &self.connector.medium;
        let mut new = medium.open_write(&path, self.connector.cache_bytes)?;
        let transaction = begin(&new)?;
        create_tables(&transaction)?;
        let n_lost = copy_table(&reader.snapshots, SNAPSHOTS, &transaction)?
            + copy_table(&reader.names, NAMES, &transaction)?
            + copy_bulk(reader, &self.caches, &transaction)?;
        if n_lost > 0 || !self.is_sound() {
            put_meta(&transaction, META_EPOCH, epoch.wrapping_add(1))?;
        }
        transaction.commit()?;
        // It grew by doubling: this moves the few pages at its end to the front, and cuts it.
        new.compact()?;
        Ok(())
    }
}

/// Makes the rename durable where the system can; without it the old database comes back after a
/// power loss, which is sound too.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Copies sealed values; gives how many were damaged and left behind.
fn copy_table(
    from: &impl ReadableTable<&'static [u8], &'static [u8]>,
    to: TableOf<&'static [u8]>,
    transaction: &WriteTransaction,
) -> Result<u64, StoreError> {
    let mut n_lost = 0;
    let mut to = transaction.open_table(to)?;
    for entry in from.iter()? {
        let (key, value) = entry?;
        if unseal(key.value(), value.value()).is_some() {
            to.insert(key.value(), value.value())?;
        } else {
            n_lost += 1;
        }
    }
    Ok(n_lost)
}

/// A page in a block.
struct Content {
    hash: [u8; 16],
    index: u8,
}

/// Copies the live part of the log, in its order, and the locators; gives how many entries were
/// damaged and left behind.
fn copy_bulk(
    reader: &Reader,
    caches: &Caches,
    transaction: &WriteTransaction,
) -> Result<u64, StoreError> {
    let live = live_stretches(reader)?;
    let mut pages = PageCopier::new()?;
    let mut log = transaction.open_table(LOG)?;
    let mut log = Appender::new(&mut log)?;
    for contents in live.chunk_by(|(a, _), (b, _)| a == b) {
        let (stretch, _) = contents[0];
        let Some(bytes) = reader.stretch(stretch)? else {
            continue;
        };
        let Some(block) = caches.decode(&bytes) else {
            continue;
        };
        let sound: Vec<(u8, [u8; 16])> = contents
            .iter()
            .map(|(_, content)| (content.index, content.hash))
            .filter(|(index, hash)| {
                let page = block.page(*index);
                page.is_some_and(|page| PageHash::of(page).as_bytes() == hash)
            })
            .collect();
        if block.n_pages() == sound.len() {
            pages.add_block(log.append(&bytes)?, sound);
            continue;
        }
        for (index, hash) in sound {
            if let Some(page) = block.page(index) {
                pages.add_page(hash, page, &mut log)?;
            }
        }
    }
    pages.close(&mut log)?;
    log.finish()?;

    let mut n_lost = live.len() - pages.placed.len();
    pages.placed.sort_unstable();
    let mut table = transaction.open_table(PAGES)?;
    for (hash, at) in &pages.placed {
        table.insert(hash, &at.to_bytes())?;
    }
    let mut table = transaction.open_table(FACTS)?;
    for entry in reader.facts.iter()? {
        let (key, value) = entry?;
        let is_there = FactsAt::from_bytes(key.value(), value.value()).is_some_and(|at| {
            let placed = &pages.placed;
            placed
                .binary_search_by_key(at.page.as_bytes(), |(hash, _)| *hash)
                .is_ok()
        });
        if is_there {
            table.insert(key.value(), value.value())?;
        } else {
            n_lost += 1;
        }
    }
    Ok(n_lost as u64)
}

/// All that locators name, in the order of the log.
fn live_stretches(reader: &Reader) -> Result<Vec<(Stretch, Content)>, StoreError> {
    let mut live = Vec::new();
    for entry in reader.pages.iter()? {
        let (hash, at) = entry?;
        let at = PageAt::from_bytes(at.value());
        let content = Content {
            hash: *hash.value(),
            index: at.index,
        };
        live.push((at.block, content));
    }
    // Pages of one block in their order, so that what is compressed anew keeps it.
    live.sort_by_key(|(stretch, content)| (*stretch, content.index));
    Ok(live)
}

/// Copies whole blocks, and pages of blocks in which others are dead into new blocks.
struct PageCopier {
    writer: BlockWriter,
    open: Vec<[u8; 16]>,
    placed: Vec<([u8; 16], PageAt)>,
}

impl PageCopier {
    fn new() -> Result<Self, StoreError> {
        Ok(Self {
            writer: BlockWriter::new()?,
            open: Vec::new(),
            placed: Vec::new(),
        })
    }

    fn add_block(&mut self, block: Stretch, pages: impl IntoIterator<Item = (u8, [u8; 16])>) {
        self.placed.extend(
            pages
                .into_iter()
                .map(|(index, hash)| (hash, PageAt { block, index })),
        );
    }

    fn add_page(
        &mut self,
        hash: [u8; 16],
        page: &[u8],
        log: &mut Appender<'_, '_>,
    ) -> Result<(), StoreError> {
        if self.writer.is_full_for(page) {
            self.close(log)?;
        }
        self.writer.push(page);
        self.open.push(hash);
        Ok(())
    }

    fn close(&mut self, log: &mut Appender<'_, '_>) -> Result<(), StoreError> {
        if self.open.is_empty() {
            return Ok(());
        }
        let block = log.append(&self.writer.close())?;
        let pages = std::mem::take(&mut self.open);
        self.add_block(block, (0..=u8::MAX).zip(pages));
        Ok(())
    }
}
