//! Assemblies from outside of the repository, by project.
//!
//! Must not know: where packages and frameworks are found.

use std::{collections::BTreeMap, sync::Arc};

use cortex_git::{ReadBlob, Repository};
use cortex_metadata::{
    Assemblies, Assembly, Closure, Compile, PackageRequest, ProjectRequest, ReferencedProject,
    References, Restore,
};
use cortex_model::{BlobId, RepoPath};
use cortex_project::{CompileAssets, PackageInheritance, PackageReference, Project};
use cortex_semantics::ExternalId;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{records::ProjectRecord, untracked::Untracked};

/// Libraries of more bytes are not read.
const MAX_LIBRARY_BYTES: u64 = 64 << 20;

/// Where assemblies from outside are looked for.
pub(crate) struct Outside<'a, 'b> {
    /// Those of the machine.
    pub(crate) references: &'a References,
    /// Whose work tree may have more.
    pub(crate) repo: &'a Repository,
    /// Opens a reader of those that are tracked.
    pub(crate) blobs: &'a (dyn Fn() -> Box<dyn ReadBlob + 'b> + Sync),
}

/// The assemblies that projects see.
pub(crate) struct Externals {
    /// By simple name; of several versions the newest, which all projects then see.
    pub(crate) assemblies: Arc<Assemblies>,
    /// By project: which of them, ascending.
    pub(crate) by_project: Vec<Vec<ExternalId>>,
    /// By project: what was found and what was not.
    pub(crate) closures: Vec<Arc<Closure>>,
    /// By project: names of the libraries that it names by file and that are none or not there, sorted.
    pub(crate) unreadable: Vec<Vec<String>>,
    /// What of the work tree may have been asked.
    pub(crate) untracked: Untracked,
}

impl Externals {
    /// Finds the assemblies of each project. Reads package folders, restores and libraries; assemblies are
    /// decoded when asked.
    pub(crate) fn find(outside: &Outside<'_, '_>, records: &[ProjectRecord]) -> Self {
        // Before anything is read: what changes in between is seen to have changed.
        let untracked = Untracked::look(outside.repo, untracked(records));
        let by_path: FxHashMap<&RepoPath, &ProjectRecord> = records
            .iter()
            .map(|record| (&record.project.path, record))
            .collect();
        let restores: Vec<_> = records
            .par_iter()
            .map(|record| restore(outside, &record.project))
            .collect();
        let mut libraries = Libraries::new(outside);
        let libraries: Vec<_> = records.iter().map(|record| libraries.of(record)).collect();
        let references = outside.references;
        let (closures, unreadable): (Vec<_>, Vec<_>) = (records, &libraries, &restores)
            .into_par_iter()
            .map(|(record, found, restore)| {
                let known: Vec<_> = found.iter().filter_map(|(_, it)| it.clone()).collect();
                let closure = closure(references, record, &by_path, &known, restore.as_deref());
                let unreadable = unreadable_libraries(found, &closure);
                (closure, unreadable)
            })
            .unzip();
        let mut newest: BTreeMap<Arc<str>, Arc<Assembly>> = BTreeMap::new();
        for assembly in closures.iter().flat_map(|closure| &closure.assemblies) {
            let known = newest
                .entry(assembly.name().clone())
                .or_insert_with(|| assembly.clone());
            if known.version() < assembly.version() {
                *known = assembly.clone();
            }
        }
        let ids: FxHashMap<Arc<str>, ExternalId> = newest
            .keys()
            .enumerate()
            .map(|(index, name)| (name.clone(), ExternalId::new(index)))
            .collect();
        let by_project = closures
            .iter()
            .map(|closure| {
                let mut seen: Vec<ExternalId> = closure
                    .assemblies
                    .iter()
                    .map(|assembly| ids[assembly.name()])
                    .collect();
                seen.sort_unstable();
                seen.dedup();
                seen
            })
            .collect();
        Self {
            assemblies: outside.references.together(newest.into_values().collect()),
            by_project,
            closures,
            unreadable,
            untracked,
        }
    }
}

/// The files of the work tree that decide what projects see.
fn untracked(records: &[ProjectRecord]) -> Vec<RepoPath> {
    let mut paths = Vec::new();
    for record in records {
        let project = &record.project;
        paths.extend(project.restore.clone());
        let libraries = project.libraries.iter().zip(&record.libraries);
        let libraries = libraries.filter(|(_, blob)| blob.is_none());
        paths.extend(libraries.map(|(path, _)| path.clone()));
    }
    paths
}

fn restore(outside: &Outside<'_, '_>, project: &Project) -> Option<Arc<Restore>> {
    let file = outside.repo.work_file(project.restore.as_ref()?)?;
    outside.references.restore(&file.path)
}

/// Libraries that projects name by file, each opened once.
struct Libraries<'a, 'b> {
    outside: &'a Outside<'a, 'b>,
    reader: Option<Box<dyn ReadBlob + 'b>>,
    tracked: FxHashMap<BlobId, Option<Arc<Assembly>>>,
}

/// A library that a project names, if it can be opened.
type Library<'r> = (&'r RepoPath, Option<Arc<Assembly>>);

impl<'a, 'b> Libraries<'a, 'b> {
    fn new(outside: &'a Outside<'a, 'b>) -> Self {
        Self {
            outside,
            reader: None,
            tracked: FxHashMap::default(),
        }
    }

    /// Those of a project: as tracked, else as the work tree has them.
    fn of<'r>(&mut self, record: &'r ProjectRecord) -> Vec<Library<'r>> {
        let libraries = record.project.libraries.iter().zip(&record.libraries);
        libraries
            .map(|(path, blob)| match blob {
                Some(blob) => (path, self.tracked(*blob)),
                None => (path, self.untracked(path)),
            })
            .collect()
    }

    fn tracked(&mut self, blob: BlobId) -> Option<Arc<Assembly>> {
        let Self {
            outside,
            reader,
            tracked,
        } = self;
        let open = || {
            let reader = reader.get_or_insert_with(outside.blobs);
            let size = reader.blob_size(blob).ok()?;
            let is_small = size <= MAX_LIBRARY_BYTES;
            let bytes = is_small.then(|| reader.read_blob(blob).ok())??;
            Assembly::from_bytes(bytes).ok().map(Arc::new)
        };
        tracked.entry(blob).or_insert_with(open).clone()
    }

    fn untracked(&self, path: &RepoPath) -> Option<Arc<Assembly>> {
        let file = self.outside.repo.work_file(path)?;
        let is_small = file.n_bytes <= MAX_LIBRARY_BYTES;
        is_small.then(|| self.outside.references.library(&file.path))?
    }
}

/// Those that no other assembly of their name stands for.
fn unreadable_libraries(libraries: &[Library<'_>], closure: &Closure) -> Vec<String> {
    let missing = libraries.iter().filter(|(path, library)| {
        let name = path.file_name();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let mut seen = closure.assemblies.iter();
        library.is_none() && !seen.any(|seen| seen.name().eq_ignore_ascii_case(stem))
    });
    let mut names: Vec<String> = missing
        .map(|(path, _)| path.file_name().to_owned())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The assemblies of one project. What the projects that it sees reference comes with them: shared frameworks,
/// and packages that are not private to them.
fn closure(
    references: &References,
    record: &ProjectRecord,
    by_path: &FxHashMap<&RepoPath, &ProjectRecord>,
    libraries: &[Arc<Assembly>],
    restore: Option<&Restore>,
) -> Arc<Closure> {
    let project = &record.project;
    let mut frameworks = project.frameworks.clone();
    let others = project.all_references.iter();
    let others: Vec<&Project> = others
        .filter_map(|path| Some(&by_path.get(path)?.project))
        .collect();
    let places: FxHashMap<&RepoPath, usize> = others
        .iter()
        .enumerate()
        .map(|(place, other)| (&other.path, place))
        .collect();
    let places_of = |project: &Project| -> Vec<usize> {
        let references = project.references.iter();
        references
            .filter_map(|path| places.get(path).copied())
            .collect()
    };
    let mut projects = vec![project.assembly.as_str()];
    let mut referenced = Vec::new();
    for other in &others {
        frameworks.extend_from_slice(&other.frameworks);
        projects.push(&other.assembly);
        referenced.push(ReferencedProject {
            file: other.path.file_name(),
            framework: &other.tfm,
            packages: other.packages.iter().filter_map(inherit).collect(),
            references: places_of(other),
        });
    }
    frameworks.sort_unstable();
    frameworks.dedup();
    let packages: Vec<_> = project.packages.iter().map(request).collect();
    let pinned = project.pinned.iter().map(|package| PackageRequest {
        id: &package.name,
        version: Some(&package.version),
        compile: Compile::Visible,
    });
    references.closure(&ProjectRequest {
        framework: &project.tfm,
        framework_references: &frameworks,
        packages: &packages,
        pinned: &pinned.collect::<Vec<_>>(),
        referenced: &referenced,
        references: &places_of(project),
        libraries,
        projects: &projects,
        restore,
    })
}

fn request(package: &PackageReference) -> PackageRequest<'_> {
    PackageRequest {
        id: &package.name,
        version: package.version.as_deref(),
        compile: match package.compile {
            CompileAssets::Visible => Compile::Visible,
            CompileAssets::Hidden => Compile::Hidden,
        },
    }
}

/// A package as those get it who reference its project.
fn inherit(package: &PackageReference) -> Option<PackageRequest<'_>> {
    let own = request(package);
    match package.inheritance {
        PackageInheritance::Inherited => Some(own),
        PackageInheritance::NotCompile => Some(PackageRequest {
            compile: Compile::Hidden,
            ..own
        }),
        PackageInheritance::Private => None,
    }
}
