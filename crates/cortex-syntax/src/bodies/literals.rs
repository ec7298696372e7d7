//! Literals: their types and small values (C# specification, §6.4.5).

use super::{Builder, Head};
use crate::{
    arena::{Node, NodeId},
    body::{BodyKind, LiteralKind},
    kind::Kind,
};

/// `value` of a number that is not kept.
const LARGE: u32 = u32::MAX;

impl Builder<'_, '_> {
    pub(super) fn literal(&mut self, id: NodeId, node: Node) {
        let text = self.arena.text;
        let bytes = self.arena.bytes(id);
        let dollar = node.start.checked_sub(1);
        if node.kind == Kind::StringLiteral
            && let Some(start) = dollar.filter(|&at| text[at as usize] == b'$')
        {
            // `$""`, of which a repair made `""`.
            self.leaf(Head::new(BodyKind::InterpolatedString, start));
            return;
        }
        let (kind, value) = match node.kind {
            Kind::IntegerLiteral => integer(bytes),
            Kind::RealLiteral => (real(bytes), LARGE),
            Kind::CharacterLiteral => (LiteralKind::Char, character(self.arena.str(id))),
            Kind::BooleanLiteral if bytes == b"true" => (LiteralKind::True, 0),
            Kind::BooleanLiteral => (LiteralKind::False, 0),
            Kind::NullLiteral => (LiteralKind::Null, 0),
            _ if bytes.ends_with(b"u8") || bytes.ends_with(b"U8") => (LiteralKind::Utf8String, 0),
            _ => {
                let is_empty = matches!(bytes, b"\"\"" | b"@\"\"");
                (LiteralKind::String, u32::from(is_empty))
            }
        };
        let head = Head::new(BodyKind::Literal, node.start);
        self.leaf(head.flags(kind as u8).value(value));
    }
}

/// The type of an integer literal is the first that holds it of `int`, `uint`, `long`, `ulong`,
/// less those that its suffix excludes.
fn integer(text: &[u8]) -> (LiteralKind, u32) {
    let is_suffix = |byte: u8| matches!(byte, b'u' | b'U' | b'l' | b'L');
    let digits_end = text.len() - text.iter().rev().take_while(|&&b| is_suffix(b)).count();
    let (digits, suffix) = text.split_at(digits_end);
    let (digits, radix) = match digits {
        [b'0', b'x' | b'X', rest @ ..] => (rest, 16),
        [b'0', b'b' | b'B', rest @ ..] => (rest, 2),
        _ => (digits, 10),
    };
    let value = digits
        .iter()
        .filter(|&&byte| byte != b'_')
        .try_fold(0_u64, |value, &byte| {
            let digit = char::from(byte).to_digit(radix)?;
            value
                .checked_mul(u64::from(radix))?
                .checked_add(u64::from(digit))
        })
        .unwrap_or(u64::MAX);
    let is_unsigned = suffix.iter().any(|byte| matches!(byte, b'u' | b'U'));
    let is_long = suffix.iter().any(|byte| matches!(byte, b'l' | b'L'));
    let kind = if !is_unsigned && !is_long && value <= i32::MAX as u64 {
        LiteralKind::Int
    } else if !is_long && value <= u64::from(u32::MAX) {
        LiteralKind::UInt
    } else if !is_unsigned && value <= i64::MAX as u64 {
        LiteralKind::Long
    } else {
        LiteralKind::ULong
    };
    (kind, u32::try_from(value).unwrap_or(LARGE))
}

fn real(text: &[u8]) -> LiteralKind {
    match text.last() {
        Some(b'f' | b'F') => LiteralKind::Float,
        Some(b'm' | b'M') => LiteralKind::Decimal,
        _ => LiteralKind::Double,
    }
}

/// The UTF-16 unit of a character literal (C# specification, §6.4.5.5).
fn character(text: &str) -> u32 {
    let inner = text
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
        .unwrap_or(text);
    let mut chars = inner.chars();
    match (chars.next(), chars.next()) {
        (Some('\\'), Some(escape)) => match escape {
            'x' | 'u' | 'U' => u32::from_str_radix(chars.as_str(), 16).unwrap_or(LARGE),
            '0' => 0,
            'a' => 7,
            'b' => 8,
            't' => 9,
            'n' => 10,
            'v' => 11,
            'f' => 12,
            'r' => 13,
            'e' => 27,
            other => u32::from(other),
        },
        (Some(plain), _) => u32::from(plain),
        (None, _) => LARGE,
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGE, character, integer, real};
    use crate::body::LiteralKind::{self, *};

    #[test]
    fn the_type_of_an_integer_is_the_first_that_holds_it() {
        #[track_caller]
        fn check(text: &str, kind: LiteralKind, value: u32) {
            assert_eq!(integer(text.as_bytes()), (kind, value), "{text}");
        }
        check("0", Int, 0);
        check("2147483647", Int, 2_147_483_647);
        check("2147483648", UInt, 2_147_483_648);
        check("4294967296", Long, LARGE);
        check("9223372036854775808", ULong, LARGE);
        check("99999999999999999999", ULong, LARGE);
        check("0xFF_FFu", UInt, 0xffff);
        check("0xFFFFFFFF", UInt, LARGE);
        check("0b1010L", Long, 10);
        check("1_000ul", ULong, 1000);
        check("4294967296U", ULong, LARGE);
        check("9223372036854775808L", ULong, LARGE);
    }

    #[test]
    fn the_type_of_a_real_is_its_suffix() {
        assert_eq!(real(b"1.5"), Double);
        assert_eq!(real(b"1e3d"), Double);
        assert_eq!(real(b"1F"), Float);
        assert_eq!(real(b".5m"), Decimal);
    }

    #[test]
    fn a_character_is_one_unit() {
        assert_eq!(character("'a'"), 97);
        assert_eq!(character("'\\n'"), 10);
        assert_eq!(character("'\\''"), 39);
        assert_eq!(character("'\\x41'"), 0x41);
        assert_eq!(character("'\\uFFFF'"), 0xffff);
        assert_eq!(character("'ü'"), 0xfc);
    }
}
