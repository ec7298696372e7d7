//! Questions that look at one snapshot: what a symbol is, where it is used, what is around it.
//!
//! Owns: what every such question has in common: where it looks ([`Viewpoint`]), what its answer may speak of
//! ([`Filter`]), what it turned out to be about ([`Subject`]). One module for each question.
//! Must not know: wire formats, rendering, budgets.

mod area;
mod calls;
mod cycles;
mod declared;
mod deps;
mod drawing;
mod family;
mod filter;
mod map;
mod outline;
mod passing;
mod places;
mod rank;
mod relatives;
pub(crate) mod search;
mod source;
mod subject;
mod unused;
mod usages;

use std::time::{Duration, Instant};

use cortex_git::ReadBlob;
use cortex_index::{Index, IndexedSide, Snapshot};

use crate::QueryError;

pub use area::Area;
pub use calls::{CallEdge, CallItem, CallsAnswer, Direction, Site, Where, calls, draw_calls};
pub use cycles::{Cycle, CycleEdge, CycleMember, CyclesAnswer, CyclesBy, CyclesOptions, cycles};
pub use deps::{
    DepsAnswer, DepsDirection, DepsOptions, DepsPath, DepsSide, DepsStep, DepsType, GraphWanted,
    OutsideDependency, deps,
};
pub use drawing::{Drawing, DrawnEdge, DrawnNode};
pub use filter::{Filter, FilterOptions, LimitedTo, TestScope};
pub(crate) use filter::{limited_to_scope, whole_lines};
pub use map::{
    MapAnswer, MapDocs, MapFocus, MapMember, MapNamespace, MapOptions, MapProject, MapType,
    TestsShown, find_area, map,
};
pub use outline::{
    DocsShown, MemberOutline, MembersShown, OutlineAnswer, OutlineDependency, OutlineHashes,
    OutlineOptions, OutlinePlace, OutlineType, SourceShown, TypeOutline, outline,
};
pub use places::PlaceCertainty;
pub use relatives::{Kinship, RelativeEntry, RelativesAnswer, draw_relatives, relatives};
pub use search::{SearchAnswer, SearchQuestion, Suggestion, SymbolItem, search_symbols};
pub use source::{SourceAnswer, SourcePart, source};
pub use subject::{Declaration, ResolveAnswer, Subject, find_symbol, resolve_symbol};
pub use unused::{
    UnusedAnswer, UnusedItem, UnusedListed, UnusedOptions, UnusedReason, UnusedWhat, UnusedWhy,
    unused,
};
pub use usages::{Family, NotKnown, Usage, UsageVia, UsagesAnswer, Verdict, usages};

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
    /// The graph.
    pub fn snapshot(&self) -> &'a Snapshot {
        &self.side.snapshot
    }

    /// A reader of the texts.
    pub fn blobs(&self) -> Box<dyn ReadBlob + 'a> {
        self.index.blobs(self.side)
    }
}

/// How long a question may take, and how much it may answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// No more items than that.
    pub n_items: usize,
    /// After this time the answer is what was found until then.
    pub until: Option<Instant>,
}

impl Limits {
    /// So many items, found within a time from now on.
    pub fn new(n_items: usize, time: Duration) -> Self {
        Self {
            n_items,
            until: Instant::now().checked_add(time),
        }
    }

    /// Fails where the time is over. `doing`: what there is no time for, as an error says it.
    ///
    /// # Errors
    /// [`QueryError::TimedOut`].
    pub fn check(&self, doing: &'static str) -> Result<(), QueryError> {
        match self.is_over() {
            true => Err(QueryError::TimedOut { doing }),
            false => Ok(()),
        }
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }
}
