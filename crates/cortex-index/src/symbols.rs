//! The declarations of a snapshot, ready to be bound again: for questions that need more of a symbol than a
//! snapshot keeps.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use cortex_bind::ProjectScope;
use cortex_git::ReadBlob;
use cortex_metadata::Assembly;
use cortex_model::RepoPath;
use cortex_semantics::{Compilation, Fingerprint, Positions, ProjectId, UnitKey};
use cortex_syntax::{Extractor, FileFacts, Identifiers, Sections};

use crate::{
    IndexError,
    externals::{Externals, KeptBy, Outside},
    index::{Index, IndexedSide},
    projects,
    records::ProjectRecord,
    snapshot::Snapshot,
    view::View,
    world::SnapshotWorld,
};

/// See the module's first line. Can be read by several threads.
pub struct Symbols {
    snapshot: Snapshot,
    view: View,
    records: Vec<ProjectRecord>,
    scopes: Vec<ProjectScope>,
    externals: Arc<Externals>,
}

/// A thread more is worth its compilation from so many files on.
const MIN_UNITS_OF_THREAD: usize = 8;

/// So many files in a row are bound by one thread: neighbors have most symbols in common.
const UNITS_AT_ONCE: usize = 8;

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
                Arc::new(Externals::find(&outside, &records)?)
            }
        };
        Ok(Symbols {
            view: View::over(Some(side.snapshot.clone())),
            snapshot: side.snapshot.clone(),
            records,
            scopes,
            externals,
        })
    }
}

impl Symbols {
    /// Its projects, by path.
    pub fn projects(&self) -> &[ProjectRecord] {
        &self.records
    }

    /// The snapshot.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
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
        let facts = |path: &RepoPath, project: usize, sections: Sections| {
            let found = self.view.or_fail(self.facts(path, project, sections));
            found.unwrap_or_default()
        };
        let world = SnapshotWorld::new(
            &self.view,
            &self.records,
            &self.scopes,
            &self.externals,
            &facts,
        );
        let found = ask(&Compilation::new(&world));
        self.view.take_failure()?;
        found
    }

    /// What binding decides in some files, each inside one project of [`Symbols::projects`]; in the same order. The
    /// files are bound by as many threads as there are.
    pub fn fingerprints(
        &self,
        units: &[(RepoPath, usize)],
        positions: &(dyn Positions + Sync),
        parallel: usize,
    ) -> Result<Vec<Fingerprint>, IndexError> {
        let facts = |path: &RepoPath, project: usize, sections: Sections| {
            let found = self.view.or_fail(self.facts(path, project, sections));
            found.unwrap_or_default()
        };
        let world = SnapshotWorld::new(
            &self.view,
            &self.records,
            &self.scopes,
            &self.externals,
            &facts,
        );
        let n_threads = parallel.min(units.len() / MIN_UNITS_OF_THREAD).max(1);
        let next = AtomicUsize::new(0);
        let bind = || {
            let compilation = Compilation::new(&world);
            let mut found = Vec::new();
            loop {
                let first = next.fetch_add(UNITS_AT_ONCE, Ordering::Relaxed);
                let some = first..units.len().min(first + UNITS_AT_ONCE);
                if some.is_empty() {
                    return found;
                }
                for at in some {
                    let (path, project) = &units[at];
                    let key = UnitKey {
                        path: path.clone(),
                        project: ProjectId::new(*project),
                    };
                    let facts = facts(path, *project, Sections::Bodies);
                    found.push((at, compilation.fingerprint(&key, &facts, positions)));
                }
            }
        };
        let mut all = std::thread::scope(|scope| {
            let others: Vec<_> = (1..n_threads).map(|_| scope.spawn(bind)).collect();
            let mut all = bind();
            for other in others {
                all.extend(other.join().expect("binding does not panic"));
            }
            all
        });
        self.view.take_failure()?;
        all.sort_by_key(|(at, _)| *at);
        Ok(all.into_iter().map(|(_, found)| found).collect())
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
        let Some(file) = self.snapshot.file(path)? else {
            return Ok(None);
        };
        let project = &self.records[project].project.path;
        self.snapshot.facts(&file, project, sections)
    }
}
