//! The result of a search, as plain data.

use cortex_model::ByteRange;

use crate::lines::part;

/// One match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column in UTF-16 units, as editors count; a byte order mark takes none.
    pub column: u32,
    /// The length in UTF-16 units; 0 for an empty match between two characters.
    pub length: u32,
    /// The match in the text, in bytes.
    pub range: ByteRange,
    /// The line.
    pub text: LineText,
    /// The whole line in the text, in bytes, without the line ending.
    pub(crate) whole_line: ByteRange,
}

/// A line, or the part of it that is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineText {
    /// At most [`crate::MAX_LINE_CHARS`] characters, without the line break.
    pub text: String,
    /// The 1-based column of its first character, in UTF-16 units; greater than 1 where the start of the line is cut.
    pub first_column: u32,
    /// Whether the line continues before or after the text.
    pub is_cut: bool,
    /// Whether the line continues after the text.
    pub is_cut_behind: bool,
}

impl Hit {
    /// Restricts the shown part of the line to a range of the text that contains the hit.
    pub fn cut(&mut self, text: &str, shown: ByteRange) {
        let line_start = self.whole_line.start as usize;
        let line = &text[line_start..self.whole_line.end as usize];
        let at = self.range.start as usize;
        self.text = part(line, line_start, at, self.column, shown);
    }
}

/// A line near a match that has no match itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContextLine {
    /// The 1-based line.
    pub line: u32,
    /// The line.
    pub text: LineText,
}

/// A text with at least one hit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundText<N> {
    /// The index of the text.
    pub nth: usize,
    /// The hits, by place.
    pub hits: Vec<Hit>,
    /// The note of each hit.
    pub notes: Vec<N>,
    /// Lines near hits, in order; none has a hit.
    pub context: Vec<ContextLine>,
}

/// The result of a search, with its statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome<N> {
    /// The texts with hits, in the order of the texts.
    pub found: Vec<FoundText<N>>,
    /// The number of hits.
    pub n_hits: usize,
    /// The number of texts that were searched, without binary ones.
    pub n_searched: usize,
    /// The texts that were skipped as binary, in order.
    pub binary: Vec<usize>,
    /// The texts that are missing, in order.
    pub missing: Vec<usize>,
    /// The texts that are too large to be searched, in order.
    pub too_large: Vec<usize>,
    /// The number of texts that were not searched, or not to their end, before a limit was reached.
    pub n_left: usize,
    /// Whether there are or may be more hits: the limit was exceeded, or texts were not searched.
    pub probably_has_more: bool,
    /// Whether the time limit ended the search.
    pub timed_out: bool,
    /// Whether the caller canceled the search.
    pub canceled: bool,
}

// Implemented by hand, because a derived `Default` would require `N: Default`.
impl<N> Default for Outcome<N> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            n_hits: 0,
            n_searched: 0,
            binary: Vec::new(),
            missing: Vec::new(),
            too_large: Vec::new(),
            n_left: 0,
            probably_has_more: false,
            timed_out: false,
            canceled: false,
        }
    }
}
