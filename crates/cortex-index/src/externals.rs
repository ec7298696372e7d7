//! Assemblies from outside of the repository, by project.
//!
//! Must not know: where packages and frameworks are found.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cortex_git::{ReadBlob, Repository};
use cortex_metadata::{
    Assemblies, Assembly, Closure, Compile, KeptAssemblies, Looks, PackageRequest, ProjectRequest,
    ReferencedProject, References, Restore,
};
use cortex_model::{BlobId, Hash, Hasher, RepoPath};
use cortex_project::{CompileAssets, PackageInheritance, PackageReference, Project};
use cortex_semantics::ExternalId;
use cortex_store::Store;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{
    IndexError, IndexOptions,
    damage::ProjectReferences,
    records::{ProjectRecord, encode},
    unread::{UnreadFile, UnreadReason},
    untracked::Untracked,
};

/// More is never kept.
const MAX_KEPT_BYTES: usize = 256 << 20;

/// Libraries of more bytes are not read.
const MAX_LIBRARY_BYTES: u64 = 64 << 20;

/// The version of [`Kept`].
const KEPT_VERSION: u64 = 2;

/// The namespace of what was found for the projects of the last snapshot: by the digest of the options.
pub(crate) const KEPT: &str = "assemblies";

/// What was found is kept for so many different requests at most, so that commits that see other packages can be asked
/// in turn.
const N_KEPT: u8 = 4;

/// The names under which something may be kept for a configuration.
pub(crate) fn kept_names(config: &str) -> impl Iterator<Item = String> {
    (0..N_KEPT).map(move |nth| format!("{config}/{nth}"))
}

/// The name under which what was found for a request is kept.
fn kept_name(config: &str, request: &Hash) -> String {
    format!("{config}/{}", request.as_bytes()[0] % N_KEPT)
}

/// Where that is kept.
#[derive(Clone, Copy)]
pub(crate) struct KeptBy<'a> {
    pub(crate) store: &'a Store,
    /// The short digest of the configuration.
    pub(crate) config: &'a str,
}

/// Where assemblies from outside are looked for.
pub(crate) struct Outside<'a, 'b> {
    /// Those of the machine.
    pub(crate) references: &'a References,
    /// Whose work tree may have more.
    pub(crate) repo: &'a Repository,
    /// Opens a reader of those that are tracked.
    pub(crate) blobs: &'a (dyn Fn() -> Box<dyn ReadBlob + 'b> + Sync),
    /// What an earlier process found and kept ([`Externals::to_keep`]), by its name; nothing where the process
    /// remembers by itself.
    pub(crate) kept: Option<KeptBy<'a>>,
}

/// The assemblies that projects see.
pub(crate) struct Externals {
    /// By simple name; of several versions the newest, which all projects then see.
    pub(crate) assemblies: Arc<Assemblies>,
    /// By project: which of them, ascending.
    pub(crate) by_project: Vec<Vec<ExternalId>>,
    /// By project: what was found and what was not.
    pub(crate) references: Vec<ProjectReferences>,
    /// What of the work tree may have been asked.
    pub(crate) untracked: Untracked,
    /// Libraries that git could not read, sorted.
    pub(crate) unread: Vec<UnreadFile>,
    /// What the projects ask for.
    request: Hash,
    source: Source,
}

/// Where externals are from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Machine,
    Kept,
}

/// What was found, for a later process.
#[derive(Serialize, Deserialize)]
struct Kept {
    looks: Looks,
    assemblies: KeptAssemblies,
    /// Different sets of assemblies, ascending.
    sets: Vec<Vec<u32>>,
    /// By project: its set.
    by_project: Vec<u32>,
    references: Vec<ProjectReferences>,
}

impl Externals {
    /// Finds the assemblies of each project: those that were kept, if they are for the same projects and nothing
    /// changed on the machine, else from package folders, restores and libraries. Assemblies are decoded when
    /// asked.
    pub(crate) fn find(
        outside: &Outside<'_, '_>,
        records: &[ProjectRecord],
    ) -> Result<Self, IndexError> {
        // Before anything is read: what changes in between is seen to have changed.
        let untracked = Untracked::look(outside.repo, untracked(records));
        let request = request_of(outside.references, records, &untracked);
        let bytes = match outside.kept {
            Some(by) => by.store.name(KEPT, &kept_name(by.config, &request))?,
            None => None,
        };
        let kept = bytes.and_then(|bytes| {
            let kept = Kept::read(&bytes, request)?;
            Self::of_kept(kept, request, untracked.clone())
        });
        Ok(kept.unwrap_or_else(|| Self::on_machine(outside, records, request, untracked)))
    }

    /// Whether the projects of two snapshots see the same from outside, were they asked now.
    pub(crate) fn are_equal(one: &[ProjectRecord], other: &[ProjectRecord]) -> bool {
        let request_digest = |records: &[ProjectRecord]| {
            let mut hasher = Hasher::new("externals-asked-v1");
            hash_request(&mut hasher, records);
            hasher.finish()
        };
        request_digest(one) == request_digest(other)
    }

    fn on_machine(
        outside: &Outside<'_, '_>,
        records: &[ProjectRecord],
        request: Hash,
        untracked: Untracked,
    ) -> Self {
        let by_path: FxHashMap<&RepoPath, &ProjectRecord> = records
            .iter()
            .map(|record| (&record.project.path, record))
            .collect();
        let restores: Vec<_> = records
            .par_iter()
            .map(|record| restore(outside, &record.project))
            .collect();
        let mut libraries = Libraries::new(outside);
        let found: Vec<_> = records.iter().map(|record| libraries.of(record)).collect();
        let unread = libraries.unread.into_iter().collect();
        let libraries = found;
        let references = outside.references;
        let closures: Vec<Arc<Closure>> = (records, &libraries, &restores)
            .into_par_iter()
            .map(|(record, found, restore)| {
                let known: Vec<_> = found.iter().filter_map(|(_, it)| it.clone()).collect();
                closure(references, record, &by_path, &known, restore.as_deref())
            })
            .collect();
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
        let by_project: Vec<Vec<ExternalId>> = closures
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
        let assemblies = references.together(newest.into_values().collect());
        let references = (closures.iter().zip(&libraries).zip(&by_project))
            .map(|((closure, libraries), seen)| {
                let seen = seen.iter().map(|id| &*assemblies[id.index()]);
                ProjectReferences::new(closure, seen, &unreadable_libraries(libraries, closure))
            })
            .collect();
        Self {
            assemblies,
            by_project,
            references,
            untracked,
            unread,
            request,
            source: Source::Machine,
        }
    }

    fn of_kept(kept: Kept, request: Hash, untracked: Untracked) -> Option<Self> {
        let assemblies = kept.assemblies.open()?;
        let sets = kept.sets.iter().map(|set| {
            let known = set.iter().all(|&id| (id as usize) < assemblies.len());
            known.then(|| set.iter().map(|&id| ExternalId::new(id as usize)).collect())
        });
        let sets = sets.collect::<Option<Vec<Vec<ExternalId>>>>()?;
        let by_project = kept.by_project.iter();
        Some(Self {
            by_project: by_project
                .map(|&set| sets.get(set as usize).cloned())
                .collect::<Option<_>>()?,
            assemblies: Arc::new(assemblies),
            references: kept.references,
            untracked,
            unread: Vec::new(),
            request,
            source: Source::Kept,
        })
    }

    /// What a later process can take instead of looking again, with the name to keep it under; `None` where that is
    /// there already, and where it could miss a change. Call it after binding, which makes the same indexes.
    pub(crate) fn to_keep(
        &self,
        references: &References,
        config: &str,
    ) -> Option<(String, Vec<u8>)> {
        // What could not be read is looked for again each time.
        if self.source == Source::Kept || !self.unread.is_empty() {
            return None;
        }
        let looks = references.looks();
        if looks.are_too_fresh() {
            return None;
        }
        let mut sets: Vec<Vec<u32>> = Vec::new();
        let mut places: FxHashMap<&[ExternalId], u32> = FxHashMap::default();
        let mut by_project = Vec::with_capacity(self.by_project.len());
        for seen in &self.by_project {
            by_project.push(*places.entry(seen).or_insert_with(|| {
                sets.push(seen.iter().map(|id| id.index() as u32).collect());
                (sets.len() - 1) as u32
            }));
        }
        let kept = Kept {
            looks,
            assemblies: KeptAssemblies::of(&self.assemblies)?,
            sets,
            by_project,
            references: self.references.clone(),
        };
        // A path that is not Unicode is not kept.
        let bytes = rmp_serde::to_vec(&kept).ok()?;
        let packed = zstd::bulk::compress(&bytes, 3).ok()?;
        let length = (bytes.len() as u64).to_le_bytes();
        let bytes = [self.request.as_bytes().as_slice(), &length, &packed].concat();
        Some((kept_name(config, &self.request), bytes))
    }
}

impl Kept {
    /// What was kept for a request, if it still holds.
    fn read(bytes: &[u8], request: Hash) -> Option<Self> {
        let packed = bytes.strip_prefix(request.as_bytes())?;
        let (length, packed) = packed.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let bytes = zstd::bulk::decompress(packed, length.min(MAX_KEPT_BYTES)).ok()?;
        let kept: Self = rmp_serde::from_slice(&bytes).ok()?;
        kept.looks.still_hold().then_some(kept)
    }
}

/// Everything that decides what is found, the machine left out.
fn request_of(references: &References, records: &[ProjectRecord], untracked: &Untracked) -> Hash {
    let mut hasher = Hasher::new("externals-v1");
    hasher.number(KEPT_VERSION).number(IndexOptions::versions());
    for root in references.roots() {
        hasher.field(root.as_os_str().as_encoded_bytes());
    }
    hasher.field(&encode(untracked));
    hash_request(&mut hasher, records);
    hasher.finish()
}

/// What the projects ask for.
fn hash_request(hasher: &mut Hasher, records: &[ProjectRecord]) {
    for ProjectRecord {
        project, libraries, ..
    } in records
    {
        hasher.field(&encode(&(
            &project.path,
            &project.assembly,
            &project.tfm,
            &project.frameworks,
            &project.packages,
            &project.pinned,
            &project.references,
            &project.all_references,
            &project.restore,
            &project.libraries,
            libraries,
        )));
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
    unread: BTreeSet<UnreadFile>,
}

/// A library that a project names, if it can be opened.
type Library<'r> = (&'r RepoPath, Option<Arc<Assembly>>);

impl<'a, 'b> Libraries<'a, 'b> {
    fn new(outside: &'a Outside<'a, 'b>) -> Self {
        Self {
            outside,
            reader: None,
            tracked: FxHashMap::default(),
            unread: BTreeSet::new(),
        }
    }

    /// Those of a project: as tracked, else as the work tree has them.
    fn of<'r>(&mut self, record: &'r ProjectRecord) -> Vec<Library<'r>> {
        let libraries = record.project.libraries.iter().zip(&record.libraries);
        libraries
            .map(|(path, blob)| match blob {
                Some(blob) => (path, self.tracked(path, *blob)),
                None => (path, self.untracked(path)),
            })
            .collect()
    }

    fn tracked(&mut self, path: &RepoPath, blob: BlobId) -> Option<Arc<Assembly>> {
        if let Some(known) = self.tracked.get(&blob) {
            return known.clone();
        }
        let reader = self.reader.get_or_insert_with(self.outside.blobs);
        let read = match reader.blob_size(blob) {
            Ok(size) if size > MAX_LIBRARY_BYTES => Ok(None),
            Ok(_) => reader.read_blob(blob).map(Some),
            Err(error) => Err(error),
        };
        let assembly = match read {
            Ok(bytes) => bytes.and_then(|bytes| Assembly::from_bytes(bytes).ok()),
            Err(error) => {
                let reason = UnreadReason::of(&error).unwrap_or(UnreadReason::Damaged);
                self.unread.insert(UnreadFile {
                    path: path.clone(),
                    blob,
                    reason,
                });
                None
            }
        };
        let assembly = assembly.map(Arc::new);
        self.tracked.insert(blob, assembly.clone());
        assembly
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
    let inherited = request(package);
    match package.inheritance {
        PackageInheritance::Inherited => Some(inherited),
        PackageInheritance::NotCompile => Some(PackageRequest {
            compile: Compile::Hidden,
            ..inherited
        }),
        PackageInheritance::Private => None,
    }
}
