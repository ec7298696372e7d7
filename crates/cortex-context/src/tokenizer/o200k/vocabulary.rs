//! Ranks of tokens, from the table that the build laid out.

use super::layout::{N_SLOTS, RANK_BITS, first_slot, hash, tag};

static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.bin"));

/// Where the offsets of tokens begin.
const OFFSETS: usize = N_SLOTS * 4;

/// The rank of a token; `None` if these bytes are none.
pub(super) fn rank(token: &[u8]) -> Option<u32> {
    let hash = hash(token);
    let tag = tag(hash);
    let mut slot = first_slot(hash);
    loop {
        let entry = number(slot * 4);
        if entry == 0 {
            return None;
        }
        if entry >> RANK_BITS == tag {
            let rank = (entry & ((1 << RANK_BITS) - 1)) - 1;
            if bytes(rank) == token {
                return Some(rank);
            }
        }
        slot = (slot + 1) % N_SLOTS;
    }
}

/// The bytes of the token of a rank.
fn bytes(rank: u32) -> &'static [u8] {
    let at = OFFSETS + rank as usize * 4;
    let (start, end) = (number(at) as usize, number(at + 4) as usize);
    let arena = OFFSETS + (n_tokens() + 1) * 4;
    &TABLE[arena + start..arena + end]
}

/// How many ranks there are.
const fn n_tokens() -> usize {
    include!(concat!(env!("OUT_DIR"), "/n_tokens.rs"))
}

fn number(at: usize) -> u32 {
    u32::from_le_bytes([TABLE[at], TABLE[at + 1], TABLE[at + 2], TABLE[at + 3]])
}
