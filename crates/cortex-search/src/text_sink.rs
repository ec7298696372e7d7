//! The lines that ripgrep's searcher finds in one text, taken apart into hits.

use std::io;

use cortex_model::ByteRange;
use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use crate::{
    found::{ContextLine, Hit},
    lines::{shown, trimmed, utf16_len},
    pattern::Pattern,
};

/// Takes the lines of one text.
pub(crate) struct TextSink<'p> {
    pub(crate) pattern: &'p Pattern,
    /// How many bytes of the text stand before what is searched.
    pub(crate) start: usize,
    /// No more are wanted.
    pub(crate) max_hits: usize,
    pub(crate) hits: Vec<Hit>,
    pub(crate) context: Vec<ContextLine>,
}

/// A line as text; texts are UTF-8, so that nothing is lost.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

impl TextSink<'_> {
    fn add(&mut self, line_number: u32, line_start: usize, line: &str, start: usize, end: usize) {
        let shown_line = trimmed(line);
        // What matches the end of the line is shown at the edge of what is seen.
        let from = start.min(shown_line.len());
        let to = end.clamp(from, shown_line.len());
        self.hits.push(Hit {
            line: line_number,
            column: 1 + utf16_len(&shown_line[..from]),
            length: utf16_len(&shown_line[from..to]),
            range: ByteRange {
                start: (line_start + start) as u32,
                end: (line_start + end) as u32,
            },
            text: shown(shown_line, from),
        });
    }
}

impl Sink for TextSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let line = text(found.bytes());
        let line_number = found.line_number().unwrap_or(0) as u32;
        let line_start = self.start + found.absolute_byte_offset() as usize;
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = content.strip_suffix('\r').unwrap_or(content);
        let mut places: Vec<(usize, usize)> = Vec::new();
        let left = self.max_hits.saturating_sub(self.hits.len());
        let matcher = &self.pattern.matcher;
        let _ = matcher.find_iter(content.as_bytes(), |place| {
            places.push((place.start(), place.end()));
            // One more, as empty ones may go.
            places.len() <= left.saturating_mul(2)
        });
        // Matches of nothing are places between characters: one of them stands for a line that has no other.
        if places.iter().any(|(start, end)| start < end) {
            places.retain(|(start, end)| start < end);
        } else {
            places.truncate(1);
        }
        places.truncate(left);
        for (start, end) in places {
            self.add(line_number, line_start, line, start, end);
        }
        Ok(self.hits.len() < self.max_hits)
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> Result<bool, io::Error> {
        let line = trimmed(text(found.bytes()));
        self.context.push(ContextLine {
            line: found.line_number().unwrap_or(0) as u32,
            text: shown(line, 0),
        });
        Ok(true)
    }
}
