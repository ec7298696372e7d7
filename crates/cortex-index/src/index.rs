//! The index of a repository: asks for a side of a range, gets its snapshot.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use cortex_git::{
    Commit, FileChange, Overlay, OverlayKind, PlannedFile, ReadBlob, Repository, Side, TreeFile,
};
use cortex_model::{CommitId, Hash, Interrupt, TreeId};
use cortex_sandbox::Launcher;
use cortex_store::{Snapshot as Stored, SnapshotId as StoredId, SnapshotKey, Store, StoreError};
use rustc_hash::FxHashSet;

use crate::{
    IndexError, IndexOptions,
    externals::{KEPT, KeptBy, kept_names},
    facts::{FactsSource, Writes},
    nearest::{commit_key, nearest},
    records::{SnapshotRecord, decode, encode},
    snapshot::{Snapshot, SnapshotId, is_source},
    unread::UnreadFiles,
    update::{Change, Prepared, Progress, update},
};

/// A repository with its store.
pub struct Index {
    /// The repository.
    pub repo: Repository,
    /// The store.
    pub store: Arc<Store>,
    /// What results depend on.
    pub options: IndexOptions,
    /// How texts are parsed.
    pub launcher: Launcher,
    /// Where assemblies from outside of the repository are found.
    pub references: cortex_metadata::References,
    /// How many parsers run side by side.
    pub parallel: usize,
    /// Now, in seconds since 1970: when snapshots are noted as made and used.
    pub now: i64,
    /// What the snapshots that were given out were made without.
    pub unread: UnreadFiles,
    /// Ends what reads the snapshots that are given out.
    pub interrupt: Interrupt,
}

/// What making a snapshot took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct IndexOutcome {
    /// Texts parsed.
    pub parsed: usize,
    /// Files bound again.
    pub rebound: usize,
    /// Snapshots made.
    pub snapshots: usize,
}

impl IndexOutcome {
    /// Adds what another call did.
    pub fn add(&mut self, other: Self) {
        self.parsed += other.parsed;
        self.rebound += other.rebound;
        self.snapshots += other.snapshots;
    }
}

/// A side of a range, indexed.
#[derive(Clone)]
pub struct IndexedSide {
    /// Its graph; empty where the side was only listed ([`Index::listed`]).
    pub snapshot: Snapshot,
    /// The commit that it is, or lies over.
    pub commit: Option<CommitId>,
    /// The difference to that commit, for the index and the work tree.
    pub overlay: Option<Overlay>,
}

impl IndexedSide {
    /// Whether its graph is there.
    pub fn has_graph(&self) -> bool {
        self.commit.is_none() || self.snapshot.id() != SnapshotId::Empty
    }
}

impl Index {
    /// The snapshot of one side of a range, made if it is not there.
    ///
    /// Damage in the store costs the work of making the snapshot anew, no more; the same if another
    /// process collects what it is made from.
    pub fn side(
        &self,
        side: Side,
        progress: &dyn Progress,
    ) -> Result<(IndexedSide, IndexOutcome), IndexError> {
        for _ in 1..MAX_ATTEMPTS {
            match self.try_side(side, progress) {
                Err(IndexError::Store(StoreError::Stale)) => {}
                result => return result,
            }
        }
        let _hold = self.store.hold()?;
        match self.try_side(side, progress) {
            // Mended meanwhile, now that nobody else can change the store.
            Err(IndexError::Store(StoreError::Stale)) => self.try_side(side, progress),
            result => result,
        }
    }

    fn try_side(
        &self,
        side: Side,
        progress: &dyn Progress,
    ) -> Result<(IndexedSide, IndexOutcome), IndexError> {
        let mut outcome = IndexOutcome::default();
        let indexed = match side {
            Side::Empty => IndexedSide {
                snapshot: self.empty(side),
                commit: None,
                overlay: None,
            },
            Side::Commit { commit, tree } => {
                let snapshot = self.commit(commit, tree, progress, &mut outcome)?;
                IndexedSide {
                    snapshot,
                    commit: Some(commit),
                    overlay: None,
                }
            }
            Side::Index => self.overlay(side, OverlayKind::Index, progress, &mut outcome)?,
            Side::WorkTree => self.overlay(side, OverlayKind::WorkTree, progress, &mut outcome)?,
        };
        self.unread.note(&indexed.snapshot.record.unread);
        Ok((indexed, outcome))
    }

    /// A side for questions about files: with its graph where that is there, or where no more than `max_read` sources
    /// have to be read for it, otherwise with an empty one, at the cost of listing what differs.
    pub fn listed(
        &self,
        side: Side,
        max_read: usize,
        progress: &dyn Progress,
    ) -> Result<IndexedSide, IndexError> {
        let (commit, kind) = match side {
            Side::Empty => (None, None),
            Side::Commit { commit, .. } => (Some(commit), None),
            Side::Index => (self.repo.head()?, Some(OverlayKind::Index)),
            Side::WorkTree => (self.repo.head()?, Some(OverlayKind::WorkTree)),
        };
        let Some(commit) = commit else {
            return Ok(self.side(side, progress)?.0);
        };
        let tree = self.repo.commit(commit)?.tree;
        if self.n_to_read(commit, tree)? <= max_read {
            return Ok(self.side(side, progress)?.0);
        }
        let overlay = kind.map(|kind| self.repo.overlay(Some(tree), kind));
        Ok(IndexedSide {
            snapshot: self.empty(side),
            commit: Some(commit),
            overlay: overlay.transpose()?,
        })
    }

    /// How many sources of a commit differ from what is indexed; none where the commit is.
    fn n_to_read(&self, commit: CommitId, tree: TreeId) -> Result<usize, IndexError> {
        let config = self.options.digest();
        if self.stored(&commit_key(commit, config))?.is_some() {
            return Ok(0);
        }
        let near = nearest(&self.repo, &self.store, config, commit, tree)?;
        let near = near.map(|near| self.repo.commit(near)).transpose()?;
        let changes = self
            .repo
            .diff_trees(near.map(|near| near.tree), Some(tree))?;
        let new = changes.iter().filter_map(|change| change.new.as_ref());
        Ok(new.filter(|file| is_source(file)).count())
    }

    /// A side that was indexed before, for another request: with the interrupt of this index. `None` where files of the
    /// work tree that git does not track, or files that git could not read, are others by now; what git tracks, and
    /// which packages the machine has, is not looked at.
    pub fn again(&self, side: &IndexedSide) -> Option<IndexedSide> {
        let record = &side.snapshot.record;
        if record.untracked.has_changed(&self.repo) || record.unread.is_readable(&self.repo) {
            return None;
        }
        self.unread.note(&record.unread);
        let mut side = side.clone();
        side.snapshot.interrupt = self.interrupt.clone();
        Some(side)
    }

    /// The folders in which something would have to appear, go or change for a side to be another one, but for the
    /// git directory: those of the work tree, those that restores of projects are written to, and those of packages.
    pub fn folders_of(&self, side: &IndexedSide) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        if let Some(overlay) = &side.overlay {
            folders.extend(overlay.folders.iter().cloned());
        }
        let record = &side.snapshot.record;
        if let Some(root) = self.repo.work_dir() {
            let untracked = record.untracked.folders();
            folders.extend(untracked.map(|folder| root.join(folder)));
        }
        let roots: Vec<_> = self.references.roots().map(Path::to_path_buf).collect();
        for root in roots {
            let packages = record.lacking.packages();
            folders.extend(packages.map(|id| root.join(id.to_ascii_lowercase())));
            let packs = root.join("packs");
            if let Ok(entries) = std::fs::read_dir(&packs) {
                folders.extend(entries.flatten().map(|entry| entry.path()));
            }
            folders.extend([packs, root.join("shared"), root]);
        }
        folders.sort();
        folders.dedup();
        folders
    }

    /// A reader of the blobs of a side, those that exist in the work tree alone included.
    pub fn blobs<'a>(&'a self, side: &'a IndexedSide) -> Box<dyn ReadBlob + 'a> {
        match &side.overlay {
            Some(overlay) => Box::new(overlay.reader(self.repo.blobs())),
            None => Box::new(self.repo.blobs()),
        }
    }

    /// The snapshot of a commit if it is indexed already, also one that was made without assemblies that are
    /// on the machine now: a base to start from.
    fn try_find_base(&self, commit: CommitId) -> Result<Option<Snapshot>, IndexError> {
        let commit = self.repo.commit(commit)?;
        let record = self.stored(&commit_key(commit.id, self.options.digest()))?;
        Ok(record.map(|record| self.commit_snapshot(&commit, record)))
    }

    /// The snapshot of a commit if it is indexed already; also one that was made without assemblies that are
    /// on the machine now.
    pub fn indexed(&self, commit: &Commit) -> Result<Option<Snapshot>, IndexError> {
        let record = self.stored(&commit_key(commit.id, self.options.digest()))?;
        // One that was made without files that can be read by now is not right.
        let record = record.filter(|record| !record.unread.is_readable(&self.repo));
        if let Some(record) = &record {
            self.unread.note(&record.unread);
        }
        Ok(record.map(|record| self.commit_snapshot(commit, record)))
    }

    fn commit_snapshot(&self, commit: &Commit, record: SnapshotRecord) -> Snapshot {
        let side = Side::Commit {
            commit: commit.id,
            tree: commit.tree,
        };
        Snapshot::of(self, SnapshotId::Commit(commit.id), record, side)
    }

    /// The commits that are indexed. O(snapshots).
    pub fn indexed_commits(&self) -> Result<FxHashSet<CommitId>, IndexError> {
        let config = self.options.digest();
        let keys = self.store.snapshots()?.into_iter().map(|(key, _)| key);
        Ok(keys
            .filter(|key| key.config == config)
            .filter_map(|key| match key.id {
                StoredId::Commit(id) => Some(CommitId(id)),
                StoredId::Overlay(_) => None,
            })
            .collect())
    }

    /// The snapshot before the first commit: there is nothing in it.
    pub fn nothing(&self) -> Snapshot {
        self.empty(Side::Empty)
    }

    /// Makes every snapshot forgotten, so that the next questions make them anew from facts.
    pub fn forget_snapshots(&self) -> Result<(), IndexError> {
        let mut batch = self.store.begin_write()?;
        for (key, _) in self.store.snapshots()? {
            batch.delete_snapshot(&key);
        }
        Ok(batch.commit()?)
    }

    /// Makes every snapshot forgotten, and writes the database anew: where its own structure is damaged,
    /// entries are there that are not found, and this finds them or lets them go.
    pub fn mend(&self) -> Result<(), IndexError> {
        self.forget_snapshots()?;
        Ok(self.store.compact()?)
    }

    fn empty(&self, side: Side) -> Snapshot {
        Snapshot::of(self, SnapshotId::Empty, SnapshotRecord::default(), side)
    }

    /// What is stored, unless it was made without assemblies that are on the machine now, without files that git can
    /// read now, or with other files of the work tree that git does not track.
    pub(crate) fn find(&self, key: &SnapshotKey) -> Result<Option<SnapshotRecord>, IndexError> {
        let stored = self.stored(key)?;
        Ok(stored.filter(|record| {
            !record.lacking.is_found(&self.references)
                && !record.untracked.has_changed(&self.repo)
                && !record.unread.is_readable(&self.repo)
        }))
    }

    pub(crate) fn stored(&self, key: &SnapshotKey) -> Result<Option<SnapshotRecord>, IndexError> {
        let Some(stored) = self.store.snapshot(key)? else {
            return Ok(None);
        };
        if self.now - stored.last_used >= USE_NOTED_FOR {
            self.store.note_use(key, self.now);
        }
        // A record that does not read is made again.
        Ok(decode(&stored.value, "snapshot").ok())
    }

    fn commit(
        &self,
        commit: CommitId,
        tree: TreeId,
        progress: &dyn Progress,
        outcome: &mut IndexOutcome,
    ) -> Result<Snapshot, IndexError> {
        let epoch = self.store.epoch()?;
        let config = self.options.digest();
        let key = commit_key(commit, config);
        let side = Side::Commit { commit, tree };
        let id = SnapshotId::Commit(commit);
        if let Some(record) = self.find(&key)? {
            return Ok(Snapshot::of(self, id, record, side));
        }
        let base = match nearest(&self.repo, &self.store, config, commit, tree)? {
            Some(near) => self.try_find_base(near)?,
            None => None,
        };
        let blobs = || -> Box<dyn ReadBlob + '_> { Box::new(self.repo.blobs()) };
        let list = || Ok(self.repo.tree_files(tree)?);
        let from = |base: Option<&Snapshot>| -> Result<Vec<FileChange>, IndexError> {
            Ok(self
                .repo
                .diff_trees(base.and_then(|base| base.side.tree()), Some(tree))?)
        };
        let record = self.make(
            &Wanted {
                key,
                epoch,
                used: self.now,
                difference: &from,
                tree: &list,
                blobs: &blobs,
            },
            base,
            progress,
            outcome,
        )?;
        Ok(Snapshot::of(self, id, record, side))
    }

    fn overlay(
        &self,
        side: Side,
        kind: OverlayKind,
        progress: &dyn Progress,
        outcome: &mut IndexOutcome,
    ) -> Result<IndexedSide, IndexError> {
        let head = self.repo.head()?;
        let (base, tree) = match head {
            None => (self.empty(Side::Empty), None),
            Some(commit) => {
                let tree = self.repo.commit(commit)?.tree;
                (self.commit(commit, tree, progress, outcome)?, Some(tree))
            }
        };
        let overlay = self.repo.overlay(tree, kind)?;
        self.laid_over(side, (base, head), overlay, progress, outcome)
    }

    /// The snapshot of a side as some files are planned to be. It is kept like that of any other side: once the files
    /// are so, it is there.
    ///
    /// # Errors
    /// Those of [`Index::side`].
    pub fn planned(
        &self,
        base: &IndexedSide,
        planned: &[PlannedFile],
        progress: &dyn Progress,
    ) -> Result<(IndexedSide, IndexOutcome), IndexError> {
        let mut outcome = IndexOutcome::default();
        let attempt = |outcome: &mut IndexOutcome| {
            let overlay = self.repo.planned_overlay(base.overlay.as_ref(), planned)?;
            let commit = match base.commit {
                None => self.empty(Side::Empty),
                Some(commit) => {
                    let tree = self.repo.commit(commit)?.tree;
                    self.commit(commit, tree, progress, outcome)?
                }
            };
            self.laid_over(
                Side::WorkTree,
                (commit, base.commit),
                overlay,
                progress,
                outcome,
            )
        };
        let side = match attempt(&mut outcome) {
            Err(IndexError::Store(StoreError::Stale)) => attempt(&mut outcome),
            result => result,
        }?;
        Ok((side, outcome))
    }

    /// The snapshot of what lies over a commit, or over nothing.
    fn laid_over(
        &self,
        side: Side,
        (base, head): (Snapshot, Option<CommitId>),
        overlay: Overlay,
        progress: &dyn Progress,
        outcome: &mut IndexOutcome,
    ) -> Result<IndexedSide, IndexError> {
        let epoch = self.store.epoch()?;
        let tree = base.side.tree();
        let matters = |change: &FileChange| {
            [&change.old, &change.new]
                .into_iter()
                .flatten()
                .any(is_source)
                || cortex_project::is_project_file(change.path())
                || cortex_project::is_library(change.path())
        };
        if !overlay.changes.iter().any(matters) {
            let snapshot = Snapshot { side, ..base };
            return Ok(IndexedSide {
                snapshot,
                commit: head,
                overlay: Some(overlay),
            });
        }
        let mut hasher = cortex_model::Hasher::new("overlay-snapshot-v1");
        hasher.field(overlay.digest.as_bytes());
        hasher.field(
            head.map(|head| head.to_string())
                .unwrap_or_default()
                .as_bytes(),
        );
        let digest: Hash = hasher.finish();
        let key = SnapshotKey {
            id: StoredId::Overlay(digest),
            config: self.options.digest(),
        };
        let id = SnapshotId::Overlay(digest);
        let record = match self.find(&key)? {
            Some(record) => record,
            None => {
                let blobs =
                    || -> Box<dyn ReadBlob + '_> { Box::new(overlay.reader(self.repo.blobs())) };
                let list = || {
                    Ok(overlaid(
                        tree.map(|tree| self.repo.tree_files(tree))
                            .transpose()?
                            .unwrap_or_default(),
                        &overlay,
                    ))
                };
                let from = |base: Option<&Snapshot>| -> Result<Vec<FileChange>, IndexError> {
                    match base {
                        Some(_) => Ok(overlay.changes.clone()),
                        None => Ok(added(list()?)),
                    }
                };
                let base = head.is_some().then_some(base);
                self.make(
                    &Wanted {
                        key,
                        epoch,
                        used: self.now,
                        difference: &from,
                        tree: &list,
                        blobs: &blobs,
                    },
                    base,
                    progress,
                    outcome,
                )?
            }
        };
        Ok(IndexedSide {
            snapshot: Snapshot::of(self, id, record, side),
            commit: head,
            overlay: Some(overlay),
        })
    }

    /// Makes a snapshot and writes it. Stale if the base turns out to be damaged, which is forgotten then.
    fn make(
        &self,
        wanted: &Wanted<'_, '_>,
        base: Option<Snapshot>,
        progress: &dyn Progress,
        outcome: &mut IndexOutcome,
    ) -> Result<SnapshotRecord, IndexError> {
        match self.try_make(wanted, base, progress, outcome) {
            Err(error) if error.is_damage() => {
                // Unless it was collected, or mended, meanwhile.
                if self.store.epoch()? == wanted.epoch {
                    self.mend()?;
                }
                Err(StoreError::Stale.into())
            }
            result => result,
        }
    }

    fn try_make(
        &self,
        wanted: &Wanted<'_, '_>,
        base: Option<Snapshot>,
        progress: &dyn Progress,
        outcome: &mut IndexOutcome,
    ) -> Result<SnapshotRecord, IndexError> {
        let parsed_before = outcome.parsed;
        let prepared = self.prepare(wanted, base, Writes::Alone, progress, outcome)?;
        prepared.batch.commit()?;
        if outcome.parsed - parsed_before >= COMPACT_AFTER {
            self.store.compact()?;
        }
        self.store.release();
        Ok(prepared.record)
    }

    /// Makes a snapshot and puts it into its batch, which is not committed yet.
    pub(crate) fn prepare<'s>(
        &'s self,
        wanted: &Wanted<'_, '_>,
        base: Option<Snapshot>,
        writes: Writes,
        progress: &dyn Progress,
        outcome: &mut IndexOutcome,
    ) -> Result<Prepared<'s>, IndexError> {
        // A difference from the base does not list what can be read now and could not when the base was made.
        let base = base.filter(|base| !base.record.unread.is_readable(&self.repo));
        let files = (wanted.difference)(base.as_ref())?;
        let config = self.options.digest().short();
        let change = Change {
            base,
            files,
            tree: wanted.tree,
            tfm: self.options.tfm.as_deref(),
            references: &self.references,
            repo: &self.repo,
            known: None,
            kept: match writes {
                Writes::Alone => Some(KeptBy {
                    store: &self.store,
                    config: &config,
                }),
                Writes::Together => None,
            },
        };
        let mut facts = self.facts(writes, wanted.blobs);
        let mut prepared = update(&change, &mut facts, progress)?;
        if facts.is_lacking() {
            return Err(IndexError::Damaged { what: "facts" });
        }
        if prepared.externals.assemblies.is_any_lost() {
            // What was kept did not hold: it is looked for anew.
            let mut batch = self.store.begin_write()?;
            for name in kept_names(&config) {
                batch.delete_name(KEPT, &name);
            }
            batch.commit()?;
            return Err(StoreError::Stale.into());
        }
        if writes == Writes::Alone
            && let Some((name, kept)) = prepared.externals.to_keep(&self.references, &config)
        {
            prepared.batch.put_name(KEPT, &name, &kept);
        }
        outcome.parsed += facts.parsed;
        outcome.rebound += prepared.rebound;
        outcome.snapshots += 1;
        let stored = Stored {
            created: self.now,
            last_used: wanted.used,
            value: encode(&prepared.record),
        };
        prepared.batch.rely_on(wanted.epoch);
        prepared.batch.put_snapshot(&wanted.key, &stored)?;
        prepared
            .batch
            .put_name(CONFIGS, &config, &IndexOptions::versions().to_le_bytes());
        Ok(prepared)
    }

    pub(crate) fn facts<'s, 'b>(
        &'s self,
        writes: Writes,
        blobs: &'b (dyn Fn() -> Box<dyn ReadBlob + 'b> + Sync),
    ) -> FactsSource<'s, 'b> {
        FactsSource::new(
            &self.store,
            &self.repo,
            &self.launcher,
            &self.options.limits,
            self.parallel,
            writes,
            blobs,
        )
    }
}

/// Lists what differs from a base, or from nothing, by path.
pub(crate) type Difference<'d> =
    dyn Fn(Option<&Snapshot>) -> Result<Vec<FileChange>, IndexError> + 'd;

/// A snapshot that is to be made.
pub(crate) struct Wanted<'a, 'b> {
    pub(crate) key: SnapshotKey,
    /// The epoch of the store when its base was looked for.
    pub(crate) epoch: u64,
    /// When it is to count as used, in seconds since 1970.
    pub(crate) used: i64,
    /// The raw difference from a base, or from nothing.
    pub(crate) difference: &'a Difference<'a>,
    /// All files, by path.
    pub(crate) tree: &'a dyn Fn() -> Result<Vec<TreeFile>, IndexError>,
    /// Opens a reader of blobs.
    pub(crate) blobs: &'b (dyn Fn() -> Box<dyn ReadBlob + 'b> + Sync),
}

/// How often a snapshot is begun whose store is collected before it is written; the last time nobody
/// may collect.
const MAX_ATTEMPTS: usize = 3;

/// After how many seconds it is noted again that a snapshot is used.
const USE_NOTED_FOR: i64 = 24 * 3600;

/// The namespace of the configurations that snapshots were made with: by the digest, what
/// [`IndexOptions::versions`] was.
pub(crate) const CONFIGS: &str = "configs";

/// After this many new texts the database is rewritten in place of the one that grew by doubling.
pub(crate) const COMPACT_AFTER: usize = 100;

/// The files of a tree with an overlay's changes applied, by path.
pub(crate) fn overlaid(files: Vec<TreeFile>, overlay: &Overlay) -> Vec<TreeFile> {
    let mut by_path: std::collections::BTreeMap<_, _> = files
        .into_iter()
        .map(|file| (file.path.clone(), file))
        .collect();
    for change in &overlay.changes {
        if let Some(old) = &change.old {
            by_path.remove(&old.path);
        }
        if let Some(new) = &change.new {
            by_path.insert(new.path.clone(), new.clone());
        }
    }
    by_path.into_values().collect()
}

fn added(files: Vec<TreeFile>) -> Vec<FileChange> {
    files
        .into_iter()
        .map(|file| FileChange {
            status: cortex_git::ChangeStatus::Added,
            old: None,
            new: Some(file),
        })
        .collect()
}
