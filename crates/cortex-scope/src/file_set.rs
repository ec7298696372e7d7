//! Sets of a universe's files.

use crate::universe::FileId;

const BITS: usize = u64::BITS as usize;

/// A set of files, one bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileSet {
    // Invariant: bits from `n_files` on are 0.
    words: Vec<u64>,
    n_files: usize,
}

impl FileSet {
    /// Creates an empty set in a universe of `n_files`.
    pub fn none(n_files: usize) -> Self {
        Self {
            words: vec![0; n_files.div_ceil(BITS)],
            n_files,
        }
    }

    /// Creates the set of the files that a predicate accepts.
    pub fn from_fn(n_files: usize, mut is_in: impl FnMut(FileId) -> bool) -> Self {
        let mut set = Self::none(n_files);
        for index in 0..n_files {
            if is_in(FileId::new(index)) {
                set.words[index / BITS] |= 1 << (index % BITS);
            }
        }
        set
    }

    /// Creates a set from ids; ids beyond the universe are ignored.
    pub fn from_ids(n_files: usize, ids: impl IntoIterator<Item = FileId>) -> Self {
        let mut set = Self::none(n_files);
        for id in ids {
            if id.index() < n_files {
                set.words[id.index() / BITS] |= 1 << (id.index() % BITS);
            }
        }
        set
    }

    /// The number of files in the universe.
    pub fn n_files(&self) -> usize {
        self.n_files
    }

    /// Whether the set contains a file.
    pub fn contains(&self, file: FileId) -> bool {
        let index = file.index();
        index < self.n_files && self.words[index / BITS] >> (index % BITS) & 1 == 1
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The number of files in the set.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The files in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = FileId> + '_ {
        (0..self.n_files)
            .map(FileId::new)
            .filter(|file| self.contains(*file))
    }

    /// Adds the files of another set of the same universe.
    pub fn union_with(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Retains the files that are also in another set of the same universe.
    pub fn intersect_with(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// The files of the universe that are not in the set.
    pub fn complement(mut self) -> Self {
        for word in &mut self.words {
            *word = !*word;
        }
        let beyond = self.n_files % BITS;
        if let (Some(last), 1..) = (self.words.last_mut(), beyond) {
            *last &= (1 << beyond) - 1;
        }
        self
    }
}
