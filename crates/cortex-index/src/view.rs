//! The types of a snapshot that is being made: an older snapshot with the changes on top.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, RwLock},
};

use cortex_bind::{TypeNode, TypeSymbol, Universe};
use cortex_model::{RepoPath, TypeKey, by_key};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{IndexError, snapshot::Snapshot};

/// See the module's first line.
#[derive(Default)]
pub(crate) struct View {
    pub(crate) base: Option<Snapshot>,
    /// Types declared in a changed file, before and after; those gone are in here as `None`.
    pub(crate) changed: FxHashMap<TypeKey, Option<TypeSymbol>>,
    by_name: FxHashMap<Box<str>, Arc<[TypeSymbol]>>,
    /// Namespaces that appeared and vanished.
    pub(crate) namespaces: FxHashMap<String, bool>,
    /// Base types that were bound anew.
    pub(crate) bases: FxHashMap<TypeKey, Arc<[TypeKey]>>,
    /// Simple member names of changed types.
    pub(crate) members: FxHashMap<TypeKey, FxHashSet<Box<str>>>,
    /// The files and projects that declare changed types, sorted.
    pub(crate) units: FxHashMap<TypeKey, Vec<(RepoPath, usize)>>,
    /// Extension members of changed types, by name.
    pub(crate) extensions: FxHashMap<Box<str>, BTreeSet<TypeKey>>,
    /// How many outermost types more than before each project declares in a namespace or below it.
    pub(crate) occupied: BTreeMap<Box<str>, BTreeMap<RepoPath, i64>>,
    cache: RwLock<Cache>,
    failure: RwLock<Option<IndexError>>,
}

#[derive(Default)]
struct Cache {
    named: FxHashMap<Box<str>, Arc<[TypeSymbol]>>,
    nodes: FxHashMap<TypeKey, Option<Arc<TypeNode>>>,
    symbols: FxHashMap<TypeKey, Option<TypeSymbol>>,
    namespaces: FxHashMap<Box<str>, bool>,
}

impl View {
    /// A view without changes.
    pub(crate) fn over(base: Option<Snapshot>) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// Takes the changed types in; call after the last change of `changed`.
    pub(crate) fn index_names(&mut self) {
        let mut by_name: FxHashMap<Box<str>, Vec<TypeSymbol>> = FxHashMap::default();
        for symbol in self.changed.values().flatten() {
            by_name
                .entry(symbol.name().into())
                .or_default()
                .push(symbol.clone());
        }
        let with_unchanged = |(name, mut symbols): (Box<str>, Vec<TypeSymbol>)| {
            if let Some(base) = &self.base {
                let unchanged = base.types_named(&name).unwrap_or_default().into_iter();
                symbols.extend(unchanged.filter(|symbol| {
                    symbol.name() == &*name && !self.changed.contains_key(&symbol.key)
                }));
            }
            symbols.sort();
            (name, Arc::from(symbols))
        };
        self.by_name = by_name.into_iter().map(with_unchanged).collect();
    }

    /// Works out which projects declare more or fewer types in which namespaces; after
    /// [`View::index_names`].
    pub(crate) fn count_namespaces(&mut self) -> Result<(), IndexError> {
        let mut counts: BTreeMap<Box<str>, BTreeMap<RepoPath, i64>> = BTreeMap::new();
        let mut add = |symbol: &TypeSymbol, difference: i64| {
            let mut namespace = symbol.namespace();
            while symbol.outer.is_none() && !namespace.is_empty() {
                let projects = counts.entry(namespace.into()).or_default();
                *projects.entry(symbol.project.clone()).or_default() += difference;
                namespace = namespace.rfind('.').map_or("", |end| &namespace[..end]);
            }
        };
        for (&key, new) in by_key(&self.changed) {
            if let Some(old) = self.old_symbol(key)? {
                add(&old, -1);
            }
            if let Some(new) = new {
                add(new, 1);
            }
        }
        counts.retain(|_, projects| {
            projects.retain(|_, difference| *difference != 0);
            !projects.is_empty()
        });
        self.occupied = counts;
        Ok(())
    }

    /// The symbol of a type in the older snapshot.
    pub(crate) fn old_symbol(&self, key: TypeKey) -> Result<Option<TypeSymbol>, IndexError> {
        let Some(base) = &self.base else {
            return Ok(None);
        };
        let cached = |cache: &Cache| cache.symbols.get(&key).cloned();
        if let Some(symbol) = cached(&self.cache.read().expect("no reader panics")) {
            return Ok(symbol);
        }
        let symbol = base.type_symbol(key)?;
        let mut cache = self.cache.write().expect("no writer panics");
        cache.symbols.insert(key, symbol.clone());
        Ok(symbol)
    }

    /// The files that declare parts of an unchanged type, with the projects that compile them into its
    /// assembly.
    pub(crate) fn declaring(&self, key: TypeKey) -> Result<Vec<(RepoPath, RepoPath)>, IndexError> {
        let (Some(base), Some(node)) = (&self.base, self.old_node(key)?) else {
            return Ok(Vec::new());
        };
        let mut out: Vec<(RepoPath, RepoPath)> = Vec::with_capacity(node.parts.len());
        for part in &node.parts {
            let Some(file) = base.file(&part.path)? else {
                continue;
            };
            // One that is alone with the file is of the type's assembly, and of another project than the type
            // where variants have files of their own.
            let is_alone = file.projects.len() == 1;
            for project in file.projects {
                let same = is_alone || project == node.project || {
                    let record = base.project(&project)?;
                    record.is_some_and(|record| record.project.assembly == node.assembly)
                };
                if same {
                    out.push((part.path.clone(), project));
                }
            }
        }
        Ok(out)
    }

    /// The projects that declare a type in a namespace or below it.
    pub(crate) fn occupants(&self, namespace: &str) -> BTreeSet<RepoPath> {
        let before = match &self.base {
            Some(base) => self.or_fail(base.occupants(namespace)),
            None => Vec::new(),
        };
        let mut counts: FxHashMap<RepoPath, i64> = before
            .into_iter()
            .map(|(project, count)| (project, i64::from(count)))
            .collect();
        for (project, difference) in self.occupied.get(namespace).into_iter().flatten() {
            *counts.entry(project.clone()).or_default() += difference;
        }
        let present = counts.into_iter().filter(|&(_, count)| count > 0);
        present.map(|(project, _)| project).collect()
    }

    /// The types that declare extension members of a name, by key.
    pub(crate) fn extension_types(&self, name: &str) -> Vec<TypeKey> {
        let mut found = match &self.base {
            Some(base) => self.or_fail(base.extension_types(name)),
            None => Vec::new(),
        };
        found.retain(|key| !self.changed.contains_key(key));
        found.extend(self.extensions.get(name).into_iter().flatten());
        found.sort_unstable();
        found
    }

    /// The node of a type in the older snapshot.
    pub(crate) fn old_node(&self, key: TypeKey) -> Result<Option<Arc<TypeNode>>, IndexError> {
        let Some(base) = &self.base else {
            return Ok(None);
        };
        if let Some(node) = self.cache.read().expect("no reader panics").nodes.get(&key) {
            return Ok(node.clone());
        }
        let node = base.type_node(key)?.map(Arc::new);
        self.cache
            .write()
            .expect("no writer panics")
            .nodes
            .insert(key, node.clone());
        Ok(node)
    }

    /// The first failure of a lookup, which lookups themselves cannot return.
    pub(crate) fn take_failure(&self) -> Result<(), IndexError> {
        match self.failure.write().expect("no writer panics").take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    pub(crate) fn or_fail<T: Default>(&self, result: Result<T, IndexError>) -> T {
        result.unwrap_or_else(|error| {
            self.failure
                .write()
                .expect("no writer panics")
                .get_or_insert(error);
            T::default()
        })
    }
}

impl Universe for View {
    fn types_named(&self, name: &str) -> Arc<[TypeSymbol]> {
        if let Some(found) = self.by_name.get(name) {
            return found.clone();
        }
        let Some(base) = &self.base else {
            return Arc::default();
        };
        if let Some(found) = self.cache.read().expect("no reader panics").named.get(name) {
            return found.clone();
        }
        let mut found = self.or_fail(base.types_named(name));
        found.retain(|symbol| symbol.name() == name && !self.changed.contains_key(&symbol.key));
        found.sort();
        let found: Arc<[TypeSymbol]> = found.into();
        self.cache
            .write()
            .expect("no writer panics")
            .named
            .insert(name.into(), found.clone());
        found
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        if let Some(&exists) = self.namespaces.get(namespace) {
            return exists;
        }
        let Some(base) = &self.base else { return false };
        if let Some(&exists) = self
            .cache
            .read()
            .expect("no reader panics")
            .namespaces
            .get(namespace)
        {
            return exists;
        }
        let exists = self.or_fail(base.has_namespace(namespace));
        self.cache
            .write()
            .expect("no writer panics")
            .namespaces
            .insert(namespace.into(), exists);
        exists
    }

    fn bases(&self, of: TypeKey) -> Arc<[TypeKey]> {
        if let Some(bases) = self.bases.get(&of) {
            return bases.clone();
        }
        self.or_fail(self.old_node(of))
            .map(|node| node.bases.as_slice().into())
            .unwrap_or_default()
    }

    fn symbol(&self, key: TypeKey) -> Option<TypeSymbol> {
        if let Some(symbol) = self.changed.get(&key) {
            return symbol.clone();
        }
        self.or_fail(self.old_symbol(key))
    }
}
