//! Assemblies from outside of the repository, by project.
//!
//! Must not know: where they are found.

use std::{collections::BTreeMap, sync::Arc};

use cortex_metadata::{Assembly, Closure, Compile, PackageRequest, ProjectRequest, References};
use cortex_model::RepoPath;
use cortex_project::{CompileAssets, PackageInheritance, PackageReference};
use cortex_semantics::ExternalId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::records::ProjectRecord;

/// The assemblies that projects see.
pub(crate) struct Externals {
    /// By simple name; of several versions the newest, which all projects then see.
    pub(crate) assemblies: Vec<Arc<Assembly>>,
    /// By project: which of them, ascending.
    pub(crate) by_project: Vec<Vec<ExternalId>>,
    /// By project: what was found and what was not.
    pub(crate) closures: Vec<Arc<Closure>>,
}

impl Externals {
    /// Finds the assemblies of each project. Reads package folders; assemblies are read when asked.
    pub(crate) fn find(references: &References, records: &[ProjectRecord]) -> Self {
        let by_path: FxHashMap<&RepoPath, &ProjectRecord> = records
            .iter()
            .map(|record| (&record.project.path, record))
            .collect();
        let closures: Vec<Arc<Closure>> = records
            .iter()
            .map(|record| closure(references, record, &by_path))
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
            assemblies: newest.into_values().collect(),
            by_project,
            closures,
        }
    }
}

/// The assemblies of one project. What the projects that it sees reference comes with them: shared frameworks,
/// and packages that are not private to them.
fn closure(
    references: &References,
    record: &ProjectRecord,
    by_path: &FxHashMap<&RepoPath, &ProjectRecord>,
) -> Arc<Closure> {
    let project = &record.project;
    let mut frameworks = project.frameworks.clone();
    let mut projects = vec![project.assembly.as_str()];
    let mut inherited = Vec::new();
    let mut seen = FxHashSet::default();
    let others = project.all_references.iter();
    for other in others.filter_map(|path| by_path.get(path)) {
        let other = &other.project;
        frameworks.extend_from_slice(&other.frameworks);
        projects.push(&other.assembly);
        let packages = other.packages.iter().filter_map(inherit);
        inherited.extend(packages.filter(|request| seen.insert(*request)));
    }
    frameworks.sort_unstable();
    frameworks.dedup();
    let packages: Vec<_> = project.packages.iter().map(request).collect();
    references.closure(&ProjectRequest {
        framework: &project.tfm,
        framework_references: &frameworks,
        packages: &packages,
        inherited: &inherited,
        projects: &projects,
        assets: None,
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
