//! The log: one sequence of bytes, cut into chunks that fill redb's pages to the last few bytes.

use redb::{ReadableTable, Table};

use crate::StoreError;
use crate::tables::Stretch;

/// A chunk with its key and the header of its B-tree leaf takes exactly four 4 KiB pages.
pub(crate) const CHUNK_BYTES: usize = 4 * 4096 - 16;

/// The length of the log in bytes.
pub(crate) fn len(log: &impl ReadableTable<u64, &'static [u8]>) -> Result<u64, StoreError> {
    let last = log.last()?;
    Ok(last.map_or(0, |(chunk, bytes)| {
        let before = chunk.value().saturating_mul(CHUNK_BYTES as u64);
        before.saturating_add(bytes.value().len() as u64)
    }))
}

/// Reads a stretch; `None` if the log, `log_len` bytes long, does not hold it.
pub(crate) fn read(
    log: &impl ReadableTable<u64, &'static [u8]>,
    log_len: u64,
    stretch: Stretch,
) -> Result<Option<Vec<u8>>, StoreError> {
    let Some(end) = stretch.offset.checked_add(u64::from(stretch.len)) else {
        return Ok(None);
    };
    if end > log_len {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(stretch.len as usize);
    let mut at = stretch.offset;
    while at < end {
        let start = (at % CHUNK_BYTES as u64) as usize;
        let Some(chunk) = log.get(at / CHUNK_BYTES as u64)? else {
            return Ok(None);
        };
        let wanted = ((end - at) as usize).min(CHUNK_BYTES - start);
        let Some(part) = chunk.value().get(start..start + wanted) else {
            return Ok(None);
        };
        bytes.extend_from_slice(part);
        at += wanted as u64;
    }
    Ok(Some(bytes))
}

/// Appends to the log of an open write transaction.
pub(crate) struct Appender<'t, 'txn> {
    table: &'t mut Table<'txn, u64, &'static [u8]>,
    chunk: u64,
    tail: Vec<u8>,
}

impl<'t, 'txn> Appender<'t, 'txn> {
    pub(crate) fn new(table: &'t mut Table<'txn, u64, &'static [u8]>) -> Result<Self, StoreError> {
        let last = table
            .last()?
            .map(|(chunk, bytes)| (chunk.value(), bytes.value().to_vec()));
        let (chunk, tail) = match last {
            None => (0, Vec::new()),
            Some((chunk, tail)) if tail.len() < CHUNK_BYTES => (chunk, tail),
            Some((chunk, _)) => (next(chunk)?, Vec::new()),
        };
        Ok(Self { table, chunk, tail })
    }

    pub(crate) fn append(&mut self, mut bytes: &[u8]) -> Result<Stretch, StoreError> {
        let stretch = Stretch {
            offset: self.chunk * CHUNK_BYTES as u64 + self.tail.len() as u64,
            len: u32::try_from(bytes.len())
                .map_err(|_| StoreError::InvalidChange("a value is larger than 4 GiB"))?,
        };
        while !bytes.is_empty() {
            let (head, rest) = bytes.split_at(bytes.len().min(CHUNK_BYTES - self.tail.len()));
            self.tail.extend_from_slice(head);
            bytes = rest;
            if self.tail.len() == CHUNK_BYTES {
                self.table.insert(self.chunk, self.tail.as_slice())?;
                self.chunk = next(self.chunk)?;
                self.tail.clear();
            }
        }
        Ok(stretch)
    }

    pub(crate) fn finish(self) -> Result<(), StoreError> {
        if !self.tail.is_empty() {
            self.table.insert(self.chunk, self.tail.as_slice())?;
        }
        Ok(())
    }
}

/// A damaged number of the last chunk must not overflow the offsets that follow from it.
fn next(chunk: u64) -> Result<u64, StoreError> {
    if chunk < 1 << 32 {
        Ok(chunk + 1)
    } else {
        Err(StoreError::Damaged(format!("chunk {chunk} in the log")))
    }
}
