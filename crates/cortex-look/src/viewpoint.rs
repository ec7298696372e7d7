//! Where a question looks.

use crate::filter::Filter;
use cortex_derived::{kept::Timed, limits::Limits, source::Source};
use cortex_git::ReadBlob;
use cortex_index::{Index, IndexedSide, Snapshot};

/// Where a question looks: a side of a repository, indexed, and how much of it the answer may speak of.
#[derive(Clone, Copy)]
pub struct Viewpoint<'a> {
    /// The repository with its store.
    pub index: &'a Index,
    /// The commit or the work tree.
    pub side: &'a IndexedSide,
    /// What the answer may speak of.
    pub filter: &'a Filter,
    /// How much it may tell, and how long it may take.
    pub limits: Limits,
}

impl<'a> Viewpoint<'a> {
    /// What derived data is read from.
    pub fn source(&self) -> Source<'a> {
        Source {
            index: self.index,
            side: self.side,
        }
    }

    /// The graph, to be read within the limits.
    pub fn timed(&self) -> Timed<'a> {
        Timed {
            snapshot: self.snapshot(),
            limits: self.limits,
        }
    }

    /// The graph.
    pub fn snapshot(&self) -> &'a Snapshot {
        &self.side.snapshot
    }

    /// A reader of the texts.
    pub fn blobs(&self) -> Box<dyn ReadBlob + 'a> {
        self.index.blobs(self.side)
    }
}
