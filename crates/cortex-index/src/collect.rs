//! Collection: which snapshots stay, and what they need.

use std::{collections::BTreeSet, ops::ControlFlow};

use cortex_model::CommitId;
use cortex_store::{
    Collected, FactsKey, Retain, Retention, Snapshot as Stored, SnapshotId, SnapshotKey,
    StoreError,
    merkle::{self, MapRoot, PageSource},
};

use crate::{
    Index, IndexError, IndexOptions,
    derived::{DERIVED, value_name},
    externals::KEPT,
    facts::facts_key,
    index::CONFIGS,
    projects::parse_options,
    records::{FileSummary, ProjectRecord, SnapshotRecord, decode},
};

/// How much stays.
#[derive(Clone, Copy, Debug)]
pub struct Keep {
    /// Snapshots that were used within this many seconds stay, those of tips always.
    pub max_age: i64,
    /// The file may take so many bytes, about; snapshots that were used last stay first, after those of
    /// tips.
    pub max_bytes: Option<u64>,
    /// Whether this version reads what is stored under the name of a derived value.
    pub reads_derived: fn(&str) -> bool,
}

impl Index {
    /// Drops snapshots that no branch, tag or other reference points to and that were not used for a
    /// while, those of older versions of this program, then everything that the others do not need.
    pub fn collect(&self, keep: Keep) -> Result<Collected, IndexError> {
        let tips: BTreeSet<CommitId> = self.repo.reference_tips()?.into_iter().collect();
        let versions = IndexOptions::versions().to_le_bytes();
        let mut configs: BTreeSet<String> = BTreeSet::from([self.options.digest().short()]);
        for (config, made_by) in self.store.names(CONFIGS)? {
            if made_by == versions {
                configs.insert(config);
            }
        }
        let own = self.options.digest();
        let retain = |key: &SnapshotKey, stored: &Stored| {
            if !configs.contains(&key.config.short()) {
                return Retain::Drop;
            }
            let is_tip = matches!(key.id, SnapshotId::Commit(id) if tips.contains(&CommitId(id)));
            match (
                is_tip && key.config == own,
                self.now - stored.last_used < keep.max_age,
            ) {
                (true, _) => Retain::Prefer,
                (false, true) => Retain::Keep,
                (false, false) => Retain::Drop,
            }
        };
        // They are no part of any snapshot: those of earlier versions would stay for good.
        self.drop_derived(keep.reads_derived)?;
        // A tenth of the file is not content.
        let room = keep.max_bytes.map(|bytes| bytes / 11 * 10);
        Ok(self.store.gc(&mut Kept { retain: &retain }, room)?)
    }

    /// Drops all that can be computed again.
    pub fn collect_all(&self) -> Result<Collected, IndexError> {
        self.drop_derived(|_| false)?;
        Ok(self.store.gc(
            &mut Kept {
                retain: &|_, _| Retain::Drop,
            },
            None,
        )?)
    }

    /// Drops the derived values whose names do not pass.
    fn drop_derived(&self, passes: fn(&str) -> bool) -> Result<(), IndexError> {
        let mut dropped = self.store.names_in(DERIVED)?;
        dropped.retain(|name| !passes(value_name(name)));
        if dropped.is_empty() {
            return Ok(());
        }
        let mut batch = self.store.begin_write()?;
        for name in &dropped {
            batch.delete_name(DERIVED, name);
        }
        Ok(batch.commit()?)
    }

    /// What the store has that cannot be computed again: how many values of what kind, by kind.
    pub fn irreplaceable(&self) -> Result<Vec<(String, u64)>, IndexError> {
        let mut kinds = self.store.namespaces()?;
        kinds.remove(CONFIGS);
        kinds.remove(KEPT);
        kinds.remove(DERIVED);
        Ok(kinds.into_iter().collect())
    }
}

struct Kept<'a> {
    retain: &'a dyn Fn(&SnapshotKey, &Stored) -> Retain,
}

impl Retention for Kept<'_> {
    fn snapshot(&mut self, key: &SnapshotKey, snapshot: &Stored) -> Retain {
        (self.retain)(key, snapshot)
    }

    fn roots(&mut self, value: &[u8]) -> Vec<MapRoot> {
        let record: Option<SnapshotRecord> = decode(value, "snapshot").ok();
        record
            .map(|record| record.roots.all().map(|root| *root).to_vec())
            .unwrap_or_default()
    }

    fn facts(
        &mut self,
        value: &[u8],
        pages: &dyn PageSource,
        each: &mut dyn FnMut(&FactsKey),
    ) -> Result<(), StoreError> {
        let Ok(record) = decode::<SnapshotRecord>(value, "snapshot") else {
            return Ok(());
        };
        let mut digests: Vec<(cortex_model::RepoPath, u64)> = Vec::new();
        merkle::scan_prefix(record.roots.projects, &[], pages, &mut |_, value| {
            if let Ok(project) = decode::<ProjectRecord>(value, "project") {
                digests.push((
                    project.project.path.clone(),
                    parse_options(&project).digest(),
                ));
            }
            ControlFlow::Continue(())
        })?;
        merkle::scan_prefix(record.roots.files, &[], pages, &mut |_, value| {
            if let Ok(file) = decode::<FileSummary>(value, "file") {
                each(&facts_key(file.blob, 0));
                for project in &file.projects {
                    for (_, digest) in digests.iter().filter(|(path, _)| path == project) {
                        each(&facts_key(file.blob, *digest));
                    }
                }
            }
            ControlFlow::Continue(())
        })
    }
}
