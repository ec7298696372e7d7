//! From one snapshot to the next. The incremental path is the only path: a full build is an
//! update of the empty snapshot by a difference that adds every file.
//!
//! 1. `inputs`: which files are in play, under which projects, with which facts.
//! 2. `invalidate`: which names may mean something else now, and which files mention them.
//! 3. `rebind`: those files bound again, their types merged.
//! 4. `bodies`: what every name means, and what types depend on therefore.
//! 5. `write`: what really differs, as changes of the maps.

mod bodies;
mod inputs;
mod invalidate;
mod rebind;
mod write;

use std::sync::Arc;

use cortex_git::{FileChange, TreeFile};
use cortex_model::RepoPath;
use cortex_store::Batch;

use crate::{
    IndexError,
    externals::Externals,
    externals::KeptBy,
    facts::FactsSource,
    records::{ProjectRecord, SnapshotRecord},
    snapshot::Snapshot,
    view::View,
};

/// What an update is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Reading facts off texts.
    Parse,
    /// Binding names.
    Bind,
    /// Writing the snapshot.
    Write,
    /// Going through commits.
    History,
}

/// Hears of an update's progress and can end it.
pub trait Progress: Sync {
    /// `done` of `total` files of a stage, commits of [`Stage::History`], are done.
    fn report(&self, stage: Stage, done: usize, total: usize);
    /// Whether to stop at the next safe moment.
    fn interrupted(&self) -> bool {
        false
    }
}

/// What an update starts from.
pub(crate) struct Change<'a> {
    /// The nearest indexed snapshot; `None` for the empty one.
    pub(crate) base: Option<Snapshot>,
    /// The raw difference from the base's files to the wanted ones, by path.
    pub(crate) files: Vec<FileChange>,
    /// Lists all wanted files, by path; asked only when projects must be evaluated.
    pub(crate) tree: &'a dyn Fn() -> Result<Vec<TreeFile>, IndexError>,
    /// The target framework to look at.
    pub(crate) tfm: Option<&'a str>,
    /// Where assemblies from outside are found.
    pub(crate) references: &'a cortex_metadata::References,
    /// Whose work tree has what is not tracked.
    pub(crate) repo: &'a cortex_git::Repository,
    /// What some projects were found to see just now: others that ask for the same take it.
    pub(crate) known: Option<(&'a [ProjectRecord], &'a Arc<Externals>)>,
    /// What was found in `references` before.
    pub(crate) kept: Option<KeptBy<'a>>,
}

/// A snapshot that is not written yet.
pub(crate) struct Prepared<'s> {
    pub(crate) record: SnapshotRecord,
    /// Its new pages.
    pub(crate) batch: Batch<'s>,
    /// How many files were bound again.
    pub(crate) rebound: usize,
    /// The assemblies that they were bound with.
    pub(crate) externals: Arc<Externals>,
}

/// Computes the snapshot that a change leads to. Writes facts, but no snapshot.
pub(crate) fn update<'s>(
    change: &Change<'_>,
    facts: &mut FactsSource<'s, '_>,
    progress: &dyn Progress,
) -> Result<Prepared<'s>, IndexError> {
    let mut inputs = inputs::gather(change, facts, progress)?;
    let scope = invalidate::invalidate(change, &mut inputs, facts, progress)?;
    let bound = rebind::rebind(&inputs, scope, facts, progress)?;
    let bodies = bodies::bind(change, &inputs, &bound, facts, progress)?;
    progress.report(Stage::Write, 0, 1);
    let prepared = write::write(change, inputs, bound, bodies, facts);
    facts.spill.take_failure()?;
    prepared
}

/// What a snapshot would declare that is not made.
pub(crate) struct Declared {
    pub(crate) view: View,
    pub(crate) records: Vec<ProjectRecord>,
    pub(crate) scopes: Vec<cortex_bind::ProjectScope>,
    pub(crate) externals: Arc<Externals>,
    /// The changed files, and which projects compile each; none where it is gone.
    pub(crate) files: Vec<(RepoPath, Option<Compiled>)>,
}

/// The new side of a file.
pub(crate) struct Compiled {
    pub(crate) blob: cortex_model::BlobId,
    pub(crate) projects: Vec<RepoPath>,
}

/// Computes the declarations that a change leads to, and nothing of what names mean. Writes facts. `None` where more
/// than the changed files would be another: what a project sees, or which of them compiles an unchanged file.
pub(crate) fn declare(
    change: &Change<'_>,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<Option<Declared>, IndexError> {
    let mut inputs = inputs::gather(change, facts, progress)?;
    let is_more = inputs.changed.len() > change.files.len()
        || !inputs.rescoped.is_empty()
        || inputs.unread != inputs::unread_of(change);
    if is_more || !inputs.has_same_projects() {
        return Ok(None);
    }
    let declared = invalidate::declare(change, &mut inputs, facts, progress)?;
    let files = inputs.changed.into_iter().map(|(path, file)| {
        let new = file.new.map(|state| Compiled {
            blob: state.blob,
            projects: (state.projects.iter())
                .map(|&at| inputs.new.records[at].project.path.clone())
                .collect(),
        });
        (path, new)
    });
    Ok(Some(Declared {
        view: declared.view,
        files: files.collect(),
        records: inputs.new.records,
        scopes: inputs.new.scopes,
        externals: inputs.externals,
    }))
}
