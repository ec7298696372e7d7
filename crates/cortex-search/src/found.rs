//! What a search finds, as plain data.

use cortex_model::ByteRange;

use crate::lines::{BYTE_ORDER_MARK, part};

/// One match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column in UTF-16 units, as editors count; a byte order mark takes none.
    pub column: u32,
    /// The length in UTF-16 units; 0 where nothing is matched between two characters.
    pub length: u32,
    /// Where it is in the text, in bytes.
    pub range: ByteRange,
    /// The line.
    pub text: LineText,
}

/// A line, or the part of it that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineText {
    /// At most [`crate::MAX_LINE_CHARS`] characters, without the line break.
    pub text: String,
    /// The 1-based column of its first character, in UTF-16 units: beyond 1 where the match stands further right
    /// than a line is shown.
    pub first_column: u32,
    /// Whether the line goes on before or after it.
    pub is_cut: bool,
    /// Whether characters behind the text are left out.
    pub is_cut_behind: bool,
}

impl Hit {
    /// Shows of its line only what lies in a range of the text, which it is in.
    pub fn cut(&mut self, text: &str, shown: ByteRange) {
        let start = self.range.start as usize;
        let first = if text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len()
        } else {
            0
        };
        let line_start = text[..start].rfind('\n').map_or(first, |at| at + 1);
        let line = text[line_start..].split('\n').next().unwrap_or_default();
        self.text = part(line, line_start, start, shown);
    }
}

/// A line around a match in which nothing matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextLine {
    /// The 1-based line.
    pub line: u32,
    /// The line.
    pub text: LineText,
}

/// A text in which something was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundText<N> {
    /// Which of the texts.
    pub nth: usize,
    /// By place.
    pub hits: Vec<Hit>,
    /// What was noted of each hit.
    pub notes: Vec<N>,
    /// By line; none of them is the line of a hit.
    pub context: Vec<ContextLine>,
}

/// What a search found, and how far it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome<N> {
    /// In the order of the texts.
    pub found: Vec<FoundText<N>>,
    /// How many hits these have.
    pub n_hits: usize,
    /// How many texts were searched, binary ones left out.
    pub n_searched: usize,
    /// Which texts were passed over as binary, in order.
    pub binary: Vec<usize>,
    /// Which texts could not be had, in order.
    pub missing: Vec<usize>,
    /// Which texts were not looked at, as the limit or the time was reached before: how many.
    pub n_left: usize,
    /// Whether there is more, or may be: the limit was reached and one more hit was found, or texts are left.
    pub probably_has_more: bool,
    /// Whether the time ended the search.
    pub timed_out: bool,
    /// Whether somebody ended the search.
    pub canceled: bool,
}

// Derived, it would ask the same of notes.
impl<N> Default for Outcome<N> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            n_hits: 0,
            n_searched: 0,
            binary: Vec::new(),
            missing: Vec::new(),
            n_left: 0,
            probably_has_more: false,
            timed_out: false,
            canceled: false,
        }
    }
}
