//! Bounds-checked little-endian reads, and the compressed numbers of ECMA-335, §II.23.2.

/// A place in bytes that only moves forward.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        u16_at(self.take(2)?, 0)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        u32_at(self.take(4)?, 0)
    }

    /// A compressed unsigned number (ECMA-335, §II.23.2).
    pub(crate) fn compressed(&mut self) -> Option<u32> {
        let first = u32::from(self.u8()?);
        if first & 0x80 == 0 {
            return Some(first);
        }
        let second = u32::from(self.u8()?);
        if first & 0x40 == 0 {
            return Some((first & 0x3f) << 8 | second);
        }
        if first & 0x20 != 0 {
            return None;
        }
        let (third, fourth) = (u32::from(self.u8()?), u32::from(self.u8()?));
        Some((first & 0x1f) << 24 | second << 16 | third << 8 | fourth)
    }

    /// A counted UTF-8 string of a custom attribute (ECMA-335, §II.23.3): `Some(None)` is the null string.
    pub(crate) fn counted_text(&mut self) -> Option<Option<&'a str>> {
        if self.peek()? == 0xff {
            self.u8();
            return Some(None);
        }
        let length = self.compressed()?;
        let bytes = self.take(length as usize)?;
        std::str::from_utf8(bytes).ok().map(Some)
    }
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(field.try_into().ok()?))
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().ok()?))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(field.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_numbers_are_those_of_the_standard() {
        for (bytes, number) in [
            (&[0x03][..], 0x03),
            (&[0x7f], 0x7f),
            (&[0x80, 0x80], 0x80),
            (&[0xae, 0x57], 0x2e57),
            (&[0xbf, 0xff], 0x3fff),
            (&[0xc0, 0x00, 0x40, 0x00], 0x4000),
            (&[0xdf, 0xff, 0xff, 0xff], 0x1fff_ffff),
        ] {
            let mut cursor = Cursor::new(bytes);
            assert_eq!(cursor.compressed(), Some(number));
            assert_eq!(cursor.peek(), None);
        }
        assert_eq!(Cursor::new(&[0xff, 0, 0, 0]).compressed(), None);
        assert_eq!(Cursor::new(&[0xc0, 0]).compressed(), None);
    }

    #[test]
    fn a_null_string_differs_from_an_empty_one() {
        assert_eq!(Cursor::new(&[0xff]).counted_text(), Some(None));
        assert_eq!(Cursor::new(&[0]).counted_text(), Some(Some("")));
        assert_eq!(Cursor::new(&[2, b'a']).counted_text(), None);
    }
}
