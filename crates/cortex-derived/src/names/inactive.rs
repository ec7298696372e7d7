//! The words of code that conditional compilation leaves out, with where they stand, kept from question to question.
//!
//! Must not know: what a question makes of them, C# beyond comments.

use crate::{
    DerivedError,
    kept::{self, Derived, Part, Parts, View, WHOLE},
    names::unbound::{hash, word},
    source::Source,
};

use std::{collections::BTreeSet, sync::Arc};

use cortex_index::{Differing, FileSummary};
use cortex_model::RepoPath;
use cortex_syntax::{Sections, text::decode};
use rayon::prelude::*;

/// So many files are read by one thread with one reader.
const N_TOGETHER: usize = 64;

/// A word: its hash, its file, its first byte.
type Word = (u32, u32, u32);

/// Sorted, so that one name is found without reading the others.
///
/// Kept as the number of words, the words of three little-endian numbers each, and the paths, a line each.
#[derive(Debug)]
pub struct InactiveWords(Vec<u8>);

/// The size of a word as it is kept.
const WORD: usize = 12;

impl InactiveWords {
    fn encode(paths: &[RepoPath], mut words: Vec<Word>) -> Self {
        words.sort_unstable();
        let mut out = Vec::with_capacity(4 + words.len() * WORD);
        out.extend((words.len() as u32).to_le_bytes());
        for (hash, file, offset) in words {
            for number in [hash, file, offset] {
                out.extend(number.to_le_bytes());
            }
        }
        let paths: Vec<&str> = paths.iter().map(RepoPath::as_str).collect();
        out.extend(paths.join("\n").as_bytes());
        Self(out)
    }

    fn decode(bytes: Vec<u8>) -> Option<Self> {
        let (n, rest) = bytes.split_first_chunk()?;
        let n_words = u32::from_le_bytes(*n) as usize;
        let paths = rest.get(n_words.checked_mul(WORD)?..)?;
        std::str::from_utf8(paths).ok()?;
        Some(Self(bytes))
    }

    fn n_words(&self) -> usize {
        (self.0.first_chunk()).map_or(0, |n| u32::from_le_bytes(*n) as usize)
    }

    fn at(&self, nth: usize) -> Word {
        let number = |at: usize| {
            let bytes = self.0[4 + nth * WORD + at..].first_chunk();
            bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        (number(0), number(4), number(8))
    }

    fn paths(&self) -> Vec<RepoPath> {
        let bytes = &self.0[4 + self.n_words() * WORD..];
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        text.lines().map(RepoPath::from).collect()
    }

    /// The places of a name, by path and offset. A few others may be among them.
    pub fn of(&self, name: &str) -> Vec<(RepoPath, u32)> {
        let wanted = hash(name);
        let (mut low, mut high) = (0, self.n_words());
        while low < high {
            let middle = (low + high) / 2;
            match self.at(middle).0 < wanted {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let found = (low..self.n_words()).map(|nth| self.at(nth));
        let found: Vec<Word> = found.take_while(|(hash, ..)| *hash == wanted).collect();
        if found.is_empty() {
            return Vec::new();
        }
        let paths = self.paths();
        let mut out: Vec<(RepoPath, u32)> = (found.iter())
            .filter_map(|&(_, file, offset)| Some((paths.get(file as usize)?.clone(), offset)))
            .collect();
        out.sort();
        out
    }
}

/// The words of a snapshot: O(its files, the text of those that have such code) the first time, then O(what differs)
/// once for each snapshot.
///
/// # Errors
/// Those of reading the snapshot and its texts.
pub fn inactive_words(source: Source<'_>) -> Result<Arc<InactiveWords>, DerivedError> {
    kept::get::<InactiveWords, InactiveWords>(source)
}

impl Derived for InactiveWords {
    const NAME: &'static str = "inactive";
    const VERSION: u32 = 2;
    type Source<'a> = Source<'a>;

    fn read(source: Source<'_>) -> Result<Self, DerivedError> {
        let files = source.snapshot().files()?;
        Self::with(&source, (Vec::new(), Vec::new()), files)
    }

    fn update(
        kept: &Parts<'_>,
        source: Source<'_>,
        differing: &Differing,
    ) -> Result<Option<Self>, DerivedError> {
        let Some(kept) = <Self as View<Self>>::open(kept) else {
            return Ok(None);
        };
        let paths = kept.paths();
        let is_gone = |file: u32| {
            let path = paths.get(file as usize);
            path.is_none_or(|path| differing.files.contains(path))
        };
        let words = (0..kept.n_words()).map(|nth| kept.at(nth));
        let words: Vec<Word> = words.filter(|(_, file, _)| !is_gone(*file)).collect();
        let mut files = Vec::with_capacity(differing.files.len());
        for path in &differing.files {
            files.extend(source.snapshot().file(path)?);
        }
        Self::with(&source, (paths, words), files).map(Some)
    }

    fn parts(&self) -> Vec<Part<'_>> {
        vec![Part::packed(WHOLE, self.0.as_slice())]
    }
}

impl View<Self> for InactiveWords {
    const NAME: &'static str = "inactive";

    fn open(parts: &Parts<'_>) -> Option<Self> {
        Self::decode(parts.get(WHOLE)?)
    }

    fn of(all: Self) -> Self {
        all
    }

    fn n_bytes(&self) -> usize {
        self.0.len()
    }
}

impl InactiveWords {
    /// Known words with those of further files.
    fn with(
        source: &Source<'_>,
        (mut paths, mut words): (Vec<RepoPath>, Vec<Word>),
        mut files: Vec<FileSummary>,
    ) -> Result<Self, DerivedError> {
        files.retain(|file| file.inactive > 0);
        let read = files
            .par_chunks(N_TOGETHER)
            .map(|files| read(source, files));
        let read = read.collect::<Result<Vec<_>, DerivedError>>()?;
        for (path, found) in read.into_iter().flatten() {
            let file = paths.len() as u32;
            words.extend(found.into_iter().map(|(hash, offset)| (hash, file, offset)));
            paths.push(path);
        }
        Ok(Self::encode(&paths, words))
    }
}

/// A file with its words.
type OfFile = (RepoPath, Vec<(u32, u32)>);

fn read(source: &Source<'_>, files: &[FileSummary]) -> Result<Vec<OfFile>, DerivedError> {
    let mut reader = source.blobs();
    let mut out = Vec::new();
    for file in files {
        let bytes = reader.read_blob(file.blob)?;
        let text = decode(&bytes);
        let text = text.as_bytes();
        // What one project leaves out and another does not is compiled.
        let mut common: Option<BTreeSet<u32>> = None;
        for project in &file.projects {
            let facts = source
                .snapshot()
                .facts(file, project, Sections::Declarations)?;
            let regions = facts.map_or_else(Vec::new, |facts| facts.inactive);
            let offsets = regions.iter().flat_map(|it| {
                let range = it.range.as_usize();
                words_of(text, range.start.min(text.len()), range.end.min(text.len()))
            });
            let offsets: BTreeSet<u32> = offsets.collect();
            common = Some(match common {
                None => offsets,
                Some(known) => known.intersection(&offsets).copied().collect(),
            });
        }
        let offsets = common.unwrap_or_default().into_iter();
        let words: Vec<(u32, u32)> = (offsets)
            .map(|offset| (hash(word(text, offset)), offset))
            .collect();
        if !words.is_empty() {
            out.push((file.path.clone(), words));
        }
    }
    Ok(out)
}

/// Where words begin in a part of a text, those of comments left out.
fn words_of(text: &[u8], start: usize, end: usize) -> Vec<u32> {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let mut out = Vec::new();
    let mut at = start;
    while at < end {
        let rest = &text[at..end];
        let next = |found: Option<usize>| found.map_or(end, |n| at + n);
        // The slashes of an address are no comment.
        if rest.starts_with(b"//") && (at == 0 || text[at - 1] != b':') {
            at = next(rest.iter().position(|b| *b == b'\n'));
        } else if rest.starts_with(b"/*") {
            at = next(
                rest.windows(2)
                    .skip(2)
                    .position(|it| it == b"*/")
                    .map(|n| n + 4),
            );
        } else if is_part(rest[0]) {
            let len = rest.iter().take_while(|b| is_part(**b)).count();
            if !rest[0].is_ascii_digit() {
                out.push(at as u32);
            }
            at += len;
        } else {
            at += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use cortex_model::RepoPath;

    use super::{InactiveWords, words_of};
    use crate::names::unbound::hash;
    use crate::names::unbound::word;

    #[test]
    fn words_are_those_of_code() {
        let text = b"Foo(@bar, 1x) // baz\n/* a */ \"http://of/it\" /// b\nc /*/ d";
        let found = words_of(text, 0, text.len());
        let found: Vec<&str> = found.iter().map(|at| word(text, *at)).collect();
        assert_eq!(found, ["Foo", "bar", "http", "of", "it", "c"]);
        assert!(words_of(b"a b", 1, 1).is_empty());
    }

    #[test]
    fn what_is_kept_is_found_by_name() {
        let paths = [RepoPath::from("b.cs"), RepoPath::from("a.cs")];
        let words = vec![(hash("x"), 0, 7), (hash("y"), 0, 1), (hash("x"), 1, 3)];
        let kept = InactiveWords::encode(&paths, words);
        let kept = InactiveWords::decode(kept.0).expect("it is sound");
        let found: Vec<(String, u32)> = (kept.of("x").into_iter())
            .map(|(path, offset)| (path.as_str().to_owned(), offset))
            .collect();
        assert_eq!(found, [("a.cs".to_owned(), 3), ("b.cs".to_owned(), 7)]);
        assert!(kept.of("z").is_empty());
        assert!(InactiveWords::decode(vec![9, 0, 0, 0, 1]).is_none());
        assert!(InactiveWords::encode(&[], Vec::new()).of("x").is_empty());
    }
}
