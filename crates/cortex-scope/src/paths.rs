//! A scope as repository paths, for requests that know files by path only. Needs no universe.

use std::collections::BTreeMap;

use cortex_model::ByteRange;

use crate::{
    ranges::Ranges,
    scope::{Coverage, Scope},
    universe::ScopeFile,
};

/// The part of each repository file that is in a scope.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScopedPaths {
    // Invariant: `None` for whole files; no ranges are empty.
    parts: BTreeMap<String, Option<Ranges>>,
}

impl ScopedPaths {
    /// Creates the repository part of a scope; `files` are the files of its universe.
    pub fn new(scope: &Scope, files: &[ScopeFile]) -> Self {
        let mut parts = BTreeMap::new();
        for (file, coverage) in scope.files() {
            let path = files.get(file.index()).and_then(ScopeFile::repository_path);
            let part = match coverage {
                Coverage::Nothing => continue,
                Coverage::Whole => None,
                Coverage::Ranges(ranges) => Some(ranges.clone()),
            };
            parts.extend(path.map(|path| (path.to_owned(), part)));
        }
        Self { parts }
    }

    /// Whether any part of a file is in the scope.
    pub fn has_path(&self, path: &str) -> bool {
        self.parts.contains_key(path)
    }

    /// Whether a byte of a file is in the scope.
    pub fn has(&self, path: &str, offset: u32) -> bool {
        match self.parts.get(path) {
            None => false,
            Some(None) => true,
            Some(Some(ranges)) => ranges.contains(offset),
        }
    }

    /// The ranges of a file that are in the scope; `None` for a file that is in it as a whole or not at all.
    pub fn ranges(&self, path: &str) -> Option<&[ByteRange]> {
        let ranges = self.parts.get(path)?.as_ref()?;
        Some(ranges.as_slice())
    }

    /// Whether a byte of a range is in the scope; of an empty range, whether the whole file is.
    pub fn overlaps(&self, path: &str, range: ByteRange) -> bool {
        match self.parts.get(path) {
            None => false,
            Some(None) => true,
            Some(Some(ranges)) => ranges.as_slice().iter().any(|it| it.overlaps(range)),
        }
    }

    /// The paths of files with any part in the scope, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.parts.keys().map(String::as_str)
    }
}
