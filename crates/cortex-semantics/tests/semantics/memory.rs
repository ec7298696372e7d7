//! A few files and projects in memory, as binding asks for them, over the built-in table of the framework.
//!
//! Must not know: what any name means, where the files are from.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

use cortex_bind::{DeclaredType, GlobalUsing, InternalsVisible, TypeSymbol, declared_types};
use cortex_metadata::{Assemblies, ProjectRequest, References, Roots};
use cortex_model::{DeclKind, Modifier, RepoPath, TypeKey};
use cortex_semantics::{ExternalId, ProjectId, ProjectView, UnitKey, World, operator_name};
use cortex_syntax::{Extractor, FileFacts, ParseOptions, Sections};

/// What a test says of a project.
#[derive(Default)]
pub(crate) struct MemoryProject {
    pub(crate) path: String,
    pub(crate) assembly: String,
    pub(crate) symbols: Vec<String>,
    pub(crate) usings: Vec<GlobalUsing>,
    /// Projects by index, itself included.
    pub(crate) visible: Vec<(usize, InternalsVisible)>,
}

/// One file of a project.
pub(crate) struct MemoryFile {
    pub(crate) path: String,
    /// Its project's index.
    pub(crate) project: usize,
    pub(crate) bytes: Vec<u8>,
}

/// See the module's first line.
#[derive(Default)]
pub(crate) struct MemoryWorld {
    projects: Vec<ProjectView>,
    facts: BTreeMap<UnitKey, Arc<FileFacts>>,
    symbols: BTreeMap<TypeKey, TypeSymbol>,
    units: BTreeMap<TypeKey, Vec<UnitKey>>,
    by_name: BTreeMap<String, Vec<TypeSymbol>>,
    namespaces: BTreeMap<String, Vec<ProjectId>>,
    extensions: BTreeMap<String, Vec<TypeKey>>,
}

/// The framework as every machine has it: the built-in table.
static FRAMEWORK: LazyLock<Assemblies> = LazyLock::new(|| {
    let references = References::new(Roots::default());
    let mut assemblies = references
        .closure(&ProjectRequest::default())
        .assemblies
        .clone();
    assemblies.sort_by(|a, b| a.name().cmp(b.name()));
    Assemblies::new(assemblies)
});

impl MemoryWorld {
    pub(crate) fn new(projects: Vec<MemoryProject>, files: &[MemoryFile]) -> Self {
        let mut world = Self::default();
        let mut extractor = Extractor::default();
        let mut global_using_units: Vec<Vec<UnitKey>> = vec![Vec::new(); projects.len()];
        for file in files {
            let project = &projects[file.project];
            let options = ParseOptions {
                symbols: project.symbols.iter().cloned().collect(),
            };
            let facts = extractor.facts(&file.bytes, &options);
            let unit = UnitKey {
                path: RepoPath::from(file.path.as_str()),
                project: ProjectId::new(file.project),
            };
            let project_path = RepoPath::from(project.path.as_str());
            let types = declared_types(&facts, &unit.path, &project_path, &project.assembly);
            world.declare(&unit, &facts, &types);
            if facts.usings.iter().any(|using| using.global) {
                global_using_units[file.project].push(unit.clone());
            }
            world.facts.insert(unit, Arc::new(facts));
        }
        world.index();
        let externals: Vec<ExternalId> = (0..FRAMEWORK.len()).map(ExternalId::new).collect();
        world.projects = projects
            .into_iter()
            .zip(global_using_units)
            .map(|(project, mut units)| {
                units.sort();
                let visible = project.visible.into_iter();
                let mut visible: Vec<_> = visible
                    .map(|(index, internals)| (ProjectId::new(index), internals))
                    .collect();
                visible.sort_unstable_by_key(|&(id, _)| id);
                let mut usings = project.usings;
                usings.sort();
                ProjectView {
                    path: RepoPath::from(project.path.as_str()),
                    assembly: project.assembly.into(),
                    visible,
                    usings,
                    global_using_units: units,
                    externals: externals.clone(),
                    language_version: None,
                    allows_unsafe: false,
                }
            })
            .collect();
        world
    }

    /// The files, by path, each once for every project.
    pub(crate) fn units(&self) -> impl Iterator<Item = (&UnitKey, &Arc<FileFacts>)> {
        self.facts.iter()
    }

    fn declare(&mut self, unit: &UnitKey, facts: &FileFacts, types: &[DeclaredType]) {
        for ty in types {
            let symbol = &ty.symbol;
            let known = self.symbols.entry(symbol.key);
            let known = known.or_insert_with(|| symbol.clone());
            known.accessibility = known.accessibility.max(symbol.accessibility);
            let units = self.units.entry(symbol.key).or_default();
            if units.last() != Some(unit) {
                units.push(unit.clone());
            }
            let mut namespace = symbol.namespace();
            while symbol.outer.is_none() && !namespace.is_empty() {
                let projects = self.namespaces.entry(namespace.to_owned()).or_default();
                projects.push(unit.project);
                namespace = namespace.rfind('.').map_or("", |end| &namespace[..end]);
            }
        }
        let mut type_of_decl: Vec<Option<TypeKey>> = Vec::with_capacity(facts.decls.len());
        let mut next = types.iter().peekable();
        for (id, decl) in facts.decls.iter().enumerate() {
            let around = decl.parent.and_then(|parent| type_of_decl[parent as usize]);
            let own = next.next_if(|ty| ty.decl as usize == id);
            let ty = own.map(|ty| ty.symbol.key).or(around);
            type_of_decl.push(ty);
            let params = decl.params.as_deref().unwrap_or_default();
            let is_classic = decl.kind == DeclKind::Method
                && params
                    .first()
                    .is_some_and(|param| param.modifiers.contains(Modifier::This));
            let parent = decl.parent.map(|parent| &facts.decls[parent as usize]);
            let in_block = decl.kind.is_member()
                && parent.is_some_and(|parent| parent.kind == DeclKind::Extension);
            if let Some(ty) = ty.filter(|_| is_classic || in_block) {
                let token = facts.name(decl.name);
                let name = match decl.kind {
                    DeclKind::Operator => operator_name(token, params.len()).unwrap_or(token),
                    _ => token,
                };
                self.extensions.entry(name.to_owned()).or_default().push(ty);
            }
        }
    }

    fn index(&mut self) {
        for symbol in self.symbols.values() {
            let named = self.by_name.entry(symbol.name().to_owned()).or_default();
            named.push(symbol.clone());
        }
        for units in self.units.values_mut() {
            units.sort();
            units.dedup();
        }
        for projects in self.namespaces.values_mut() {
            projects.sort_unstable();
            projects.dedup();
        }
        for types in self.extensions.values_mut() {
            types.sort_unstable();
            types.dedup();
        }
    }
}

impl World for MemoryWorld {
    fn projects(&self) -> &[ProjectView] {
        &self.projects
    }

    fn externals(&self) -> &Assemblies {
        &FRAMEWORK
    }

    fn types_named(&self, name: &str) -> Arc<[TypeSymbol]> {
        self.by_name.get(name).cloned().unwrap_or_default().into()
    }

    fn symbol(&self, key: TypeKey) -> Option<TypeSymbol> {
        self.symbols.get(&key).cloned()
    }

    fn namespace_projects(&self, namespace: &str) -> Arc<[ProjectId]> {
        let projects = self.namespaces.get(namespace);
        projects.cloned().unwrap_or_default().into()
    }

    fn units_of(&self, key: TypeKey) -> Vec<UnitKey> {
        self.units.get(&key).cloned().unwrap_or_default()
    }

    fn facts(&self, unit: &UnitKey, _: Sections) -> Arc<FileFacts> {
        self.facts.get(unit).cloned().unwrap_or_default()
    }

    fn extension_containers(&self, name: &str) -> Arc<[TypeKey]> {
        let types = self.extensions.get(name);
        types.cloned().unwrap_or_default().into()
    }
}
