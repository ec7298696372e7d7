//! Compiles the body of a pattern, such as `src//*.cs`, to a regular expression over paths or qualified names.

use regex::bytes::{Regex, RegexBuilder};

/// The separator between the segments of a path or qualified name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Separator {
    /// Of paths.
    Slash,
    /// Of namespaces and names.
    Dot,
}

impl Separator {
    /// The text form.
    pub fn as_char(self) -> char {
        match self {
            Self::Slash => '/',
            Self::Dot => '.',
        }
    }
}

/// Translates a body to a regular expression of the regex crate, to be matched against whole subjects.
///
/// A `*` before another character matches across separators; at the end, or doubled, it does not. Two separators match
/// any number of segments, and a separator at the end of a body is ignored. `$` keeps its meaning in regular
/// expressions, as in the IDE.
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
    /// Compiles an expression; `None` where it exceeds the size limit of the engine.
    pub(super) fn new(expression: &str) -> Option<Self> {
        // `.` matches line breaks, so that a file cannot escape a scope by its name. Bytes are enough because no
        // class here distinguishes characters beyond ASCII, and they cost a tenth of Unicode matching.
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
