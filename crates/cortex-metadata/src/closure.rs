//! Which assemblies a project sees: those of its framework and those of its packages.
//!
//! Owns: reading package folders and reference packs. Nothing is downloaded and nothing is run.
//! Must not know: project files, the environment.

mod assets;
mod collected;
mod folder;
mod framework;
mod nuspec;
mod packs;
mod resolve;
mod version;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use cortex_model::{Hash, Hasher};
use rustc_hash::{FxHashMap, FxHashSet};

pub use self::nuspec::Compile;
use self::{
    collected::Collected,
    folder::{Folders, entries, is_whole},
    framework::Framework,
    nuspec::Dependency,
    packs::{BASE, SHARED},
    resolve::{Found, Wishes, choose, resolve},
    version::Range,
};
use crate::{assembly::Assembly, table::MetadataTable};

/// Where a machine keeps assemblies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roots {
    /// Installations of .NET, each with `packs` and `shared`. The first that has something wins.
    pub dotnet: Vec<PathBuf>,
    /// Package folders, each with `id/version`. The first that has a version wins.
    pub packages: Vec<PathBuf>,
}

impl Roots {
    /// The usual places, given the environment: `DOTNET_ROOT` and where installers put .NET, `NUGET_PACKAGES`
    /// or the folder in the home directory, `NUGET_FALLBACK_PACKAGES` (separated by `;`).
    pub fn from_env(variable: impl Fn(&str) -> Option<String>) -> Self {
        let path = |name: &str| {
            let value = variable(name)?;
            (!value.is_empty()).then(|| PathBuf::from(value))
        };
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        let mut dotnet: Vec<PathBuf> = path("DOTNET_ROOT").into_iter().collect();
        dotnet.extend(path("ProgramFiles").map(|folder| folder.join("dotnet")));
        dotnet.extend(
            [
                "/usr/share/dotnet",
                "/usr/lib/dotnet",
                "/usr/lib64/dotnet",
                "/usr/local/share/dotnet",
            ]
            .map(PathBuf::from),
        );
        dotnet.extend(home.as_ref().map(|home| home.join(".dotnet")));
        let own = path("NUGET_PACKAGES");
        let mut packages: Vec<PathBuf> = own
            .or_else(|| Some(home?.join(".nuget").join("packages")))
            .into_iter()
            .collect();
        let fallback = variable("NUGET_FALLBACK_PACKAGES").unwrap_or_default();
        packages.extend(
            fallback
                .split(';')
                .filter(|folder| !folder.is_empty())
                .map(PathBuf::from),
        );
        Self { dotnet, packages }
    }
}

/// What a project asks for.
#[derive(Clone, Debug, Default)]
pub struct ProjectRequest<'a> {
    /// The short name of the target framework, such as `net10.0`; empty or unknown means the newest.
    pub framework: &'a str,
    /// The shared frameworks that it references, such as `Microsoft.AspNetCore.App`.
    pub framework_references: &'a [String],
    /// The packages that it references itself.
    pub packages: &'a [PackageRequest<'a>],
    /// The packages that come with referenced projects. Its own win over them.
    pub inherited: &'a [PackageRequest<'a>],
    /// The names of its own assembly and of those of the projects that it references: they win over
    /// packages of the same id or assembly name.
    pub projects: &'a [&'a str],
    /// The bytes of its `obj/project.assets.json`, which then decides about packages.
    pub assets: Option<&'a [u8]>,
}

/// A package that a project asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PackageRequest<'a> {
    /// The id, in any case. What is no id is skipped.
    pub id: &'a str,
    /// The version or range, as written. Without one the highest that is present is taken.
    pub version: Option<&'a str>,
    /// Whether the project sees its assemblies, and those that it depends on.
    pub compile: Compile,
}

/// The assemblies that a project sees.
#[derive(Clone)]
pub struct Closure {
    /// Those of the framework by file name, then those of packages by id. No two have one simple name:
    /// the higher assembly version stays, of equal ones the framework's.
    pub assemblies: Vec<Arc<Assembly>>,
    /// The packages that compilers see and that are not on the machine, by id.
    pub missing: Vec<MissingPackage>,
    /// The packages of which only another version is on the machine, or the assembly of a shared framework,
    /// by id.
    pub approximate: Vec<ApproximatePackage>,
    /// Files that should be assemblies and cannot be read, sorted.
    pub unreadable: Vec<PathBuf>,
    /// Where the assemblies of the framework are from.
    pub source: FrameworkSource,
    /// Changes when any assembly changes.
    pub digest: Hash,
}

/// A package that is not on the machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MissingPackage {
    /// Its id.
    pub id: String,
    /// The wanted version or range, as written; may be empty.
    pub version: String,
}

/// A package of which another version was taken.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ApproximatePackage {
    /// Its id.
    pub id: String,
    /// The wanted version or range, as written; may be empty.
    pub wanted: String,
    /// The version that was taken, of the package or of the shared framework that has its assembly.
    pub found: String,
}

/// Where the assemblies of a framework are from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FrameworkSource {
    /// A reference pack or shared framework of this version.
    Pack(String),
    /// The built-in table, made of reference assemblies of this version.
    BuiltIn(String),
    /// Neither: the built-in table cannot be read.
    None,
}

/// The assemblies of a machine. Each file is opened once, whatever number of projects see it.
pub struct References {
    dotnet: Vec<PathBuf>,
    folders: Folders,
    assemblies: Mutex<FxHashMap<PathBuf, Option<Arc<Assembly>>>>,
    packs: Mutex<FxHashMap<PackKey, Option<Arc<PackFiles>>>>,
    closures: Mutex<FxHashMap<Hash, Arc<Closure>>>,
}

/// The name of a shared framework, and the target framework that sees it.
type PackKey = (String, Framework);

/// The assemblies of a framework.
struct PackFiles {
    version: String,
    stands_in: Option<Framework>,
    assemblies: Vec<Arc<Assembly>>,
}

/// The packages of one closure in the making.
#[derive(Default)]
struct Packages {
    found: Collected,
    /// Visible ones without an assembly, by id.
    hollow: Vec<Hollow>,
}

/// A package that has no assembly on the machine.
struct Hollow {
    id: String,
    wanted: String,
    /// Whether there is not even its description.
    is_absent: bool,
}

/// Where the base framework is from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Machine,
    BuiltIn,
}

impl ProjectRequest<'_> {
    /// Tells it from all other requests.
    fn key(&self) -> Hash {
        let mut hasher = Hasher::new("closure-request-v1");
        hasher.field(self.framework.as_bytes());
        hasher.number(self.framework_references.len() as u64);
        for name in self.framework_references {
            hasher.field(name.as_bytes());
        }
        for list in [self.packages, self.inherited] {
            hasher.number(list.len() as u64);
            for package in list {
                hasher.field(package.id.as_bytes());
                hasher.number(u64::from(package.version.is_some()));
                hasher.field(package.version.unwrap_or_default().as_bytes());
                hasher.number(package.compile as u64);
            }
        }
        hasher.number(self.projects.len() as u64);
        for name in self.projects {
            hasher.field(name.as_bytes());
        }
        hasher.number(u64::from(self.assets.is_some()));
        hasher.field(self.assets.unwrap_or_default());
        hasher.finish()
    }
}

impl References {
    /// Looks at nothing yet.
    pub fn new(roots: Roots) -> Self {
        Self {
            dotnet: roots.dotnet,
            folders: Folders::new(roots.packages),
            assemblies: Mutex::default(),
            packs: Mutex::default(),
            closures: Mutex::default(),
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

    fn find_closure(&self, request: &ProjectRequest<'_>) -> Closure {
        let own = Framework::parse(request.framework).unwrap_or(Framework::NEWEST);
        let base = self.pack(BASE, &own);
        let stand_in = base.as_ref().and_then(|pack| pack.stands_in.as_ref());
        let framework = match stand_in {
            Some(other) => own.clone().with_stand_in(other),
            None => own.clone(),
        };
        let mut packages = Packages::default();
        let mut frameworks = request.framework_references.to_vec();
        match request
            .assets
            .and_then(|assets| assets::parse(assets, &own))
        {
            Some((restored, named)) => {
                frameworks.extend(named);
                self.add_restored(&restored, &mut packages.found);
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
            match self.shared(name, &own, origin) {
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
        // What the framework has is not missed as a package.
        found
            .missing
            .retain(|package| !collected.has(&package.id.to_lowercase()));
        collected.missing.append(&mut found.missing);
        collected.unreadable.append(&mut found.unreadable);
        collected.approximate = found.approximate;
        self.stand_in(packages.hollow, &own, origin, &mut collected);
        collected.finish(source)
    }

    /// Whether a package or shared framework that a closure for a target framework missed would be found now.
    /// Looks at a few folders.
    pub fn is_present(&self, missing: &MissingPackage, framework: &str) -> bool {
        if !self.folders.present(&missing.id).versions.is_empty() {
            return true;
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
            Found::Exact(folder) => is_whole(&folder),
            Found::Approximate(..) | Found::Absent => false,
        }
    }

    /// Whether the assemblies of a target framework itself are on the machine: whether a closure has them
    /// from there and not from the built-in table.
    pub fn has_framework(&self, framework: &str) -> bool {
        let framework = Framework::parse(framework).unwrap_or(Framework::NEWEST);
        packs::base(&self.dotnet, &self.folders, &framework).is_some()
    }

    /// Packages that have no assembly on the machine are looked for in the shared frameworks, which are made
    /// of the same assemblies. Those of a framework that the project sees are not missed.
    fn stand_in(
        &self,
        hollow: Vec<Hollow>,
        framework: &Framework,
        origin: Origin,
        collected: &mut Collected,
    ) {
        for package in hollow {
            let key = package.id.to_lowercase();
            if collected.has(&key) {
                continue;
            }
            let shared = SHARED
                .iter()
                .filter_map(|name| self.shared(name, framework, origin))
                .find_map(|shared| {
                    let mut all = shared.assemblies.iter();
                    let own = all.find(|assembly| assembly.name().eq_ignore_ascii_case(&key))?;
                    Some((own.clone(), shared))
                });
            match shared {
                Some((assembly, shared)) => {
                    collected.add(assembly);
                    // What a package depends on is not known without the package.
                    if package.is_absent {
                        collected.add_all(&shared.assemblies);
                    }
                    collected.approximate.push(ApproximatePackage {
                        id: package.id,
                        wanted: package.wanted,
                        found: shared.version.clone(),
                    });
                }
                None if package.is_absent => collected.missing.push(MissingPackage {
                    id: package.id,
                    version: package.wanted,
                }),
                None => {}
            }
        }
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

    fn add_restored(&self, restored: &[assets::Restored], packages: &mut Collected) {
        for package in restored {
            for file in &package.files {
                match self.folders.file(file) {
                    Some(path) => packages.add_file(self, &path),
                    None => packages.missing.push(MissingPackage {
                        id: package.id.clone(),
                        version: package.version.clone(),
                    }),
                }
            }
        }
    }

    fn add_packages(
        &self,
        request: &ProjectRequest<'_>,
        framework: &Framework,
        packages: &mut Packages,
        frameworks: &mut Vec<String>,
    ) {
        let direct: Vec<_> = request.packages.iter().map(dependency).collect();
        let inherited: Vec<_> = request.inherited.iter().map(dependency).collect();
        let wishes = Wishes {
            direct: &direct,
            inherited: &inherited,
            projects: &lower_case(request.projects),
        };
        for package in resolve(&self.folders, framework, &wishes) {
            let is_visible = package.compile == Compile::Visible;
            let (folder, mut version) = match package.found {
                Found::Absent => {
                    if is_visible {
                        packages.hollow.push(Hollow {
                            id: package.id,
                            wanted: package.wanted,
                            is_absent: true,
                        });
                    }
                    continue;
                }
                Found::Exact(folder) => (folder, None),
                Found::Approximate(folder, version) => (folder, Some(version)),
            };
            let nuspec = self.folders.nuspec(&package.id, &folder);
            frameworks.extend_from_slice(nuspec.framework_references(framework));
            if !is_visible {
                continue;
            }
            let other = self.folders.instead_of(&package.id, &folder);
            let (folder, other) =
                other.map_or((folder, None), |(folder, version)| (folder, Some(version)));
            version = other.or(version);
            let files = self.folders.compile_files(&package.id, &folder, framework);
            for file in files.iter() {
                packages.found.add_file(self, file);
            }
            if !is_whole(&folder) {
                packages.hollow.push(Hollow {
                    id: package.id,
                    wanted: package.wanted,
                    is_absent: false,
                });
            } else if let Some(found) = version {
                packages.found.approximate.push(ApproximatePackage {
                    id: package.id,
                    wanted: package.wanted,
                    found,
                });
            }
        }
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
            let all = pack.folders.iter().flat_map(|folder| entries(folder));
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
        let mut cache = self
            .assemblies
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache.get(path) {
            return known.clone();
        }
        let opened = Assembly::open(path).ok().map(Arc::new);
        cache.insert(path.to_owned(), opened.clone());
        opened
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
