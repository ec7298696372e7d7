//! Byte pair encoding of one piece: the pair of neighbors of the lowest rank becomes one, again and again.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::vocabulary::rank;

/// Up to this length the lowest pair is found by looking at all of them.
const SHORT: usize = 96;

const NONE: u32 = u32::MAX;

/// How many tokens a piece has.
pub(super) fn count(piece: &[u8]) -> usize {
    match piece.len() {
        0 | 1 => piece.len(),
        _ if rank(piece).is_some() => 1,
        ..=SHORT => count_short(piece),
        _ => count_long(piece),
    }
}

/// O(n²), without allocation.
fn count_short(piece: &[u8]) -> usize {
    // Starts of parts, and the rank of each part together with the next one.
    let mut starts = [0u8; SHORT + 1];
    let mut ranks = [NONE; SHORT + 1];
    let mut n = piece.len();
    for i in 0..n {
        starts[i + 1] = i as u8 + 1;
        if i + 1 < n {
            ranks[i] = rank(&piece[i..i + 2]).unwrap_or(NONE);
        }
    }
    let pair = |starts: &[u8; SHORT + 1], i: usize, n: usize| {
        if i + 2 > n {
            return NONE;
        }
        rank(&piece[usize::from(starts[i])..usize::from(starts[i + 2])]).unwrap_or(NONE)
    };
    while n > 1 {
        let mut lowest = 0;
        for i in 1..n - 1 {
            if ranks[i] < ranks[lowest] {
                lowest = i;
            }
        }
        if ranks[lowest] == NONE {
            break;
        }
        starts.copy_within(lowest + 2..n + 1, lowest + 1);
        ranks.copy_within(lowest + 2..n + 1, lowest + 1);
        n -= 1;
        ranks[lowest] = pair(&starts, lowest, n);
        if lowest > 0 {
            ranks[lowest - 1] = pair(&starts, lowest - 1, n);
        }
    }
    n
}

/// O(n log n).
fn count_long(piece: &[u8]) -> usize {
    let n = piece.len();
    // The part that starts at a byte ends at `ends`; 0 once it was merged into the one before.
    let mut ends: Vec<u32> = (1..=n as u32).collect();
    let mut befores: Vec<u32> = (0..n as u32).map(|i| i.wrapping_sub(1)).collect();
    let mut heap: BinaryHeap<Reverse<(u32, u32, u32)>> = BinaryHeap::with_capacity(n);
    let pair = |heap: &mut BinaryHeap<_>, start: u32, end: u32| {
        if let Some(rank) = rank(&piece[start as usize..end as usize]) {
            heap.push(Reverse((rank, start, end)));
        }
    };
    for i in 0..n as u32 - 1 {
        pair(&mut heap, i, i + 2);
    }
    let mut n_parts = n;
    while let Some(Reverse((_, start, end))) = heap.pop() {
        let middle = ends[start as usize];
        // Stale unless both parts are as they were when their rank was looked up.
        if middle == 0 || middle >= end || ends[middle as usize] != end {
            continue;
        }
        ends[start as usize] = end;
        ends[middle as usize] = 0;
        n_parts -= 1;
        if (end as usize) < n {
            befores[end as usize] = start;
            pair(&mut heap, start, ends[end as usize]);
        }
        let before = befores[start as usize];
        if before != NONE {
            pair(&mut heap, before, end);
        }
    }
    n_parts
}
