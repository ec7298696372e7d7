//! Files that the maps of mentions and users cannot tell apart: what these keep of a path is short, so an entry speaks for
//! all files that have it, and stays as long as one of them needs it.

use std::collections::{BTreeMap, BTreeSet};

use cortex_model::RepoPath;
use cortex_syntax::Sections;

use super::{Inputs, mentioned};
use crate::{
    IndexError, Snapshot,
    facts::{FactsSource, Stored},
    keys::{self, MentionFile},
    records::{FileSummary, decode},
};

/// The files of the new side, by what is kept of their paths.
pub(super) struct Twins<'t> {
    base: Option<&'t Snapshot>,
    inputs: &'t Inputs,
    changed: BTreeMap<MentionFile, Vec<&'t FileSummary>>,
}

impl<'t> Twins<'t> {
    /// `summaries`: of the changed files on the new side.
    pub(super) fn new(
        base: Option<&'t Snapshot>,
        inputs: &'t Inputs,
        summaries: impl Iterator<Item = &'t FileSummary>,
    ) -> Self {
        let mut changed: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for summary in summaries {
            let file = keys::mention_file(&summary.path);
            changed.entry(file).or_default().push(summary);
        }
        Self {
            base,
            inputs,
            changed,
        }
    }

    /// The other files that are the same as a path to these maps. Mostly none: of 6,000 files two are, by chance.
    pub(super) fn of(&self, path: &RepoPath) -> Result<Vec<FileSummary>, IndexError> {
        let file = keys::mention_file(path);
        let changed = self.changed.get(&file).into_iter().flatten();
        let mut twins: Vec<FileSummary> = changed.map(|&summary| summary.clone()).collect();
        if let Some(base) = self.base {
            base.scan(base.roots().files, &file, &mut |_, value| {
                let summary: FileSummary = decode(value, "file")?;
                if !self.inputs.changed.contains_key(&summary.path) {
                    twins.push(summary);
                }
                Ok(())
            })?;
        }
        twins.retain(|twin| twin.path != *path);
        Ok(twins)
    }

    /// The names that the twins of a path mention.
    pub(super) fn mentioned(
        &self,
        path: &RepoPath,
        facts: &FactsSource<'_, '_>,
    ) -> Result<BTreeSet<Box<str>>, IndexError> {
        let new = &self.inputs.new;
        let mut names = BTreeSet::new();
        for twin in self.of(path)? {
            let projects = twin.projects.iter();
            for &project in projects.filter_map(|project| new.by_path.get(project)) {
                let stored = facts.read(twin.blob, new.sets[project]);
                if matches!(stored, Stored::Facts(_)) {
                    names.extend(mentioned(&stored.facts(Sections::All)));
                }
            }
        }
        Ok(names)
    }
}
