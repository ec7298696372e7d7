//! The record of a snapshot: when it was made and used, and its value.
//!
//! ```text
//! record := created:i64  last-used:i64  block of one page      little endian
//! ```

use crate::StoreError;
use crate::block::{Block, BlockWriter};

/// A snapshot's value and times. Times are whatever the caller counts in; the store has no clock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    /// When it was made.
    pub created: i64,
    /// When it was last used.
    pub last_used: i64,
    /// What the caller keeps of it: roots of maps, statistics.
    pub value: Vec<u8>,
}

pub(crate) fn encode(snapshot: &Snapshot) -> Result<Vec<u8>, StoreError> {
    let mut writer = BlockWriter::new()?;
    writer.push(&snapshot.value);
    let mut record = Vec::new();
    record.extend_from_slice(&snapshot.created.to_le_bytes());
    record.extend_from_slice(&snapshot.last_used.to_le_bytes());
    record.extend_from_slice(&writer.close());
    Ok(record)
}

/// Decodes a record with what decodes its block; `None` if it is none.
pub(crate) fn decode(
    record: &[u8],
    unblock: impl FnOnce(&[u8]) -> Option<Block>,
) -> Option<Snapshot> {
    let (created, rest) = record.split_first_chunk()?;
    let (last_used, block) = rest.split_first_chunk()?;
    Some(Snapshot {
        created: i64::from_le_bytes(*created),
        last_used: i64::from_le_bytes(*last_used),
        value: unblock(block)?.page(0)?.to_vec(),
    })
}

/// Writes another time of last use into a record.
pub(crate) fn touch(record: &mut [u8], last_used: i64) {
    if let Some(bytes) = record.get_mut(8..16) {
        bytes.copy_from_slice(&last_used.to_le_bytes());
    }
}
