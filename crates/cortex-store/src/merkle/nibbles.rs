//! Paths in the trie: keys read as sequences of nibbles, high nibble first.

use super::MAX_KEY_BYTES;

/// The number of ways a key can go on after a path: it ends (slot 0) or one of 16 nibbles follows.
pub(super) const SLOTS: usize = 17;

/// A prefix of keys, in nibbles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Nibbles {
    // Invariant: nibbles past `len` are zero, so equality is equality of the bytes.
    bytes: [u8; MAX_KEY_BYTES],
    len: u8,
}

impl Nibbles {
    pub(super) const EMPTY: Self = Self {
        bytes: [0; MAX_KEY_BYTES],
        len: 0,
    };

    /// The first `len` nibbles of a key that has at least so many.
    pub(super) fn of_key(key: &[u8], len: usize) -> Self {
        let mut bytes = [0; MAX_KEY_BYTES];
        let whole = len / 2;
        bytes[..whole].copy_from_slice(&key[..whole]);
        if len % 2 == 1 {
            bytes[whole] = key[whole] & 0xf0;
        }
        Self {
            bytes,
            len: len as u8,
        }
    }

    /// Takes the encoded form; `None` unless it is the form that [`Self::as_bytes`] gives.
    pub(super) fn decode(len: u8, encoded: &[u8]) -> Option<Self> {
        if usize::from(len) > 2 * MAX_KEY_BYTES || encoded.len() != usize::from(len).div_ceil(2) {
            return None;
        }
        let path = Self::of_key(encoded, usize::from(len));
        (path.as_bytes() == encoded).then_some(path)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len().div_ceil(2)]
    }

    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    fn nibble(&self, at: usize) -> u8 {
        nibble(&self.bytes, at)
    }

    pub(super) fn truncated(&self, len: usize) -> Self {
        Self::of_key(&self.bytes, len)
    }

    /// The slot that this path takes after its first `depth` nibbles (fewer than it has).
    pub(super) fn slot(&self, depth: usize) -> usize {
        1 + usize::from(self.nibble(depth))
    }

    pub(super) fn starts_with(&self, prefix: &Self) -> bool {
        self.len >= prefix.len && common(&self.bytes, &prefix.bytes, prefix.len()) == prefix.len()
    }

    pub(super) fn is_prefix_of(&self, key: &[u8]) -> bool {
        self.common_with(key) == self.len()
    }

    /// How many nibbles this path and a key have in common.
    pub(super) fn common_with(&self, key: &[u8]) -> usize {
        common(&self.bytes, key, self.len().min(2 * key.len()))
    }
}

fn nibble(bytes: &[u8], at: usize) -> u8 {
    if at.is_multiple_of(2) {
        bytes[at / 2] >> 4
    } else {
        bytes[at / 2] & 0xf
    }
}

/// How many of the first `limit` nibbles are equal; both sides have at least so many.
pub(super) fn common(a: &[u8], b: &[u8], limit: usize) -> usize {
    let equal = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let half = match (a.get(equal), b.get(equal)) {
        (Some(a), Some(b)) => usize::from(a >> 4 == b >> 4),
        _ => 0,
    };
    (2 * equal + half).min(limit)
}

/// The slot that a key with the common prefix takes after `depth` nibbles.
pub(super) fn slot_of(key: &[u8], depth: usize) -> usize {
    if 2 * key.len() == depth {
        0
    } else {
        1 + usize::from(nibble(key, depth))
    }
}

/// The keys that can lie below one reference to a page: they start with `prefix` and go on in one
/// of the slots `first..=last`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) prefix: Nibbles,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// How two ranges of keys lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Before,
    Overlapping,
    After,
}

impl Range {
    pub(super) const WHOLE: Self = Self {
        prefix: Nibbles::EMPTY,
        first: 0,
        last: SLOTS - 1,
    };

    pub(super) fn contains_key(&self, key: &[u8]) -> bool {
        self.prefix.is_prefix_of(key)
            && (self.first..=self.last).contains(&slot_of(key, self.prefix.len()))
    }

    /// Whether an inner page with this prefix may stand below the reference. Every reference but
    /// that of the root names a slot, so paths grow on the way down and a walk ends.
    pub(super) fn contains_path(&self, path: &Nibbles) -> bool {
        if path.len() == self.prefix.len() {
            return self.prefix.len() == 0 && self.first == 0 && self.last == SLOTS - 1;
        }
        path.starts_with(&self.prefix)
            && (self.first..=self.last).contains(&path.slot(self.prefix.len()))
    }

    pub(super) fn order(&self, other: &Self) -> Order {
        let shorter = self.prefix.len().min(other.prefix.len());
        let depth = common(&self.prefix.bytes, &other.prefix.bytes, shorter);
        let (first, last) = self.slots_at(depth);
        let (other_first, other_last) = other.slots_at(depth);
        if last < other_first {
            Order::Before
        } else if other_last < first {
            Order::After
        } else {
            Order::Overlapping
        }
    }

    pub(super) fn order_of_key(&self, key: &[u8]) -> Order {
        let depth = self.prefix.common_with(key);
        let (first, last) = self.slots_at(depth);
        let slot = slot_of(key, depth);
        if last < slot {
            Order::Before
        } else if slot < first {
            Order::After
        } else {
            Order::Overlapping
        }
    }

    fn slots_at(&self, depth: usize) -> (usize, usize) {
        if depth < self.prefix.len() {
            (self.prefix.slot(depth), self.prefix.slot(depth))
        } else {
            (self.first, self.last)
        }
    }
}
