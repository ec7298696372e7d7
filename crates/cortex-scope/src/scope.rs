//! The result of a program: whole files, ranges of files, or both; and how results combine.

use std::collections::BTreeMap;

use crate::{data::ScopeShape, file_set::FileSet, ranges::Ranges, universe::FileId};

/// A set of files and of offsets in files.
///
/// A whole file contains all its offsets, so its intersection with ranges is the ranges. Ranges are never widened:
/// they stay exact in a union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    shape: ScopeShape,
    // Invariant: empty where the shape is local.
    files: FileSet,
    // Invariant: empty where the shape is global; has no file of `files`, and no empty ranges.
    ranges: BTreeMap<FileId, Ranges>,
}

/// The part of a file that is in a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage<'s> {
    /// Nothing.
    Nothing,
    /// Some bytes of the file.
    Ranges(&'s Ranges),
    /// The whole file.
    Whole,
}

impl Scope {
    /// Creates a scope of whole files.
    pub fn global(files: FileSet) -> Self {
        Self {
            shape: ScopeShape::Global,
            files,
            ranges: BTreeMap::new(),
        }
    }

    /// Creates a scope of ranges in a universe of `n_files`.
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

    /// Creates an empty scope of a shape.
    pub fn empty(shape: ScopeShape, n_files: usize) -> Self {
        Self {
            shape,
            files: FileSet::none(n_files),
            ranges: BTreeMap::new(),
        }
    }

    /// The shape, which follows from the program and not from the files that the scope happens to contain.
    pub fn shape(&self) -> ScopeShape {
        self.shape
    }

    /// Whether the scope is empty.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.ranges.is_empty()
    }

    /// The part of a file that is in the scope.
    pub fn coverage(&self, file: FileId) -> Coverage<'_> {
        if self.files.contains(file) {
            return Coverage::Whole;
        }
        match self.ranges.get(&file) {
            Some(ranges) => Coverage::Ranges(ranges),
            None => Coverage::Nothing,
        }
    }

    /// Whether a byte of a file is in the scope.
    pub fn contains(&self, file: FileId, offset: u32) -> bool {
        match self.coverage(file) {
            Coverage::Whole => true,
            Coverage::Ranges(ranges) => ranges.contains(offset),
            Coverage::Nothing => false,
        }
    }

    /// The files with any part in the scope, in order.
    pub fn files(&self) -> impl Iterator<Item = (FileId, Coverage<'_>)> {
        let mut touched = self.files.clone();
        touched.union_with(&FileSet::from_ids(
            self.files.n_files(),
            self.ranges.keys().copied(),
        ));
        let ids: Vec<FileId> = touched.iter().collect();
        ids.into_iter().map(|file| (file, self.coverage(file)))
    }

    /// The number of files with any part in the scope.
    pub fn n_files(&self) -> usize {
        self.files.len() + self.ranges.len()
    }

    /// The intersection with a scope of the same universe.
    pub fn and(self, other: &Self) -> Self {
        let mut ranges = BTreeMap::new();
        for (file, ranges_in_self) in &self.ranges {
            match other.coverage(*file) {
                Coverage::Nothing => {}
                Coverage::Whole => {
                    ranges.insert(*file, ranges_in_self.clone());
                }
                Coverage::Ranges(ranges_in_other) => {
                    let both = ranges_in_self.intersection(ranges_in_other);
                    if !both.is_empty() {
                        ranges.insert(*file, both);
                    }
                }
            }
        }
        for (file, ranges_in_other) in &other.ranges {
            if self.files.contains(*file) {
                ranges.insert(*file, ranges_in_other.clone());
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

    /// The union with a scope of the same universe.
    pub fn or(self, other: &Self) -> Self {
        let mut files = self.files;
        files.union_with(&other.files);
        let mut ranges = self.ranges;
        for (file, ranges_in_other) in &other.ranges {
            let known = ranges.entry(*file).or_default();
            *known = known.union(ranges_in_other);
        }
        ranges.retain(|file, _| !files.contains(*file));
        Self {
            shape: self.shape.or(other.shape),
            files,
            ranges,
        }
    }

    /// The files outside the scope; `None` unless the scope is global.
    pub fn complement(self) -> Option<Self> {
        (self.shape == ScopeShape::Global).then(|| Self::global(self.files.complement()))
    }
}
