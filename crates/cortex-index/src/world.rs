//! A snapshot, being made or there already, as binding asks for it: every declaration of the repository,
//! and the assemblies around it.
//!
//! Must not know: what names mean.

use std::sync::{Arc, RwLock};

use cortex_bind::{GlobalUsing, InternalsVisible, ProjectScope, TypeSymbol, Universe};
use cortex_metadata::Assemblies;
use cortex_model::{RepoPath, TypeKey};
use cortex_semantics::{ProjectId, ProjectView, UnitKey, World};
use cortex_syntax::{FileFacts, Sections};
use rustc_hash::FxHashMap;

use crate::{externals::Externals, records::ProjectRecord, view::View};

/// See the module's first line.
pub(crate) struct SnapshotWorld<'a> {
    view: &'a View,
    projects: Vec<ProjectView>,
    by_path: FxHashMap<RepoPath, ProjectId>,
    externals: Arc<Assemblies>,
    /// The facts of a file inside one project, by the project's index.
    facts: &'a ReadFacts<'a>,
    occupied: RwLock<FxHashMap<Box<str>, Arc<[ProjectId]>>>,
    extensions: RwLock<FxHashMap<Box<str>, Arc<[TypeKey]>>>,
}

/// The facts of a file inside one project, by the project's index.
pub(crate) type ReadFacts<'a> = dyn Fn(&RepoPath, usize, Sections) -> FileFacts + Sync + 'a;

impl<'a> SnapshotWorld<'a> {
    pub(crate) fn new(
        view: &'a View,
        records: &[ProjectRecord],
        scopes: &[ProjectScope],
        externals: &Externals,
        facts: &'a ReadFacts<'a>,
    ) -> Self {
        let by_path: FxHashMap<RepoPath, ProjectId> = records
            .iter()
            .enumerate()
            .map(|(index, record)| (record.project.path.clone(), ProjectId::new(index)))
            .collect();
        let projects = records
            .iter()
            .zip(scopes)
            .zip(&externals.by_project)
            .enumerate()
            .map(|(index, ((record, scope), externals))| ProjectView {
                path: record.project.path.clone(),
                assembly: record.project.assembly.as_str().into(),
                visible: visible(scope, records.len(), &by_path),
                usings: record.project.usings.iter().map(global_using).collect(),
                global_using_units: record
                    .global_usings
                    .iter()
                    .map(|(path, _)| UnitKey {
                        path: path.clone(),
                        project: ProjectId::new(index),
                    })
                    .collect(),
                externals: externals.clone(),
                language_version: (record.project.effective_language_version()).map(str::to_owned),
                allows_unsafe: record.project.allows_unsafe,
            })
            .collect();
        Self {
            view,
            projects,
            by_path,
            externals: externals.assemblies.clone(),
            facts,
            occupied: RwLock::default(),
            extensions: RwLock::default(),
        }
    }
}

fn visible(
    scope: &ProjectScope,
    count: usize,
    ids: &FxHashMap<RepoPath, ProjectId>,
) -> Vec<(ProjectId, InternalsVisible)> {
    if scope.sees_all {
        let all = (0..count).map(ProjectId::new);
        return all.map(|id| (id, InternalsVisible::Yes)).collect();
    }
    let seen = scope.visible.iter();
    let mut visible: Vec<_> = seen
        .filter_map(|(path, internals)| Some((*ids.get(path)?, *internals)))
        .collect();
    visible.sort_unstable_by_key(|&(id, _)| id);
    visible
}

fn global_using(using: &cortex_project::GlobalUsing) -> GlobalUsing {
    use cortex_project::UsingKind;
    match &using.kind {
        UsingKind::Namespace => GlobalUsing::Namespace(using.target.clone()),
        UsingKind::Static => GlobalUsing::Static(using.target.clone()),
        UsingKind::Alias(alias) => GlobalUsing::Alias(alias.clone(), using.target.clone()),
    }
}

/// Reads a value off a cache, or makes and keeps it.
fn cached<T: Clone>(
    cache: &RwLock<FxHashMap<Box<str>, T>>,
    name: &str,
    make: impl FnOnce() -> T,
) -> T {
    if let Some(found) = cache.read().expect("no reader panics").get(name) {
        return found.clone();
    }
    let made = make();
    let mut cache = cache.write().expect("no writer panics");
    cache.insert(name.into(), made.clone());
    made
}

impl World for SnapshotWorld<'_> {
    fn projects(&self) -> &[ProjectView] {
        &self.projects
    }

    fn externals(&self) -> &Assemblies {
        &self.externals
    }

    fn types_named(&self, name: &str) -> Arc<[TypeSymbol]> {
        self.view.types_named(name)
    }

    fn symbol(&self, key: TypeKey) -> Option<TypeSymbol> {
        self.view.symbol(key)
    }

    fn namespace_projects(&self, namespace: &str) -> Arc<[ProjectId]> {
        cached(&self.occupied, namespace, || {
            let paths = self.view.occupants(namespace);
            let ids = paths.iter().filter_map(|path| self.by_path.get(path));
            let mut ids: Vec<ProjectId> = ids.copied().collect();
            ids.sort_unstable();
            ids.into()
        })
    }

    fn units_of(&self, key: TypeKey) -> Vec<UnitKey> {
        let unit = |(path, project): (RepoPath, usize)| UnitKey {
            path,
            project: ProjectId::new(project),
        };
        if let Some(units) = self.view.units.get(&key) {
            return units.iter().cloned().map(unit).collect();
        }
        let declared = self.view.or_fail(self.view.declaring(key));
        let mut units: Vec<UnitKey> = declared
            .into_iter()
            .filter_map(|(path, project)| {
                Some(UnitKey {
                    path,
                    project: *self.by_path.get(&project)?,
                })
            })
            .collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    fn facts(&self, unit: &UnitKey, sections: Sections) -> Arc<FileFacts> {
        Arc::new((self.facts)(&unit.path, unit.project.index(), sections))
    }

    fn extension_containers(&self, name: &str) -> Arc<[TypeKey]> {
        cached(&self.extensions, name, || {
            self.view.extension_types(name).into()
        })
    }
}
