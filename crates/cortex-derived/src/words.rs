//! Which contents have a word: kept from question to question.
//!
//! Owns: what a word is, and the form of what is kept. Must not know: what is asked.
//!
//! The words of a content are the longest runs of ASCII letters, digits, `_` and other letters, so that a text in
//! which an identifier stands whole has it among its words. Their humps are kept in lower case. The words themselves
//! are kept as well ([`dictionary`]), so that contents are found by parts of words ([`filter`]). What is kept names
//! contents, not paths: it holds for any commit as far as contents are equal. Contents that came since are read once
//! and kept beside it ([`WordIndex::open`]), until there are so many that all is made anew; contents that are not in
//! this clone are kept as such.

pub(crate) mod dictionary;
pub mod filter;

use crate::{
    DerivedError,
    contents::Contents,
    files::{Candidate, key_of as key},
};

use std::{borrow::Cow, collections::BTreeMap};

use cortex_git::Side;
use cortex_index::{Snapshot, UnreadFile, UnreadReason};
use cortex_model::BlobId;
use cortex_search::TextRead;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Under this name, and with the number of a bucket.
pub(crate) const NAME: &str = "words";

/// The version of the form of what is kept.
const VERSION: u8 = 5;

/// Contents that came since are kept under this name.
const FRESH: &str = "words/fresh";

/// Words are kept in so many parts, of which a question reads one.
const N_BUCKETS: u32 = 256;

/// Longer words are not kept.
const MAX_WORD: usize = 128;

/// What is kept is made anew where more contents than that, and a twentieth, came since.
const MAX_FRESH: usize = 64;

/// So many texts are read by one thread.
const N_TOGETHER: usize = 32;

/// Which contents have which words.
pub struct WordIndex<'s> {
    generation: u64,
    /// By key: the number of a content that is known.
    known: FxHashMap<u64, u32>,
    parts: Parts<'s>,
    /// What came since, by key: its words, or none where it is not in this clone. Numbered after what is known.
    fresh: Vec<(u64, Option<Vec<Word>>)>,
}

/// Where the parts of what is kept are; each begins with the generation.
pub(crate) enum Parts<'s> {
    /// In the store.
    Kept(&'s Snapshot),
    /// Here, as they were made just now.
    Made {
        buckets: Vec<Vec<u8>>,
        dictionary: Vec<Vec<u8>>,
    },
}

impl Parts<'_> {
    /// A bucket; `None` where it is lost or speaks of other contents.
    fn bucket(&self, nth: u32, generation: u64) -> Option<Cow<'_, [u8]>> {
        let bucket = match self {
            Self::Kept(snapshot) => Cow::Owned(snapshot.kept(&bucket_name(nth))?.1),
            Self::Made { buckets, .. } => Cow::Borrowed(buckets.get(nth as usize)?.as_slice()),
        };
        of_generation(bucket, generation)
    }

    /// A part of the dictionary, as above.
    fn dictionary(&self, nth: u32, generation: u64) -> Option<Cow<'_, [u8]>> {
        let part = match self {
            Self::Kept(snapshot) => Cow::Owned(snapshot.kept(&dictionary::name(nth))?.1),
            Self::Made { dictionary, .. } => {
                Cow::Borrowed(dictionary.get(nth as usize)?.as_slice())
            }
        };
        of_generation(part, generation)
    }
}

fn of_generation(part: Cow<'_, [u8]>, generation: u64) -> Option<Cow<'_, [u8]>> {
    let own = part.first_chunk::<GENERATION_BYTES>()?;
    (u64::from_be_bytes(*own) == generation).then_some(part)
}

/// Each part begins with as many bytes.
pub(crate) const GENERATION_BYTES: usize = size_of::<u64>();

impl<'s> WordIndex<'s> {
    /// What is kept, made anew where nothing is kept that serves: that reads all contents once. What came since is
    /// not known of it. Old commits are searched with what is kept of the newest, so that two questions in turn do not
    /// each make it for themselves.
    pub fn as_kept(contents: &Contents<'s>, all: &[Candidate]) -> Result<Self, DerivedError> {
        if let Some(kept) = read(&contents.side.snapshot) {
            let unknown = all
                .iter()
                .filter(|file| kept.known_number(file.blob).is_none());
            if is_old(contents) || unknown.count() <= MAX_FRESH + all.len() / 20 {
                return Ok(kept);
            }
        }
        make(contents, all)
    }

    /// The same, with contents that came since, which are read once.
    pub fn open(contents: &Contents<'s>, all: &[Candidate]) -> Result<Self, DerivedError> {
        let snapshot = &contents.side.snapshot;
        let Some(mut kept) = read(snapshot) else {
            return make(contents, all);
        };
        let unknown = kept.unknown(contents, all);
        if unknown.is_empty() {
            return Ok(kept);
        }
        let ReadTogether { words, .. } = read_words(contents, &unknown)?;
        let new: BTreeMap<u64, Option<Vec<Word>>> =
            (unknown.iter().map(|file| key(file.blob)).zip(words)).collect();
        kept.fresh.retain(|(key, _)| !new.contains_key(key));
        kept.fresh.extend(new);
        kept.fresh.sort_unstable_by_key(|(key, _)| *key);
        let n_read = kept.fresh.iter().filter(|(_, words)| words.is_some());
        if n_read.count() <= MAX_FRESH + all.len() / 20 {
            let bytes = encode_fresh(kept.generation, &kept.fresh);
            snapshot.keep(&[(FRESH, &bytes)]);
        } else if !is_old(contents) {
            return make(contents, all);
        }
        Ok(kept)
    }

    /// The contents that have to be read: those that nothing is known of, and those that were absent and are not any
    /// more. By key, each once.
    fn unknown<'c>(&self, contents: &Contents<'_>, all: &'c [Candidate]) -> Vec<&'c Candidate> {
        let mut unknown: BTreeMap<u64, &Candidate> = BTreeMap::new();
        let mut absent: Vec<&Candidate> = Vec::new();
        for file in all {
            match self.fresh(file.blob) {
                _ if self.known.contains_key(&key(file.blob)) => {}
                Some((_, Some(_))) => {}
                Some((_, None)) if !file.is_on_disk => absent.push(file),
                _ => {
                    unknown.insert(key(file.blob), file);
                }
            }
        }
        if !absent.is_empty() {
            let ids: Vec<BlobId> = absent.iter().map(|file| file.blob).collect();
            let still: FxHashSet<BlobId> = contents.index.repo.absent(&ids).into_iter().collect();
            let (absent, back): (Vec<&Candidate>, Vec<&Candidate>) =
                absent.into_iter().partition(|it| still.contains(&it.blob));
            unknown.extend(back.into_iter().map(|file| (key(file.blob), file)));
            let unread = absent.into_iter().map(|file| UnreadFile {
                path: file.path.clone(),
                blob: file.blob,
                reason: UnreadReason::Absent,
            });
            contents.index.unread.note_files(unread);
        }
        unknown.into_values().collect()
    }

    fn fresh(&self, blob: BlobId) -> Option<(usize, Option<&[Word]>)> {
        let key = key(blob);
        let at = self.fresh.binary_search_by_key(&key, |it| it.0).ok()?;
        Some((at, self.fresh[at].1.as_deref()))
    }

    /// The number of a content whose words are among those that are kept, what came since left out.
    pub fn known_number(&self, blob: BlobId) -> Option<u32> {
        self.known.get(&key(blob)).copied()
    }

    /// The number of a content; `None` of one whose words are not known, as it is not in this clone.
    pub fn number(&self, blob: BlobId) -> Option<u32> {
        let known = self.known.get(&key(blob)).copied();
        known.or_else(|| match self.fresh(blob)? {
            (at, Some(_)) => u32::try_from(self.known.len() + at).ok(),
            (_, None) => None,
        })
    }

    /// The numbers of the contents that have a word, ascending; `None` where that is lost.
    pub fn having(&self, word: Word) -> Option<Vec<u32>> {
        let mut out = self.having_each(&[word])?.pop().unwrap_or_default();
        for (at, (_, words)) in self.fresh.iter().enumerate() {
            let has = |words: &Vec<Word>| words.binary_search(&word).is_ok();
            if words.as_ref().is_some_and(has) {
                out.extend(u32::try_from(self.known.len() + at));
            }
        }
        Some(out)
    }

    /// The words of contents as they are cached, without making anything; `None` where nothing is cached.
    pub fn cached(snapshot: &'s Snapshot) -> Option<Self> {
        read(snapshot)
    }

    /// The numbers of the contents that have any of some words, as [`Self::number`] gives them; `None` where that is
    /// lost.
    pub fn having_any(&self, words: &[Word]) -> Option<FxHashSet<u32>> {
        let mut words = words.to_vec();
        words.push(Word::too_long());
        words.sort_unstable_by_key(|word| (word.bucket(), *word));
        words.dedup();
        let cached = self.having_each(&words)?.into_iter().flatten();
        let mut out: FxHashSet<u32> = cached.collect();
        for (at, (_, fresh)) in self.fresh.iter().enumerate() {
            let has = |fresh: &Vec<Word>| words.iter().any(|it| fresh.binary_search(it).is_ok());
            if fresh.as_ref().is_some_and(has) {
                out.extend(u32::try_from(self.known.len() + at));
            }
        }
        Some(out)
    }

    /// The numbers of the contents that have all words of any of some texts, as [`Self::number`] gives them; `None` where that
    /// is lost.
    pub fn having_all_of_any(&self, texts: &[Vec<Word>]) -> Option<FxHashSet<u32>> {
        let mut words: Vec<Word> = texts.concat();
        words.sort_unstable_by_key(|word| (word.bucket(), *word));
        words.dedup();
        let each = self.having_each(&words)?;
        let kept: FxHashMap<Word, FxHashSet<u32>> = words
            .into_iter()
            .zip(each.into_iter().map(FxHashSet::from_iter))
            .collect();
        let mut out = self.having_any(&[])?;
        for text in texts {
            let mut of_words: Vec<&FxHashSet<u32>> = text.iter().map(|it| &kept[it]).collect();
            of_words.sort_unstable_by_key(|it| it.len());
            let Some((fewest, others)) = of_words.split_first() else {
                continue;
            };
            let all = fewest.iter().copied();
            out.extend(all.filter(|it| others.iter().all(|numbers| numbers.contains(it))));
            for (at, (_, fresh)) in self.fresh.iter().enumerate() {
                let has = |fresh: &Vec<Word>| text.iter().all(|it| fresh.binary_search(it).is_ok());
                if fresh.as_ref().is_some_and(has) {
                    out.extend(u32::try_from(self.known.len() + at));
                }
            }
        }
        Some(out)
    }

    /// The same for words in ascending order of buckets, each bucket read once; what came since is not among them.
    fn having_each(&self, words: &[Word]) -> Option<Vec<Vec<u32>>> {
        let of_buckets: Vec<&[Word]> = words.chunk_by(|a, b| a.bucket() == b.bucket()).collect();
        let found = of_buckets.into_par_iter().map(|words| {
            let bucket = self.parts.bucket(words[0].bucket(), self.generation)?;
            let lists = &bucket[GENERATION_BYTES..];
            let each = words.iter().map(|word| find(lists, word.0));
            each.collect::<Option<Vec<_>>>()
        });
        let found: Vec<Vec<Vec<u32>>> = found.collect::<Option<_>>()?;
        Some(found.into_iter().flatten().collect())
    }
}

/// A word, or a part of one, as it is looked up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word(u32);

impl Word {
    /// A word as it is written.
    pub fn exact(word: &str) -> Self {
        Self(hash(word.as_bytes()))
    }

    /// A word or a hump of one, in lower case, whatever case it is written in.
    pub fn folded(word: &str) -> Self {
        Self(hash(word.as_bytes()) ^ FOLDED)
    }

    /// What contents have that have a word too long to be kept.
    fn too_long() -> Self {
        Self(hash(b""))
    }

    /// What contents have that are no text.
    fn binary() -> Self {
        Self(hash(b"\0"))
    }

    fn bucket(self) -> u32 {
        self.0 % N_BUCKETS
    }
}

/// Tells what is folded from what is written so.
const FOLDED: u32 = 0x5bd1_e995;

/// Whether a text can be looked up as one word.
pub(crate) fn is_word(text: &str) -> bool {
    text.len() <= MAX_WORD && !text.is_empty() && text.chars().all(is_part)
}

pub(crate) fn is_part(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii() && c.is_alphabetic()
}

/// FNV-1a, folded: two words with one hash cost a needless look.
fn hash(word: &[u8]) -> u32 {
    let long = word.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (long >> 32) as u32 ^ long as u32
}

/// Whether this version reads what is stored under a name.
pub(crate) fn is_current(name: &str) -> bool {
    let number = name.strip_prefix(NAME).and_then(|rest| {
        let rest = rest.strip_prefix('/')?;
        rest.strip_prefix("text/")
            .unwrap_or(rest)
            .parse::<u32>()
            .ok()
    });
    [NAME, FRESH].contains(&name) || number.is_some_and(|nth| nth < N_BUCKETS)
}

fn bucket_name(nth: u32) -> String {
    format!("{NAME}/{nth}")
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
    let generation = generation(keys);
    let fresh = snapshot.kept(FRESH);
    let fresh = fresh.and_then(|(_, bytes)| decode_fresh(generation, &bytes));
    Some(WordIndex {
        generation,
        known: known
            .map(|(key, at)| (u64::from_be_bytes(*key), at))
            .collect(),
        parts: Parts::Kept(snapshot),
        fresh: fresh.unwrap_or_default(),
    })
}

/// Whether a side is a commit beside a work tree.
fn is_old(contents: &Contents<'_>) -> bool {
    contents.side.snapshot.side() != Side::WorkTree && contents.has_work_tree()
}

/// What came since: the generation, then of each content its key and how many words it has, none where it is absent,
/// and these with the distance from one to the next.
fn encode_fresh(generation: u64, fresh: &[(u64, Option<Vec<Word>>)]) -> Vec<u8> {
    let mut out = generation.to_be_bytes().to_vec();
    for (key, words) in fresh {
        out.extend(key.to_be_bytes());
        put(
            &mut out,
            words.as_ref().map_or(0, |words| words.len() as u32 + 1),
        );
        let mut last = 0;
        for Word(hash) in words.iter().flatten() {
            put(&mut out, hash - last);
            last = *hash;
        }
    }
    out
}

/// The same; `None` where it is of other contents or damaged.
fn decode_fresh(generation: u64, bytes: &[u8]) -> Option<Vec<(u64, Option<Vec<Word>>)>> {
    let (own, mut rest) = bytes.split_first_chunk::<8>()?;
    if u64::from_be_bytes(*own) != generation {
        return None;
    }
    let mut out: Vec<(u64, Option<Vec<Word>>)> = Vec::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_first_chunk::<8>()?;
        rest = after;
        let key = u64::from_be_bytes(*key);
        let words = match take(&mut rest)? {
            0 => None,
            n => {
                let mut last = 0_u32;
                let words = (1..n).map(|_| {
                    last = last.checked_add(take(&mut rest)?)?;
                    Some(Word(last))
                });
                Some(words.collect::<Option<Vec<Word>>>()?)
            }
        };
        if out.last().is_some_and(|(last, _)| *last >= key) {
            return None;
        }
        out.push((key, words));
    }
    Some(out)
}

/// What ties buckets to the contents that they speak of.
fn generation(keys: &[[u8; 8]]) -> u64 {
    keys.iter().fold(keys.len() as u64, |sum, key| {
        (sum ^ u64::from_be_bytes(*key))
            .wrapping_mul(0x0100_0000_01b3)
            .rotate_left(23)
    })
}

/// The numbers of a word in the lists of a bucket; `None` where these are damaged.
fn find(mut rest: &[u8], wanted: u32) -> Option<Vec<u32>> {
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

pub(crate) fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn take(input: &mut &[u8]) -> Option<u32> {
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

/// The distinct words of a text, and their humps: ascending. The words as they are written are added to `exact`.
pub(crate) fn words_of<'t>(text: &'t [u8], exact: &mut FxHashSet<&'t str>) -> Vec<Word> {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let mut out: Vec<Word> = Vec::new();
    for word in text.split(|c| !is_part(c)) {
        if word.len() > MAX_WORD {
            out.push(Word::too_long());
            continue;
        }
        if word.is_empty() || !exact.insert(word) {
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

/// Contents that were read: the words of each, `None` of one that is not in this clone; all words as written.
#[derive(Default)]
struct ReadTogether {
    words: Vec<Option<Vec<Word>>>,
    exact: FxHashSet<Box<str>>,
}

/// Reads some contents, in their order.
fn read_words(contents: &Contents<'_>, files: &[&Candidate]) -> Result<ReadTogether, DerivedError> {
    let read = files.par_chunks(N_TOGETHER).map(|files| {
        let mut reader = contents.reader();
        let mut text = Vec::new();
        let mut out = ReadTogether::default();
        for file in files {
            text.clear();
            let words = match reader.read(file, &mut text)? {
                TextRead::Text => {
                    let mut exact = FxHashSet::default();
                    let words = words_of(&text, &mut exact);
                    #[expect(clippy::iter_over_hash_type, reason = "it is added to a set")]
                    for word in exact {
                        if !out.exact.contains(word) {
                            out.exact.insert(word.into());
                        }
                    }
                    Some(words)
                }
                TextRead::Binary => Some(vec![Word::binary()]),
                // It may be there another time.
                TextRead::Missing | TextRead::TooLarge => None,
            };
            out.words.push(words);
        }
        Ok(out)
    });
    let read = read.collect::<Result<Vec<_>, DerivedError>>()?;
    let mut out = ReadTogether::default();
    for together in read {
        out.words.extend(together.words);
        out.exact.extend(together.exact);
    }
    Ok(out)
}

/// Reads all contents, keeps their words.
fn make<'s>(contents: &Contents<'s>, all: &[Candidate]) -> Result<WordIndex<'s>, DerivedError> {
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
    let ReadTogether { words, exact } = read_words(contents, &files)?;
    let mut is_read = words.iter().map(Option::is_some);
    let mut fresh = Vec::new();
    by_key.retain(|key, _| {
        let is_read = is_read.next().unwrap_or(false);
        if !is_read {
            fresh.push((*key, None));
        }
        is_read
    });
    let keys: Vec<[u8; 8]> = by_key.keys().map(|key| key.to_be_bytes()).collect();
    let generation = generation(&keys);
    let buckets = buckets(generation, words.into_iter().flatten());
    let dictionary = dictionary::make(generation, exact.into_iter().collect());
    let mut list = vec![VERSION];
    list.extend(keys.iter().flatten());
    let absent = encode_fresh(generation, &fresh);
    let names: Vec<String> = (0..buckets.len() as u32)
        .map(bucket_name)
        .chain((0..dictionary.len() as u32).map(dictionary::name))
        .collect();
    let mut values: Vec<(&str, &[u8])> = vec![(NAME, &list), (FRESH, &absent)];
    values.extend(
        (names.iter().zip(buckets.iter().chain(&dictionary)))
            .map(|(name, part)| (name.as_str(), part.as_slice())),
    );
    snapshot.keep(&values);
    Ok(WordIndex {
        generation,
        known: by_key.into_keys().zip(0..).collect(),
        parts: Parts::Made {
            buckets,
            dictionary,
        },
        fresh,
    })
}

/// The buckets of the words of contents in the order of their numbers.
pub(crate) fn buckets(generation: u64, words: impl Iterator<Item = Vec<Word>>) -> Vec<Vec<u8>> {
    let mut places: Vec<(u32, u32, u32)> = Vec::new();
    for (words, number) in words.zip(0..) {
        places.extend(
            words
                .into_iter()
                .map(|word| (word.bucket(), word.0, number)),
        );
    }
    places.par_sort_unstable();
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
    buckets
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Word, decode_fresh, encode_fresh, find, is_word, put, take, words_of};

    fn words(text: &[u8]) -> Vec<Word> {
        words_of(text, &mut rustc_hash::FxHashSet::default())
    }

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
            find(&bytes, 7);
        }

        /// What came since comes back, and any bytes are that or nothing.
        #[test]
        fn what_came_since_comes_back(
            generation in any::<u64>(),
            all in proptest::collection::btree_map(any::<u64>(), proptest::option::of(
                proptest::collection::btree_set(any::<u32>(), 0..20)), 0..8),
            bytes in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            let fresh: Vec<(u64, Option<Vec<Word>>)> = all
                .into_iter()
                .map(|(key, words)| (key, words.map(|words| words.into_iter().map(Word).collect())))
                .collect();
            let kept = encode_fresh(generation, &fresh);
            prop_assert_eq!(decode_fresh(generation ^ 1, &kept), None);
            prop_assert_eq!(decode_fresh(generation, &kept), Some(fresh));
            let first = bytes.first_chunk::<8>().map_or(0, |it| u64::from_be_bytes(*it));
            decode_fresh(first, &bytes);
        }

        /// Whatever stands whole in a text is one of its words.
        #[test]
        fn an_identifier_that_stands_whole_is_a_word(before in "[ .(٣²\u{301}-]{0,3}", after in "[ .(²-]{0,3}") {
            let text = format!("{before}needle{after}");
            prop_assert!(words(text.as_bytes()).contains(&Word::exact("needle")));
        }
    }
}
