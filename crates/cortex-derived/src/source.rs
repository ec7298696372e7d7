//! What derived data is read from.

use cortex_git::ReadBlob;
use cortex_index::{Index, IndexedSide, Snapshot};

/// A side of a repository, indexed: its graph and its texts.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The repository with its store.
    pub index: &'a Index,
    /// The commit or the work tree.
    pub side: &'a IndexedSide,
}

impl<'a> Source<'a> {
    /// The graph.
    pub fn snapshot(&self) -> &'a Snapshot {
        &self.side.snapshot
    }

    /// A reader of the texts.
    pub fn blobs(&self) -> Box<dyn ReadBlob + 'a> {
        self.index.blobs(self.side)
    }
}
