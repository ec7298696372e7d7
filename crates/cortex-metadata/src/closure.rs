//! Which assemblies a project sees: those of its framework and those of its packages.
//!
//! Owns: reading package folders and reference packs. Nothing is downloaded and nothing is run.
//! Must not know: project files, the environment.

mod assets;
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
    folder::{Folders, entries},
    framework::Framework,
    nuspec::Dependency,
    packs::BASE,
    resolve::{Found, Wishes, resolve},
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PackageRequest<'a> {
    /// The id, in any case. What is no id is skipped.
    pub id: &'a str,
    /// The version or range, as written. Without one the highest that is present is taken.
    pub version: Option<&'a str>,
    /// Whether its assemblies and those of its dependencies are for the compiler.
    pub compile: Compile,
}

/// The assemblies that a project sees.
#[derive(Clone)]
pub struct Closure {
    /// Those of the framework by file name, then those of packages by id. No two have one simple name:
    /// the higher assembly version stays, of equal ones the framework's.
    pub assemblies: Vec<Arc<Assembly>>,
    /// The packages that are not on the machine, by id.
    pub missing: Vec<MissingPackage>,
    /// The packages of which only another version is on the machine, by id.
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
    /// The version that was taken.
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
}

/// The name of a shared framework, and the target framework that sees it.
type PackKey = (String, Framework);

/// The assemblies of a framework.
struct PackFiles {
    version: String,
    assemblies: Vec<Arc<Assembly>>,
}

/// One closure in the making.
#[derive(Default)]
struct Collected {
    assemblies: Vec<Arc<Assembly>>,
    /// Places in `assemblies` by lower-case simple name.
    by_name: FxHashMap<String, usize>,
    missing: Vec<MissingPackage>,
    approximate: Vec<ApproximatePackage>,
    unreadable: Vec<PathBuf>,
}

impl References {
    /// Looks at nothing yet.
    pub fn new(roots: Roots) -> Self {
        Self {
            dotnet: roots.dotnet,
            folders: Folders::new(roots.packages),
            assemblies: Mutex::default(),
            packs: Mutex::default(),
        }
    }

    /// The assemblies that a project sees. What is not on the machine is told, never an error.
    pub fn closure(&self, request: &ProjectRequest<'_>) -> Closure {
        let framework = Framework::parse(request.framework).unwrap_or(Framework::NEWEST);
        let mut packages = Collected::default();
        let mut frameworks = request.framework_references.to_vec();
        let restored = request
            .assets
            .and_then(|assets| assets::parse(assets, &framework));
        match restored {
            Some((restored, named)) => {
                frameworks.extend(named);
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
            None => self.add_packages(request, &framework, &mut packages, &mut frameworks),
        }
        frameworks.sort_unstable();
        frameworks.dedup();
        frameworks.retain(|name| name != BASE);

        let mut collected = Collected::default();
        let base = self.pack(BASE, &framework);
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
        for name in &frameworks {
            // A framework of the machine over a built-in one would not fit.
            let pack = base.as_ref().and_then(|_| self.pack(name, &framework));
            let is_found = match &pack {
                Some(pack) => {
                    collected.add_all(&pack.assemblies);
                    true
                }
                None => collected.add_built_in(name),
            };
            if !is_found {
                collected.missing.push(MissingPackage {
                    id: name.clone(),
                    version: String::new(),
                });
            }
        }
        // What the framework has is not missed as a package.
        packages
            .missing
            .retain(|package| !collected.by_name.contains_key(&package.id.to_lowercase()));
        let projects = lower_case(request.projects);
        for assembly in packages.assemblies {
            if !projects.contains(&assembly.name().to_lowercase()) {
                collected.add(assembly);
            }
        }
        collected.missing.append(&mut packages.missing);
        collected.unreadable.append(&mut packages.unreadable);
        collected.approximate = packages.approximate;
        collected.finish(source)
    }

    fn add_packages(
        &self,
        request: &ProjectRequest<'_>,
        framework: &Framework,
        packages: &mut Collected,
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
            let (folder, mut version) = match package.found {
                Found::Absent => {
                    packages.missing.push(MissingPackage {
                        id: package.id,
                        version: package.wanted,
                    });
                    continue;
                }
                Found::Exact(folder) => (folder, None),
                Found::Approximate(folder, version) => (folder, Some(version)),
            };
            let nuspec = self.folders.nuspec(&package.id, &folder);
            frameworks.extend_from_slice(nuspec.framework_references(framework));
            if package.compile == Compile::Visible {
                let other = self.folders.instead_of(&package.id, &folder);
                let (folder, other) =
                    other.map_or((folder, None), |(folder, version)| (folder, Some(version)));
                version = other.or(version);
                let files = self.folders.compile_files(&package.id, &folder, framework);
                for file in files.iter() {
                    packages.add_file(self, file);
                }
            }
            if let Some(found) = version {
                packages.approximate.push(ApproximatePackage {
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

impl Collected {
    fn add_all(&mut self, assemblies: &[Arc<Assembly>]) {
        for assembly in assemblies {
            self.add(assembly.clone());
        }
    }

    /// Whether the built-in table has the framework.
    fn add_built_in(&mut self, framework: &str) -> bool {
        let before = self.assemblies.len();
        for assembly in MetadataTable::built_in()
            .into_iter()
            .flat_map(|table| table.framework(framework))
        {
            self.add(assembly.clone());
        }
        self.assemblies.len() > before
    }

    fn add_file(&mut self, references: &References, path: &Path) {
        match references.assembly(path) {
            Some(assembly) => self.add(assembly),
            None => self.unreadable.push(path.to_owned()),
        }
    }

    fn add(&mut self, assembly: Arc<Assembly>) {
        let name = assembly.name().to_lowercase();
        match self.by_name.get(&name) {
            Some(&place) if self.assemblies[place].version() < assembly.version() => {
                self.assemblies[place] = assembly;
            }
            Some(_) => {}
            None => {
                self.by_name.insert(name, self.assemblies.len());
                self.assemblies.push(assembly);
            }
        }
    }

    fn finish(mut self, source: FrameworkSource) -> Closure {
        self.missing.sort_unstable();
        self.missing.dedup();
        self.unreadable.sort_unstable();
        let mut hasher = Hasher::new("closure-v1");
        for assembly in &self.assemblies {
            hasher.field(assembly.digest().as_bytes());
        }
        Closure {
            assemblies: self.assemblies,
            missing: self.missing,
            approximate: self.approximate,
            unreadable: self.unreadable,
            source,
            digest: hasher.finish(),
        }
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
