//! Blocks: neighboring pages compressed together, as one page alone compresses badly.
//!
//! ```text
//! block := codec:u8  count:u8  { page-length }  payload      payload: the pages, one after another
//! ```

use std::io;

use zstd::bulk::{Compressor, Decompressor};

use crate::number::{put_number, take_number};

/// A block is closed when its pages reach this size: larger ones compress better, smaller ones are
/// read faster.
pub(crate) const BLOCK_BYTES: usize = 40 * 1024;
/// The same for facts: each is read once at most, so that only their size counts.
const FACTS_BLOCK_BYTES: usize = 128 * 1024;
const MAX_PAGES: usize = 255;
/// No block of this size is ever written, except for one page that is larger by itself.
const MAX_BYTES: u64 = 1 << 28;

const STORED: u8 = 0;
const ZSTD: u8 = 1;
const LEVEL: i32 = 6;

/// The pages of a block, uncompressed.
#[derive(Debug)]
pub(crate) struct Block {
    payload: Vec<u8>,
    ends: Vec<usize>,
}

impl Block {
    /// The page at an index.
    pub(crate) fn page(&self, index: u8) -> Option<&[u8]> {
        let index = usize::from(index);
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.payload.get(start..end)
    }

    pub(crate) fn n_pages(&self) -> usize {
        self.ends.len()
    }

    /// About what it takes in memory.
    pub(crate) fn n_bytes(&self) -> usize {
        self.payload.len() + 8 * self.ends.len() + 64
    }
}

/// Collects pages into blocks.
pub(crate) struct BlockWriter {
    compressor: Compressor<'static>,
    payload: Vec<u8>,
    ends: Vec<usize>,
    target: usize,
}

impl BlockWriter {
    /// For pages of maps.
    pub(crate) fn new() -> io::Result<Self> {
        Self::with(BLOCK_BYTES)
    }

    /// For facts.
    pub(crate) fn for_facts() -> io::Result<Self> {
        Self::with(FACTS_BLOCK_BYTES)
    }

    fn with(target: usize) -> io::Result<Self> {
        Ok(Self {
            compressor: Compressor::new(LEVEL)?,
            target,
            payload: Vec::with_capacity(target),
            ends: Vec::new(),
        })
    }

    /// Whether the block is closed before a page of this size.
    pub(crate) fn is_full_for(&self, page: &[u8]) -> bool {
        !self.ends.is_empty()
            && (self.payload.len() + page.len() > self.target || self.ends.len() == MAX_PAGES)
    }

    /// Adds a page and gives its index.
    pub(crate) fn push(&mut self, page: &[u8]) -> u8 {
        let index = self.ends.len();
        self.payload.extend_from_slice(page);
        self.ends.push(self.payload.len());
        index as u8
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The pages that are not yet in a closed block.
    pub(crate) fn open_page(&self, index: u8) -> Option<&[u8]> {
        let index = usize::from(index);
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.payload.get(start..end)
    }

    /// Closes the block: its bytes as they are stored.
    pub(crate) fn close(&mut self) -> Vec<u8> {
        let compressed = self.compressor.compress(&self.payload);
        let (codec, payload) = match &compressed {
            Ok(compressed) if compressed.len() < self.payload.len() => (ZSTD, compressed),
            _ => (STORED, &self.payload),
        };
        let mut block = vec![codec, self.ends.len() as u8];
        let mut start = 0;
        for end in self.ends.drain(..) {
            put_number(&mut block, (end - start) as u64);
            start = end;
        }
        block.extend_from_slice(payload);
        self.payload.clear();
        block
    }
}

/// Decodes a block; `None` if it is none. What is in the pages is for their hashes to say.
pub(crate) fn decode(stored: &[u8], decompressor: &mut Decompressor<'_>) -> Option<Block> {
    let (&[codec, count], mut rest) = stored.split_first_chunk()?;
    let mut total = 0u64;
    let mut ends = Vec::with_capacity(usize::from(count));
    for _ in 0..count {
        total = total.checked_add(take_number(&mut rest)?)?;
        ends.push(usize::try_from(total).ok()?);
    }
    if count > 1 && total > MAX_BYTES {
        return None;
    }
    let total = usize::try_from(total).ok()?;
    let payload = match codec {
        STORED => rest.to_vec(),
        ZSTD => decompressor.decompress(rest, total).ok()?,
        _ => return None,
    };
    (payload.len() == total).then_some(Block { payload, ends })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_back_whether_compressed_or_not() {
        let mut writer = BlockWriter::new().expect("memory");
        let mut decompressor = Decompressor::new().expect("memory");
        for pages in [
            vec![vec![1; 4000], Vec::new(), vec![2; 300]],
            vec![cortex_model::Hash::of(b"noise").as_bytes().to_vec()],
        ] {
            for page in &pages {
                assert!(!writer.is_full_for(page));
                writer.push(page);
            }
            let stored = writer.close();
            let block = decode(&stored, &mut decompressor).expect("a block");
            assert_eq!(block.n_pages(), pages.len());
            for (index, page) in pages.iter().enumerate() {
                assert_eq!(block.page(index as u8), Some(page.as_slice()));
            }
            assert_eq!(block.page(200), None);
        }
    }

    #[test]
    fn cut_or_changed_blocks_are_refused_or_differ_but_never_panic() {
        let mut writer = BlockWriter::new().expect("memory");
        let mut decompressor = Decompressor::new().expect("memory");
        for n in 0..20u8 {
            writer.push(&vec![n; 100 + usize::from(n)]);
        }
        let stored = writer.close();
        for len in 0..stored.len() {
            assert!(decode(&stored[..len], &mut decompressor).is_none());
        }
        for bit in 0..8 * stored.len() {
            let mut changed = stored.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            if let Some(block) = decode(&changed, &mut decompressor) {
                (0..=255).for_each(|index| {
                    block.page(index);
                });
            }
        }
    }
}
