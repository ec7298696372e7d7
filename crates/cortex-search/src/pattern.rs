//! Queries and their compilation.
//!
//! Must not know: texts.

use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcherBuilder;
use regex_syntax::ParserBuilder;

use crate::matcher::LineMatcher;

/// How the text of a query is interpreted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// As literal text.
    #[default]
    Plain,
    /// As a regular expression in the syntax of Rust's `regex`, matched within one line.
    Regex,
    /// As literal text that is a whole word.
    Word,
    /// As a whole identifier; a leading `@` is ignored.
    Identifier,
}

/// Whether the case of letters counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Case {
    /// Upper and lower case differ.
    #[default]
    Sensitive,
    /// Upper and lower case are equal, by Unicode's simple case folding.
    Insensitive,
}

/// A text query.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// The text as written.
    pub text: String,
    /// How the text is interpreted.
    pub mode: Mode,
    /// Whether the case of letters counts.
    pub case: Case,
}

/// A compiled query.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub(crate) matcher: LineMatcher,
}

/// Why a query does not compile.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternError {
    /// The query is empty.
    #[error("the query is empty")]
    Empty,
    /// The query has a line break, but lines are searched one by one.
    #[error("the query has a line break, but lines are searched one by one")]
    LineBreak,
    /// The text is not an identifier.
    #[error("`{0}` is not an identifier")]
    NoIdentifier(String),
    /// No match would be shorter than [`MAX_EXPRESSION_LEN`].
    #[error(
        "the query only matches texts of more than {MAX_EXPRESSION_LEN} bytes, which would take too long to search for"
    )]
    TooLong,
    /// The text is not a regular expression, or one that would take too much memory.
    #[error("{0}")]
    Regex(String),
}

/// The size limit of a compiled query, in bytes.
const MAX_BYTES: usize = 32 << 20;

/// The longest text, in bytes, that an expression may require. Matching costs this much for each byte of a line, and
/// cannot be interrupted inside a line.
const MAX_EXPRESSION_LEN: usize = 1_000;

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
        if query.mode == Mode::Plain
            && query.case == Case::Sensitive
            && text.len() > MAX_EXPRESSION_LEN
        {
            let matcher = LineMatcher::literal(text);
            return Ok(Self { matcher });
        }
        if minimum_len(query.mode, text) > MAX_EXPRESSION_LEN {
            return Err(PatternError::TooLong);
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
        Ok(Self {
            matcher: LineMatcher::Expression(matcher),
        })
    }

    /// Whether a line matches.
    pub fn is_match(&self, line: &str) -> bool {
        matches!(self.matcher.is_match(line.as_bytes()), Ok(true))
    }

    /// The matching lines of a text, in order and without line endings.
    pub fn matching_lines<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut out = Vec::new();
        let mut end = 0;
        // Matching in memory cannot fail.
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

    /// Lines end at `\n` or `\r\n`.
    pub(crate) fn line_terminator() -> LineTerminator {
        LineTerminator::crlf()
    }
}

/// The length in bytes of the shortest match; 0 for what is not an expression, which compiling reports.
fn minimum_len(mode: Mode, text: &str) -> usize {
    if mode != Mode::Regex {
        return text.len();
    }
    let parsed = ParserBuilder::new().utf8(false).build().parse(text);
    parsed
        .ok()
        .and_then(|hir| hir.properties().minimum_len())
        .unwrap_or(0)
}

/// Whether a text is one identifier of most languages: a letter or `_`, then letters, digits and `_`.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '_' || c.is_alphanumeric())
}
