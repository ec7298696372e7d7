//! Values of integral constants, where they are cheap to know.
//!
//! Owns: literals, signs, `|`, `<<` and names of constants before them. Must not know: types.

/// The value of an expression by its tokens; `named` knows the constants before it.
pub(super) fn value(text: &str, named: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    // No constant that matters is longer; it bounds the work.
    if text.len() > 512 {
        return None;
    }
    let mut total = 0;
    for operand in text.split('|') {
        let mut parts = operand.split("<<");
        let mut shifted = atom(parts.next()?, named)?;
        for amount in parts {
            let amount = u32::try_from(atom(amount, named)?).ok()?;
            shifted = shifted.checked_shl(amount)?;
        }
        total |= shifted;
    }
    Some(total)
}

fn atom(text: &str, named: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let text = text.trim();
    let text = text
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
        .filter(|inner| !inner.contains(['(', ')']))
        .unwrap_or(text);
    if let Some(rest) = text.strip_prefix('-') {
        return literal(rest).and_then(i64::checked_neg);
    }
    if let Some(rest) = text.strip_prefix('~') {
        return atom_of(rest, named).map(|value| !value);
    }
    atom_of(text, named)
}

fn atom_of(text: &str, named: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    match text.as_bytes().first()? {
        b'0'..=b'9' => literal(text),
        b'\'' => character(text),
        _ => named(text),
    }
}

fn literal(text: &str) -> Option<i64> {
    let digits = text.trim().trim_end_matches(['u', 'U', 'l', 'L']);
    let digits = digits.replace('_', "");
    let (radix, digits) = match digits.get(..2) {
        Some("0x" | "0X") => (16, &digits[2..]),
        Some("0b" | "0B") => (2, &digits[2..]),
        _ => (10, &digits[..]),
    };
    // The upper half of `ulong` wraps, as metadata has it.
    u64::from_str_radix(digits, radix)
        .ok()
        .map(|value| value as i64)
}

fn character(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let mut chars = inner.chars();
    let first = chars.next()?;
    if first != '\\' {
        return chars
            .next()
            .is_none()
            .then_some(i64::from(u32::from(first)));
    }
    let escape = chars.next()?;
    Some(match escape {
        '0' => 0,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        'e' => 27,
        'u' | 'x' | 'U' => i64::from_str_radix(chars.as_str(), 16).ok()?,
        '\\' | '\'' | '"' => i64::from(u32::from(escape)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn literals_signs_flags_and_names_have_values() {
        let named = |name: &str| (name == "A").then_some(4);
        for (text, expected) in [
            ("12", Some(12)),
            ("-1", Some(-1)),
            ("0x1F_FF", Some(0x1FFF)),
            ("0b101", Some(5)),
            ("7UL", Some(7)),
            ("1<<3", Some(8)),
            ("A|1", Some(5)),
            ("E.A|(1<<0)", None),
            ("~A", Some(!4)),
            ("'a'", Some(97)),
            ("'\\n'", Some(10)),
            ("'\\u0041'", Some(65)),
            ("0xFFFFFFFFFFFFFFFF", Some(-1)),
            ("B", None),
            ("1.5", None),
            ("1+", None),
            ("", None),
        ] {
            assert_eq!(value(text, &named), expected, "{text}");
        }
    }
}
