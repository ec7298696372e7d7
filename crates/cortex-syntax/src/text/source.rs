//! Bytes to text: which encoding a file has, and its text as UTF-8.
//!
//! Must not know: C#.

use std::borrow::Cow;

/// How the bytes of a file were read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// UTF-8 without a byte order mark.
    Utf8,
    /// UTF-8 with a byte order mark, which stays in the text.
    Utf8Bom,
    /// UTF-16, little endian, known by its byte order mark.
    Utf16Le,
    /// UTF-16, big endian, known by its byte order mark.
    Utf16Be,
    /// Neither of the above; read as Windows-1252, which gives every byte a meaning.
    Windows1252Guessed,
}

/// The text of one file as UTF-8.
///
/// For UTF-8 input it is the very same bytes, a byte order mark included, so that offsets are
/// offsets of the file. For the other encodings offsets are those of the converted text, which
/// has no byte order mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText<'a> {
    text: Cow<'a, str>,
    encoding: Encoding,
}

impl SourceText<'_> {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text as UTF-8 bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// How the file was read.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The text, independent of the bytes it was read from.
    pub fn into_owned(self) -> SourceText<'static> {
        SourceText {
            text: Cow::Owned(self.text.into_owned()),
            encoding: self.encoding,
        }
    }
}

/// Reads a file's bytes as text. Never fails; ill-formed UTF-16 turns into U+FFFD.
///
/// Borrows UTF-8 input, allocates for the other encodings. Cost: O(bytes).
pub fn decode(bytes: &[u8]) -> SourceText<'_> {
    if let Some(units) = bytes.strip_prefix(&[0xFF, 0xFE]) {
        return owned(from_utf16(units, u16::from_le_bytes), Encoding::Utf16Le);
    }
    if let Some(units) = bytes.strip_prefix(&[0xFE, 0xFF]) {
        return owned(from_utf16(units, u16::from_be_bytes), Encoding::Utf16Be);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => SourceText {
            text: Cow::Borrowed(text),
            encoding: if text.starts_with('\u{FEFF}') {
                Encoding::Utf8Bom
            } else {
                Encoding::Utf8
            },
        },
        Err(_) => owned(
            bytes.iter().map(|&byte| windows_1252(byte)).collect(),
            Encoding::Windows1252Guessed,
        ),
    }
}

fn owned(text: String, encoding: Encoding) -> SourceText<'static> {
    SourceText {
        text: Cow::Owned(text),
        encoding,
    }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text: String = char::decode_utf16(pairs.iter().map(|&pair| unit(pair)))
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

/// The WHATWG reading of Windows-1252: the five unassigned bytes are the C1 controls.
fn windows_1252(byte: u8) -> char {
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => HIGH[usize::from(byte) - 0x80],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, decode};
    use proptest::prelude::*;

    #[track_caller]
    fn check_decode(bytes: &[u8], text: &str, encoding: Encoding) {
        let source = decode(bytes);
        assert_eq!((source.as_str(), source.encoding()), (text, encoding));
    }

    #[test]
    fn the_byte_order_mark_decides() {
        check_decode(b"class C;", "class C;", Encoding::Utf8);
        check_decode(
            b"\xEF\xBB\xBFclass C;",
            "\u{FEFF}class C;",
            Encoding::Utf8Bom,
        );
        check_decode(b"\xFF\xFEc\0\xE9\0", "cé", Encoding::Utf16Le);
        check_decode(b"\xFE\xFF\0c\0\xE9", "cé", Encoding::Utf16Be);
    }

    #[test]
    fn what_is_not_unicode_is_read_as_windows_1252_and_says_so() {
        check_decode(
            b"// \x80 na\xEFve",
            "// € naïve",
            Encoding::Windows1252Guessed,
        );
    }

    #[test]
    fn ill_formed_utf16_is_replaced() {
        check_decode(
            b"\xFF\xFE\x00\xD8a\0b",
            "\u{FFFD}a\u{FFFD}",
            Encoding::Utf16Le,
        );
    }

    proptest! {
        #[test]
        fn utf8_text_is_borrowed_unchanged(text in ".*") {
            let source = decode(text.as_bytes());
            prop_assert_eq!(source.as_str(), text.as_str());
            prop_assert!(matches!(source.text, std::borrow::Cow::Borrowed(_)));
        }

        #[test]
        fn any_bytes_have_a_text(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            decode(&bytes);
        }
    }
}
