//! What a program gives: whole files, ranges of files, or both; and how these combine.

use std::collections::BTreeMap;

use crate::{data::ScopeShape, file_set::FileSet, ranges::Ranges, universe::FileId};

/// A set of files and of offsets in files.
///
/// A whole file holds all its offsets; intersected with ranges of it, the ranges are left. Nothing is ever
/// widened: ranges stay exact in a union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    shape: ScopeShape,
    // Invariant: empty where the shape is local.
    files: FileSet,
    // Invariant: empty where the shape is global; has no file of `files`, and no empty ranges.
    ranges: BTreeMap<FileId, Ranges>,
}

/// What of a file is in a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage<'s> {
    /// Nothing.
    Nothing,
    /// Some of its bytes.
    Ranges(&'s Ranges),
    /// The file.
    Whole,
}

impl Scope {
    /// Whole files.
    pub fn global(files: FileSet) -> Self {
        Self {
            shape: ScopeShape::Global,
            files,
            ranges: BTreeMap::new(),
        }
    }

    /// Ranges of files, of a universe of `n_files`.
    pub fn local(n_files: usize, ranges: impl IntoIterator<Item = (FileId, Ranges)>) -> Self {
        let mut all: BTreeMap<FileId, Ranges> = BTreeMap::new();
        for (file, ranges) in ranges {
            if file.index() < n_files && !ranges.is_empty() {
                let known = all.entry(file).or_default();
                *known = known.union(&ranges);
            }
        }
        Self {
            shape: ScopeShape::Local,
            files: FileSet::none(n_files),
            ranges: all,
        }
    }

    /// Nothing, in a shape.
    pub fn empty(shape: ScopeShape, n_files: usize) -> Self {
        Self {
            shape,
            files: FileSet::none(n_files),
            ranges: BTreeMap::new(),
        }
    }

    /// Whole files, ranges, or both: by how it was made, not by what happens to be in it.
    pub fn shape(&self) -> ScopeShape {
        self.shape
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.ranges.is_empty()
    }

    /// What of a file is in it.
    pub fn coverage(&self, file: FileId) -> Coverage<'_> {
        if self.files.contains(file) {
            return Coverage::Whole;
        }
        match self.ranges.get(&file) {
            Some(ranges) => Coverage::Ranges(ranges),
            None => Coverage::Nothing,
        }
    }

    /// Whether a byte of a file is in it.
    pub fn contains(&self, file: FileId, offset: u32) -> bool {
        match self.coverage(file) {
            Coverage::Whole => true,
            Coverage::Ranges(ranges) => ranges.contains(offset),
            Coverage::Nothing => false,
        }
    }

    /// The files of which something is in it, in order.
    pub fn files(&self) -> impl Iterator<Item = (FileId, Coverage<'_>)> {
        let mut touched = self.files.clone();
        touched.union_with(&FileSet::from_ids(
            self.files.n_files(),
            self.ranges.keys().copied(),
        ));
        let ids: Vec<FileId> = touched.iter().collect();
        ids.into_iter().map(|file| (file, self.coverage(file)))
    }

    /// How many files have something in it.
    pub fn n_files(&self) -> usize {
        self.files.len() + self.ranges.len()
    }

    /// What is in both, of one universe.
    pub fn and(self, other: &Self) -> Self {
        let mut ranges = BTreeMap::new();
        for (file, mine) in &self.ranges {
            match other.coverage(*file) {
                Coverage::Nothing => {}
                Coverage::Whole => {
                    ranges.insert(*file, mine.clone());
                }
                Coverage::Ranges(theirs) => {
                    let both = mine.intersection(theirs);
                    if !both.is_empty() {
                        ranges.insert(*file, both);
                    }
                }
            }
        }
        for (file, theirs) in &other.ranges {
            if self.files.contains(*file) {
                ranges.insert(*file, theirs.clone());
            }
        }
        let mut files = self.files;
        files.intersect_with(&other.files);
        Self {
            shape: self.shape.and(other.shape),
            files,
            ranges,
        }
    }

    /// What is in either, of one universe.
    pub fn or(self, other: &Self) -> Self {
        let mut files = self.files;
        files.union_with(&other.files);
        let mut ranges = self.ranges;
        for (file, theirs) in &other.ranges {
            let known = ranges.entry(*file).or_default();
            *known = known.union(theirs);
        }
        ranges.retain(|file, _| !files.contains(*file));
        Self {
            shape: self.shape.or(other.shape),
            files,
            ranges,
        }
    }

    /// All other files; `None` unless it is global.
    pub fn complement(self) -> Option<Self> {
        (self.shape == ScopeShape::Global).then(|| Self::global(self.files.complement()))
    }
}
