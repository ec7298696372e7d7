//! The declarations of files as they are planned to be, without a graph of them: enough to bind any file of that side.

use cortex_git::{PlannedFile, ReadBlob};
use rustc_hash::FxHashMap;

use crate::{
    IndexError,
    externals::KeptBy,
    facts::Writes,
    index::{Index, IndexedSide},
    records::{FileStatus, FileSummary},
    symbols::Symbols,
    update::{self, Change, Progress},
};

impl Index {
    /// The symbols of a side as some files are planned to be. Costs what reading and declaring those files costs; what
    /// names mean in them, or in any other file, is not found out. `None` where projects would be others too, and where
    /// what is kept of the machine does not hold: [`Index::planned`] is for those.
    ///
    /// # Errors
    /// Those of [`Index::side`].
    pub fn planned_symbols(
        &self,
        base: &IndexedSide,
        planned: &[PlannedFile],
        progress: &dyn Progress,
    ) -> Result<Option<Symbols>, IndexError> {
        if !base.has_graph() || base.snapshot.record.unread.is_readable(&self.repo) {
            return Ok(None);
        }
        let difference = self.repo.planned_overlay(None, planned)?;
        let overlay = self.repo.planned_overlay(base.overlay.as_ref(), planned)?;
        let config = self.options.digest().short();
        let change = Change {
            base: Some(base.snapshot.clone()),
            files: difference.changes,
            tree: &|| {
                let tree = (base
                    .commit
                    .map(|commit| self.repo.commit(commit))
                    .transpose()?)
                .map(|commit| self.repo.tree_files(commit.tree));
                Ok(crate::index::overlaid(
                    tree.transpose()?.unwrap_or_default(),
                    &overlay,
                ))
            },
            tfm: self.options.tfm.as_deref(),
            references: &self.references,
            repo: &self.repo,
            kept: Some(KeptBy {
                store: &self.store,
                config: &config,
            }),
        };
        let blobs = || -> Box<dyn ReadBlob + '_> { Box::new(overlay.reader(self.repo.blobs())) };
        let mut facts = self.facts(Writes::Alone, &blobs);
        let declared = update::declare(&change, &mut facts, progress)?;
        if facts.is_lacking() {
            return Err(IndexError::Damaged { what: "facts" });
        }
        let Some(declared) = declared.filter(|it| !it.externals.assemblies.is_any_lost()) else {
            return Ok(None);
        };
        let mut files = FxHashMap::default();
        for (path, compiled) in declared.files {
            let summary = compiled.map(|compiled| FileSummary {
                path: path.clone(),
                blob: compiled.blob,
                status: FileStatus::Indexed,
                projects: compiled.projects,
                inactive: 0,
            });
            files.insert(path, summary);
        }
        Ok(Some(Symbols::planned(
            base.snapshot.clone(),
            declared.view,
            (declared.records, declared.scopes),
            declared.externals,
            files,
        )))
    }
}
