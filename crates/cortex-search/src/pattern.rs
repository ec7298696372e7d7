//! What is searched for, and how it is compiled.
//!
//! Must not know: texts.

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};

/// What the text of a query is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// The text itself.
    #[default]
    Plain,
    /// A regular expression in the syntax of Rust's `regex`, which is matched within one line.
    Regex,
    /// The text itself where no word goes on before or after it.
    Word,
    /// An identifier, whole; a leading `@` means nothing.
    Identifier,
}

/// Whether upper and lower case differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Case {
    /// They do.
    #[default]
    Sensitive,
    /// They do not, by Unicode's simple case folding.
    Insensitive,
}

/// What is searched for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// As written.
    pub text: String,
    /// What the text is.
    pub mode: Mode,
    /// Whether upper and lower case differ.
    pub case: Case,
}

/// A query that can be searched for.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub(crate) matcher: RegexMatcher,
}

/// Why a query cannot be searched for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternError {
    /// There is nothing in it.
    #[error("the query is empty")]
    Empty,
    /// Lines are searched one by one.
    #[error("the query has a line break, and lines are searched one by one")]
    LineBreak,
    /// It cannot be an identifier.
    #[error("`{0}` is no identifier")]
    NoIdentifier(String),
    /// It is no regular expression, or one that would take too much memory.
    #[error("{0}")]
    Regex(String),
}

/// The compiled form of a query may take so many bytes.
const MAX_BYTES: usize = 32 << 20;

impl Pattern {
    /// Compiles a query.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn compile(query: &Query) -> Result<Self, PatternError> {
        let mut text = query.text.as_str();
        if query.mode == Mode::Identifier {
            text = text.strip_prefix('@').unwrap_or(text);
        }
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        if text.contains(['\n', '\r']) {
            return Err(PatternError::LineBreak);
        }
        if query.mode == Mode::Identifier && !is_identifier(text) {
            return Err(PatternError::NoIdentifier(text.to_owned()));
        }
        let matcher = RegexMatcherBuilder::new()
            .case_insensitive(query.case == Case::Insensitive)
            .fixed_strings(query.mode != Mode::Regex)
            .word(matches!(query.mode, Mode::Word | Mode::Identifier))
            .multi_line(true)
            .crlf(true)
            .size_limit(MAX_BYTES)
            .dfa_size_limit(MAX_BYTES)
            .build(text)
            .map_err(|error| PatternError::Regex(error.to_string()))?;
        Ok(Self { matcher })
    }

    /// Whether something in a line matches.
    pub fn is_match(&self, line: &str) -> bool {
        matches!(self.matcher.is_match(line.as_bytes()), Ok(true))
    }

    /// The lines of a text that match, in order and without their ends.
    pub fn matching_lines<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut out = Vec::new();
        let mut end = 0;
        // Compiled expressions are matched in memory without errors.
        let _ = self.matcher.find_iter(text.as_bytes(), |found| {
            if out.is_empty() || found.start() > end {
                let (before, after) = text.as_bytes().split_at(found.start());
                let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
                end = memchr::memchr(b'\n', after).map_or(text.len(), |at| found.start() + at);
                out.push(&text[start..end]);
            }
            true
        });
        out
    }

    /// How lines end: at `\n`, with or without a `\r` before it.
    pub(crate) fn line_terminator() -> LineTerminator {
        LineTerminator::crlf()
    }
}

/// Whether a text is one identifier of most languages: a letter or `_`, then letters, digits and `_`.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '_' || c.is_alphanumeric())
}
