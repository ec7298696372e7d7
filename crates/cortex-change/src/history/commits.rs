//! The commits of a history with their snapshots: which there are, which are indexed, where they end.
//!
//! Must not know: what is looked for in them.

use cortex_look::{QueryError, follow::track::Tracked};
use cortex_wire::HistoryGap;

use cortex_git::{Commit, Parents, Side};
use cortex_index::{Index, IndexError, IndexOutcome, Progress, Snapshot};
use cortex_model::CommitId;
use cortex_wire::HistoryFill;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::history::relevance::Watched;

/// So many commits are indexed at once where only some entries are wanted.
const CHUNK: usize = 256;

/// So many commits the command that fills a gap indexes, where nothing older is indexed.
const PROPOSED: usize = 1_000;

/// So far back an indexed commit is looked for behind a gap.
const MAX_BEHIND: usize = 10_000;

/// Commits, and snapshots as they are asked for.
pub(crate) struct Commits<'a> {
    index: &'a Index,
    progress: &'a dyn Progress,
    /// Newest first, each before its parents.
    pub(crate) list: Vec<Commit>,
    pub(crate) parents: Parents,
    pub(crate) gap: Option<HistoryGap>,
    /// The commit that the newest side is.
    pub(crate) newest: Commit,
    /// How many of `list`, from its start, are indexed with their parents.
    n_ready: usize,
    chunk: usize,
    is_indexed_on_demand: bool,
    snapshots: FxHashMap<CommitId, Snapshot>,
    pub(crate) outcome: IndexOutcome,
}

impl<'a> Commits<'a> {
    /// `HEAD` and its first parents as far as they are indexed; `HEAD` is indexed if it is not.
    pub(crate) fn indexed(
        index: &'a Index,
        progress: &'a dyn Progress,
    ) -> Result<Self, QueryError> {
        let head = index.repo.commit(index.repo.resolve("HEAD")?)?;
        let mut out = Self::new(index, progress, head, Parents::First, None);
        out.snapshot(&out.newest.clone())?;
        let mut ids = index.repo.first_parents(out.newest.id);
        for id in &mut ids {
            let commit = index.repo.commit(id?)?;
            let Some(snapshot) = index.indexed(&commit)? else {
                out.gap = Some(out.gap_at(commit.id, ids)?);
                break;
            };
            out.snapshots.insert(commit.id, snapshot);
            out.list.push(commit);
        }
        out.n_ready = out.list.len();
        out.end_of_clone();
        Ok(out)
    }

    /// The commits of a range as `git log` takes it; indexed on demand, some at a time where only `max_count`
    /// entries are wanted.
    pub(crate) fn of_range(
        index: &'a Index,
        progress: &'a dyn Progress,
        range: &str,
        parents: Parents,
        max_count: Option<usize>,
    ) -> Result<Self, QueryError> {
        let (old, new) = index.repo.resolve_history(range)?;
        let newest = index.repo.commit(new)?;
        let mut out = Self::new(index, progress, newest, parents, max_count);
        out.is_indexed_on_demand = true;
        out.list = index.repo.history(old, new, parents, usize::MAX)?;
        out.list.reverse();
        out.end_of_clone();
        Ok(out)
    }

    fn new(
        index: &'a Index,
        progress: &'a dyn Progress,
        newest: Commit,
        parents: Parents,
        max_count: Option<usize>,
    ) -> Self {
        Self {
            index,
            progress,
            list: Vec::new(),
            parents,
            gap: None,
            newest,
            n_ready: 0,
            chunk: max_count.map_or(usize::MAX, |_| CHUNK),
            is_indexed_on_demand: false,
            snapshots: FxHashMap::default(),
            outcome: IndexOutcome::default(),
        }
    }

    /// A commit without parents in a shallow clone is where it was cut off.
    fn end_of_clone(&mut self) {
        let is_root = self.list.last().is_some_and(|last| last.parents.is_empty());
        if self.gap.is_none() && is_root && self.index.repo.is_shallow() {
            self.gap = Some(HistoryGap {
                commit: None,
                fill: HistoryFill::Unshallow,
            });
        }
    }

    /// The gap that starts at a commit, and what fills it: up to the next indexed commit.
    fn gap_at(
        &self,
        commit: CommitId,
        older: cortex_git::FirstParents,
    ) -> Result<HistoryGap, QueryError> {
        let mut behind = None;
        let indexed = self.index.indexed_commits()?;
        if indexed.len() > self.list.len() {
            for id in older.take(MAX_BEHIND) {
                let id = id?;
                if indexed.contains(&id) {
                    behind = Some(id);
                    break;
                }
            }
        }
        let short = |id: CommitId| -> String { id.to_string().chars().take(10).collect() };
        let fill = match behind {
            Some(behind) => HistoryFill::IndexRange {
                from: short(behind),
                to: short(commit),
            },
            None => HistoryFill::IndexCommits {
                newest: short(commit),
                count: PROPOSED,
            },
        };
        Ok(HistoryGap {
            commit: Some(commit.to_string()),
            fill,
        })
    }

    /// The parents of a commit that are followed.
    pub(crate) fn parents_of(&self, commit: &Commit) -> Vec<CommitId> {
        let n_followed = match self.parents {
            Parents::First => 1,
            Parents::All => usize::MAX,
        };
        commit.parents.iter().copied().take(n_followed).collect()
    }

    /// Whether the state before a commit can be looked at: it can not where a gap follows.
    pub(crate) fn has_before(&self, at: usize) -> bool {
        let is_last = at + 1 == self.list.len();
        let is_cut_off = self.list[at].parents.is_empty() && self.index.repo.is_shallow();
        !(is_cut_off || (is_last && self.gap.is_some()))
    }

    /// Whether commits are indexed only where they have to be.
    pub(crate) fn is_indexed_on_demand(&self) -> bool {
        self.is_indexed_on_demand
    }

    /// Ends the walk where the request is ended.
    pub(crate) fn check(&self) -> Result<(), QueryError> {
        match self.progress.interrupted() {
            true => Err(IndexError::Interrupted.into()),
            false => Ok(()),
        }
    }

    /// What decides about the type of a symbol at a commit; see [`Watched::of`].
    pub(crate) fn watched(
        &mut self,
        commit: &Commit,
        tracked: &Tracked,
        known: &Watched,
    ) -> Result<Watched, QueryError> {
        let snapshot = self.snapshot(commit)?;
        Watched::of(&snapshot, self.repo(), tracked.key, known)
    }

    /// Whether a type is the same in a commit and in all of these parents, as far as that is known without an index.
    pub(crate) fn is_same_in(
        &self,
        parents: &[CommitId],
        commit: &Commit,
        watched: &Watched,
    ) -> Result<bool, QueryError> {
        for &parent in parents {
            let parent = self.index.repo.commit(parent)?;
            if watched.may_differ(&self.index.repo, [parent.tree, commit.tree])? {
                return Ok(false);
            }
        }
        Ok(!parents.is_empty())
    }

    /// Indexes the commit of this place with its parents, and at the same time those after it that seem to matter to a
    /// type.
    pub(crate) fn make_ready_for(
        &mut self,
        at: usize,
        watched: &Watched,
    ) -> Result<(), QueryError> {
        if at < self.n_ready {
            return Ok(());
        }
        let end = at.saturating_add(self.chunk).min(self.list.len());
        let mut part: Vec<Commit> = Vec::new();
        for (nth, commit) in self.list[at..end].iter().enumerate() {
            let parents = self.parents_of(commit);
            if nth == 0 || !self.is_same_in(&parents, commit, watched)? {
                part.push(commit.clone());
            }
        }
        self.make_all(&part)?;
        self.n_ready = end;
        Ok(())
    }

    /// Indexes the commit of this place, and those after it, with their parents.
    pub(crate) fn make_ready(&mut self, at: usize) -> Result<(), QueryError> {
        if self.progress.interrupted() {
            return Err(IndexError::Interrupted.into());
        }
        if at < self.n_ready {
            return Ok(());
        }
        let end = at.saturating_add(self.chunk).min(self.list.len());
        let part = self.list[at..end].to_vec();
        self.make_all(&part)?;
        self.n_ready = end;
        Ok(())
    }

    /// Indexes commits, the newest of which is the first, with their parents.
    fn make_all(&mut self, part: &[Commit]) -> Result<(), QueryError> {
        let mut wanted: Vec<Commit> = Vec::new();
        let mut known: FxHashSet<CommitId> = part.iter().map(|commit| commit.id).collect();
        for commit in part {
            for parent in self.parents_of(commit) {
                if known.insert(parent) {
                    wanted.push(self.index.repo.commit(parent)?);
                }
            }
        }
        // Parents before children; of those outside of the part, the older ones first.
        wanted.sort_by_key(|commit| (commit.time, commit.id));
        wanted.extend(part.iter().rev().cloned());
        let outcome = self.index.history(&wanted, self.progress)?;
        self.add(outcome);
        Ok(())
    }

    /// The snapshot of a commit, made if it is not there.
    pub(crate) fn snapshot(&mut self, commit: &Commit) -> Result<Snapshot, QueryError> {
        if let Some(known) = self.snapshots.get(&commit.id) {
            return Ok(known.clone());
        }
        let snapshot = match self.index.indexed(commit)? {
            Some(snapshot) => snapshot,
            None => {
                let side = Side::Commit {
                    commit: commit.id,
                    tree: commit.tree,
                };
                let (made, outcome) = self.index.side(side, self.progress)?;
                self.add(outcome);
                made.snapshot
            }
        };
        self.snapshots.insert(commit.id, snapshot.clone());
        Ok(snapshot)
    }

    /// The snapshot of a commit by its id.
    pub(crate) fn snapshot_of(&mut self, id: CommitId) -> Result<Snapshot, QueryError> {
        match self.snapshots.get(&id) {
            Some(known) => Ok(known.clone()),
            None => {
                let commit = self.index.repo.commit(id)?;
                self.snapshot(&commit)
            }
        }
    }

    /// The newest commit and its first parents, as places in the list.
    pub(crate) fn first_parents(&self) -> Vec<usize> {
        let places: FxHashMap<CommitId, usize> = (self.list.iter().enumerate())
            .map(|(at, commit)| (commit.id, at))
            .collect();
        let mut out = Vec::new();
        let mut next = places.get(&self.newest.id).copied();
        while let Some(at) = next {
            out.push(at);
            let parent = self.list[at].parents.first();
            next = parent.and_then(|parent| places.get(parent).copied());
        }
        out
    }

    fn add(&mut self, outcome: IndexOutcome) {
        self.outcome.parsed += outcome.parsed;
        self.outcome.rebound += outcome.rebound;
        self.outcome.snapshots += outcome.snapshots;
    }

    /// The repository.
    pub(crate) fn repo(&self) -> &'a cortex_git::Repository {
        &self.index.repo
    }

    /// The snapshot before the first commit.
    pub(crate) fn nothing(&self) -> Snapshot {
        self.index.nothing()
    }
}
