//! Records as bytes that are read in place: a reader unpacks only the blocks of the records that it looks at.
//!
//! Owns: the form. Must not know: what records say. What was cut short is refused.
//!
//! ```text
//! blocks := records:u32 n:u32 { first record, end of the packed block, length unpacked: u32 each } packed blocks
//! block := { where a record ends: u32 } { record }        as it is where both lengths are equal
//! ```

use std::{cell::RefCell, sync::OnceLock};

/// A block has as many bytes as fit, and one record at least.
const BLOCK: usize = 8 << 10;

/// Whether blocks are compressed: what most questions read is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    /// They are as they are read.
    None,
    /// They are compressed, each by itself.
    Fast,
}

/// What is written often is compressed fast.
const LEVEL: i32 = 1;

/// No block is larger unpacked.
const MAX_BLOCK: usize = 64 << 20;

/// Numbers for each block.
const ENTRY: usize = 12;

/// Writes records.
pub(crate) fn encode(
    records: impl IntoIterator<Item = impl AsRef<[u8]>>,
    packing: Packing,
) -> Vec<u8> {
    let mut writer = Writer::new(packing);
    for record in records {
        writer.push(record.as_ref());
    }
    writer.finish()
}

struct Writer {
    packing: Packing,
    n_records: u32,
    /// Of each block: the first record, where it ends, its length unpacked.
    blocks: Vec<[u32; 3]>,
    packed: Vec<u8>,
    first: u32,
    ends: Vec<u32>,
    open: Vec<u8>,
}

impl Writer {
    fn new(packing: Packing) -> Self {
        Self {
            packing,
            n_records: 0,
            blocks: Vec::new(),
            packed: Vec::new(),
            first: 0,
            ends: Vec::new(),
            open: Vec::new(),
        }
    }

    fn push(&mut self, record: &[u8]) {
        if !self.ends.is_empty() && self.open.len() + record.len() > BLOCK {
            self.close();
        }
        self.open.extend_from_slice(record);
        self.ends.push(self.open.len() as u32);
        self.n_records += 1;
    }

    fn close(&mut self) {
        if self.ends.is_empty() {
            return;
        }
        let mut block: Vec<u8> = self.ends.iter().flat_map(|it| it.to_le_bytes()).collect();
        block.extend_from_slice(&self.open);
        let packed = match self.packing {
            Packing::None => None,
            Packing::Fast => zstd::bulk::compress(&block, LEVEL).ok(),
        };
        // What is not shorter is kept as it is: its length says so.
        let packed = packed.filter(|it| it.len() < block.len());
        self.packed
            .extend_from_slice(packed.as_deref().unwrap_or(&block));
        self.blocks
            .push([self.first, self.packed.len() as u32, block.len() as u32]);
        self.first = self.n_records;
        self.ends.clear();
        self.open.clear();
    }

    fn finish(mut self) -> Vec<u8> {
        self.close();
        let mut out = self.n_records.to_le_bytes().to_vec();
        out.extend((self.blocks.len() as u32).to_le_bytes());
        for number in self.blocks.iter().flatten() {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.packed);
        out
    }
}

/// Records that can be read one by one.
pub(crate) struct Blocks {
    bytes: Vec<u8>,
    n_records: u32,
    /// Where the packed blocks begin.
    start: usize,
    unpacked: Vec<OnceLock<Box<[u8]>>>,
}

impl Blocks {
    /// Reads what [`encode`] wrote; `None` where something is missing or odd.
    pub(crate) fn open(bytes: Vec<u8>) -> Option<Self> {
        let n_records = number(&bytes, 0)?;
        let n_blocks = number(&bytes, 4)? as usize;
        let start = 8 + n_blocks.checked_mul(ENTRY)?;
        let (mut end, mut first) = (0, 0);
        for nth in 0..n_blocks {
            let at = 8 + nth * ENTRY;
            let (own, own_end) = (number(&bytes, at)?, number(&bytes, at + 4)?);
            let len = number(&bytes, at + 8)? as usize;
            let next = match nth + 1 < n_blocks {
                true => number(&bytes, at + ENTRY)?,
                false => n_records,
            };
            // Each record takes four bytes at least.
            let n = next.checked_sub(own).filter(|&n| n > 0)? as usize;
            if own != first || own_end < end || len > MAX_BLOCK || n > len / 4 {
                return None;
            }
            (first, end) = (next, own_end);
        }
        let is_whole = start.checked_add(end as usize)? == bytes.len();
        (is_whole && (n_records > 0) == (n_blocks > 0)).then(|| Self {
            n_records,
            start,
            unpacked: (0..n_blocks).map(|_| OnceLock::new()).collect(),
            bytes,
        })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        self.n_records
    }

    /// As they are kept.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A record; `None` where there is none or it is damaged.
    pub(crate) fn get(&self, record: u32) -> Option<&[u8]> {
        if record >= self.n_records {
            return None;
        }
        let (mut low, mut high) = (0, self.unpacked.len());
        while low + 1 < high {
            let middle = usize::midpoint(low, high);
            match self.entry(middle, 0)? <= record {
                true => low = middle,
                false => high = middle,
            }
        }
        let block = self.block(low)?;
        let first = self.entry(low, 0)?;
        let next = match low + 1 < self.unpacked.len() {
            true => self.entry(low + 1, 0)?,
            false => self.n_records,
        };
        let (nth, n) = ((record - first) as usize, (next - first) as usize);
        let from = match nth {
            0 => 0,
            _ => number(block, (nth - 1) * 4)? as usize,
        };
        let to = number(block, nth * 4)? as usize;
        block.get(n * 4..)?.get(from..to)
    }

    fn entry(&self, block: usize, at: usize) -> Option<u32> {
        number(&self.bytes, 8 + block * ENTRY + at)
    }

    fn block(&self, nth: usize) -> Option<&[u8]> {
        let slot = self.unpacked.get(nth)?;
        if let Some(block) = slot.get() {
            return Some(block);
        }
        let from = match nth {
            0 => 0,
            _ => self.entry(nth - 1, 4)? as usize,
        };
        let to = self.entry(nth, 4)? as usize;
        let packed = self.bytes.get(self.start + from..self.start + to)?;
        let len = self.entry(nth, 8)? as usize;
        if packed.len() == len {
            return Some(packed);
        }
        let block = UNPACKER.with_borrow_mut(|unpacker| match unpacker {
            Some(unpacker) => unpacker.decompress(packed, len).ok(),
            None => zstd::bulk::decompress(packed, len).ok(),
        })?;
        Some(slot.get_or_init(|| block.into_boxed_slice()))
    }
}

thread_local! {
    /// Making one takes longer than unpacking a block.
    static UNPACKER: RefCell<Option<zstd::bulk::Decompressor<'static>>> =
        RefCell::new(zstd::bulk::Decompressor::new().ok());
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Blocks, Packing, encode};

    fn packing() -> impl Strategy<Value = Packing> {
        prop_oneof![Just(Packing::None), Just(Packing::Fast)]
    }

    fn records() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let record = prop_oneof![
            prop::collection::vec(any::<u8>(), 0..20),
            (any::<u8>(), 0..20_000_usize).prop_map(|(byte, n)| vec![byte; n]),
        ];
        prop::collection::vec(record, 0..30)
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(packing in packing(), records in records()) {
            let blocks = Blocks::open(encode(&records, packing)).expect("it is sound");
            prop_assert_eq!(blocks.len() as usize, records.len());
            for (nth, record) in records.iter().enumerate() {
                prop_assert_eq!(blocks.get(nth as u32), Some(record.as_slice()));
            }
            prop_assert_eq!(blocks.get(blocks.len()), None);
        }

        #[test]
        fn what_is_cut_is_refused(packing in packing(), records in records(), at in any::<prop::sample::Index>()) {
            let bytes = encode(&records, packing);
            let cut = bytes[..at.index(bytes.len())].to_vec();
            prop_assert!(Blocks::open(cut).is_none());
        }

        #[test]
        fn no_bytes_are_too_odd(packing in packing(), records in records(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut bytes = encode(&records, packing);
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Some(blocks) = Blocks::open(bytes) {
                for nth in 0..blocks.len().min(100) {
                    let _ = blocks.get(nth);
                }
            }
        }
    }
}
