//! Numbers and versions as MSBuild's conditions and functions compare them.
//!
//! Must not know: where the text came from.

use std::fmt;

/// A version of up to four parts; parts that were not written count as 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Version {
    pub(crate) parts: [u32; 4],
    /// How many parts were written, 1 to 4.
    // Invariant: not compared before the parts, so `1.0` and `1.0.0` differ only where it counts.
    pub(crate) written: u8,
}

impl Version {
    /// Reads `1.2.3.4`, with or without a leading `v`, as the version functions of MSBuild do:
    /// a suffix such as `-rc.1` or `+build` is dropped.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let text = text.split(['-', '+']).next().unwrap_or(text);
        let mut parts = [0; 4];
        let mut written = 0;
        for part in text.split('.') {
            if written == 4 || part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            parts[written] = part.parse().ok()?;
            written += 1;
        }
        Some(Self {
            parts,
            written: written as u8,
        })
    }

    /// Whether the parts are equal, however many were written.
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.parts == other.parts
    }

    /// The first `n` parts, at least as many as asked for.
    pub(crate) fn to_parts(self, n: usize) -> String {
        let parts: Vec<String> = self.parts[..n.clamp(1, 4)]
            .iter()
            .map(u32::to_string)
            .collect();
        parts.join(".")
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_parts(usize::from(self.written.max(2))))
    }
}

/// A number as conditions read it: decimal, with a sign and a fraction, or hexadecimal.
pub(crate) fn parse_number(text: &str) -> Option<f64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => f64::from(u32::from_str_radix(hex, 16).ok()?),
        None if digits.is_empty()
            || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            || !digits.as_bytes()[0].is_ascii_digit() =>
        {
            return None;
        }
        None => digits.parse().ok()?,
    };
    Some(if negative { -number } else { number })
}

/// A number as the arithmetic functions print it: without a fraction where it has none.
pub(crate) fn print_number(number: f64) -> String {
    format!("{number}")
}

/// A truth value as conditions read it.
pub(crate) fn parse_bool(text: &str) -> Option<bool> {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is("true") || is("on") || is("yes") || is("!false") || is("!off") || is("!no") {
        Some(true)
    } else if is("false") || is("off") || is("no") || is("!true") || is("!on") || is("!yes") {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Version, parse_number};

    #[test]
    fn versions_compare_part_by_part_without_their_suffix() {
        let version = |text| Version::parse(text).expect(text);
        assert!(version("v4.6.1") < version("4.7"));
        assert!(version("10.0") > version("9.0.1"));
        assert!(version("17.0.0-rc.1").same(&version("17.0")));
        assert_eq!(version("17").to_string(), "17.0");
        assert_eq!(Version::parse("1..2"), None);
        assert_eq!(Version::parse("1.2.3.4.5"), None);
        assert_eq!(Version::parse("99999999999.0"), None);
    }

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        assert_eq!(parse_number("0x10"), Some(16.0));
        assert_eq!(parse_number("-1.5"), Some(-1.5));
        assert_eq!(parse_number("1.2.3"), None);
        assert_eq!(parse_number(""), None);
        assert_eq!(parse_number("inf"), None);
    }
}
