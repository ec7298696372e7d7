//! What a character is to the pattern that splits a text.

/// Classes of characters. `\p{L}` is `Upper`, `Lower` and `Both`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// `\p{Lu}` and `\p{Lt}`.
    Upper,
    /// `\p{Ll}`.
    Lower,
    /// `\p{Lm}` and `\p{Lo}`: either case.
    Both,
    /// `\p{M}`: either case, but no letter.
    Mark,
    /// `\p{N}`.
    Number,
    /// `\r` and `\n`.
    Break,
    /// `\s` otherwise.
    Space,
    /// Everything else.
    Other,
}

/// Sorted, disjoint ranges, both ends included.
static LETTERS: &[(char, char, Class)] = &include!(concat!(env!("OUT_DIR"), "/letters.rs"));

static ASCII: [Class; 128] = {
    let mut table = [Class::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'A'..=b'Z' => Class::Upper,
            b'a'..=b'z' => Class::Lower,
            b'0'..=b'9' => Class::Number,
            b'\r' | b'\n' => Class::Break,
            b' ' | b'\t' | 0x0b | 0x0c => Class::Space,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
};

impl Class {
    /// The class of a character.
    pub(super) fn of(c: char) -> Self {
        if let Some(&class) = ASCII.get(c as usize) {
            return class;
        }
        let at = LETTERS.partition_point(|&(_, end, _)| end < c);
        match LETTERS.get(at) {
            Some(&(start, _, class)) if start <= c => class,
            _ if c.is_whitespace() => Self::Space,
            _ => Self::Other,
        }
    }

    /// Whether it may stand before a word's letters: `[^\r\n\p{L}\p{N}]`.
    pub(super) fn is_prefix(self) -> bool {
        matches!(self, Self::Mark | Self::Space | Self::Other)
    }

    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`.
    pub(super) fn is_upper(self) -> bool {
        matches!(self, Self::Upper | Self::Both | Self::Mark)
    }

    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`.
    pub(super) fn is_lower(self) -> bool {
        matches!(self, Self::Lower | Self::Both | Self::Mark)
    }

    /// `\s`.
    pub(super) fn is_space(self) -> bool {
        matches!(self, Self::Break | Self::Space)
    }

    /// `[^\s\p{L}\p{N}]`.
    pub(super) fn is_punctuation(self) -> bool {
        matches!(self, Self::Mark | Self::Other)
    }
}
