//! The bound on what a tree unfolds to: equal folders are one object, so ten small trees can name ten billion files.

use std::collections::HashSet;

use cortex_model::ObjectId;

use crate::error::GitError;

/// More files and folders than any repository of the world.
const MAX_ENTRIES: usize = 8_000_000;
/// Longer than any path that a system can check out. Bounds the cost of deeply nested trees.
const MAX_PATH_BYTES: usize = 16 * 1024;
/// Memory that an entry takes besides its path.
const ENTRY_BYTES: usize = 64;
/// A listing takes so much memory for each byte of the distinct trees that it is made of. Real repositories take 2.
const MAX_GROWTH: usize = 16;
/// A listing may always take so many bytes.
const MIN_LIMIT: usize = 16 << 20;

/// What one walk over trees has read and listed so far.
#[derive(Default)]
pub(crate) struct Unfolding {
    distinct: HashSet<ObjectId>,
    tree_bytes: usize,
    listed_bytes: usize,
    n_entries: usize,
}

impl Unfolding {
    /// Notes that a tree of so many bytes was read.
    pub(crate) fn read(&mut self, tree: ObjectId, n_bytes: usize) {
        if self.distinct.insert(tree) {
            self.tree_bytes += n_bytes;
        }
    }

    /// Notes a file or folder with a path of so many bytes.
    ///
    /// # Errors
    /// [`GitError::TooLarge`] once there are more than the trees account for.
    pub(crate) fn list(&mut self, path_len: usize) -> Result<(), GitError> {
        self.n_entries += 1;
        self.listed_bytes += path_len + ENTRY_BYTES;
        let max_bytes = MIN_LIMIT.max(MAX_GROWTH.saturating_mul(self.tree_bytes));
        if path_len > MAX_PATH_BYTES
            || self.n_entries > MAX_ENTRIES
            || self.listed_bytes > max_bytes
        {
            return Err(too_large());
        }
        Ok(())
    }
}

pub(crate) fn too_large() -> GitError {
    GitError::TooLarge {
        what: "a tree".into(),
        limit: format!(
            "{MAX_ENTRIES} files, a path of {MAX_PATH_BYTES} bytes, or {MAX_GROWTH} times the size of its folders"
        ),
    }
}
