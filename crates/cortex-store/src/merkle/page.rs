//! The bytes of pages, version 1. A page's hash covers them, so the encoding is canonical: the
//! same content has one encoding.
//!
//! ```text
//! leaf  := 0x10  count  { shared  suffix-length  value-length  suffix  value }   in key order
//! inner := 0x11  nibbles:u8  prefix  { first:u8  last:u8|0x80-if-inner  hash:16  { weight } }
//! weight := count  [ size, if count > 0 ]      one for each slot of a leaf, one for an inner child
//! ```
//! Numbers without a width are LEB128. A leaf's keys are whole (the first entry shares nothing), an
//! inner page's prefix is counted from the root: a page is understood, and checked, by itself.

use super::nibbles::{Nibbles, Range, SLOTS};
use super::{MAX_KEY_BYTES, PageHash};
use crate::number::{put_number, take_number};

const LEAF: u8 = 0x10;
const INNER: u8 = 0x11;
const INNER_CHILD: u8 = 0x80;

/// The bytes are no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

type Result<T> = std::result::Result<T, Malformed>;

/// Number of entries below a reference, and the sum of their sizes.
///
/// Sizes decide what is a leaf, so they are additive and a pure function of the entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Weight {
    pub(super) count: u64,
    pub(super) size: u64,
}

impl Weight {
    /// Front coding keeps about this much of a key; a longer key shares more with its neighbors.
    const KEY_BYTES: usize = 24;
    const ENTRY_BYTES: usize = 4;

    pub(super) fn of(key: &[u8], value: &[u8]) -> Self {
        let size = Self::ENTRY_BYTES + key.len().min(Self::KEY_BYTES) + value.len();
        Self {
            count: 1,
            size: size as u64,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            count: self.count.saturating_add(other.count),
            size: self.size.saturating_add(other.size),
        }
    }

    /// Whether these entries are a leaf and not a subtree.
    pub(super) fn fits_leaf(self) -> bool {
        self.count == 1 || self.size <= super::PAGE_TARGET
    }
}

/// A decoded page: a view of its bytes.
#[derive(Clone, Copy)]
pub(super) enum Page<'p> {
    Leaf(Leaf<'p>),
    Inner(Inner<'p>),
}

impl<'p> Page<'p> {
    pub(super) fn parse(bytes: &'p [u8]) -> Result<Self> {
        match bytes.split_first() {
            Some((&LEAF, rest)) => Leaf::parse(rest).map(Self::Leaf),
            Some((&INNER, rest)) => Inner::parse(rest).map(Self::Inner),
            _ => Err(Malformed),
        }
    }
}

/// A sort key by which the pages of one place of a map, in its states over time, are neighbors: the
/// prefix of an inner page, the first key of a leaf.
pub(crate) fn similar_first(page: &[u8]) -> (u8, Vec<u8>) {
    let start = match Page::parse(page) {
        Ok(Page::Leaf(leaf)) => {
            let mut entries = leaf.entries();
            entries.next_value().map(|_| entries.key().to_vec())
        }
        Ok(Page::Inner(_)) => {
            let end = page.len().min(2 + MAX_KEY_BYTES);
            let len = page
                .get(1)
                .map_or(0, |nibbles| usize::from(*nibbles).div_ceil(2));
            Ok(page[1..end.min(2 + len)].to_vec())
        }
        Err(malformed) => Err(malformed),
    };
    (
        page.first().copied().unwrap_or(0),
        start.unwrap_or_default(),
    )
}

#[derive(Clone, Copy)]
pub(super) struct Leaf<'p> {
    pub(super) count: u64,
    entries: &'p [u8],
}

impl<'p> Leaf<'p> {
    fn parse(mut rest: &'p [u8]) -> Result<Self> {
        let count = take_number(&mut rest).ok_or(Malformed)?;
        // An entry takes at least four bytes.
        if count == 0 || count > rest.len() as u64 / 4 {
            return Err(Malformed);
        }
        Ok(Self {
            count,
            entries: rest,
        })
    }

    pub(super) fn entries(&self) -> LeafEntries<'p> {
        LeafEntries {
            left: self.count,
            rest: self.entries,
            key: [0; MAX_KEY_BYTES],
            key_len: 0,
        }
    }
}

/// Reads the entries of a leaf in key order.
pub(super) struct LeafEntries<'p> {
    left: u64,
    rest: &'p [u8],
    key: [u8; MAX_KEY_BYTES],
    key_len: usize,
}

impl<'p> LeafEntries<'p> {
    /// Moves to the next entry and gives its value; [`Self::key`] is then its key.
    pub(super) fn next_value(&mut self) -> Result<Option<&'p [u8]>> {
        if self.left == 0 {
            return if self.rest.is_empty() {
                Ok(None)
            } else {
                Err(Malformed)
            };
        }
        self.left -= 1;
        let shared = take_length(&mut self.rest)?;
        let suffix = take_length(&mut self.rest)?;
        let value = take_length(&mut self.rest)?;
        let end = shared.checked_add(suffix).ok_or(Malformed)?;
        if shared > self.key_len || suffix == 0 || end > MAX_KEY_BYTES {
            return Err(Malformed);
        }
        let suffix = take(&mut self.rest, suffix)?;
        // Keys ascend: past what is shared, the new key is greater.
        if self.key_len > shared && suffix[0] <= self.key[shared] {
            return Err(Malformed);
        }
        self.key[shared..end].copy_from_slice(suffix);
        self.key_len = end;
        take(&mut self.rest, value).map(Some)
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.key[..self.key_len]
    }
}

#[derive(Clone, Copy)]
pub(super) struct Inner<'p> {
    pub(super) prefix: Nibbles,
    groups: &'p [u8],
}

impl<'p> Inner<'p> {
    fn parse(mut rest: &'p [u8]) -> Result<Self> {
        let len = take(&mut rest, 1)?[0];
        let prefix = take(&mut rest, usize::from(len).div_ceil(2))?;
        Ok(Self {
            prefix: Nibbles::decode(len, prefix).ok_or(Malformed)?,
            groups: rest,
        })
    }

    /// The children in key order.
    pub(super) fn groups(&self) -> Groups<'p> {
        Groups {
            rest: self.groups,
            next_slot: 0,
        }
    }

    /// The child below which keys of this slot are.
    pub(super) fn find(&self, slot: usize) -> Result<Option<Group<'p>>> {
        for group in self.groups() {
            let group = group?;
            if slot <= group.last {
                return Ok((group.first <= slot).then_some(group));
            }
        }
        Ok(None)
    }

    pub(super) fn weight(&self) -> Result<Weight> {
        self.groups().try_fold(
            Weight::default(),
            |sum, group| Ok(sum.plus(group?.weight())),
        )
    }

    pub(super) fn range_of(&self, group: &Group<'_>) -> Range {
        Range {
            prefix: self.prefix,
            first: group.first,
            last: group.last,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChildKind {
    Leaf,
    Inner,
}

/// One child of an inner page: a leaf with the entries of several neighboring slots, or the inner
/// page of one slot.
#[derive(Clone, Copy)]
pub(super) struct Group<'p> {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) kind: ChildKind,
    pub(super) hash: PageHash,
    // Invariant: well-formed weights, one for each slot.
    weights: &'p [u8],
}

impl Group<'_> {
    pub(super) fn weight(&self) -> Weight {
        self.slots()
            .fold(Weight::default(), |sum, (_, weight)| sum.plus(weight))
    }

    /// The slots and their weights.
    pub(super) fn slots(&self) -> impl Iterator<Item = (usize, Weight)> {
        let mut rest = self.weights;
        (self.first..=self.last).map(move |slot| {
            let weight = take_weight(&mut rest).expect("checked when the group was read");
            (slot, weight)
        })
    }
}

pub(super) struct Groups<'p> {
    rest: &'p [u8],
    next_slot: usize,
}

impl<'p> Groups<'p> {
    fn read(&mut self) -> Result<Group<'p>> {
        let bounds = take(&mut self.rest, 2)?;
        let first = usize::from(bounds[0]);
        let last = usize::from(bounds[1] & !INNER_CHILD);
        let kind = if bounds[1] & INNER_CHILD == 0 {
            ChildKind::Leaf
        } else {
            ChildKind::Inner
        };
        if first < self.next_slot || last < first || last >= SLOTS {
            return Err(Malformed);
        }
        if kind == ChildKind::Inner && (first != last || first == 0) {
            return Err(Malformed);
        }
        let hash = take(&mut self.rest, PageHash::LEN)?;
        let hash = PageHash::from_bytes(hash.try_into().map_err(|_| Malformed)?);
        let before = self.rest;
        for _ in first..=last {
            take_weight(&mut self.rest)?;
        }
        self.next_slot = last + 1;
        Ok(Group {
            first,
            last,
            kind,
            hash,
            weights: &before[..before.len() - self.rest.len()],
        })
    }
}

impl<'p> Iterator for Groups<'p> {
    type Item = Result<Group<'p>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let group = self.read();
        if group.is_err() {
            self.rest = &[];
        }
        Some(group)
    }
}

/// Writes a leaf; entries are pushed in key order.
#[derive(Default)]
pub(super) struct LeafEncoder {
    body: Vec<u8>,
    last_key: Vec<u8>,
    count: u64,
}

impl LeafEncoder {
    pub(super) fn push(&mut self, key: &[u8], value: &[u8]) {
        let shared = self
            .last_key
            .iter()
            .zip(key)
            .take_while(|(a, b)| a == b)
            .count();
        put_number(&mut self.body, shared as u64);
        put_number(&mut self.body, (key.len() - shared) as u64);
        put_number(&mut self.body, value.len() as u64);
        self.body.extend_from_slice(&key[shared..]);
        self.body.extend_from_slice(value);
        self.last_key.truncate(shared);
        self.last_key.extend_from_slice(&key[shared..]);
        self.count += 1;
    }

    pub(super) fn finish(self) -> Vec<u8> {
        let mut page = Vec::with_capacity(self.body.len() + 3);
        page.push(LEAF);
        put_number(&mut page, self.count);
        page.extend_from_slice(&self.body);
        page
    }
}

/// Writes an inner page; groups are pushed in the order of their slots.
pub(super) struct InnerEncoder {
    page: Vec<u8>,
}

impl InnerEncoder {
    pub(super) fn new(prefix: &Nibbles) -> Self {
        let mut page = vec![INNER, prefix.len() as u8];
        page.extend_from_slice(prefix.as_bytes());
        Self { page }
    }

    pub(super) fn push(
        &mut self,
        (first, last): (usize, usize),
        kind: ChildKind,
        hash: PageHash,
        weights: &[Weight],
    ) {
        let flag = match kind {
            ChildKind::Leaf => 0,
            ChildKind::Inner => INNER_CHILD,
        };
        self.page.push(first as u8);
        self.page.push(last as u8 | flag);
        self.page.extend_from_slice(hash.as_bytes());
        for weight in weights {
            put_number(&mut self.page, weight.count);
            if weight.count > 0 {
                put_number(&mut self.page, weight.size);
            }
        }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.page
    }
}

/// Reads a page to its end, as a check of bytes from anywhere; gives the number of its entries or
/// children. Takes time linear in the bytes.
pub fn check_page(bytes: &[u8]) -> Result<u64> {
    match Page::parse(bytes)? {
        Page::Leaf(leaf) => {
            let mut entries = leaf.entries();
            while entries.next_value()?.is_some() {}
            Ok(leaf.count)
        }
        Page::Inner(inner) => inner.groups().try_fold(0, |sum, group| {
            group?.weight();
            Ok(sum + 1)
        }),
    }
}

fn take<'p>(rest: &mut &'p [u8], len: usize) -> Result<&'p [u8]> {
    let (taken, left) = rest.split_at_checked(len).ok_or(Malformed)?;
    *rest = left;
    Ok(taken)
}

fn take_length(rest: &mut &[u8]) -> Result<usize> {
    let length = take_number(rest).ok_or(Malformed)?;
    usize::try_from(length).map_err(|_| Malformed)
}

fn take_weight(rest: &mut &[u8]) -> Result<Weight> {
    let count = take_number(rest).ok_or(Malformed)?;
    let size = match count {
        0 => 0,
        _ => take_number(rest).ok_or(Malformed)?,
    };
    Ok(Weight { count, size })
}
