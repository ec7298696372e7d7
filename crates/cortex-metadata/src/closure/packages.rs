//! The packages of a closure: from what was resolved or restored to assemblies.

use std::path::PathBuf;

use super::{
    ApproximatePackage, MissingPackage, Origin, ProjectRequest, References,
    collected::Collected,
    dependency,
    framework::Framework,
    lower_case,
    nuspec::Compile,
    packs::SHARED,
    resolve::{Found, ProjectWishes, Wishes, resolve},
    restore::Target,
};

/// The packages of one closure in the making.
#[derive(Default)]
pub(super) struct Packages {
    pub(super) found: Collected,
    /// Visible ones without an assembly, by id.
    pub(super) hollow: Vec<Hollow>,
}

/// A package that has no assembly on the machine.
pub(super) struct Hollow {
    id: String,
    wanted: String,
    /// Whether there is not even its description.
    is_absent: bool,
}

impl References {
    /// Packages that have no assembly on the machine are looked for in the shared frameworks, which are made
    /// of the same assemblies. Those of a framework that the project sees are not missed.
    pub(super) fn stand_in(
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
                    let listed = all.find(|assembly| assembly.name().eq_ignore_ascii_case(&key))?;
                    Some((listed.clone(), shared))
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

    /// The files of a restore, if all are on the machine.
    pub(super) fn restored(&self, target: &Target) -> Option<Vec<PathBuf>> {
        let files = target.packages.iter().flat_map(|package| &package.files);
        files.map(|file| self.folders.file(file)).collect()
    }

    pub(super) fn add_packages(
        &self,
        request: &ProjectRequest<'_>,
        framework: &Framework,
        packages: &mut Packages,
        frameworks: &mut Vec<String>,
    ) {
        let direct: Vec<_> = request.packages.iter().map(dependency).collect();
        let pinned: Vec<_> = request.pinned.iter().map(dependency).collect();
        let projects: Vec<_> = request
            .referenced
            .iter()
            .map(|project| ProjectWishes {
                packages: project.packages.iter().map(dependency).collect(),
                references: project.references.clone(),
            })
            .collect();
        let wishes = Wishes {
            direct: &direct,
            pinned: &pinned,
            references: request.references,
            projects: &projects,
            names: &lower_case(request.projects),
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
            if !self.folders.is_whole(&folder) {
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
}
