//! What is recorded of a request: which type it was about. It stays beside the index, on this machine.

use cortex_index::{Index, Snapshot};
use cortex_look::{
    AccessLog, Bounded, TypeGraph,
    access::{Access, files_of_id},
};
use cortex_model::RepoPath;
use cortex_wire::{
    CallsAnswer, CyclesAnswer, DepsAnswer, MapAnswer, OutlineOrMap, RelativesAnswer, ResolveAnswer,
    SearchAnswer, SourceAnswer, Subject, UnusedAnswer, UsagesAnswer,
};

/// An answer that may be about one symbol.
pub(crate) trait Viewed {
    /// What it is about.
    fn subject(&self) -> Option<&Subject>;
}

macro_rules! viewed {
    ($($answer:ty),*) => {
        $(impl Viewed for $answer {
            fn subject(&self) -> Option<&Subject> {
                Some(&self.subject)
            }
        })*
    };
}
viewed!(
    ResolveAnswer,
    UsagesAnswer,
    CallsAnswer,
    RelativesAnswer,
    SourceAnswer,
    DepsAnswer
);

macro_rules! not_viewed {
    ($($answer:ty),*) => {
        $(impl Viewed for $answer {
            fn subject(&self) -> Option<&Subject> {
                None
            }
        })*
    };
}
not_viewed!(MapAnswer, SearchAnswer, UnusedAnswer);

impl Viewed for OutlineOrMap {
    fn subject(&self) -> Option<&Subject> {
        match self {
            Self::Outline(outline) => Some(&outline.subject),
            Self::Map(_) => None,
        }
    }
}

impl Viewed for CyclesAnswer {
    fn subject(&self) -> Option<&Subject> {
        self.subject.as_ref()
    }
}

impl<A: Viewed> Viewed for (A, TypeGraph) {
    fn subject(&self) -> Option<&Subject> {
        self.0.subject()
    }
}

impl<A: Viewed> Viewed for Bounded<A> {
    fn subject(&self) -> Option<&Subject> {
        self.answer.subject()
    }
}

/// The type that an answer is about, with the files that declare it.
pub(crate) fn viewed(snapshot: &Snapshot, answer: &impl Viewed) -> Option<(String, Vec<RepoPath>)> {
    let id = &answer.subject()?.resolved.type_id;
    let files = files_of_id(snapshot, id).ok()?;
    Some((id.clone(), files))
}

/// Records it, or forgets everything where nothing is to be recorded. What fails of it is no failure of the request.
/// Says whether something was recorded.
pub(crate) fn record(
    index: &Index,
    is_wanted: bool,
    viewed: Option<(String, Vec<RepoPath>)>,
) -> bool {
    let folder = index.store.folder();
    if is_wanted {
        let Some((type_id, files)) = viewed else {
            return false;
        };
        let access = Access {
            type_id,
            files,
            time: index.now,
        };
        return AccessLog::append(folder, access).is_ok();
    }
    if !AccessLog::is_absent(folder) {
        let mut log = AccessLog::read(folder);
        if !log.accesses.is_empty() {
            log.accesses.clear();
            let _ = log.write(folder);
        }
    }
    false
}
