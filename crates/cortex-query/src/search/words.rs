//! Which contents have a word: kept from question to question.
//!
//! Owns: what a word is, and the form of what is kept. Must not know: what is asked.
//!
//! The words of a content are the longest runs of ASCII letters, digits, `_` and other letters, so that a text in
//! which an identifier stands whole has it among its words. Their humps are kept in lower case. What is kept names contents, not paths: it holds for
//! any commit as far as contents are equal, and what it does not know is searched as if nothing were kept.

use std::collections::BTreeMap;

use cortex_index::Snapshot;
use cortex_model::BlobId;
use cortex_search::TextRead;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{candidates::Candidate, contents::Contents};
use crate::QueryError;

/// Under this name, and with the number of a bucket.
const NAME: &str = "words";

/// The version of the form of what is kept.
const VERSION: u8 = 3;

/// Words are kept in so many parts, of which a question reads one.
const N_BUCKETS: u32 = 256;

/// Longer words are not kept.
const MAX_WORD: usize = 128;

/// What is kept is made anew where it does not know more contents than that, and a twentieth.
const MAX_UNKNOWN: usize = 64;

/// So many texts are read by one thread.
const N_TOGETHER: usize = 32;

/// Which contents have which words.
pub(super) struct WordIndex<'s> {
    snapshot: &'s Snapshot,
    generation: u64,
    /// By key: the number of a content that is known.
    known: FxHashMap<u64, u32>,
    /// The buckets, where they were made just now.
    made: Option<Vec<Vec<u8>>>,
}

impl<'s> WordIndex<'s> {
    /// What is kept, made anew where nothing is kept that serves: that reads all contents once.
    pub(super) fn open(contents: &Contents<'s>, all: &[Candidate]) -> Result<Self, QueryError> {
        let snapshot = &contents.side.snapshot;
        if let Some(kept) = read(snapshot) {
            let unknown = all.iter().filter(|file| kept.number(file.blob).is_none());
            if unknown.count() <= MAX_UNKNOWN + all.len() / 20 {
                return Ok(kept);
            }
        }
        make(contents, all)
    }

    /// The number of a content; `None` of one whose words are not known.
    pub(super) fn number(&self, blob: BlobId) -> Option<u32> {
        self.known.get(&key(blob)).copied()
    }

    /// The numbers of the contents that have a word, ascending; `None` where that is lost.
    pub(super) fn having(&self, word: Word) -> Option<Vec<u32>> {
        match &self.made {
            Some(made) => find(
                &made[(word.0 % N_BUCKETS) as usize],
                self.generation,
                word.0,
            ),
            None => {
                let (_, bucket) = self.snapshot.kept(&bucket_name(word.0))?;
                find(&bucket, self.generation, word.0)
            }
        }
    }
}

/// A word, or a part of one, as it is looked up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Word(u32);

impl Word {
    /// A word as it is written.
    pub(super) fn exact(word: &str) -> Self {
        Self(hash(word.as_bytes()))
    }

    /// A word or a hump of one, in lower case, whatever case it is written in.
    pub(super) fn folded(word: &str) -> Self {
        Self(hash(word.as_bytes()) ^ FOLDED)
    }
}

/// Tells what is folded from what is written so.
const FOLDED: u32 = 0x5bd1_e995;

/// Whether a text can be looked up as one word.
pub(super) fn is_word(text: &str) -> bool {
    text.len() <= MAX_WORD && !text.is_empty() && text.chars().all(is_part)
}

fn is_part(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii() && c.is_alphabetic()
}

/// The first bytes of an id: two contents of one repository with the same ones are not to be expected, and would
/// have each other's words.
fn key(blob: BlobId) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&blob.0.as_slice()[..8]);
    u64::from_be_bytes(bytes)
}

/// FNV-1a, folded: two words with one hash cost a needless look.
fn hash(word: &[u8]) -> u32 {
    let long = word.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (long >> 32) as u32 ^ long as u32
}

fn bucket_name(hash: u32) -> String {
    format!("{NAME}/{}", hash % N_BUCKETS)
}

/// What is kept.
fn read(snapshot: &Snapshot) -> Option<WordIndex<'_>> {
    let (_, keys) = snapshot.kept(NAME)?;
    let keys = keys.strip_prefix(&[VERSION])?;
    let (keys, rest) = keys.as_chunks::<8>();
    if !rest.is_empty() {
        return None;
    }
    let known = keys.iter().zip(0..);
    Some(WordIndex {
        snapshot,
        generation: generation(keys),
        known: known
            .map(|(key, at)| (u64::from_be_bytes(*key), at))
            .collect(),
        made: None,
    })
}

/// What ties buckets to the contents that they speak of.
fn generation(keys: &[[u8; 8]]) -> u64 {
    keys.iter().fold(keys.len() as u64, |sum, key| {
        (sum ^ u64::from_be_bytes(*key))
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(23)
    })
}

/// The numbers of a word in a bucket; `None` where it is of other contents or damaged.
fn find(bucket: &[u8], generation: u64, wanted: u32) -> Option<Vec<u32>> {
    let (own, mut rest) = bucket.split_first_chunk::<8>()?;
    if u64::from_be_bytes(*own) != generation {
        return None;
    }
    let mut hash = 0_u32;
    while !rest.is_empty() {
        hash = hash.checked_add(take(&mut rest)?)?;
        let n = take(&mut rest)?;
        let mut number = 0_u32;
        let mut out = Vec::new();
        for _ in 0..n {
            number = number.checked_add(take(&mut rest)?)?;
            if hash == wanted {
                out.push(number);
            }
        }
        if hash >= wanted {
            return Some(out);
        }
    }
    Some(Vec::new())
}

fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take(input: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u32;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = input.split_first()?;
        *input = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// The distinct words of a text, and their humps: ascending.
pub(super) fn words(text: &[u8]) -> Vec<Word> {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let mut exact: FxHashSet<u32> = FxHashSet::default();
    let mut out: Vec<Word> = Vec::new();
    for word in text.split(|c| !is_part(c)) {
        if word.is_empty() || word.len() > MAX_WORD || !exact.insert(hash(word.as_bytes())) {
            continue;
        }
        out.push(Word::exact(word));
        let humps = cortex_area::humps(word);
        out.push(Word::folded(&humps.concat()));
        if humps.len() > 1 {
            let told = humps.iter().filter(|hump| hump.len() > 1);
            out.extend(told.map(|hump| Word::folded(hump)));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// Reads all contents, keeps their words.
fn make<'s>(contents: &Contents<'s>, all: &[Candidate]) -> Result<WordIndex<'s>, QueryError> {
    let snapshot = &contents.side.snapshot;
    let mut by_key: BTreeMap<u64, &Candidate> = BTreeMap::new();
    for file in all {
        // A content that lies on disk in one place is read there.
        let known = by_key.entry(key(file.blob)).or_insert(file);
        if file.is_on_disk {
            *known = file;
        }
    }
    let files: Vec<&Candidate> = by_key.values().copied().collect();
    let read = files.par_chunks(N_TOGETHER).map(|files| {
        let mut reader = contents.reader();
        let mut text = Vec::new();
        let words = files.iter().map(|file| {
            text.clear();
            Ok(match reader.read(file, &mut text)? {
                TextRead::Text => Some(words(&text)),
                TextRead::Binary => Some(Vec::new()),
                // It may be there another time.
                TextRead::Missing => None,
            })
        });
        words.collect::<Result<Vec<_>, QueryError>>()
    });
    let read = read.collect::<Result<Vec<_>, QueryError>>()?;
    let mut places: Vec<(u32, u32, u32)> = Vec::new();
    let read: Vec<Option<Vec<Word>>> = read.into_iter().flatten().collect();
    let mut keep = read.iter().map(Option::is_some);
    by_key.retain(|_, _| keep.next().unwrap_or(false));
    for (words, number) in read.into_iter().flatten().zip(0..) {
        places.extend(
            words
                .into_iter()
                .map(|Word(hash)| (hash % N_BUCKETS, hash, number)),
        );
    }
    places.par_sort_unstable();
    let keys: Vec<[u8; 8]> = by_key.keys().map(|key| key.to_be_bytes()).collect();
    let generation = generation(&keys);
    let mut buckets: Vec<Vec<u8>> = vec![generation.to_be_bytes().to_vec(); N_BUCKETS as usize];
    let mut last = [0_u32; N_BUCKETS as usize];
    for same in places.chunk_by(|a, b| a.1 == b.1) {
        let (bucket, hash, _) = same[0];
        let out = &mut buckets[bucket as usize];
        put(out, hash - last[bucket as usize]);
        last[bucket as usize] = hash;
        put(out, same.len() as u32);
        let mut before = 0;
        for (_, _, number) in same {
            put(out, number - before);
            before = *number;
        }
    }
    let mut list = vec![VERSION];
    list.extend(keys.iter().flatten());
    let names: Vec<String> = (0..N_BUCKETS).map(bucket_name).collect();
    let mut values: Vec<(&str, &[u8])> = vec![(NAME, &list)];
    values.extend(
        names
            .iter()
            .map(String::as_str)
            .zip(buckets.iter().map(Vec::as_slice)),
    );
    snapshot.keep(&values);
    Ok(WordIndex {
        snapshot,
        generation,
        known: by_key.into_keys().zip(0..).collect(),
        made: Some(buckets),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Word, find, is_word, put, take, words};

    #[test]
    fn words_are_runs_of_letters_digits_and_underscores_with_their_humps() {
        let of = |text: &str| words(text.as_bytes());
        let mut expected: Vec<Word> = ["AbC_1", "é"].map(Word::exact).into();
        expected.extend(["abc1", "ab", "é"].map(Word::folded));
        expected.sort_unstable();
        assert_eq!(of("AbC_1.é+AbC_1"), expected);
        assert!(is_word("_x1") && is_word("é") && !is_word("a b") && !is_word("") && !is_word("٣"));
    }

    proptest! {
        #[test]
        fn numbers_come_back(value in any::<u32>(), rest in proptest::collection::vec(any::<u8>(), 0..4)) {
            let mut bytes = Vec::new();
            put(&mut bytes, value);
            bytes.extend(&rest);
            let mut input = bytes.as_slice();
            prop_assert_eq!(take(&mut input), Some(value));
            prop_assert_eq!(input, rest.as_slice());
        }

        #[test]
        fn any_bytes_are_a_bucket_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let generation = bytes.first_chunk::<8>().map_or(0, |it| u64::from_be_bytes(*it));
            find(&bytes, generation, 7);
        }

        /// Whatever stands whole in a text is one of its words.
        #[test]
        fn an_identifier_that_stands_whole_is_a_word(before in "[ .(٣²\u{301}-]{0,3}", after in "[ .(²-]{0,3}") {
            let text = format!("{before}needle{after}");
            prop_assert!(words(text.as_bytes()).contains(&Word::exact("needle")));
        }
    }
}
