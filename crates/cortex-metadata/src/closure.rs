//! Which assemblies a project sees: those of its framework and those of its packages.
//!
//! Owns: reading package folders and reference packs. Nothing is downloaded and nothing is run.
//! Must not know: project files, the environment.

mod answer;
mod collected;
mod folder;
mod framework;
mod looks;
mod nuspec;
mod packages;
mod packs;
mod request;
mod resolve;
mod restore;
mod roots;
mod version;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use cortex_model::Hash;
use rustc_hash::{FxHashMap, FxHashSet};

#[doc(hidden)]
pub use self::nuspec::read_description;
pub use self::{
    answer::{ApproximatePackage, Closure, FrameworkSource, MissingPackage},
    looks::Looks,
    nuspec::Compile,
    request::{PackageRequest, ProjectRequest, ReferencedProject},
    restore::Restore,
    roots::Roots,
};
use self::{
    collected::Collected,
    folder::Folders,
    framework::Framework,
    nuspec::Dependency,
    packages::Packages,
    packs::BASE,
    resolve::{Found, choose},
    version::Range,
};
use crate::{assemblies::Assemblies, assembly::Assembly, table::MetadataTable};

/// The assemblies of a machine. Each file is opened once, whatever number of projects see it.
pub struct References {
    dotnet: Vec<PathBuf>,
    folders: Folders,
    assemblies: Mutex<FxHashMap<PathBuf, Option<Arc<Assembly>>>>,
    packs: Mutex<FxHashMap<PackKey, Option<Arc<PackFiles>>>>,
    restores: Mutex<FxHashMap<PathBuf, Option<Arc<Restore>>>>,
    closures: Mutex<FxHashMap<Hash, Arc<Closure>>>,
    together: Mutex<Arc<Assemblies>>,
}

/// The name of a shared framework, and the target framework that sees it.
type PackKey = (String, Framework);

/// The assemblies of a framework.
struct PackFiles {
    version: String,
    stands_in: Option<Framework>,
    assemblies: Vec<Arc<Assembly>>,
}

/// Where the base framework is from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Machine,
    BuiltIn,
}

impl References {
    /// Looks at nothing yet.
    pub fn new(roots: Roots) -> Self {
        Self {
            dotnet: roots.dotnet,
            folders: Folders::new(roots.packages),
            assemblies: Mutex::default(),
            packs: Mutex::default(),
            restores: Mutex::default(),
            closures: Mutex::default(),
            together: Mutex::default(),
        }
    }

    /// The assemblies that a project sees. What is not on the machine is told, never an error.
    ///
    /// Equal requests share one answer, which holds as long as this value: folders are read once.
    pub fn closure(&self, request: &ProjectRequest<'_>) -> Arc<Closure> {
        let key = request.key();
        let cache = || self.closures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache().get(&key) {
            return known.clone();
        }
        let closure = Arc::new(self.find_closure(request));
        cache().insert(key, closure.clone());
        closure
    }

    /// What a `project.assets.json` says, if it says anything. Read once.
    pub fn restore(&self, file: &Path) -> Option<Arc<Restore>> {
        let cache = || self.restores.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache().get(file) {
            return known.clone();
        }
        let restore = self
            .folders
            .read(file, Restore::MAX_BYTES)
            .and_then(|text| Restore::parse(&text))
            .map(Arc::new);
        cache().insert(file.to_owned(), restore.clone());
        restore
    }

    /// The assembly in a file that a project names, if it is one. Opened once.
    pub fn library(&self, file: &Path) -> Option<Arc<Assembly>> {
        self.assembly(file)
    }

    /// The places that all answers so far come from, restores and libraries of projects included.
    pub fn looks(&self) -> Looks {
        self.folders.watcher.looks()
    }

    /// The places where .NET and packages are looked for, in order.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        let places = self.dotnet.iter().chain(self.folders.roots());
        places.map(PathBuf::as_path)
    }

    /// Puts assemblies together. The same ones as the last time give the same value, with its indexes.
    pub fn together(&self, assemblies: Vec<Arc<Assembly>>) -> Arc<Assemblies> {
        let mut last = self.together.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = last.len() == assemblies.len()
            && last
                .iter()
                .zip(&assemblies)
                .all(|(a, b)| Arc::ptr_eq(a, b) || a.digest() == b.digest());
        if !is_same {
            *last = Arc::new(Assemblies::new(assemblies));
        }
        last.clone()
    }

    fn find_closure(&self, request: &ProjectRequest<'_>) -> Closure {
        let requested = Framework::parse(request.framework).unwrap_or(Framework::NEWEST);
        let base = self.pack(BASE, &requested);
        let stand_in = base.as_ref().and_then(|pack| pack.stands_in.as_ref());
        let framework = match stand_in {
            Some(other) => requested.clone().with_stand_in(other),
            None => requested.clone(),
        };
        let mut packages = Packages::default();
        let mut frameworks = request.framework_references.to_vec();
        let restored = request.restore.and_then(|restore| {
            let target = restore.answer(request, &requested)?;
            Some((target, self.restored(target)?))
        });
        match restored {
            Some((target, files)) => {
                frameworks.extend_from_slice(&target.frameworks);
                for file in files {
                    packages.found.add_file(self, &file);
                }
            }
            None => self.add_packages(request, &framework, &mut packages, &mut frameworks),
        }
        frameworks.sort_unstable();
        frameworks.dedup();
        frameworks.retain(|name| name != BASE);

        let mut collected = Collected::default();
        let source = match (&base, MetadataTable::built_in()) {
            (Some(pack), _) => {
                collected.add_all(&pack.assemblies);
                FrameworkSource::Pack(pack.version.clone())
            }
            (None, Some(table)) => {
                collected.add_built_in(BASE);
                FrameworkSource::BuiltIn(table.version().to_owned())
            }
            (None, None) => FrameworkSource::None,
        };
        // A framework of the machine over a built-in one would not fit.
        let origin = match base {
            Some(_) => Origin::Machine,
            None => Origin::BuiltIn,
        };
        for name in &frameworks {
            match self.shared(name, &requested, origin) {
                Some(shared) => collected.add_all(&shared.assemblies),
                None => collected.missing.push(MissingPackage {
                    id: name.clone(),
                    version: String::new(),
                }),
            }
        }
        let projects = lower_case(request.projects);
        let mut found = packages.found;
        for assembly in found.assemblies {
            if !projects.contains(&assembly.name().to_lowercase()) {
                collected.add(assembly);
            }
        }
        for library in request.libraries {
            if !projects.contains(&library.name().to_lowercase()) {
                collected.add(library.clone());
            }
        }
        collected.unreadable.append(&mut found.unreadable);
        collected.approximate = found.approximate;
        self.stand_in(packages.hollow, &requested, origin, &mut collected);
        collected.finish(source)
    }

    /// Whether a package or shared framework that a closure for a target framework missed would be found now.
    /// Looks at a few folders.
    pub fn is_present(&self, missing: &MissingPackage, framework: &str) -> bool {
        if !self.folders.present(&missing.id).versions.is_empty() {
            return true;
        }
        // No project asks for a version of a shared framework.
        if !missing.version.is_empty() {
            return false;
        }
        let framework = Framework::parse(framework).unwrap_or(Framework::NEWEST);
        packs::shared(&self.dotnet, &self.folders, &missing.id, &framework).is_some()
            && packs::base(&self.dotnet, &self.folders, &framework).is_some()
    }

    /// Whether the version that a closure wanted is on the machine now.
    pub fn is_exact(&self, approximate: &ApproximatePackage) -> bool {
        let wanted = dependency(&PackageRequest {
            id: &approximate.id,
            version: Some(&approximate.wanted),
            compile: Compile::Visible,
        });
        match choose(&self.folders, &wanted) {
            Found::Exact(folder) => self.folders.is_whole(&folder),
            Found::Approximate(..) | Found::Absent => false,
        }
    }

    /// Whether the assemblies of a target framework itself are on the machine: whether a closure has them
    /// from there and not from the built-in table.
    pub fn has_framework(&self, framework: &str) -> bool {
        let framework = Framework::parse(framework).unwrap_or(Framework::NEWEST);
        packs::base(&self.dotnet, &self.folders, &framework).is_some()
    }

    /// A shared framework, from the machine or from the built-in table.
    fn shared(&self, name: &str, framework: &Framework, origin: Origin) -> Option<Arc<PackFiles>> {
        let on_machine = match origin {
            Origin::Machine => self.pack(name, framework),
            Origin::BuiltIn => None,
        };
        on_machine.or_else(|| {
            let table = MetadataTable::built_in()?;
            let assemblies: Vec<_> = table.framework(name).cloned().collect();
            (!assemblies.is_empty()).then(|| {
                Arc::new(PackFiles {
                    version: table.version().to_owned(),
                    stands_in: None,
                    assemblies,
                })
            })
        })
    }

    /// The assemblies of the base framework or of another shared framework.
    fn pack(&self, name: &str, framework: &Framework) -> Option<Arc<PackFiles>> {
        let key = (name.to_owned(), framework.clone());
        let mut cache = self.packs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache.get(&key) {
            return known.clone();
        }
        let pack = match name {
            BASE => packs::base(&self.dotnet, &self.folders, framework),
            _ => packs::shared(&self.dotnet, &self.folders, name, framework),
        };
        let files = pack.map(|pack| {
            let mut files = PackFiles {
                version: pack.version,
                stands_in: pack.stands_in,
                assemblies: Vec::new(),
            };
            let all = pack
                .folders
                .iter()
                .flat_map(|folder| self.folders.entries(folder));
            // What is no assembly there is a native library.
            files.assemblies.extend(
                all.filter(|file| file.extension().is_some_and(|extension| extension == "dll"))
                    .filter_map(|file| self.assembly(&file)),
            );
            Arc::new(files)
        });
        cache.insert(key, files.clone());
        files
    }

    fn assembly(&self, path: &Path) -> Option<Arc<Assembly>> {
        let cache = || {
            self.assemblies
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(known) = cache().get(path) {
            return known.clone();
        }
        self.folders.watcher.note(path);
        let opened = Assembly::open(path).ok().map(Arc::new);
        // Another thread may have been faster: all have the same value.
        cache().entry(path.to_owned()).or_insert(opened).clone()
    }
}

fn lower_case(names: &[&str]) -> FxHashSet<String> {
    names.iter().map(|name| name.to_lowercase()).collect()
}

fn dependency(request: &PackageRequest<'_>) -> Dependency {
    let range = request.version.and_then(Range::parse);
    Dependency {
        id: request.id.to_owned(),
        range: range.unwrap_or_else(Range::newest),
        version: request.version.unwrap_or_default().to_owned(),
        compile: request.compile,
    }
}
