//! One closure in the making: assemblies by name, the higher version first.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use cortex_model::Hasher;
use rustc_hash::FxHashMap;

use super::{ApproximatePackage, Closure, FrameworkSource, MissingPackage, References};
use crate::{assembly::Assembly, table::MetadataTable};

/// One closure in the making.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) assemblies: Vec<Arc<Assembly>>,
    /// Places in `assemblies` by lower-case simple name.
    by_name: FxHashMap<String, usize>,
    pub(super) missing: Vec<MissingPackage>,
    pub(super) approximate: Vec<ApproximatePackage>,
    pub(super) unreadable: Vec<PathBuf>,
}

impl Collected {
    pub(super) fn add_all(&mut self, assemblies: &[Arc<Assembly>]) {
        for assembly in assemblies {
            self.add(assembly.clone());
        }
    }

    /// Whether the built-in table has the framework.
    pub(super) fn add_built_in(&mut self, framework: &str) -> bool {
        let before = self.assemblies.len();
        for assembly in MetadataTable::built_in()
            .into_iter()
            .flat_map(|table| table.framework(framework))
        {
            self.add(assembly.clone());
        }
        self.assemblies.len() > before
    }

    /// Whether there is an assembly of a simple name, given in lower case.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    pub(super) fn add_file(&mut self, references: &References, path: &Path) {
        match references.assembly(path) {
            Some(assembly) => self.add(assembly),
            None => self.unreadable.push(path.to_owned()),
        }
    }

    pub(super) fn add(&mut self, assembly: Arc<Assembly>) {
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

    pub(super) fn finish(mut self, source: FrameworkSource) -> Closure {
        self.missing.sort_unstable();
        self.missing.dedup();
        self.approximate.sort_unstable();
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
