//! Sets of byte offsets of one file.

use cortex_model::ByteRange;

/// A set of byte offsets, as ranges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges {
    // Invariant: sorted, none empty, no two touch: one form for each set.
    ranges: Vec<ByteRange>,
}

impl Ranges {
    /// Creates the union of some ranges, in any order.
    pub fn new(ranges: impl IntoIterator<Item = ByteRange>) -> Self {
        let mut sorted: Vec<ByteRange> = ranges
            .into_iter()
            .filter(|range| range.start < range.end)
            .collect();
        sorted.sort_unstable();
        let mut out: Vec<ByteRange> = Vec::with_capacity(sorted.len());
        for range in sorted {
            match out.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => out.push(range),
            }
        }
        Self { ranges: out }
    }

    /// Sorted, none empty, no two touch.
    pub fn as_slice(&self) -> &[ByteRange] {
        &self.ranges
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Whether the set contains an offset. O(log ranges).
    pub fn contains(&self, offset: u32) -> bool {
        let after = self.ranges.partition_point(|range| range.end <= offset);
        self.ranges
            .get(after)
            .is_some_and(|range| range.contains(offset))
    }

    /// The offsets in either set.
    pub fn union(&self, other: &Self) -> Self {
        Self::new(self.ranges.iter().chain(&other.ranges).copied())
    }

    /// The offsets in both sets.
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut a, mut b) = (
            self.ranges.iter().peekable(),
            other.ranges.iter().peekable(),
        );
        let mut out = Vec::new();
        while let (Some(left), Some(right)) = (a.peek(), b.peek()) {
            let (start, end) = (left.start.max(right.start), left.end.min(right.end));
            if start < end {
                out.push(ByteRange { start, end });
            }
            // The range that ends first cannot overlap any later range.
            if left.end <= right.end {
                a.next();
            } else {
                b.next();
            }
        }
        Self { ranges: out }
    }
}
