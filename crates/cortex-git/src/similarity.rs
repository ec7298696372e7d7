//! How much of one content is found in another, measured as git measures it: by lines and their bytes.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// Longer lines are taken in pieces of this many bytes, as git does.
const MAX_PIECE: usize = 64;

/// The pieces of one content: what comparing costs little.
pub(crate) struct Fingerprint {
    /// Hash of a piece and the bytes that all its repetitions take. Sorted by hash, no hash twice.
    pub(crate) pieces: Vec<(u64, u32)>,
    n_bytes: u64,
}

impl Fingerprint {
    /// Takes the pieces of `content`. A CR before LF does not count. O(bytes + pieces log pieces).
    pub(crate) fn new(content: &[u8]) -> Self {
        let mut pieces = Vec::with_capacity(content.len() / 24 + 1);
        let mut rest = content;
        while !rest.is_empty() {
            let window = &rest[..rest.len().min(MAX_PIECE)];
            let len = window
                .iter()
                .position(|&byte| byte == b'\n')
                .map_or(window.len(), |at| at + 1);
            let (piece, tail) = rest.split_at(len);
            rest = tail;
            let text = piece
                .strip_suffix(b"\r\n")
                .or(piece.strip_suffix(b"\n"))
                .unwrap_or(piece);
            let mut hasher = FxHasher::default();
            hasher.write(text);
            hasher.write_usize(text.len());
            pieces.push((hasher.finish(), len as u32));
        }
        pieces.sort_unstable();
        pieces.dedup_by(|next, previous| {
            let is_same = next.0 == previous.0;
            if is_same {
                previous.1 = previous.1.saturating_add(next.1);
            }
            is_same
        });
        Self {
            pieces,
            n_bytes: content.len() as u64,
        }
    }

    /// Per cent of the larger content that both share, 0 to 100. O(pieces of both).
    pub(crate) fn similarity(&self, other: &Self) -> u8 {
        let larger = self.n_bytes.max(other.n_bytes);
        if larger == 0 {
            return 100;
        }
        let (mut a, mut b) = (
            self.pieces.iter().peekable(),
            other.pieces.iter().peekable(),
        );
        let mut n_common = 0_u64;
        while let (Some(&&(hash_a, bytes_a)), Some(&&(hash_b, bytes_b))) = (a.peek(), b.peek()) {
            if hash_a <= hash_b {
                a.next();
            }
            if hash_b <= hash_a {
                b.next();
            }
            if hash_a == hash_b {
                n_common += u64::from(bytes_a.min(bytes_b));
            }
        }
        (n_common * 100 / larger).min(100) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::Fingerprint;

    #[track_caller]
    fn check_similarity(a: &str, b: &str, percent: u8) {
        let (a, b) = (
            Fingerprint::new(a.as_bytes()),
            Fingerprint::new(b.as_bytes()),
        );
        assert_eq!(a.similarity(&b), percent);
        assert_eq!(b.similarity(&a), percent);
    }

    #[test]
    fn similarity_is_the_share_of_common_bytes_in_the_larger_content() {
        check_similarity("", "", 100);
        check_similarity("a\nb\n", "", 0);
        check_similarity("aaa\nbbb\n", "bbb\naaa\n", 100);
        check_similarity("aaa\nbbb\n", "aaa\nccc\n", 50);
        check_similarity("aaa\n", "aaa\naaa\naaa\naaa\n", 25);
        check_similarity("aaa\r\nbbb\r\n", "aaa\nbbb\n", 80);
    }
}
