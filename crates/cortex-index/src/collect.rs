//! Collection: which snapshots stay, and what they need.

use std::{collections::BTreeSet, ops::ControlFlow};

use cortex_model::CommitId;
use cortex_store::{
    Collected, FactsKey, Retain, Retention, Snapshot as Stored, SnapshotId, SnapshotKey,
    StoreError,
    merkle::{self, MapRoot, PageSource},
};

use crate::{
    Index, IndexError,
    facts::facts_key,
    projects::parse_options,
    records::{FileSummary, ProjectRecord, SnapshotRecord, decode},
};

impl Index {
    /// Drops snapshots that no branch, tag or other reference points to and that were not used for
    /// `max_age` seconds, then everything that the others do not need.
    pub fn collect(&self, max_age: i64) -> Result<Collected, IndexError> {
        let tips: BTreeSet<CommitId> = self.repo.reference_tips()?.into_iter().collect();
        let config = self.options.digest();
        let now = self.now;
        let keep = |key: &SnapshotKey, stored: &Stored| {
            let is_tip = matches!(key.id, SnapshotId::Commit(id) if tips.contains(&CommitId(id)));
            key.config == config && (is_tip || now - stored.last_used < max_age)
        };
        Ok(self.store.gc(&mut Kept { keep: &keep })?)
    }

    /// Drops everything.
    pub fn collect_all(&self) -> Result<Collected, IndexError> {
        Ok(self.store.gc(&mut Kept {
            keep: &|_, _| false,
        })?)
    }
}

struct Kept<'a> {
    keep: &'a dyn Fn(&SnapshotKey, &Stored) -> bool,
}

impl Retention for Kept<'_> {
    fn snapshot(&mut self, key: &SnapshotKey, snapshot: &Stored) -> Retain {
        if (self.keep)(key, snapshot) {
            Retain::Keep
        } else {
            Retain::Drop
        }
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
