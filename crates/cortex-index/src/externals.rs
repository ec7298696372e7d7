//! Assemblies from outside of the repository, by project.
//!
//! Must not know: where they are found.

use std::{collections::BTreeMap, sync::Arc};

use cortex_metadata::{Assembly, Closure, PackageRequest, ProjectRequest, References};
use cortex_model::RepoPath;
use cortex_semantics::ExternalId;
use rustc_hash::FxHashMap;

use crate::records::ProjectRecord;

/// The assemblies that projects see.
pub(crate) struct Externals {
    /// By simple name; of several versions the newest, which all projects then see.
    pub(crate) assemblies: Vec<Arc<Assembly>>,
    /// By project: which of them, ascending.
    pub(crate) by_project: Vec<Vec<ExternalId>>,
    /// By project: what was found and what was not.
    pub(crate) closures: Vec<Closure>,
}

impl Externals {
    /// Finds the assemblies of each project. Reads package folders; assemblies are read when asked.
    pub(crate) fn find(references: &References, records: &[ProjectRecord]) -> Self {
        let by_path: FxHashMap<&RepoPath, &ProjectRecord> = records
            .iter()
            .map(|record| (&record.project.path, record))
            .collect();
        let closures: Vec<Closure> = records
            .iter()
            .map(|record| {
                let project = &record.project;
                let others = project.all_references.iter();
                let inherited: Vec<PackageRequest<'_>> = others
                    .filter_map(|path| by_path.get(path))
                    .flat_map(|other| requests(other))
                    .collect();
                let referenced: Vec<&str> = std::iter::once(project.assembly.as_str())
                    .chain(
                        project
                            .all_references
                            .iter()
                            .filter_map(|path| by_path.get(path))
                            .map(|other| other.project.assembly.as_str()),
                    )
                    .collect();
                references.closure(&ProjectRequest {
                    framework: &project.tfm,
                    framework_references: &project.frameworks,
                    packages: &requests(record),
                    inherited: &inherited,
                    projects: &referenced,
                    assets: None,
                })
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

fn requests(record: &ProjectRecord) -> Vec<PackageRequest<'_>> {
    let packages = record.project.packages.iter();
    packages
        .map(|package| PackageRequest {
            id: &package.name,
            version: package.version.as_deref(),
        })
        .collect()
}
