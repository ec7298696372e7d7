//! The declarations of a snapshot, ready to be bound again: for questions that need more of a symbol than a
//! snapshot keeps.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
};

use cortex_bind::ProjectScope;
use cortex_git::ReadBlob;
use cortex_metadata::Assembly;
use cortex_model::RepoPath;
use cortex_semantics::{Compilation, Fingerprint, Fingerprints, Positions, ProjectId, UnitKey};
use cortex_store::StoreError;
use cortex_syntax::{Extractor, FileFacts, Identifiers, Part, Sections};
use rustc_hash::FxHashMap;

use crate::{
    IndexError,
    externals::{Externals, KEPT, KeptBy, Outside},
    index::{Index, IndexedSide},
    projects,
    records::{FileSummary, ProjectRecord},
    snapshot::Snapshot,
    view::View,
    world::{ReadFacts, SnapshotWorld},
};

/// See the module's first line. Can be read by several threads.
pub struct Symbols {
    snapshot: Snapshot,
    view: View,
    records: Vec<ProjectRecord>,
    scopes: Vec<ProjectScope>,
    externals: Arc<Externals>,
    /// Files that are otherwise than in the snapshot; none for those that are not there.
    planned: FxHashMap<RepoPath, Option<FileSummary>>,
}

/// A thread more is worth its compilation from so many files on.
const MIN_UNITS_OF_THREAD: usize = 8;

/// So many files in a row are bound by one thread: neighbors have most symbols in common.
const UNITS_AT_ONCE: usize = 8;

/// After so many files a thread begins a new compilation: what the old one has loaded is mostly of projects that are
/// done, and it grows with every file.
const RENEW: usize = 400;

/// A file, inside of a project of [`Symbols::projects`].
pub type FileInProject = (RepoPath, usize);

/// One side of a comparison: its symbols, and where its positions are on the side that both have in common.
#[derive(Clone, Copy)]
pub struct ComparedSide<'a> {
    /// Its symbols.
    pub symbols: &'a Symbols,
    /// Its positions.
    pub positions: &'a (dyn Positions + Sync),
    /// What of a file is compared: of both sides the same.
    pub part: &'a (dyn Fn(&RepoPath, &FileFacts) -> Part + Sync),
}

/// All of a file is compared.
pub fn whole_file(_: &RepoPath, _: &FileFacts) -> Part {
    Part::Whole
}

/// Hands what binding decides in the same files of two sides to `compare`, and lets go of it; what that finds is in the
/// order of `units`. Each side is bound by threads of its own.
///
/// # Errors
/// [`IndexError::Interrupted`]; those of what is read.
pub fn compare_fingerprints<R: Send>(
    sides: [ComparedSide<'_>; 2],
    units: &[[FileInProject; 2]],
    parallel: usize,
    interrupted: &(dyn Fn() -> bool + Sync),
    compare: &(dyn Fn(Fingerprint, Fingerprint) -> R + Sync),
) -> Result<Vec<R>, IndexError> {
    let facts = sides.map(|side| side.symbols.read_facts());
    let worlds = [0, 1].map(|at| sides[at].symbols.world(&facts[at]));
    let n_pairs = (parallel / 2).min(units.len() / MIN_UNITS_OF_THREAD).max(1);
    // Takes the fingerprints of every chunk that a pair of threads has, until one is not wanted.
    let bind = |pair: usize, side: usize, took: &mut dyn FnMut(usize, Vec<Fingerprint>) -> bool| {
        let mut chunks = units
            .chunks(UNITS_AT_ONCE)
            .enumerate()
            .skip(pair)
            .step_by(n_pairs)
            .peekable();
        while chunks.peek().is_some() {
            let compilation = Compilation::new(&worlds[side]);
            let prints = compilation.fingerprints(sides[side].positions);
            for (at, chunk) in chunks.by_ref().take(RENEW / UNITS_AT_ONCE) {
                let one = |unit: &[FileInProject; 2]| {
                    fingerprint(&prints, &facts[side], &unit[side], sides[side].part)
                };
                if interrupted() || !took(at, chunk.iter().map(one).collect()) {
                    return;
                }
            }
        }
    };
    let pair = |pair: usize| {
        let (sender, receiver) = mpsc::sync_channel::<Vec<Fingerprint>>(1);
        let bind = &bind;
        let mut found = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(move || bind(pair, 0, &mut |_, old| sender.send(old).is_ok()));
            bind(pair, 1, &mut |at, new| {
                let Ok(old) = receiver.recv() else {
                    return false;
                };
                let each = old.into_iter().zip(new);
                let each = each.map(|(old, new)| compare(old, new)).collect::<Vec<_>>();
                found.push((at, each));
                true
            });
            // The other thread would wait for ever.
            drop(receiver);
        });
        found
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_pairs)
            .map(|at| scope.spawn(move || pair(at)))
            .collect();
        let mut all = pair(0);
        for other in others {
            all.extend(other.join().expect("binding does not panic"));
        }
        all
    });
    for side in sides {
        side.symbols.view.take_failure()?;
    }
    all.sort_by_key(|(at, _)| *at);
    let all: Vec<R> = all.into_iter().flat_map(|(_, found)| found).collect();
    match all.len() == units.len() {
        true => Ok(all),
        false => Err(IndexError::Interrupted),
    }
}

/// Asks about files of one side, each with a compilation of its thread; what `ask` says is in the order of `units`. As many
/// threads ask as there are.
///
/// # Errors
/// [`IndexError::Interrupted`]; those of `ask` and of what is read.
pub fn ask_of_files<R: Send>(
    symbols: &Symbols,
    units: &[FileInProject],
    parallel: usize,
    interrupted: &(dyn Fn() -> bool + Sync),
    ask: &(dyn Fn(&Compilation<'_>, &FileInProject) -> Result<R, IndexError> + Sync),
) -> Result<Vec<R>, IndexError> {
    let found = by_compilations(symbols, units.len(), parallel, interrupted, &|c, some| {
        some.map(|at| (at, ask(c, &units[at]))).collect()
    })?;
    found.into_iter().collect()
}

/// What binding decides in parts of files of one side; in the order of `units`. As many threads bind as there are. All is
/// kept until the last file is bound: where two sides are compared, [`compare_fingerprints`] needs less.
///
/// # Errors
/// [`IndexError::Interrupted`]; those of what is read.
pub fn read_fingerprints(
    side: ComparedSide<'_>,
    units: &[FileInProject],
    parallel: usize,
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Fingerprint>, IndexError> {
    let facts = side.symbols.read_facts();
    by_compilations(
        side.symbols,
        units.len(),
        parallel,
        interrupted,
        &|c, some| {
            let prints = c.fingerprints(side.positions);
            some.map(|at| (at, fingerprint(&prints, &facts, &units[at], side.part)))
                .collect()
        },
    )
}

/// What a thread finds with one compilation: about the numbers that it takes, each with its number.
type Work<'w, R> =
    dyn Fn(&Compilation<'_>, &mut dyn Iterator<Item = usize>) -> Vec<(usize, R)> + Sync + 'w;

/// Has `work` done for the numbers up to `n`, by threads that take some at a time and renew their compilations; what it
/// finds is in the order of the numbers.
fn by_compilations<R: Send>(
    symbols: &Symbols,
    n: usize,
    parallel: usize,
    interrupted: &(dyn Fn() -> bool + Sync),
    work: &Work<'_, R>,
) -> Result<Vec<R>, IndexError> {
    let facts = symbols.read_facts();
    let world = symbols.world(&facts);
    let n_threads = parallel.min(n / MIN_UNITS_OF_THREAD).max(1);
    let next = AtomicUsize::new(0);
    let take = || {
        let first = next.fetch_add(UNITS_AT_ONCE, Ordering::Relaxed);
        let some = first..n.min(first + UNITS_AT_ONCE);
        (!some.is_empty() && !interrupted()).then_some(some)
    };
    let run = || {
        let mut found = Vec::new();
        while let Some(some) = take() {
            let compilation = Compilation::new(&world);
            let others = std::iter::repeat_with(take).take(RENEW / UNITS_AT_ONCE - 1);
            let mut all = std::iter::once(some)
                .chain(others.map_while(|some| some))
                .flatten();
            found.extend(work(&compilation, &mut all));
        }
        found
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(run)).collect();
        let mut all = run();
        for other in others {
            all.extend(other.join().expect("binding does not panic"));
        }
        all
    });
    symbols.view.take_failure()?;
    if all.len() < n {
        return Err(IndexError::Interrupted);
    }
    all.sort_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, found)| found).collect())
}

fn fingerprint(
    prints: &Fingerprints<'_, '_>,
    facts: &ReadFacts<'_>,
    unit: &FileInProject,
    part: &dyn Fn(&RepoPath, &FileFacts) -> Part,
) -> Fingerprint {
    let (path, project) = unit;
    let facts = facts(path, *project, Sections::Bodies);
    prints.of_file(&unit_key(unit), &facts, &part(path, &facts))
}

/// A file inside of a project, as compilations know it.
pub fn unit_key((path, project): &FileInProject) -> UnitKey {
    UnitKey {
        path: path.clone(),
        project: ProjectId::new(*project),
    }
}

/// An assembly from outside that is a file of the machine.
pub struct AssemblyFile {
    /// Where it is.
    pub path: PathBuf,
    /// The projects that see it, as indices in [`Symbols::projects`], ascending.
    pub projects: Vec<usize>,
    assembly: Arc<Assembly>,
}

impl AssemblyFile {
    /// The namespaces that it has types in and those around them, without the global one, sorted. Opens the file.
    pub fn namespaces(&self) -> Vec<String> {
        self.assembly.namespaces().map(str::to_owned).collect()
    }
}

impl Index {
    /// The symbols of one side of a range. Reads its projects and what they see from outside, which is kept from
    /// process to process; `other`: another side, whose projects may see the same.
    pub fn symbols(
        &self,
        side: &IndexedSide,
        other: Option<&Symbols>,
    ) -> Result<Symbols, IndexError> {
        let records = side.snapshot.projects()?;
        let scopes = projects::scopes(&records);
        let shared = other.filter(|other| Externals::are_equal(&other.records, &records));
        let externals = match shared {
            Some(other) => other.externals.clone(),
            None => {
                let config = self.options.digest().short();
                let outside = Outside {
                    references: &self.references,
                    repo: &self.repo,
                    blobs: &|| -> Box<dyn ReadBlob + '_> { self.blobs(side) },
                    kept: Some(KeptBy {
                        store: &self.store,
                        config: &config,
                    }),
                };
                let found = Externals::find(&outside, &records)?;
                // Where it cannot be written, the next process looks as well.
                let _ = self.keep_externals(&found, &config);
                Arc::new(found)
            }
        };
        Ok(Symbols {
            view: View::over(Some(side.snapshot.clone())),
            snapshot: side.snapshot.clone(),
            records,
            scopes,
            externals,
            planned: FxHashMap::default(),
        })
    }

    /// Keeps what a look at the machine found, for later processes.
    fn keep_externals(&self, found: &Externals, config: &str) -> Result<(), StoreError> {
        let Some((name, kept)) = found.to_keep(&self.references, config) else {
            return Ok(());
        };
        let mut batch = self.store.begin_write()?;
        batch.put_name(KEPT, &name, &kept);
        batch.commit()
    }
}

impl Symbols {
    /// Those of a snapshot with some files otherwise, which `view` has the declarations of.
    pub(crate) fn planned(
        snapshot: Snapshot,
        view: View,
        (records, scopes): (Vec<ProjectRecord>, Vec<ProjectScope>),
        externals: Arc<Externals>,
        planned: FxHashMap<RepoPath, Option<FileSummary>>,
    ) -> Self {
        Self {
            snapshot,
            view,
            records,
            scopes,
            externals,
            planned,
        }
    }

    /// Its projects, with what they see from outside.
    pub(crate) fn known(&self) -> (&[ProjectRecord], &Arc<Externals>) {
        (&self.records, &self.externals)
    }

    /// Its projects, by path.
    pub fn projects(&self) -> &[ProjectRecord] {
        &self.records
    }

    /// The snapshot; of a planned side, the one that it lies over.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The projects that compile a file, as indices in [`Symbols::projects`], ascending.
    pub fn projects_of(&self, path: &RepoPath) -> Result<Vec<usize>, IndexError> {
        let file = self.file(path)?;
        let projects = file.into_iter().flat_map(|file| file.projects);
        Ok(projects.filter_map(|it| self.project_index(&it)).collect())
    }

    fn file(&self, path: &RepoPath) -> Result<Option<FileSummary>, IndexError> {
        match self.planned.get(path) {
            Some(planned) => Ok(planned.clone()),
            None => self.snapshot.file(path),
        }
    }

    /// The files of assemblies from outside that a project sees, by path.
    pub fn assembly_files(&self) -> Vec<AssemblyFile> {
        let mut projects: Vec<Vec<usize>> = vec![Vec::new(); self.externals.assemblies.len()];
        for (project, seen) in self.externals.by_project.iter().enumerate() {
            for id in seen {
                projects[id.index()].push(project);
            }
        }
        let all = self.externals.assemblies.iter().zip(projects);
        let mut files: Vec<AssemblyFile> = all
            .filter_map(|(assembly, projects)| {
                Some(AssemblyFile {
                    path: assembly.path()?.to_owned(),
                    projects,
                    assembly: assembly.clone(),
                })
            })
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    /// Gives a compilation to whoever asks; symbols are loaded on demand, and those that two calls load are
    /// loaded twice.
    pub fn read<R>(
        &self,
        ask: impl FnOnce(&Compilation<'_>) -> Result<R, IndexError>,
    ) -> Result<R, IndexError> {
        let facts = self.read_facts();
        let world = self.world(&facts);
        let found = ask(&Compilation::new(&world));
        self.view.take_failure()?;
        found
    }

    /// What binding decides in some files, each inside one project of [`Symbols::projects`]; see [`read_fingerprints`].
    pub fn fingerprints(
        &self,
        units: &[FileInProject],
        positions: &(dyn Positions + Sync),
        parallel: usize,
    ) -> Result<Vec<Fingerprint>, IndexError> {
        let side = ComparedSide {
            symbols: self,
            positions,
            part: &whole_file,
        };
        read_fingerprints(side, units, parallel, &|| false)
    }

    /// Reads facts for binding, which cannot fail: what fails is kept for later.
    fn read_facts(&self) -> impl Fn(&RepoPath, usize, Sections) -> FileFacts + Sync + '_ {
        |path, project, sections| {
            let found = self.view.or_fail(self.facts(path, project, sections));
            found.unwrap_or_default()
        }
    }

    fn world<'a>(&'a self, facts: &'a ReadFacts<'a>) -> SnapshotWorld<'a> {
        SnapshotWorld::new(
            &self.view,
            &self.records,
            &self.scopes,
            &self.externals,
            facts,
        )
    }

    /// The index of the project with a path. O(log projects).
    pub fn project_index(&self, path: &RepoPath) -> Option<usize> {
        let at = (self.records).binary_search_by(|record| record.project.path.cmp(path));
        at.ok()
    }

    /// The identifiers of a text, read as that of a project's file.
    pub fn identifiers(&self, bytes: &[u8], project: usize) -> Identifiers {
        let options = projects::parse_options(&self.records[project]);
        Extractor::default().identifiers(bytes, &options)
    }

    /// The facts of a file inside a project; `None` where it was skipped or is not there.
    pub fn facts(
        &self,
        path: &RepoPath,
        project: usize,
        sections: Sections,
    ) -> Result<Option<FileFacts>, IndexError> {
        let Some(file) = self.file(path)? else {
            return Ok(None);
        };
        let project = &self.records[project].project.path;
        self.snapshot.facts(&file, project, sections)
    }
}
