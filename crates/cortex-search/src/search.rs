//! Many texts, searched side by side.
//!
//! Owns: the order and the limits of an answer. Threads take texts in turn; the answer is that of one thread that
//! takes them in order and stops at the limit, whichever thread was faster.

use std::{
    num::NonZeroUsize,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use crate::{
    found::{FoundText, Hit, Outcome},
    lines::BYTE_ORDER_MARK,
    pattern::Pattern,
    text_sink::TextSink,
};

/// The texts to search, in the order of the answer.
pub trait Texts: Sync {
    /// What one thread reads with.
    type Reader;
    /// What is told of a hit beside its place.
    type Note: Send;
    /// What reading can fail with; that ends the search.
    type Error: Send;

    /// How many there are.
    fn n_texts(&self) -> usize;

    /// A reader for one thread.
    fn open(&self) -> Self::Reader;

    /// Reads a text as UTF-8, into a buffer that is empty.
    ///
    /// # Errors
    /// Those that end the search.
    fn read(
        &self,
        reader: &mut Self::Reader,
        nth: usize,
        text: &mut Vec<u8>,
    ) -> Result<TextRead, Self::Error>;

    /// Whether only some places of a text count.
    fn is_selective(&self, _nth: usize) -> bool {
        false
    }

    /// Leaves the hits that count, and the lines around them that may be shown; asked where only some places of a text
    /// count and something was found.
    ///
    /// # Errors
    /// Those that end the search.
    fn select(&self, _text: &str, _found: &mut FoundText<Self::Note>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// One note for each hit, made while the text is at hand; not asked where there is no hit.
    ///
    /// # Errors
    /// Those that end the search.
    fn note(&self, nth: usize, text: &str, hits: &[Hit]) -> Result<Vec<Self::Note>, Self::Error>;
}

/// What reading a text gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextRead {
    /// A text.
    Text,
    /// No text.
    Binary,
    /// Not to be had, which ends no search.
    Missing,
}

/// How much is searched.
#[derive(Clone, Copy)]
pub struct SearchOptions<'a> {
    /// How many lines before and after a match are told.
    pub n_context: usize,
    /// No more hits than that.
    pub max_hits: usize,
    /// How many threads search.
    pub n_threads: NonZeroUsize,
    /// Asked before each text: whether to go on.
    pub stop: &'a (dyn Fn() -> Option<Stop> + Sync),
}

/// Why a search ends before it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time is over.
    TimedOut,
    /// Nobody waits for the answer.
    Canceled,
}

/// So many bytes are looked at for one that is 0, as git does.
const N_BINARY_BYTES: usize = 8_000;

/// Whether bytes are no text, by git's rule: a byte among the first is 0. Texts in UTF-16 have such bytes, too.
pub fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(N_BINARY_BYTES)]).is_some()
}

/// What became of one text.
enum Slot<N> {
    Searched(Option<FoundText<N>>),
    Binary,
    Missing,
}

/// What all threads know.
struct Shared<N> {
    slots: Vec<Option<Slot<N>>>,
    /// All texts before this one are done.
    n_done: usize,
    /// How many hits these have.
    n_hits: usize,
    stop: Option<Stop>,
}

/// Searches texts for a pattern.
///
/// The hits are the first ones by text, then by place. Where the time ends the search or somebody does, those of
/// the texts that were done by then.
///
/// # Errors
/// The first of reading texts, in their order as far as they were read.
pub fn search<T: Texts>(
    texts: &T,
    pattern: &Pattern,
    options: &SearchOptions<'_>,
) -> Result<Outcome<T::Note>, T::Error> {
    let n_texts = texts.n_texts();
    let next = AtomicUsize::new(0);
    // From this text on nothing is wanted.
    let end = AtomicUsize::new(n_texts);
    let shared = Mutex::new(Shared {
        slots: (0..n_texts).map(|_| None).collect(),
        n_done: 0,
        n_hits: 0,
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
                    shared.slots[nth] = Some(slot);
                    shared.advance();
                    // One more than wanted tells that there is more.
                    if shared.n_hits > options.max_hits {
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
        // What lies behind the last wanted hit is not asked for.
        if shared.n_hits <= options.max_hits {
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
        // What is binary has been decided, and texts are UTF-8.
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
    }
    let is_selective = texts.is_selective(nth);
    // Lines begin after the byte order mark.
    let n_mark = if text.starts_with(BYTE_ORDER_MARK.as_bytes()) {
        BYTE_ORDER_MARK.len()
    } else {
        0
    };
    let mut sink = TextSink {
        pattern,
        start: n_mark,
        max_hits: match is_selective {
            true => usize::MAX,
            false => options.max_hits.saturating_add(1),
        },
        hits: Vec::new(),
        context: Vec::new(),
    };
    // The sink fails never, and a text in memory is read without errors.
    let _ = searcher.search_slice(&pattern.matcher, &text[n_mark..], &mut sink);
    let TextSink { hits, context, .. } = sink;
    if hits.is_empty() {
        return Ok(Slot::Searched(None));
    }
    let text = std::str::from_utf8(text).unwrap_or_default();
    let mut found = FoundText {
        nth,
        hits,
        notes: Vec::new(),
        context,
    };
    if is_selective {
        texts.select(text, &mut found)?;
        found.hits.truncate(options.max_hits.saturating_add(1));
        if found.hits.is_empty() {
            return Ok(Slot::Searched(None));
        }
    }
    found.notes = texts.note(nth, text, &found.hits)?;
    Ok(Slot::Searched(Some(found)))
}

impl<N> Shared<N> {
    fn advance(&mut self) {
        while let Some(Some(slot)) = self.slots.get(self.n_done) {
            if let Slot::Searched(Some(found)) = slot {
                self.n_hits += found.hits.len();
            }
            self.n_done += 1;
        }
    }

    fn into_outcome(self, options: &SearchOptions<'_>) -> Outcome<N> {
        let n_texts = self.slots.len();
        let is_full = self.n_hits > options.max_hits;
        // Texts behind the one that reached the limit may be done or not, as threads happened to run.
        let n_taken = if is_full { self.n_done } else { n_texts };
        let mut out = Outcome {
            timed_out: self.stop == Some(Stop::TimedOut) && !is_full,
            canceled: self.stop == Some(Stop::Canceled) && !is_full,
            ..Outcome::default()
        };
        let mut left = options.max_hits;
        for (nth, slot) in self.slots.into_iter().take(n_taken).enumerate() {
            if is_full && left == 0 {
                break;
            }
            match slot {
                None => {}
                Some(Slot::Binary) => out.binary.push(nth),
                Some(Slot::Missing) => out.missing.push(nth),
                Some(Slot::Searched(found)) => {
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
        out.n_left = n_texts - out.n_searched - out.binary.len() - out.missing.len();
        out.probably_has_more = is_full || out.n_left > 0;
        out
    }
}

impl<N> FoundText<N> {
    /// Lets the lines go that are around no hit any more.
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
