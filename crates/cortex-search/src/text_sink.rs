//! Splits the matching lines of one text, as ripgrep's searcher reports them, into hits.

use std::io;

use cortex_model::{ByteRange, Stop};
use grep_matcher::Matcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use crate::{
    found::{ContextLine, Hit},
    lines::{shown, trimmed, utf16_len},
    pattern::Pattern,
};

/// The number of hits after which a batch is selected and the caller is asked whether to go on: a single line may have
/// millions.
const BATCH: usize = 1 << 14;

/// The memory that the hits of one search may use, in bytes.
pub(crate) const MAX_HIT_BYTES: usize = 64 << 20;

/// Retains the hits that count.
pub(crate) type Select<'s, E> = dyn FnMut(&mut Vec<Hit>) -> Result<(), E> + 's;

/// Collects the hits and context lines of one text.
pub(crate) struct TextSink<'s, E> {
    pattern: &'s Pattern,
    /// The number of bytes of the text before the searched part.
    start: usize,
    /// The search ends after this many hits.
    max_hits: usize,
    select: &'s mut Select<'s, E>,
    stop: &'s (dyn Fn() -> Option<Stop> + Sync),
    batch: Vec<Hit>,
    pub(crate) hits: Vec<Hit>,
    pub(crate) context: Vec<ContextLine>,
    n_bytes: usize,
    /// Whether hits were dropped to bound memory.
    pub(crate) is_cut: bool,
    pub(crate) stopped: Option<Stop>,
    pub(crate) error: Option<E>,
}

/// A line of the searched text.
#[derive(Clone, Copy)]
struct Line<'t> {
    number: u32,
    /// The byte of the text at which the line starts.
    start: usize,
    /// The line without its ending.
    text: &'t str,
    /// The last hit in bytes of the line, with its column: columns are counted from hit to hit.
    last: (usize, u32),
}

/// Converts a line to text. The searched texts are UTF-8, so this loses nothing.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// The memory that a hit uses, in bytes.
pub(crate) fn hit_bytes(hit: &Hit) -> usize {
    size_of::<Hit>() + hit.text.text.len()
}

impl<'s, E> TextSink<'s, E> {
    pub(crate) fn new(
        pattern: &'s Pattern,
        start: usize,
        max_hits: usize,
        select: &'s mut Select<'s, E>,
        stop: &'s (dyn Fn() -> Option<Stop> + Sync),
    ) -> Self {
        Self {
            pattern,
            start,
            max_hits,
            select,
            stop,
            batch: Vec::new(),
            hits: Vec::new(),
            context: Vec::new(),
            n_bytes: 0,
            is_cut: false,
            stopped: None,
            error: None,
        }
    }

    /// Adds a hit; returns whether to go on.
    fn add(&mut self, line: &mut Line<'_>, start: usize, end: usize) -> bool {
        // A match in the line ending is reported at the end of the visible line.
        let from = start.min(line.text.len());
        let to = end.clamp(from, line.text.len());
        let (last, last_column) = line.last;
        let column = last_column + utf16_len(&line.text[last..from]);
        line.last = (from, column);
        self.batch.push(Hit {
            line: line.number,
            column,
            length: utf16_len(&line.text[from..to]),
            range: ByteRange {
                start: (line.start + start) as u32,
                end: (line.start + end) as u32,
            },
            text: shown(line.text, from, column),
            whole_line: ByteRange {
                start: line.start as u32,
                end: (line.start + line.text.len()) as u32,
            },
        });
        let is_enough = self.hits.len() + self.batch.len() >= self.max_hits;
        if !is_enough && self.batch.len() < BATCH {
            return true;
        }
        let goes_on = self.flush();
        if goes_on {
            self.stopped = (self.stop)();
        }
        goes_on && self.stopped.is_none()
    }

    /// Selects the hits of the batch; returns whether to go on.
    pub(crate) fn flush(&mut self) -> bool {
        if let Err(error) = (self.select)(&mut self.batch) {
            self.error = Some(error);
            return false;
        }
        for hit in self.batch.drain(..) {
            self.n_bytes += hit_bytes(&hit);
            if self.n_bytes > MAX_HIT_BYTES {
                self.is_cut = true;
                break;
            }
            self.hits.push(hit);
        }
        !self.is_cut && self.hits.len() < self.max_hits
    }
}

impl<E> Sink for TextSink<'_, E> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let mut line = Line {
            number: found.line_number().unwrap_or(0) as u32,
            start: self.start + found.absolute_byte_offset() as usize,
            text: trimmed(text(found.bytes())),
            last: (0, 1),
        };
        let content = line.text.as_bytes();
        let matcher = &self.pattern.matcher;
        let (mut goes_on, mut has_hit, mut first_empty) = (true, false, None);
        let _ = matcher.find_iter(content, |place| {
            if place.is_empty() {
                first_empty.get_or_insert(place.start());
            } else {
                has_hit = true;
                goes_on = self.add(&mut line, place.start(), place.end());
            }
            goes_on
        });
        // Empty matches lie between characters; one is enough to report a line without other matches.
        if let (false, Some(at)) = (has_hit, first_empty) {
            goes_on = self.add(&mut line, at, at);
        }
        Ok(goes_on)
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> Result<bool, io::Error> {
        let line = trimmed(text(found.bytes()));
        self.context.push(ContextLine {
            line: found.line_number().unwrap_or(0) as u32,
            text: shown(line, 0, 1),
        });
        Ok(true)
    }
}
