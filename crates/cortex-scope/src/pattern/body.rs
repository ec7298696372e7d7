//! The body of a pattern, such as `src//*.cs`, to a regular expression over paths or qualified names.

use regex::bytes::{Regex, RegexBuilder};

/// What divides a subject into segments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Separator {
    /// Of paths.
    Slash,
    /// Of namespaces and names.
    Dot,
}

impl Separator {
    /// As it is written.
    pub fn as_char(self) -> char {
        match self {
            Self::Slash => '/',
            Self::Dot => '.',
        }
    }
}

/// The expression of the regex crate that is equal to a body; it counts for whole subjects.
///
/// A `*` is looked at with what follows it: before another character it crosses separators, at the end and
/// doubled it does not. Two separators stand for any number of segments between them, and one at the end of a
/// body is dropped. `$` keeps the meaning that it has in an expression, as in the IDE.
pub fn to_regex(body: &str, separator: Separator) -> String {
    let mark = separator.as_char();
    let literal = regex::escape(mark.encode_utf8(&mut [0; 4]));
    let segment = format!("[^{literal}]*");
    let mut out = String::with_capacity(body.len() * 2);
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c == mark {
            if chars.next_if_eq(&mark).is_some() {
                out.push_str(&format!("{literal}(.*{literal})?"));
            } else if chars.peek().is_some() {
                out.push_str(&literal);
            }
        } else if c == '*' {
            match chars.next_if_eq(&'*') {
                Some(_) => out.push_str(&segment),
                None if chars.peek().is_some() => out.push_str(".*"),
                None => out.push_str(&segment),
            }
        } else if c == '$' {
            out.push(c);
        } else {
            out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
        }
    }
    out
}

/// A compiled expression; matching takes time linear in the subject.
#[derive(Clone, Debug)]
pub(super) struct Matcher(Regex);

impl Matcher {
    /// `None` where the expression is larger than the engine takes.
    pub(super) fn new(expression: &str) -> Option<Self> {
        // A line break in a path is a character like any other: a file must not escape a scope by its name.
        // Over bytes, as all that is said of characters here holds of the bytes of UTF-8 too, at a tenth of the cost.
        RegexBuilder::new(&format!(r"\A(?:{expression})\z"))
            .unicode(false)
            .dot_matches_new_line(true)
            .build()
            .ok()
            .map(Self)
    }

    pub(super) fn is_match(&self, subject: &str) -> bool {
        self.0.is_match(subject.as_bytes())
    }
}
