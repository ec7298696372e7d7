//! Bytes kept compressed while a cold index is made: it has tens of megabytes of each kind at once.
//!
//! Must not know: what the bytes are.

use std::borrow::Cow;

/// Bytes, compressed where that makes them smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Packed {
    /// As they are.
    Plain(Vec<u8>),
    /// By zstd, level 1.
    Compressed(Vec<u8>),
}

impl Packed {
    /// Compresses bytes; short ones are left as they are.
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        const WORTH: usize = 256;
        if bytes.len() < WORTH {
            return Self::Plain(bytes);
        }
        match zstd::bulk::compress(&bytes, 1) {
            Ok(packed) if packed.len() < bytes.len() => Self::Compressed(packed),
            _ => Self::Plain(bytes),
        }
    }

    /// The bytes; none where memory was damaged.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Plain(bytes) => bytes,
            Self::Compressed(packed) => unpack(&packed),
        }
    }

    /// The same, without giving them up.
    pub(crate) fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Plain(bytes) => Cow::Borrowed(bytes),
            Self::Compressed(packed) => Cow::Owned(unpack(packed)),
        }
    }
}

/// What zstd compressed; nothing where it is damaged.
fn unpack(packed: &[u8]) -> Vec<u8> {
    zstd::stream::decode_all(packed).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Packed;

    #[test]
    fn what_was_packed_comes_back() {
        for length in [0, 1, 255, 256, 5_000] {
            let bytes: Vec<u8> = (0..length).map(|i| (i / 7) as u8).collect();
            let packed = Packed::new(bytes.clone());
            assert_eq!(*packed.bytes(), bytes);
            assert_eq!(packed.into_bytes(), bytes);
        }
    }
}
