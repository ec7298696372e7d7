//! Many commits in a row: each from the one before it, written many at a time.
//!
//! The commits are cut into chains that are made side by side. A chain parses what is new in its
//! next commits first, all at once, then makes snapshot after snapshot; their pages wait in memory
//! and are written together, so that the states of one page over time are stored side by side.
//!
//! Snapshots of one run count as used one after another, the newest last, so that where there is no room
//! for all of them the newest stay.
//!
//! Must not know: what a snapshot consists of.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use cortex_git::{Commit, FileChange, ReadBlob, Side};
use cortex_model::{CommitId, RepoPath, TreeId};
use cortex_store::Batch;
use cortex_syntax::ParseOptions;
use rustc_hash::FxHashMap;

use crate::{
    Index, IndexError, IndexOutcome,
    facts::Writes,
    index::{COMPACT_AFTER, Wanted},
    nearest::{commit_key, nearest},
    projects::parse_options,
    records::{ProjectRecord, SnapshotRecord},
    snapshot::{Snapshot, SnapshotId, is_source},
    update::{Progress, Stage},
};

/// A chain has at least so many commits: its first snapshot is made over a longer distance.
const MIN_CHAIN: usize = 64;

/// The texts of so many commits are parsed ahead.
const WINDOW: usize = 128;

/// So many snapshots are written together.
const GROUP: usize = 64;

/// Or as many as have so many bytes of new pages.
const GROUP_BYTES: usize = 24 << 20;

/// How often a chain begins anew without having written anything, after damage or collections by other
/// processes, before it keeps them from writing.
const MAX_ATTEMPTS: usize = 3;

/// For so many commits.
const HELD: usize = 16;

impl Index {
    /// Makes the snapshots of commits that have none, each from its first parent's where that is among them
    /// or indexed. `commits`: parents before children ([`cortex_git::Repository::history`]).
    ///
    /// What was made before an error or an interrupt is kept.
    pub fn history(
        &self,
        commits: &[Commit],
        progress: &dyn Progress,
    ) -> Result<IndexOutcome, IndexError> {
        let config = self.options.digest();
        let mut missing = Vec::new();
        for commit in commits {
            if self.find(&commit_key(commit.id, config))?.is_none() {
                missing.push(commit);
            }
        }
        self.store.release();
        let _deferral = self.store.defer_gc()?;
        let n_chains = self.parallel.min(missing.len() / MIN_CHAIN).max(1);
        let work = Work {
            index: self,
            progress,
            done: AtomicUsize::new(0),
            total: missing.len(),
            failed: AtomicBool::new(false),
            used: (commits.iter().rev().map(|commit| commit.id))
                .zip((0..).map(|age| self.now - age))
                .collect(),
            parallel: self.parallel.div_ceil(n_chains),
        };
        let outcome = Mutex::new((IndexOutcome::default(), Ok(())));
        std::thread::scope(|scope| {
            for chain in missing.chunks(missing.len().div_ceil(n_chains).max(1)) {
                let (work, outcome) = (&work, &outcome);
                scope.spawn(move || {
                    let mut made = IndexOutcome::default();
                    let result = work.chain(chain, &mut made);
                    if result.is_err() {
                        work.failed.store(true, Ordering::Relaxed);
                    }
                    let mut outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
                    outcome.0.add(made);
                    if outcome.1.is_ok() {
                        outcome.1 = result;
                    }
                });
            }
        });
        self.store.forget_waiting();
        let (outcome, result) = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        result?;
        if outcome.parsed >= COMPACT_AFTER {
            self.store.compact()?;
        }
        self.store.release();
        Ok(outcome)
    }
}

/// Snapshots that a chain made, with the trees of their commits.
type Made = FxHashMap<CommitId, (SnapshotRecord, TreeId)>;

/// What all chains have in common.
struct Work<'a> {
    index: &'a Index,
    progress: &'a dyn Progress,
    done: AtomicUsize,
    total: usize,
    /// Whether one of them failed: then the others stop too.
    failed: AtomicBool,
    /// When the snapshot of each commit is to count as used.
    used: FxHashMap<CommitId, i64>,
    /// How many parsers each may start.
    parallel: usize,
}

/// Snapshots of a chain that are not written yet.
struct Group<'s> {
    /// The epoch of the store when the chain began.
    epoch: u64,
    batch: Option<Batch<'s>>,
    len: usize,
}

/// A commit with what differs from its base.
struct Step<'a> {
    commit: &'a Commit,
    /// The commit that the difference starts from, and the difference.
    from: Option<(CommitId, Vec<FileChange>)>,
}

impl<'a> Work<'a> {
    /// Makes the snapshots of a chain. It begins anew at what is written when the store was damaged or
    /// collected; where others collect faster than a group is made, nobody else may for the next few.
    fn chain(&self, commits: &[&'a Commit], outcome: &mut IndexOutcome) -> Result<(), IndexError> {
        let store = &self.index.store;
        let mut rest = commits;
        let mut n_failed = 0;
        while !rest.is_empty() {
            let hold = match n_failed {
                0..MAX_ATTEMPTS => None,
                _ => Some(store.hold()?),
            };
            let part = match hold {
                None => rest,
                Some(_) => &rest[..rest.len().min(HELD)],
            };
            let mut n_written = 0;
            let mut group = Group {
                epoch: store.epoch()?,
                batch: None,
                len: 0,
            };
            let result = self.attempt(part, &mut group, &mut n_written, outcome);
            // What was made before an error is whole; what an error says of the store, this finds out
            // again.
            let result = self.write(&mut group, &mut n_written, outcome).and(result);
            rest = &rest[n_written..];
            match result {
                Ok(()) => n_failed = 0,
                Err(error)
                    if (error.is_damage() || error.is_stale()) && n_failed < 2 * MAX_ATTEMPTS =>
                {
                    // What is missing may have been collected, or be mended, by now.
                    let is_same = store.epoch()? == group.epoch;
                    if n_failed > 0 && error.is_damage() && is_same {
                        self.index.mend()?;
                    }
                    n_failed = if n_written > 0 { 0 } else { n_failed + 1 };
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Makes the snapshots of commits in order, up to the group that is not written yet; `n_written`:
    /// how many of them are in the store.
    fn attempt(
        &self,
        commits: &[&'a Commit],
        group: &mut Group<'a>,
        n_written: &mut usize,
        outcome: &mut IndexOutcome,
    ) -> Result<(), IndexError> {
        let mut made = Made::default();
        let mut last = None;
        for window in commits.chunks(WINDOW) {
            let (steps, base) = self.look_ahead(window, last, &made)?;
            self.parse_ahead(&steps, base.as_ref(), outcome)?;
            for step in &steps {
                let base = self.base(step, last, &made)?;
                let record = self.step(step, base, group, outcome)?;
                made.insert(step.commit.id, (record, step.commit.tree));
                last = Some(step.commit.id);
                let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
                self.progress.report(Stage::History, done, self.total);
                if group.len >= GROUP || self.index.store.waiting_bytes() >= GROUP_BYTES {
                    self.write(group, n_written, outcome)?;
                }
                if self.interrupted() {
                    return Err(IndexError::Interrupted);
                }
            }
        }
        Ok(())
    }

    /// Writes a group. What cannot be written is not counted as made.
    fn write(
        &self,
        group: &mut Group<'a>,
        n_written: &mut usize,
        outcome: &mut IndexOutcome,
    ) -> Result<(), IndexError> {
        let len = std::mem::take(&mut group.len);
        let Some(batch) = group.batch.take() else {
            return Ok(());
        };
        match batch.commit() {
            Ok(()) => *n_written += len,
            Err(error) => {
                outcome.snapshots -= len;
                self.done.fetch_sub(len, Ordering::Relaxed);
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// The differences of the next commits, each from its first parent or the commit before it; and
    /// the snapshot that they lie over.
    fn look_ahead(
        &self,
        window: &[&'a Commit],
        last: Option<CommitId>,
        made: &Made,
    ) -> Result<(Vec<Step<'a>>, Option<Snapshot>), IndexError> {
        let repo = &self.index.repo;
        let trees: FxHashMap<CommitId, TreeId> = (window.iter())
            .map(|commit| (commit.id, commit.tree))
            .collect();
        let mut steps: Vec<Step<'a>> = Vec::with_capacity(window.len());
        let mut first_base = None;
        for commit in window {
            let parent = commit.parents.first();
            let mut from = parent.and_then(|parent| {
                let tree = made.get(parent).map(|(_, tree)| *tree);
                Some((*parent, tree.or_else(|| trees.get(parent).copied())?))
            });
            if steps.is_empty() {
                let step = Step { commit, from: None };
                let base = self.base(&step, last, made)?;
                if let (Some(base), None) = (&base, from)
                    && let (SnapshotId::Commit(id), Side::Commit { tree, .. }) =
                        (base.id, base.side)
                {
                    from = Some((id, tree));
                }
                first_base = base;
            }
            let from = match from {
                Some((id, tree)) => Some((id, repo.diff_trees(Some(tree), Some(commit.tree))?)),
                None => None,
            };
            steps.push(Step { commit, from });
        }
        Ok((steps, first_base))
    }

    /// Parses the texts that the steps bring, all at once. The options of each are those that its path has
    /// in the snapshot before all of them: a guess, and what it misses is parsed when its turn comes.
    fn parse_ahead(
        &self,
        steps: &[Step<'_>],
        base: Option<&Snapshot>,
        outcome: &mut IndexOutcome,
    ) -> Result<(), IndexError> {
        let Some(base) = base else { return Ok(()) };
        let projects = base.projects()?;
        let guess = Guess::new(&projects);
        let open = || -> Box<dyn ReadBlob + '_> { Box::new(self.index.repo.blobs()) };
        let mut facts = self.index.facts(Writes::Together, &open);
        facts.limit_parallel(self.parallel);
        let sets: Vec<u32> = (guess.options.iter())
            .map(|options| facts.set(options.clone()))
            .collect();
        let changes = steps.iter().filter_map(|step| step.from.as_ref());
        let mut wanted = Vec::new();
        for side in changes
            .flat_map(|(_, files)| files)
            .filter_map(|file| file.new.as_ref())
        {
            if is_source(side) {
                let known = base.file(&side.path)?.map(|file| file.projects);
                let projects = known.unwrap_or_else(|| guess.around(&side.path));
                let places = projects.iter().filter_map(|path| guess.places.get(path));
                wanted.extend(places.map(|&place| (side.blob, sets[place])));
            }
        }
        facts.fetch(wanted, &Quiet(self))?;
        outcome.parsed += facts.parsed;
        self.index.store.release();
        Ok(())
    }

    /// The snapshot to start from: the one of the step's difference, else of any parent, else the last one of
    /// the chain, else the nearest one of the store.
    fn base(
        &self,
        step: &Step<'_>,
        last: Option<CommitId>,
        made: &Made,
    ) -> Result<Option<Snapshot>, IndexError> {
        let index = self.index;
        let config = index.options.digest();
        let wished = step.from.iter().map(|(from, _)| *from);
        for id in wished.chain(step.commit.parents.iter().copied()) {
            if let Some((record, tree)) = made.get(&id) {
                return Ok(Some(self.snapshot(id, record.clone(), *tree)));
            }
            if let Some(record) = index.stored(&commit_key(id, config))? {
                let tree = index.repo.commit(id)?.tree;
                return Ok(Some(self.snapshot(id, record, tree)));
            }
        }
        if let Some((id, (record, tree))) = last.and_then(|id| Some((id, made.get(&id)?))) {
            return Ok(Some(self.snapshot(id, record.clone(), *tree)));
        }
        let (id, tree) = (step.commit.id, step.commit.tree);
        let Some(near) = nearest(&index.repo, &index.store, config, id, tree)? else {
            return Ok(None);
        };
        let record = index.stored(&commit_key(near, config))?;
        let tree = index.repo.commit(near)?.tree;
        Ok(record.map(|record| self.snapshot(near, record, tree)))
    }

    fn snapshot(&self, commit: CommitId, record: SnapshotRecord, tree: TreeId) -> Snapshot {
        let side = Side::Commit { commit, tree };
        Snapshot::of(self.index, SnapshotId::Commit(commit), record, side)
    }

    /// Makes one snapshot and adds it to the group.
    fn step(
        &self,
        step: &Step<'_>,
        base: Option<Snapshot>,
        group: &mut Group<'a>,
        outcome: &mut IndexOutcome,
    ) -> Result<SnapshotRecord, IndexError> {
        let index = self.index;
        let tree = step.commit.tree;
        let difference = |base: Option<&Snapshot>| match (&step.from, base) {
            (Some((from, files)), Some(base)) if base.id == SnapshotId::Commit(*from) => {
                Ok(files.clone())
            }
            (_, base) => {
                let from = base.and_then(|base| base.side.tree());
                Ok(index.repo.diff_trees(from, Some(tree))?)
            }
        };
        let list = || Ok(index.repo.tree_files(tree)?);
        let blobs = || -> Box<dyn ReadBlob + '_> { Box::new(index.repo.blobs()) };
        let wanted = Wanted {
            key: commit_key(step.commit.id, index.options.digest()),
            epoch: group.epoch,
            used: self.used[&step.commit.id],
            difference: &difference,
            tree: &list,
            blobs: &blobs,
        };
        let quiet = Quiet(self);
        let made = index.prepare(&wanted, base, Writes::Together, &quiet, outcome)?;
        group.add(made.batch)?;
        Ok(made.record)
    }

    fn interrupted(&self) -> bool {
        self.progress.interrupted() || self.failed.load(Ordering::Relaxed)
    }
}

impl<'s> Group<'s> {
    fn add(&mut self, batch: Batch<'s>) -> Result<(), IndexError> {
        match &mut self.batch {
            Some(all) => all.absorb(batch)?,
            None => self.batch = Some(batch),
        }
        self.len += 1;
        Ok(())
    }
}

/// The projects that a path probably belongs to.
struct Guess<'a> {
    /// By project, in order.
    options: Vec<ParseOptions>,
    places: FxHashMap<&'a RepoPath, usize>,
    records: &'a [ProjectRecord],
}

impl<'a> Guess<'a> {
    fn new(records: &'a [ProjectRecord]) -> Self {
        let places = records.iter().enumerate();
        Self {
            options: records.iter().map(parse_options).collect(),
            places: places
                .map(|(at, record)| (&record.project.path, at))
                .collect(),
            records,
        }
    }

    /// The projects of the innermost folder around a path that has some.
    fn around(&self, path: &RepoPath) -> Vec<RepoPath> {
        let folder = |record: &ProjectRecord| {
            let text = record.project.path.as_str();
            text.rfind('/').map_or(0, |end| end + 1)
        };
        let around = self.records.iter().filter(|record| {
            path.as_str()
                .starts_with(&record.project.path.as_str()[..folder(record)])
        });
        let around: Vec<&ProjectRecord> = around.collect();
        let innermost = around.iter().map(|record| folder(record)).max();
        let inside = around
            .into_iter()
            .filter(|record| Some(folder(record)) == innermost);
        inside.map(|record| record.project.path.clone()).collect()
    }
}

/// Tells of no single file: commits are counted.
struct Quiet<'a>(&'a Work<'a>);

impl Progress for Quiet<'_> {
    fn report(&self, _: Stage, _: usize, _: usize) {}

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}
