//! The files of a side: those of its tree with the overlay on top, with their projects, and the assemblies that
//! projects see.

use crate::QueryError;
use cortex_derived::files::side::side_files;
use cortex_git::{FileMode, TreeFile};
use cortex_index::{AssemblyFile, Index, IndexedSide, ProjectRecord, Symbols};
use cortex_model::{BlobId, RepoPath};
use cortex_project::{LOOSE, solution_folders};
use cortex_scope::{FileId, PACKAGES, REPOSITORY, RootKind, ScopeFile, ScopeLibrary, ScopeModule};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// Solutions of more bytes are not read for their folders.
const MAX_SOLUTION_BYTES: u64 = 4 << 20;

/// See the module's first line.
pub(crate) struct Places {
    /// By URL.
    pub(crate) files: Vec<ScopeFile>,
    /// By name, then path.
    pub(crate) modules: Vec<ScopeModule>,
    /// By package, then version.
    pub(crate) libraries: Vec<ScopeLibrary>,
    /// Submodules by path, each a file of its own: what is in it is in another repository.
    pub(crate) submodules: BTreeMap<String, FileId>,
    /// Assemblies among the files.
    pub(crate) assemblies: Vec<(FileId, AssemblyFile)>,
    /// By path.
    blobs: BTreeMap<String, BlobId>,
}

impl Places {
    /// Lists the files of a side by their paths alone: as if there were no projects.
    pub(crate) fn listed(index: &Index, side: &IndexedSide) -> Result<Self, QueryError> {
        let tracked = side_files(index, side)?;
        let files = tracked.iter().map(|file| content(&file.path));
        let mut files: Vec<ScopeFile> = files.chain([all_outside()]).collect();
        files.sort_by(|a, b| a.url.cmp(&b.url));
        Ok(Self::with(tracked, files, Outside::default(), Vec::new()))
    }

    /// Lists the files of a side with their projects.
    pub(crate) fn of_projects(index: &Index, side: &IndexedSide) -> Result<Self, QueryError> {
        let records = side.snapshot.projects()?;
        Self::over(index, side, &records, |_| None)
    }

    /// Lists the files of a side with their projects, and the assemblies that these see.
    pub(crate) fn of(index: &Index, side: &IndexedSide) -> Result<Self, QueryError> {
        let symbols = index.symbols(side, None)?;
        Self::over(index, side, symbols.projects(), |homes| {
            Some(Outside::of(index, &symbols, homes))
        })
    }

    fn over(
        index: &Index,
        side: &IndexedSide,
        records: &[ProjectRecord],
        outside: impl FnOnce(&Homes) -> Option<Outside>,
    ) -> Result<Self, QueryError> {
        let tracked = side_files(index, side)?;
        let homes = Homes::of(index, side, records, &tracked)?;
        let compiled: BTreeMap<RepoPath, Vec<RepoPath>> = side
            .snapshot
            .files()?
            .into_iter()
            .map(|file| (file.path, file.projects))
            .collect();
        let mut files: Vec<ScopeFile> = tracked
            .iter()
            .map(|file| {
                let compiling = compiled.get(&file.path).map_or(&[][..], Vec::as_slice);
                let modules = homes.modules_of(&file.path, compiling);
                ScopeFile {
                    root: homes.root_of(&modules),
                    modules,
                    ..content(&file.path)
                }
            })
            .collect();
        let outside = outside(&homes).unwrap_or_else(|| {
            files.push(all_outside());
            Outside::default()
        });
        files.extend(outside.files.iter().map(|(file, _)| file.clone()));
        files.sort_by(|a, b| a.url.cmp(&b.url));
        files.dedup_by(|a, b| a.url == b.url);
        let mut modules = homes.modules;
        for (module, libraries) in modules.iter_mut().zip(&outside.of_modules) {
            module.libraries.clone_from(libraries);
        }
        Ok(Self::with(tracked, files, outside, modules))
    }

    /// From files by URL, among them those of the repository (`tracked`) and of `outside`.
    fn with(
        tracked: Vec<TreeFile>,
        files: Vec<ScopeFile>,
        outside: Outside,
        modules: Vec<ScopeModule>,
    ) -> Self {
        let find = |url: &str| files.binary_search_by(|file| file.url.as_str().cmp(url));
        let assemblies = (outside.files.into_iter())
            .filter_map(|(file, assembly)| Some((FileId::new(find(&file.url).ok()?), assembly)))
            .collect();
        let submodules = tracked
            .iter()
            .filter(|file| file.mode == FileMode::Submodule)
            .filter_map(|file| {
                let found = find(&format!("{REPOSITORY}{}", file.path)).ok()?;
                Some((file.path.as_str().to_owned(), FileId::new(found)))
            })
            .collect();
        Self {
            submodules,
            assemblies,
            modules,
            libraries: outside.libraries,
            blobs: tracked
                .into_iter()
                .filter(|file| file.mode.is_file())
                .map(|file| (file.path.as_str().to_owned(), file.blob))
                .collect(),
            files,
        }
    }

    /// The file of a path of the repository.
    pub(crate) fn find(&self, path: &str) -> Option<FileId> {
        self.find_url(&format!("{REPOSITORY}{path}"))
    }

    /// The file of a URL.
    pub(crate) fn find_url(&self, url: &str) -> Option<FileId> {
        let files = &self.files;
        let found = files.binary_search_by(|file| file.url.as_str().cmp(url));
        found.ok().map(FileId::new)
    }

    /// The content of a file of the repository.
    pub(crate) fn blob(&self, file: FileId) -> Option<BlobId> {
        let path = self.files.get(file.index())?.repository_path()?;
        self.blobs.get(path).copied()
    }

    /// The paths of the repository's files that have contents, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&str, BlobId)> {
        self.blobs.iter().map(|(path, blob)| (path.as_str(), *blob))
    }
}

/// A file of the repository that is of no project.
fn content(path: &RepoPath) -> ScopeFile {
    ScopeFile {
        url: format!("{REPOSITORY}{path}"),
        root: RootKind::Content,
        modules: Vec::new(),
        library: None,
    }
}

/// Stands for all assemblies where they are not looked for, so that it can be told whether a scope has what lies
/// outside of the repository.
fn all_outside() -> ScopeFile {
    ScopeFile {
        url: PACKAGES.to_owned(),
        root: RootKind::Library,
        modules: Vec::new(),
        library: None,
    }
}

/// Projects, and which files are theirs.
struct Homes {
    modules: Vec<ScopeModule>,
    is_test: Vec<bool>,
    by_project: BTreeMap<RepoPath, usize>,
    by_folder: BTreeMap<String, Vec<usize>>,
    /// For each project of the snapshot, in its order.
    of_records: Vec<Option<usize>>,
}

impl Homes {
    fn of(
        index: &Index,
        side: &IndexedSide,
        records: &[ProjectRecord],
        tracked: &[TreeFile],
    ) -> Result<Self, QueryError> {
        let mut order: Vec<usize> = (0..records.len())
            .filter(|at| records[*at].project.path.as_str() != LOOSE)
            .collect();
        let project = |at: usize| &records[at].project;
        order.sort_by_key(|at| (&project(*at).assembly, &project(*at).path));
        let by_project: BTreeMap<RepoPath, usize> = order
            .iter()
            .enumerate()
            .map(|(module, at)| (project(*at).path.clone(), module))
            .collect();
        let groups = groups(index, side, tracked)?;
        let mut by_folder: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let modules = order
            .iter()
            .enumerate()
            .map(|(module, at)| {
                let project = project(*at);
                let folder = project.path.folder().trim_end_matches('/').to_owned();
                by_folder.entry(folder.clone()).or_default().push(module);
                ScopeModule {
                    name: project.assembly.clone(),
                    project: stem(project.path.file_name()).to_owned(),
                    directory: folder,
                    root_namespace: project.root_namespace.clone(),
                    groups: groups.get(&project.path).cloned().unwrap_or_default(),
                    references: project
                        .references
                        .iter()
                        .filter_map(|path| by_project.get(path).copied())
                        .collect(),
                    libraries: Vec::new(),
                }
            })
            .collect();
        Ok(Self {
            modules,
            is_test: order.iter().map(|at| project(*at).is_test).collect(),
            of_records: records
                .iter()
                .map(|record| by_project.get(&record.project.path).copied())
                .collect(),
            by_project,
            by_folder,
        })
    }

    /// The projects that compile a file, else those of the innermost folder around it.
    fn modules_of(&self, path: &RepoPath, compiling: &[RepoPath]) -> Vec<usize> {
        let mut modules: Vec<usize> = compiling
            .iter()
            .filter_map(|project| self.by_project.get(project).copied())
            .collect();
        modules.sort_unstable();
        if !modules.is_empty() {
            return modules;
        }
        let mut folder = path.as_str();
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(outer, _)| outer);
            if let Some(modules) = self.by_folder.get(folder) {
                return modules.clone();
            }
        }
        Vec::new()
    }

    fn root_of(&self, modules: &[usize]) -> RootKind {
        match modules {
            [] => RootKind::Content,
            all if all.iter().all(|module| self.is_test[*module]) => RootKind::TestSource,
            _ => RootKind::Source,
        }
    }
}

/// A file's name without its extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The solution folders around projects; of several solutions the first counts that has any.
fn groups(
    index: &Index,
    side: &IndexedSide,
    tracked: &[TreeFile],
) -> Result<BTreeMap<RepoPath, Vec<String>>, QueryError> {
    let mut reader = index.blobs(side);
    let mut out = BTreeMap::new();
    for file in tracked {
        let is_solution = matches!(
            file.path.extension().to_ascii_lowercase().as_str(),
            "sln" | "slnx"
        );
        if !is_solution || !file.mode.is_file() || reader.blob_size(file.blob)? > MAX_SOLUTION_BYTES
        {
            continue;
        }
        let text = reader.read_blob(file.blob)?;
        for (project, folders) in solution_folders(&file.path, &String::from_utf8_lossy(&text)) {
            out.entry(project).or_insert(folders);
        }
    }
    Ok(out)
}

/// What projects see from outside.
#[derive(Default)]
struct Outside {
    libraries: Vec<ScopeLibrary>,
    /// By module: its libraries.
    of_modules: Vec<Vec<usize>>,
    /// Assemblies, as files.
    files: Vec<(ScopeFile, AssemblyFile)>,
}

/// An assembly, with the package that it is of where it lies in a package folder.
struct Found {
    package: Option<(String, String)>,
    url: String,
    assembly: AssemblyFile,
}

impl Outside {
    fn of(index: &Index, symbols: &Symbols, homes: &Homes) -> Self {
        let found = found(index, symbols);
        let ids: BTreeSet<&(String, String)> =
            found.iter().filter_map(|it| it.package.as_ref()).collect();
        let libraries = ids
            .iter()
            .map(|(package, version)| ScopeLibrary {
                package: package.clone(),
                version: version.clone(),
            })
            .collect();
        let places: BTreeMap<(String, String), usize> = ids.into_iter().cloned().zip(0..).collect();
        let mut of_modules: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); homes.modules.len()];
        let mut files = Vec::with_capacity(found.len());
        for Found {
            package,
            url,
            assembly,
        } in found
        {
            let library = package.and_then(|package| places.get(&package).copied());
            let modules = assembly.projects.iter();
            for module in modules.filter_map(|record| homes.of_records[*record]) {
                of_modules[module].extend(library);
            }
            let file = ScopeFile {
                url,
                root: RootKind::Library,
                modules: Vec::new(),
                library,
            };
            files.push((file, assembly));
        }
        Self {
            libraries,
            of_modules: of_modules
                .into_iter()
                .map(|libraries| libraries.into_iter().collect())
                .collect(),
            files,
        }
    }
}

/// The assemblies that projects see; what lies in the work tree is a file of the repository already.
fn found(index: &Index, symbols: &Symbols) -> Vec<Found> {
    // Package folders write ids in lower case, people do not.
    let written: BTreeMap<String, &str> = symbols
        .projects()
        .iter()
        .flat_map(|record| &record.project.packages)
        .map(|package| (package.name.to_lowercase(), package.name.as_str()))
        .collect();
    let roots: Vec<&Path> = index.references.roots().collect();
    let work_dir = index.repo.work_dir();
    let outside = symbols
        .assembly_files()
        .into_iter()
        .filter(|assembly| work_dir.is_none_or(|root| !assembly.path.starts_with(root)));
    outside
        .map(|assembly| {
            // Package folders may lie in that of .NET.
            let root = roots.iter().filter(|root| assembly.path.starts_with(root));
            let root = root.max_by_key(|root| root.as_os_str().len());
            let below = root.and_then(|root| assembly.path.strip_prefix(root).ok());
            let parts: Vec<&str> = below
                .iter()
                .flat_map(|path| path.iter().filter_map(|part| part.to_str()))
                .skip_while(|part| matches!(*part, "packs" | "shared"))
                .collect();
            let (package, url) = match parts.as_slice() {
                [id, version, inside @ ..] if !inside.is_empty() => {
                    let id = written.get(*id).copied().unwrap_or(id);
                    let url = format!("{PACKAGES}{id}/{version}/{}", inside.join("/"));
                    (Some((id.to_owned(), (*version).to_owned())), url)
                }
                _ => (None, format!("file://{}", assembly.path.display())),
            };
            Found {
                package,
                url,
                assembly,
            }
        })
        .collect()
}
