//! Renames: which deleted file lives on under which new path.
//!
//! Equal content first, by id alone; then similar content, found through shared lines rather than by comparing
//! every pair. The work is bounded by the bytes that are read, whatever the number of files.

use std::collections::BTreeMap;

use cortex_model::BlobId;
use rustc_hash::FxHashMap;

use crate::{
    blobs::ReadBlob,
    change::{ChangeStatus, FileChange, FileSide},
    similarity::Fingerprint,
};

/// How many files may share a line for it to say anything about which of them is meant.
const MAX_SHARING: usize = 32;
/// How many of the likeliest sources are compared in full with one new file.
const MAX_CANDIDATES: usize = 8;

/// What counts as a rename, and how much work finding it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RenameOptions {
    /// Least per cent of common content. Default 50, as git's.
    pub min_similarity: u8,
    /// How many pairs may be compared in full. Default 20,000.
    pub max_comparisons: usize,
    /// A larger blob is a rename only of an equal one. Default 1 MiB.
    pub max_blob_bytes: u64,
    /// How many bytes may be read. Default 128 MiB.
    pub max_read_bytes: u64,
}

impl Default for RenameOptions {
    fn default() -> Self {
        Self {
            min_similarity: 50,
            max_comparisons: 20_000,
            max_blob_bytes: 1 << 20,
            max_read_bytes: 128 << 20,
        }
    }
}

/// Changes with their renames.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Renames {
    /// The changes, sorted by path: the new one, or the old one of a deleted file.
    pub changes: Vec<FileChange>,
    /// How many added files were not looked at because a bound was reached.
    pub n_skipped: usize,
}

/// Joins additions and deletions to renames. A deleted file is the source of one rename at most.
///
/// Files of a similar content are joined only if their extensions are equal. A blob that cannot be read is like no
/// other. The result depends on the input alone.
pub fn find_renames(
    changes: Vec<FileChange>,
    blobs: &mut dyn ReadBlob,
    options: &RenameOptions,
) -> Renames {
    let mut deleted = Vec::new();
    let mut added = Vec::new();
    let mut remaining = Vec::with_capacity(changes.len());
    for change in changes {
        match (change.status, change.old, change.new) {
            (ChangeStatus::Deleted, Some(old), None) => deleted.push(Some(old)),
            (ChangeStatus::Added, None, Some(new)) => added.push(Some(new)),
            (status, old, new) => remaining.push(FileChange { status, old, new }),
        }
    }
    deleted.sort_by(|a, b| path_of(a).cmp(&path_of(b)));
    added.sort_by(|a, b| path_of(a).cmp(&path_of(b)));
    let mut search = RenameSearch {
        deleted,
        added,
        renamed: Vec::new(),
        n_skipped: 0,
    };
    search.join_equal();
    search.join_similar(blobs, options);
    remaining.append(&mut search.renamed);
    let removed = search.deleted.into_iter().flatten();
    remaining.extend(removed.filter_map(|old| FileChange::between(Some(old), None)));
    let unmatched = search.added.into_iter().flatten();
    remaining.extend(unmatched.filter_map(|new| FileChange::between(None, Some(new))));
    remaining.sort_by(|a, b| a.path().cmp(b.path()));
    Renames {
        changes: remaining,
        n_skipped: search.n_skipped,
    }
}

fn path_of(side: &Option<FileSide>) -> Option<&cortex_model::RepoPath> {
    side.as_ref().map(|side| &side.path)
}

/// The two sides, each emptied as its files find a partner.
struct RenameSearch {
    deleted: Vec<Option<FileSide>>,
    added: Vec<Option<FileSide>>,
    renamed: Vec<FileChange>,
    n_skipped: usize,
}

impl RenameSearch {
    fn join(&mut self, old: usize, new: usize, similarity: u8) {
        let (old, new) = (self.deleted[old].take(), self.added[new].take());
        debug_assert!(old.is_some() && new.is_some(), "a file is joined once");
        self.renamed.push(FileChange {
            status: ChangeStatus::Renamed { similarity },
            old,
            new,
        });
    }

    /// Joins files of equal content: those that keep their name first, then in the order of paths.
    fn join_equal(&mut self) {
        let mut by_blob: FxHashMap<(BlobId, u32), (Vec<usize>, Vec<usize>)> = FxHashMap::default();
        let kind = |side: &FileSide| match side.mode.is_file() {
            true => 0,
            false => side.mode.bits(),
        };
        for (i, side) in self.deleted.iter().enumerate() {
            let side = side.as_ref().expect("nothing is joined yet");
            let group = by_blob.entry((side.blob, kind(side))).or_default();
            group.0.push(i);
        }
        for (i, side) in self.added.iter().enumerate() {
            let side = side.as_ref().expect("nothing is joined yet");
            if let Some(group) = by_blob.get_mut(&(side.blob, kind(side))) {
                group.1.push(i);
            }
        }
        let mut groups: Vec<_> = by_blob
            .into_values()
            .filter(|(_, added)| !added.is_empty())
            .collect();
        groups.sort_unstable();
        for (deleted, added) in groups {
            let mut by_name: FxHashMap<String, Vec<usize>> = FxHashMap::default();
            for &i in deleted.iter().rev() {
                let name = file_name(&self.deleted[i]);
                by_name.entry(name).or_default().push(i);
            }
            let mut others = Vec::new();
            for &new in &added {
                let same = by_name.get_mut(&file_name(&self.added[new]));
                match same.and_then(Vec::pop) {
                    Some(old) => self.join(old, new, 100),
                    None => others.push(new),
                }
            }
            let mut left = deleted.into_iter().filter(|&i| self.deleted[i].is_some());
            let pairs: Vec<_> = others
                .into_iter()
                .map_while(|new| Some((left.next()?, new)))
                .collect();
            for (old, new) in pairs {
                self.join(old, new, 100);
            }
        }
    }

    /// Joins files of similar content, the most similar pairs first.
    fn join_similar(&mut self, blobs: &mut dyn ReadBlob, options: &RenameOptions) {
        let mut groups: BTreeMap<String, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        let is_file = |side: &&FileSide| side.mode.is_file();
        for (i, side) in self.deleted.iter().enumerate() {
            if let Some(side) = side.as_ref().filter(is_file) {
                let extension = side.path.extension().to_ascii_lowercase();
                groups.entry(extension).or_default().0.push(i);
            }
        }
        for (i, side) in self.added.iter().enumerate() {
            if let Some(side) = side.as_ref().filter(is_file)
                && let Some(group) = groups.get_mut(&side.path.extension().to_ascii_lowercase())
            {
                group.1.push(i);
            }
        }
        let mut budget = Budget {
            n_bytes: options.max_read_bytes,
            n_comparisons: options.max_comparisons,
        };
        for (deleted, added) in groups.into_values().filter(|(_, added)| !added.is_empty()) {
            let old: Vec<_> = read_all(&deleted, &self.deleted, blobs, options, &mut budget)
                .into_iter()
                .filter_map(|(i, fingerprint)| Some((i, fingerprint?)))
                .collect();
            let new = read_all(&added, &self.added, blobs, options, &mut budget);
            self.n_skipped += added.len() - new.len();
            let new: Vec<_> = new
                .into_iter()
                .filter_map(|(i, fingerprint)| Some((i, fingerprint?)))
                .collect();
            let mut pairs = self.similar_pairs(&old, &new, options, &mut budget);
            pairs.sort_unstable();
            for pair in pairs {
                if self.deleted[pair.old].is_some() && self.added[pair.new].is_some() {
                    self.join(pair.old, pair.new, 100 - pair.difference);
                }
            }
        }
    }

    /// The pairs that are similar enough, found through the lines that few old files have.
    fn similar_pairs(
        &mut self,
        old: &[(usize, Fingerprint)],
        new: &[(usize, Fingerprint)],
        options: &RenameOptions,
        budget: &mut Budget,
    ) -> Vec<Pair> {
        let mut having: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        let mut names: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (at, (i, fingerprint)) in old.iter().enumerate() {
            for &(hash, _) in &fingerprint.pieces {
                let files = having.entry(hash).or_default();
                if files.len() <= MAX_SHARING {
                    files.push(at as u32);
                }
            }
            let files = names.entry(file_name(&self.deleted[*i])).or_default();
            if files.len() < MAX_CANDIDATES {
                files.push(at as u32);
            }
        }
        let mut pairs = Vec::new();
        let mut votes: FxHashMap<u32, u64> = FxHashMap::default();
        for (i, fingerprint) in new {
            votes.clear();
            for (hash, n_bytes) in &fingerprint.pieces {
                for &at in having
                    .get(hash)
                    .filter(|files| files.len() <= MAX_SHARING)
                    .into_iter()
                    .flatten()
                {
                    *votes.entry(at).or_default() += u64::from(*n_bytes);
                }
            }
            let name = file_name(&self.added[*i]);
            for &at in names.get(&name).into_iter().flatten() {
                // Before all others: a file that keeps its name.
                *votes.entry(at).or_default() += u64::from(u32::MAX);
            }
            let mut candidates: Vec<_> = votes
                .iter()
                .map(|(&at, &n_bytes)| (std::cmp::Reverse(n_bytes), at))
                .collect();
            candidates.sort_unstable();
            for (_, at) in candidates.into_iter().take(MAX_CANDIDATES) {
                if budget.n_comparisons == 0 {
                    self.n_skipped += 1;
                    break;
                }
                budget.n_comparisons -= 1;
                let (old_i, old_fingerprint) = &old[at as usize];
                let similarity = old_fingerprint.similarity(fingerprint).min(99);
                if similarity >= options.min_similarity {
                    let is_renamed = file_name(&self.deleted[*old_i]) != name;
                    pairs.push(Pair {
                        difference: 100 - similarity,
                        is_renamed,
                        old: *old_i,
                        new: *i,
                    });
                }
            }
        }
        pairs
    }
}

/// A possible rename. Sorts by what is left to differ, then files that keep their name, then paths.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    difference: u8,
    is_renamed: bool,
    old: usize,
    new: usize,
}

/// The work that is left.
struct Budget {
    n_bytes: u64,
    n_comparisons: usize,
}

fn file_name(side: &Option<FileSide>) -> String {
    side.as_ref()
        .map_or_else(String::new, |side| side.path.file_name().to_owned())
}

/// Reads files in order until the budget ends; `None` stands for one that is too large or cannot be read.
fn read_all(
    files: &[usize],
    sides: &[Option<FileSide>],
    blobs: &mut dyn ReadBlob,
    options: &RenameOptions,
    budget: &mut Budget,
) -> Vec<(usize, Option<Fingerprint>)> {
    let mut read = Vec::with_capacity(files.len());
    for &i in files {
        let Some(side) = &sides[i] else { continue };
        let size = blobs.blob_size(side.blob).unwrap_or(u64::MAX);
        if size > options.max_blob_bytes {
            read.push((i, None));
            continue;
        }
        let Some(left) = budget.n_bytes.checked_sub(size) else {
            break;
        };
        budget.n_bytes = left;
        let content = blobs.read_blob(side.blob).ok();
        // An empty file is like every other empty one: only equal content says anything.
        let content = content.filter(|content| !content.is_empty());
        read.push((i, content.map(|content| Fingerprint::new(&content))));
    }
    read
}

#[cfg(test)]
mod tests;
