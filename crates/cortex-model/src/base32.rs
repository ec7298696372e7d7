//! Crockford's Base32 alphabet (no I, L, O, U), upper case: the writing of every short id and hash.

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Writes the first `chars` Base32 characters of `bytes`, most significant bits first.
///
/// Fewer are written when `bytes` has less than `5 * chars` bits.
pub fn base32(bytes: &[u8], chars: usize) -> String {
    let available = bytes.len() * 8 / 5;
    (0..chars.min(available))
        .map(|i| {
            let bit = i * 5;
            let high = u16::from(bytes[bit / 8]) << 8;
            let low = bytes.get(bit / 8 + 1).copied().map_or(0, u16::from);
            let window = (high | low) >> (11 - bit % 8);
            char::from(ALPHABET[usize::from(window & 31)])
        })
        .collect()
}

/// Reads eight Base32 characters; `None` for anything else.
pub fn from_base32(text: &str) -> Option<[u8; 5]> {
    let mut bits = 0_u64;
    for byte in text.bytes() {
        let digit = ALPHABET.iter().position(|&it| it == byte)?;
        bits = bits << 5 | digit as u64;
    }
    let [.., a, b, c, d, e] = bits.to_be_bytes();
    (text.len() == 8).then_some([a, b, c, d, e])
}

#[cfg(test)]
mod tests {
    use super::{base32, from_base32};

    #[test]
    fn what_is_written_is_read() {
        for bytes in [[0; 5], [0xff; 5], [1, 2, 3, 4, 5], [0x80, 0, 0, 0, 1]] {
            assert_eq!(from_base32(&base32(&bytes, 8)), Some(bytes));
        }
        assert_eq!(
            ["", "0000000", "000000000", "0000000I"].map(from_base32),
            [None; 4]
        );
    }

    #[test]
    fn bits_are_taken_from_the_most_significant_end() {
        assert_eq!(base32(&[0xff, 0x00], 3), "ZW0");
        assert_eq!(base32(&[0x08, 0x42], 3), "111");
        assert_eq!(base32(&[0xff], 8), "Z");
    }
}
