//! All words as they are written, to be found by a part.
//!
//! Owns: the form of what is kept of them.

use crate::words::{GENERATION_BYTES, NAME, Word, WordIndex};

use cortex_search::Pattern;
use rayon::prelude::*;

/// They are kept in so many parts, which are read side by side.
const N_PARTS: u32 = 16;

/// The name under which a part is kept.
pub(crate) fn name(nth: u32) -> String {
    format!("{NAME}/text/{nth}")
}

/// Makes the parts: in each the words one by line, sorted.
pub(crate) fn make(generation: u64, mut words: Vec<Box<str>>) -> Vec<Vec<u8>> {
    words.par_sort_unstable();
    words.dedup();
    let mut parts = vec![generation.to_be_bytes().to_vec(); N_PARTS as usize];
    for word in words {
        let part = &mut parts[(Word::exact(&word).0 % N_PARTS) as usize];
        part.extend_from_slice(word.as_bytes());
        part.push(b'\n');
    }
    parts
}

impl WordIndex<'_> {
    /// All words that match, in order of their buckets; `None` where words were lost.
    pub(crate) fn matching(&self, pattern: &Pattern) -> Option<Vec<Word>> {
        let found = (0..N_PARTS).into_par_iter().map(|nth| {
            let part = self.parts.dictionary(nth, self.generation)?;
            let words = &part[GENERATION_BYTES..];
            let lines = pattern.matching_lines(std::str::from_utf8(words).ok()?);
            Some(lines.into_iter().map(Word::exact).collect::<Vec<_>>())
        });
        let mut out = found.collect::<Option<Vec<_>>>()?.concat();
        out.sort_unstable_by_key(|word| (word.bucket(), *word));
        out.dedup();
        Some(out)
    }
}
