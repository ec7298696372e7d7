//! Searches many texts in parallel.
//!
//! Owns: the order and the limits of an answer. Threads take texts in turn; the answer equals that of one thread that
//! takes them in order and stops at the limit, whichever thread is faster.

use std::{
    num::NonZeroUsize,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use cortex_model::Stop;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use crate::{
    found::{FoundText, Hit, Outcome},
    lines::BYTE_ORDER_MARK,
    pattern::Pattern,
    text_sink::{MAX_HIT_BYTES, TextSink, hit_bytes},
};

/// The texts to search, in the order of the answer.
pub trait Texts: Sync {
    /// The state with which one thread reads.
    type Reader;
    /// What is reported about a hit beside its place.
    type Note: Send;
    /// The error of reading, which ends the search.
    type Error: Send;

    /// The number of texts.
    fn n_texts(&self) -> usize;

    /// Creates a reader for one thread.
    fn open(&self) -> Self::Reader;

    /// Reads a text as UTF-8 into an empty buffer.
    ///
    /// # Errors
    /// Errors that end the search.
    fn read(
        &self,
        reader: &mut Self::Reader,
        nth: usize,
        text: &mut Vec<u8>,
    ) -> Result<TextRead, Self::Error>;

    /// Whether only some places of a text count as hits.
    fn is_selective(&self, _nth: usize) -> bool {
        false
    }

    /// Retains the hits that count, and the context lines that may be shown. Called for selective texts with hits.
    ///
    /// # Errors
    /// Errors that end the search.
    fn select(&self, _text: &str, _found: &mut FoundText<Self::Note>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Creates one note for each hit while the text is in memory. Called for texts with hits.
    ///
    /// # Errors
    /// Errors that end the search.
    fn note(&self, nth: usize, text: &str, hits: &[Hit]) -> Result<Vec<Self::Note>, Self::Error>;
}

/// The result of reading a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextRead {
    /// The file is a text.
    Text,
    /// The file is binary.
    Binary,
    /// The file is missing, which does not end the search.
    Missing,
    /// The file is too large to be searched.
    TooLarge,
}

/// The limits of a search.
#[derive(Clone, Copy)]
pub struct SearchOptions<'a> {
    /// The number of context lines before and after a match.
    pub n_context: usize,
    /// The maximum number of hits.
    pub max_hits: usize,
    /// The number of threads.
    pub n_threads: NonZeroUsize,
    /// Asked before each text: whether to go on.
    pub stop: &'a (dyn Fn() -> Option<Stop> + Sync),
}

/// The number of bytes that are checked for a zero byte, as in git.
const N_BINARY_BYTES: usize = 8_000;

/// Whether content is binary by git's rule: one of the first bytes is 0. This includes text in UTF-16.
pub fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(N_BINARY_BYTES)]).is_some()
}

/// The state of one text.
enum Slot<N> {
    Searched(Option<FoundText<N>>, Extent),
    Binary,
    Missing,
    TooLarge,
}

/// How much of a text was searched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    /// Up to the point at which the search was stopped, or its hits took too much memory.
    Part(Option<Stop>),
}

/// The state shared by all threads.
struct Shared<N> {
    slots: Vec<Option<Slot<N>>>,
    /// The number of leading texts that are done.
    n_done: usize,
    /// The number of hits in those texts.
    n_hits: usize,
    /// The memory that those hits use.
    n_bytes: usize,
    stop: Option<Stop>,
}

/// Searches texts for a pattern.
///
/// The hits are the first ones by text, then by place. If the search is stopped, they are those found until then.
///
/// # Errors
/// The first error of reading a text, in the order of the texts.
pub fn search<T: Texts>(
    texts: &T,
    pattern: &Pattern,
    options: &SearchOptions<'_>,
) -> Result<Outcome<T::Note>, T::Error> {
    let n_texts = texts.n_texts();
    let next = AtomicUsize::new(0);
    // Texts from this index on are not needed.
    let end = AtomicUsize::new(n_texts);
    let shared = Mutex::new(Shared {
        slots: (0..n_texts).map(|_| None).collect(),
        n_done: 0,
        n_hits: 0,
        n_bytes: 0,
        stop: None,
    });
    let failure: Mutex<Option<(usize, T::Error)>> = Mutex::new(None);
    let work = || {
        let mut reader = texts.open();
        let mut searcher = searcher(options.n_context);
        let mut text = Vec::new();
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            if nth >= end.load(Ordering::Relaxed) {
                return;
            }
            if let Some(stop) = (options.stop)() {
                locked(&shared).stop.get_or_insert(stop);
                end.store(0, Ordering::Relaxed);
                return;
            }
            text.clear();
            let slot = search_one(
                texts,
                pattern,
                options,
                &mut reader,
                &mut searcher,
                nth,
                &mut text,
            );
            match slot {
                Ok(slot) => {
                    let mut shared = locked(&shared);
                    if let Slot::Searched(_, Extent::Part(Some(stop))) = slot {
                        shared.stop.get_or_insert(stop);
                        end.store(0, Ordering::Relaxed);
                    }
                    shared.slots[nth] = Some(slot);
                    shared.advance();
                    // One hit beyond the limit shows that there are more.
                    if shared.is_full(options) {
                        end.fetch_min(shared.n_done, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    let mut failure = locked(&failure);
                    if failure.as_ref().is_none_or(|(first, _)| nth < *first) {
                        *failure = Some((nth, error));
                    }
                    end.fetch_min(nth, Ordering::Relaxed);
                    return;
                }
            }
        }
    };
    let n_threads = options.n_threads.get().min(n_texts.max(1));
    if n_threads == 1 {
        work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..n_threads {
                scope.spawn(work);
            }
        });
    }
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, error)) = failure {
        // An error behind the last reported hit does not matter.
        if !shared.is_full(options) {
            return Err(error);
        }
    }
    Ok(shared.into_outcome(options))
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn searcher(n_context: usize) -> Searcher {
    SearcherBuilder::new()
        .line_terminator(Pattern::line_terminator())
        .line_number(true)
        .before_context(n_context)
        .after_context(n_context)
        // Binary files were skipped already, and texts are UTF-8.
        .binary_detection(BinaryDetection::none())
        .bom_sniffing(false)
        .build()
}

fn search_one<T: Texts>(
    texts: &T,
    pattern: &Pattern,
    options: &SearchOptions<'_>,
    reader: &mut T::Reader,
    searcher: &mut Searcher,
    nth: usize,
    text: &mut Vec<u8>,
) -> Result<Slot<T::Note>, T::Error> {
    match texts.read(reader, nth, text)? {
        TextRead::Text => {}
        TextRead::Binary => return Ok(Slot::Binary),
        TextRead::Missing => return Ok(Slot::Missing),
        TextRead::TooLarge => return Ok(Slot::TooLarge),
    }
    let is_selective = texts.is_selective(nth);
    // The byte order mark is not part of the first line.
    let n_mark = if text.starts_with(BYTE_ORDER_MARK.as_bytes()) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    let content = std::str::from_utf8(text).unwrap_or_default();
    let mut select = |hits: &mut Vec<Hit>| {
        if !is_selective || hits.is_empty() {
            return Ok(());
        }
        let mut found = FoundText {
            nth,
            hits: std::mem::take(hits),
            notes: Vec::new(),
            context: Vec::new(),
        };
        texts.select(content, &mut found)?;
        *hits = found.hits;
        Ok(())
    };
    let max_hits = options.max_hits.saturating_add(1);
    let mut sink = TextSink::new(pattern, n_mark, max_hits, &mut select, options.stop);
    // The sink never fails, and reading from memory cannot.
    let _ = searcher.search_slice(&pattern.matcher, &text[n_mark..], &mut sink);
    sink.flush();
    let extent = match (sink.is_cut, sink.stopped) {
        (false, None) => Extent::Whole,
        (_, stopped) => Extent::Part(stopped),
    };
    let TextSink {
        mut hits,
        context,
        error,
        ..
    } = sink;
    if let Some(error) = error {
        return Err(error);
    }
    hits.truncate(max_hits);
    if hits.is_empty() {
        return Ok(Slot::Searched(None, extent));
    }
    let mut found = FoundText {
        nth,
        hits,
        notes: Vec::new(),
        context,
    };
    if is_selective {
        // The hits were selected in batches; this selects the context lines.
        let hits = std::mem::take(&mut found.hits);
        texts.select(content, &mut found)?;
        found.hits = hits;
    }
    found.notes = texts.note(nth, content, &found.hits)?;
    Ok(Slot::Searched(Some(found), extent))
}

impl<N> Shared<N> {
    fn advance(&mut self) {
        while let Some(Some(slot)) = self.slots.get(self.n_done) {
            if let Slot::Searched(Some(found), _) = slot {
                self.n_hits += found.hits.len();
                self.n_bytes += found.hits.iter().map(hit_bytes).sum::<usize>();
            }
            self.n_done += 1;
        }
    }

    /// Whether the hits of the leading texts exceed a limit.
    fn is_full(&self, options: &SearchOptions<'_>) -> bool {
        self.n_hits > options.max_hits || self.n_bytes > MAX_HIT_BYTES
    }

    fn into_outcome(self, options: &SearchOptions<'_>) -> Outcome<N> {
        let n_texts = self.slots.len();
        let is_full = self.is_full(options);
        // Ignore the texts behind the limit: which of them are done depends on the timing of threads.
        let n_taken = if is_full { self.n_done } else { n_texts };
        let mut out = Outcome {
            timed_out: self.stop == Some(Stop::TimedOut) && !is_full,
            canceled: self.stop == Some(Stop::Canceled) && !is_full,
            ..Outcome::default()
        };
        let mut left = options.max_hits;
        let mut is_partial = false;
        for (nth, slot) in self.slots.into_iter().take(n_taken).enumerate() {
            if is_full && left == 0 {
                break;
            }
            match slot {
                None => {}
                Some(Slot::Binary) => out.binary.push(nth),
                Some(Slot::Missing) => out.missing.push(nth),
                Some(Slot::TooLarge) => out.too_large.push(nth),
                Some(Slot::Searched(found, extent)) => {
                    is_partial |= extent != Extent::Whole;
                    out.n_searched += 1;
                    let Some(mut found) = found else { continue };
                    found.hits.truncate(left);
                    found.notes.truncate(left);
                    left -= found.hits.len();
                    found.keep_near_context(options.n_context);
                    out.n_hits += found.hits.len();
                    out.found.push(found);
                }
            }
        }
        let n_skipped = out.binary.len() + out.missing.len() + out.too_large.len();
        out.n_left = n_texts - out.n_searched - n_skipped;
        out.probably_has_more = is_full || is_partial || out.n_left > 0;
        out
    }
}

impl<N> FoundText<N> {
    /// Removes context lines that are near no remaining hit.
    fn keep_near_context(&mut self, n_context: usize) {
        let n = n_context as u32;
        let lines: Vec<u32> = self.hits.iter().map(|hit| hit.line).collect();
        self.context.retain(|context| {
            let after = lines.partition_point(|line| *line < context.line.saturating_sub(n));
            lines
                .get(after)
                .is_some_and(|line| *line <= context.line + n)
                && lines.binary_search(&context.line).is_err()
        });
    }
}
