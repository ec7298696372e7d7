//! How large the store is, and what of.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use redb::{ReadableTable, ReadableTableMetadata};

use crate::merkle::PageHash;
use crate::reader::Reader;
use crate::tables::{FactsAt, PageAt};
use crate::{Store, StoreError};

/// Number and size of the entries of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// How many there are.
    pub entries: u64,
    /// Bytes of their values as they are stored, compressed.
    pub bytes: u64,
}

/// Sizes of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stats {
    /// The length of the database file. It grows by doubling, with a hole at its end.
    pub file_bytes: u64,
    /// What the file takes on the disk, without holes, where the system tells; else its length.
    pub disk_bytes: u64,
    /// The log of facts and pages; what exceeds their sizes is waiting to be collected.
    pub log_bytes: u64,
    /// Facts of texts.
    pub facts: Usage,
    /// Pages of maps; the bytes are those of the blocks that they share.
    pub pages: Usage,
    /// Snapshots.
    pub snapshots: Usage,
    /// Named values.
    pub names: Usage,
}

impl Stats {
    /// Bytes of everything that is stored, without the overhead of storing it.
    pub fn payload_bytes(&self) -> u64 {
        self.facts.bytes + self.pages.bytes + self.snapshots.bytes + self.names.bytes
    }
}

impl Store {
    /// Counts what is in the store. Reads all locators, no values.
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let stats = self.read(of_reader)?.unwrap_or_default();
        let file = self.file_stats()?;
        Ok(Stats {
            file_bytes: file.file_bytes,
            disk_bytes: file.disk_bytes,
            ..stats
        })
    }

    /// The sizes of the file alone.
    pub(crate) fn file_stats(&self) -> Result<Stats, StoreError> {
        let file = fs::metadata(self.connector.database())?;
        Ok(Stats {
            file_bytes: file.len(),
            disk_bytes: disk_bytes(&file),
            ..Stats::default()
        })
    }
}

#[cfg(unix)]
fn disk_bytes(file: &fs::Metadata) -> u64 {
    // In units of 512 bytes, whatever the blocks of the file system are (POSIX, <sys/stat.h>).
    std::os::unix::fs::MetadataExt::blocks(file) * 512
}

#[cfg(not(unix))]
fn disk_bytes(file: &fs::Metadata) -> u64 {
    file.len()
}

/// Everything but the sizes of the file.
pub(crate) fn of_reader(reader: &Reader) -> Result<Stats, StoreError> {
    let mut stats = Stats {
        log_bytes: reader.log_len,
        ..Stats::default()
    };
    let mut of_facts = HashSet::new();
    for entry in reader.facts.iter()? {
        let (key, at) = entry?;
        stats.facts.entries += 1;
        of_facts.extend(FactsAt::from_bytes(key.value(), at.value()).map(|at| at.page));
    }
    // A block holds facts or pages, but for what a compaction brought together.
    let mut blocks = BTreeMap::new();
    for entry in reader.pages.iter()? {
        let (hash, at) = entry?;
        let is_facts = of_facts.contains(&PageHash::from_bytes(*hash.value()));
        stats.pages.entries += u64::from(!is_facts);
        let block = PageAt::from_bytes(at.value()).block;
        blocks.insert(block.offset, (u64::from(block.len), is_facts));
    }
    let bytes = |facts: bool| {
        blocks
            .values()
            .filter(|(_, is)| *is == facts)
            .map(|(len, _)| len)
            .sum()
    };
    stats.facts.bytes = bytes(true);
    stats.pages.bytes = bytes(false);
    stats.snapshots = Usage {
        entries: reader.snapshots.len()?,
        bytes: reader.snapshots.stats()?.stored_bytes(),
    };
    stats.names = Usage {
        entries: reader.names.len()?,
        bytes: reader.names.stats()?.stored_bytes(),
    };
    Ok(stats)
}
