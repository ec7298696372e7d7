//! From the decoded text of a file to its bytes and back, and which token stands at an offset.
//!
//! Must not know: C# beyond its tokens.

use cortex_model::ByteRange;

use super::{
    lexer::Lexer,
    source::{Encoding, SourceText},
};

/// Maps offsets of a decoded text to offsets of the file as it is stored, and back.
///
/// Facts and bindings count in the decoded text ([`SourceText`]); whoever changes a file needs its bytes. For
/// UTF-8, with or without a byte order mark, both are the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileOffsets {
    form: Form,
    /// How many bytes the file has.
    file_len: u32,
    /// Characters whose UTF-8 takes more bytes than units of the file: where each ends in the text, and how many
    /// more bytes than units the text has taken until there.
    // Invariant: ascending in both numbers.
    wide: Vec<(u32, u32)>,
}

/// How a unit of the file becomes bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// The bytes of the text are those of the file.
    Same,
    /// One byte for each character.
    Bytes,
    /// Two bytes for each UTF-16 unit, behind a byte order mark.
    Units,
}

impl FileOffsets {
    /// Of a text that was decoded from so many bytes. O(text) for what is not UTF-8, which costs nothing.
    pub fn new(source: &SourceText<'_>, file_len: usize) -> Self {
        let form = match source.encoding() {
            Encoding::Utf8 | Encoding::Utf8Bom => Form::Same,
            Encoding::Utf16Le | Encoding::Utf16Be => Form::Units,
            Encoding::Windows1252Guessed => Form::Bytes,
        };
        let mut wide = Vec::new();
        if form != Form::Same {
            let mut difference = 0;
            for (at, c) in source
                .as_str()
                .char_indices()
                .filter(|(_, c)| !c.is_ascii())
            {
                let n_units = match form {
                    Form::Units => c.len_utf16(),
                    Form::Same | Form::Bytes => 1,
                };
                difference += (c.len_utf8() - n_units) as u32;
                wide.push(((at + c.len_utf8()) as u32, difference));
            }
        }
        Self {
            form,
            file_len: file_len as u32,
            wide,
        }
    }

    /// The offset in the file of an offset in the text that starts a character. O(log wide characters).
    pub fn file_offset(&self, text_offset: u32) -> u32 {
        let before = self.wide.partition_point(|&(end, _)| end <= text_offset);
        let difference = before.checked_sub(1).map_or(0, |at| self.wide[at].1);
        let units = text_offset - difference;
        let offset = match self.form {
            Form::Same | Form::Bytes => units,
            Form::Units => units.saturating_mul(2).saturating_add(2),
        };
        offset.min(self.file_len)
    }

    /// The range in the file of a range in the text.
    pub fn file_range(&self, text_range: ByteRange) -> ByteRange {
        ByteRange {
            start: self.file_offset(text_range.start),
            end: self.file_offset(text_range.end),
        }
    }

    /// The offset in the text of an offset in the file that starts a character. O(log wide characters).
    pub fn text_offset(&self, file_offset: u32) -> u32 {
        let units = match self.form {
            Form::Same | Form::Bytes => file_offset,
            Form::Units => file_offset.saturating_sub(2) / 2,
        };
        let before = (self.wide).partition_point(|&(end, difference)| end - difference <= units);
        units + before.checked_sub(1).map_or(0, |at| self.wide[at].1)
    }
}

/// The token that starts at an offset of a text: of an identifier with its `@`, else the operator, bracket or
/// literal. Empty where none starts there.
pub fn token_at(text: &[u8], offset: u32) -> ByteRange {
    let rest = text.get(offset as usize..).unwrap_or_default();
    let first = Lexer::new(rest).next().filter(|token| token.start == 0);
    ByteRange {
        start: offset,
        end: offset + first.map_or(0, |token| token.end),
    }
}

#[cfg(test)]
mod tests {
    use cortex_model::ByteRange;
    use proptest::prelude::*;

    use super::{FileOffsets, token_at};
    use crate::text::decode;

    /// The bytes of a text in each encoding that can say it.
    fn encoded(text: &str) -> Vec<Vec<u8>> {
        let utf16 = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
            let units = text.encode_utf16().flat_map(bytes);
            mark.into_iter().chain(units).collect::<Vec<u8>>()
        };
        vec![
            text.as_bytes().to_vec(),
            ["\u{feff}", text].concat().into_bytes(),
            utf16([0xFF, 0xFE], u16::to_le_bytes),
            utf16([0xFE, 0xFF], u16::to_be_bytes),
            // Latin letters are the same there; an accent alone is no UTF-8.
            [0xE9]
                .into_iter()
                .chain(
                    text.chars()
                        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')),
                )
                .collect(),
        ]
    }

    #[track_caller]
    fn check_every_character(bytes: &[u8]) {
        let source = decode(bytes);
        let offsets = FileOffsets::new(&source, bytes.len());
        for (at, c) in source.as_str().char_indices() {
            let range = offsets.file_range(ByteRange {
                start: at as u32,
                end: (at + c.len_utf8()) as u32,
            });
            assert_eq!(offsets.text_offset(range.start), at as u32, "{c:?}");
            let cut = &bytes[range.as_usize()];
            let alone = match &bytes[..bytes.len().min(2)] {
                mark @ ([0xFF, 0xFE] | [0xFE, 0xFF]) => [mark, cut].concat(),
                _ => cut.to_vec(),
            };
            assert_eq!(decode(&alone).as_str(), c.to_string(), "{bytes:?}");
        }
        assert_eq!(
            offsets.file_offset(source.as_bytes().len() as u32),
            bytes.len() as u32
        );
    }

    #[test]
    fn a_byte_alone_at_the_end_of_utf16_is_the_last_character() {
        let bytes = b"\xFF\xFEa\0b";
        let source = decode(bytes);
        let offsets = FileOffsets::new(&source, bytes.len());
        assert_eq!(offsets.file_offset(1), 4);
        assert_eq!(offsets.file_offset(source.as_bytes().len() as u32), 5);
    }

    #[test]
    fn a_token_ends_where_it_ends() {
        for (text, token) in [
            ("a.b", "a"),
            ("@class x", "@class"),
            ("größe=1", "größe"),
            ("\\u0061b c", "\\u0061b"),
            ("new()", "new"),
            ("[0]", "["),
            ("+= 1", "+="),
            (" a", ""),
            ("", ""),
        ] {
            let range = token_at(text.as_bytes(), 0);
            assert_eq!(&text[range.as_usize()], token, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_character_is_found_in_the_bytes_of_the_file(text in "[a-zéßÿ\u{20ac}\u{4e2d}\u{1d11e}\n ]{0,24}") {
            for bytes in encoded(&text) {
                check_every_character(&bytes);
            }
        }
    }
}
