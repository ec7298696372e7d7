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
    /// The symbols of a side, which has `symbols` now, as some files are planned to be. Costs what reading and declaring those files costs; what
    /// names mean in them, or in any other file, is not found out. `None` where projects would be others too, where what
    /// is kept of the machine does not hold, and where the store is damaged: [`Index::planned`] is for those.
    ///
    /// # Errors
    /// Those of [`Index::side`].
    pub fn planned_symbols(
        &self,
        (base, symbols): (&IndexedSide, &Symbols),
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
            known: Some(symbols.known()),
            kept: Some(KeptBy {
                store: &self.store,
                config: &config,
            }),
        };
        let blobs = || -> Box<dyn ReadBlob + '_> { Box::new(overlay.reader(self.repo.blobs())) };
        let mut facts = self.facts(Writes::Alone, &blobs);
        let declared = match update::declare(&change, &mut facts, progress) {
            // The other way mends the store.
            Err(error) if error.is_damage() => return Ok(None),
            declared => declared?,
        };
        let declared = declared.filter(|it| !it.externals.assemblies.is_any_lost());
        let Some(declared) = declared.filter(|_| !facts.is_lacking()) else {
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
        // What is compiled by others is another edit than one of names.
        let moved = planned
            .iter()
            .filter_map(|file| Some((&file.old.as_ref()?.path, &file.new.as_ref()?.0)));
        for (old, new) in moved.filter(|(old, new)| old != new) {
            let before = base.snapshot.file(old)?.map(|file| file.projects);
            let after = files.get(new).cloned().flatten().map(|file| file.projects);
            if before != after {
                return Ok(None);
            }
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
