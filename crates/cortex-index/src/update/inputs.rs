//! Step 1: the files in play, before and after, with their projects and facts.

use std::{collections::BTreeMap, sync::Arc};

use cortex_bind::{GlobalUsing, ProjectScope};
use cortex_git::FileChange;
use cortex_model::{BlobId, RepoPath};
use cortex_syntax::Sections;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Change, Progress};
use crate::{
    IndexError,
    externals::{Externals, Outside},
    facts::FactsSource,
    projects::{TreeFiles, evaluate_tree, parse_options, ranks, scope_digest, scopes},
    records::{FileSummary, ProjectRecord},
    snapshot::is_source,
    unread::{Unread, UnreadFile},
};

/// One side of a file in play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileState {
    pub(super) blob: BlobId,
    /// Projects that compile it, as indices into the side's records, ascending.
    pub(super) projects: Vec<usize>,
}

/// A C# file that differs in content, projects or parse options.
#[derive(Clone, Default, Debug)]
pub(super) struct ChangedFile {
    pub(super) old: Option<FileState>,
    pub(super) new: Option<FileState>,
}

/// The projects of one side.
#[derive(Default)]
pub(super) struct Projects {
    /// Sorted by path.
    pub(super) records: Vec<ProjectRecord>,
    pub(super) by_path: FxHashMap<RepoPath, usize>,
    /// The option set of each.
    pub(super) sets: Vec<u32>,
    pub(super) scopes: Vec<ProjectScope>,
    /// See [`ranks`].
    pub(super) ranks: Vec<u32>,
}

impl Projects {
    /// The rank of a project; the last where it is not there.
    pub(super) fn rank(&self, project: &RepoPath) -> u32 {
        let project = self.by_path.get(project);
        project.map_or(u32::MAX, |&project| self.ranks[project])
    }
}

/// Everything later steps work on.
pub(super) struct Inputs {
    pub(super) old: Projects,
    pub(super) new: Projects,
    /// By path.
    pub(super) changed: BTreeMap<RepoPath, ChangedFile>,
    /// New projects whose files must all be bound again.
    pub(super) rescoped: Vec<usize>,
    /// The assemblies from outside that the new projects see.
    pub(super) externals: Arc<Externals>,
    /// What git could not read.
    pub(super) unread: Unread,
}

impl Inputs {
    /// Whether both sides have the same projects, which parse in the same way.
    pub(super) fn has_same_projects(&self) -> bool {
        let [old, new] = [&self.old, &self.new];
        let same = |(old, new): (&ProjectRecord, &ProjectRecord)| {
            old.project.path == new.project.path
                && parse_options(old).digest() == parse_options(new).digest()
        };
        old.records.len() == new.records.len()
            && old.records.iter().zip(&new.records).all(same)
            && Externals::are_equal(&old.records, &new.records)
    }
}

/// What git could not read when the base was made.
pub(super) fn unread_of(change: &Change<'_>) -> Unread {
    let base = change.base.as_ref();
    base.map(|base| base.record.unread.clone())
        .unwrap_or_default()
}

pub(super) fn gather(
    change: &Change<'_>,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<Inputs, IndexError> {
    let mut old = Projects::default();
    if let Some(base) = &change.base {
        old.records = base.projects()?;
        facts.assume_unread(&base.record.unread);
    }

    // Projects come first: they decide which files are compiled, and with which symbols.
    let reevaluate = must_evaluate(change);
    let evaluated = match reevaluate {
        true => evaluate(change, facts)?,
        false => carry_over(change, &old.records),
    };
    let membership = evaluated.membership;
    let mut unread = evaluated.unread;
    let mut new = Projects {
        records: evaluated.records,
        ..Projects::default()
    };
    for side in [&mut old, &mut new] {
        number(side, facts);
    }
    let outside = Outside {
        references: change.references,
        repo: change.repo,
        blobs: facts.blobs,
        kept: change.kept,
    };
    let known = change.known;
    let externals = match known.filter(|it| Externals::are_equal(it.0, &new.records)) {
        Some((_, externals)) => externals.clone(),
        None => Arc::new(Externals::find(&outside, &new.records)?),
    };
    for (record, references) in new.records.iter_mut().zip(&externals.references) {
        record.references = references.clone();
    }
    unread
        .project_files
        .extend(externals.unread.iter().cloned());
    unread.project_files.sort_unstable();
    unread.project_files.dedup();

    let mut inputs = Inputs {
        externals,
        unread,
        old,
        new,
        changed: BTreeMap::new(),
        rescoped: Vec::new(),
    };
    add_changed(&mut inputs, change, reevaluate.then_some(&membership))?;
    if reevaluate && let Some(base) = &change.base {
        add_moved_between_projects(&mut inputs, &membership, || base.files())?;
    }
    fetch(&inputs, facts, progress)?;
    inputs.unread.sources = unread_sources(change, &inputs, facts);
    if change.base.is_none() {
        require_any(&inputs, facts)?;
    }
    update_project_wide(&mut inputs, facts);
    inputs.old.scopes = scopes(&inputs.old.records);
    inputs.new.scopes = scopes(&inputs.new.records);
    inputs.rescoped = (0..inputs.new.records.len())
        .filter(|&project| is_rescoped(&inputs, project))
        .collect();
    Ok(inputs)
}

/// Whether each side of a file is C# source.
fn sources(file: &FileChange) -> (bool, bool) {
    (
        file.old.as_ref().is_some_and(is_source),
        file.new.as_ref().is_some_and(is_source),
    )
}

/// Whether a change may make projects other than they were.
fn must_evaluate(change: &Change<'_>) -> bool {
    change.base.is_none()
        || change.files.iter().any(|file| {
            let (before, after) = sources(file);
            // Conditions may ask for any file: `Exists('version.txt')`.
            let appeared_or_vanished = file.old.is_none() || file.new.is_none();
            appeared_or_vanished || before != after || cortex_project::is_project_file(file.path())
        })
}

/// The projects of the new side.
struct NewProjects {
    records: Vec<ProjectRecord>,
    /// Which of them compile each file; empty where they were not evaluated.
    membership: FxHashMap<RepoPath, Vec<usize>>,
    /// The project files that git could not read.
    unread: Unread,
}

/// Evaluates the projects of the new tree.
fn evaluate(change: &Change<'_>, facts: &FactsSource<'_, '_>) -> Result<NewProjects, IndexError> {
    let files = TreeFiles::new(&(change.tree)()?, (facts.blobs)());
    let evaluated = evaluate_tree(&files, change.tfm);
    let mut membership: FxHashMap<RepoPath, Vec<usize>> = FxHashMap::default();
    for (project, sources) in evaluated.sources.into_iter().enumerate() {
        for path in sources {
            membership.entry(path).or_default().push(project);
        }
    }
    Ok(NewProjects {
        records: evaluated.records,
        membership,
        unread: Unread {
            project_files: files.into_unread(),
            ..Unread::default()
        },
    })
}

/// The projects of the old side, with the libraries that changed.
fn carry_over(change: &Change<'_>, old: &[ProjectRecord]) -> NewProjects {
    let mut records = old.to_vec();
    let mut unread = Unread::default();
    if let Some(base) = &change.base {
        let described = base.record.unread.project_files.iter();
        let described = described.filter(|file| !cortex_project::is_library(&file.path));
        unread.project_files.extend(described.cloned());
    }
    update_libraries(&mut records, &change.files);
    NewProjects {
        records,
        membership: FxHashMap::default(),
        unread,
    }
}

/// Fills what follows from the records of one side.
fn number(side: &mut Projects, facts: &mut FactsSource<'_, '_>) {
    let paths = side.records.iter().zip(0..);
    side.by_path = paths
        .map(|(record, at)| (record.project.path.clone(), at))
        .collect();
    side.ranks = ranks(&side.records);
    let sets = side.records.iter();
    side.sets = sets
        .map(|record| facts.set(parse_options(record)))
        .collect();
}

/// Adds the C# files that the change touches. `membership` is there where projects were evaluated.
fn add_changed(
    inputs: &mut Inputs,
    change: &Change<'_>,
    membership: Option<&FxHashMap<RepoPath, Vec<usize>>>,
) -> Result<(), IndexError> {
    for file in &change.files {
        let (before, after) = sources(file);
        let mut changed = ChangedFile::default();
        if let (true, Some(side), Some(base)) = (before, &file.old, &change.base) {
            changed.old = base
                .file(&side.path)?
                .map(|summary| old_state(&inputs.old, &summary));
        }
        if let (true, Some(side)) = (after, &file.new) {
            let projects = match (membership, &changed.old) {
                (Some(membership), _) => membership.get(&side.path).cloned().unwrap_or_default(),
                (None, Some(old)) => old.projects.clone(),
                (None, None) => Vec::new(),
            };
            changed.new = Some(FileState {
                blob: side.blob,
                projects,
            });
        }
        if changed.old.is_some() || changed.new.is_some() {
            inputs.changed.insert(file.path().clone(), changed);
        }
    }
    Ok(())
}

/// Gives projects that are not evaluated again the new contents of their libraries.
fn update_libraries(records: &mut [ProjectRecord], files: &[FileChange]) {
    let changed: FxHashMap<&RepoPath, BlobId> = files
        .iter()
        .filter_map(|file| file.new.as_ref())
        .filter(|side| cortex_project::is_library(&side.path))
        .map(|side| (&side.path, side.blob))
        .collect();
    for record in records {
        let paths = record.project.libraries.iter();
        for (path, blob) in paths.zip(&mut record.libraries) {
            if let Some(new) = changed.get(path) {
                *blob = Some(*new);
            }
        }
    }
}

fn old_state(projects: &Projects, summary: &FileSummary) -> FileState {
    let found = summary
        .projects
        .iter()
        .filter_map(|path| projects.by_path.get(path).copied());
    FileState {
        blob: summary.blob,
        projects: found.collect(),
    }
}

/// Files of equal content that another set of projects compiles now, or under other symbols.
fn add_moved_between_projects(
    inputs: &mut Inputs,
    membership: &FxHashMap<RepoPath, Vec<usize>>,
    files: impl Fn() -> Result<Vec<FileSummary>, IndexError>,
) -> Result<(), IndexError> {
    let same = |old: &ProjectRecord, new: &ProjectRecord, sets: (u32, u32)| {
        old.sources == new.sources
            && sets.0 == sets.1
            && old.project.assembly == new.project.assembly
            && old.project.tfm == new.project.tfm
    };
    let paths = |side: &Projects, other: &Projects| {
        let differing = side.records.iter().enumerate().filter(|(i, record)| {
            let there = other.by_path.get(&record.project.path);
            !there.is_some_and(|&j| same(record, &other.records[j], (side.sets[*i], other.sets[j])))
        });
        differing
            .map(|(_, record)| record.project.path.clone())
            .collect::<FxHashSet<_>>()
    };
    let mut differing = paths(&inputs.old, &inputs.new);
    differing.extend(paths(&inputs.new, &inputs.old));
    if differing.is_empty() {
        return Ok(());
    }
    for summary in files()? {
        if inputs.changed.contains_key(&summary.path) {
            continue;
        }
        let after = membership.get(&summary.path).cloned().unwrap_or_default();
        let after_paths = after.iter().map(|&i| &inputs.new.records[i].project.path);
        if summary
            .projects
            .iter()
            .chain(after_paths)
            .any(|path| differing.contains(path))
        {
            let old = old_state(&inputs.old, &summary);
            // The framework decides which of several projects speaks for a file.
            let key = |side: &Projects, projects: &[usize]| -> Vec<_> {
                let entry = |&i: &usize| {
                    let project = &side.records[i].project;
                    let (assembly, tfm) = (project.assembly.clone(), project.tfm.clone());
                    (project.path.clone(), side.sets[i], assembly, tfm)
                };
                projects.iter().map(entry).collect()
            };
            if key(&inputs.old, &old.projects) != key(&inputs.new, &after) {
                let new = Some(FileState {
                    blob: summary.blob,
                    projects: after,
                });
                inputs.changed.insert(
                    summary.path,
                    ChangedFile {
                        old: Some(old),
                        new,
                    },
                );
            }
        }
    }
    Ok(())
}

fn fetch(
    inputs: &Inputs,
    facts: &mut FactsSource<'_, '_>,
    progress: &dyn Progress,
) -> Result<(), IndexError> {
    let mut wanted = Vec::new();
    for file in inputs.changed.values() {
        for (state, side) in [(&file.new, &inputs.new), (&file.old, &inputs.old)] {
            if let Some(state) = state {
                wanted.extend(
                    state
                        .projects
                        .iter()
                        .map(|&project| (state.blob, side.sets[project])),
                );
            }
        }
    }
    facts.fetch(wanted, progress)
}

/// The C# files that git could not read: changed ones, and those of the base that are as they were.
fn unread_sources(
    change: &Change<'_>,
    inputs: &Inputs,
    facts: &FactsSource<'_, '_>,
) -> Vec<UnreadFile> {
    let base = change.base.iter();
    let unchanged = base
        .flat_map(|base| &base.record.unread.sources)
        .filter(|file| !inputs.changed.contains_key(&file.path))
        .cloned();
    let changed = inputs.changed.iter().filter_map(|(path, file)| {
        let blob = file.new.as_ref()?.blob;
        let reason = facts.unread_reason(blob)?;
        Some(UnreadFile {
            path: path.clone(),
            blob,
            reason,
        })
    });
    let mut sources: Vec<UnreadFile> = unchanged.chain(changed).collect();
    sources.sort_unstable();
    sources
}

/// Fails where git could read none of the sources: there is nothing to answer from.
fn require_any(inputs: &Inputs, facts: &FactsSource<'_, '_>) -> Result<(), IndexError> {
    let n_unread = inputs.unread.sources.len();
    let Some(first) = inputs.unread.sources.first() else {
        return Ok(());
    };
    if n_unread < inputs.changed.len() {
        return Ok(());
    }
    let mut blobs = (facts.blobs)();
    blobs.read_blob(first.blob)?;
    Ok(())
}

/// Carries what unchanged files say to their whole project over and reads it off changed ones.
fn update_project_wide(inputs: &mut Inputs, facts: &FactsSource<'_, '_>) {
    let changed = &inputs.changed;
    for record in &mut inputs.new.records {
        let old = inputs
            .old
            .by_path
            .get(&record.project.path)
            .map(|&i| &inputs.old.records[i]);
        let is_kept = |path: &RepoPath| !changed.contains_key(path);
        record.global_usings = old
            .map(|old| kept(&old.global_usings, is_kept))
            .unwrap_or_default();
        record.friends = old
            .map(|old| kept(&old.friends, is_kept))
            .unwrap_or_default();
    }
    for (path, file) in changed {
        let Some(state) = &file.new else { continue };
        for &project in &state.projects {
            let stored = facts.get(state.blob, inputs.new.sets[project]);
            if stored.is_project_wide() {
                let facts = stored.facts(Sections::All);
                let record = &mut inputs.new.records[project];
                record
                    .global_usings
                    .push((path.clone(), GlobalUsing::of_file(&facts)));
                record.friends.push((path.clone(), facts.friends()));
            }
        }
    }
    for record in &mut inputs.new.records {
        record.global_usings.sort();
        record.friends.sort();
    }
}

fn kept<T: Clone>(
    entries: &[(RepoPath, T)],
    keep: impl Fn(&RepoPath) -> bool,
) -> Vec<(RepoPath, T)> {
    entries
        .iter()
        .filter(|(path, _)| keep(path))
        .cloned()
        .collect()
}

fn is_rescoped(inputs: &Inputs, project: usize) -> bool {
    let Some(&before) = inputs
        .old
        .by_path
        .get(&inputs.new.records[project].project.path)
    else {
        return true;
    };
    let digest = |side: &Projects, project: usize| {
        scope_digest(&side.scopes[project], &side.records[project])
    };
    digest(&inputs.old, before) != digest(&inputs.new, project)
}
