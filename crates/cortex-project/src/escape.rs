//! MSBuild's escapes: `%3B` for `;` and so on.

use std::borrow::Cow;

/// Undoes `%XX`. Only characters that fit one byte are ever written so.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let code = rest
            .get(at + 1..at + 3)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code {
            Some(code) => {
                out.push(char::from(code));
                rest = &rest[at + 3..];
            }
            None => {
                out.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Writes the characters that mean something to MSBuild as `%XX`.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "%*?@$();'".contains(c) {
            out.push_str(&format!("%{:02x}", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escape, unescape};

    #[test]
    fn escapes_round_trip_and_stray_percent_signs_stay() {
        assert_eq!(unescape("a%3Bb%28"), "a;b(");
        assert_eq!(unescape("100% %zz %"), "100% %zz %");
        assert_eq!(unescape(&escape("a;b%(c)*é")), "a;b%(c)*é");
    }
}
