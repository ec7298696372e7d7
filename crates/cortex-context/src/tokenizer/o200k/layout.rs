//! How the vocabulary lies in the program: shared by what writes it at build time and what reads it.
//!
//! `N_SLOTS` slots, then `n + 1` offsets, then the bytes of all tokens by rank; numbers are 32 bits,
//! little-endian. A slot is 0, or a rank plus one with some bits of the token's hash above it; the slot
//! of a token is the first free one from its hash on.

/// How many slots there are: a power of two, well above the number of tokens.
pub(crate) const N_SLOTS: usize = 1 << 19;

/// How many low bits of a slot hold the rank plus one.
pub(crate) const RANK_BITS: u32 = 18;

/// Where a token's slot is looked for first.
pub(crate) fn first_slot(hash: u64) -> usize {
    (hash >> 20) as usize % N_SLOTS
}

/// The bits above the rank.
pub(crate) fn tag(hash: u64) -> u32 {
    (hash >> (64 - (32 - RANK_BITS))) as u32
}

/// A hash of a token's bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes([
            chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7],
        ]);
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    }
    let mut word = 0;
    for &byte in chunks.remainder() {
        word = word << 8 | u64::from(byte);
    }
    hash = (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    (hash ^ hash >> 29).wrapping_mul(FACTOR)
}
